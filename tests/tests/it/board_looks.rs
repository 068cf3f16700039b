//! How the page of the board looks to different people: in their language, in light and dark colours, as pictures to
//! save, and with names that could be taken for a part of the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use board::service::Config;
use data_encoding::BASE64;
use game::{Cell, Color, Piece, Position, Rules};
use player::{FromOptions, Limit, Options, Player, RandomPlayer};
use record::{Game, NodeId};
use serde_json::json;
use tests::at_page::{READY, check, drop_file, fits, tool};
use tests::board_service::{Board, with_browser};
use tests::driver::{Driver, Page, Setup, place_of};
use tokio::runtime::Runtime;

const WIDE: Setup<'_> = Setup::new(1400, 900);

/// The position after some random moves.
fn position(moves: usize) -> Position {
    let mut random = RandomPlayer::new(&Options::default());
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    for _ in 0..moves {
        position.play(random.choose(&position, &Limit::UNLIMITED).mv);
    }
    position
}

/// Clicks on a kind of files.
async fn save(page: &Page, kind: &str) {
    let body = format!(
        "const file = [...document.querySelectorAll('#options .file')].find((file) => file.textContent === '{kind}');
         file.scrollIntoView({{ block: 'nearest' }}); const box = file.getBoundingClientRect(); return [box.x + 5, box.y + 5]"
    );
    page.click(place_of(&page.ask(&body).await)).await;
}

/// What the browser has saved, as soon as it has.
async fn saved(path: &Path) -> Vec<u8> {
    let begun = Instant::now();
    loop {
        match fs::read(path) {
            Ok(bytes) if !bytes.is_empty() => return bytes,
            _ => assert!(begun.elapsed().as_secs() < 30, "{} is not saved", path.display()),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The colours of a picture of the board beside the middles of all cells.
async fn colors(page: &Page, kind: &str, bytes: &[u8]) -> Vec<String> {
    let body = format!(
        "return (async () => {{
             const image = new Image();
             image.src = 'data:{kind};base64,{}';
             await image.decode();
             if (image.naturalWidth !== image.naturalHeight || image.naturalWidth < 800) throw new Error(`${{image.naturalWidth}} x ${{image.naturalHeight}}`);
             const canvas = document.createElement('canvas');
             const side = canvas.width = canvas.height = 1060;
             const context = canvas.getContext('2d', {{ willReadFrequently: true }});
             context.drawImage(image, 0, 0, side, side);
             // There are labels above and to the left, and what marks a cell is in its middle.
             const at = (n) => (1.1 + n + 0.25) * side / 21.2;
             return [...Array(400).keys()].map((cell) => String(context.getImageData(at(cell % 20), at(Math.floor(cell / 20)), 1, 1).data));
         }})()",
        BASE64.encode(bytes)
    );
    let colors = page.ask(&body).await;
    colors.as_array().unwrap().iter().map(|color| color.as_str().unwrap().to_owned()).collect()
}

#[test]
fn pictures_that_are_saved_show_the_position() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup { downloads: Some(folder.path()), ..WIDE };
    with_browser(&setup, async |page, _, _| {
        let position = position(8);
        page.click_on("input[name=opponent][value=person]").await;
        page.click_on("form summary").await;
        page.click_on("input[name=position]").await;
        page.press(position.to_string().chars()).await;
        page.click_on("form button[type=submit]").await;
        page.wait(READY).await;
        let owner = |cell: usize| position.board().color_at(Cell::new(cell as i32 % 20, cell as i32 / 20).unwrap());
        for (name, kind) in [("svg", "image/svg+xml"), ("png", "image/png")] {
            save(page, name).await;
            let picture = saved(&folder.path().join(format!("blokus.{name}"))).await;
            let shown = colors(page, kind, &picture).await;
            let of = |owner_of: Option<Color>| -> BTreeSet<&str> {
                (0..400).filter(|&cell| owner(cell) == owner_of).map(|cell| shown[cell].as_str()).collect()
            };
            let all: Vec<_> = Color::ALL.into_iter().map(Some).chain([None]).map(of).collect();
            assert!(all.iter().all(|colors| colors.len() == 1), "{name}: {all:?}");
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 5, "{name}: {all:?}");
        }
        check(page).await;
    });
}

