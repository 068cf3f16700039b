//! A session: a game in progress with the log of its actions.

use std::collections::BTreeMap;
use std::sync::Arc;

use game::{Color, Move, Position, Team};
use record::{Game, NodeId, Verdict};

use super::action::{Action, By, NOT_ALLOWED, NOTHING_TO_REDO, NOTHING_TO_UNDO, OVER, TOO_LONG};
use super::clock::TimeControl;
use super::insight::{Insight, key};
use super::seat::{Seat, Seats};
use super::state::{LogEntry, SessionState, copied};
use crate::refused::Refused;

/// A time in milliseconds since a moment that the caller chooses.
pub type Millis = u64;

/// Maximum number of actions in a session.
const MAX_ENTRIES: usize = 5_000;

/// A game in progress, with undo and redo, variations, clocks, comments and insights into its positions.
///
/// A clone shares its parts with the original until one of them changes. The log contains the duration of each turn. A
/// stored session continues where it stopped, and its clock starts again with the next move.
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) base: Arc<Base>,
    pub(super) state: Arc<SessionState>,
    pub(super) log: Arc<Vec<LogEntry>>,
    /// The undone entries, the last first.
    pub(super) undone: Arc<Vec<LogEntry>>,
    /// Start or resumption of the current turn; `None` while no clock runs.
    since: Option<Millis>,
    /// Number of changes.
    pub(super) version: u64,
    /// By the [keys](key) of the positions.
    pub(super) insights: Arc<BTreeMap<String, Arc<Insight>>>,
}

/// The start of a session.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Base {
    pub game: Game,
    pub seats: Seats,
    pub control: TimeControl,
}

impl Base {
    fn state(&self) -> SessionState {
        SessionState::new(self.game.clone(), self.seats.clone(), self.control)
    }
}

impl Session {
    /// Creates a session from a position, with persons on all seats and no clock.
    pub fn new(start: Position) -> Self {
        Self::with(Game::new(start), Seats::default(), TimeControl::None)
    }

    /// Creates a session at the end of the main line of a game.
    pub fn with(game: Game, seats: Seats, control: TimeControl) -> Self {
        // The copy numbers its nodes by the tree alone, so that the log can refer to them.
        let game = copied(&game, None, |id| game.node(id).children().to_vec());
        let base = Base { game, seats, control };
        Self {
            state: Arc::new(base.state()),
            base: Arc::new(base),
            log: Arc::default(),
            undone: Arc::default(),
            since: None,
            version: 0,
            insights: Arc::default(),
        }
    }

    /// Replays a log.
    pub(super) fn replayed(
        base: Base,
        log: Vec<LogEntry>,
        undone: Vec<LogEntry>,
        version: u64,
    ) -> Result<Self, Refused> {
        let mut session = Self::with(base.game, base.seats, base.control);
        let state = Arc::make_mut(&mut session.state);
        for entry in &log {
            state.apply(entry)?;
        }
        // The undone entries must be possible, too.
        let mut later = state.clone();
        for entry in undone.iter().rev() {
            later.apply(entry)?;
        }
        (session.log, session.undone, session.version) = (log.into(), undone.into(), version);
        Ok(session)
    }

    /// Returns the game with all variations; its main line goes through the current node. Insights fill notes without
    /// an evaluation.
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

    /// Returns the name of a team's player, or of the program that plays both its colours, or an empty text.
    pub fn player_name(&self, team: Team) -> String {
        let name = &self.state.game.names[team as usize];
        let [first, second] = team.colors().map(|color| self.seat(color));
        match first {
            _ if !name.is_empty() || first != second => name.clone(),
            Seat::Level { level } => level.to_string(),
            Seat::Program { name } => name.clone(),
            Seat::Person | Seat::Guest => String::new(),
        }
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.state.position
    }

    /// Returns the number of the current node.
    pub fn current(&self) -> usize {
        self.state.current.index()
    }

    /// Returns the moves from the start to the current node.
    pub fn moves(&self) -> Vec<Move> {
        self.state.game.path(self.state.current)
    }

    /// Returns the position at the start.
    pub fn start(&self) -> &Position {
        self.state.game.start()
    }

    /// Returns the position at a node, or the current one if there is no such node.
    pub fn position_at(&self, node: Option<usize>) -> Position {
        self.state.game.position(self.state.node_or_current(node))
    }

    /// Returns the numbers of the nodes from the start to the current one.
    pub fn path(&self) -> Vec<usize> {
        let after = self.plies().into_iter().map(|(node, ..)| node.index());
        std::iter::once(NodeId::START.index()).chain(after).collect()
    }

