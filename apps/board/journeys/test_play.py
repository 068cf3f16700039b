"""Games with a mouse, the keyboard and fingers, variations, and the list of games."""

import re

from playwright.sync_api import expect

from page import (
    all_of,
    check,
    check_accessibility,
    check_frames,
    check_width,
    dots,
    held,
    held_cells,
    held_shape,
    middle,
    moves,
    open_seats,
    open_tab,
    outline_width,
    play_by_mouse,
    play_first,
    points,
    press,
    start_game,
    start_position,
    status,
    take_first,
    toast,
    tool,
    wait_for_turn,
)

# After four moves; blue is to move, both teams have ten points.
POSITION = "2027 PENTO_W 4 BYRG - B17YY/BB15YY1/1BB15Y1/20/20/20/20/20/20/20/20/20/20/20/20/20/20/1R15GG1/1RR15GG/RR17G"


def test_mouse(start_board, open_window, screenshot):
    board = start_board()
    page = open_window(board.url)
    check_accessibility(page)
    screenshot(page, "start")
    page.click("form summary")
    page.locator("[name=opponent][value=person]").check(force=True)
    expect(page.locator("[name=team]").first).to_be_hidden()
    expect(page.locator("[name=piece]")).to_be_visible()

    # A pasted position between two people: wheel, touchpad, pass, undo, redo, resign.
    start_position(page, POSITION)
    expect(status(page)).to_have_text("Blue: your move")
    assert points(page) == [10, 10]
    page.locator(".take:enabled").first.click()
    assert dots(page), "a piece is taken in an orientation that fits"
    assert outline_width(page) == 0, "a mouse needs no focus ring"
    page.mouse.move(*middle(page))
    turned = []
    for _ in range(5):
        turned.append(held_shape(page))
        page.mouse.wheel(0, 100)
        page.wait_for_timeout(100)
    assert turned[0] == turned[4] and turned[1] != turned[0], "four notches are a whole turn"
    before = held_shape(page)
    for steps, is_turned in [(9, False), (10, True)]:
        page.locator(".blokus").evaluate(
            "(board, steps) => { for (; steps > 0; steps--) board.dispatchEvent(new WheelEvent('wheel', { deltaY: 10, cancelable: true })) }",
            steps,
        )
        assert (held_shape(page) != before) == is_turned, f"{steps} small steps of a touchpad"
        page.wait_for_timeout(100)
    while not dots(page):
        page.mouse.wheel(0, 100)
        page.wait_for_timeout(100)
    x, y, *_ = dots(page)[0]
    page.mouse.click(x, y)
    expect(status(page)).to_have_text("Yellow: your move")
    tool(page, "Pass")
    expect(status(page)).to_have_text("Red: your move")
    tool(page, "Undo")
    expect(status(page)).to_have_text("Yellow: your move")
    expect(moves(page)).to_have_count(1)
    tool(page, "Redo")
    expect(status(page)).to_have_text("Red: your move")
    tool(page, "Resign")
    page.click("dialog button:not(.main)")
    expect(status(page)).to_have_text("Red: your move")
    tool(page, "Resign")
    page.click("dialog button.main")
    expect(status(page)).to_have_text("Blue and red resigned")
    check(page)

    # A position that is set up by hand: a piece is placed, removed and placed again.
    page.goto(board.url)
    page.locator("form details").evaluate("(details) => { details.open = true }")
    page.locator("input[name=opponent][value=person]").check(force=True)
    page.click("button.setup")
    for is_left in [False, True, False]:
        if is_left:
            page.mouse.click(x, y)
        else:
            page.locator(".take:enabled").first.click()
            x, y, *_ = dots(page)[0]
            page.mouse.click(x, y)
        expect(page.locator(".take.gone")).to_have_count(0 if is_left else 1)
    page.locator(".take:enabled").first.click()
    page.mouse.click(*middle(page))
    expect(toast(page)).to_have_text("The piece must touch one of your own at a corner.")
    press(page, "Escape")
    check_accessibility(page)
    page.locator("#tomove label", has_text="Green").click()
    page.click(".setup .row .main")
    expect(status(page)).to_have_text("Green: your move")
    assert points(page) == [5, 0]

    # An illegal place is refused with its rule, and hints show moves with labels that hide nothing.
    page.goto(board.url)
    start_game(page, "1")
    wait_for_turn(page)
    page.locator(".take:enabled").first.click()
    page.mouse.click(*middle(page))
    expect(toast(page)).to_have_text("The first piece must cover a start cell.")
    expect(page.locator(".wrong .needed")).not_to_have_count(0)
    press(page, "Escape")
    tool(page, "Hint")
    expect(page.locator(".ghost").first).to_be_attached()
    expect(page.locator(".candidates tr")).not_to_have_count(1)
    hidden = page.evaluate("""() => {
        const boxes = (selector) => [...document.querySelectorAll(selector)].map((rect) => rect.getBoundingClientRect());
        const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.x, b.x) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 1;
        const [labels, cells] = [boxes('.ghost rect.label'), boxes('.ghost rect:not(.label)')];
        return labels.flatMap((label, i) => [...cells, ...labels.slice(0, i)].filter((other) => meets(label, other))).length;
    }""")
    assert hidden == 0
    labels = page.locator(".ghost text").all_text_contents()
    assert labels == [str(rank + 1) for rank in range(len(labels))], labels
    check_accessibility(page)
    screenshot(page, "hint")

    # The page stays fluid while the engine thinks along.
    open_tab(page, "analysis")
    live = page.locator("#analysis input[type=checkbox]")
    live.check()
    check_frames(page)
    live.uncheck()
    assert page.locator(".graph").count() == 0, "no graph without an analysis"
    play_by_mouse(page)
    expect(page.locator(".result h2")).to_contain_text("You ")
    assert page.locator(".graph").count() == 0, "a hint and the result make no graph"
    screenshot(page, "end")
    page.locator(".result button", has_text="Swap sides").click()
    wait_for_turn(page)
    expect(page.locator(".score").nth(1)).to_contain_text("Player")
    page.goto(board.url)
    has_record = "import('/page/record.js').then((record) => record.hasRecord([]))"
    assert page.evaluate(has_record), "older games count, too"
    page.click(".record summary")
    expect(page.locator(".record tr")).to_have_count(2)
    expect(page.locator(".record tr").nth(1)).to_contain_text(re.compile("Level 1.*[<>(]"))
    check_record(page)
    check_accessibility(page)
    screenshot(page, "record")


