//! The progress bar of matches.

use arena::ratings::{Sprt, Tally, WinDrawLoss};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Returns a bar on stderr that counts to `length`, if stderr is a terminal and `quiet` is false. It has two lines, the
/// second for a message; they are cut where they do not fit, because lines that wrap cannot be redrawn in place.
pub fn bar(length: u64, unit: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template =
        format!("{{wide_bar:.cyan/dim}} {{pos}}/{{len}} {unit}, {{elapsed}} of about {{duration}}\n{{wide_msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// Describes how a match stands.
pub fn standing(tally: &Tally, sprt: Option<Sprt>) -> String {
    let WinDrawLoss { won, drawn, lost } = tally.games;
    let mut message = format!("+{won} ={drawn} -{lost}");
    if let Some(interval) = tally.pairs.elo_interval() {
        message += &format!(", Elo {interval}");
    }
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        message += &format!(", LLR {:+.2} ({low:.2} to {high:.2})", sprt.ratio(&tally.pairs));
    }
    message
}
