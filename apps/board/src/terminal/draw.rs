//! The whole screen.

use game::Color;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::command::Command;
use super::paint::{Painter, Target, Targets, write};
use super::side::Side;
use super::table::Table;
use super::words::Words;
use super::{board, graph, window};
use crate::session::rule_name;

/// Minimum size of the terminal in columns and rows.
const SMALLEST: (u16, u16) = (80, 24);

/// Minimum number of columns of the side.
const SIDE: u16 = 35;

/// Number of lines below the board.
const FOOT: u16 = 3;

/// The areas of the screen.
struct Layout {
    /// Columns and rows of a cell of the board.
    cell: (u16, u16),
    board: Rect,
    /// Below the board, if there is room.
    graph: Option<Rect>,
    side: Rect,
    status: Rect,
    message: Rect,
    keys: Rect,
}

impl Layout {
    /// Divides an area. Returns `None` if it is too small.
    fn of(area: Rect) -> Option<Self> {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            return None;
        }
        let height = area.height - FOOT;
        let fits = |&cell: &(u16, u16)| {
            let (columns, rows) = board::size(cell);
            columns + 2 + SIDE <= area.width && rows <= height
        };
        let cell = board::CELLS.into_iter().find(fits)?;
        let (columns, rows) = board::size(cell);
        let side = Rect::new(area.x + columns + 2, area.y, area.width - columns - 2, height);
        let below = Rect::new(area.x + 3, area.y + rows + 1, columns - 3, height.saturating_sub(rows + 2));
        let foot = |n| Rect::new(area.x, area.y + height + n, area.width, 1);
        Some(Self {
            cell,
            board: Rect::new(area.x, area.y, columns, rows),
            graph: (below.height >= 6).then_some(Rect { height: below.height.min(14), ..below }),
            side,
            status: foot(0),
            message: foot(1),
            keys: foot(2),
        })
    }
}

/// Draws the screen and registers the click targets.
pub(super) fn draw(app: &mut App, frame: &mut Frame) {
    let (area, painter, words) = (frame.area(), app.painter, app.words);
    let buffer = frame.buffer_mut();
    let targets = &mut app.targets;
    targets.clear();
    let Some(places) = Layout::of(area) else {
        write(buffer, area, (0, 0), words.too_small, Style::new());
        return;
    };
    if let Some(table) = &app.table {
        board::draw(buffer, places.board, places.cell, table, painter, words, targets);
        if let Some(area) = places.graph.filter(|_| table.seen.has_graph()) {
            graph::draw(buffer, area, &table.seen, painter, words, targets);
        }
        Side::new(buffer, places.side, table, painter, words, targets).draw(places.graph.is_none());
        write(buffer, places.status, (0, 0), &status(table, words), painter.strong());
        let note = progress(table, words);
        let start = places.status.width.saturating_sub(note.chars().count() as u16);
        write(buffer, places.status, (start, 0), &note, painter.faint());
    }
    let message = app.message.clone().or_else(|| app.table.as_ref().map(|table| describe(table, words)));
    write(buffer, places.message, (0, 0), &message.unwrap_or_default(), Style::new());
    keys(buffer, places.keys, app.table.as_ref(), painter, words, targets);
    if let Some(dialog) = &app.dialog {
        window::draw(buffer, area, dialog, painter, words, targets);
    }
}

/// Describes the state of the game.
fn status(table: &Table, words: &Words) -> String {
    let view = &table.seen.view;
    let team = |name: &str| name.parse().map_or("", |team: game::Team| words.team(team));
    let color = words.color(table.seen.position.color());
    if table.seen.line_moves > 0 {
        return format!("{} {}", words.engine_line, table.seen.line_moves);
    }
    if view.node != view.current {
        return words.earlier_position.to_owned();
    }
    if let Some((guilty, kind, _)) = &view.fault {
        let kind = match *kind {
            "resigned" => words.resigned,
            "late" => words.late,
            "left" => words.left,
            _ => words.illegal,
        };
        return format!("{} {kind}", team(guilty));
    }
    if view.has_ended {
        let points = |n: usize| view.teams[n].points;
        let result =
            if view.result == "drawn" { words.draw.to_owned() } else { format!("{} {}", team(view.result), words.won) };
        if let Ok(winner) = view.result.parse::<Color>() {
            return format!("{} {}", words.color(winner), words.won);
        }
        return if view.is_over { format!("{result}, {} : {}", points(0), points(1)) } else { result };
    }
    match () {
        () if view.is_paused => words.paused.to_owned(),
        () if view.is_engine_on_turn => format!("{color} {}", words.thinking),
        () if view.may_move => format!("{color}: {}", words.your_move),
        () => format!("{color} {}", words.is_on_turn),
    }
}