def check_record(page):
    """Checks the counts of games with known seats and results, and the estimates of their strength."""
    person, first, ninth = {"kind": "person"}, {"kind": "level", "level": 1}, {"kind": "level", "level": 9}
    games = [
        {"seats": [person, first, person, first], "result": "ONE"},
        {"seats": [first, person, first, person], "result": "ONE"},
        {"seats": [first, person, first, person], "result": "drawn"},
        {"seats": [person, ninth, person, ninth], "result": "TWO"},
        # Unfinished, mixed levels, mixed teams, people only, unreadable.
        {"seats": [person, first, person, first], "result": "unfinished"},
        {"seats": [person, first, person, ninth], "result": "ONE"},
        {"seats": [person, person, first, first], "result": "ONE"},
        {"seats": [person, person, person, person], "result": "ONE"},
        {},
    ]
    counts = page.evaluate("games => import('/page/record.js').then((record) => record.countByLevel(games))", games)
    assert counts == [[1, [1, 1, 1]], [9, [0, 0, 1]]], counts
    estimates = "results => import('/page/record.js').then((record) => results.map(record.estimate))"
    assert page.evaluate(estimates, [[50, 0, 50], [3, 0, 0], [0, 0, 3]]) == ["0 (−68 … +68)", "> −43", "< +43"]


def test_keyboard_and_variations(start_board, open_window, screenshot):
    board = start_board()
    page = open_window(board.url)

    # The file chooser is one stop between the form and the recent games.
    page.focus("form button[type=submit]")
    stops = 0
    while not page.evaluate("document.activeElement.matches('.recent *, body')"):
        press(page, "Tab")
        stops += page.evaluate("document.activeElement.closest('.drop') !== null")
        assert stops < 3, "the focus does not leave the file chooser"
    assert stops == 1

    page.evaluate("document.activeElement.blur()")
    tab_to(page, "[name=opponent]", 10)
    press(page, "ArrowRight", "Enter")
    wait_for_turn(page)
    expect(page.locator("#scores")).to_contain_text("Level 2")
    press(page, "5")
    before = held(page)
    assert outline_width(page) > 0, "keys need a focus ring"
    press(page, "Space")
    assert held(page) != before and held(page).endswith(" fits"), "Space goes to the next legal place"
    press(page, "Escape")
    played = 0
    while True:
        tab_to(page, ".take:enabled", 60)
        found = take_first(page, lambda first: press(page, "Enter"))
        walk_to(page, found[played % len(found)])
        press(page, "Enter")
        if not wait_for_turn(page, played):
            break
        played = moves(page).count()
    assert moves(page).count() > 40, "the game was short"
    check(page)

    # Arrows go through the moves of the finished game.
    count = moves(page).count()
    press(page, "ArrowLeft", "ArrowLeft")
    expect(moves(page).nth(count - 3).locator("button")).to_have_attribute("aria-current", "true")
    press(page, "Home")
    expect(status(page)).to_have_text("After 0 moves")

    # Another second move makes the first one a variation.
    page.goto(board.url)
    start_game(page, "person")
    for count in [1, 2]:
        play_first(page)
        expect(moves(page)).to_have_count(count)
    press(page, "ArrowLeft")
    tool(page, "Play on from here")
    x, y, *_ = take_first(page)[-1]
    page.mouse.click(x, y)
    variation = page.locator("#moves .variation")
    expect(variation).to_have_count(1)
    rename(page, "#moves .variation", "wide")
    expect(variation.locator("q")).to_have_text("wide")
    screenshot(page, "variation")
    choose(page, "#moves .variation", "Make main line")
    press(page, "ArrowLeft")
    expect(page.locator("#moves li.variation.played")).to_have_count(1)
    press(page, "End")
    choose(page, "#moves li:not(.variation)", "Delete")
    expect(page.locator("#moves .edit")).to_have_count(0)
    check(page)

    # A game in the list is renamed, found and deleted.
    page.goto(board.url)
    rename(page, ".recent", "final")
    game = page.locator(".recent a", has_text="final")
    expect(game).to_be_visible()
    screenshot(page, "games")
    check_accessibility(page)
    page.fill(".filter", "nothing")
    expect(game).to_be_hidden()
    expect(page.get_by_text("No game fits the filter.")).to_be_visible()
    page.fill(".filter", "FINAL")
    expect(page.locator(".recent li:visible")).to_have_count(1)
    choose(page, ".recent", "Delete")
    page.locator("dialog").last.locator("button.main").click()
    expect(game).to_have_count(0)
    check(page)


