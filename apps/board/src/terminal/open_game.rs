//! The open game: its node, the held piece and the commands.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use game::{Color, Move, Piece};
use tokio::sync::watch;

use super::command::UserCommand;
use super::hand::Hand;
use super::snapshot::{DisplayOptions, Snapshot};
use super::words::Words;
use crate::active::{ActiveGame, Event};
use crate::save::text_of;
use crate::service::{GameHandle, RequestError};
use crate::session::{Action, By, Seat, rule_name};

/// Analysis time per position in milliseconds.
const ANALYSIS_TIME: u64 = 500;

/// Delays between two moves of programs in milliseconds.
const PACES: [u64; 7] = [0, 100, 250, 500, 1_000, 2_000, 5_000];

/// An engine line on the board.
struct EngineLine {
    /// The node before its first move.
    from: usize,
    moves: Vec<Move>,
    /// Number of shown moves.
    count: usize,
}

/// The open game: its node, the held piece and the commands.
pub(super) struct OpenGame {
    handle: Arc<GameHandle>,
    words: &'static Words,
    changes: watch::Receiver<Arc<ActiveGame>>,
    /// The shown node; `None` for the current one.
    node: Option<usize>,
    line: Option<EngineLine>,
    pub snapshot: Snapshot,
    pub hand: Hand,
    pub display: DisplayOptions,
    pace: usize,
}

impl OpenGame {
    /// Shows a game.
    pub fn new(handle: Arc<GameHandle>, words: &'static Words) -> Self {
        let pace = 2;
        _ = handle.send_and_wait(Event::SetPace { time: PACES[pace] });
        let changes = handle.watch();
        let display = DisplayOptions::default();
        let snapshot = Snapshot::of(&handle.game(), None, display);
        Self { handle, words, changes, node: None, line: None, snapshot, hand: Hand::default(), display, pace }
    }

    /// Waits until the game changes.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Updates the shown state.
    pub fn refresh(&mut self) {
        let before = (self.snapshot.view.version, self.snapshot.view.node);
        let node = self.line.as_ref().map_or(self.node, |line| Some(line.from));
        self.snapshot = Snapshot::of(&self.handle.game(), node, self.display);
        if let Some(line) = &self.line {
            self.snapshot.show_line(&line.moves[..line.count]);
        }
        let is_new = before != (self.snapshot.view.version, self.snapshot.view.node);
        if is_new && self.hand.piece().is_some_and(|piece| !self.may_take(piece)) {
            self.hand.put_back();
        }
    }

    /// Returns `true` if a clock runs.
    pub fn is_timed(&self) -> bool {
        self.snapshot.view.teams.iter().any(|team| team.clock_runs)
    }

    /// Returns the delay between two moves of programs in milliseconds.
    pub fn pace(&self) -> u64 {
        PACES[self.pace]
    }

    fn may_take(&self, piece: Piece) -> bool {
        self.snapshot.view.may_move && self.snapshot.placeable().contains(piece)
    }

    /// Takes a piece in an orientation that can be placed. Returns a message if there is none.
    pub fn take(&mut self, piece: Piece) -> Option<String> {
        if !self.may_take(piece) {
            return Some(self.words.not_now.to_owned());
        }
        self.hand.take(piece);
        self.hand.turn_to_fit(&self.snapshot.legal);
        None
    }

    /// Shows a node of the game.
    pub fn look_at(&mut self, node: usize) {
        self.line = None;
        self.node = (node != self.snapshot.view.current).then_some(node);
        self.refresh();
    }

    /// Runs an action. Returns an error message.
    pub fn act(&mut self, action: &Action) -> Option<String> {
        // Comments do not depend on the version of the game. Other actions concern the current position.
        let is_comment = matches!(action, Action::Comment { .. });
        let on = (!is_comment).then_some(self.snapshot.view.version);
        self.line = None;
        let done = self.handle.act(action.clone(), By::Host, on);
        if done.is_ok() && !is_comment {
            self.node = None;
        }
        self.refresh();
        error_message(done, self.words)
    }

    fn send(&self, event: Event) -> Option<String> {
        error_message(self.handle.send_and_wait(event), self.words)
    }

    /// Resigns for the person to move, else for the next person.
    pub fn resign(&mut self) -> Option<String> {
        let own = |color: &Color| self.snapshot.view.colors[*color as usize].seat == Seat::Person;
        let order = std::iter::successors(Some(self.snapshot.position.color()), |color| Some(color.next())).take(4);
        match order.into_iter().find(own) {
            Some(color) => self.act(&Action::Resign { team: color.team() }),
            None => Some(self.words.not_now.to_owned()),
        }
    }