/// Every text that is seen, spoken or shown beside something, without what has no letters.
const TEXTS: &str = r"
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [document.title];
    while (walker.nextNode()) {
        const { parentElement: parent, data } = walker.currentNode;
        if (!parent.closest('template, script, style')) found.push(data);
    }
    for (const element of document.querySelectorAll('body *')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'data-empty', 'alt']) found.push(element.getAttribute(name) ?? '');
    }
    return found.map((text) => text.trim()).filter((text) => /\p{L}/u.test(text));";

async fn texts(page: &Page) -> BTreeSet<String> {
    let texts = page.ask(TEXTS).await;
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The texts of the first page, of a game with hints and an analysis, and of its dialogs.
async fn all_texts(page: &Page, url: &str, game: &str) -> BTreeSet<String> {
    page.go(url).await;
    page.wait("return document.querySelector('.recent a, .recent li')").await;
    let mut all = texts(page).await;
    drop_file(page, "game.jsonl", game).await;
    page.wait("return document.querySelector('#moves li')").await;
    page.ask("const time = document.querySelector('#analysis select'); time.value = '100'; time.dispatchEvent(new Event('change'))").await;
    page.click_on("#analysis button.main").await;
    page.wait("return document.querySelectorAll('.summary tr').length === 4 && !document.querySelector('progress')")
        .await;
    page.click_on("#tools button:nth-child(3)").await;
    // The answer has its room before it is there.
    let place = "return document.getElementById('summary').getBoundingClientRect().y + scrollY";
    let before = page.ask(place).await;
    page.wait("return document.querySelectorAll('.candidates tr').length > 1").await;
    assert_eq!(page.ask(place).await, before, "the answer of the engine has moved what is below it");
    page.click_on("#options input[type=checkbox]:nth-of-type(1)").await;
    all.extend(texts(page).await);
    page.wait("return [...document.querySelectorAll('#options button')].at(-1).click() ?? true").await;
    page.wait("return document.querySelector('dialog')").await;
    all.extend(texts(page).await);
    page.click_on("dialog button.main").await;
    page.click_on("#tools button:nth-child(5)").await;
    page.wait("return document.querySelector('dialog')").await;
    all.extend(texts(page).await);
    check(page).await;
    all
}

#[test]
fn the_language_is_that_of_the_browser_until_another_is_chosen_and_nothing_stays_untranslated() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut game = Game::new(Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap());
    game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
    let game = record::json::write(&game) + "\n";
    Runtime::new().unwrap().block_on(async {
        let board = Board::start(folder.path().join("games.sqlite"), None);
        let english = driver.open_as(&WIDE).await;
        let german = driver.open_as(&Setup { language: "de-DE", ..WIDE }).await;
        let in_english = all_texts(&english, &board.url, &game).await;
        let in_german = all_texts(&german, &board.url, &game).await;
        assert!(in_english.contains("Analyse the game") && in_german.contains("Partie analysieren"));
        // Names, and words that are the same in both.
        let is_name = |text: &str| {
            let is_piece = |word: &str| word.chars().all(|c| !c.is_lowercase());
            text.split_whitespace().all(is_piece)
                || ["svg", "png", "html", "blksgf", "txt", "jsonl", "xml"].contains(&text)
        };
        let same = ["Blokus", "Pause", "English", "Deutsch", "Person"];
        let untranslated: Vec<_> = in_english
            .intersection(&in_german)
            .filter(|text| !is_name(text) && !same.contains(&text.as_str()))
            .collect();
        assert!(untranslated.is_empty(), "{untranslated:?}");

        // A press switches, for good.
        german.go(&board.url).await;
        german.click_on("#header button").await;
        german
            .wait("return document.documentElement.lang === 'en' && document.body.innerText.includes('New game')")
            .await;
        german.go(&board.url).await;
        german
            .wait("return document.documentElement.lang === 'en' && document.body.innerText.includes('New game')")
            .await;
        german.click_on("#header button").await;
        german
            .wait("return document.documentElement.lang === 'de' && document.body.innerText.includes('Neue Partie')")
            .await;
        english.close().await;
        german.close().await;
        board.stop();
    });
}

