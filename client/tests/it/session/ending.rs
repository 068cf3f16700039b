//! The end of a session.

use super::silence::Silent;
use super::*;

/// The official test program counts a client as crashed if the client ends before the test program has read the result.
#[test]
fn stays_for_linger_time() {
    let linger = Duration::from_millis(300);
    let settings = Settings { linger, ..settings(Season::Season2021) };
    let server = xml(Season::Season2021, &[joined(), room(RoomData::Result(result([(2, 5), (0, 4)], &[]))), left()]);
    let play = |server: &mut dyn Read, stop_when_over: bool| {
        let (mut output, stop) = (Vec::new(), AtomicBool::new(false));
        let mut over = None;
        let outcome = play(&settings, &mut random(), server, &mut output, &stop, &mut |event| {
            if let SessionEvent::Over(outcome) = event {
                over = Some((outcome.clone(), Instant::now()));
                stop.store(stop_when_over, Ordering::Relaxed);
            }
        });
        let (told, since) = over.expect("it is told that the game is over");
        assert_eq!(outcome.unwrap(), told);
        assert_eq!(names(&sent(&output)).last(), Some(&Season::Season2021.close_element()));
        since.elapsed()
    };
    assert!(play(&mut Silent(server.as_bytes()), false) >= linger);
    assert!(play(&mut Silent(server.as_bytes()), true) < linger, "it was told to stop");
    assert!(play(&mut Cursor::new(&server), false) < linger, "the server hung up");
}

#[test]
fn closes_session_when_stopped() {
    for &season in Season::ALL {
        // While it waits, before and in the game.
        for messages in [vec![], vec![joined(), room(RoomData::Welcome(Team::Two)), memento(season, 0)]] {
            let (server, mut output) = (xml(season, &messages), Vec::new());
            let stop = AtomicBool::new(false);
            let mut reads = 0;
            let reader = Hook(Silent(server.as_bytes()), || {
                reads += 1;
                stop.store(reads > 3, Ordering::Relaxed);
            });
            let error = play(&settings(season), &mut random(), reader, &mut output, &stop, &mut |_| {}).unwrap_err();
            assert!(matches!(error, SessionError::Stopped), "{error}");
            assert_eq!(names(&sent(&output)), ["join", season.close_element()]);
            assert!(String::from_utf8(output).unwrap().ends_with("</protocol>"));
        }
        // While it thinks: the move is not sent.
        let messages = [joined(), memento(season, 0), room(RoomData::MoveRequest)];
        let stop = AtomicBool::new(false);
        let mut player = FnPlayer(|position: &Position, limit: &SearchLimits| {
            stop.store(true, Ordering::Relaxed);
            random().choose(position, limit)
        });
        let mut output = Vec::new();
        let server = Cursor::new(xml(season, &messages));
        let error = play(&settings(season), &mut player, server, &mut output, &stop, &mut |_| {}).unwrap_err();
        assert!(matches!(error, SessionError::Stopped), "{error}");
        assert_eq!(names(&sent(&output)), ["join", season.close_element()]);
    }
}

/// A reader that calls a function before each read.
struct Hook<R, F>(R, F);

impl<R: Read, F: FnMut()> Read for Hook<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1();
        self.0.read(buffer)
    }
}

/// A connection that takes this number of writes.
struct Broken(usize);

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn result_arrives_after_output_breaks() {
    let season = Season::Season2027;
    let result = result([(2, 5), (0, 4)], &[Team::One]);
    let messages = [joined(), memento(season, 0), room(RoomData::MoveRequest), room(RoomData::Result(result)), left()];
    let server = xml(season, &messages);
    for writes in 0..3 {
        let stop = AtomicBool::new(false);
        let outcome =
            play(&settings(season), &mut random(), server.as_bytes(), Broken(writes), &stop, &mut |_| {}).unwrap();
        assert_eq!(outcome.result.unwrap().winners, [Team::One], "{writes} writes");
    }
}
