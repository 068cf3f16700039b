//! The engine as programs that speak the Go Text Protocol see it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::gtp::{Engine, MakePlayer, answer, serve};
use game::{Cell, Position, Rules};
use player::{Budget, Options};
use proptest::prelude::*;

fn engine(player: &str, rules: Rules, budget: Budget) -> Engine {
    let options = Options { memory: 16 << 20, ..Options::default() };
    let player = player.to_owned();
    let make: MakePlayer = Box::new(move |options: &Options| Ok(player::by_name(&player, options)?));
    Engine::new(make, rules, budget, options).unwrap()
}

/// The answer to a command that must succeed, without status.
fn ask(engine: &mut Engine, command: &str) -> String {
    let answer = answer(engine, command).unwrap();
    answer.strip_prefix('=').unwrap_or_else(|| panic!("`{command}` failed: {answer}")).trim().to_owned()
}

/// An answer with every time as if it were none, which it is not on a busy machine.
fn without_times(answer: &str) -> String {
    let line = |line: &str| if line.starts_with("ms ") { "ms 0\n".to_owned() } else { line.to_owned() };
    answer.split_inclusive('\n').map(line).collect()
}

/// Plays a session of commands, marked by `> `, and compares each answer with the lines below it.
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
        assert_eq!(answer, expected + "\n", "line {} of the session: {command}", number + 1);
        commands += 1;
    }
    assert_eq!(commands, session.matches("\n> ").count());
}

#[test]
fn conformance_session_is_answered() {
    replay(include_str!("../gtp/conformance.txt"), engine("random", Rules::Classic, Budget::UNLIMITED));
}

#[test]
fn seed_repeats_the_game() {
    let play = |engine: &mut Engine| [1, 2, 3, 4].map(|color| ask(engine, &format!("genmove {color}")));
    for level in ["", "level 3"] {
        let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
        if !level.is_empty() {
            ask(&mut engine, level);
        }
        let games = ["7", "8", "7"].map(|seed| {
            ask(&mut engine, &format!("set_random_seed {seed}"));
            ask(&mut engine, "clear_board");
            play(&mut engine)
        });
        assert_eq!(games[0], games[2]);
        assert_ne!(games[0], games[1]);
    }
}

#[test]
fn seed_keeps_parameters_and_level() {
    let mut engine = engine("mcts", Rules::Classic, Budget::nodes(10));
    ask(&mut engine, "param exploration 0.5");
    ask(&mut engine, "set_random_seed 7");
    assert_eq!(ask(&mut engine, "param exploration"), "0.5");
    ask(&mut engine, "level 6");
    ask(&mut engine, "set_random_seed 8");
    assert_eq!(ask(&mut engine, "level"), "6");
}

#[test]
fn disabled_book_stays_disabled() {
    let mut engine = engine("mcts", Rules::Season2027, Budget::nodes(10));
    assert_eq!(ask(&mut engine, "param use_book"), "1");
    engine.disable_book();
    for command in ["level 9", "set_random_seed 7", "clear_board"] {
        ask(&mut engine, command);
        assert_eq!(ask(&mut engine, "param book"), "0", "{command}");
    }
    ask(&mut engine, "param use_book 1");
    ask(&mut engine, "level 9");
    assert_eq!(ask(&mut engine, "param book"), "1");
}

#[test]
fn board_is_read_like_that_of_pentobi() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    for _ in 0..60 {
        let drawn = ask(&mut engine, "showboard").replace(['<', '>'], " ");
        let rows: Vec<&str> = drawn.lines().collect();
        assert_eq!(rows.len(), 21, "{drawn}");
        for (y, row) in rows[..20].iter().enumerate() {
            let words: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(words[0], (20 - y).to_string());
            for (x, word) in words[1..21].iter().enumerate() {
                let color = engine.game().position().board().color_at(Cell::new(x as i32, y as i32).unwrap());
                let letters = color.map_or(&[".", "+"][..], |color| &["X", "O", "#", "@"][color as usize..][..1]);
                assert!(letters.contains(word), "{drawn}");
            }
        }
        ask(&mut engine, "g");
    }
}

