//! A session: a game in progress with everything that was done in it.

use std::collections::BTreeMap;

use game::{Color, Move, Position, Team};
use record::{Game, Verdict};

use super::action::{Action, ActionError, By};
use super::clock::TimeControl;
use super::doubt::Doubt;
use super::insight::{Insight, Key};
use super::seat::{Seat, Seats};
use super::state::{Entry, State, copied};

/// A time in milliseconds since a moment that the caller chooses once for all times.
pub type Millis = u64;

/// How much can be done in a session.
const MOST_ENTRIES: usize = 5_000;

/// A game that people and programs play, with undo and redo, variations, clocks, comments and what engines think of its
/// positions.
///
/// Only the turn's beginning is kept as a time; how long turns lasted is part of the log. So nothing depends on how
/// long a session was stored away: it goes on where it stopped, and the clock starts again with the next move.
///
/// ```
/// use board::session::{Action, By, Session};
/// use game::{Position, Rules};
///
/// let mut session = Session::new(Position::new(Rules::Classic, None)?);
/// let before = session.clone();
/// session.act(&Action::Play { mv: "PENTO_W@0,0".parse()? }, By::Host, 0)?;
/// session.act(&Action::Play { mv: "MONO@19,0".parse()? }, By::Host, 2_000)?;
/// assert_eq!(session.position().turn(), 2);
/// session.act(&Action::Undo, By::Host, 3_000)?;
/// session.act(&Action::Undo, By::Host, 3_000)?;
/// assert!(session.stands_as(&before));
/// session.act(&Action::Redo, By::Host, 4_000)?;
/// assert_eq!(session.position().turn(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) base: Base,
    pub(super) state: State,
    pub(super) log: Vec<Entry>,
    /// What was undone, the last first.
    pub(super) undone: Vec<Entry>,
    /// When the present turn began or went on; `None` while no clock runs.
    since: Option<Millis>,
    /// How often the session has changed.
    pub(super) version: u64,
    insights: BTreeMap<Key, Insight>,
}

/// Where a session began.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Base {
    pub game: Game,
    pub seats: Seats,
    pub control: TimeControl,
}

impl Base {
    fn state(&self) -> State {
        State::new(self.game.clone(), self.seats.clone(), self.control)
    }
}

impl Session {
    /// A game from a position, in which people at one screen play all colours, as long as they like.
    pub fn new(start: Position) -> Self {
        Self::with(Game::new(start), Seats::default(), TimeControl::None)
    }

    /// A session about a game, which stands at the end of its main line.
    pub fn with(game: Game, seats: Seats, control: TimeControl) -> Self {
        // Numbered alike however the game came to be, so that the log can speak of its places.
        let game = copied(&game, &[], None);
        let base = Base { game, seats, control };
        Self {
            state: base.state(),
            base,
            log: Vec::new(),
            undone: Vec::new(),
            since: None,
            version: 0,
            insights: BTreeMap::new(),
        }
    }

    /// The session after these entries, for reading documents.
    pub(super) fn replayed(base: Base, log: Vec<Entry>, undone: Vec<Entry>, version: u64) -> Result<Self, ActionError> {
        let mut session = Self::with(base.game, base.seats, base.control);
        for entry in &log {
            session.state.apply(entry)?;
        }
        // What is done again later must be possible now.
        let mut later = session.state.clone();
        for entry in undone.iter().rev() {
            later.apply(entry)?;
        }
        (session.log, session.undone, session.version) = (log, undone, version);
        Ok(session)
    }

    /// The game with all variations; the main line is the one that leads to where the session stands. Where the game
    /// says nothing, the notes have the chance to win and the margin of the insights.
    pub fn record(&self) -> Game {
        let mut game = self.state.record();
        game.names = Team::ALL.map(|team| self.player_name(team));
        let line: Vec<_> = game.main_line().collect();
        let (mut position, mut team) = (*game.start(), Team::One);
        for id in line {
            if let Some(mv) = game.node(id).mv() {
                team = position.color().team();
                position.play(mv);
            }
            if let Some(insight) = self.insight(&position) {
                let note = game.note_mut(id);
                note.win = note.win.or(Some(insight.win_of(team)));
                note.margin = note.margin.or(Some(insight.margin_of(team)));
            }
        }
        game
    }

    /// The name of a team's player, else that of the program that plays both colours; may be empty.
    pub fn player_name(&self, team: Team) -> String {
        let name = &self.state.game.names[team as usize];
        let [first, second] = team.colors().map(|color| self.seat(color));
        match first {
            _ if !name.is_empty() || first != second => name.clone(),
            Seat::Level { level } => format!("level{}", level.number()),
            Seat::Program { name } => name.clone(),
            Seat::Person | Seat::Guest => String::new(),
        }
    }

