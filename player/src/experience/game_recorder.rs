//! Records a game and adds its results to the experience.

use game::{Color, Move, Placement, Position, Team};

use super::shared::Experience;
use super::table::MoveExperience;
use crate::api::Report;

/// Records the searches of one game. They become experience when the game is [finished](Self::finish_game), or when the
/// recorder is dropped.
#[derive(Debug)]
pub struct GameRecorder {
    experience: Option<Experience>,
    entries: Vec<ExperienceEntry>,
}

/// A chosen move with its evaluation.
#[derive(Debug)]
struct ExperienceEntry {
    position: Position,
    placement: Placement,
    /// Win probability of team one.
    win_of_one: f32,
    simulations: u64,
}

impl ExperienceEntry {
    /// Returns `true` if the move of this entry can lead to a later position.
    fn leads_to(&self, later: &Position) -> bool {
        let Self { position, placement, .. } = self;
        let is_kept = |color| position.board().covered(color).is_subset(later.board().covered(color));
        later.rules() == position.rules()
            && later.start_piece() == position.start_piece()
            && later.turn() > position.turn()
            && Color::ALL.into_iter().all(is_kept)
            && placement.is_subset(&later.board().covered(position.color()))
    }
}

/// Minimum error of a win probability that is stored.
const MIN_ERROR: f32 = 0.1;

/// Minimum number of later own moves.
const MIN_LATER_MOVES: usize = 4;

/// Positions from this turn on rarely occur again.
const LAST_TURN: u16 = 32;

impl GameRecorder {
    /// Creates a recorder. Without experience it does nothing.
    pub fn new(experience: Option<Experience>) -> Self {
        Self { experience, entries: Vec::new() }
    }

    /// Returns the experience with the moves of a position.
    pub fn lookup(&self, position: &Position) -> Vec<(Placement, MoveExperience)> {
        self.experience.as_ref().map_or_else(Vec::new, |experience| experience.lookup(position))
    }

    /// Records a search. Earlier entries that cannot lead to the position are removed, because their moves were taken
    /// back; if none can, a new game has begun.
    pub fn record(&mut self, position: &Position, report: &Report) {
        let (Some(evaluation), Move::Place(placement), Some(_)) = (report.evaluation, report.mv, &self.experience)
        else {
            return;
        };
        match self.entries.iter().take_while(|entry| entry.leads_to(position)).count() {
            // The first move of a game does not wait for the file.
            0 if self.entries.is_empty() => {}
            0 => self.finish_game(),
            before => self.entries.truncate(before),
        }
        let win_of_one = of_one(evaluation.win, position);
        self.entries.push(ExperienceEntry { position: *position, placement, win_of_one, simulations: report.nodes });
    }

    /// Adds the results of the game to the experience.
    pub fn finish_game(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        let Some(experience) = &self.experience else { return };
        let mut results = Vec::new();
        let (mut sum, mut later) = (0.0, 0);
        for entry in entries.iter().rev() {
            if later >= MIN_LATER_MOVES && entry.position.turn() < LAST_TURN {
                let win_of_one = sum / later as f32;
                let known = experience.lookup(&entry.position);
                let is_known = known.iter().any(|&(placement, _)| placement == entry.placement);
                if is_known || (win_of_one - entry.win_of_one).abs() > MIN_ERROR {
                    let win = of_one(win_of_one, &entry.position);
                    let result = MoveExperience { games: 1, win, simulations: entry.simulations as f32 };
                    results.push((entry.position, entry.placement, result));
                }
            }
            sum += entry.win_of_one;
            later += 1;
        }
        experience.add(results);
    }
}

impl Drop for GameRecorder {
    fn drop(&mut self) {
        self.finish_game();
    }
}

