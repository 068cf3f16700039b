//! A book as a page.

use std::fmt::Write;

use game::{Color, Move};
use picture::Labels;
use picture::svg::{self, Escaped, Svg};
use player::model::{Book, BookLine, Origin};

const STYLE: &str = include_str!("page.css");

/// A page about a book: for every start piece its first placements, with the chance to win and how sure that is. It
/// needs no network.
///
/// ```
/// use player::model::{Model, Origin};
///
/// let page = arena::openings::book::page(&Model::built_in().book, &Origin::default());
/// assert!(page.contains("season 2027") && page.contains("<svg"));
/// ```
pub fn page(book: &Book, origin: &Origin) -> String {
    let mut lines: Vec<&BookLine> = book.lines().iter().collect();
    lines.sort_by_key(|line| {
        let numbers: Vec<usize> = line.placements.iter().map(|placement| placement.index()).collect();
        (line.start.rules() as u8, line.start.start_piece(), numbers.len(), numbers)
    });
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Opening book</title>\n\
         <style>\n{}{STYLE}</style>\n</head>\n<body>\n<h1>Opening book</h1>\n\
         <p>{} positions. The chance to win and the expected margin are those of the colour that moves, as the search \
         of that many simulations expects; the part of them that went to the move says how sure it is of the move. The \
         move is marked.</p>\n<p>Made by <code>{}</code>: {}; engine {}.</p>\n",
        svg::STYLE,
        lines.len(),
        Escaped(&origin.command),
        Escaped(&origin.data),
        Escaped(&origin.engine),
    );
    let mut last = None;
    for line in lines {
        let (rules, piece) = (line.start.rules(), line.start.start_piece());
        if last != Some((rules, piece)) {
            if last.is_some() {
                page += "</div>\n";
            }
            let piece = piece.map_or_else(String::new, |piece| format!(", {piece}"));
            let _ = writeln!(page, "<h2>season {rules}{piece}</h2>\n<div class=\"lines\">");
            last = Some((rules, line.start.start_piece()));
        }
        page += &figure(line);
    }
    if last.is_some() {
        page += "</div>\n";
    }
    page + "</body>\n</html>\n"
}

/// Draws a position after the book's move, with its evaluation.
fn figure(line: &BookLine) -> String {
    let before = line.position();
    let (color, best) = (before.color(), line.best);
    let after = before.after(Move::Place(best.placement));
    let labels = Some(Labels::Coordinates);
    let board = Svg { style: false, letters: true, labels, last: Some(best.placement), ..Svg::new(&after) };
    let replies: String = line
        .placements
        .iter()
        .zip(Color::ALL.into_iter().cycle())
        .fold(String::new(), |text, (placement, color)| format!("{text}{color} {placement}<br>"));
    format!(
        "<figure>{board}<figcaption>{replies}<b>{color} {}</b><br>wins {:.0} %, {:+.0} points<br>\
         {:.0} % of {:.0} simulations</figcaption></figure>\n",
        best.placement,
        100.0 * best.win,
        best.margin,
        100.0 * best.share,
        best.simulations
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Position, Rules};
    use player::model::BookMove;

    #[test]
    fn each_line_has_a_board() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap();
        let placement = "PENTO_X@0,8".parse().unwrap();
        let best = BookMove { placement, win: 0.61, margin: 4.0, simulations: 1e6, share: 0.9 };
        let book = Book::new([BookLine { start, placements: vec![], best }]).unwrap();
        let origin = Origin { command: "book <here>".to_owned(), ..Origin::default() };
        let page = page(&book, &origin);
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(page.contains("book &lt;here&gt;") && page.contains("BLUE PENTO_X@0,8"), "{page}");
        assert!(page.contains("wins 61 %, +4 points") && page.contains("90 % of 1000000 simulations"));
    }
}
