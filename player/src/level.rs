//! Nine levels of strength for human opponents.
//!
//! Levels 1 to 4 are a [`CasualPlayer`] that plays like a beginner: it overlooks places, prefers small pieces early,
//! does not look ahead and misjudges. Level 5 is the [`HeuristicPlayer`]. Levels 6 to 9 are the [`MctsPlayer`] with
//! early stops; levels 6 to 8 have few simulations. Levels below 9 are equally strong on every machine.
//!
//! Each level is at least 100 Elo stronger than the one below; `docs/board.md` has the ratings.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use game::{Bitboard, Color, Move, PieceSet, Placement, Position, UnknownName};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::api::{Param, ParamError, Player, Report, SearchLimits};
use crate::heuristic::HeuristicPlayer;
use crate::mcts::MctsPlayer;
use crate::mcts::Params;
use crate::options::{FromOptions, Options};

/// A level of strength, 1 to 9.
///
/// ```
/// use player::Level;
///
/// assert_eq!("level3".parse().ok(), Level::new(3));
/// assert_eq!(Level::ALL[2].to_string(), "level3");
/// assert_eq!((Level::new(0), Level::new(10)), (None, None));
/// assert_eq!(Level::ALL.map(Level::number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// The weaknesses of a casual player.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Habits {
    /// Share of its anchors that it notices.
    attention: f32,
    /// Value of a cell of a piece, in units of a gained anchor. A beginner saves its large pieces.
    size: f32,
    /// Value of an anchor taken from an opponent.
    blocking: f32,
    /// Standard deviation of its error about a placement.
    error: f32,
}

/// The player of a level.
enum LevelKind {
    Casual(Habits),
    Heuristic,
    /// Maximum number of simulations.
    Search(Option<u64>),
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 9] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8), Self(9)];

    /// Returns the level of a number from 1 to 9.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= 9 { Some(Self(number)) } else { None }
    }

    /// Returns the number of the level.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns `true` if the strength depends on the thinking time.
    pub const fn is_timed(self) -> bool {
        self.0 == 9
    }

    const fn kind(self) -> LevelKind {
        match self.0 {
            1 => LevelKind::Casual(Habits { attention: 0.3, size: -0.4, blocking: 0.0, error: 2.5 }),
            2 => LevelKind::Casual(Habits { attention: 0.6, size: 0.5, blocking: 0.0, error: 2.0 }),
            3 => LevelKind::Casual(Habits { attention: 0.8, size: 1.2, blocking: 0.4, error: 1.5 }),
            4 => LevelKind::Casual(Habits { attention: 1.0, size: 2.0, blocking: 1.0, error: 0.5 }),
            5 => LevelKind::Heuristic,
            6 => LevelKind::Search(Some(150)),
            7 => LevelKind::Search(Some(900)),
            8 => LevelKind::Search(Some(6_000)),
            _ => LevelKind::Search(None),
        }
    }
}

/// Writes the name for [`by_name`](crate::by_name), for example `level3`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level{}", self.0)
    }
}

impl FromStr for Level {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|level| level.to_string() == name);
        known.ok_or_else(|| UnknownName::new("level", name, "level1 to level9"))
    }
}

/// Plays at a [`Level`].
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::{Level, LevelPlayer, Options, Player, SearchLimits};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let options = Options { memory: 16 << 20, ..Options::default() };
/// for level in Level::ALL {
///     let mut player = LevelPlayer::new(level, &options);
///     assert_eq!(position.check(player.choose(&position, &SearchLimits::nodes(50)).mv), Ok(()));
/// }
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct LevelPlayer {
    level: Level,
    name: String,
    player: Box<dyn Player>,
    nodes: Option<u64>,
}

impl fmt::Debug for LevelPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LevelPlayer").field("level", &self.level).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl LevelPlayer {
    /// Creates the player of a level.
    pub fn new(level: Level, options: &Options) -> Self {
        let (player, nodes): (Box<dyn Player>, _) = match level.kind() {
            LevelKind::Casual(habits) => (Box::new(CasualPlayer::with(habits, options)), None),
            LevelKind::Heuristic => (Box::new(HeuristicPlayer::new(options)), None),
            LevelKind::Search(nodes) => {
                let params = match nodes {
                    // With few simulations the policy network would dominate strength and time, and the book would play
                    // better than the level.
                    Some(_) => Params { policy_visits: 0, book: false, ..Params::default() },
                    None => Params::default(),
                };
                // A person waits for the move.
                let params = Params { early_stop: true, ..params };
                // The strength of a number of simulations depends on threads and experience.
                let options = match nodes {
                    Some(_) => Options { threads: 1, experience: None, ..options.clone() },
                    None => options.clone(),
                };
                (Box::new(MctsPlayer::with_params(&options, params)), nodes)
            }
        };
        Self { level, name: level.to_string(), player, nodes }
    }
}

