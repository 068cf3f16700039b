//! `trainer work`

use std::io::Write;
use std::sync::Arc;

use arena::cluster::{JobType, WorkArguments};
use arena::interrupt;
use trainer::batches::SelfPlay;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    let selfplay: Arc<dyn JobType> = Arc::new(SelfPlay);
    Ok(arguments.worker([selfplay])?.run_and_report(&stop, out)??)
}
