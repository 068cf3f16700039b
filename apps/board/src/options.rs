//! Options of the service and the terminal.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use arena::engines::Spec;
use board::service::Config;
use clap::Args;

#[derive(Args)]
pub struct BoardOptions {
    /// Database of the games
    #[arg(long, value_name = "FILE", default_value = "board.sqlite")]
    games: PathBuf,
    /// Number of threads for engines; one for each core by default
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Memory of each of them in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..))]
    memory: u16,
    /// Time for a move of the highest level in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    move_time: u64,
    /// External program that may play, for example `pentobi=gtp:pentobi-gtp` or `mine=exec:./start.sh`: a name and a
    /// contestant of the arena; repeatable
    #[arg(long, value_name = "NAME=SPEC", value_parser = program)]
    program: Vec<(String, Spec)>,
}

fn program(text: &str) -> anyhow::Result<(String, Spec)> {
    let (name, spec) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .with_context(|| format!("expected NAME=SPEC, found `{text}`"))?;
    Ok((name.to_owned(), spec.parse()?))
}

impl BoardOptions {
    pub fn config(self) -> Config {
        let mut config = Config::new(self.games);
        config.threads = self.threads.map_or(config.threads, NonZeroUsize::get);
        config.memory = usize::from(self.memory) << 20;
        config.programs = self.program.into_iter().collect();
        config.move_time = Duration::from_millis(self.move_time);
        config
    }
}
