//! The engine as programs that speak the Go Text Protocol see it.

mod files;
mod game_commands;
mod lines;
mod player_commands;
mod sessions;

use client::gtp::{Engine, MakePlayer, answer, serve};
use game::Rules;
use player::{Budget, Options};

/// Creates an engine like `client gtp --player NAME --seed 1`.
fn engine(player: &str, rules: Rules, budget: Budget) -> Engine {
    let options = Options { seed: 1, memory: 16 << 20, ..Options::default() };
    let player = player.to_owned();
    let make: MakePlayer = Box::new(move |options: &Options| player::by_name(&player, options).unwrap());
    Engine::new(make, rules, budget, options)
}

/// Returns the answer to a command that must succeed, without status.
fn ask(engine: &mut Engine, command: &str) -> String {
    let answer = answer(engine, command).unwrap();
    answer.strip_prefix('=').unwrap_or_else(|| panic!("`{command}` failed: {answer}")).trim().to_owned()
}