#[test]
fn everything_fits_telephones_upright_and_on_their_side() {
    for (width, height) in [(360, 740), (740, 360)] {
        with_browser(&Setup { language: "de-DE", ..Setup::new(width, height) }, async |page, _, _| {
            fits(page, "document.documentElement").await;
            page.click_on("form summary").await;
            page.ask("document.querySelector('[name=control]').value = 'game 10'").await;
            page.click_on("input[name=opponent][value=guest]").await;
            page.click_on("form button[type=submit]").await;
            page.wait("return document.querySelector('.take:enabled')").await;
            fits(page, "document.documentElement").await;
            // The board is seen as a whole, and so are the names and clocks of both teams.
            let side = page.ask("return document.querySelector('.blokus').getBoundingClientRect().height").await;
            let side = side.as_f64().unwrap();
            assert!(side > 330.0 && side <= f64::from(width.min(height)), "{side} at {width} x {height}");
            let cut = "const isCut = (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
                return [...document.querySelectorAll('.score, .score span, .score time')].filter(isCut).map((part) => part.textContent)";
            assert_eq!(page.ask(cut).await, json!([]), "{width} x {height}");
            page.wait("return [...document.querySelectorAll('#options button')].at(-1).click() ?? true").await;
            page.wait("return document.querySelector('dialog')").await;
            fits(page, "document.querySelector('dialog')").await;
            // A list is as wide as the longest of what one can choose.
            let narrow = "const list = document.querySelector('dialog select'); const width = list.clientWidth;
                list.style.width = 'max-content'; return list.clientWidth > width";
            assert_eq!(page.ask(narrow).await, json!(false), "{width} x {height}");
            check(page).await;
        });
    }
}

#[test]
fn one_is_singular_in_both_languages() {
    for (language, said) in [
        (
            "en-US",
            [
                "What could follow, 1 move on",
                "1 of 1 position",
                "1 point",
                "Blue can still reach 1 cell, 0 of them alone, with 1 piece",
            ],
        ),
        (
            "de-DE",
            [
                "Mögliche Fortsetzung, 1 Zug weiter",
                "1 von 1 Stellung",
                "1 Punkt",
                "Blau kommt noch auf 1 Feld, auf 0 davon als Einzige, mit 1 Stein",
            ],
        ),
    ] {
        with_browser(&Setup { language, ..WIDE }, async |page, _, _| {
            let ask = "return import('/page/words.js').then(({ words }) =>
                [words.lineShown(1), words.progress(1, 1), words.pointsOf(1), words.reachOf(words.BLUE, 1, 0, 1)])";
            assert_eq!(page.ask(ask).await, json!(said));
        });
    }
}

#[test]
fn what_is_wrong_with_a_file_or_a_position_is_said_in_german_too() {
    with_browser(&Setup { language: "de-DE", ..Setup::new(390, 844) }, async |page, _, _| {
        let toast = "document.getElementById('toast').textContent";
        for (name, text, said) in [
            ("game.xml", "{\"start\": 1}", "Die Datei lässt sich nicht öffnen. Genauer, auf Englisch: "),
            ("game.txt", "no game", "Die Datei lässt sich nicht öffnen. Genauer, auf Englisch: "),
            ("game.txt", "", "Die Datei ist leer."),
        ] {
            drop_file(page, name, text).await;
            page.wait(&format!("return {toast}.startsWith('{said}')")).await;
        }
        page.click_on("form summary").await;
        page.click_on("input[name=position]").await;
        page.press("classic - 0 BYRG - 20".chars()).await;
        page.click_on("form button[type=submit]").await;
        let said = page.wait(&format!("return {toast}.startsWith('Das ist keine Stellung') && {toast}")).await;
        assert!(said.as_str().unwrap().contains("`20`"), "the offending text: {said}");
    });
}

/// Texts that are hard to read: where they stand out from what is behind them less than is asked of pages (WCAG 2.1,
/// 1.4.3). What cannot be used is left out, as there.
const FAINT: &str = r"
    const numbers = (color) => {
        const context = document.createElement('canvas').getContext('2d');
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
        .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const color = numbers(getComputedStyle(at).backgroundColor);
            if (color[3] === 255) return color;
        }
        return [255, 255, 255];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = [];
    while (walker.nextNode()) {
        const { parentElement: parent, data } = walker.currentNode;
        if (!data.trim() || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest('svg, :disabled, .hidden, option, template, script')) continue;
        const [ink, ground] = [numbers(getComputedStyle(parent).color), behind(parent)].map(light);
        const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        if (contrast < 4.5) faint.push(`${data.trim()}: ${contrast.toFixed(2)}`);
    }
    return faint;";

