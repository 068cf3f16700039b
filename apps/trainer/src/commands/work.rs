//! `trainer work`

use std::io::Write;
use std::sync::Arc;

use arena::cluster::{JobType, WorkArguments};
use arena::interrupt;
use trainer::batches::SelfPlay;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    Ok(arguments.run([Arc::new(SelfPlay) as Arc<dyn JobType>], &*interrupt::stop_on_interrupt()?, out)?)
}
