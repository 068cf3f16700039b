//! Work in the time of the opponent.

use super::*;

const PAUSE: Duration = Duration::from_millis(5);

/// Prepares and ponders until it is stopped, and plays at random.
#[derive(Default)]
struct Busy {
    panics: bool,
    asked: bool,
    /// Number of preparations before and after the first move.
    prepared: [usize; 2],
    /// The turns of the positions it has pondered with the time spent.
    pondered: Vec<(u16, Duration)>,
}

impl Busy {
    /// Works until it is stopped; returns the time.
    fn work(stop: &AtomicBool) -> Duration {
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        begin.elapsed()
    }
}

impl Player for Busy {
    fn name(&self) -> &'static str {
        "busy"
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.prepared[usize::from(self.asked)] += 1;
        Self::work(stop);
        assert!(!self.panics, "not ready");
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        self.asked = true;
        random().choose(position, limit)
    }

    fn ponder(&mut self, position: &Position, _: &SearchLimits, stop: &AtomicBool) {
        self.pondered.push((position.turn(), Self::work(stop)));
        assert!(!self.panics, "too many thoughts");
    }
}

#[test]
fn prepares_before_first_move_and_ponders() {
    for &season in Season::ALL {
        let request = || room(RoomData::MoveRequest);
        let pieces = [
            xml(season, &[joined()]),
            text(season, &[room(RoomData::Welcome(Team::One)), memento(season, 0), request()]),
            text(season, &[memento(season, 1)]),
            text(season, &[memento(season, 2), request()]),
            text(season, &[memento(season, 3)]),
            text(season, &[room(RoomData::Result(result([(0, 1), (2, 3)], &[Team::Two]))), left()]),
        ];
        for (wanted, panics) in [(true, false), (true, true), (false, false)] {
            let settings = Settings { ponder: wanted, ..settings(season) };
            let mut player = Busy { panics, ..Busy::default() };
            let (outcome, sent) = run(&settings, &mut player, Slow(pieces.to_vec(), PAUSE));
            assert!(outcome.is_ok());
            assert_eq!(player.prepared, [2, 0]);
            assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
            let turns: Vec<u16> = player.pondered.iter().map(|(turn, _)| *turn).collect();
            assert_eq!(turns, if wanted { vec![1, 3] } else { vec![] });
            assert!(player.pondered.iter().all(|(_, time)| *time < 10 * WHILE), "{:?}", player.pondered);
        }
    }
}
