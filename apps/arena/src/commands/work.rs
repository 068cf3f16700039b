//! `arena work`

use std::io::Write;

use arena::cluster::WorkArguments;
use arena::interrupt;

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    Ok(arguments.run([], &*interrupt::stop_on_interrupt()?, out)?)
}
