//! `arena work`

use std::io::Write;

use arena::cluster::WorkArguments;
use arena::interrupt;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    Ok(arguments.worker([])?.work_and_tell(&stop, out)??)
}
