//! The clock.

use super::*;

/// Records when it was asked, and the deadline.
struct Watchful {
    asked: Vec<(Instant, Instant)>,
}

impl Player for Watchful {
    fn name(&self) -> &'static str {
        "watchful"
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        assert_eq!(position.rules(), Rules::Season2027);
        self.asked.push((Instant::now(), limit.deadline.unwrap()));
        panic!("no ideas");
    }
}

#[test]
fn clock_starts_with_request() {
    let season = Season::Season2027;
    let state = xml(season, &[joined(), memento(season, 0)]);
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let (beginning, end) = request.split_at(request.len() - 3);
    let mut player = Watchful { asked: Vec::new() };
    let slow = Slow(vec![state, beginning.to_owned(), end.to_owned()], WHILE);
    let (_, sent) = run(&settings(season), &mut player, slow);
    let [(asked, deadline)] = player.asked[..] else { panic!("asked {} times", player.asked.len()) };
    assert!(deadline <= asked + TIME && deadline > asked + TIME - WHILE);
    assert_eq!(names(&sent), ["join", "room"]);
}

/// Answers only after the client has sent a message. Publishes the last placement before if `publishes`.
struct Stuck {
    sent: Arc<AtomicUsize>,
    publishes: bool,
}

impl Player for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        let placements = position.board().placements(position.color());
        if self.publishes {
            limit.publish(placements[placements.len() - 1]);
        }
        let (before, begin) = (self.sent.load(Ordering::SeqCst), Instant::now());
        while self.sent.load(Ordering::SeqCst) == before && begin.elapsed() < 20 * WHILE {
            std::thread::sleep(Duration::from_millis(1));
        }
        Report::without_search(placements[0].into())
    }
}

/// Counts the messages that are sent.
struct Counter<'a>(&'a mut Vec<u8>, Arc<AtomicUsize>);

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
        let sent_messages = Arc::new(AtomicUsize::new(0));
        let mut player = Stuck { sent: sent_messages.clone(), publishes };
        let (mut output, begin) = (Vec::new(), Instant::now());
        let writer = Counter(&mut output, sent_messages);
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