#[test]
fn two_engines_play_whole_games_with_each_other() {
    for rules in Rules::ALL {
        let mut engines = ["random", "heuristic"].map(|player| engine(player, rules, Budget::UNLIMITED));
        let [one, two] = &mut engines;
        ask(two, &format!("position {}", ask(one, "position")));
        let start = ask(one, "position");
        let mut plies = 0;
        while !one.game().position().is_over() {
            let color = one.game().position().color();
            let [mover, other] = if plies % 2 == 0 { [&mut *one, &mut *two] } else { [&mut *two, &mut *one] };
            let legal = ask(mover, &format!("all_legal {color}"));
            let mv = ask(mover, &format!("genmove {color}"));
            assert!(legal.lines().any(|line| line == mv), "{mv}");
            ask(other, &format!("play {color} {mv}"));
            plies += 1;
        }
        assert!(plies > 20);
        for command in ["position", "final_score", "showboard"] {
            assert_eq!(ask(one, command), ask(two, command));
        }
        (0..plies).for_each(|_| _ = ask(two, "undo"));
        assert_eq!(ask(two, "position"), start);
    }
}

#[test]
fn the_last_search_is_reported() {
    let mut engine = engine("mcts", Rules::Season2027, Budget::UNLIMITED);
    ask(&mut engine, "param book 0");
    ask(&mut engine, "nodes_per_move 500");
    let mv = ask(&mut engine, "genmove 1");
    let line = ask(&mut engine, "principal_variation");
    assert_eq!(line.lines().next(), Some(&*format!("1 {mv}")));
    assert!(line.lines().count() > 1, "{line}");
    let evaluation = ask(&mut engine, "evaluation");
    let values: Vec<(&str, f32)> = evaluation
        .lines()
        .map(|line| line.split_once(' ').map(|(name, value)| (name, value.parse().unwrap())).unwrap())
        .collect();
    let [("win", win), ("margin", margin)] = values[..] else { panic!("{evaluation}") };
    assert!((0.0..=1.0).contains(&win) && margin.abs() <= 218.0, "{evaluation}");
    let info = ask(&mut engine, "search_info");
    let nodes = info.lines().next().and_then(|line| line.strip_prefix("nodes ")).unwrap();
    // A search that is decided ends early.
    assert!((1..=500).contains(&nodes.parse().unwrap()), "{info}");
}

#[test]
fn parameters_are_read_and_set() {
    let mut engine = engine("mcts", Rules::Season2027, Budget::UNLIMITED);
    let list = ask(&mut engine, "param");
    let name = "exploration";
    let value = list.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap();
    assert_eq!(ask(&mut engine, &format!("param {name}")), value);
    ask(&mut engine, &format!("param {name} 0.5"));
    assert_eq!(ask(&mut engine, &format!("param {name}")), "0.5");
    for (command, expected) in [
        ("param speed".to_owned(), "? there is no parameter `speed`\n\n".to_owned()),
        ("param speed 1".to_owned(), "? there is no parameter `speed`\n\n".to_owned()),
        (format!("param {name} fast"), format!("? parameter `{name}` must be a number from 0 to 10, not `fast`\n\n")),
        (format!("param {name} 1 2"), "? `2`: expected no further argument\n\n".to_owned()),
    ] {
        assert_eq!(answer(&mut engine, &command).unwrap(), expected);
    }
    assert!(
        answer(&mut engine, &format!("param {name} NaN")).unwrap().contains("must be a number from 0 to 10, not `NaN`")
    );
}

#[test]
fn every_command_is_explained() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let (help, names) = (ask(&mut engine, "help"), ask(&mut engine, "list_commands"));
    assert!(help.lines().map(|line| line.split(' ').next().unwrap()).eq(names.lines()), "{help}");
    let guide = include_str!("../../../docs/gtp.md");
    for (line, name) in help.lines().zip(names.lines()) {
        assert!(line.len() <= 80, "{line}");
        assert_eq!(ask(&mut engine, &format!("help {name}")), line);
        assert!(
            guide.contains(&format!("`{name}`")) || guide.contains(&format!("`{name} ")),
            "docs/gtp.md lacks {name}"
        );
    }
    assert_eq!(answer(&mut engine, "help fly").unwrap(), "? unknown command `fly`; `help` lists all\n\n");
}