impl Player for LevelPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        let nodes = self.nodes.into_iter().chain(limits.nodes).min();
        self.player.choose(position, &SearchLimits { nodes, ..limits.clone() })
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.player.prepare(stop);
    }

    fn ponder(&mut self, position: &Position, limits: &SearchLimits, stop: &AtomicBool) {
        // Pondering would make the lower levels too strong.
        if self.level.is_timed() {
            self.player.ponder(position, limits, stop);
        }
    }

    fn params(&self) -> Vec<Param> {
        self.player.params()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.player.set_param(name, value)
    }
}

/// Plays like a beginner, see the module documentation. Values a placement by its size, the anchors it gains and the
/// opponents' anchors it takes, at the places it notices.
#[derive(Debug)]
struct CasualPlayer {
    habits: Habits,
    rng: Xoshiro256PlusPlus,
}

impl CasualPlayer {
    fn with(habits: Habits, options: &Options) -> Self {
        Self { habits, rng: Xoshiro256PlusPlus::seed_from_u64(options.seed) }
    }

    /// Lists the placements that it notices; all if it would notice none.
    fn noticed(&mut self, position: &Position) -> Vec<Placement> {
        let (board, color) = (position.board(), position.color());
        let all = position.placements();
        let attention = self.habits.attention;
        let seen: Bitboard = board.anchors(color).iter().filter(|_| self.rng.random::<f32>() < attention).collect();
        let noticed: Vec<Placement> = all.iter().copied().filter(|placement| placement.intersects(&seen)).collect();
        if noticed.is_empty() { all } else { noticed }
    }

    /// Evaluates a placement.
    fn value(&mut self, position: &Position, placement: Placement) -> f32 {
        let (board, color, habits) = (position.board(), position.color(), self.habits);
        let gained = (placement.corners() & board.open(color)).without(board.anchors(color)).len();
        let taken: usize =
            opponents_in_play(position).map(|other| (placement.cells() & board.anchors(other)).len()).sum();
        // Late in the game even beginners know that only small pieces fit.
        let size = if board.remaining_pieces(color).len() * 2 > PieceSet::ALL.len() {
            habits.size
        } else {
            habits.size.max(1.0)
        };
        // A sum of uniform numbers approximates a normal distribution; three have the variance 1/4.
        let error: f32 = (0..3).map(|_| self.rng.random::<f32>() - 0.5).sum::<f32>() * 2.0;
        gained as f32 + size * placement.piece().size() as f32 + habits.blocking * taken as f32 + habits.error * error
    }
}

fn opponents_in_play(position: &Position) -> impl Iterator<Item = Color> {
    position.color().opponents().into_iter().filter(|&other| position.in_play().contains(other))
}

impl Player for CasualPlayer {
    fn name(&self) -> &'static str {
        "casual"
    }

    fn choose(&mut self, position: &Position, _: &SearchLimits) -> Report {
        let noticed = self.noticed(position);
        let best = noticed
            .into_iter()
            .map(|placement| (self.value(position, placement), placement))
            .max_by(|(a, _), (b, _)| a.total_cmp(b));
        Report::without_search(best.map_or(Move::Pass, |(_, placement)| Move::Place(placement)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Rules, Team};

    /// Returns the mean size of the pieces in the first six moves of a level against itself.
    fn mean_size(level: u8) -> f32 {
        let mut player = LevelPlayer::new(Level::new(level).unwrap(), &Options::default());
        let (mut cells, mut count) = (0, 0);
        for _ in 0..5 {
            let mut position = Position::new(Rules::Classic, None).unwrap();
            while position.turn() < 24 {
                let mv = player.choose(&position, &SearchLimits::nodes(1)).mv;
                position.try_play(mv).unwrap();
                cells += mv.placement().map_or(0, |placement| placement.piece().size());
                count += 1;
            }
        }
        cells as f32 / count as f32
    }

    #[test]
    fn beginners_save_their_large_pieces() {
        let [first, third, fourth] = [1, 3, 4].map(mean_size);
        assert!(first + 0.3 < third && third <= fourth + 0.1, "{first} {third} {fourth}");
    }

    #[test]
    fn first_level_beats_random_moves() {
        let mut points = 0;
        for game in 0..60 {
            let mut beginner = LevelPlayer::new(Level(1), &Options { seed: game, ..Options::default() });
            let mut random = crate::RandomPlayer::new(&Options { seed: game + 1000, ..Options::default() });
            let own = Team::ALL[game as usize % 2];
            let mut position = Position::new(Rules::Classic, None).unwrap();
            while !position.is_over() {
                let player: &mut dyn Player = if position.color().team() == own { &mut beginner } else { &mut random };
                position.play(player.choose(&position, &SearchLimits::nodes(1)).mv);
            }
            points += 1 + position.margin(own).signum();
        }
        assert!(points > 2 * 36, "{points} of 120");
    }

    #[test]
    fn levels_keep_to_their_simulations() {
        let position = crate::bench::positions()[3];
        let options = Options { memory: 16 << 20, ..Options::default() };
        let report = LevelPlayer::new(Level(6), &options).choose(&position, &SearchLimits::nodes(100_000));
        assert!(report.nodes <= 150, "{}", report.nodes);
        assert!(LevelPlayer::new(Level(6), &options).choose(&position, &SearchLimits::nodes(20)).nodes <= 20);
    }
}
