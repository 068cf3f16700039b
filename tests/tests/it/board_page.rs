//! The page of the board in a real browser: games by mouse and by keyboard alone, a replay, a lost connection.

use std::fs;
use std::iter;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use arena::played::PlayedGame;
use board::service::{Config, GameServer};
use board::session::{Insight, Seats, Session, TimeControl};
use game::{Piece, Position, Rules, Team};
use player::{FromOptions, Limit, Options, Player, RandomPlayer, Report};
use record::{Fault, FaultKind, Game, NodeId};
use serde_json::{Value, json};
use server::Server;
use tests::at_page::{
    DOTS, MIDDLE, POINTS, READY, check, count, draws_as_fast_while, drop_file, fits, next_turn, play_by_mouse, status,
    tool,
};
use tests::board_service::{Board, with_browser, with_page};
use tests::driver::{Driver, Page, Setup, place_of};
use tests::{program, recordings};
use tokio::runtime::Runtime;

/// Keys without letters, as WebDriver calls them.
const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';

async fn play_by_keyboard(page: &Page, _: Board, _: &Path) {
    // To the list of levels, to the lowest, and off.
    let is_level = "return document.activeElement.name === 'opponent'";
    for _ in 0..10 {
        page.press([TAB]).await;
        if page.ask(is_level).await == json!(true) {
            break;
        }
    }
    page.press([LEFT, LEFT, ENTER]).await;
    page.wait(READY).await;
    assert!(page.ask("return document.body.innerText.includes('Level 1')").await == json!(true));
    let mut moves = 0;
    loop {
        let is_piece = "return document.activeElement.matches('.take:enabled')";
        for _ in 0..60 {
            if page.ask(is_piece).await == json!(true) {
                break;
            }
            page.press([TAB]).await;
        }
        page.press([ENTER]).await;
        let mut dots = page.ask(DOTS).await;
        for n in 1..=8 {
            if !dots.as_array().unwrap().is_empty() {
                break;
            }
            page.press([if n == 4 { 'f' } else { 'r' }]).await;
            dots = page.ask(DOTS).await;
        }
        let dots = dots.as_array().unwrap().clone();
        walk_to_a_place(page, &dots[moves as usize % dots.len()]).await;
        page.press([ENTER]).await;
        if !next_turn(page, moves).await {
            break;
        }
        moves = count(page).await;
    }
    assert!(count(page).await > 40, "the game was short");
    check(page).await;
}

/// Moves the piece by arrows until the cell by which it is held is on a dot. Which cell that is, nobody sees: it fits
/// there.
async fn walk_to_a_place(page: &Page, dot: &Value) {
    let cells = "return [...document.querySelectorAll('.hand rect')].map((cell) => [cell.x.baseVal.value, cell.y.baseVal.value])";
    let (x, y) = (dot[2].as_f64().unwrap() - 0.5, dot[3].as_f64().unwrap() - 0.5);
    let count = page.ask(cells).await.as_array().unwrap().len();
    for n in 0..count {
        let (from_x, from_y) = place_of(&page.ask(cells).await[n]);
        let keys =
            |steps: f64, back, forth| iter::repeat_n(if steps < 0.0 { back } else { forth }, steps.abs() as usize);
        page.press(keys(x - from_x, LEFT, RIGHT).chain(keys(y - from_y, UP, DOWN))).await;
        if page.ask("return document.querySelector('.hand path.fits') !== null").await == json!(true) {
            return;
        }
    }
    panic!("the piece fits nowhere although there is a dot at {dot}");
}

#[test]
fn a_game_by_mouse_on_a_wide_page() {
    with_page(1400, 900, async |page, _, _| play_by_mouse(page).await);
}

#[test]
fn a_game_by_mouse_on_a_narrow_page() {
    with_page(390, 844, async |page, _, _| play_by_mouse(page).await);
}

#[test]
fn a_game_by_keyboard_on_a_wide_page() {
    with_page(1400, 900, play_by_keyboard);
}

