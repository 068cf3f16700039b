//! The progress bar of a match.

use arena::matches::MatchPlan;
use arena::statistics::{Sprt, Tally};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::summary::elo;

/// Shows on stderr how a match stands, if stderr is a terminal.
pub struct Progress {
    bar: ProgressBar,
    sprt: Option<Sprt>,
}

impl Progress {
    pub fn new(plan: &MatchPlan, quiet: bool) -> Self {
        let bar = ProgressBar::new(2 * u64::from(plan.pairs));
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let template = "{bar:30.cyan/dim} {pos}/{len} games, {elapsed} of about {duration}, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, sprt: plan.sprt }
    }

    pub fn show(&self, tally: &Tally) {
        let [won, drawn, lost] = tally.games;
        let mut message = format!("+{won} ={drawn} -{lost}");
        if let Some(interval) = tally.pairs.elo_interval() {
            message += &format!(", Elo {}", elo(&interval));
        }
        if let Some(sprt) = self.sprt {
            let (low, high) = sprt.bounds();
            message += &format!(", LLR {:+.2} ({low:.2} to {high:.2})", sprt.ratio(&tally.pairs));
        }
        self.bar.set_position(tally.count());
        self.bar.set_message(message);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
