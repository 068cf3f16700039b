//! Programs at the board, seen on its page: those that play there, and the board itself on a disk that is full.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use board::service::Config;
use serde_json::json;
use tests::at_page::{READY, check, count, next_turn};
use tests::board_service::{Board, with_page};
use tests::driver::{Driver, Page};
use tests::{program, small_disk};
use tokio::runtime::Runtime;

const ENTER: char = '\u{e007}';

/// Begins a game of one player against itself.
async fn let_play(page: &Page, url: &str, opponent: &str, rules: &str) {
    page.go(url).await;
    page.click_on(&format!("input[name=opponent][value='{opponent}']")).await;
    page.click_on("input[name=team][value=watch]").await;
    page.click_on(&format!("input[name=rules][value='{rules}']")).await;
    page.click_on("form button[type=submit]").await;
    page.wait("return document.querySelector('#options select')").await;
}

const PACE: &str = "document.querySelector('#options select')";

/// Chooses the least time between two moves of programs.
async fn choose_pace(page: &Page, millis: u32) {
    page.ask(&format!("{PACE}.value = '{millis}'; {PACE}.dispatchEvent(new Event('change'))")).await;
}

#[test]
fn engines_with_the_text_protocol_and_clients_of_the_contest_play_whole_games() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    config.move_time = Duration::from_millis(20);
    let client = program::path("client").display().to_string();
    for (name, spec) in [
        ("engine", format!("gtp:'{client}' gtp --player heuristic")),
        ("client", format!("exec:'{client}' --season {{season}} --player heuristic")),
    ] {
        config.programs.insert(name.to_owned(), spec.parse().unwrap());
    }
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let page = driver.open(1400, 900).await;
        for (name, rules) in [("engine", "classic"), ("engine", "2027"), ("client", "2021"), ("client", "2027")] {
            let_play(&page, &board.url, &format!("program {name}"), rules).await;
            choose_pace(&page, 0).await;
            // What is wrong with a program stops the game and is said.
            let toast = "document.getElementById('toast').textContent";
            page.wait(&format!("return {toast} || /won|draw/.test(document.getElementById('status').textContent)"))
                .await;
            assert_eq!(page.ask(&format!("return {toast}")).await, json!(""), "{name}, {rules}");
            assert!(count(&page).await > 40, "{name}, {rules}: the game was short");
            let scores = page.ask("return document.getElementById('scores').innerText").await;
            assert!(scores.as_str().unwrap().contains(name), "{scores}");
        }
        check(&page).await;
        page.close().await;
        board.stop();
    });
}

#[test]
fn why_a_program_cannot_go_on_stays_on_the_page_as_long_as_its_game_is_stopped() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    config.programs.insert("broken".to_owned(), "gtp:false".parse().unwrap());
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let page = driver.open(390, 844).await;
        let_play(&page, &board.url, "program broken", "classic").await;
        let said = "return document.getElementById('said')?.innerText.startsWith('The program of Blue cannot go on: ')";
        page.wait(said).await;
        // The notice above the page goes, and whoever comes later sees it, too.
        page.wait("return document.getElementById('toast').textContent === ''").await;
        assert_eq!(page.ask(said).await, json!(true));
        let link = page.ask("return location.href").await;
        page.go(link.as_str().unwrap()).await;
        page.wait(said).await;
        check(&page).await;
        page.close().await;
        board.stop();
    });
}

/// How long the next moves take, in milliseconds.
async fn time_of_moves(page: &Page, moves: u64) -> f64 {
    let body = format!(
        "const count = () => document.querySelectorAll('#moves li').length;
         const [begun, before] = [performance.now(), count()];
         new MutationObserver(() => {{ if (count() >= before + {moves}) window.took ??= performance.now() - begun; }})
             .observe(document.getElementById('moves'), {{ childList: true }});
         delete window.took"
    );
    page.ask(&body).await;
    page.wait("return window.took ?? null").await.as_f64().unwrap()
}

#[test]
fn programs_play_each_other_at_the_pace_that_is_chosen_until_another_is() {
    with_page(1400, 900, async |page, board, folder| {
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        assert_eq!(page.ask(&format!("return {PACE}.value")).await, json!("0"), "against people they move at once");
        // Who watches wants to follow.
        let_play(page, &board.url, "1", "2027").await;
        let seen = count(page).await;
        assert!(seen < 10, "{seen} moves are made before anybody sees one");
        assert_eq!(page.ask(&format!("return {PACE}.value")).await, json!("1500"));
        let slow = time_of_moves(page, 3).await;
        assert!(slow > 2.0 * 1500.0, "three moves took {slow} ms");
        choose_pace(page, 500).await;
        // The browser remembers it for the next game, from its first move on.
        let_play(page, &board.url, "1", "2027").await;
        let seen = count(page).await;
        assert!(seen < 20, "{seen} moves are made before anybody sees one");
        assert_eq!(page.ask(&format!("return {PACE}.value")).await, json!("500"));
        let slow = time_of_moves(page, 5).await;
        // The first was under way already.
        assert!(slow > 4.0 * 500.0, "five moves took {slow} ms");
        // A service that was started anew is told of it.
        let address = board.address;
        board.stop();
        page.wait("return document.body.classList.contains('lost')").await;
        let board = Board::start(folder.join("games.sqlite"), Some(address));
        page.wait("return !document.body.classList.contains('lost')").await;
        let slow = time_of_moves(page, 5).await;
        assert!(slow > 4.0 * 500.0, "five moves took {slow} ms");
        choose_pace(page, 0).await;
        page.wait("return /won|draw/.test(document.getElementById('status').textContent)").await;
        check(page).await;
        board.stop();
    });
}

/// A process that ends with the test, however that ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_full_disk_is_said_nothing_is_lost_and_the_game_goes_on_when_there_is_room() {
    let Some(driver) = Driver::start() else { return };
    if !small_disk::can_be_made() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let child = small_disk::command(folder.path(), program::path("board"))
        .env(cli::VARIABLE, "")
        .args(["--no-open", "--port", "0", "--threads", "1", "--memory", "16", "--games"])
        .arg(folder.path().join("games.sqlite"))
        .stdout(Stdio::piped())
        .spawn();
    let mut child = Ended(child.unwrap());
    let mut url = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    Runtime::new().unwrap().block_on(async {
        let page = driver.open(1400, 900).await;
        page.go(url.trim()).await;
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form button[type=submit]").await;
        let play = async || {
            page.wait(READY).await;
            page.click_on(".take:enabled").await;
            page.press([ENTER]).await;
        };
        page.wait(READY).await;
        play().await;
        assert!(next_turn(&page, 0).await);

        let filling = small_disk::Filling::of(child.0.id(), folder.path());
        let toast = "document.getElementById('toast').textContent";
        let mut moves = count(&page).await;
        // What the database has taken already has room for a few moves.
        loop {
            play().await;
            page.wait(&format!("return {toast} || document.querySelectorAll('#moves li').length > {moves}")).await;
            if page.ask(&format!("return {toast}")).await != json!("") {
                break;
            }
            moves = count(&page).await;
        }
        assert_eq!(page.ask(&format!("return {toast}")).await, json!("The disk is full: nothing was changed."));
        let link = page.ask("return location.href").await;
        page.go(link.as_str().unwrap()).await;
        page.wait(READY).await;
        assert_eq!(count(&page).await, moves, "a move is lost, or one is there that was refused");

        filling.remove();
        play().await;
        assert!(next_turn(&page, moves).await);
        assert_eq!(count(&page).await, moves + 1);
        check(&page).await;
        page.close().await;
    });
}
