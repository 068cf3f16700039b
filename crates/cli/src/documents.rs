//! What tells shells and people of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, Subcommand};
use clap_complete::Shell;

/// Commands that tell shells and people what a program understands.
///
/// ```
/// use clap::CommandFactory;
///
/// #[derive(clap::Parser)]
/// #[command(name = "arena")]
/// struct Arguments {
///     #[arg(long)]
///     games: u32,
/// }
///
/// let mut script = Vec::new();
/// let documents = cli::Documents::Completions { shell: "bash".parse()? };
/// documents.write(Arguments::command(), &mut script)?;
/// assert!(String::from_utf8(script)?.contains("--games"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Subcommand)]
pub enum Documents {
    /// Write what a shell needs to complete commands and options
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write pages of the manual, one for each command, into a folder
    Manual {
        /// The folder, for example ~/.local/share/man/man1
        folder: PathBuf,
    },
}

impl Documents {
    /// Writes about a program what is asked for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, mut command: Command, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Completions { shell } => {
                let name = command.get_name().to_owned();
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut command, name, &mut script);
                out.write_all(&script)
            }
            Self::Manual { folder } => {
                let made = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
                made.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
            }
        }
    }
}
