//! Running all tests, and saying at the end what they left out.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// How the test program `left_out` begins its line.
const MARK: &str = "left out: ";

/// Runs the tests of all crates, shows what they print, and ends with the line that says what was left out.
///
/// # Errors
/// If a test fails, or if anything was left out and that `must_be_complete`.
pub fn run(must_be_complete: bool) -> anyhow::Result<()> {
    let mut cargo = Command::new("cargo")
        .args(["test", "--workspace", "--release"])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let mut left_out = None;
    for line in BufReader::new(cargo.stdout.take().context("cargo has no output")?).lines() {
        let line = line.context("cannot read what the tests print")?;
        println!("{line}");
        left_out = line.strip_prefix(MARK).map(str::to_owned).or(left_out);
    }
    ensure!(cargo.wait().context("cannot wait for cargo")?.success(), "the tests failed");
    let left_out = left_out.context("the tests do not say what they left out")?;
    println!("{MARK}{left_out}");
    ensure!(!must_be_complete || left_out == "nothing", "the tests are not complete");
    Ok(())
}
