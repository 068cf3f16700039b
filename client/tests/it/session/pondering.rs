//! Work in the time of the opponent.

use super::*;

const PAUSE: Duration = Duration::from_millis(5);

/// Ponders until it is stopped and plays at random.
struct Thoughtful {
    panics: bool,
    /// The turns of the positions with the time spent.
    pondered: Vec<(u16, Duration)>,
}

impl Player for Thoughtful {
    fn name(&self) -> &'static str {
        "thoughtful"
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        random().choose(position, limit)
    }

    fn ponder(&mut self, position: &Position, _: &SearchLimits, stop: &AtomicBool) {
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        self.pondered.push((position.turn(), begin.elapsed()));
        assert!(!self.panics, "too many thoughts");
    }
}

/// Prepares until it is stopped and plays at random.
struct Prepared {
    panics: bool,
    asked: bool,
    /// Number of preparations before and after the first move.
    times: [usize; 2],
}

impl Player for Prepared {
    fn name(&self) -> &'static str {
        "prepared"
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.times[usize::from(self.asked)] += 1;
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        assert!(!self.panics, "not ready");
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        self.asked = true;
        random().choose(position, limit)
    }
}

#[test]
fn prepares_before_first_move() {
    let season = Season::Season2027;
    let request = || room(RoomData::MoveRequest);
    let pieces = [
        xml(season, &[joined()]),
        text(season, &[room(RoomData::Welcome(Team::Two)), memento(season, 0)]),
        text(season, &[memento(season, 1), request()]),
        text(season, &[memento(season, 2)]),
        text(season, &[left()]),
    ];
    for panics in [false, true] {
        let mut player = Prepared { panics, asked: false, times: [0; 2] };
        let (outcome, sent) = run(&settings(season), &mut player, Slow(pieces.to_vec(), PAUSE));
        assert!(outcome.is_ok());
        assert_eq!(player.times, [3, 0]);
        assert_eq!(names(&sent), ["join", "room", season.close_element()]);
    }
}

#[test]
fn ponders_in_opponents_time() {
    for season in Season::ALL {
        let request = || room(RoomData::MoveRequest);
        let pieces = [
            xml(season, &[joined(), room(RoomData::Welcome(Team::One)), memento(season, 0), request()]),
            text(season, &[memento(season, 1)]),
            text(season, &[memento(season, 2), request()]),
            text(season, &[memento(season, 3)]),
            text(season, &[room(RoomData::Result(result([(0, 1), (2, 3)], &[Team::Two]))), left()]),
        ];
        for (wanted, panics) in [(true, false), (true, true), (false, false)] {
            let settings = Settings { ponder: wanted, ..settings(season) };
            let mut player = Thoughtful { panics, pondered: Vec::new() };
            let (outcome, sent) = run(&settings, &mut player, Slow(pieces.to_vec(), PAUSE));
            assert!(outcome.is_ok());
            assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
            let turns: Vec<u16> = player.pondered.iter().map(|(turn, _)| *turn).collect();
            assert_eq!(turns, if wanted { vec![1, 3] } else { vec![] });
            assert!(player.pondered.iter().all(|(_, time)| *time < 10 * WHILE), "{:?}", player.pondered);
        }
    }
}
