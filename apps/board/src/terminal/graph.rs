//! The graph of the win probability.

use game::Color;
use picture::Paint;
use ratatui::layout::Rect;

use super::paint::{Canvas, ClickTarget};
use super::snapshot::Snapshot;
use crate::session::Mark;

/// Draws the win probability of team one after each move as a bar, with marks of bad moves and the shown node below.
pub(super) fn draw(canvas: &mut Canvas, snapshot: &Snapshot) {
    let (area, painter) = (canvas.area, canvas.painter);
    let graph = &snapshot.review.graph;
    if area.height < 4 || area.width < 10 || graph.len() < 2 {
        return;
    }
    canvas.write((0, 0), canvas.words.graph, painter.faint());
    let (columns, levels) = (usize::from(area.width), 8 * usize::from(area.height - 2));
    // Short games are stretched, long ones squeezed.
    let step = (columns / graph.len()).clamp(1, 4);
    let shown = (graph.len() * step).min(columns);
    let place_of = |column: usize| if graph.len() > columns { column * graph.len() / columns } else { column / step };
    for column in 0..shown {
        let index = place_of(column);
        let mut own = canvas.part(Rect::new(area.x + column as u16, area.y + 1, 1, area.height - 1));
        if let Some(&node) = snapshot.path.get(index) {
            own.target(ClickTarget::Node(node));
        }
        let filled = graph[index].map(|(win, _)| (win * levels as f32).round() as usize);
        for row in 0..area.height - 2 {
            let below = 8 * usize::from(area.height - 3 - row);
            let (letter, style) = match filled {
                None => ("·", painter.style(Paint::Dots, Paint::Board)),
                Some(filled) => {
                    let eighths = filled.saturating_sub(below).min(8);
                    let letter = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][eighths];
                    (letter, painter.style(Paint::Piece(Color::Blue), Paint::Piece(Color::Yellow)))
                }
            };
            own.write((0, row), letter, style);
        }
        let is_first = column == 0 || place_of(column) != place_of(column - 1);
        let review = snapshot.path.get(index).filter(|_| is_first).and_then(|&node| snapshot.review_of(node));
        let mark = match review.and_then(|review| review.mark) {
            _ if snapshot.path.get(index) == Some(&snapshot.view.node) => ("▲", painter.strong()),
            Some(Mark::Blunder) => ("⁇", painter.text(Paint::Piece(Color::Red))),
            Some(Mark::Mistake) => ("?", painter.text(Paint::Piece(Color::Red))),
            Some(Mark::Inaccuracy) => ("⁈", painter.faint()),
            None => (" ", painter.faint()),
        };
        own.write((0, area.height - 2), mark.0, mark.1);
    }
}