/// Converts a win probability between the team to move and team one.
fn of_one(win: f32, position: &Position) -> f32 {
    if position.color().team() == Team::One { win } else { 1.0 - win }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, FromOptions, Options, Player, RandomPlayer, SearchLimits};
    use game::{Piece, Rules};

    /// Returns the positions of a random game with team one to move, and their moves.
    fn game(seed: u64) -> Vec<(Position, Placement)> {
        let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let mut moves = Vec::new();
        while !position.is_over() && moves.len() < 10 {
            let mv = random.choose(&position, &SearchLimits::nodes(1)).mv;
            if let (Move::Place(placement), Team::One) = (mv, position.color().team()) {
                moves.push((position, placement));
            }
            position.play(mv);
        }
        moves
    }

    fn report(placement: Placement, win: f32) -> Report {
        let evaluation = Some(Evaluation { win, margin: 0.0 });
        Report { evaluation, nodes: 100, ..Report::without_search(placement.into()) }
    }

    #[test]
    fn errors_are_stored_and_later_games_added() {
        let experience = Experience::default();
        let play = |wins: [f32; 10]| {
            let mut recorder = GameRecorder::new(Some(experience.clone()));
            for (&(position, placement), win) in game(1).iter().zip(wins) {
                // A second search replaces the first.
                recorder.record(&position, &report(placement, 0.9));
                recorder.record(&position, &report(placement, win));
            }
        };
        let known = |ply: usize| {
            let (position, placement) = game(1)[ply];
            let known = experience.lookup(&position);
            known
                .iter()
                .find(|&&(it, _)| it == placement)
                .map(|&(_, result)| (result.games, result.simulations, result.win))
        };
        play([0.5; 10]);
        assert_eq!((0..10).filter_map(known).count(), 0, "no errors");
        play([0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 1.0, 1.0, 1.0, 1.0]);
        let (games, simulations, win) = known(5).unwrap();
        assert_eq!((games, simulations, win), (1, 100.0, 1.0));
        assert!((known(1).unwrap().2 - (4.0 * 0.4 + 4.0) / 8.0).abs() < 1e-6);
        assert_eq!(known(6), None, "too few later moves");
        play([0.5; 10]);
        let (games, simulations, win) = known(5).unwrap();
        assert_eq!((games, simulations, win), (2, 200.0, 0.75));
    }

    #[test]
    fn moves_taken_back_are_not_stored() {
        let experience = Experience::default();
        let mut recorder = GameRecorder::new(Some(experience.clone()));
        let game = game(1);
        let mut record = |ply: usize, win| recorder.record(&game[ply].0, &report(game[ply].1, win));
        (0..9).for_each(|ply| record(ply, if ply < 3 { 0.4 } else { 1.0 }));
        // Repeat the game from the third move.
        (2..9).for_each(|ply| record(ply, 0.4));
        drop(recorder);
        assert!(game.iter().all(|(position, _)| experience.lookup(position).is_empty()));
    }

    #[test]
    fn moves_not_played_are_not_stored() {
        let experience = Experience::default();
        let mut recorder = GameRecorder::new(Some(experience.clone()));
        let game = game(1);
        for (ply, &(position, placement)) in game.iter().enumerate() {
            let mut recorded = placement;
            if ply == 2 {
                let others = position.board().placements(position.color());
                recorded = others.into_iter().find(|&other| !other.is_subset(&placement.cells())).unwrap();
            }
            recorder.record(&position, &report(recorded, if ply < 5 { 0.1 } else { 0.9 }));
        }
        drop(recorder);
        let known = |ply: usize| experience.lookup(&game[ply].0).len();
        assert_eq!([known(1), known(2), known(3)], [1, 0, 1]);
    }

    #[test]
    fn unrelated_position_ends_the_game() {
        let experience = Experience::default();
        let mut recorder = GameRecorder::new(Some(experience.clone()));
        for seed in [1, 2] {
            for (ply, (position, placement)) in game(seed).into_iter().enumerate() {
                recorder.record(&position, &report(placement, if ply < 5 { 0.1 } else { 0.9 }));
            }
        }
        assert_eq!(experience.lookup(&game(1)[4].0).len(), 1);
        assert_eq!(experience.lookup(&game(2)[4].0).len(), 0, "not finished");
        drop(recorder);
        assert_eq!(experience.lookup(&game(2)[4].0).len(), 1);
        // Without experience nothing is recorded.
        let mut none = GameRecorder::new(None);
        none.record(&game(1)[0].0, &report(game(1)[0].1, 0.5));
        assert!(none.entries.is_empty());
    }
}