    /// Returns the comment on the shown move.
    pub fn own_comment(&self) -> &str {
        let ply = self.snapshot.view.line.iter().find(|ply| ply.node == self.snapshot.view.node);
        ply.map_or("", |ply| &ply.comment)
    }

    /// Writes the game as a new file.
    pub fn save(&self, name: &str) -> String {
        let path = Path::new(name);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let text = match text_of(self.handle.game().session(), extension) {
            Ok(text) => text,
            Err(error) => return self.words.refusal(error.name, &error),
        };
        match write_new(path, &text) {
            Ok(()) => format!("{} {name}", self.words.saved),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.words.exists.to_owned(),
            Err(error) => format!("{name}: {error}"),
        }
    }

    /// Runs a command. Returns a message.
    pub fn command(&mut self, command: UserCommand) -> Option<String> {
        let view = &self.snapshot.view;
        match command {
            UserCommand::NextPiece => return self.next_piece(1, |_| true, self.words.not_now),
            UserCommand::PreviousPiece => return self.next_piece(-1, |_| true, self.words.not_now),
            UserCommand::OfSize(size) => {
                return self.next_piece(1, |piece| piece.size() == size, self.words.no_such_size);
            }
            UserCommand::Turn => self.hand.turn(1),
            UserCommand::TurnBack => self.hand.turn(3),
            UserCommand::Mirror => self.hand.mirror(),
            UserCommand::Move(dx, dy) => self.hand.step(dx, dy),
            UserCommand::NextPlace | UserCommand::PreviousPlace => {
                if self.hand.piece().is_none() {
                    return Some(self.words.nothing_to_place.to_owned());
                }
                if !self.hand.jump(&self.snapshot.legal, command == UserCommand::NextPlace) {
                    return Some(self.words.no_place.to_owned());
                }
            }
            UserCommand::Place => return self.place(),
            UserCommand::PutBack => self.hand.put_back(),
            UserCommand::Undo => return self.act(&Action::Undo),
            UserCommand::Redo => return self.act(&Action::Redo),
            UserCommand::Hint => {
                let position = self.snapshot.position.into();
                return self.send(Event::Hint { position, time: None });
            }
            UserCommand::MoveNow => return self.send(Event::MoveNow),
            UserCommand::Pass if view.may_pass => return self.act(&Action::Play { mv: Move::Pass }),
            UserCommand::Pass => return Some(self.words.no_pass.to_owned()),
            UserCommand::Pause if view.is_paused => return self.act(&Action::Resume),
            UserCommand::Pause => return self.act(&Action::Pause),
            UserCommand::Analyse if self.snapshot.progress.is_some() => return self.send(Event::Stop),
            UserCommand::Analyse => {
                self.display.graph = true;
                return self.send(Event::Analyse { time: ANALYSIS_TIME });
            }
            UserCommand::Better => return self.play_better(),
            UserCommand::Back | UserCommand::Forward if self.line.is_some() => {
                self.step(command == UserCommand::Forward)
            }
            UserCommand::Back => self.walk(|here, _| here.checked_sub(1)),
            UserCommand::Forward => self.walk(|here, last| (here < last).then_some(here + 1)),
            UserCommand::First => self.walk(|_, _| Some(0)),
            UserCommand::Last => self.walk(|_, last| Some(last)),
            UserCommand::Variation => self.other_variation(),
            UserCommand::GoOn => {
                let to = view.node;
                return self.act(&Action::TakeBack { to });
            }
            UserCommand::Slower => self.set_pace((self.pace + 1).min(PACES.len() - 1)),
            UserCommand::Faster => self.set_pace(self.pace.saturating_sub(1)),
            UserCommand::Corners => self.display.corners = !self.display.corners,
            UserCommand::Graph => self.display.graph = !self.display.graph,
            UserCommand::Letters => self.display.letters = !self.display.letters,
            UserCommand::Reach => {
                self.display.reach = !self.display.reach;
                self.refresh();
            }
            // The app handles these.
            UserCommand::Resign
            | UserCommand::Comment
            | UserCommand::New
            | UserCommand::Recent
            | UserCommand::Open
            | UserCommand::Save
            | UserCommand::Rules
            | UserCommand::Menu
            | UserCommand::Quit => {}
        }
        None
    }