#[test]
fn a_game_by_keyboard_on_a_narrow_page() {
    with_page(390, 844, play_by_keyboard);
}

/// The longest recorded replay of a contest game, or where there are no recordings one of random moves.
fn replay() -> Vec<u8> {
    let recorded = recordings::replays().into_iter().max_by_key(|recording| recording.bytes.len());
    recorded.map_or_else(random_replay, |recording| recording.bytes)
}

fn random_replay() -> Vec<u8> {
    let mut random = RandomPlayer::new(&Options::default());
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    let (mut game, mut at) = (Game::new(position), NodeId::START);
    while !position.is_over() {
        let mv = random.choose(&position, &Limit::UNLIMITED).mv;
        at = game.play(at, mv).unwrap();
        position.play(mv);
    }
    record::replay::write(&game).unwrap().to_xml().into_bytes()
}

#[test]
fn a_dropped_replay_is_analysed_and_its_better_lines_are_played_out() {
    with_page(1400, 900, analyse_a_replay);
}

#[test]
fn a_dropped_replay_is_analysed_on_a_narrow_page() {
    with_page(390, 844, analyse_a_replay);
}

async fn analyse_a_replay(page: &Page, _: Board, _: &Path) {
    let text = String::from_utf8(replay()).unwrap();
    drop_file(page, "replay.xml", &text).await;
    page.wait("return document.querySelector('#moves li')").await;
    let moves = count(page).await;
    page.ask("const time = document.querySelector('#analysis select'); time.value = '100'; time.dispatchEvent(new Event('change'))").await;
    page.click_on("#analysis button.main").await;
    // It shows how far it is, and what is known already.
    page.wait("return document.querySelector('progress')").await;
    page.wait("return document.querySelector('.graphbox') && !document.querySelector('progress')").await;
    let rows = page.ask("return [...document.querySelectorAll('.summary tr')].map((row) => row.innerText)").await;
    assert_eq!(rows.as_array().unwrap().len(), 4, "{rows}");
    assert!(rows[1].as_str().unwrap().contains('%'), "{rows}");

    // The end of the graph is the end of the game, its start the start.
    let edge = |x: f64| {
        format!(
            "const graph = document.querySelector('.graph'); graph.scrollIntoView({{ block: 'nearest' }});
                 const box = graph.getBoundingClientRect(); return [box.x + {x} * (box.width - 2) + 1, box.y + 5]"
        )
    };
    let here = "return [...document.querySelectorAll('#moves button')].findIndex((button) => button.hasAttribute('aria-current'))";
    page.click(place_of(&page.ask(&edge(0.0)).await)).await;
    page.wait(&format!("{here} === -1")).await;
    page.click(place_of(&page.ask(&edge(1.0)).await)).await;
    page.wait(&format!("{here} === {}", moves - 1)).await;

    // A mark leads to its move, and a click on the better line shows it on the board.
    if page.ask("return document.querySelector('.mark')").await != Value::Null {
        page.click_on(".mark").await;
        page.click_on("#verdict .linemove:last-child").await;
        page.wait("return document.querySelector('.blokus.thought')").await;
        let status = page.ask("return document.getElementById('status').textContent").await;
        assert!(status.as_str().unwrap().starts_with("What could follow"), "{status}");
        page.press([LEFT]).await;
    }
    check(page).await;
    page.click_on("#options .row:last-child button").await;
    page.wait("return document.querySelector('dialog')").await;
    fits(page, "document.querySelector('dialog')").await;
}

#[test]
fn a_lost_connection_resumes_where_the_game_stands() {
    with_page(1400, 900, async |page, board, folder| {
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        assert!(next_turn(page, 0).await);
        let moves = count(page).await;
        page.ask("const time = document.querySelector('#analysis select'); time.value = '2000'; time.dispatchEvent(new Event('change'))").await;
        page.click_on("#analysis button.main").await;
        page.wait("return document.querySelector('progress')").await;
        let address = board.address;
        board.stop();
        page.wait("return document.body.classList.contains('lost')").await;
        // That is said as long as it is so, whatever somebody does meanwhile.
        page.click_on(".take:enabled").await;
        page.press([ESCAPE]).await;
        status(page, "The connection is lost. Trying again …").await;
        let board = Board::start(folder.join("games.sqlite"), Some(address));
        page.wait("return !document.body.classList.contains('lost')").await;
        assert_eq!(count(page).await, moves);
        // The analysis has ended with the service.
        page.wait("return !document.querySelector('progress')").await;
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        assert!(next_turn(page, moves).await);
        board.stop();
    });
}