const GROUND: &str = "return getComputedStyle(document.body).backgroundColor";

/// The colour of an empty cell of the board.
const BOARD: &str = "return getComputedStyle(document.querySelector('.blokus .ground, .blokus rect')).fill";

#[test]
fn colours_are_those_of_the_system_until_others_are_chosen_and_texts_stand_out() {
    for is_dark in [false, true] {
        with_browser(&Setup { is_dark, ..WIDE }, async |page, _, _| {
            assert_eq!(page.ask(FAINT).await, json!([]), "dark: {is_dark}");
            page.click_on("form button[type=submit]").await;
            page.wait(READY).await;
            tool(page, "Hint").await;
            page.wait("return document.querySelectorAll('.candidates tr').length > 1").await;
            assert_eq!(page.ask(FAINT).await, json!([]), "dark: {is_dark}");
            let (own, board) = (page.ask(GROUND).await, page.ask(BOARD).await);
            let choose = async |theme: &str| {
                page.ask(&format!(
                    "const list = document.querySelector('#header select'); list.value = '{theme}'; list.dispatchEvent(new Event('change'))"
                ))
                .await;
                (page.ask(GROUND).await, page.ask(BOARD).await)
            };
            let (light, dark) = (choose("light").await, choose("dark").await);
            assert!(light.0 != dark.0 && light.1 != dark.1, "{light:?} {dark:?}");
            assert_eq!((own, board), if is_dark { dark } else { light });
            assert_eq!(page.ask(FAINT).await, json!([]), "dark is chosen");
            check(page).await;
        });
    }
}

/// A name that becomes a picture and runs a script where it is taken for a part of the page.
const NAME: &str = "<img src=x onerror=window.hurt=1>";

/// The name stands in the page as it is, in what a selector finds, and nothing of it has become an element.
async fn shows_name(page: &Page, selector: &str) {
    page.wait(&format!(
        "return [...document.querySelectorAll({})].some((found) => found.textContent.includes({}))",
        json!(selector),
        json!(NAME)
    ))
    .await;
    assert_eq!(page.ask("return [document.querySelector('img'), window.hurt ?? null]").await, json!([null, null]));
}

#[test]
fn names_are_text_wherever_they_stand() {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.sqlite");
    let mut config = Config::new(folder.path().join("games.sqlite"));
    config.programs.insert(NAME.to_owned(), "random".parse().unwrap());
    let mut matches = arena::store::Store::open(&path).unwrap();
    matches.add_import(Rules::Season2027, [NAME, "random"]).unwrap();
    config.arena = Some(path);
    let mut game = Game::new(Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap());
    game.names = [NAME.to_owned(), "other".to_owned()];
    let node = game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
    game.note_mut(node).comment = NAME.to_owned();
    Runtime::new().unwrap().block_on(async {
        let board = Board::with(config);
        let setup = Setup { downloads: Some(folder.path()), ..WIDE };
        let page = driver.open_as(&setup).await;
        page.go(&board.url).await;
        // Programs, and matches of the arena.
        shows_name(&page, ".choice span").await;
        shows_name(&page, ".recent summary").await;
        drop_file(&page, "game.jsonl", &(record::json::write(&game) + "\n")).await;
        // The players, a comment, and who can be seated.
        shows_name(&page, "#scores").await;
        shows_name(&page, "#comment textarea").await;
        page.wait("return [...document.querySelectorAll('#options button')].at(-1).click() ?? true").await;
        shows_name(&page, "dialog option").await;
        page.click_on("dialog button.main").await;
        save(&page, "html").await;
        saved(&folder.path().join("blokus.html")).await;
        check(&page).await;
        // Recent games, and the page to hand in with its title.
        page.go(&board.url).await;
        shows_name(&page, ".recent a").await;
        page.go(&format!("file://{}", folder.path().join("blokus.html").display())).await;
        shows_name(&page, "#scores").await;
        shows_name(&page, "title").await;
        shows_name(&page, "h1").await;
        check(&page).await;
        page.close().await;
        board.stop();
    });
}
