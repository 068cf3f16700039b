//! The column next to the board: players, pieces, candidates and moves.

use game::{Color, Piece, Team};
use picture::{Paint, tray};
use ratatui::layout::Rect;
use ratatui::style::{Color as Shade, Style};

use super::form::player_name;
use super::graph;
use super::open_game::OpenGame;
use super::paint::{Canvas, ClickTarget, Painter};
use super::words::Words;
use crate::session::{Mark, PlyView};

/// Minimum number of lines for both the pieces and the graph.
const ROOM_FOR_BOTH: u16 = 26;

/// Maximum number of columns of a line with text at both ends.
const MAX_LINE: u16 = 46;

/// Draws into an area line by line.
pub(super) struct SidePanel<'a> {
    canvas: Canvas<'a>,
    game: &'a OpenGame,
    painter: Painter,
    words: &'static Words,
    /// The next line.
    row: u16,
}

impl<'a> SidePanel<'a> {
    pub fn new(canvas: Canvas<'a>, game: &'a OpenGame) -> Self {
        Self { painter: canvas.painter, words: canvas.words, canvas, game, row: 0 }
    }

    /// Draws the side. It contains the graph if `with_graph` and there is room.
    pub fn draw(&mut self, with_graph: bool) {
        self.heading();
        Color::ALL.into_iter().for_each(|color| self.color(color));
        self.teams();
        let with_graph = with_graph && self.game.snapshot.has_graph();
        let is_small = self.canvas.area.height < ROOM_FOR_BOTH;
        if with_graph && is_small && self.game.display.graph && self.game.hand.piece().is_none() {
            self.graph(7);
            self.insight();
        } else {
            self.tray();
            self.insight();
            if with_graph && !is_small {
                self.graph((self.canvas.area.height.saturating_sub(self.row) / 2).min(10));
            }
        }
        self.moves();
    }

    /// Draws the graph into the next lines.
    fn graph(&mut self, height: u16) {
        let area = self.canvas.area;
        let mut canvas = self.canvas.part(Rect { y: area.y + self.row, height, ..area });
        graph::draw(&mut canvas, &self.game.snapshot);
        self.row += canvas.area.height;
    }

    fn put(&mut self, column: u16, text: &str, style: Style) -> u16 {
        self.canvas.write((column, self.row), text, style)
    }

    /// Writes at the right end of the line, at most [`MAX_LINE`] columns from its start.
    fn put_right(&mut self, text: &str, style: Style) {
        let area = self.canvas.area;
        self.canvas.part(Rect { width: area.width.min(MAX_LINE), ..area }).write_right(self.row, text, style);
    }

    fn heading(&mut self) {
        let (view, position) = (&self.game.snapshot.view, &self.game.snapshot.position);
        let piece = view.start_piece.map(|piece| format!(" · {piece}")).unwrap_or_default();
        let text = format!("Blokus {}{piece}", view.rules);
        let round = format!("{} {}", self.words.round, position.round());
        self.put(0, &text, self.painter.strong());
        self.put_right(&round, self.painter.faint());
        self.row += 1;
    }

    fn color(&mut self, color: Color) {
        let snapshot = &self.game.snapshot;
        let own = &snapshot.view.colors[color as usize];
        let is_on_turn = snapshot.on_turn() == Some(color);
        let name = format!("{:<5}", self.words.color(color));
        let points = format!("{:>4}", own.points);
        let team = &snapshot.view.teams[color.team() as usize].player;
        let (player, remaining) = (player_name(team, &own.seat, self.words), own.remaining.len());
        let is_out = !own.in_play && !snapshot.position.is_over();
        let style = if is_on_turn { self.painter.strong() } else { Style::new() };
        self.put(0, if is_on_turn { "▶" } else { " " }, style);
        self.put(2, &format!("{:<2}", self.words.letter(color)), self.painter.style(Paint::Ink, Paint::Piece(color)));
        self.put(5, &name, self.painter.of(color).patch(style));
        self.put(11, &points, style);
        self.put(17, &player, style);
        let right = if is_out { self.words.out.to_owned() } else { format!("{remaining:>2} ▪") };
        self.put_right(&right, self.painter.faint());
        self.row += 1;
    }

