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
        let labels: Vec<String> =
            (1..).zip(&table).map(|(place, line)| format!("{place:>3}. {:width$}", names[line.contestant])).collect();
        let cells = table
            .iter()
            .map(|row| table.iter().map(|column| against(plan, tallies, row.contestant, column.contestant)).collect());
        f.write_str(&cross_table(&labels, cells))
    }
}

/// Formats the games that rows won, drew and lost against columns. `labels` stand before the rows and have equal widths.
pub fn cross_table(labels: &[String], rows: impl Iterator<Item = Vec<Option<[u64; 3]>>>) -> String {
    let cell =
        |games: Option<[u64; 3]>| games.map_or(String::new(), |[won, drawn, lost]| format!("{won}-{drawn}-{lost}"));
    let cells: Vec<Vec<String>> = rows.map(|row| row.into_iter().map(cell).collect()).collect();
    let column = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(3);
    let line = |label: &str, cells: &[String]| {
        cells.iter().fold(label.to_owned(), |line, cell| format!("{line} {cell:>column$}")) + "\n"
    };
    let places: Vec<String> = (1..=cells.len()).map(|place| place.to_string()).collect();
    let head = " ".repeat(labels.first().map_or(0, |label| label.chars().count()));
    line(&head, &places) + &labels.iter().zip(&cells).map(|(label, row)| line(label, row)).collect::<String>()
}
