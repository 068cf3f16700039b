//! `arena work`

use std::io::Write;

use arena::cluster::WorkArguments;
use arena::interrupt;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    Ok(arguments.worker([])?.run_and_report(&stop, out)??)
}
