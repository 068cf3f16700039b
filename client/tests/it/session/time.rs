//! The clock.

use super::*;

#[test]
fn clock_starts_with_request() {
    let season = Season::Season2027;
    let state = xml(season, &[joined(), memento(season, 0)]);
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let (beginning, end) = request.split_at(request.len() - 3);
    let mut times = Vec::new();
    let mut player = FnPlayer(|position: &Position, limit: &SearchLimits| {
        assert_eq!(position.rules(), Rules::Season2027);
        times.push((Instant::now(), limit.deadline.unwrap()));
        panic!("no ideas");
    });
    let slow = Slow(vec![state, beginning.to_owned(), end.to_owned()], WHILE);
    let (_, sent) = run(&settings(season), &mut player, slow);
    let [(asked, deadline)] = times[..] else { panic!("asked {} times", times.len()) };
    assert!(deadline <= asked + TIME && deadline > asked + TIME - WHILE);
    assert_eq!(names(&sent), ["join", "room"]);
}

/// Counts the messages that are sent.
struct Counter<'a>(&'a mut Vec<u8>, &'a AtomicUsize);

impl Write for Counter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[test]
fn answers_for_stuck_player_at_deadline() {
    let season = Season::Season2027;
    let request = || room(RoomData::MoveRequest);
    // The clock of the second request starts with a read of its own.
    let first = xml(season, &[joined(), memento(season, 0), request()]);
    let second = text(season, &[memento(season, 2), request(), left()]);
    let time = 3 * WHILE / 2;
    let settings = Settings { budget: Budget::time(time), ..settings(season) };
    for publishes in [true, false] {
        let count = AtomicUsize::new(0);
        // Answers only after the client has sent a message.
        let mut player = FnPlayer(|position: &Position, limit: &SearchLimits| {
            let placements = position.board().placements(position.color());
            if publishes {
                limit.publish(placements[placements.len() - 1]);
            }
            let (before, begin) = (count.load(Ordering::SeqCst), Instant::now());
            while count.load(Ordering::SeqCst) == before && begin.elapsed() < 20 * WHILE {
                std::thread::sleep(Duration::from_millis(1));
            }
            Report::without_search(placements[0].into())
        });
        let (mut output, begin) = (Vec::new(), Instant::now());
        let writer = Counter(&mut output, &count);
        let server = Cursor::new(&first).chain(Cursor::new(&second));
        play(&settings, &mut player, server, writer, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert!(begin.elapsed() > time, "two searches of more than half the time");
        let sent = sent(&output);
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
        for (message, turns) in sent[1..3].iter().zip([0, 2]) {
            let ServerMessage::Room { data: RoomData::Memento(state), .. } = memento(season, turns) else { panic!() };
            let ClientMessage::Move { mv, .. } = ClientMessage::parse(message, season).unwrap() else { panic!() };
            let position = state.position;
            let placements = position.board().placements(position.color());
            let expected = match publishes {
                true => placements.last().copied().unwrap().into(),
                false => HeuristicPlayer::new(&Options::default()).choose(&position, &SearchLimits::UNLIMITED).mv,
            };
            assert_eq!(mv.check(&position).unwrap(), expected, "turn {turns}, publishes: {publishes}");
            assert_ne!(expected, placements[0].into(), "the late report");
        }
    }
}