    /// Returns the moves from the start to the current node, each with the node after it and the position before it.
    pub fn plies(&self) -> Vec<(NodeId, Position, Move)> {
        let mut position = *self.start();
        let mut nodes: Vec<NodeId> = self.state.path_to(self.state.current).collect();
        nodes.pop();
        let moves = nodes.into_iter().rev().zip(self.moves());
        let ply = |(node, mv)| {
            let before = position;
            position.play(mv);
            (node, before, mv)
        };
        moves.map(ply).collect()
    }

    /// Returns the number of changes. Insights do not count.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the player of a colour.
    pub fn seat(&self, color: Color) -> &Seat {
        &self.state.seats[color]
    }

    /// Returns the colour and the seat of the program to move, if there is one.
    pub fn engine_on_turn(&self) -> Option<(Color, &Seat)> {
        let color = self.state.on_turn().filter(|_| !self.state.is_paused)?;
        let seat = self.seat(color);
        seat.is_engine().then_some((color, seat))
    }

    /// Returns `true` if the clock and the programs are paused.
    pub fn is_paused(&self) -> bool {
        self.state.is_paused
    }

    /// Returns `true` if the game has ended.
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Returns the result.
    pub fn verdict(&self) -> Verdict {
        if let Some((guilty, _)) = self.state.game.fault {
            return Verdict::Won(guilty.opponent());
        }
        Verdict::from_end(self.position())
    }

    /// Returns the remaining milliseconds of a team; `None` without a limit.
    pub fn time_left(&self, team: Team, now: Millis) -> Option<Millis> {
        let runs = self.state.on_turn().is_some_and(|color| color.team() == team);
        self.state.clock.remaining(team, if runs { self.used(now) } else { 0 })
    }

    /// Returns `true` if a clock runs.
    pub fn clock_runs(&self) -> bool {
        self.since.is_some() && !self.is_over() && !self.is_paused()
    }

    /// Returns `true` if both sessions have the same game, node, seats, clocks, comments and log. The start of the turn
    /// and the number of changes may differ.
    pub fn stands_as(&self, other: &Self) -> bool {
        self.base == other.base && self.state == other.state && self.log == other.log
    }

