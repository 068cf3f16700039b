//! Shell completions.

use std::io::{self, Write};

use clap::{Command, Subcommand};
use clap_complete::Shell;

/// Subcommands that describe the command line of a program.
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
    /// Generate shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Documents {
    /// Writes the script to `out`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, mut command: Command, out: &mut impl Write) -> io::Result<()> {
        let Self::Completions { shell } = self;
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut command, name, &mut script);
        out.write_all(&script)
    }
}
