//! A match as one HTML file that needs no network: results, curves, and every game on a board that
//! can be stepped through.
//!
//! The numbers are computed here and put into the page as JSON; `page.js` draws them. The board is that
//! of [`picture::svg`], which the page changes in place.

mod data;

use picture::Labels;
use picture::svg::{self, Svg};

use crate::store::{StoredGame, StoredMatch};

use data::Report;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page about a match.
///
/// ```
/// use arena::store::StoredMatch;
/// use game::Rules;
///
/// let (names, created) = (["mcts", "random"].map(str::to_owned), "2026-01-01T00:00:00Z".to_owned());
/// let stored = StoredMatch { id: 1, created, names, rules: Rules::Classic, games: 0, unfinished: 0, points: 0.0 };
/// assert!(arena::report::html(&stored, &[])?.contains("random"));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn html(stored: &StoredMatch, games: &[StoredGame]) -> serde_json::Result<String> {
    let data = serde_json::to_string(&Report::new(stored, games))?;
    // Inside a script only the end of the script must not occur. The data comes last, so that
    // nothing in it is taken for a place to be filled.
    let data = data.replace('<', "\\u003c");
    let script = [svg::SCRIPT, SCRIPT].concat();
    let page = PAGE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", &script);
    Ok(page.replace("<!--BOARD-->", &board(games)).replacen("/*DATA*/null", &data, 1))
}

/// The board with the last position of the first game, which the page shows at first.
fn board(games: &[StoredGame]) -> String {
    let Some(game) = games.first() else { return String::new() };
    let position = game.record.end();
    Svg { labels: Some(Labels::Coordinates), letters: true, ..Svg::new(&position) }.to_string()
}

#[cfg(test)]
mod tests {
    use game::{Position, Rules, Team};

    use super::*;
    use crate::played::PlayedGame;

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        let names = ["</script><b>", "/*DATA*/null"].map(str::to_owned);
        let created = "2026-01-01T00:00:00Z".to_owned();
        let stored = StoredMatch { id: 1, created, names, rules: Rules::Classic, games: 1, unfinished: 1, points: 0.0 };
        let start = Position::new(Rules::Classic, None).unwrap();
        let record = PlayedGame { pair: 0, team_of_a: Team::One, start, plies: Vec::new(), fault: None };
        let page = html(&stored, &[StoredGame { id: 1, match_id: 1, record }]).unwrap();
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("\\u003c/script>\\u003cb>") && page.contains("\"/*DATA*/null\""));
        // The name of the language of pictures looks like an address, but nobody asks for it.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http://") && !page.contains("https://"));
    }
}
