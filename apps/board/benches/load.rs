//! Load test of the service: `cargo bench -p board --bench load [-- GAMES]`.
//!
//! Prints the memory of an idle game with a watcher, and the times until a hint and the answer to a move, first without
//! other games and then while programs play GAMES games (50 by default) with two watchers each.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[path = "../tests/it/running.rs"]
mod running;

use running::{Client, Program, Running, four, people, play};

/// Number of games for the measurement of memory.
const IDLE_GAMES: u64 = 200;

/// The level of the programs: about 2 ms a move.
const LEVEL: u8 = 6;

/// Watches until the game is over. Returns the number of views.
fn watch(mut watcher: Client) -> u64 {
    let mut seen = 0;
    watcher.view(|view| {
        seen += 1;
        view["has_ended"] == true
    });
    seen
}

/// Prints the times until the first candidates of a hint and until the confirmation of a move.
fn print_times(service: &Running, when: &str) {
    let mut player = service.connect(&service.create(&people())("host"));
    let begin = Instant::now();
    player.send(&json!({ "type": "hint", "time": 300 }));
    let has_candidates = |view: &Value| view["insight"]["candidates"][0].is_object();
    let view = player.view(has_candidates);
    let hint = begin.elapsed();
    player.send(&json!({ "type": "stop" }));
    let mv = view["insight"]["candidates"][0]["move"].as_str().expect("a candidate has a move");
    let begin = Instant::now();
    assert_eq!(player.act(&play(mv), view["version"].as_u64())["type"], "done");
    let mv: Duration = begin.elapsed();
    println!("{when}: first candidates of a hint after {hint:.0?}, a move confirmed after {mv:.1?}");
}

fn main() {
    // Cargo adds options.
    let games = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(50);
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let program = Program::start(&folder.path().join("games.sqlite"), &[]);
    let service = &program.service;

    let before = program.memory();
    let idle: Vec<_> = (0..IDLE_GAMES).map(|_| service.connect(&service.create(&people())("watch"))).collect();
    println!("{} KiB for an idle game with a watcher", program.memory().saturating_sub(before) / IDLE_GAMES);
    drop(idle);

    print_times(service, "with nothing else going on");

    let begin = Instant::now();
    let new = json!({ "rules": "2027", "seats": four(&json!({ "kind": "level", "level": LEVEL })) });
    let tokens = (0..games).flat_map(|_| {
        let links = service.create(&new);
        let mut host = service.connect(&links("host"));
        host.send(&json!({ "type": "pace", "time": 0 }));
        host.until(|message| message["pace"] == 0);
        [links("watch"), links("watch")]
    });
    let watchers = tokens.map(|token| service.connect(&token)).map(|watcher| thread::spawn(move || watch(watcher)));
    let watchers: Vec<_> = watchers.collect();
    print_times(service, &format!("with {games} games of programs, each watched by two"));
    let seen: u64 = watchers.into_iter().map(|watcher| watcher.join().expect("no watcher panics")).sum();
    let time = begin.elapsed().as_secs_f64();
    println!("{games} games in {time:.1} s; {:.0} views a second; {} KiB", seen as f64 / time, program.memory());
}
