//! The whole screen.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Margin, Rect};
use ratatui::style::Style;
use record::{FaultKind, Verdict};

use super::app::App;
use super::command::UserCommand;
use super::open_game::OpenGame;
use super::paint::{Canvas, ClickTarget};
use super::side::SidePanel;
use super::words::Words;
use super::{board, graph, window};
use crate::session::rule_name;

/// Minimum size of the terminal in columns and rows.
const MIN_SIZE: (u16, u16) = (80, 24);

/// Minimum number of columns of the side.
const SIDE: u16 = 36;

/// The areas of the screen.
struct Places {
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

impl Places {
    /// Divides an area. Returns `None` if it is too small.
    fn of(area: Rect) -> Option<Self> {
        if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
            return None;
        }
        let [main, status, message, keys] = Layout::vertical([Fill(1), Length(1), Length(1), Length(1)]).areas(area);
        let fits = |&cell: &(u16, u16)| {
            let (columns, rows) = board::size(cell);
            columns + 1 + SIDE <= main.width && rows <= main.height
        };
        let cell = board::CELLS.into_iter().find(fits)?;
        let (columns, rows) = board::size(cell);
        let [left, side] = Layout::horizontal([Length(columns), Fill(1)]).spacing(1).areas(main);
        let [board, below] = Layout::vertical([Length(rows), Fill(1)]).areas(left);
        let below = Rect { x: below.x + 3, width: columns - 3, ..below }.inner(Margin::new(0, 1));
        let graph = (below.height >= 6).then_some(Rect { height: below.height.min(14), ..below });
        Some(Self { cell, board, graph, side, status, message, keys })
    }
}

/// Draws the screen and registers the click targets.
pub(super) fn draw(app: &mut App, frame: &mut Frame) {
    let (area, painter, words) = (frame.area(), app.painter, app.words);
    app.targets.clear();
    let mut canvas = Canvas { buffer: frame.buffer_mut(), area, painter, words, targets: &mut app.targets };
    let Some(places) = Places::of(area) else {
        canvas.write((0, 0), &format!("{} {} x {}", words.too_small, area.width, area.height), Style::new());
        return;
    };
    if let Some(game) = &app.game {
        board::draw(&mut canvas.part(places.board), places.cell, game);
        if let Some(area) = places.graph.filter(|_| game.snapshot.has_graph()) {
            graph::draw(&mut canvas.part(area), &game.snapshot);
        }
        SidePanel::new(canvas.part(places.side), game).draw(places.graph.is_none());
        let mut line = canvas.part(places.status);
        line.write((0, 0), &status(game, words), painter.strong());
        line.write_right(0, &progress(game, words), painter.faint());
    }
    let message = app.message.clone().or_else(|| app.game.as_ref().map(|game| describe(game, words)));
    let message = message.unwrap_or_default();
    let (message, rest) = split(&message, area.width.into());
    canvas.part(places.message).write((0, 0), message, Style::new());
    if rest.is_empty() {
        keys(&mut canvas.part(places.keys), app.game.as_ref());
    } else {
        canvas.part(places.keys).write((0, 0), rest, Style::new());
    }
    if let Some(dialog) = &app.dialog {
        window::draw(&mut canvas, dialog);
    }
}

/// Describes the state of the game.
fn status(game: &OpenGame, words: &Words) -> String {
    let view = &game.snapshot.view;
    let color = words.color(game.snapshot.position.color());
    if game.snapshot.line_moves > 0 {
        return format!("{} {}", words.engine_line, game.snapshot.line_moves);
    }
    if view.node != view.current {
        return words.other_position.to_owned();
    }
    if let Some((guilty, kind, _)) = &view.fault {
        let kind = match kind {
            FaultKind::Resigned => words.resigned,
            FaultKind::Late => words.late,
            FaultKind::Left => words.left,
            FaultKind::Illegal => words.illegal,
        };
        return format!("{} {kind}", words.team(*guilty));
    }
    if view.has_ended {
        // The side shows the points.
        return match view.result {
            Verdict::WonAlone(color) => format!("{} {}", words.color(color), words.won_alone),
            Verdict::Won(team) => format!("{} {}", words.team(team), words.won),
            Verdict::Drawn | Verdict::Unfinished => words.draw.to_owned(),
            _ => String::new(),
        };
    }
    match () {
        () if view.is_paused => words.paused.to_owned(),
        () if view.is_engine_on_turn => format!("{color} {}", words.thinking),
        () if view.may_move => format!("{color}: {}", words.your_move),
        () => format!("{color} {}", words.is_on_turn),
    }
}

