//! The subcommands of `trainer`, one per file.

pub mod play;
pub mod train;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Creates a progress bar on stderr, if that is a terminal and `quiet` is false.
fn bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Returns the command line, for the report.
fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    format!("trainer {}", words.collect::<Vec<_>>().join(" "))
}
