//! Input of all kinds.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;

use super::*;

#[test]
fn quit_or_end_of_input_ends_engine() {
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
fn rejects_endless_lines() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let long = format!("7 play 1 {}", "a1,".repeat(1 << 20));
    let input = format!("{long}\nname\n9{long}");
    let mut output = Vec::new();
    serve(&mut engine, input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "?7 the line is too long\n\n= client random\n\n?97 the line is too long\n\n");
}

#[test]
fn program_answers_commands() {
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
    // The answer names the failure, so that standard error does not have to.
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

/// A possible argument.
fn word() -> impl Strategy<Value = String> {
    let short = "1 2 blue GREEN pass a20 t20,s20 a1,a2,a3,a4,a5 b19 0 5 -1 NaN 1e99 2021 2027 classic PENTO_W MONO \
        exploration 99999999999999999999 use_book resign";
    let long = [
        "Blokus Two-Player",
        "\"Blokus Two-Player\"",
        "\"a20 b20",
        "2027 PENTO_W 95 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20",
        "classic - 65535 BG Y 1Y18/R19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/G19",
        "classic - 4 B - 1Y18/R19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20",
    ];
    let words = short.split(' ').chain(long).collect::<Vec<_>>();
    prop_oneof![4 => proptest::sample::select(words).prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

fn line(commands: Vec<String>) -> impl Strategy<Value = String> {
    let command = (proptest::sample::select(commands), proptest::collection::vec(word(), 0..4))
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")));
    let genmove = (1..5).prop_map(|color| format!("genmove {color}"));
    prop_oneof![6 => command, 3 => genmove, 1 => any::<String>()]
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let list = ask(&mut engine("random", Rules::Classic, Budget::UNLIMITED), "list_commands");
    // `savesgf` would leave files with strange names.
    let commands = list.lines().filter(|&name| name != "savesgf").map(str::to_owned).collect();
    proptest::collection::vec(line(commands), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn answers_any_lines(lines in lines()) {
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
