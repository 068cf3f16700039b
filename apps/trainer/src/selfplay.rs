//! Games of self-play of the Monte Carlo player.

use std::cmp::Reverse;
use std::ops::Range;

use game::{Color, Position, Rules};
use player::{FromOptions, MctsPlayer, Options, ParamError, Player, SearchLimits};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::selfplay::{MAX_VISITED, SelfPlayGame, SelfPlayPly, SelfPlaySettings, Source, StoredEvaluation};

/// Turn of the exploration move, and the number of random plies.
const EXPLORATION_TURN: Range<u16> = 4..48;
const EXPLORATION_PLIES: Range<u16> = 1..5;

/// Number of draws of first placements before unbalanced ones are accepted.
const DRAWS: u32 = 8;

/// Memory for the tree of a search, in bytes; far more than a full search needs.
const MEMORY: usize = 32 << 20;

/// Plays game `number` of a seed. Equal arguments give equal games.
///
/// # Errors
/// [`ParamError`] if the player has no such parameter, or not with this value.
pub fn play(settings: &SelfPlaySettings, seed: u64, number: u32) -> Result<SelfPlayGame, ParamError> {
    Ok(SelfPlay::new(settings, seed, number)?.play())
}

struct SelfPlay<'a> {
    settings: &'a SelfPlaySettings,
    rng: Xoshiro256PlusPlus,
    player: MctsPlayer,
    position: Position,
    game: SelfPlayGame,
}

impl<'a> SelfPlay<'a> {
    fn new(settings: &'a SelfPlaySettings, seed: u64, number: u32) -> Result<Self, ParamError> {
        // Neighbouring seeds and numbers give unrelated states: the generator is seeded by SplitMix64.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ u64::from(number));
        let rules = draw_rules(settings, &mut rng);
        let start_piece = rules.start_pieces().iter().choose(&mut rng);
        let mut player = MctsPlayer::new(&Options { seed: rng.next_u64(), memory: MEMORY, ..Options::default() });
        for (name, value) in &settings.params {
            player.set_param(name, value)?;
        }
        let position = Position::new(rules, start_piece).expect("the start piece is drawn from the rules");
        Ok(Self {
            settings,
            rng,
            player,
            position,
            game: SelfPlayGame { number, rules, start_piece, plies: Vec::new() },
        })
    }

    fn play(mut self) -> SelfPlayGame {
        if self.rng.random_bool(self.settings.random_openings) {
            self.draw_opening();
        }
        let exploration = match self.rng.random_bool(self.settings.exploration_games) {
            true => {
                let start = self.rng.random_range(EXPLORATION_TURN);
                start..start + self.rng.random_range(EXPLORATION_PLIES)
            }
            false => 0..0,
        };
        while !self.position.is_over() {
            let is_full = self.rng.random_ratio(1, self.settings.full_interval);
            let ply = self.search(is_full, exploration.contains(&self.position.turn()));
            self.position.play(ply.mv);
            self.game.plies.push(ply);
        }
        self.game
    }

    /// Draws the first placements of all colours, again if a fast search finds them unbalanced.
    fn draw_opening(&mut self) {
        let (empty, balanced) = (self.position, self.settings.balanced_win);
        for _ in 0..DRAWS {
            self.position = empty;
            self.game.plies.clear();
            while self.position.turn() < Color::ALL.len() as u16 {
                let placements = self.position.placements();
                let Some(&drawn) = placements.choose(&mut self.rng) else { break };
                let ply =
                    SelfPlayPly { mv: drawn.into(), source: Source::Opening, evaluation: None, visits: Vec::new() };
                self.position.play(ply.mv);
                self.game.plies.push(ply);
            }
            let report = self.player.choose(&self.position, &SearchLimits::nodes(self.settings.fast_nodes));
            if report.evaluation.is_none_or(|evaluation| (1.0 - balanced..=balanced).contains(&evaluation.win)) {
                break;
            }
        }
    }