    fn set_pace(&mut self, pace: usize) {
        self.pace = pace;
        _ = self.handle.send_and_wait(Event::SetPace { time: PACES[pace] });
    }

    fn next_piece(&mut self, step: i32, wanted: impl Fn(Piece) -> bool, none: &str) -> Option<String> {
        if !self.snapshot.view.may_move {
            return Some(self.words.not_now.to_owned());
        }
        // Large pieces are placed first.
        let pieces: Vec<Piece> = self.snapshot.placeable().iter_descending().filter(|&piece| wanted(piece)).collect();
        let here = self.hand.piece().and_then(|held| pieces.iter().position(|&piece| piece == held));
        let count = pieces.len() as i32;
        let next = match here {
            Some(here) => (here as i32 + step).rem_euclid(count.max(1)),
            None if step < 0 => count - 1,
            None => 0,
        };
        match pieces.get(next as usize) {
            Some(&piece) => self.take(piece),
            None => Some(none.to_owned()),
        }
    }

    fn place(&mut self) -> Option<String> {
        let Some((shape, x, y)) = self.hand.place() else { return Some(self.words.nothing_to_place.to_owned()) };
        match self.snapshot.position.check_piece(self.snapshot.position.color(), shape, x, y) {
            Err(reason) => Some(self.words.refusal(rule_name(reason), &reason)),
            Ok(placement) => {
                let message = self.act(&Action::Play { mv: placement.into() });
                if message.is_none() {
                    self.hand.put_back();
                }
                message
            }
        }
    }

    /// Shows the line that was better than the shown move, else the expected line. Each call adds a move.
    fn play_better(&mut self) -> Option<String> {
        if self.line.is_some() {
            self.step(true);
            return None;
        }
        let view = &self.snapshot.view;
        let better =
            self.snapshot.review_of(view.node).map(|review| &review.better).filter(|better| !better.is_empty());
        let before = view.line.iter().position(|ply| ply.node == view.node).and_then(|here| here.checked_sub(1));
        let (from, line) = match (better, before) {
            (Some(better), Some(before)) => (view.line[before].node, better),
            _ => (view.node, &view.expected),
        };
        let moves: Vec<Move> = line.iter().map(|played| played.mv).collect();
        if moves.is_empty() {
            return Some(self.words.no_better.to_owned());
        }
        self.hand.put_back();
        self.line = Some(EngineLine { from, moves, count: 1 });
        self.refresh();
        None
    }

    /// Steps along the engine line. Stepping back from its first move leaves it.
    fn step(&mut self, is_forward: bool) {
        let Some(line) = &mut self.line else { return };
        line.count = if is_forward { (line.count + 1).min(line.moves.len()) } else { line.count - 1 };
        if line.count == 0 {
            self.line = None;
        }
        self.refresh();
    }

    /// Shows another node of the line; `to` maps the indices of the shown and the last node to the new one.
    fn walk(&mut self, to: impl Fn(usize, usize) -> Option<usize>) {
        let line = &self.snapshot.view.line;
        let Some(here) = line.iter().position(|ply| ply.node == self.snapshot.view.node) else { return };
        if let Some(node) = to(here, line.len() - 1).and_then(|there| line.get(there)).map(|ply| ply.node) {
            self.look_at(node);
        }
    }

    /// Shows the next variation of the shown move.
    fn other_variation(&mut self) {
        let view = &self.snapshot.view;
        let Some(here) = view.line.iter().position(|ply| ply.node == view.node).and_then(|here| here.checked_sub(1))
        else {
            return;
        };
        let others = view.variations.get(&view.line[here].node);
        let mut nodes: Vec<usize> = others.into_iter().flatten().map(|ply| ply.node).chain([view.node]).collect();
        nodes.sort_unstable();
        let next = nodes.iter().find(|&&node| node > view.node).or(nodes.first());
        if let Some(&node) = next {
            self.look_at(node);
        }
    }
}

/// Writes a new file, but no part of it if that fails. Does not overwrite existing files.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    // If the file cannot be removed either, the first error tells more.
    file.write_all(text.as_bytes()).inspect_err(|_| _ = fs::remove_file(path))
}

fn error_message(done: Result<(), RequestError>, words: &Words) -> Option<String> {
    done.err().map(|error| words.refusal(error.name(), &error))
}
