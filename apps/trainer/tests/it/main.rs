//! Integration tests.

mod play;
mod train;

use std::path::Path;
use std::process::{Command, Output};

use record::selfplay::{Header, SelfPlaySettings, ShardWriter};

/// Returns the program with a command, its file or folder, and options.
fn trainer(command: &str, path: &Path, options: &str) -> Command {
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.args(command.split(' ')).arg(path).args(options.split_whitespace());
    trainer
}

/// Runs a command that must succeed and returns its output.
fn run(command: &str, path: &Path, options: &str) -> String {
    let Output { status, stdout, stderr } = trainer(command, path, options).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Runs a command that must fail and returns its error message.
fn fail(command: &str, path: &Path, options: &str) -> String {
    let output = trainer(command, path, options).output().unwrap();
    assert!(!output.status.success(), "{command} {options}");
    String::from_utf8(output.stderr).unwrap()
}

/// Writes a file of self-play games.
fn write_games(folder: &Path, games: u32, settings: &SelfPlaySettings) {
    std::fs::create_dir_all(folder).unwrap();
    let header = Header { engine: "0".repeat(16), seed: 1, settings: settings.clone() };
    let (mut writer, _) = ShardWriter::append(folder.join("1.games"), &header).unwrap();
    for number in 0..games {
        writer.write(&trainer::selfplay::play(settings, 1, number).unwrap()).unwrap();
    }
}
