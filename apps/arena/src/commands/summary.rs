//! The result of a match as text.

use std::fmt;

use arena::games::played::Side;
use arena::matches::MatchPlan;
use arena::ratings::Tally;
use record::FaultKind;

use super::counted;

/// The table that is printed at the end.
pub struct Summary<'a> {
    pub plan: &'a MatchPlan,
    pub tally: &'a Tally,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, tally } = self;
        let [won, drawn, lost] = tally.games;
        let count = tally.count();
        writeln!(f, "A: {}", plan.sides[0])?;
        writeln!(f, "B: {}", plan.sides[1])?;
        let listed = plan.opening.count().map(|count| format!("{count} openings"));
        let opening = listed.unwrap_or_else(|| format!("opening {}", plan.opening));
        writeln!(f, "rules {}, {opening}, seed {}", plan.rules, plan.seed)?;
        if count == 0 {
            return writeln!(f, "no games");
        }
        let share = 100.0 * tally.points() / count as f64;
        writeln!(
            f,
            "A wins {won}, draws {drawn}, loses {lost} of {count} games: {} points, {share:.1} %",
            tally.points()
        )?;
        if let Some(interval) = tally.pairs.elo_interval() {
            let [ll, ld, even, wd, ww] = tally.pairs.0;
            let pairs = counted(tally.pairs.count(), "pair");
            writeln!(f, "Elo of A {interval}  (95 % interval from {pairs})")?;
            writeln!(f, "pairs by points of A: 0: {ll}, ½: {ld}, 1: {even}, 1½: {wd}, 2: {ww}")?;
        }
        if let Some(margin) = tally.mean_margin() {
            write!(f, "mean margin {margin:+.1} points")?;
            if let Some(error) = tally.margin_error() {
                write!(f, ", standard error {error:.1}")?;
            }
            writeln!(f)?;
        }
        for side in Side::ALL {
            let own = &tally.sides[side as usize];
            let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
            let [half, most, nearly_all, all] = own.times_within([0.5, 0.99, 0.999, 1.0]).map(ms);
            write!(
                f,
                "{side:?}: {:.1} ms per move, half of {} moves within {half:.1}, ",
                ms(own.mean_time()),
                own.times.len()
            )?;
            write!(f, "99 % {most:.1}, 99.9 % {nearly_all:.1}, slowest {all:.1} ms")?;
            let faults = [
                (FaultKind::Illegal, "illegal moves"),
                (FaultKind::Late, "time forfeits"),
                (FaultKind::Left, "times gone"),
                (FaultKind::Resigned, "times resigned"),
            ];
            for (kind, name) in faults {
                write!(f, ", {} {name}", own.faults(kind))?;
            }
            writeln!(f)?;
        }
        if let Some(sprt) = plan.sprt {
            let (ratio, (low, high)) = (sprt.ratio(&tally.pairs), sprt.bounds());
            let verdict = sprt.verdict(&tally.pairs);
            let (elo0, elo1) = (sprt.elo0, sprt.elo1);
            writeln!(
                f,
                "SPRT H0 {elo0:+} Elo, H1 {elo1:+} Elo: {verdict} (LLR {ratio:+.2}, bounds {low:.2} and {high:.2})"
            )?;
        }
        Ok(())
    }
}
