//! Shared command-line code of the workspace's programs: defaults for options from a file ([`parse`]), shell
//! completions ([`Documents`]), files to read and write ([`read_file`], [`Output`]), signals ([`stop_on_signal`]), and error
//! messages ([`conclude`]).
//!
//! ```
//! use std::ffi::OsString;
//!
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! #[command(name = "board")]
//! struct Arguments {
//!     #[command(flatten)]
//!     defaults: cli::DefaultsArguments,
//!     #[arg(long, default_value_t = 8080)]
//!     port: u16,
//! }
//!
//! let arguments: Arguments = cli::parse(["board", "--port", "8000"].map(OsString::from), cli::Source::Named)?;
//! assert_eq!(arguments.port, 8000);
//! # Ok::<(), clap::Error>(())
//! ```
//!
//! Defaults and completions derive from the definition of the command line, so they include every option.

mod defaults;
mod documents;
mod ending;
mod error;
mod input;
mod interrupt;
mod output;
mod source;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;

use defaults::{CONFIG, Defaults};

pub use documents::Documents;
pub use ending::{complain, conclude, is_closed_pipe, message};
pub use error::DefaultsError;
pub use input::read_file;
pub use interrupt::stop_on_signal;
pub use output::Output;
pub use source::{Source, VARIABLE};

/// The option that names a file of defaults.
#[derive(Clone, Default, Debug, clap::Args)]
pub struct DefaultsArguments {
    /// File with defaults for the options of all commands
    #[arg(long = CONFIG, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

/// Parses a command line. A missing option takes its value from its environment variable, then from the file of
/// defaults (named by `--config`, or found by `source`), then from the program.
///
/// # Errors
/// Invalid arguments, an invalid file, or a request for help. All of them can print themselves and end the program
/// ([`clap::Error::exit`]).
pub fn parse<P: Parser>(arguments: impl IntoIterator<Item = OsString>, source: Source) -> Result<P, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = P::command();
    // Other errors appear below, with the file taken into account.
    let given = command.clone().ignore_errors(true).try_get_matches_from(&arguments)?;
    let named = given.get_one::<PathBuf>(CONFIG);
    let applied = Defaults::find(source, named.map(PathBuf::as_path)).and_then(|defaults| match defaults {
        Some(defaults) => defaults.apply(command.clone(), &given),
        None => Ok(command.clone()),
    });
    let mut command = applied.map_err(|error| command.error(ErrorKind::InvalidValue, error))?;
    let mut matches = defaults::read(&mut command, &given, arguments)?;
    P::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