    fn teams(&mut self) {
        if !self.game.snapshot.position.rules().has_teams() {
            return;
        }
        let [one, two] = Team::ALL.map(|team| {
            let own = &self.game.snapshot.view.teams[team as usize];
            let clock = own.clock.map(clock).unwrap_or_default();
            (own.points, clock, own.clock_runs)
        });
        let text = |[first, second]: [&str; 2]| format!("{first} {} : {} {second}", one.0, two.0);
        let mut score = text(Team::ALL.map(|team| self.words.team(team)));
        if score.chars().count() > usize::from(self.canvas.area.width) {
            let letters = Team::ALL.map(|team| team.colors().map(|color| self.words.letter(color)).join("+"));
            score = text(letters.each_ref().map(String::as_str));
        }
        self.put(0, &score, self.painter.strong());
        self.row += 1;
        if !one.1.is_empty() {
            for (column, (_, clock, runs)) in [(0, &one), (self.canvas.area.width / 2, &two)] {
                let style = if *runs { self.painter.chosen() } else { self.painter.faint() };
                self.put(column, &format!(" {clock} "), style);
            }
            self.row += 1;
        }
    }

    /// Draws the pieces of the colour to move; pieces that cannot be placed are dimmed.
    fn tray(&mut self) {
        let Some(color) = self.game.snapshot.on_turn() else { return };
        let held = self.game.hand.piece();
        let name = held.map_or(String::new(), |piece| format!(": {piece}"));
        let title = format!("{} {}{name}", self.words.pieces, self.words.color(color));
        self.put(0, &title, self.painter.faint());
        self.row += 1;
        let snapshot = &self.game.snapshot;
        let (remaining, placeable) = (snapshot.position.board().remaining_pieces(color), snapshot.placeable());
        let is_large = usize::from(self.canvas.area.width) >= 2 * tray::WIDTH && self.canvas.area.height >= 30;
        let paint = |piece: Piece| match piece {
            _ if held == Some(piece) => Paint::Text,
            _ if placeable.contains(piece) => Paint::Piece(color),
            _ => Paint::Dots,
        };
        let mut cells = vec![[None; tray::WIDTH]; tray::HEIGHT];
        for (piece, places) in tray::pieces().filter(|&(piece, _)| remaining.contains(piece)) {
            places.iter().for_each(|&(x, y)| cells[y][x] = Some(piece));
        }
        // A line shows two rows of cells, or one row in double width.
        let (width, step) = if is_large { (2, 1) } else { (1, 2) };
        for (row, pair) in cells.chunks_exact(step).enumerate() {
            for (column, (&upper, &lower)) in pair[0].iter().zip(&pair[step - 1]).enumerate() {
                let Some(piece) = upper.or(lower) else { continue };
                let (text, style) = match (upper, lower) {
                    _ if is_large => ("██", self.painter.text(paint(piece))),
                    // Both halves may belong to different pieces.
                    (Some(upper), Some(lower)) if upper == lower => ("█", self.painter.text(paint(upper))),
                    (Some(upper), Some(lower)) => ("▀", self.painter.style(paint(upper), paint(lower))),
                    (Some(_), None) => ("▀", self.painter.text(paint(piece))),
                    _ => ("▄", self.painter.text(paint(piece))),
                };
                let place = (width * column as u16, self.row + row as u16);
                self.canvas.write(place, text, style);
                let (x, y) = (self.canvas.area.x + place.0, self.canvas.area.y + place.1);
                self.canvas.part(Rect::new(x, y, width, 1)).target(ClickTarget::Piece(piece));
            }
        }
        self.row += (tray::HEIGHT / step) as u16;
    }

