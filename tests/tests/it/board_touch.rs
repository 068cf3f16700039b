//! The page of the board under a finger: taps, drags, and a finger that rests.

use std::time::Duration;

use serde_json::json;
use tests::at_page::{DOTS, MIDDLE, check, count, status};
use tests::board_service::with_browser;
use tests::driver::{Page, Setup, place_of};

/// A telephone.
const TELEPHONE: Setup<'_> = Setup { has_touch: true, ..Setup::new(390, 844) };

/// Longer than the half second after which a finger that rests mirrors.
const HOLD: Duration = Duration::from_millis(700);

/// How long a finger stays where it has dragged a piece.
const LOOK: Duration = Duration::from_millis(150);

/// The piece in the hand: how it lies, where, and whether it fits, as screen readers are told.
const HELD: &str = "return document.getElementById('spoken').textContent";

/// The middles of the cells of the piece in the hand in the window.
const CELLS: &str = "
    return [...document.querySelectorAll('.hand rect')].map((cell) => {
        const box = cell.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    })";

async fn tap(page: &Page, place: (f64, f64)) {
    page.touch(&[place], Duration::ZERO).await;
}

async fn tap_on(page: &Page, selector: &str) {
    tap(page, page.middle(selector).await).await;
}

/// Drags as somebody who looks where the piece is before letting it go. A finger that leaves the screen while it moves
/// flings, and browsers take the next tap as what ends that, not as a click.
async fn drag(page: &Page, from: (f64, f64), to: (f64, f64)) {
    let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    page.touch(&[from, between, to], LOOK).await;
}

/// The first cell of the piece in the hand.
async fn first_cell(page: &Page) -> (f64, f64) {
    place_of(&page.ask(CELLS).await[0])
}

/// How the piece in the hand lies.
async fn shape(page: &Page) -> String {
    let held = page.ask(HELD).await;
    held.as_str().unwrap().split(',').next().unwrap().to_owned()
}

/// Column and row of the piece in the hand.
async fn corner(page: &Page) -> (i32, i32) {
    let held = page.ask(HELD).await;
    let numbers: Vec<i32> = held.as_str().unwrap().split([',', ' ']).filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

/// Begins a game of two people in which any piece may be the first.
async fn begin(page: &Page) {
    tap_on(page, "input[name=rules][value=classic]").await;
    tap_on(page, "input[name=opponent][value=person]").await;
    tap_on(page, "form button[type=submit]").await;
    status(page, "Blue: your move").await;
}

#[test]
fn a_tap_turns_the_piece_and_a_finger_that_rests_mirrors_it() {
    with_browser(&TELEPHONE, async |page, _, _| {
        begin(page).await;
        tap_on(page, ".take[data-piece=PENTO_R]").await;
        page.wait("return document.querySelector('.hand path')").await;
        let mut turned = vec![shape(page).await];
        for _ in 0..4 {
            tap(page, first_cell(page).await).await;
            turned.push(shape(page).await);
        }
        assert_eq!(turned[0], turned[4], "four quarters are a whole turn");
        assert!((0..4).all(|n| !turned[n + 1..4].contains(&turned[n])), "{turned:?}");

        page.touch(&[first_cell(page).await], HOLD).await;
        let mirrored = shape(page).await;
        assert!(!turned.contains(&mirrored), "{mirrored} is no mirror image: {turned:?}");
        page.touch(&[first_cell(page).await], HOLD).await;
        assert_eq!(shape(page).await, turned[0], "mirrored twice it is as before");

        // A tap on the same piece in the tray puts it back.
        tap_on(page, ".take[data-piece=PENTO_R]").await;
        page.wait("return !document.querySelector('.hand path')").await;
        check(page).await;
    });
}

#[test]
fn pieces_are_pulled_to_the_board_dragged_and_placed() {
    with_browser(&TELEPHONE, async |page, _, _| {
        begin(page).await;
        // Pulled out of the tray, it hangs above the finger and stays where it is let go.
        let middle = place_of(&page.ask(MIDDLE).await);
        drag(page, page.middle(".take[data-piece=PENTO_V]").await, middle).await;
        page.wait("return document.querySelector('.hand path.fails')").await;
        let lowest = page.ask(CELLS).await.as_array().unwrap().iter().map(|cell| place_of(cell).1).fold(0.0, f64::max);
        assert!(lowest < middle.1, "the finger covers the piece");
        tap_on(page, "#handkeys button:nth-child(3)").await;
        page.wait("return document.getElementById('toast').textContent === 'The first piece must cover a start cell.'")
            .await;

        // It goes as far as the finger goes, wherever it is held; a tap elsewhere brings it there.
        let from = first_cell(page).await;
        let before = corner(page).await;
        let cell = page.ask("return document.querySelector('.hand rect').getBoundingClientRect().width").await;
        let cell = cell.as_f64().unwrap();
        drag(page, from, (from.0 - 3.0 * cell, from.1 + 4.0 * cell)).await;
        assert_eq!(corner(page).await, (before.0 - 3, before.1 + 4));
        tap(page, from).await;
        assert_ne!(corner(page).await, (before.0 - 3, before.1 + 4));
        assert_eq!(page.ask("return scrollY").await, json!(0), "the page has moved under the finger");
        // Put back, by the button.
        tap_on(page, "#handkeys button:nth-child(4)").await;
        page.wait("return !document.querySelector('.hand path')").await;

        for (moves, next) in ["Yellow", "Red", "Green", "Blue"].into_iter().enumerate() {
            drag(page, page.middle(".take[data-piece=PENTO_V]").await, middle).await;
            drag_to_a_place(page).await;
            tap_on(page, "#handkeys button:nth-child(3)").await;
            status(page, &format!("{next}: your move")).await;
            assert_eq!(count(page).await, moves as u64 + 1);
        }
        tap_on(page, "#tools button:first-child").await;
        status(page, "Green: your move").await;
        check(page).await;
    });
}

#[test]
fn a_finger_scrolls_the_page_where_there_is_nothing_to_drag() {
    with_browser(&TELEPHONE, async |page, _, _| {
        begin(page).await;
        let (x, y) = place_of(&page.ask(MIDDLE).await);
        drag(page, (x, y), (x, y - 150.0)).await;
        page.wait("return scrollY > 50").await;
        page.ask("scrollTo(0, 0)").await;
        // With a piece in the hand it drags that.
        tap_on(page, ".take[data-piece=PENTO_V]").await;
        page.wait("return document.querySelector('.hand path')").await;
        page.ask("scrollTo(0, 0)").await;
        let (x, y) = place_of(&page.ask(MIDDLE).await);
        drag(page, (x, y), (x, y - 150.0)).await;
        assert_eq!(page.ask("return scrollY").await, json!(0));
        check(page).await;
    });
}

/// Turns the piece until it may lie somewhere and drags it there, by that of its cells for which there is a dot.
async fn drag_to_a_place(page: &Page) {
    while page.ask(DOTS).await == json!([]) {
        tap(page, first_cell(page).await).await;
    }
    let dot = place_of(&page.ask(DOTS).await[0]);
    let count = page.ask(CELLS).await.as_array().unwrap().len();
    for n in 0..count {
        drag(page, place_of(&page.ask(CELLS).await[n]), dot).await;
        if page.ask("return document.querySelector('.hand path.fits') !== null").await == json!(true) {
            return;
        }
    }
    panic!("the piece fits nowhere although there is a dot at {dot:?}");
}
