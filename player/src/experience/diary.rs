//! The diary of a game, from which a player learns when the game is over.

use game::{Color, Move, Placement, Position, Team};

use super::lessons::Lesson;
use super::shared::Experience;
use crate::api::Report;

/// What a player thought in one game. It becomes experience when it is [closed](Self::close), or dropped.
#[derive(Debug, Default)]
pub struct Diary {
    experience: Option<Experience>,
    entries: Vec<Entry>,
}

/// A move that was made, and what was thought then.
#[derive(Debug)]
struct Entry {
    position: Position,
    placement: Placement,
    /// The expected chance of team one.
    win_of_one: f32,
    simulations: u64,
}

impl Entry {
    /// Whether a game can come to a later position with the move that was chosen here.
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

/// A chance to win is a surprise if it was thought to be higher or lower by this much.
const SURPRISE: f32 = 0.1;

/// Games with fewer moves after a move say nothing of it.
const LEAST_LATER: usize = 4;

/// Positions from this turn on hardly come again.
const LAST_TURN: u16 = 32;

impl Diary {
    /// An empty diary of somebody who learns, or not.
    pub fn new(experience: Option<Experience>) -> Self {
        Self { experience, entries: Vec::new() }
    }

    /// What is known of the moves of a position.
    pub fn recall(&self, position: &Position) -> Vec<(Placement, Lesson)> {
        self.experience.as_ref().map_or_else(Vec::new, |experience| experience.recall(position))
    }

    /// Notes what was thought of a position. What was thought of it before, and of positions after it, does not count,
    /// for those moves were taken back. If the position goes on from none, the game before is over.
    pub fn note(&mut self, position: &Position, report: &Report) {
        let (Some(evaluation), Move::Place(placement), Some(_)) = (report.evaluation, report.mv, &self.experience)
        else {
            return;
        };
        match self.entries.iter().take_while(|entry| entry.leads_to(position)).count() {
            // Before the first move nothing is to be learnt, and nobody should wait for the file.
            0 if self.entries.is_empty() => {}
            0 => self.close(),
            before => self.entries.truncate(before),
        }
        let win_of_one = of_one(evaluation.win, position);
        self.entries.push(Entry { position: *position, placement, win_of_one, simulations: report.nodes });
    }

    /// Makes lessons of the game, if there was one.
    pub fn close(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        let Some(experience) = &self.experience else { return };
        let mut lessons = Vec::new();
        let (mut sum, mut later) = (0.0, 0);
        for entry in entries.iter().rev() {
            if later >= LEAST_LATER && entry.position.turn() < LAST_TURN {
                let win_of_one = sum / later as f32;
                let known = experience.recall(&entry.position);
                let is_known = known.iter().any(|&(placement, _)| placement == entry.placement);
                if is_known || (win_of_one - entry.win_of_one).abs() > SURPRISE {
                    let win = of_one(win_of_one, &entry.position);
                    let lesson = Lesson { games: 1, win, simulations: entry.simulations as f32 };
                    lessons.push((entry.position, entry.placement, lesson));
                }
            }
            sum += entry.win_of_one;
            later += 1;
        }
        experience.learn(lessons);
    }
}

impl Drop for Diary {
    fn drop(&mut self) {
        self.close();
    }
}

/// A chance of the team on turn as one of team one, or the other way round.
fn of_one(win: f32, position: &Position) -> f32 {
    if position.color().team() == Team::One { win } else { 1.0 - win }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, FromOptions, Limit, Options, Player, RandomPlayer};
    use game::{Piece, Rules};

    /// The positions of a random game in which team one is on turn, with their moves.
    fn game(seed: u64) -> Vec<(Position, Placement)> {
        let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let mut moves = Vec::new();
        while !position.is_over() && moves.len() < 10 {
            let mv = random.choose(&position, &Limit::nodes(1)).mv;
            if let (Move::Place(placement), Team::One) = (mv, position.color().team()) {
                moves.push((position, placement));
            }
            position.play(mv);
        }
        moves
    }

