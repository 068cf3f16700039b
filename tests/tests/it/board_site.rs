//! The board as a static site in a real browser: nothing but files, with the engine in workers of the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use player::bench::{self, NODES};
use player::{FromOptions, MctsPlayer, Options};
use serde_json::{Value, json};
use tests::at_page::{
    POINTS, READY, check, count, draws_as_fast_while, drop_file, next_turn, play_by_mouse, status, tool,
};
use tests::driver::{Driver, Page, Setup};
use tests::{site, web_host};
use tokio::runtime::Runtime;

const ENTER: char = '\u{e007}';

/// The site, built once for all tests, if Rust can build it.
fn built() -> Option<&'static Path> {
    static SITE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
        site::can_be_built().then(|| {
            println!("{}", site::build(&folder));
            folder
        })
    };
    SITE.get_or_init(build).as_deref()
}

/// Lets something be done with the site; nothing where there is no browser or no site.
fn with_site(width: u32, height: u32, act: impl AsyncFnOnce(&Page, &str)) {
    with_site_as(&Setup::new(width, height), act);
}

/// The same in a browser of some kind.
fn with_site_as(setup: &Setup<'_>, act: impl AsyncFnOnce(&Page, &str)) {
    let (Some(driver), Some(folder)) = (Driver::start(), built()) else { return };
    let url = format!("http://{}/board/", web_host::serve(folder.to_owned()));
    Runtime::new().unwrap().block_on(async {
        let page = driver.open_as(setup).await;
        act(&page, &url).await;
        page.close().await;
    });
}

async fn begin(page: &Page, url: &str) {
    page.go(url).await;
    page.wait("return document.querySelector('form') !== null").await;
}

#[test]
fn a_game_is_played_and_kept_without_a_service() {
    with_site(390, 844, async |page, url| {
        begin(page, url).await;
        assert_eq!(page.ask("return document.querySelector('[name=opponent][value=guest]')").await, Value::Null);
        play_by_mouse(page).await;
        let (moves, points) = (count(page).await, page.ask(POINTS).await);
        // It is there again when the page is opened anew, and stands in the list.
        let address = page.ask("return location.href").await;
        page.go(address.as_str().unwrap()).await;
        page.wait("return document.querySelector('#moves li')").await;
        assert_eq!((count(page).await, page.ask(POINTS).await), (moves, points));
        begin(page, url).await;
        page.wait("return document.querySelector('.recent a')?.textContent.includes('Level 1')").await;
        check(page).await;
    });
}

#[test]
fn a_link_to_a_game_that_is_not_there_says_so_and_leads_back() {
    with_site(390, 844, async |page, url| {
        page.go(&format!("{url}?game={}", "0".repeat(16))).await;
        let text = page.wait("return document.querySelector('.failure [role=alert]')?.textContent").await;
        assert!(text.as_str().unwrap().starts_with("There is no such game in this browser."), "{text}");
        assert_eq!(page.ask("return document.querySelector('.game')").await, Value::Null);
        check(page).await;
        page.click_on(".failure a").await;
        page.wait("return document.querySelector('form') !== null").await;
    });
}

#[test]
fn a_browser_that_keeps_nothing_is_played_in_all_the_same_and_told() {
    with_site_as(&Setup { is_forgetful: true, ..Setup::new(390, 844) }, async |page, url| {
        begin(page, url).await;
        page.wait("return document.querySelector('.recent').innerText.startsWith('This browser keeps nothing')").await;
        page.click_on("input[name=opponent][value='1']").await;
        page.click_on("form button[type=submit]").await;
        page.wait("return document.getElementById('toast').textContent.includes('gone when the page is closed')").await;
        page.wait(READY).await;
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        assert!(next_turn(page, 0).await);
        // Another game takes its place.
        let start = "start classic - 0 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20";
        drop_file(page, "game.txt", &format!("blokus 1\n{start}\n0 BLUE DOMINO@0,0\nend 2:0 unfinished\n")).await;
        page.wait("return document.querySelectorAll('#moves li').length === 1").await;
        status(page, "Yellow: your move").await;
        check(page).await;
    });
}

#[test]
fn two_windows_with_the_same_game_show_the_same() {
    with_site(1400, 900, async |page, url| {
        begin(page, url).await;
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("input[name=rules][value=classic]").await;
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        page.click_on(".take[data-piece=PENTO_V]").await;
        page.ask(
            "const frame = document.createElement('iframe');
             Object.assign(frame, { id: 'other', src: location.href, style: 'position: fixed; inset: 0 auto auto 0; width: 10px; height: 10px' });
             document.body.append(frame)",
        )
        .await;
        let other = "document.getElementById('other').contentDocument";
        page.wait(&format!(
            "return {other}.querySelector('.take[data-piece=PENTO_V]:enabled')?.click() ?? ({other}.querySelector('.hand path') !== null)"
        ))
        .await;
        page.ask(&format!(
            "{other}.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }}))"
        ))
        .await;
        status(page, "Yellow: your move").await;
        assert_eq!(count(page).await, 1);
        page.wait("return document.getElementById('toast').textContent.includes('gone on meanwhile')").await;
    });
}