    /// Searches the position and chooses a move by its visits.
    fn search(&mut self, is_full: bool, explores: bool) -> SelfPlayPly {
        let nodes = if is_full { self.settings.full_nodes } else { self.settings.fast_nodes };
        let report = self.player.choose(&self.position, &SearchLimits::nodes(nodes));
        let evaluation = report.evaluation.map(|evaluation| StoredEvaluation::new(evaluation.win, evaluation.margin));
        let mut candidates: Vec<_> = self.player.candidates().filter(|&(_, visits)| visits > 0).collect();
        // A fixed order, independent of the tree.
        candidates.sort_unstable_by_key(|&(placement, visits)| (Reverse(visits), placement));
        let mut ply = SelfPlayPly { mv: report.mv, source: Source::Search, evaluation, visits: Vec::new() };
        if explores && let Some(&(placement, _)) = candidates.choose(&mut self.rng) {
            (ply.mv, ply.source) = (placement.into(), Source::Exploration);
        } else if self.position.turn() < self.settings.sampled_turns
            && let Ok(&(placement, _)) = candidates.choose_weighted(&mut self.rng, |&(_, visits)| visits)
        {
            ply.mv = placement.into();
        }
        if is_full {
            candidates.truncate(MAX_VISITED);
            let count = |visits: u32| visits.try_into().unwrap_or(u16::MAX);
            ply.visits = candidates.into_iter().map(|(placement, visits)| (placement, count(visits))).collect();
        }
        ply
    }
}

fn draw_rules(settings: &SelfPlaySettings, rng: &mut impl Rng) -> Rules {
    let weights = WeightedIndex::new(settings.rules);
    Rules::TWO_PLAYERS[weights.map_or(0, |weights| weights.sample(rng))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_cover_rules_and_start_pieces() {
        let settings =
            SelfPlaySettings { fast_nodes: 1, full_nodes: 1, random_openings: 1.0, ..SelfPlaySettings::default() };
        let games: Vec<SelfPlayGame> = (0..40).map(|number| play(&settings, 3, number).unwrap()).collect();
        let count = |rules| games.iter().filter(|game| game.rules == rules).count();
        assert!(count(Rules::Season2027) > 2 * count(Rules::Classic) && count(Rules::Season2021) > 1);
        let in_2027 = || games.iter().filter(|game| game.rules == Rules::Season2027);
        let pieces: std::collections::HashSet<_> = in_2027().map(|game| game.start_piece).collect();
        assert!(pieces.len() >= 9, "{pieces:?}");
        let first = in_2027().flat_map(|game| &game.plies[..4]).filter_map(|ply| ply.mv.placement());
        let places = first.map(game::Placement::cells).fold(game::Bitboard::EMPTY, |all, cells| all | cells);
        assert!((places & Rules::Season2027.start_cells(Color::Blue)).len() > 40);
    }

    #[test]
    fn games_mix_searches_and_explore_once() {
        let settings =
            SelfPlaySettings { fast_nodes: 10, full_nodes: 80, exploration_games: 1.0, ..SelfPlaySettings::default() };
        let (mut full, mut searched) = (0, 0);
        for number in 0..3 {
            let game = play(&settings, 4, number).unwrap();
            assert!(number > 0 || play(&settings, 4, number).unwrap() == game, "the same numbers give the same game");
            let random: Vec<usize> =
                (0..game.plies.len()).filter(|&ply| game.plies[ply].source == Source::Exploration).collect();
            assert!(!random.is_empty() && random.len() < 5 && random.windows(2).all(|pair| pair[1] - pair[0] < 5));
            assert_eq!(game.first_usable_ply(), random.last().unwrap() + 1);
            for ply in game.plies.iter().filter(|ply| ply.source == Source::Search) {
                searched += 1;
                full += usize::from(!ply.visits.is_empty());
                assert!(ply.visits.is_sorted_by_key(|&(_, visits)| Reverse(visits)));
            }
        }
        assert!(full * 3 < searched && full * 12 > searched, "{full} of {searched}");
    }
}