#[test]
fn levels_play_on_with_the_same_game() {
    let mut engine = engine("random", Rules::Season2027, Budget::nodes(300));
    assert_eq!(ask(&mut engine, "level"), "-");
    let colors = ["blue", "yellow", "red", "green"];
    for level in 1..=9 {
        ask(&mut engine, &format!("level {level}"));
        assert_eq!(ask(&mut engine, "level"), level.to_string());
        ask(&mut engine, &format!("genmove {}", colors[(level - 1) % 4]));
        assert_eq!(usize::from(engine.game().position().turn()), level);
    }
    // The highest one searches.
    assert_eq!(engine.last_search().map(|last| last.report.nodes > 100).ok(), Some(true));
    for level in ["0", "10", "-1", "x"] {
        let answer = answer(&mut engine, &format!("level {level}")).unwrap();
        assert_eq!(answer, format!("? `{level}`: expected a level from 1 to 9\n\n"));
    }
}

#[test]
fn colours_are_told_by_letters_but_not_by_those_of_go() {
    let mut engine = engine("random", Rules::Season2027, Budget::nodes(1));
    for color in ["b", "Y", "r", "g"] {
        ask(&mut engine, &format!("genmove {color}"));
    }
    for color in ["w", "W", "white", "black"] {
        let answer = answer(&mut engine, &format!("genmove {color}")).unwrap();
        assert!(answer.starts_with(&format!("? `{color}`: Blokus has neither black nor white; expected")), "{answer}");
    }
}

#[test]
fn limits_hold_for_every_move() {
    let mut engine = engine("mcts", Rules::Season2021, Budget::nodes(10));
    ask(&mut engine, "param book 0");
    ask(&mut engine, "genmove 1");
    assert!(ask(&mut engine, "search_info").starts_with("nodes 10\n"));
    ask(&mut engine, "nodes_per_move 0");
    ask(&mut engine, "time_per_move 30");
    let begin = Instant::now();
    ask(&mut engine, "genmove 2");
    // Far below the default of 1.9 s, however busy the machine.
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
    assert!(answer(&mut engine, "time_per_move -1").unwrap().starts_with("? `-1`: expected a number"));
}

#[test]
fn input_ends_with_quit_or_by_itself() {
    for (input, output) in [
        ("1 protocol_version\nquit\nname\n", "=1 2\n\n= \n\n"),
        ("protocol_version", "= 2\n\n"),
        ("\u{feff}x\n", "? unknown command `\u{feff}x`; `help` lists all\n\n"),
    ] {
        let mut written = Vec::new();
        serve(&mut engine("random", Rules::Classic, Budget::UNLIMITED), input.as_bytes(), &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), output);
    }
}