    fn report(placement: Placement, win: f32) -> Report {
        let evaluation = Some(Evaluation { win, margin: 0.0 });
        Report { evaluation, nodes: 100, ..Report::without_thought(placement.into()) }
    }

    #[test]
    fn surprises_are_learnt_and_then_everything_of_their_positions() {
        let experience = Experience::default();
        let play = |wins: [f32; 10]| {
            let mut diary = Diary::new(Some(experience.clone()));
            for (&(position, placement), win) in game(1).iter().zip(wins) {
                // What was thought first does not count.
                diary.note(&position, &report(placement, 0.9));
                diary.note(&position, &report(placement, win));
            }
        };
        let known = |ply: usize| {
            let (position, placement) = game(1)[ply];
            let known = experience.recall(&position);
            known
                .iter()
                .find(|&&(it, _)| it == placement)
                .map(|&(_, lesson)| (lesson.games, lesson.simulations, lesson.win))
        };
        play([0.5; 10]);
        assert_eq!((0..10).filter_map(known).count(), 0, "nothing surprised");
        play([0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 1.0, 1.0, 1.0, 1.0]);
        let (games, simulations, win) = known(5).unwrap();
        assert_eq!((games, simulations, win), (1, 100.0, 1.0));
        assert!((known(1).unwrap().2 - (4.0 * 0.4 + 4.0) / 8.0).abs() < 1e-6);
        assert_eq!(known(6), None, "too little came after it");
        play([0.5; 10]);
        let (games, simulations, win) = known(5).unwrap();
        assert_eq!((games, simulations, win), (2, 200.0, 0.75));
    }

    #[test]
    fn moves_that_were_taken_back_teach_nothing() {
        let experience = Experience::default();
        let mut diary = Diary::new(Some(experience.clone()));
        let game = game(1);
        let mut note = |ply: usize, win| diary.note(&game[ply].0, &report(game[ply].1, win));
        (0..9).for_each(|ply| note(ply, if ply < 3 { 0.4 } else { 1.0 }));
        // Everything again from the third move on.
        (2..9).for_each(|ply| note(ply, 0.4));
        drop(diary);
        assert!(game.iter().all(|(position, _)| experience.recall(position).is_empty()));
    }

    #[test]
    fn moves_that_were_not_made_teach_nothing() {
        let experience = Experience::default();
        let mut diary = Diary::new(Some(experience.clone()));
        let game = game(1);
        for (ply, &(position, placement)) in game.iter().enumerate() {
            let mut noted = placement;
            if ply == 2 {
                let others = position.board().placements(position.color());
                noted = others.into_iter().find(|&other| !other.is_subset(&placement.cells())).unwrap();
            }
            diary.note(&position, &report(noted, if ply < 5 { 0.1 } else { 0.9 }));
        }
        drop(diary);
        let known = |ply: usize| experience.recall(&game[ply].0).len();
        assert_eq!([known(1), known(2), known(3)], [1, 0, 1]);
    }

    #[test]
    fn a_position_of_another_game_ends_the_game() {
        let experience = Experience::default();
        let mut diary = Diary::new(Some(experience.clone()));
        for seed in [1, 2] {
            for (ply, (position, placement)) in game(seed).into_iter().enumerate() {
                diary.note(&position, &report(placement, if ply < 5 { 0.1 } else { 0.9 }));
            }
        }
        assert_eq!(experience.recall(&game(1)[4].0).len(), 1);
        assert_eq!(experience.recall(&game(2)[4].0).len(), 0, "it is not over yet");
        drop(diary);
        assert_eq!(experience.recall(&game(2)[4].0).len(), 1);
        // Who has no experience keeps no diary.
        let mut none = Diary::new(None);
        none.note(&game(1)[0].0, &report(game(1)[0].1, 0.5));
        assert!(none.entries.is_empty());
    }
}