#[test]
fn a_browser_that_keeps_nothing_shows_the_page_and_changes_its_language() {
    with_browser(&Setup { is_forgetful: true, ..Setup::new(390, 844) }, async |page, _, _| {
        page.click_on("#header button").await;
        page.wait("return document.body.innerText.includes('Neue Partie')").await;
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form button[type=submit]").await;
        page.wait("return document.querySelector('.take:enabled')").await;
        check(page).await;
    });
}

#[test]
fn the_first_page_without_the_key_offers_nothing_and_says_how_to_get_it() {
    with_page(390, 844, async |page, board, _| {
        page.ask("sessionStorage.clear()").await;
        page.go(&format!("http://{}/", board.address)).await;
        let text = page.wait("return document.querySelector('.failure [role=alert]')?.textContent").await;
        assert!(text.as_str().unwrap().starts_with("This address lacks the key"), "{text}");
        assert_eq!(page.ask("return document.querySelector('form, #main a')").await, Value::Null);
        // The address with the key is put where the other one stood.
        let key = board.url.split_once('#').unwrap().1;
        page.ask(&format!("location.hash = '{key}'")).await;
        page.wait("return document.querySelector('form') !== null").await;
    });
}

#[test]
fn the_choice_of_a_file_is_one_stop_of_the_keyboard() {
    with_page(1400, 900, async |page, _, _| {
        page.ask("document.querySelector('form button[type=submit]').focus()").await;
        let mut stops = 0;
        while page.ask("return document.activeElement.matches('.recent *, body')").await == json!(false) {
            page.press([TAB]).await;
            stops +=
                u32::from(page.ask("return document.activeElement.closest('.drop') !== null").await == json!(true));
            assert!(stops < 3, "it is not left again");
        }
        assert_eq!(stops, 1);
        check(page).await;
    });
}

#[test]
fn a_service_that_does_not_answer_is_said_in_words() {
    with_page(390, 844, async |page, board, _| {
        let toast = "document.getElementById('toast').textContent";
        let said = format!("return {toast} === 'The service does not answer. Is the program still running?'");
        board.stop();
        page.click_on("form button[type=submit]").await;
        page.wait(&said).await;
        page.wait(&format!("return {toast} === ''")).await;
        drop_file(page, "game.txt", "no game").await;
        page.wait(&said).await;
        fits(page, "document.documentElement").await;
    });
}

#[test]
fn a_link_without_a_game_says_so() {
    with_page(1400, 900, async |page, board, _| {
        page.go(&format!("http://{}/g/{}", board.address, "0".repeat(32))).await;
        let text = page.wait("return document.querySelector('.failure [role=alert]')?.textContent").await;
        assert_eq!(text, json!("There is no game with this link."));
        assert_eq!(page.ask("return document.body.classList.contains('lost')").await, json!(false));
        check(page).await;
        page.click_on(".failure a").await;
        page.wait("return location.pathname === '/' && document.querySelector('form') !== null").await;
    });
}

#[test]
fn a_mistyped_address_says_so() {
    with_page(390, 844, async |page, board, _| {
        for address in ["/g", "/g/", "/game", "/spiel/1"] {
            page.go(&format!("http://{}{address}", board.address)).await;
            let text = page.wait("return document.querySelector('.failure [role=alert]')?.textContent").await;
            assert_eq!(text, json!("There is no game with this link."), "{address}");
            // The browser itself notes that there is nothing.
            let noted = page.console().await;
            assert!(noted.len() == 1 && noted[0].contains("404"), "{noted:?}");
            check(page).await;
            page.click_on(".failure a").await;
            page.wait("return location.pathname === '/' && document.querySelector('form') !== null").await;
        }
    });
}

