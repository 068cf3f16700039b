//! Makes a picture of the page of the board: a game between two players, analysed, before one of its middle moves.
//!
//!     cargo run --release -p tests --example board_picture -- docs/board.png

use std::env;
use std::fs;
use std::time::Duration;

use anyhow::Context;
use board::service::{Config, Service};
use game::{Piece, Position, Rules};
use player::{FromOptions, HeuristicPlayer, Options, Player};
use record::{Game, NodeId, json};
use tests::at_page::drop_file;
use tests::driver::Driver;

/// How many moves lead to the position in the picture.
const PLIES: usize = 42;

/// The first moves of a game.
fn game() -> anyhow::Result<Game> {
    let mut players = [1, 2].map(|seed| HeuristicPlayer::new(&Options { seed, ..Options::default() }));
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    let mut game = Game::new(position);
    let mut at = NodeId::START;
    for _ in 0..PLIES {
        let mv = players[position.color().team() as usize].choose(&position, &player::Limit::UNLIMITED).mv;
        at = game.play(at, mv)?;
        position.play(mv);
    }
    Ok(game)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let path = env::args().nth(1).context("say where the picture is to be written")?;
    let driver = Driver::start().context("there is no Chromium, or no chromedriver")?;
    let folder = tempfile::tempdir()?;
    let mut config = Config::new(folder.path().join("games.sqlite"));
    config.hint_time = Duration::from_secs(4);
    let service = Service::start(&config).await?;
    let url = service.url();
    tokio::spawn(service.run(std::future::pending()));

    let page = driver.open(1280, 800).await;
    page.go(&url).await;
    page.wait("return document.querySelector('form') !== null").await;
    drop_file(&page, "game.jsonl", &(json::write(&game()?) + "\n")).await;
    page.wait("return document.querySelector('#moves li')").await;
    // At the usual time it would take longer than the half minute for which a page is waited for.
    page.ask("const time = document.querySelector('#analysis select'); time.value = '100'; time.dispatchEvent(new Event('change'))").await;
    page.click_on("#analysis button.main").await;
    page.wait("return document.querySelector('progress')").await;
    page.wait("return document.querySelector('.graphbox') && !document.querySelector('progress')").await;
    page.click_on("#tools button:nth-child(3)").await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    page.ask("scrollTo(0, 0); document.activeElement.blur()").await;
    fs::write(&path, page.picture().await).with_context(|| format!("cannot write {path}"))?;
    page.close().await;
    Ok(())
}
