//! The analysis of a whole game at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::Position;

use crate::session::{Session, doubts};
use crate::thinker::Thinker;

/// What comes next, with numbers from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A first look at a position.
    Position {
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A second look at a move and at what the engine would have played.
    Doubt {
        /// The number of the move among those in doubt.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

/// Looks at every position on the way to where a session stands for so much time, and again at the moves that are then
/// in [doubt](doubts), and tells what comes next. The session learns what is found, also if it is stopped meanwhile.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
///
/// use board::session::{Action, By, Review, Session};
/// use board::study::study;
/// use board::thinker::Thinker;
/// use game::{Position, Rules};
///
/// let mut session = Session::new(Position::new(Rules::Classic, None)?);
/// session.act(&Action::Play { mv: "MONO@0,0".parse()? }, By::Host, 0)?;
/// let stop = AtomicBool::new(false);
/// study(&mut Thinker::new(16 << 20), &mut session, Duration::from_millis(20), &stop, |_| {});
/// assert_eq!(Review::of(&session).moves.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn study(
    thinker: &mut Thinker,
    session: &mut Session,
    time: Duration,
    stop: &AtomicBool,
    mut tell: impl FnMut(Step),
) {
    let is_stopped = || stop.load(Ordering::Relaxed);
    let positions: Vec<Position> =
        session.path().into_iter().filter_map(|node| session.position_at(node).ok()).collect();
    for (number, position) in positions.iter().enumerate() {
        tell(Step::Position { number, count: positions.len() });
        let insight = thinker.think(position, time, stop, |_| {});
        // What was cut short would be taken for the real thing.
        if is_stopped() {
            return;
        }
        session.learn(position, insight);
    }
    let doubts = doubts(session);
    for (number, doubt) in doubts.iter().enumerate() {
        tell(Step::Doubt { number, count: doubts.len() });
        let looked = thinker.compare(doubt, time, stop);
        if is_stopped() {
            return;
        }
        session.settle(doubt, &looked);
    }
}
