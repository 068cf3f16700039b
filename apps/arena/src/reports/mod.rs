//! A match or a tournament as one HTML file that needs no network: results, curves, and every game on a board that can
//! be stepped through.
//!
//! This module computes the numbers and embeds them as JSON; scripts draw them on the board of [`picture::svg`].

mod data;

use picture::Labels;
use picture::svg::{self, Svg};
use serde_json::Value;

use crate::database::{StoredGame, StoredMatch};
use crate::plan::Plan;

use data::{match_report, tournament_report};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const ELEMENTS: &str = include_str!("elements.js");
const VIEWER: [&str; 2] = [include_str!("viewer.html"), include_str!("viewer.js")];
const MATCH: [&str; 2] = [include_str!("match.html"), include_str!("match.js")];
const TOURNAMENT: [&str; 2] = [include_str!("tournament.html"), include_str!("tournament.js")];

/// Returns the page about a match.
pub fn html(stored: &StoredMatch, games: &[StoredGame]) -> String {
    page(MATCH, &match_report(stored, games), games.first())
}

/// Returns the page about a tournament: the table, the crosstable, and the games of its matches, which come with their
/// numbers in the plan.
pub fn tournament(plan: &Plan, matches: &[(u32, StoredMatch, Vec<StoredGame>)]) -> String {
    let first = matches.iter().find_map(|(_, _, games)| games.first());
    page(TOURNAMENT, &tournament_report(plan, matches), first)
}

/// Returns a page of these parts of HTML and their script, and a board with the last position of the game that is shown
/// at first.
fn page([content, script]: [&str; 2], data: &Value, first: Option<&StoredGame>) -> String {
    // Inside a script only the end of the script must not occur. The data comes last, so that nothing in it is taken
    // for a place to be filled.
    let data = data.to_string().replace('<', "\\u003c");
    let [viewer, of_viewer] = VIEWER;
    let script = [svg::SCRIPT, ELEMENTS, of_viewer, script].concat();
    let page = PAGE.replace("/*STYLE*/", STYLE).replace("<!--CONTENT-->", &[content, viewer].concat());
    let page = page.replace("/*SCRIPT*/", &script).replace("<!--BOARD-->", &first.map_or(String::new(), board));
    page.replacen("/*DATA*/null", &data, 1)
}

fn board(game: &StoredGame) -> String {
    let position = game.record.end();
    Svg { labels: Some(Labels::Coordinates), letters: true, ..Svg::new(&position) }.to_string()
}

#[cfg(test)]
mod tests {
    use game::{Position, Rules, Team};

    use super::*;
    use crate::games::played::PlayedGame;

    #[test]
    fn data_cannot_end_script() {
        let names = ["</script><b>", "/*DATA*/null"].map(str::to_owned);
        let created = "2026-01-01T00:00:00Z".to_owned();
        let stored = StoredMatch { id: 1, created, names, rules: Rules::Classic, games: 1, points: 0.0 };
        let start = Position::new(Rules::Classic, None).unwrap();
        let record = PlayedGame { pair: 0, team_of_a: Team::One, start, plies: Vec::new(), fault: None };
        let page = html(&stored, &[StoredGame { id: 1, match_id: 1, record }]);
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("\\u003c/script>\\u003cb>") && page.contains("\"/*DATA*/null\""));
        // The namespace of SVG looks like an address, but is not requested.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http://") && !page.contains("https://"));
    }
}