    /// Where the game stands.
    pub fn position(&self) -> &Position {
        &self.state.position
    }

    /// The number of the place where the game stands.
    pub fn current(&self) -> usize {
        self.state.current.index()
    }

    /// The moves that lead from the start to where the game stands.
    pub fn moves(&self) -> Vec<Move> {
        self.state.game.path(self.state.current)
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        self.state.game.start()
    }

    /// The position at a place.
    ///
    /// # Errors
    /// [`ActionError::NoPlace`]
    pub fn position_at(&self, node: usize) -> Result<Position, ActionError> {
        Ok(self.state.game.position(self.state.node(node)?))
    }

    /// The numbers of the places from the start to where the game stands.
    pub fn path(&self) -> Vec<usize> {
        let parent = |&id: &record::NodeId| self.state.node_at(id).parent();
        let mut path: Vec<usize> =
            std::iter::successors(Some(self.state.current), parent).map(record::NodeId::index).collect();
        path.reverse();
        path
    }

    /// How often the session has changed. Insights do not count.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Who plays a colour.
    pub fn seat(&self, color: Color) -> &Seat {
        &self.state.seats[color]
    }

    /// The program that is to move now, if there is one: the colour and its seat.
    pub fn engine_on_turn(&self) -> Option<(Color, &Seat)> {
        let color = self.state.on_turn().filter(|_| !self.state.is_paused)?;
        let seat = self.seat(color);
        seat.is_engine().then_some((color, seat))
    }

    /// Whether the clock and the programs are stopped.
    pub fn is_paused(&self) -> bool {
        self.state.is_paused
    }

    /// Whether nobody can move any more.
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Who has won, as far as the game has ended.
    pub fn verdict(&self) -> Verdict {
        if let Some((guilty, _)) = self.state.game.fault {
            return Verdict::Won(guilty.opponent());
        }
        Verdict::of_end(self.position())
    }

    /// What is left to a team, in milliseconds; `None` without a limit.
    pub fn time_left(&self, team: Team, now: Millis) -> Option<Millis> {
        let runs = self.state.on_turn().is_some_and(|color| color.team() == team);
        self.state.clock.left(team, if runs { self.used(now) } else { 0 })
    }

    /// Whether a clock runs now.
    pub fn clock_runs(&self) -> bool {
        self.since.is_some() && !self.is_over() && !self.is_paused()
    }

    /// Whether both sessions are about the same game, stand at the same place, with the same seats, clocks and
    /// comments, and have the same done and undone things; when the present turn began and how often they changed may
    /// differ.
    pub fn stands_as(&self, other: &Self) -> bool {
        self.base == other.base && self.state == other.state && self.log == other.log
    }