    /// Draws the candidates, and the loss of the last move.
    fn insight(&mut self) {
        let (snapshot, words) = (&self.game.snapshot, self.words);
        let team = snapshot.position.color().team();
        let Some(insight) = &snapshot.view.insight else { return };
        let percent = |share: f32| format!("{:.0} %", 100.0 * share);
        let (win, margin) = (percent(insight.win_of(team)), insight.margin_of(team));
        let text = format!("{}: {win}, {} {margin:+.0}", words.team(team), words.margin);
        self.put(0, &text, self.painter.strong());
        self.row += 1;
        if !insight.candidates.is_empty() {
            self.put(3, words.one_move, self.painter.faint());
            self.put_right(&format!("{:>5} {:>5}", words.search_share, words.win_share), self.painter.faint());
            self.row += 1;
        }
        for (rank, candidate) in insight.candidates.iter().enumerate() {
            let win = candidate.win.map_or(String::new(), percent);
            let columns = format!("{:>5} {win:>5}", percent(candidate.share));
            let room = usize::from(self.canvas.area.width).saturating_sub(4 + columns.len());
            // The board shows the place.
            let piece = candidate.mv.placement().filter(|placement| placement.to_string().len() > room);
            let mv = piece.map_or_else(|| candidate.mv.to_string(), |placement| placement.piece().to_string());
            self.put(0, &format!("{}  {mv}", rank + 1), self.painter.of(snapshot.position.color()));
            self.put_right(&columns, Style::new());
            self.row += 1;
        }
        if let Some(review) = snapshot.review_of(snapshot.view.node)
            && let Some(mark) = review.mark
        {
            let better = review.better.first().map(|better| better.mv.to_string()).unwrap_or_default();
            let loss = percent(review.before - review.after);
            let text = format!("{} −{loss}, {} {better}", mark.sign(), words.better);
            self.put(0, &text, self.painter.text(Paint::Piece(Color::Red)));
            self.row += 1;
        }
    }

    /// Draws the moves around the shown node.
    fn moves(&mut self) {
        let snapshot = &self.game.snapshot;
        let accuracy =
            snapshot.review.accuracy.map(|accuracy| accuracy.map_or("–".to_owned(), |value| format!("{value:.0}")));
        let text = match snapshot.has_graph() {
            true => format!("{}   {} {} : {}", self.words.moves, self.words.accuracy, accuracy[0], accuracy[1]),
            false => self.words.moves.to_owned(),
        };
        self.put(0, &text, self.painter.faint());
        self.row += 1;
        let room = usize::from(self.canvas.area.height.saturating_sub(self.row));
        let line = &snapshot.view.line;
        let here = line.iter().position(|ply| ply.node == snapshot.view.node).unwrap_or(0);
        let first = (here + 1 + room / 3).min(line.len()).saturating_sub(room);
        for (number, ply) in line.iter().enumerate().skip(first).take(room) {
            self.ply(number, ply, number == here);
        }
    }

    fn ply(&mut self, number: usize, ply: &PlyView, is_here: bool) {
        let snapshot = &self.game.snapshot;
        let color = ply.color;
        let others = snapshot
            .view
            .line
            .get(number.wrapping_sub(1))
            .and_then(|before| snapshot.view.variations.get(&before.node));
        let others = others.map_or(String::new(), |others| format!(" ({})", others.len() + 1));
        let comment = if ply.comment.is_empty() { "" } else { " ✎" };
        let mark = snapshot.review_of(ply.node).and_then(|review| review.mark).map_or("", Mark::sign);
        let mv = if color.is_some() { &ply.mv } else { self.words.start_of_game };
        let text = format!("{mv} {mark}{others}{comment}");
        let column = self.put(0, &format!("{number:>3} "), self.painter.faint());
        let style = color.map_or(Style::new(), |color| self.painter.of(color));
        let letter = color.map_or("", |color| self.words.letter(color));
        self.put(column, &format!("{letter:<2} "), style);
        self.put(column + 3, text.trim_end(), style);
        let mut own = self.canvas.line(self.row);
        if is_here {
            own.buffer.set_style(own.area, self.painter.chosen().fg(Shade::Reset));
        }
        own.target(ClickTarget::Node(ply.node));
        self.row += 1;
    }
}

/// Formats milliseconds as minutes and seconds.
fn clock(time: u64) -> String {
    let seconds = time.div_ceil(1_000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