/// Begins a game of people in which somebody else can move, whatever goes on on this page: `play(move)`.
async fn begin_with_another_window(page: &Page) {
    page.click_on("input[name=opponent][value=person]").await;
    page.click_on("input[name=rules][value=classic]").await;
    page.click_on("form button[type=submit]").await;
    page.wait(READY).await;
    page.ask(
        "window.other = new WebSocket(location.href.replace('http', 'ws').replace('/g/', '/api/play/'));
         window.play = (move) => other.send(JSON.stringify({ type: 'act', id: 1, on: null, action: { do: 'play', move } }))",
    )
    .await;
    page.wait("return other.readyState === WebSocket.OPEN").await;
}

#[test]
fn a_piece_in_the_hand_goes_back_with_words_when_another_window_moves() {
    with_page(1400, 900, async |page, _, _| {
        begin_with_another_window(page).await;
        page.click_on(".take[data-piece=PENTO_V]").await;
        page.wait("return document.querySelector('.hand path')").await;
        page.ask("play('MONO@0,0')").await;
        page.wait("return document.getElementById('toast').textContent.includes('gone on meanwhile')").await;
        // Yellow has such a piece, too; a click that was meant for blue must not place it.
        assert_eq!(page.ask("return document.querySelector('.hand path')").await, Value::Null);
        page.press([ENTER]).await;
        assert_eq!(count(page).await, 1);
        // Whoever moves here is told nothing of the kind.
        page.wait("return document.getElementById('toast').textContent === ''").await;
        page.click_on(".take[data-piece=MONO]").await;
        page.press([ENTER]).await;
        status(page, "Red: your move").await;
        assert_eq!(page.ask("return document.getElementById('toast').textContent").await, json!(""));
        check(page).await;
    });
}

#[test]
fn a_game_that_was_lost_by_a_fault_says_by_which_and_what_was_said_of_it() {
    with_page(390, 844, async |page, _, folder| {
        let mut game = Game::new(Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap());
        game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
        game.fault = Some((Team::Two, Fault::new(FaultKind::Illegal, "the piece is not there")));
        drop_file(page, "game.jsonl", &(record::json::write(&game) + "\n")).await;
        let said = "return [document.getElementById('status').textContent, document.getElementById('said').innerText]";
        let expected = json!(["Yellow and green made an illegal move", "What was said: the piece is not there"]);
        page.wait("return document.querySelector('#moves li')").await;
        assert_eq!(page.ask(said).await, expected);
        check(page).await;
        // It is about the end, not about what was before.
        page.click_on("#nav button").await;
        page.wait("return document.getElementById('said').innerText === ''").await;

        let file = folder.join("sheet.html");
        let session = Session::with(game, Seats::default(), TimeControl::None);
        fs::write(&file, board::sheet::html(&session).unwrap()).unwrap();
        page.go(&format!("file://{}", file.display())).await;
        assert_eq!(page.ask(said).await, expected);
        check(page).await;
    });
}

#[test]
fn links_are_found_among_what_was_pasted_with_them() {
    with_page(390, 844, async |page, board, _| {
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        let link = page.ask("return location.href").await;
        let link = link.as_str().unwrap();
        for pasted in [".", "/", ")", "%20", "%3E,", "/?x=1#y", "%ff"] {
            page.go(&format!("{link}{pasted}")).await;
            page.wait(READY).await;
        }
        page.go(&link.replace("/g/", "/g/%3C").to_uppercase().replace("HTTP", "http").replace("/G/", "/g/")).await;
        page.wait(READY).await;
        // What cannot be a link is not tried again and again.
        for other in ["/g/%ff", "/g/abc", &format!("/g/{}", "0".repeat(33))] {
            page.go(&format!("http://{}{other}", board.address)).await;
            let text = page.wait("return document.querySelector('.failure [role=alert]')?.textContent").await;
            assert_eq!(text, json!("There is no game with this link."), "{other}");
        }
        check(page).await;
    });
}

