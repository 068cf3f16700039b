"""Actions on the page of the board, and checks for every page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

expect.set_options(timeout=30_000)

# Accessibility rules of axe that every page must pass: level A and AA of WCAG 2.1, and good practice.
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]

console = {}


def watch_console(page):
    lines = console[page] = []
    page.on("console", lambda message: message.type in ("error", "warning") and lines.append(message.text))
    page.on("pageerror", lambda error: lines.append(str(error)))


def take_console(page):
    """Returns the errors and warnings of the console since the last call."""
    lines = list(console[page])
    console[page].clear()
    return lines


def check(page, max_shift=0.01):
    """Checks that nothing moved by itself, nothing is wider than the window, and the console is empty."""
    shift, moved = page.evaluate("""() => new Promise((done) => {
        let sum = 0;
        const moved = [];
        const name = ({ node, previousRect, currentRect }) => `${node?.id || node?.className || node?.nodeName} from ${previousRect.y} to ${currentRect.y}`;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries().filter((entry) => !entry.hadRecentInput)) {
                sum += entry.value;
                moved.push(...entry.sources.map(name));
            }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done([sum, moved.join(', ')]), 100);
    })""")
    assert shift < max_shift, f"the page has moved by {shift}: {moved}"
    check_width(page, "html")
    assert take_console(page) == []


def check_width(page, selector):
    """Checks that nothing sticks out of an element. The window is no measure: phones make it as wide as its content."""
    inner, outer = page.locator(selector).evaluate("(element) => [element.scrollWidth, element.clientWidth]")
    assert inner == outer, f"{selector} is wider than its place"


def check_accessibility(page):
    expect(page.locator("h1").first).to_be_attached()
    violations = Axe().run(page, options={"runOnly": STANDARDS}).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]][:5]) for found in violations]


def start_game(page, opponent="3", **choices):
    """Starts a game with the form of the first page."""
    page.locator("form details").evaluate("(details) => { details.open = true }")
    for name, value in {"opponent": opponent, **choices}.items():
        page.locator(f"input[name={name}][value='{value}']").check(force=True)
    page.click("form button[type=submit]")


def watch_game(page, player, **choices):
    """Starts a game of a player against itself."""
    page.locator("input[name=opponent][value=watch]").check(force=True)
    for name in ["first", "second"]:
        page.select_option(f"[name={name}]", player)
    start_game(page, "watch", **choices)


def open_tab(page, name):
    """Opens the tab `play`, `analysis` or `more` of a game."""
    page.click(f"#tab-{name}")


def start_position(page, position, opponent="person"):
    page.locator("form details").evaluate("(details) => { details.open = true }")
    page.fill("input[name=position]", position)
    start_game(page, opponent)


def status(page):
    return page.locator("#status")


def toast(page):
    return page.locator("#toast")


def moves(page):
    return page.locator("#moves li")


def points(page):
    return [int(text) for text in page.locator("#scores b").all_inner_texts()]


def tool(page, name):
    open_tab(page, "play")
    page.locator("#tools button:enabled", has_text=name).click()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def wait_for_turn(page, played=-1):
    """Waits until more than `played` moves are made and a person is to move. Returns `False` if the game is over."""
    return (
        page.wait_for_function(
            """(played) => {
            const status = document.getElementById('status')?.textContent ?? '';
            if (document.querySelectorAll('#moves li').length <= played) return null;
            if (/won|draw/.test(status)) return 'over';
            return document.querySelector('.take:enabled') && /your move|du bist dran/i.test(status) ? 'turn' : null;
        }""",
            arg=played,
        ).json_value()
        == "turn"
    )


def play_first(page):
    """Plays the first usable piece."""
    x, y, *_ = take_first(page)[0]
    page.mouse.click(x, y)


def take_first(page, take=lambda piece: piece.click()):
    """Takes the first usable piece, turns and mirrors it with the keys until it fits somewhere, and returns the dots."""
    take(page.locator(".take:enabled").first)
    for key in "rrrfrrrr":
        if found := dots(page):
            return found
        page.keyboard.press(key)
    return dots(page)


def all_of(page, selector, get):
    """Returns the values of a JavaScript expression for every `element` of a selector. The page cannot redraw between
    finding and measuring them, as it can for `evaluate_all` of a locator."""
    return page.evaluate(f"(selector) => [...document.querySelectorAll(selector)].map((element) => {get})", selector)


CENTER = "((box) => [box.x + box.width / 2, box.y + box.height / 2])(element.getBoundingClientRect())"


def dots(page):
    """The marks for the legal places of the piece in the hand: x and y in the window, column and row on the board."""
    return all_of(
        page, ".legal circle", f"[...{CENTER}, element.cx.baseVal.value - 0.5, element.cy.baseVal.value - 0.5]"
    )


def held_cells(page):
    """The cells of the piece in the hand, like `dots`."""
    return all_of(
        page,
        ".hand rect",
        f"[...{CENTER}, Math.round(element.x.baseVal.value), Math.round(element.y.baseVal.value)]",
    )


def held(page):
    """The orientation and place of the piece in the hand and whether it fits, in the text for screen readers."""
    return page.locator("#spoken").text_content()


def outline_width(page):
    """The width of the focus ring around the board."""
    return page.locator(".blokus").evaluate(
        "(board) => getComputedStyle(board).outlineStyle === 'none' ? 0 : parseFloat(getComputedStyle(board).outlineWidth)"
    )


def held_shape(page):
    return held(page).split(",")[0]


def middle(page, selector=".blokus"):
    locator = page.locator(selector).first
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play_by_mouse(page):
    """Plays until the game is over."""
    played = moves(page).count()
    while True:
        page.locator(".take:enabled").first.click()
        for n in range(1, 9):
            if dots(page):
                break
            page.locator("#handkeys button").nth(1 if n == 4 else 0).click()
        # On a phone the tray may be below the board.
        page.locator(".blokus").scroll_into_view_if_needed()
        found = dots(page)
        x, y, *_ = found[played % len(found)]
        page.mouse.click(x, y)
        if not wait_for_turn(page, played):
            break
        played = moves(page).count()
    assert moves(page).count() > 40, "the game was short"
    check(page)


def drop_file(page, name, text):
    """Drops a file onto the page."""
    drop_files(page, {name: text})


def drop_files(page, texts):
    """Drops files onto the page."""
    page.evaluate(
        """(texts) => {
            const files = new DataTransfer();
            for (const [name, text] of Object.entries(texts)) files.items.add(new File([text], name));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
        }""",
        texts,
    )


def analyse(page, move_time):
    """Analyses the whole game."""
    open_tab(page, "analysis")
    page.select_option("#analysis select", str(move_time))
    page.click("#analysis button.main")
    expect(page.locator("progress")).to_be_attached()
    expect(page.locator("progress")).to_have_count(0)
    expect(page.locator(".summary tr")).to_have_count(3)


def check_frames(page):
    """Checks that the page draws while the engine thinks along for ten seconds."""
    seconds = page.evaluate("""() => new Promise((done) => {
        const begun = performance.now();
        const draw = (left) => left ? requestAnimationFrame(() => draw(left - 1)) : done((performance.now() - begun) / 1000);
        draw(30);
    })""")
    assert seconds < 5, f"30 frames took {seconds} s"


def open_seats(page):
    """Opens the list of players and links."""
    open_tab(page, "more")
    page.click("#options .players")
    expect(page.locator("dialog")).to_be_visible()


def save(page, kind, folder):
    """Saves the game in a format and returns the file."""
    open_tab(page, "more")
    with page.expect_download() as download:
        page.locator("#options .file", has_text=f"(.{kind})").click()
    path = folder / download.value.suggested_filename
    assert path.name.startswith("blokus-") and path.suffix == f".{kind}", path.name
    download.value.save_as(path)
    return path
