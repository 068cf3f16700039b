//! A game with its analysis as one HTML file that loads nothing.
//!
//! Its script is a concatenation of modules of the page.

use game::{Position, Rules, Team};
use record::{FaultKind, NodeId, Verdict};
use serde::Serialize;

use crate::page;
use crate::session::{By, PlayedMove, Review, Session, View};

/// The modules, each after its dependencies.
const MODULES: [&str; 9] =
    ["settings.js", "dom.js", "words.js", "piece.js", "paint.js", "board.js", "graph.js", "panel.js", "sheet.js"];

#[derive(Serialize)]
struct Sheet<'a> {
    names: [String; 2],
    rules: Rules,
    result: Verdict,
    fault: Option<(Team, FaultKind, String)>,
    /// 400 letters, as in a [`View`].
    start: String,
    /// The number of the node at the start.
    node: usize,
    /// The points of both teams at the start.
    points: [i32; 2],
    plies: Vec<SheetPly<'a>>,
    review: Review,
}

#[derive(Serialize)]
struct SheetPly<'a> {
    node: usize,
    #[serde(flatten)]
    played: PlayedMove,
    comment: &'a str,
    points: [i32; 2],
}

/// Returns the page about the moves to the current node of a session.
pub fn html(session: &Session) -> String {
    let end = View::of(session, None, By::Watcher, 0);
    let start = View::of(session, Some(NodeId::START.index()), By::Watcher, 0);
    let points = |position: &Position| Team::ALL.map(|team| position.team_points(team));
    let plies = session.plies().into_iter().zip(&end.line[1..]).map(|((node, before, mv), ply)| SheetPly {
        node: node.index(),
        played: PlayedMove::new(before.color(), mv),
        comment: &ply.comment,
        points: points(&before.after(mv)),
    });
    let sheet = Sheet {
        names: Team::ALL.map(|team| session.player_name(team)),
        rules: end.rules,
        result: end.result,
        fault: end.fault,
        start: start.board,
        node: start.node,
        points: points(session.start()),
        plies: plies.collect(),
        review: Review::of(session),
    };
    // A script must not contain its own end tag. Only maps with keys that are not texts fail.
    let data = serde_json::to_string(&sheet).unwrap_or_default().replace('<', "\\u003c");
    let style = [page::text("board.css"), page::text("style.css")].concat();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>Blokus</title><link rel=\"icon\" href=\"data:,\"><style>\n{style}</style></head>\n<body><main id=\"main\"></main>\
         <template id=\"board\">{}</template>\n<script type=\"application/json\" id=\"game\">{data}</script>\n\
         <script type=\"module\">\n{}</script></body></html>\n",
        page::board(),
        script()
    )
}

/// Joins the modules into one without imports and exports.
fn script() -> String {
    let lines = MODULES.iter().flat_map(|name| page::text(name).lines());
    let lines = lines.filter(|line| !line.starts_with("import ") && !line.starts_with("export {"));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Action;

    #[test]
    fn names_cannot_end_the_script() {
        let mut session = Session::new(Position::new(Rules::Classic, None).unwrap());
        let name = "</script><b>".to_owned();
        session.act(&Action::Name { team: Team::One, name }, By::Host, 0).unwrap();
        let page = html(&session);
        assert_eq!((page.matches("</script>").count(), page.matches("<script").count()), (2, 2));
        assert!(page.contains("\\u003c/script>\\u003cb>"));
        assert!(!page.contains("https://") && !page.contains("src=\"") && !page.contains("import {"));
    }

    #[test]
    fn modules_follow_their_dependencies() {
        for (n, name) in MODULES.iter().enumerate() {
            for line in page::text(name).lines().filter(|line| line.starts_with("import ")) {
                let needed = line.split("\"./").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
                assert!(MODULES[..n].contains(&needed), "{name} needs {needed}");
            }
        }
    }
}