#[test]
fn a_comment_is_about_the_move_for_which_it_was_begun() {
    with_page(1400, 900, async |page, _, _| {
        begin_with_another_window(page).await;
        page.ask("play('MONO@0,0')").await;
        assert!(next_turn(page, 0).await);
        page.click_on("#comment textarea").await;
        page.press("so".chars()).await;
        page.ask("play('MONO@19,0')").await;
        assert!(next_turn(page, 1).await);
        page.press("lid\u{e004}".chars()).await;
        page.wait("return document.querySelector('#comment textarea').value === ''").await;
        page.wait("return document.querySelector('#moves .commented')").await;
        let commented =
            "return [...document.querySelectorAll('#moves button')].map((button) => button.matches('.commented'))";
        assert_eq!(page.ask(commented).await, json!([true, false]));
        page.click_on("#moves button").await;
        page.wait("return document.querySelector('#comment textarea').value === 'solid'").await;
        check(page).await;
    });
}

#[test]
fn a_place_that_is_not_legal_is_refused_with_its_rule_and_hints_are_drawn() {
    with_page(1400, 900, async |page, _, _| {
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        page.click_on(".take:enabled").await;
        page.click(place_of(&page.ask(MIDDLE).await)).await;
        page.wait("return document.getElementById('toast').textContent === 'The first piece must cover a start cell.'")
            .await;
        assert!(page.ask("return document.querySelectorAll('.wrong rect').length").await.as_u64().unwrap() > 0);
        page.press([ESCAPE]).await;
        page.click_on("#tools button:nth-child(3)").await;
        page.wait("return document.querySelector('.ghost')").await;
        page.wait("return document.querySelector('.candidates')").await;
        // What is written of the moves hides neither them nor what else is written.
        let hidden = page
            .ask(
                "const boxes = (selector) => [...document.querySelectorAll(selector)].map((rect) => rect.getBoundingClientRect());
                 const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.x, b.x) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 1;
                 const [labels, cells] = [boxes('.ghost rect.label'), boxes('.ghost rect:not(.label)')];
                 return labels.flatMap((label, i) => [...cells, ...labels.slice(0, i)].filter((other) => meets(label, other))).length",
            )
            .await;
        assert_eq!(hidden, json!(0));
        check(page).await;
    });
}

#[test]
fn the_page_draws_as_fast_as_the_screen_while_the_engine_thinks() {
    with_page(1400, 900, async |page, _, _| {
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        let think = async || {
            page.click_on("#analysis input[type=checkbox]").await;
            page.wait("return document.querySelector('.candidates')").await;
        };
        draws_as_fast_while(page, think).await;
        check(page).await;
    });
}

#[test]
fn a_locked_database_is_said_on_the_page_and_nothing_is_lost() {
    with_page(1400, 900, async |page, _, folder| {
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        let database = rusqlite::Connection::open(folder.join("games.sqlite")).unwrap();
        database.execute_batch("BEGIN IMMEDIATE").unwrap();
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        page.wait("return document.getElementById('toast').textContent.includes('locked')").await;
        assert_eq!(count(page).await, 0);
        database.execute_batch("COMMIT").unwrap();
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        assert!(next_turn(page, 0).await);
    });
}

