"""Files, analysis, languages and colours."""

import json
import re

from playwright.sync_api import expect

from page import (
    all_of,
    analyse,
    check,
    check_accessibility,
    drop_file,
    drop_files,
    moves,
    open_seats,
    open_tab,
    press,
    save,
    start_game,
    start_position,
    status,
    take_console,
    take_first,
    toast,
    tool,
    wait_for_turn,
)

# Text that becomes an element if a page takes it for HTML.
NAME = "<img src=x onerror=window.hurt=1>"


def one_move(**more):
    """A file with a game of one move."""
    game = {
        "format": "blokus",
        "version": 1,
        "start": "2027 PENTO_W 0 BYRG - " + "/".join(["20"] * 20),
        "moves": [{"move": "PENTO_W@0,0", "comment": more.pop("comment", "")}],
        **more,
    }
    return json.dumps(game) + "\n"


def expect_name(page, selector, name=NAME):
    """Checks that the name stands there as text and has not become an element."""
    expect(page.locator(selector).filter(has_text=name).first).to_be_attached()
    assert page.evaluate("document.querySelector('img') === null && window.hurt === undefined")


def test_replay_and_analysis(start_board, open_window, replay, screenshot, tmp_path):
    board = start_board()
    page = open_window(board.url, 1280, 800)
    with page.expect_file_chooser() as chooser:
        page.click(".drop")
    chooser.value.set_files(replay)
    expect(moves(page)).not_to_have_count(0)
    count = moves(page).count()
    assert count > 40
    analyse(page, 100)
    rows = page.locator(".summary tr").all_inner_texts()
    assert "%" in rows[1], rows

    # The edges of small pieces are not cut off.
    assert set(all_of(page, "svg.piece", "getComputedStyle(element).overflow")) == {"visible"}

    # The ends of the graph are the ends of the game.
    graph = page.locator(".graph")
    here = page.locator("#moves [aria-current]")
    graph.click(position={"x": 1, "y": 5})
    expect(here).to_have_count(0)
    graph.click(position={"x": graph.bounding_box()["width"] - 1, "y": 5})
    expect(moves(page).nth(count - 1).locator("[aria-current]")).to_be_attached()

    # A lesson asks for a better move, judges it and shows the line.
    page.locator(".learn button:enabled").first.click()
    expect(status(page)).to_have_text(re.compile("find a better move"))
    expect(page.locator(".ghost text")).to_have_text("played")
    x, y, *_ = take_first(page)[0]
    page.mouse.click(x, y)
    expect(page.locator(".lesson .answer")).not_to_have_class("answer ")
    expect(moves(page)).to_have_count(count)
    screenshot(page, "lesson")
    page.locator(".lesson button").last.click()

    # A mark leads to its move, and its better line is played out on the board.
    page.locator(".mark").first.click()
    page.locator("#verdict .linemove").last.click()
    expect(page.locator("#verdict b")).to_have_text(re.compile(r"^Move \d+, \w+: \?"))
    expect(page.locator(".blokus.has-line")).to_be_attached()
    expect(status(page)).to_have_text(re.compile("^Line of the engine"))
    press(page, "ArrowLeft")
    moves(page).nth(41).locator("button").click()
    tool(page, "Hint")
    expect(page.locator(".candidates tr")).not_to_have_count(1)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    screenshot(page, "board")
    check_accessibility(page)
    check(page)

    # Pictures are files of their kind.
    assert b"<svg" in save(page, "svg", tmp_path).read_bytes()
    assert save(page, "png", tmp_path).read_bytes().startswith(b"\x89PNG\r\n")

    # A dropped game with a fault says what was said of it, names and comments are text, also on a page of its own.
    drop_file(
        page,
        "game.jsonl",
        one_move(
            names=[NAME, "other"],
            comment=NAME,
            fault={"team": "TWO", "kind": "illegal", "detail": "Setze PENTO_W(Farbe Gelb)[5,5]"},
        ),
    )
    expect_name(page, "#scores")
    expect(page.locator("#comment textarea")).to_have_value(NAME)
    expect(status(page)).to_have_text("Yellow and green made an illegal move")
    expect(page.locator("#fault")).to_have_text("Server message: Setze PENTO_W(Farbe Gelb)[5,5]")
    expect(page.locator(".refused rect.YELLOW")).to_have_count(5)
    sheet = save(page, "html", tmp_path)
    page.locator("#nav button").first.click()
    expect(page.locator("#fault")).to_have_text("")
    expect(page.locator(".refused rect")).to_have_count(0)
    check(page)
    page.goto(board.url)
    expect_name(page, ".recent a")
    page.goto(sheet.as_uri())
    for selector in ["#scores", "h1"]:
        expect_name(page, selector)
    expect(page).to_have_title(f"Game {NAME} – other")
    expect(status(page)).to_have_text("Yellow and green made an illegal move")
    check(page)

    # The page tells of several games and of a game without its end.
    page.goto(board.url)
    expect(page.locator("form")).to_be_visible()
    drop_files(page, {"games.jsonl": 2 * one_move(), "game.jsonl": one_move()})
    expect(toast(page)).to_contain_text("first of 3 games")
    expect(toast(page)).to_contain_text("The record ends before the end of the game.")
    drop_file(page, "cut.xml", replay.read_text()[: replay.stat().st_size // 2])
    expect(toast(page)).to_have_text(re.compile("^The record ends before the end of the game."))
    page.reload()
    expect(moves(page).nth(10)).to_be_attached()
    expect(toast(page)).to_have_text("")
    check(page)

    # The page of an analysed game needs no service, on a desk and on a phone.
    page.goto(board.url)
    page.locator(".recent a", has_text="heuristic").click()
    open_tab(page, "analysis")
    expect(page.locator(".summary tr")).to_have_count(3)
    sheet = save(page, "html", tmp_path)
    board.stop()
    for width, height in [(1024, 900), (390, 844)]:
        page = open_window(sheet.as_uri(), width, height)
        expect(moves(page)).to_have_count(count)
        expect(page.locator(".graph .line")).to_have_count(1)
        press(page, "ArrowLeft", "ArrowLeft")
        expect(moves(page).nth(count - 3).locator("button")).to_have_attribute("aria-current", "true")
        assert width < 500 or page.locator(".blokus").bounding_box()["width"] > 500
        screenshot(page, f"sheet-{width}x{height}")
        check(page)


def all_texts(page):
    """Returns every visible, spoken or hovering text with letters."""
    return set(
        page.evaluate(r"""() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [document.title];
        while (walker.nextNode()) {
            const { parentElement: parent, data } = walker.currentNode;
            if (!parent.closest('template, script, style')) found.push(data);
        }
        for (const element of document.querySelectorAll('body *')) {
            for (const name of ['aria-label', 'title', 'placeholder', 'data-empty', 'alt']) found.push(element.getAttribute(name) ?? '');
        }
        return found.map((text) => text.trim()).filter((text) => /\p{L}/u.test(text));
    }""")
    )


def contrast(page, *parts):
    """Returns the contrast between the strokes of two parts of the board, as WCAG defines it."""
    luminance = []
    for part in parts:
        stroke = page.locator(f".blokus {part}").evaluate("(element) => getComputedStyle(element).stroke")
        linear = [((int(value) / 255 + 0.055) / 1.055) ** 2.4 for value in re.findall(r"\d+", stroke)[:3]]
        luminance.append(sum(weight * value for weight, value in zip([0.2126, 0.7152, 0.0722], linear)))
    return (max(luminance) + 0.05) / (min(luminance) + 0.05)


def tour(page, url):
    """Returns the texts of the first page, of an analysed game with a hint, and of its dialogs."""
    page.goto(url)
    expect(page.locator(".recent a, .recent li").first).to_be_attached()
    found = all_texts(page)
    drop_file(page, "game.jsonl", one_move())
    expect(moves(page)).to_have_count(1)
    analyse(page, 100)
    open_tab(page, "play")
    page.locator("#tools button").nth(2).click()
    expect(page.locator(".candidates tr")).not_to_have_count(1)
    found |= all_texts(page)
    open_seats(page)
    found |= all_texts(page)
    page.click("dialog button.main")
    open_tab(page, "play")
    page.locator("#tools button").nth(4).click()
    expect(page.locator("dialog")).to_be_visible()
    found |= all_texts(page)
    check(page)
    return found


def test_german_and_colours(start_board, open_window, open_forgetful_window, screenshot):
    board = start_board()
    english, german = open_window(board.url), open_window(board.url, locale="de-DE")
    in_english, in_german = tour(english, board.url), tour(german, board.url)
    assert "Analyse the game" in in_english and "Partie analysieren" in in_german
    # Names, and words that are the same in both.
    same = {"Blokus", "Pause", "English", "Deutsch", "Person", "Pentobi (.blksgf)", "Replay (.xml)"}
    same |= {"◐\uFE0E Auto"}
    untranslated = {text for text in in_english & in_german - same if re.search("[a-zäöüß]", text)}
    assert not untranslated

    # One is singular.
    one = "() => import('/page/words.js').then(({ words }) => [words.lineShown(1), words.progress(1, 1), words.pointsOf(1), words.reachOf(words.BLUE, 1, 0, 1)])"
    assert english.evaluate(one) == [
        "Line of the engine, 1 move on",
        "1 of 1 position",
        "1 point",
        "Blue can still reach 1 cell, 0 of them alone, with 1 piece",
    ]
    assert german.evaluate(one) == [
        "Zugfolge des Programms, 1 Zug weiter",
        "1 von 1 Stellung",
        "1 Punkt",
        "Blau kommt noch auf 1 Feld, auf 0 davon als Einzige, mit 1 Stein",
    ]

    # Errors about files and positions are in German and name the offending text.
    german.goto(board.url)
    for name, text, said in [
        ("game.xml", '{"start": 1}', "game.xml lässt sich nicht als Partie lesen"),
        ("game.txt", "", "Die Datei ist leer."),
        ("game.txt", "\x7fELF\x02", "game.txt lässt sich nicht als Partie lesen"),
        ("game.xml", "<protocol></protocol>", "(the replay cannot be used: "),
    ]:
        expect(german.locator("form")).to_be_visible()
        drop_file(german, name, text)
        expect(toast(german)).to_contain_text(said)
    start_position(german, "classic - 0 BYRG - 20")
    expect(toast(german)).to_contain_text(re.compile("^Das ist keine Stellung.*`20`"))
    take_console(german)

    # A click switches the language, for good; a browser that keeps nothing has it in the address.
    forgetful = open_forgetful_window(board.url)
    for page, title in [(german, "New game"), (forgetful, "Neue Partie")]:
        page.click("#header .language")
        expect(page.locator("form h1")).to_have_text(title)
    german.goto(board.url)
    expect(german.locator("html")).to_have_attribute("lang", "en")
    start_game(forgetful, "person")
    expect(forgetful.locator(".take:enabled").first).to_be_visible()
    check(forgetful)

    # Colours are those of the system until others are chosen; texts have contrast in all of them.
    colors = lambda page: page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.blokus .ground, .blokus rect')).fill]"
    )
    for scheme in ["light", "dark"]:
        page = open_window(board.url, color_scheme=scheme)
        check_accessibility(page)
        screenshot(page, f"start-{scheme}")
        start_game(page)
        wait_for_turn(page)
        own, chosen = colors(page), {}
        for theme in ["light", "dark"]:
            page.locator("#header select").select_option(theme)
            chosen[theme] = colors(page)
            assert contrast(page, ".edges", ".grid") > 1.5, f"pieces are not distinct in {theme}"
            check_accessibility(page)
        assert own == chosen[scheme] and all(a != b for a, b in zip(chosen["light"], chosen["dark"]))
        screenshot(page, f"game-{scheme}")
        check(page)