#[test]
fn the_program_is_an_engine() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_client"))
        .args(["gtp", "--game", "Blokus Two-Player", "--player", "random", "--seed", "1", "--memory", "16"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1 version\n\xff\n2 genmove 1\n3 cputime\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    // What failed is in the answer and need not be said twice.
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = text.split("\n\n").collect();
    let [version, garbage, mv, time, quit, ""] = answers[..] else { panic!("{text}") };
    assert_eq!(version, format!("=1 {}", env!("CARGO_PKG_VERSION")));
    assert!(garbage.starts_with("? unknown command"));
    assert!(mv.split(',').any(|point| point.ends_with("a20")), "{mv}");
    assert!(time.strip_prefix("=3 ").unwrap().parse::<f64>().is_ok_and(|seconds| seconds >= 0.0), "{time}");
    assert_eq!(quit, "= ");
}

/// Anything that could be an argument.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "1",
        "2",
        "blue",
        "GREEN",
        "pass",
        "a20",
        "t20,s20",
        "a1,a2,a3,a4,a5",
        "b19",
        "0",
        "5",
        "-1",
        "NaN",
        "1e99",
        "2021",
        "2027",
        "Blokus Two-Player",
        "classic",
        "PENTO_W",
        "MONO",
        "exploration",
        "99999999999999999999",
        "\"Blokus Two-Player\"",
        "\"a20 b20",
        "use_book",
        "resign",
        "2027 PENTO_W 95 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20",
        "classic - 65535 BG Y 1Y18/R19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/G19",
        "classic - 4 B - 1Y18/R19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20",
    ];
    prop_oneof![4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

fn line(commands: Vec<String>) -> impl Strategy<Value = String> {
    let command = (proptest::sample::select(commands), proptest::collection::vec(word(), 0..4))
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")));
    let genmove = (1..5).prop_map(|color| format!("genmove {color}"));
    prop_oneof![6 => command, 3 => genmove, 1 => any::<String>()]
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let list = ask(&mut engine("random", Rules::Classic, Budget::UNLIMITED), "list_commands");
    // Files with strange names are not to be left behind.
    let commands = list.lines().filter(|&name| name != "savesgf").map(str::to_owned).collect();
    proptest::collection::vec(line(commands), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_lines_are_answered(lines in lines()) {
        let mut engine = engine("random", Rules::Season2027, Budget::nodes(1));
        for line in lines {
            let before = *engine.game().position();
            let Some(answer) = answer(&mut engine, &line) else { continue };
            prop_assert!(answer.starts_with(['=', '?']), "{line:?}: {answer:?}");
            prop_assert_eq!(answer.find("\n\n"), Some(answer.len() - 2), "{:?}: {:?}", line, answer);
            let position = *engine.game().position();
            prop_assert!(answer.starts_with('=') || position == before, "{line:?} failed and changed the position");
            prop_assert_eq!(position.to_string().parse::<Position>(), Ok(position));
        }
    }
}

#[test]
fn four_players_count_alone() {
    let mut engine = engine("random", Rules::Season2027, Budget::UNLIMITED);
    for command in ["set_game Blokus", "play 1 a20,b20", "play 2 t20", "play 3 t1,s1,r1", "play 4 a1"] {
        ask(&mut engine, command);
    }
    assert_eq!(ask(&mut engine, "final_score"), "2 1 3 1");
    assert!(ask(&mut engine, "genmove 1").starts_with(|letter: char| letter.is_ascii_lowercase()));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("\"{}\"", folder.path().join("my # game.blksgf").display());
    for rules in Rules::ALL {
        let mut played = engine("random", rules, Budget::UNLIMITED);
        for ply in 0..40 {
            let color = played.game().position().color();
            ask(&mut played, &format!("genmove {color}"));
            if ply == 20 {
                // What is taken back is not in the file.
                ask(&mut played, "undo");
            }
        }
        ask(&mut played, &format!("savesgf {path}"));
        let end = ask(&mut played, "position");
        let mut loaded = engine("random", Rules::Classic, Budget::UNLIMITED);
        ask(&mut loaded, &format!("loadsgf {path}"));
        assert_eq!(ask(&mut loaded, "position"), end);
        // Before the fifth move, which can be taken back as if it had been played.
        ask(&mut loaded, &format!("loadsgf {path} 5"));
        (0..39 - 4).for_each(|_| _ = ask(&mut played, "undo"));
        assert_eq!(ask(&mut loaded, "position"), ask(&mut played, "position"));
        (0..4).for_each(|_| _ = ask(&mut loaded, "undo"));
        assert_eq!(answer(&mut loaded, "undo").unwrap(), "? there is no move to undo\n\n");
    }
    let names: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["my # game.blksgf"]);
    let path = folder.path().join("game.blksgf").display().to_string();
    // Only the main line up to the move counts, not an illegal move in a variation or later.
    std::fs::write(&path, "(;GM[Blokus Two-Player];1[a20](;2[t20];3[t20])(;2[t19]))x").unwrap();
    let mut loaded = engine("random", Rules::Classic, Budget::UNLIMITED);
    ask(&mut loaded, &format!("loadsgf {path} 3"));
    assert_eq!(loaded.game().position().turn(), 2);
    let refused = answer(&mut loaded, &format!("loadsgf {path}")).unwrap();
    assert!(refused.starts_with('?') && refused.contains("line 1: RED MONO@19,0: a cell is covered"), "{refused}");
    std::fs::write(&path, "(;GM[1])").unwrap();
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    for (command, part) in [
        (format!("loadsgf {path}"), "line 1: `1` is another game"),
        (format!("loadsgf {path}.none"), ".none: cannot read the file"),
        (format!("loadsgf {path} 0"), "expected the number of a move"),
        ("savesgf /there/is/no/such/folder".to_owned(), "cannot write /there/is/no/such/folder"),
        ("savesgf".to_owned(), "expected the name of a file"),
    ] {
        let refused = answer(&mut engine, &command).unwrap();
        assert!(refused.starts_with('?') && refused.contains(part), "{refused}");
    }
    assert_eq!(
        ask(&mut engine, "position"),
        "classic - 0 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20"
    );
}

#[test]
fn lines_without_end_are_refused() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let long = format!("7 play 1 {}", "a1,".repeat(1 << 20));
    let input = format!("{long}\nname\n9{long}");
    let mut output = Vec::new();
    serve(&mut engine, input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "?7 the line is too long\n\n= client random\n\n?97 the line is too long\n\n");
}
