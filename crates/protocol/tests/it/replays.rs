//! Replays and their games.

use game::{Move, Piece, Position};
use protocol::{Cause, GameResult, Replay, ReplayError, Score, Season};

/// Returns the start of a game, and the replay of its first placements.
fn opening(season: Season) -> (Position, Replay) {
    let start = Position::new(season.rules(), Some(Piece::PentoR)).unwrap();
    let (mut position, mut moves) = (start, Vec::new());
    for _ in 0..30 {
        let mv = Move::Place(*position.placements().last().unwrap());
        position.play(mv);
        moves.push(mv);
    }
    let replay = Replay::from_game("room", &start, moves, ["A", "B"]).unwrap();
    (start, replay)
}

#[test]
fn state_at_finds_turn() {
    for &season in Season::ALL {
        let (_, replay) = opening(season);
        assert_eq!(replay.state_at(Some(7)), Some(&replay.states[7]));
        assert_eq!(replay.state_at(None), replay.states.last());
    }
}

#[test]
fn rejects_impossible_games() {
    for &season in Season::ALL {
        let (start, replay) = opening(season);
        let error_after = |damage: &dyn Fn(&mut Replay)| {
            let mut damaged = replay.clone();
            damage(&mut damaged);
            damaged.game().unwrap_err().to_string()
        };
        let gap = |turn| ReplayError::Gap { turn }.to_string();
        assert_eq!(error_after(&|replay| replay.states.clear()), ReplayError::NoState.to_string());
        assert_eq!(error_after(&|replay| replay.states[5].last_move = None), gap(5));
        assert_eq!(error_after(&|replay| replay.states[5].position = start), gap(0));
        let mv = replay.states[5].last_move.unwrap();
        let illegal = error_after(&|replay| _ = replay.states.remove(4));
        assert!(illegal.starts_with(&format!("turn 3: the move {mv} is illegal: ")), "{illegal}");
        let scores = [60, 40].map(|points| Score::new(Cause::Regular, 1, points));
        let result = GameResult { scores, is_lone: false, winners: Vec::new(), regular: true, reason: String::new() };
        let ended = error_after(&|replay| replay.result = Some(result.clone()));
        assert_eq!(ended, ReplayError::Incomplete { turn: 30 }.to_string());
    }
}
