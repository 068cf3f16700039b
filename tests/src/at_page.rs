//! The page of the board as people use it, whoever keeps the game.

use serde_json::json;

use crate::driver::{Page, place_of};

/// Nothing moved by itself, nothing is wider than the window, and the console is empty.
pub async fn check(page: &Page) {
    let (shift, moved) = page.shift().await;
    assert!(shift < 0.01, "the page has moved by {shift}: {moved}");
    fits(page, "document.documentElement").await;
    assert_eq!(page.console().await, Vec::<String>::new());
}

/// An element, which JavaScript knows as this, is not wider than its place. The width of the window says nothing:
/// browsers of telephones make it as wide as what is in it.
pub async fn fits(page: &Page, element: &str) {
    let width = page.ask(&format!("return [{element}.scrollWidth, {element}.clientWidth]")).await;
    assert_eq!(width[0], width[1], "{element} is wider than its place");
}

/// Whether a person can take a piece, or the game is over.
pub const READY: &str = "
    const status = document.getElementById('status')?.textContent ?? '';
    if (/won|draw/.test(status)) return 'over';
    return document.querySelector('.take:enabled') && /your move/.test(status) ? 'turn' : null";

/// The places of the dots in the window that mark where the piece may go.
pub const DOTS: &str = "
    return [...document.querySelectorAll('.legal circle')].map((dot) => {
        const box = dot.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2, dot.cx.baseVal.value, dot.cy.baseVal.value];
    })";

/// The points of both teams.
pub const POINTS: &str =
    "return [...document.querySelectorAll('#scores b')].map((points) => Number(points.textContent))";

/// The middle of the board in the window.
pub const MIDDLE: &str = "
    const box = document.querySelector('.blokus').getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]";

/// How many moves have been made.
pub async fn count(page: &Page) -> u64 {
    page.ask("return document.querySelectorAll('#moves li').length").await.as_u64().unwrap()
}

/// Waits until more moves than so many have been made and a person is on turn again; `false` when the game is over.
pub async fn next_turn(page: &Page, moves: u64) -> bool {
    let body = format!("if (document.querySelectorAll('#moves li').length <= {moves}) return null; {READY}");
    page.wait(&body).await == json!("turn")
}

/// Waits until the page says how the game stands.
pub async fn status(page: &Page, expected: &str) {
    page.wait(&format!("return document.getElementById('status')?.textContent === {}", json!(expected))).await;
}

/// Presses a button beside the moves.
pub async fn tool(page: &Page, name: &str) {
    page.wait(&format!(
        "const found = [...document.querySelectorAll('#tools button:enabled')].find((button) => button.textContent.endsWith({}));
         found?.click(); return found !== undefined",
        json!(name)
    ))
    .await;
}

/// Drops a file with this name and text onto the page.
pub async fn drop_file(page: &Page, name: &str, text: &str) {
    page.ask(&format!(
        "const files = new DataTransfer(); files.items.add(new File([{}], {}));
         document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, bubbles: true, cancelable: true }}))",
        json!(text),
        json!(name)
    ))
    .await;
}

/// Begins a game against the lowest level and plays it to its end by the mouse alone.
///
/// # Panics
/// If it cannot be played.
pub async fn play_by_mouse(page: &Page) {
    page.click_on("input[name=opponent][value='1']").await;
    page.click_on("form button[type=submit]").await;
    page.wait(READY).await;
    let mut moves = 0;
    loop {
        page.click_on(".take:enabled").await;
        let mut dots = page.ask(DOTS).await;
        // There is a place for the piece, but perhaps it has to be turned and mirrored.
        for n in 1..=8 {
            if !dots.as_array().unwrap().is_empty() {
                break;
            }
            let button = if n == 4 { 2 } else { 1 };
            page.click_on(&format!("#handkeys button:nth-child({button})")).await;
            dots = page.ask(DOTS).await;
        }
        let dot = &dots[moves as usize % dots.as_array().unwrap().len()];
        page.click(place_of(dot)).await;
        if !next_turn(page, moves).await {
            break;
        }
        moves = count(page).await;
    }
    assert!(count(page).await > 40, "the game was short");
    check(page).await;
}

/// That the page draws at least half as many pictures a second while something goes on, which `begin` begins, as before
/// it. Where other programs keep the processor busy, it may take many seconds until it can be seen; a page that is
/// itself too slow never does it.
///
/// # Panics
/// If it does not within 40 seconds.
pub async fn draws_as_fast_while(page: &Page, begin: impl AsyncFnOnce()) {
    const ATTEMPTS: usize = 40;
    let mut before = 0.0_f64;
    for _ in 0..3 {
        before = before.max(pictures_in_a_second(page).await);
    }
    begin().await;
    let mut meanwhile = 0.0_f64;
    for _ in 0..ATTEMPTS {
        meanwhile = meanwhile.max(pictures_in_a_second(page).await);
        if meanwhile > before / 2.0 {
            println!("{meanwhile:.0} pictures a second meanwhile, {before:.0} before");
            return;
        }
    }
    panic!("{meanwhile:.0} pictures a second at best, {before:.0} before");
}

/// How many pictures the page draws in a second; something on the board moves all the time.
async fn pictures_in_a_second(page: &Page) -> f64 {
    page.ask(
        "window.pictures = null; let [count, begun] = [0, null];
         const draw = (now) => {
             begun ??= now;
             document.querySelector('.blokus').style.opacity = count++ % 2 ? 1 : 0.99;
             if (now - begun < 1000) requestAnimationFrame(draw);
             else window.pictures = (count - 1) / (now - begun) * 1000;
         };
         requestAnimationFrame(draw)",
    )
    .await;
    page.wait("return window.pictures").await.as_f64().expect("a number")
}