#[test]
fn games_of_a_running_match_appear_and_tell_how_games_began() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    let path = folder.path().join("arena.sqlite");
    config.arena = Some(path.clone());
    let mut matches = arena::store::Store::open(&path).unwrap();
    let id = matches.add_import(Rules::Season2027, ["mcts", "minimax"]).unwrap();
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let page = driver.open(1400, 900).await;
        page.go(&board.url).await;
        page.wait("return document.querySelector('details summary')?.closest('form') && document.querySelector('.card section details')").await;
        page.click_on(".card section summary").await;
        // A game ends while the page is open.
        let game = record::file::read(random_replay().as_slice()).unwrap().next().unwrap().unwrap();
        matches.add_game(id, &PlayedGame::of_game(&game, 0), None).unwrap();
        page.click_on(".card section .file").await;
        page.wait("return document.querySelectorAll('#moves li').length > 40").await;
        let names = page.ask("return document.getElementById('scores').innerText").await;
        assert!(names.as_str().unwrap().contains("mcts"), "{names}");
        assert_eq!(page.ask("return document.getElementById('opening').innerText").await, json!(""));
        page.click_on("#nav button").await;
        page.click_on("#opening .linemove").await;
        page.wait("return document.querySelector('.blokus.thought')").await;
        let table = page.ask("return document.getElementById('opening').innerText").await;
        assert_eq!(table, json!(""), "it is about the position, not about the move that is thought of");
        page.press([LEFT]).await;
        page.wait("return document.querySelector('#opening')?.innerText.includes('1 game')").await;
        check(&page).await;
        page.close().await;
        board.stop();
    });
}

#[test]
fn a_pasted_position_is_played_with_the_wheel_and_taken_back() {
    with_page(1400, 900, async |page, _, _| {
        let mut random = RandomPlayer::new(&Options::default());
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        for _ in 0..4 {
            position.play(random.choose(&position, &Limit::UNLIMITED).mv);
        }
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form summary").await;
        page.click_on("input[name=position]").await;
        page.press(position.to_string().chars()).await;
        page.click_on("form button[type=submit]").await;
        status(page, "Blue: your move").await;
        assert_eq!(page.ask(POINTS).await, json!(Team::ALL.map(|team| position.team_points(team))));

        page.click_on(".take:enabled").await;
        let middle = place_of(&page.ask(MIDDLE).await);
        let shape = "return document.getElementById('spoken').textContent.split(',')[0]";
        let before = page.ask(shape).await;
        page.turn_wheel(middle).await;
        assert_ne!(page.ask(shape).await, before, "the wheel turns the piece");
        for _ in 0..3 {
            page.turn_wheel(middle).await;
        }
        assert_eq!(page.ask(shape).await, before, "four quarters are a whole turn");
        // A touchpad sends small steps, of which so many are a notch, and more while the fingers are gone already.
        let swipe = async |steps: u32| {
            page.ask(&format!(
                "const board = document.querySelector('.blokus');
                 for (let n = 0; n < {steps}; n++) board.dispatchEvent(new WheelEvent('wheel', {{ deltaY: 10, cancelable: true }}))"
            ))
            .await;
        };
        swipe(9).await;
        assert_eq!(page.ask(shape).await, before, "less than a notch");
        page.ask("return new Promise((resolve) => setTimeout(resolve, 100))").await;
        swipe(10).await;
        let once = page.ask(shape).await;
        assert_ne!(once, before, "a notch");
        swipe(30).await;
        assert_eq!(page.ask(shape).await, before, "three notches more");
        let mut dots = page.ask(DOTS).await;
        while dots.as_array().unwrap().is_empty() {
            page.turn_wheel(middle).await;
            dots = page.ask(DOTS).await;
        }
        page.click(place_of(&dots[0])).await;
        status(page, "Yellow: your move").await;
        tool(page, "Pass").await;
        status(page, "Red: your move").await;
        tool(page, "Undo").await;
        status(page, "Yellow: your move").await;
        assert_eq!(count(page).await, 1);
        tool(page, "Redo").await;
        status(page, "Red: your move").await;
        assert_eq!(count(page).await, 2);
        tool(page, "Resign").await;
        page.click_on("dialog button:not(.main)").await;
        status(page, "Red: your move").await;
        tool(page, "Resign").await;
        page.click_on("dialog button.main").await;
        status(page, "Blue and red resigned").await;
        check(page).await;
    });
}

