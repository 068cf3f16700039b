//! Recorded sessions.

use super::*;

/// Returns the answer with all times set to zero.
fn without_times(answer: &str) -> String {
    let line = |line: &str| if line.starts_with("ms ") { "ms 0\n".to_owned() } else { line.to_owned() };
    answer.split_inclusive('\n').map(line).collect()
}

/// Sends the commands of a session, marked by `> `, and compares each answer with the lines below it.
fn replay(session: &str, mut engine: Engine) {
    let mut lines = session.lines().enumerate();
    let mut commands = 0;
    while let Some((number, line)) = lines.next() {
        let Some(command) = line.strip_prefix("> ") else { continue };
        let expected: String = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        let answer = answer(&mut engine, command).unwrap();
        let answer = if command == "cputime" { "= 0\n\n".to_owned() } else { without_times(&answer) };
        assert_eq!(answer, expected + "\n", "line {}: {command}", number + 1);
        commands += 1;
    }
    assert_eq!(commands, session.matches("\n> ").count());
    assert!(engine.has_quit());
}

#[test]
fn answers_like_recorded_sessions() {
    for (session, player) in [
        (include_str!("../../gtp/conformance.txt"), "random"),
        (include_str!("../../gtp/parameters.txt"), "mcts"),
        // Pentobi's twogtp, and the tests of gogui-regress.
        (include_str!("../../gtp/twogtp.txt"), "random"),
        (include_str!("../../gtp/gogui-regress.txt"), "heuristic"),
    ] {
        replay(session, engine(player, Rules::Classic, Budget::UNLIMITED));
    }
}
