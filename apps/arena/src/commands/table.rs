//! The result of a tournament as text.

use std::collections::BTreeMap;
use std::fmt;

use arena::plan::Plan;
use arena::ratings::Tally;
use arena::ratings::standings::{against, standings};
use game::printable;

/// The table and the crosstable.
pub struct Table<'a> {
    pub plan: &'a Plan,
    pub tallies: &'a BTreeMap<u32, Tally>,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, tallies } = self;
        let tallies = &plan.counted(tallies);
        let table = standings(plan, tallies);
        let names: Vec<String> = plan.contestants.iter().map(|entrant| printable(&entrant.name).to_string()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("contestant".len());
        writeln!(f, "rules {}, seed {}", plan.rules, plan.seed)?;
        writeln!(f, "{:>3}  {:width$}  wins =  -   points  average  Elo (95 % interval)", "", "contestant")?;
        for (place, line) in (1..).zip(&table) {
            let [won, drawn, lost] = line.games;
            let byes = if line.byes > 0 { format!("  bye {}", line.byes) } else { String::new() };
            writeln!(
                f,
                "{place:>3}. {:width$}  {won:>4} {drawn:>2} {lost:>3} {:>7}  {:>7.1}  {:+.0} [{:+.0}, {:+.0}]{byes}",
                names[line.contestant],
                line.score.win_points,
                line.score.average_points(),
                line.elo.estimate,
                line.elo.low,
                line.elo.high,
            )?;
        }
        writeln!(f, "\nGames won, drawn and lost by the row against the column, by places:")?;
        let cell = |one: usize, other: usize| match against(plan, tallies, one, other) {
            Some([won, drawn, lost]) => format!("{won}-{drawn}-{lost}"),
            None => String::new(),
        };
        let cells: Vec<Vec<String>> = table
            .iter()
            .map(|row| table.iter().map(|column| cell(row.contestant, column.contestant)).collect())
            .collect();
        let column = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(3);
        write!(f, "     {:width$}", "")?;
        for place in 1..=table.len() {
            write!(f, " {place:>column$}")?;
        }
        writeln!(f)?;
        for ((place, line), row) in (1..).zip(&table).zip(&cells) {
            write!(f, "{place:>3}. {:width$}", names[line.contestant])?;
            for cell in row {
                write!(f, " {cell:>column$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