#[test]
fn two_people_play_side_by_side_by_their_links_while_somebody_watches() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    Runtime::new().unwrap().block_on(async {
        let board = Board::start(folder.path().join("games.sqlite"), None);
        let [host, guest, watcher] = [(1400, 900), (390, 844), (1400, 900)].map(|(width, height)| driver.open(width, height));
        let (host, guest, watcher) = (host.await, guest.await, watcher.await);
        host.go(&board.url).await;
        host.click_on("input[name=opponent][value=guest]").await;
        host.click_on("form button[type=submit]").await;
        status(&host, "Blue: your move").await;
        host.wait("return [...document.querySelectorAll('#options button')].at(-1).click() ?? true").await;
        host.ask("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.link = text; } } })").await;
        for (row, page) in [(6, &guest), (7, &watcher)] {
            host.ask("window.link = null").await;
            host.click_on(&format!(".seats tr:nth-child({row}) button")).await;
            let link = host.wait("return window.link").await;
            page.go(link.as_str().unwrap()).await;
            status(page, "Blue is on turn").await;
        }
        host.click_on("dialog button.main").await;

        // Whoever is on turn moves; both others see it and cannot move themselves, and the watcher never can.
        let takes = "return document.querySelectorAll('.take:enabled').length";
        let turns = [(&host, &guest, "Yellow"), (&guest, &host, "Red"), (&host, &guest, "Green"), (&guest, &host, "Blue")];
        for (moves, (mover, other, next)) in turns.into_iter().enumerate() {
            mover.wait(READY).await;
            for page in [other, &watcher] {
                assert_eq!(page.ask(takes).await, json!(0));
            }
            mover.click_on(".take:enabled").await;
            mover.press([ENTER]).await;
            for page in [other, mover, &watcher] {
                page.wait(&format!("return document.querySelectorAll('#moves li').length === {}", moves + 1)).await;
            }
            status(other, &format!("{next}: your move")).await;
            status(mover, &format!("{next} is on turn")).await;
            status(&watcher, &format!("{next} is on turn")).await;
        }
        let usable = "return [...document.querySelectorAll('#tools button:enabled')].map((button) => button.textContent)";
        assert_eq!(watcher.ask(usable).await, json!([]));
        // What only the host may do, the others see, too.
        tool(&host, "Undo").await;
        for page in [host, guest, watcher] {
            page.wait("return document.querySelectorAll('#moves li').length < 4").await;
            check(&page).await;
            page.close().await;
        }
        board.stop();
    });
}

#[test]
fn a_program_that_thinks_long_can_be_told_to_move() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    Runtime::new().unwrap().block_on(async {
        let mut config = Config::new(folder.path().join("games.sqlite"));
        config.move_time = Duration::from_secs(3600);
        let board = Board::with(config);
        let page = driver.open(1400, 900).await;
        page.go(&board.url).await;
        page.click_on("input[name=opponent][value='9']").await;
        page.click_on("input[name=team][value=TWO]").await;
        page.click_on("form button[type=submit]").await;
        status(&page, "Blue is thinking …").await;
        tool(&page, "Move now").await;
        status(&page, "Yellow: your move").await;
        page.close().await;
        board.stop();
    });
}

/// Plays at random, a move in 100 ms, so that somebody can look on.
struct Slow(RandomPlayer);

impl Player for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        thread::sleep(Duration::from_millis(100));
        self.0.choose(position, limit)
    }
}

#[test]
fn a_game_at_a_game_server_is_watched_while_it_is_played() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(server::Options::default()).unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    let (address, password) = (server.address(), server::Options::default().password);
    config.server = Some(GameServer { address: address.to_string(), password });
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let page = driver.open(1400, 900).await;
        page.go(&board.url).await;
        page.wait("return document.body.innerText.includes('Games at the game server')").await;
        let players = [1, 2].map(|seed| {
            thread::spawn(move || {
                let stream = client::connection::connect("localhost", address.port()).unwrap();
                let mut player = Slow(RandomPlayer::new(&Options { seed, ..Options::default() }));
                let settings = client::Settings::default();
                client::play(&settings, &mut player, &stream, &stream, &AtomicBool::new(false), &mut |_| ()).unwrap()
            })
        });
        page.click_on(".card section:not([hidden]) li a").await;
        let shown = "return [document.querySelectorAll('#moves li').length, document.getElementById('status')?.textContent ?? '']";
        page.wait(&format!("const [moves, status] = (() => {{ {shown} }})(); return moves > 3 && /on turn/.test(status)")).await;
        let outcomes = players.map(|player| player.join().unwrap());
        page.wait("return /won|draw/.test(document.getElementById('status').textContent)").await;
        let result = outcomes[0].result.clone().unwrap();
        assert_eq!(page.ask(POINTS).await, json!(Team::ALL.map(|team| result.score(team).points)));
        check(&page).await;
        page.close().await;
        board.stop();
    });
}