def rename(page, place, name):
    """Changes a name in the menu of the first entry."""
    page.locator(f"{place} .edit").first.click()
    page.fill("dialog input", name)
    page.locator("dialog button[type=submit]").click()


def choose(page, place, action):
    """Chooses an action in the menu of the first entry."""
    page.locator(f"{place} .edit").first.click()
    page.locator("dialog button", has_text=action).click()


def tab_to(page, selector, max_stops):
    for _ in range(max_stops):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        press(page, "Tab")
    raise AssertionError(f"{max_stops} stops do not lead to {selector}")


def walk_to(page, dot):
    """Moves the piece with the arrows until it fits at a dot. Any of its cells may be the one that belongs there."""
    *_, x, y = dot
    for n in range(len(held_cells(page))):
        *_, from_x, from_y = held_cells(page)[n]
        press(page, *["ArrowLeft" if x < from_x else "ArrowRight"] * int(abs(x - from_x)))
        press(page, *["ArrowUp" if y < from_y else "ArrowDown"] * int(abs(y - from_y)))
        if page.locator(".hand path.fits").count():
            return
    raise AssertionError(f"the piece fits nowhere although there is a dot at {x}, {y}")


class Finger:
    """One finger on a touch screen."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind, *points):
        self.session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    def drag(self, start, *places, rest=150):
        """Moves from one place over others and rests before it lifts, because a finger that lifts while it moves flings."""
        self.send("touchStart", start)
        for place in places:
            self.send("touchMove", place)
        self.page.wait_for_timeout(rest)
        self.send("touchEnd")

    def drag_straight(self, start, end):
        self.drag(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)

    def tap(self, place):
        self.page.touchscreen.tap(*place)

    def hold(self, place):
        """Rests for longer than the half second after which a piece is mirrored."""
        self.drag(place, rest=700)


def test_touch_and_small_screens(start_board, open_window, screenshot):
    board = start_board()
    page = open_window(board.url, 390, 844, has_touch=True)
    finger = Finger(page)
    page.tap("form summary")
    for choice in ["[name=rules][value=classic]", "[name=opponent][value=person]"]:
        page.locator(f"label:has({choice})").tap()
    page.tap("form button[type=submit]")
    expect(status(page)).to_have_text("Blue: your move")
    gap = "document.getElementById('tray').getBoundingClientRect().top - document.getElementById('boardplace').getBoundingClientRect().bottom"
    assert 0 <= page.evaluate(gap) < 20, "the pieces are not directly below the board"
    first_cell = lambda: tuple(held_cells(page)[0][:2])
    corner = lambda: [int(word.strip(",")) for word in held(page).split() if word.strip(",").isdigit()]
    in_hand = page.locator(".hand path")
    put_back = page.locator("#handkeys button").nth(3)
    place = page.locator("#handkeys button").nth(2)

    # Without a piece in the hand, a finger on the board scrolls the page.
    x, y = middle(page)
    finger.drag_straight((x, y), (x, y - 150))
    page.wait_for_function("scrollY > 50")
    page.evaluate("scrollTo(0, 0)")

    # A tap turns the piece, a finger that rests mirrors it, a tap on the tray puts it back.
    page.tap(".take[data-piece=PENTO_R]")
    expect(in_hand).to_be_attached()
    turned = [held_shape(page)]
    for _ in range(4):
        finger.tap(first_cell())
        turned.append(held_shape(page))
    assert turned[0] == turned[4] and len(set(turned)) == 4, turned
    finger.hold(first_cell())
    assert held_shape(page) not in turned
    finger.hold(first_cell())
    assert held_shape(page) == turned[0], "mirrored twice"
    page.tap(".take[data-piece=PENTO_R]")
    expect(in_hand).to_have_count(0)

    # A piece that is pulled out of the tray hangs above the finger, and follows every drag.
    page.evaluate("scrollTo(0, 0)")
    target = middle(page)
    finger.drag_straight(middle(page, ".take[data-piece=PENTO_V]"), target)
    expect(page.locator(".hand path.fails")).to_be_attached()
    assert max(cell[1] for cell in held_cells(page)) < target[1], "the finger covers the piece"
    screenshot(page, "touch")
    place.tap()
    expect(toast(page)).to_have_text("The first piece must cover a start cell.")
    before, start = corner(), first_cell()
    width = page.locator(".hand rect").first.bounding_box()["width"]
    moved = [before[0] - 3, before[1] + 4]
    finger.drag_straight(start, (start[0] - 3 * width, start[1] + 4 * width))
    assert corner() == moved
    finger.tap(start)
    assert corner() != moved, "a tap elsewhere brings the piece there"
    assert page.evaluate("scrollY") == 0, "the page has moved under the finger"
    put_back.tap()
    expect(in_hand).to_have_count(0)

    for count, color in enumerate(["Yellow", "Red", "Green", "Blue"], 1):
        finger.drag_straight(middle(page, ".take[data-piece=PENTO_V]"), target)
        while not dots(page):
            finger.tap(first_cell())
        dot = dots(page)[0][:2]
        for n in range(len(held_cells(page))):
            finger.drag_straight(held_cells(page)[n][:2], dot)
            if page.locator(".hand path.fits").count():
                break
        place.tap()
        expect(status(page)).to_have_text(f"{color}: your move")
        expect(moves(page)).to_have_count(count)
    # A tap on a dot beside the piece moves the piece and does not turn it.
    page.locator(".take:enabled").first.tap()
    shape, dot = held_shape(page), dots(page)[0]
    leftmost = min(held_cells(page), key=lambda cell: cell[2])
    finger.drag_straight(leftmost[:2], (dot[0] + width, dot[1]))
    cells = [cell[2:] for cell in held_cells(page)]
    assert dot[2:] not in cells and [dot[2] + 1, dot[3]] in cells
    finger.tap(dot[:2])
    assert held_shape(page) == shape and dot[2:] in [cell[2:] for cell in held_cells(page)]
    put_back.tap()
    page.locator("#tools button").first.tap()
    expect(status(page)).to_have_text("Green: your move")
    check(page)

    # Everything fits on small screens, in German.
    for width, height in [(360, 740), (390, 844), (740, 360), (700, 450), (667, 375), (640, 360)]:
        page = open_window(board.url, width, height, locale="de-DE")
        check_width(page, "html")
        page.click("form summary")
        page.select_option("[name=control]", "game 10")
        start_game(page, "guest")
        check_width(page, "dialog")
        page.click("dialog .row:last-child button")
        wait_for_turn(page)
        page.locator(".take:enabled").first.click()
        check_width(page, "html")
        fits = "element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().right <= innerWidth"
        assert all(all_of(page, "#handkeys button", fits))
        press(page, "Escape")
        side = page.locator(".blokus").bounding_box()["height"]
        assert 330 < side <= min(width, height), f"{side} at {width} x {height}"
        fits = "element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1"
        parts = all_of(page, ".score, .score span, .score time", f"[element.textContent, {fits}]")
        assert [text for text, is_whole in parts if not is_whole] == [], f"{width} x {height}"
        expect(page.locator("header .new")).to_be_visible()
        screenshot(page, f"game-{width}x{height}")
        open_seats(page)
        check_width(page, "dialog")
        is_narrow = page.locator("dialog select").first.evaluate(
            "(list) => { const width = list.clientWidth; list.style.width = 'max-content'; return list.clientWidth > width }"
        )
        assert not is_narrow, "a list is narrower than what can be chosen"
        screenshot(page, f"seats-{width}x{height}")
        check(page)

    # A long name without spaces fits, too.
    page = open_window(board.url, 360, 740)
    page.click("form summary")
    page.fill("[name=name]", "W" * 40)
    start_game(page)
    wait_for_turn(page)
    tool(page, "Resign")
    page.click("dialog button.main")
    expect(page.locator(".result")).to_contain_text("WWW")
    check_width(page, "html")
    page.goto(board.url)
    expect(page.locator(".recent a").first).to_contain_text("WWW")
    check_width(page, ".recent li:first-child a")
    page.locator(".recent .edit").first.click()
    check_width(page, "dialog")