    fn used(&self, now: Millis) -> Millis {
        self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// Applies an action.
    ///
    /// # Errors
    /// [`Refused`]; nothing has changed then.
    pub fn act(&mut self, action: &Action, by: By, now: Millis) -> Result<(), Refused> {
        self.allow(action, by)?;
        match action {
            Action::Undo => self.undo(now)?,
            Action::Redo => self.redo(now)?,
            _ => self.do_new(action, by, now)?,
        }
        self.version += 1;
        Ok(())
    }

    /// Checks the permission for an action.
    fn allow(&self, action: &Action, by: By) -> Result<(), Refused> {
        match (action, by) {
            (Action::TimeUp, By::Clock | By::Host) => Ok(()),
            (Action::Forfeit { .. } | Action::Name { .. }, By::Server) => Ok(()),
            (Action::TimeUp | Action::Forfeit { .. }, _) | (_, By::Clock | By::Watcher) => Err(NOT_ALLOWED),
            (Action::Play { .. }, _) => {
                let color = self.state.on_turn().ok_or(OVER)?;
                let is_theirs = match (self.seat(color), by) {
                    (Seat::Person, By::Host) => true,
                    (Seat::Guest, By::Guest(colors)) => colors.contains(color),
                    (Seat::Guest, By::Server) => true,
                    (seat, By::Engine(engine)) => seat.is_engine() && engine == color,
                    _ => false,
                };
                if is_theirs {
                    return Ok(());
                }
                Err(Refused::new("not_yours", format!("{color} is played by somebody else")))
            }
            (Action::Resign { team } | Action::Name { team, .. }, By::Guest(colors)) => {
                let own = |color: &Color| colors.contains(*color) && *self.seat(*color) == Seat::Guest;
                team.colors().iter().any(own).then_some(()).ok_or(NOT_ALLOWED)
            }
            (Action::Resign { team }, By::Engine(color)) if color.team() == *team && self.seat(color).is_engine() => {
                Ok(())
            }
            (Action::Pause, By::Engine(color)) if self.seat(color).is_engine() => Ok(()),
            (_, By::Host) => Ok(()),
            _ => Err(NOT_ALLOWED),
        }
    }

    fn do_new(&mut self, action: &Action, by: By, now: Millis) -> Result<(), Refused> {
        if self.log.len() >= MAX_ENTRIES {
            return Err(TOO_LONG);
        }
        if let Action::Comment { node, text } = action {
            self.state.check_comments(*node, text)?;
        }
        // Other actions neither end nor interrupt a turn.
        let is_timed = matches!(action, Action::Play { .. } | Action::TimeUp | Action::Pause);
        let used = self.since.filter(|_| is_timed).map(|_| self.used(now));
        let entry = LogEntry { action: action.clone(), engine: matches!(by, By::Engine(_)), used };
        Arc::make_mut(&mut self.state).apply(&entry)?;
        Arc::make_mut(&mut self.log).push(entry);
        self.undone = Arc::default();
        match action {
            Action::Play { .. } | Action::Resume | Action::TakeBack { .. } => self.start_turn(now),
            Action::Pause => self.since = None,
            _ => {}
        }
        Ok(())
    }

    /// Undoes the last action of a person, and the moves of programs and pauses after it. Names stay.
    fn undo(&mut self, now: Millis) -> Result<(), Refused> {
        let last = self.log.iter().rposition(LogEntry::is_undo_stop).ok_or(NOTHING_TO_UNDO)?;
        let (mut log, later) = (self.log[..last].to_vec(), self.log[last..].iter().cloned());
        let (names, undone): (Vec<_>, Vec<_>) = later.partition(|entry| matches!(entry.action, Action::Name { .. }));
        log.extend(names);
        let mut state = self.base.state();
        log.iter().try_for_each(|entry| state.apply(entry))?;
        (self.state, self.log) = (state.into(), log.into());
        let concerns_turn = undone.iter().any(LogEntry::concerns_turn);
        Arc::make_mut(&mut self.undone).extend(undone.into_iter().rev());
        if concerns_turn {
            self.start_turn(now);
        }
        Ok(())
    }

    fn redo(&mut self, now: Millis) -> Result<(), Refused> {
        if self.undone.is_empty() {
            return Err(NOTHING_TO_REDO);
        }
        // Everything that was undone at once.
        let count = 1 + self.undone.iter().rev().skip(1).take_while(|entry| !entry.is_undo_stop()).count();
        let mut state = SessionState::clone(&self.state);
        for entry in self.undone.iter().rev().take(count) {
            state.apply(entry)?;
        }
        self.state = state.into();
        let rest = self.undone.len() - count;
        let concerns_turn = self.undone[rest..].iter().any(LogEntry::concerns_turn);
        Arc::make_mut(&mut self.log).extend(Arc::make_mut(&mut self.undone).drain(rest..).rev());
        if concerns_turn {
            self.start_turn(now);
        }
        Ok(())
    }

    fn start_turn(&mut self, now: Millis) {
        // The clock starts with the first action.
        let runs = !self.log.is_empty() && !self.is_paused() && !self.is_over();
        self.since = runs.then_some(now);
    }

    /// Replaces the session by a newer state. Keeps the insights of both.
    pub fn replace(&mut self, by: Self) {
        let known = std::mem::replace(self, by).insights;
        for (key, insight) in known.iter() {
            self.add_keyed_insight(key.clone(), Arc::clone(insight));
        }
    }

    /// Returns the insight into a position.
    pub fn insight(&self, position: &Position) -> Option<&Insight> {
        self.insights.get(&key(position)).map(Arc::as_ref)
    }

    /// Adds an insight into a position. The one with more nodes stays, with the longer of both times.
    pub fn add_insight(&mut self, position: &Position, insight: Insight) {
        self.add_keyed_insight(key(position), insight.into());
    }

    fn add_keyed_insight(&mut self, key: String, insight: Arc<Insight>) {
        let known = Arc::make_mut(&mut self.insights).entry(key).or_insert_with(|| Arc::clone(&insight));
        let time = known.time.max(insight.time);
        if known.nodes <= insight.nodes {
            *known = insight;
        }
        if known.time != time {
            Arc::make_mut(known).time = time;
        }
    }

    /// Returns the insight into a position with the key of the position.
    pub fn keyed_insight(&self, position: &Position) -> Option<(String, Insight)> {
        self.insights.get_key_value(&key(position)).map(|(key, insight)| (key.clone(), Insight::clone(insight)))
    }

    /// Returns all insights with the keys of their positions.
    pub fn insights(&self) -> impl Iterator<Item = (String, &Insight)> {
        self.insights.iter().map(|(key, insight)| (key.clone(), &**insight))
    }
}
