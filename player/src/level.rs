//! Nine levels of strength for people to play against.
//!
//! Levels 1 to 4 are a [`CasualPlayer`] that plays as beginners do: it overlooks places where it could go on, likes
//! small pieces early, looks no move ahead and misjudges. Level 5 is the [`HeuristicPlayer`], levels 6 to 8 are the
//! [`MctsPlayer`] with few simulations, level 9 is all of it, but that it stops when its move is decided. The levels
//! below 9 think the same on every machine.
//!
//! Each is at least 100 Elo stronger than the one below it; `docs/board.md` has the figures.

use std::sync::atomic::AtomicBool;

use game::{Bitboard, Color, Move, PieceSet, Placement, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mcts::Params;
use crate::{FromOptions, HeuristicPlayer, Limit, MctsPlayer, Options, Param, ParamError, Player, Report};

/// A level of strength, 1 to 9.
///
/// ```
/// use player::Level;
///
/// assert_eq!(Level::from_name("level3"), Level::new(3));
/// assert_eq!((Level::new(0), Level::new(10)), (None, None));
/// assert_eq!(Level::ALL.map(Level::number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// How a casual player sees the board.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Habits {
    /// The share of the corners where it could go on that it sees.
    sight: f32,
    /// How much a cell of a piece is worth to it, in the measure of a corner gained; a beginner saves its large pieces.
    size: f32,
    /// How much it likes to take corners from its opponents.
    blocking: f32,
    /// How far it misjudges a placement, in the same measure: the standard deviation.
    blur: f32,
}

/// What plays a level.
enum Kind {
    Casual(Habits),
    Heuristic,
    /// Searches with at most this many simulations.
    Search(Option<u64>),
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 9] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8), Self(9)];

    /// The level of a number from 1 to 9.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= 9 { Some(Self(number)) } else { None }
    }

    /// The number of the level.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The name by which [`by_name`](crate::by_name) finds it, for example `level3`.
    pub const fn name(self) -> &'static str {
        let names = ["level1", "level2", "level3", "level4", "level5", "level6", "level7", "level8", "level9"];
        names[self.0 as usize - 1]
    }

    /// The level of a [name](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Whether the strength depends on the time that the player is given.
    pub const fn is_timed(self) -> bool {
        self.0 == 9
    }

    const fn kind(self) -> Kind {
        match self.0 {
            1 => Kind::Casual(Habits { sight: 0.3, size: -0.4, blocking: 0.0, blur: 2.5 }),
            2 => Kind::Casual(Habits { sight: 0.6, size: 0.5, blocking: 0.0, blur: 2.0 }),
            3 => Kind::Casual(Habits { sight: 0.8, size: 1.2, blocking: 0.4, blur: 1.5 }),
            4 => Kind::Casual(Habits { sight: 1.0, size: 2.0, blocking: 1.0, blur: 0.5 }),
            5 => Kind::Heuristic,
            6 => Kind::Search(Some(150)),
            7 => Kind::Search(Some(900)),
            8 => Kind::Search(Some(6_000)),
            _ => Kind::Search(None),
        }
    }
}

/// Plays at a [`Level`].
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::{Level, LevelPlayer, Limit, Options, Player};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let options = Options { memory: 16 << 20, ..Options::default() };
/// for level in Level::ALL {
///     let mut player = LevelPlayer::of(level, &options);
///     assert_eq!(position.check(player.choose(&position, &Limit::nodes(50)).mv), Ok(()));
/// }
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct LevelPlayer {
    level: Level,
    player: Box<dyn Player>,
    nodes: Option<u64>,
}

impl LevelPlayer {
    /// A player of a level.
    pub fn of(level: Level, options: &Options) -> Self {
        let (player, nodes): (Box<dyn Player>, _) = match level.kind() {
            Kind::Casual(habits) => (Box::new(CasualPlayer::with(habits, options)), None),
            Kind::Heuristic => (Box::new(HeuristicPlayer::new(options)), None),
            Kind::Search(nodes) => {
                let params = match nodes {
                    // With few simulations the convolutional network would be most of the strength, and of the time. The
                    // book would begin every game alike, and better than the level goes on.
                    Some(_) => Params { policy_visits: 0, book: false, ..Params::default() },
                    None => Params::default(),
                };
                // Somebody waits for the move.
                let params = Params { early_stop: true, ..params };
                // So many simulations are as strong everywhere only if one thread makes them that knows of no others.
                let options = match nodes {
                    Some(_) => Options { threads: 1, experience: None, ..options.clone() },
                    None => options.clone(),
                };
                (Box::new(MctsPlayer::with_params(&options, params)), nodes)
            }
        };
        Self { level, player, nodes }
    }
}

