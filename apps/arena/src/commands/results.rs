//! The results of matches and tournaments as text.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use arena::games::played::Side;
use arena::plan::Plan;
use arena::plan::standings::{against, standings};
use arena::ratings::{Tally, WinDrawLoss};
use game::printable;
use record::FaultKind;

use super::counted;

/// Writes the result of a match.
pub fn write_match(plan: &Plan, tally: &Tally, out: &mut impl Write) -> io::Result<()> {
    let WinDrawLoss { won, drawn, lost } = tally.games;
    let count = tally.count();
    for side in Side::ALL {
        writeln!(out, "{}: {}", side.name(), printable(&plan.spec(side).to_string()))?;
    }
    let listed = plan.opening.count().filter(|&openings| openings > 1).map(|openings| format!("{openings} openings"));
    let opening = listed.unwrap_or_else(|| format!("opening {}", printable(&plan.opening.to_string())));
    writeln!(out, "rules {}, {opening}, seed {}", plan.rules, plan.seed)?;
    if count == 0 {
        return writeln!(out, "no games");
    }
    let score = tally.score_of_a();
    let share = 100.0 * score / count as f64;
    writeln!(out, "A wins {won}, draws {drawn}, loses {lost} of {count} games: score {score}, {share:.1} %")?;
    if let Some(interval) = tally.pairs.elo_interval() {
        let [ll, ld, even, wd, ww] = tally.pairs.0;
        let pairs = counted(tally.pairs.count(), "pair");
        writeln!(out, "Elo of A {interval}  (95 % interval from {pairs})")?;
        writeln!(out, "pairs by score of A: 0: {ll}, ½: {ld}, 1: {even}, 1½: {wd}, 2: {ww}")?;
    }
    if let Some(margin) = tally.mean_margin() {
        let error = tally.margin_error().map(|error| format!(", standard error {error:.1}"));
        writeln!(out, "mean margin {margin:+.1} points{}", error.unwrap_or_default())?;
    }
    for (side, tally_of_side) in Side::ALL.into_iter().zip(&tally.sides) {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let [p50, p99, p999, max] = tally_of_side.time_quantiles([0.5, 0.99, 0.999, 1.0]).map(ms);
        let (name, mean, moves) = (side.name(), ms(tally_of_side.mean_time()), tally_of_side.times.len());
        write!(out, "{name}: {mean:.1} ms per move, half of {moves} moves within {p50:.1}, ")?;
        write!(out, "99 % {p99:.1}, 99.9 % {p999:.1}, slowest {max:.1} ms")?;
        for &kind in FaultKind::ALL {
            write!(out, ", {} {kind}", tally_of_side.faults(kind))?;
        }
        writeln!(out)?;
    }
    if let Some(sprt) = plan.sprt {
        let (ratio, (low, high)) = (sprt.ratio(&tally.pairs), sprt.bounds());
        let (elo0, elo1, state) = (sprt.elo0, sprt.elo1, sprt.state(&tally.pairs));
        write!(out, "SPRT H0 {elo0:+} Elo, H1 {elo1:+} Elo: {state}")?;
        writeln!(out, " (LLR {ratio:+.2}, bounds {low:.2} and {high:.2})")?;
    }
    Ok(())
}

/// Writes the table and the cross table of a tournament.
pub fn write_tournament(plan: &Plan, tallies: &BTreeMap<u32, Tally>, out: &mut impl Write) -> io::Result<()> {
    let tallies = &plan.scheduled_tallies(tallies);
    let table = standings(plan, tallies);
    let names: Vec<String> = plan.contestants.iter().map(|entrant| printable(&entrant.name).to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("contestant".len());
    writeln!(out, "rules {}, seed {}", plan.rules, plan.seed)?;
    writeln!(
        out,
        "{:>3}  {:width$}  {:>4} {:>2} {:>3} {:>7}  {:>7}  Elo (95 % interval)",
        "", "contestant", "wins", "=", "-", "points", "average"
    )?;
    let labels: Vec<String> =
        (1..).zip(&table).map(|(place, line)| format!("{place:>3}. {:width$}", names[line.contestant])).collect();
    for (label, line) in labels.iter().zip(&table) {
        let (WinDrawLoss { won, drawn, lost }, elo) = (line.games, line.elo);
        let byes = if line.byes > 0 { format!("  bye {}", line.byes) } else { String::new() };
        let (points, average) = (line.score.win_points, line.score.average_points());
        write!(out, "{label}  {won:>4} {drawn:>2} {lost:>3} {points:>7}  {average:>7.1}")?;
        writeln!(out, "  {:+.0} [{:+.0}, {:+.0}]{byes}", elo.estimate, elo.low, elo.high)?;
    }
    writeln!(out, "\nGames won-drawn-lost by the row against the column; columns are places:")?;
    let cells = table
        .iter()
        .map(|row| table.iter().map(|column| against(plan, tallies, row.contestant, column.contestant)).collect());
    write!(out, "{}", cross_table(&labels, cells))
}

/// Formats the games that rows won, drew and lost against columns. `labels` stand before the rows and have equal
/// widths.
pub fn cross_table(labels: &[String], rows: impl Iterator<Item = Vec<Option<WinDrawLoss>>>) -> String {
    let cell = |games: Option<WinDrawLoss>| {
        games.map_or(String::new(), |WinDrawLoss { won, drawn, lost }| format!("{won}-{drawn}-{lost}"))
    };
    let cells: Vec<Vec<String>> = rows.map(|row| row.into_iter().map(cell).collect()).collect();
    let column = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(3);
    let line = |label: &str, cells: &[String]| {
        cells.iter().fold(label.to_owned(), |line, cell| format!("{line} {cell:>column$}")) + "\n"
    };
    let places: Vec<String> = (1..=cells.len()).map(|place| place.to_string()).collect();
    let head = " ".repeat(labels.first().map_or(0, |label| label.chars().count()));
    line(&head, &places) + &labels.iter().zip(&cells).map(|(label, row)| line(label, row)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_of_contestants() {
        let plan = Plan::of_two(["random", "exec:\u{1b}[2J"].map(|text| text.parse().unwrap()));
        let mut text = Vec::new();
        write_match(&plan, &Tally::default(), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("A: random\nB: exec:\\u{1b}[2J\nrules 2027, opening random:4, seed 1\n"), "{text}");
    }
}
