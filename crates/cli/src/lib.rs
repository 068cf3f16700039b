//! What the programs of the workspace share on their command lines: defaults for options from a file ([`parse`]),
//! completions for shells ([`Documents`]), files to read and write ([`read_file`], [`Output`]), and error messages
//! ([`conclude`]).
//!
//! All of it comes from the definition of the command line, so that it knows every option there is.

mod defaults;
mod documents;
mod ending;
mod error;
mod input;
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
pub use output::Output;
pub use source::{Source, VARIABLE};

/// The option that names a file of defaults.
#[derive(Clone, Default, Debug, clap::Args)]
pub struct DefaultsArguments {
    /// File with defaults for the options of all commands
    #[arg(long = CONFIG, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

/// Reads a command line. What it does not say is said by the environment, as far as an option knows a variable; else by
/// the file of defaults, which `--config` names or which is where `source` says; else by the program itself.
///
/// # Errors
/// What is wrong with the command line or with the file; or the help, if that is asked for. All of them can show
/// themselves and end the program ([`clap::Error::exit`]).
pub fn parse<P: Parser>(arguments: impl IntoIterator<Item = OsString>, source: Source) -> Result<P, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = P::command();
    // Whatever is wrong with the rest shows below, where it is known what it means with the file.
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
