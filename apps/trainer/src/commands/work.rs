//! `trainer work`

use std::io::Write;
use std::sync::Arc;

use arena::cluster::{Kind, WorkArguments};
use arena::interrupt;
use trainer::batches::SelfPlay;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    let selfplay: Arc<dyn Kind> = Arc::new(SelfPlay);
    Ok(arguments.worker([selfplay])?.work_and_tell(&stop, out)??)
}