/// Describes the progress of an analysis, or the delay between moves of programs.
fn progress(table: &Table, words: &Words) -> String {
    if let Some(progress) = table.seen.progress {
        return format!("{} {} / {}", words.analysing, progress.done, progress.total);
    }
    let has_engine = table.seen.view.colors.iter().any(|color| color.seat.is_engine());
    if !has_engine || table.seen.view.has_ended {
        return String::new();
    }
    match table.pace() {
        0 => format!("{}: {}", words.delay, words.no_delay),
        pace => format!("{}: {} s", words.delay, words.decimal(pace as f32 / 1_000.0)),
    }
}

/// Describes the held piece, an error, the reach or the comment, in this order.
fn describe(table: &Table, words: &Words) -> String {
    let seen = &table.seen;
    if let Some((shape, x, y)) = table.hand.place() {
        return match seen.position.check_piece(seen.position.color(), shape, x, y) {
            Ok(_) => words.fits.to_owned(),
            Err(refusal) => words.refusal(rule_name(refusal), &refusal),
        };
    }
    if let Some(error) = &seen.engine_error {
        return format!("{} {}: {}", words.color(error.color), words.failed, error.text);
    }
    if let Some((_, _, detail)) = seen.view.fault.as_ref().filter(|_| seen.view.node == seen.view.current)
        && !detail.is_empty()
    {
        return format!("{}: {detail}", words.server_message);
    }
    if let Some(reach) = seen.reach.as_ref().filter(|_| table.shown.reach) {
        let color = words.color(seen.position.color());
        return format!("{color} {} {} (▓ {})", words.reach, reach.reach.len(), reach.sealed.len());
    }
    table.own_comment().to_owned()
}

/// Draws the most useful keys as far as they fit.
fn keys(
    buffer: &mut ratatui::buffer::Buffer,
    area: Rect,
    table: Option<&Table>,
    painter: Painter,
    words: &Words,
    targets: &mut Targets,
) {
    use Command::{Analyse, Hint, Menu, Mirror, MoveNow, New, NextPiece, NextPlace, Place, PutBack, Turn, Undo};
    let shown: &[Command] = match table {
        None => &[],
        Some(table) if table.hand.piece().is_some() => &[Turn, Mirror, Place, PutBack, NextPlace, NextPiece],
        Some(table) if table.seen.view.may_move => &[Menu, NextPiece, Hint, Undo, Analyse, New],
        Some(table) if table.seen.view.is_engine_on_turn => &[Menu, MoveNow, Command::Pause, Undo, Analyse, New],
        Some(_) => &[Menu, New, Undo, Analyse, Command::Back, Command::Forward],
    };
    let mut column = 0;
    for &command in shown {
        let name = words.command(command);
        let width = (command.key().chars().count() + 1 + name.chars().count()) as u16;
        if column + width > area.width {
            break;
        }
        let own = Rect { x: area.x + column, width, ..area };
        let end = write(buffer, area, (column, 0), command.key(), painter.chosen());
        write(buffer, area, (end + 1, 0), name, Style::new());
        targets.add(own, Target::Command(command));
        column += width + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_fit_and_do_not_overlap() {
        assert!(Layout::of(Rect::new(0, 0, 79, 24)).is_none() && Layout::of(Rect::new(0, 0, 80, 23)).is_none());
        for (width, height, cell, has_graph) in
            [(80, 24, (2, 1), false), (120, 40, (2, 1), true), (120, 44, (4, 2), false), (200, 60, (4, 2), true)]
        {
            let area = Rect::new(0, 0, width, height);
            let places = Layout::of(area).unwrap();
            assert_eq!((places.cell, places.graph.is_some()), (cell, has_graph), "{width} x {height}");
            let all = [places.board, places.side, places.status, places.message, places.keys];
            let all: Vec<Rect> = all.into_iter().chain(places.graph).collect();
            for (n, one) in all.iter().enumerate() {
                assert_eq!(one.intersection(area), *one, "{width} x {height}");
                assert!(all[..n].iter().all(|other| other.intersection(*one).is_empty()), "{width} x {height}: {n}");
            }
        }
    }
}