    fn used(&self, now: Millis) -> Millis {
        self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// Does something.
    ///
    /// # Errors
    /// [`ActionError`] says why it is refused; then nothing has changed.
    pub fn act(&mut self, action: &Action, by: By, now: Millis) -> Result<(), ActionError> {
        self.allow(action, by)?;
        match action {
            Action::Undo => self.undo(now)?,
            Action::Redo => self.redo(now)?,
            _ => self.do_new(action, by, now)?,
        }
        self.version += 1;
        Ok(())
    }

    /// Whether somebody may do something at all.
    fn allow(&self, action: &Action, by: By) -> Result<(), ActionError> {
        match (action, by) {
            (Action::TimeUp, By::Clock | By::Host) => Ok(()),
            (Action::Forfeit { .. } | Action::Name { .. }, By::Server) => Ok(()),
            (Action::TimeUp | Action::Forfeit { .. }, _) | (_, By::Clock | By::Watcher) => Err(ActionError::NotAllowed),
            (Action::Play { .. }, _) => {
                let color = self.state.on_turn().ok_or(ActionError::Over)?;
                let is_theirs = match (self.seat(color), by) {
                    (Seat::Person, By::Host) => true,
                    (Seat::Guest, By::Guest(colors)) => colors.contains(color),
                    (Seat::Guest, By::Server) => true,
                    (seat, By::Engine(engine)) => seat.is_engine() && engine == color,
                    _ => false,
                };
                if is_theirs { Ok(()) } else { Err(ActionError::NotYours(color)) }
            }
            (Action::Resign { team } | Action::Name { team, .. }, By::Guest(colors)) => {
                let own = |color: &Color| colors.contains(*color) && *self.seat(*color) == Seat::Guest;
                team.colors().iter().any(own).then_some(()).ok_or(ActionError::NotAllowed)
            }
            (Action::Resign { team }, By::Engine(color)) if color.team() == *team && self.seat(color).is_engine() => {
                Ok(())
            }
            (Action::Pause, By::Engine(color)) if self.seat(color).is_engine() => Ok(()),
            (_, By::Host) => Ok(()),
            _ => Err(ActionError::NotAllowed),
        }
    }

    fn do_new(&mut self, action: &Action, by: By, now: Millis) -> Result<(), ActionError> {
        if self.log.len() >= MOST_ENTRIES {
            return Err(ActionError::TooLong);
        }
        // The time matters only where it ends or interrupts a turn.
        let is_timed = matches!(action, Action::Play { .. } | Action::TimeUp | Action::Pause);
        let used = self.since.filter(|_| is_timed).map(|_| self.used(now));
        let entry = Entry { action: action.clone(), engine: matches!(by, By::Engine(_)), used };
        self.state.apply(&entry)?;
        self.log.push(entry);
        self.undone.clear();
        match action {
            Action::Play { .. } | Action::Resume | Action::TakeBack { .. } => self.start_turn(now),
            Action::Pause => self.since = None,
            _ => {}
        }
        Ok(())
    }

    /// Takes back the last thing that a person did, and what programs did and how the game rested after it.
    fn undo(&mut self, now: Millis) -> Result<(), ActionError> {
        let last = self.log.iter().rposition(Entry::is_undone_alone).ok_or(ActionError::NothingToUndo)?;
        let mut state = self.base.state();
        for entry in &self.log[..last] {
            state.apply(entry)?;
        }
        self.state = state;
        let concerns_turn = self.log[last..].iter().any(Entry::concerns_turn);
        self.undone.extend(self.log.drain(last..).rev());
        if concerns_turn {
            self.start_turn(now);
        }
        Ok(())
    }

    fn redo(&mut self, now: Millis) -> Result<(), ActionError> {
        if self.undone.is_empty() {
            return Err(ActionError::NothingToRedo);
        }
        // All that was undone at once.
        let count = 1 + self.undone.iter().rev().skip(1).take_while(|entry| !entry.is_undone_alone()).count();
        let mut state = self.state.clone();
        for entry in self.undone.iter().rev().take(count) {
            state.apply(entry)?;
        }
        self.state = state;
        let rest = self.undone.len() - count;
        let concerns_turn = self.undone[rest..].iter().any(Entry::concerns_turn);
        self.log.extend(self.undone.drain(rest..).rev());
        if concerns_turn {
            self.start_turn(now);
        }
        Ok(())
    }

    fn start_turn(&mut self, now: Millis) {
        // The clock starts with the first thing that is done.
        let runs = !self.log.is_empty() && !self.is_paused() && !self.is_over();
        self.since = runs.then_some(now);
    }

    /// Makes this what has become of it meanwhile; what engines think, here or there, stays known.
    pub fn replace(&mut self, by: Self) {
        let known = std::mem::replace(self, by).insights;
        for (key, insight) in known {
            self.learn_deeper(key, insight);
        }
    }

    /// What an engine thinks of a position of the game.
    pub fn insight(&self, position: &Position) -> Option<&Insight> {
        self.insights.get(&Key::of(position))
    }

    /// Keeps what an engine thinks of a position. One that visited more nodes stays, but counts as thought about for the
    /// longer of both times.
    pub fn learn(&mut self, position: &Position, insight: Insight) {
        self.learn_deeper(Key::of(position), insight);
    }

    fn learn_deeper(&mut self, key: Key, insight: Insight) {
        let known = self.insights.entry(key);
        known
            .and_modify(|known| {
                // What has visited more nodes answers for the longer time, too.
                let time = known.time.max(insight.time);
                if known.nodes <= insight.nodes {
                    known.clone_from(&insight);
                }
                known.time = time;
            })
            .or_insert(insight);
    }

    /// Keeps what came of looking at both moves of a doubt alike: what was thought of the positions after them, that of
    /// the engine's move first.
    pub fn settle(&mut self, doubt: &Doubt, [best, played]: &[Insight; 2]) {
        let team = doubt.position.color().team();
        if let Some(known) = self.insights.get_mut(&Key::of(&doubt.position)) {
            *known = known.clone().compared(team, [(doubt.best, best), (doubt.played, played)]);
        }
    }

    /// What an engine thinks of a position, with the position's key as text.
    pub fn keyed_insight(&self, position: &Position) -> Option<(String, Insight)> {
        let key = Key::of(position);
        self.insights.get(&key).map(|insight| (key.to_string(), insight.clone()))
    }

    /// All that engines think of positions of the game, with the positions' keys as text.
    pub fn insights(&self) -> impl Iterator<Item = (String, &Insight)> {
        self.insights.iter().map(|(key, insight)| (key.to_string(), insight))
    }

    /// Keeps an insight under the key that [`insights`](Self::insights) gave for it; `false` if it is not a key.
    pub fn learn_by_key(&mut self, key: &str, insight: Insight) -> bool {
        let key = key.parse().ok();
        key.map(|key| self.insights.insert(key, insight)).is_some()
    }
}