#[test]
fn a_page_of_its_own_shows_a_game_without_a_service() {
    with_page(390, 844, step_through_a_page_of_its_own);
}

#[test]
fn a_page_of_its_own_has_a_large_board_where_there_is_room() {
    with_page(1024, 900, async |page, board, folder| {
        step_through_a_page_of_its_own(page, board, folder).await;
        let width = page.ask("return document.querySelector('.blokus').getBoundingClientRect().width").await;
        assert!(width.as_f64().unwrap() > 500.0, "{width}");
    });
}

async fn step_through_a_page_of_its_own(page: &Page, _: Board, folder: &Path) {
    let game = record::file::read(replay().as_slice()).unwrap().next().unwrap().unwrap();
    let mut session = Session::with(game, Seats::default(), TimeControl::None);
    // A game that was even until its last move.
    let path = session.path();
    for (n, &node) in path.iter().enumerate() {
        let (position, is_last) = (session.position_at(node).unwrap(), n + 1 == path.len());
        let win = if is_last { f32::from(position.color().team() == Team::One) } else { 0.5 };
        session.learn(
            &position,
            Insight { win, margin: 0.0, nodes: 1, time: 0, line: Vec::new(), candidates: Vec::new() },
        );
    }
    let file = folder.join("sheet.html");
    fs::write(&file, board::sheet::html(&session).unwrap()).unwrap();
    page.go(&format!("file://{}", file.display())).await;
    let here = "const all = [...document.querySelectorAll('#moves button')];
            return [all.length, all.findIndex((button) => button.hasAttribute('aria-current'))]";
    let moves = path.len() - 1;
    assert_eq!(page.ask(here).await, json!([moves, moves - 1]));
    page.press([LEFT, LEFT]).await;
    assert_eq!(page.ask(here).await, json!([moves, moves as i64 - 3]));
    assert_eq!(page.ask("return document.querySelectorAll('.graph .line').length").await, json!(1));
    check(page).await;
}

#[test]
fn a_match_of_the_arena_is_watched_while_it_is_played() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    let path = folder.path().join("arena.sqlite");
    drop(arena::store::Store::open(&path).unwrap());
    config.arena = Some(path.clone());
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let page = driver.open(1400, 900).await;
        page.go(&board.url).await;
        page.wait("return document.querySelector('form') !== null").await;
        let arena = program::command("arena")
            .args(["match", "mcts", "heuristic", "-g", "2", "-t", "400", "-c", "1", "-q", "-d"])
            .arg(&path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        page.wait("return document.body.innerText.includes('The arena is playing')").await;
        page.click_on(".card section:not([hidden]) li .file").await;
        let shown = "return [document.querySelectorAll('#moves li').length, document.getElementById('status')?.textContent ?? '']";
        page.wait(&format!("const [moves, status] = (() => {{ {shown} }})(); return moves > 3 && /on turn/.test(status)")).await;
        let names = page.ask("return document.getElementById('scores').innerText").await;
        assert!(names.as_str().unwrap().contains("mcts") && names.as_str().unwrap().contains("heuristic"), "{names}");
        page.wait("return /won|draw/.test(document.getElementById('status').textContent)").await;
        check(&page).await;
        page.close().await;
        board.stop();
        assert!(arena.wait_with_output().unwrap().status.success());
    });
}