#[test]
fn a_file_that_the_service_would_not_take_is_not_taken_without_it() {
    with_site(390, 844, async |page, url| {
        begin(page, url).await;
        page.ask(
            "const files = new DataTransfer(); files.items.add(new File([new Uint8Array((8 << 20) + 1)], 'game.xml'));
             document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))",
        )
        .await;
        page.wait("return document.getElementById('toast').textContent === 'The file has more than 8 MiB.'").await;
        check(page).await;
    });
}

#[test]
fn hints_analysis_files_and_the_strongest_level_work_without_a_service() {
    with_site(1400, 900, async |page, url| {
        begin(page, url).await;
        page.click_on("input[name=opponent][value='9']").await;
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        tool(page, "Hint").await;
        page.wait("return document.querySelector('.ghost')").await;
        page.wait("return document.querySelectorAll('.candidates tr').length > 1").await;
        page.click_on(".take:enabled").await;
        page.press([ENTER]).await;
        status(page, "Yellow is thinking …").await;
        tool(page, "Move now").await;
        assert!(next_turn(page, 1).await);
        page.ask("const time = document.querySelector('#analysis select'); time.value = '100'; time.dispatchEvent(new Event('change'))").await;
        page.click_on("#analysis button.main").await;
        page.wait(
            "return document.querySelectorAll('.summary tr').length === 4 && !document.querySelector('progress')",
        )
        .await;

        // While the engine thinks with all its strength, the page draws as fast as the screen.
        let think = async || {
            page.click_on("#analysis input[type=checkbox]").await;
            page.wait("return document.querySelector('.candidates')").await;
        };
        draws_as_fast_while(page, think).await;
        page.click_on("#analysis input[type=checkbox]").await;

        // What is saved can be opened.
        page.ask(
            "URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return 'data:,'; }",
        )
        .await;
        page.ask("HTMLAnchorElement.prototype.click = () => {}").await;
        page.wait("return [...document.querySelectorAll('#options .file')].find((file) => file.textContent === 'xml').click() ?? true").await;
        let replay = page.wait("return window.saved ?? null").await;
        page.ask("window.isOld = true").await;
        drop_file(page, "replay.xml", replay.as_str().unwrap()).await;
        page.wait("return !window.isOld && document.querySelectorAll('#moves li').length === 2").await;
        check(page).await;
    });
}

/// The simulations a second that the page tells, after all positions of the benchmark.
async fn speed_of_page(page: &Page, url: &str) -> f64 {
    page.go(&format!("{url}speed.html")).await;
    told_by_page(page).await["perSecond"].as_f64().unwrap()
}

async fn told_by_page(page: &Page) -> Value {
    let told = page.wait("return document.body.dataset.speed ?? null").await;
    serde_json::from_str(told.as_str().unwrap()).unwrap()
}

/// The simulations a second that the same positions make without a browser; they are the same simulations.
async fn speed_of_machine(page: &Page) -> f64 {
    let mut player = MctsPlayer::new(&Options { seed: 1, ..Options::default() });
    let samples = bench::samples(&mut player, NODES).unwrap();
    let fingerprint = format!("{:016x}", bench::fingerprint(&samples));
    assert_eq!(told_by_page(page).await["fingerprint"], json!(fingerprint));
    let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
    nodes as f64 / samples.iter().map(|sample| sample.time.as_secs_f64()).sum::<f64>()
}

#[test]
fn the_engine_plays_the_same_moves_as_everywhere_and_at_least_a_third_as_fast() {
    with_site(1400, 900, async |page, url| {
        // The processor may have been busy otherwise with one of both.
        for tries_left in (0..10).rev() {
            let (here, native) = (speed_of_page(page, url).await, speed_of_machine(page).await);
            println!("{here:.0} simulations a second in the browser, {native:.0} elsewhere");
            if here > native / 3.0 {
                break;
            }
            assert!(tries_left > 0, "{here} simulations a second in the browser, {native} elsewhere");
        }
        check(page).await;
    });
}

#[test]
fn it_is_small_and_says_why_if_the_engine_cannot_be_loaded() {
    let Some(folder) = built() else { return };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    assert!(files.sum::<u64>() < 3_000_000);
    let broken = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "wasm") {
            fs::copy(&path, broken.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let Some(driver) = Driver::start() else { return };
    let url = format!("http://{}/board/", web_host::serve(broken.path().to_owned()));
    Runtime::new().unwrap().block_on(async {
        let page = driver.open(390, 844).await;
        page.go(&url).await;
        page.wait(
            "return document.querySelector('[role=alert]')?.textContent.startsWith('The engine cannot be loaded: ')",
        )
        .await;
        page.close().await;
    });
}
