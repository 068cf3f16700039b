//! Shared command-line code of the workspace's programs: files to read and write ([`read_limited`], [`OutputFile`]),
//! signals ([`stop_on_signal`]), options ([`parse`], [`number`]), and error messages ([`conclude`]).
//!
//! ```no_run
//! fn run() -> anyhow::Result<()> {
//!     let plan = cli::read_limited("plan.toml".as_ref(), 1 << 20)?;
//!     println!("{} bytes", plan.len());
//!     Ok(())
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     cli::conclude("arena", run())
//! }
//! ```

mod ending;
mod files;
mod values;

pub use ending::{complain, conclude, is_closed_pipe, message, stop_on_signal};
pub use files::{OutputFile, check_output, is_database, read_limited};
pub use values::{number, parse};