/// Describes the progress of an analysis, or the delay between moves of programs.
fn progress(game: &OpenGame, words: &Words) -> String {
    if let Some(progress) = game.snapshot.progress {
        return format!("{} {} / {}; {}", words.analysing, progress.done, progress.total, words.stops);
    }
    let has_engine = game.snapshot.view.colors.iter().any(|color| color.seat.is_engine());
    if !has_engine || game.snapshot.view.has_ended {
        return String::new();
    }
    match game.pace() {
        0 => format!("{}: {}", words.delay, words.no_delay),
        pace => format!("{}: {} s", words.delay, words.decimal(pace as f32 / 1_000.0)),
    }
}

/// Describes the held piece, an error, the reach, the comment or the start, in this order.
fn describe(game: &OpenGame, words: &Words) -> String {
    let snapshot = &game.snapshot;
    if let Some((shape, x, y)) = game.hand.place() {
        return match snapshot.position.check_piece(snapshot.position.color(), shape, x, y) {
            Ok(_) => words.fits.to_owned(),
            Err(reason) => words.refusal(rule_name(reason), &reason),
        };
    }
    if let Some(error) = &snapshot.engine_error {
        return format!("{} {}: {}", words.color(error.color), words.failed, error.text);
    }
    if let Some((_, _, detail)) = snapshot.view.fault.as_ref().filter(|_| snapshot.view.node == snapshot.view.current)
        && !detail.is_empty()
    {
        return format!("{}: {detail}", words.server_message);
    }
    if let Some(reach) = snapshot.reach.as_ref().filter(|_| game.display.reach) {
        let color = words.color(snapshot.position.color());
        let (all, alone) = (reach.reach.len(), reach.sealed.len());
        return format!("{color} {} {all} {}, {alone} {}", words.reach, words.cells, words.alone);
    }
    match (game.own_comment(), snapshot.view.start_piece) {
        ("", Some(piece)) if snapshot.view.may_move && snapshot.is_first_piece() => {
            format!("{} {piece} {}", words.start_with, words.on_start)
        }
        ("", None) if snapshot.view.may_move && snapshot.is_first_piece() => words.first_piece.to_owned(),
        (comment, _) => comment.to_owned(),
    }
}

/// Splits a text that is longer than `width` at a space.
fn split(text: &str, width: usize) -> (&str, &str) {
    let Some((end, _)) = text.char_indices().nth(width) else { return (text, "") };
    let end = text[..end].rfind(' ').unwrap_or(end);
    (&text[..end], text[end..].trim_start())
}

/// Draws the most useful keys as far as they fit.
fn keys(canvas: &mut Canvas, game: Option<&OpenGame>) {
    use UserCommand::{
        Analyse, Back, Forward, Hint, Last, Menu, Mirror, Move, MoveNow, New, NextPiece, NextPlace, Pause, Place,
        PutBack, Rules, Turn, Undo,
    };
    let shown: &[UserCommand] = match game {
        None => &[],
        Some(game) if game.hand.piece().is_some() => &[Move(0, 0), Turn, Mirror, Place, NextPlace, PutBack, NextPiece],
        Some(game) if game.snapshot.view.may_move => &[Menu, NextPiece, Hint, Undo, Analyse, Rules, New],
        Some(game) if game.snapshot.view.is_engine_on_turn => &[Menu, MoveNow, Pause, Undo, Analyse, New],
        Some(_) => &[Menu, New, Analyse, Back, Forward, Last],
    };
    let mut column = 0;
    for &command in shown {
        let name = canvas.words.command(command);
        let key = canvas.words.key(command);
        let width = (key.chars().count() + 1 + name.chars().count()) as u16;
        if column + width > canvas.area.width {
            break;
        }
        let mut own = canvas.part(Rect { x: canvas.area.x + column, width, ..canvas.area });
        let end = own.write((0, 0), key, own.painter.chosen());
        own.write((end + 1, 0), name, Style::new());
        own.target(ClickTarget::Command(command));
        column += width + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_fit_and_do_not_overlap() {
        assert!(Places::of(Rect::new(0, 0, 79, 24)).is_none() && Places::of(Rect::new(0, 0, 80, 23)).is_none());
        for (width, height, cell, has_graph) in
            [(80, 24, (2, 1), false), (120, 40, (2, 1), true), (120, 44, (4, 2), false), (200, 60, (4, 2), true)]
        {
            let area = Rect::new(0, 0, width, height);
            let places = Places::of(area).unwrap();
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