impl Player for LevelPlayer {
    fn name(&self) -> &'static str {
        self.level.name()
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        let nodes = self.nodes.into_iter().chain(limit.nodes).min();
        self.player.choose(position, &Limit { nodes, ..limit.clone() })
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.player.prepare(stop);
    }

    fn ponder(&mut self, position: &Position, limit: &Limit, stop: &AtomicBool) {
        // Below the highest level thinking ahead would make the player stronger than it is to be.
        if self.level.is_timed() {
            self.player.ponder(position, limit, stop);
        }
    }

    fn params(&self) -> Vec<Param> {
        self.player.params()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.player.set_param(name, value)
    }
}

/// Plays as people do who have just learnt the rules, see the module's text. It looks one placement ahead, at what it
/// covers, which corners it gains and which it takes from its opponents, and only at places that it notices.
#[derive(Debug)]
struct CasualPlayer {
    habits: Habits,
    rng: Xoshiro256PlusPlus,
}

impl CasualPlayer {
    fn with(habits: Habits, options: &Options) -> Self {
        Self { habits, rng: Xoshiro256PlusPlus::seed_from_u64(options.seed) }
    }

    /// The allowed placements that it notices; all if it would notice none.
    fn noticed(&mut self, position: &Position, limit: &Limit) -> Vec<Placement> {
        let (board, color) = (position.board(), position.color());
        let all = limit.placements(position);
        let sight = self.habits.sight;
        let seen: Bitboard = board.anchors(color).iter().filter(|_| self.rng.random::<f32>() < sight).collect();
        let noticed: Vec<Placement> = all.iter().copied().filter(|placement| placement.touches(&seen)).collect();
        if noticed.is_empty() { all } else { noticed }
    }

    /// What a placement is worth to it.
    fn value(&mut self, position: &Position, placement: Placement) -> f32 {
        let (board, color, habits) = (position.board(), position.color(), self.habits);
        let gained = (placement.corners() & board.open(color)).without(board.anchors(color)).len();
        let taken: usize =
            opponents_in_play(position).map(|other| (placement.cells() & board.anchors(other)).len()).sum();
        // Late even beginners notice that only small pieces fit.
        let size = if board.left(color).len() * 2 > PieceSet::ALL.len() { habits.size } else { habits.size.max(1.0) };
        // The sum of uniform numbers is close enough to a normal distribution; three have the variance 1/4.
        let error: f32 = (0..3).map(|_| self.rng.random::<f32>() - 0.5).sum::<f32>() * 2.0;
        gained as f32 + size * placement.piece().size() as f32 + habits.blocking * taken as f32 + habits.blur * error
    }
}

fn opponents_in_play(position: &Position) -> impl Iterator<Item = Color> {
    position.color().opponents().into_iter().filter(|&other| position.in_play().contains(other))
}

impl Player for CasualPlayer {
    fn name(&self) -> &'static str {
        "casual"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        let noticed = self.noticed(position, limit);
        let best = noticed
            .into_iter()
            .map(|placement| (self.value(position, placement), placement))
            .max_by(|(a, _), (b, _)| a.total_cmp(b));
        Report::without_thought(best.map_or(Move::Pass, |(_, placement)| Move::Place(placement)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Rules, Team};

    /// The mean size of the pieces that a level places in its first six moves against itself.
    fn mean_size(level: u8) -> f32 {
        let mut player = LevelPlayer::of(Level::new(level).unwrap(), &Options::default());
        let (mut cells, mut count) = (0, 0);
        for _ in 0..5 {
            let mut position = Position::new(Rules::Classic, None).unwrap();
            while position.turn() < 24 {
                let mv = player.choose(&position, &Limit::nodes(1)).mv;
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
    fn even_the_first_level_beats_random_moves() {
        let mut points = 0;
        for game in 0..60 {
            let mut beginner = LevelPlayer::of(Level(1), &Options { seed: game, ..Options::default() });
            let mut random = crate::RandomPlayer::new(&Options { seed: game + 1000, ..Options::default() });
            let own = Team::ALL[game as usize % 2];
            let mut position = Position::new(Rules::Classic, None).unwrap();
            while !position.is_over() {
                let player: &mut dyn Player = if position.color().team() == own { &mut beginner } else { &mut random };
                position.play(player.choose(&position, &Limit::nodes(1)).mv);
            }
            points += 1 + position.margin(own).signum();
        }
        assert!(points > 2 * 36, "{points} of 120");
    }

    #[test]
    fn a_level_with_simulations_keeps_to_them() {
        let position = crate::bench::positions().unwrap()[3];
        let options = Options { memory: 16 << 20, ..Options::default() };
        let report = LevelPlayer::of(Level(6), &options).choose(&position, &Limit::nodes(100_000));
        assert!(report.nodes <= 150, "{}", report.nodes);
        assert!(LevelPlayer::of(Level(6), &options).choose(&position, &Limit::nodes(20)).nodes <= 20);
    }
}
