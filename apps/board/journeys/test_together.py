"""People, programs and matches that meet on the board."""

import re
import sqlite3
import time

from playwright.sync_api import expect

from page import (
    all_of,
    check,
    check_width,
    moves,
    open_seats,
    open_tab,
    play_first,
    points,
    press,
    start_game,
    status,
    take_console,
    toast,
    tool,
    wait_for_turn,
    watch_game,
)
from test_study import NAME, expect_name


def test_links_and_windows(start_board, open_window, screenshot):
    board = start_board()
    host, guest, watcher = open_window(board.url), open_window("about:blank", 390, 844), open_window("about:blank")
    start_game(host, "guest")
    expect(status(host)).to_have_text("Blue: your move")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for row, page in [(0, guest), (1, watcher)]:
        copy = host.locator("dialog .row").nth(row).locator("button")
        copy.click()
        expect(copy).to_have_text("Copied")
        page.goto(host.evaluate("navigator.clipboard.readText()"))
        expect(status(page)).to_have_text("Blue to move")
    host.click("dialog .row:last-child button")

    # A guest is asked for a name once, and everybody sees it.
    guest.fill("dialog input", "Ada")
    press(guest, "Enter")
    for page in [host, guest, watcher]:
        expect(page.locator(".score").nth(1)).to_contain_text("Ada")
    guest.reload()
    expect(guest.locator(".score").nth(1)).to_contain_text("Ada")
    expect(guest.locator("dialog")).to_have_count(0)

    # One player moves, and the others see it; points of two digits do not move the board.
    top = board_top(guest)
    for count, (mover, other, color) in enumerate(
        [(host, guest, "Yellow"), (guest, host, "Red"), (host, guest, "Green"), (guest, host, "Blue")], 1
    ):
        wait_for_turn(mover)
        for page in [other, watcher]:
            assert page.locator(".take:enabled").count() == 0
        play_first(mover)
        expect(status(other)).to_have_text(f"{color}: your move")
        for page in [mover, watcher]:
            expect(status(page)).to_have_text(f"{color} to move")
        for page in [host, guest, watcher]:
            expect(moves(page)).to_have_count(count)
        assert board_top(guest) == top
    expect(watcher.locator("#tools button, #handkeys button:visible, #tray:visible, header .new")).to_have_count(0)
    expect(watcher.locator("#announced")).to_contain_text("Green placed ")
    screenshot(watcher, "watcher")
    tool(host, "Undo")
    for page in [host, guest, watcher]:
        expect(moves(page)).to_have_count(3)
        check(page)

    # The same game in two windows: a piece in the hand goes back when the other window moves.
    page = open_window(board.url)
    start_game(page, "person", rules="classic")
    wait_for_turn(page)
    link = page.url
    other = page.context.new_page()
    other.goto(link)
    wait_for_turn(other)
    page.click(".take[data-piece=PENTO_V]")
    play_first(other)
    expect(toast(page)).to_contain_text("has continued")
    expect(page.locator(".hand path")).to_have_count(0)
    press(page, "Enter")
    expect(moves(page)).to_have_count(1)
    page.reload()
    wait_for_turn(page)
    play_first(page)
    expect(status(page)).to_have_text("Red: your move")
    expect(toast(page)).to_have_text("")

    # A comment is about the move for which it was begun.
    page.click("#comment textarea")
    page.keyboard.type("so")
    wait_for_turn(other, 1)
    play_first(other)
    wait_for_turn(page, 2)
    page.keyboard.type("lid")
    press(page, "Tab")
    expect(page.locator("#comment textarea")).to_have_value("")
    expect(page.locator("#moves .commented")).to_have_count(1)
    moves(page).nth(1).locator("button").click()
    expect(page.locator("#comment textarea")).to_have_value("solid")
    check(page)

    # Links are found among what was pasted with them; other addresses say that nothing is there.
    page = open_window(board.url, 390, 844)
    expect(page.locator("form")).to_be_visible()
    for pasted in [".", ")", "%20", "%3E,", "/?x=1#y", "%ff"]:
        page.goto(f"{link}{pasted}")
        wait_for_turn(page)
    page.goto(link.replace("/g/", "/g/%3C").upper().replace("HTTP", "http").replace("/G/", "/g/"))
    wait_for_turn(page)
    check(page)
    for path in ["g/%ff", "g/abc", f"g/{'0' * 33}", f"g/{'0' * 32}", "g", "g/", "game", "spiel/1"]:
        page.goto(board.home + path)
        expect(page.get_by_role("alert")).to_have_text("There is no game with this link.")
        assert page.locator("body.lost").count() == 0
        # The browser itself notes that there is nothing.
        assert all("404" in line for line in take_console(page)), path
        check(page)
        page.click(".failure a")
        expect(page.locator("form")).to_be_visible()

    # The first page without the key says how to get it.
    page = open_window(board.home, 390, 844)
    expect(page.get_by_role("alert")).to_contain_text("This address lacks the key")
    assert page.locator("form, #main a").count() == 0
    screenshot(page, "no-key")
    page.evaluate("(key) => { location.hash = key }", board.url.split("#")[1])
    expect(page.locator("form")).to_be_visible()


def board_top(page):
    return page.locator("#boardplace").evaluate("(place) => place.getBoundingClientRect().y + scrollY")


def let_play(page, url, opponent, rules="2027"):
    """Starts a game of a player against itself."""
    page.goto(url)
    watch(page, opponent, rules)


def watch(page, player, rules="2027"):
    watch_game(page, player, rules=rules)
    open_tab(page, "more")


def expect_pace(page, seconds, act):
    """Checks that after `act` programs play at most one move per `seconds`. The page may show moves late."""
    begun, before = time.monotonic(), moves(page).count()
    act()
    expect(moves(page).nth(before + 4)).to_be_attached()
    played = moves(page).count() - before
    # One of them may be older: a service that ends can play a move without showing it.
    assert (played - 1) * seconds <= time.monotonic() - begun, f"{played} moves"


def test_programs(start_board, open_window, program, tmp_path):
    client = program("client")
    board = start_board(
        "--program",
        f"engine=gtp:'{client}' gtp --player heuristic",
        "--program",
        f"client=exec:'{client}' --season {{season}} --player heuristic",
        "--program",
        "broken=gtp:false",
        "--program",
        "<img>=random",
        move_time=3_600_000,
    )
    page = open_window(board.url)
    expect_name(page, ".choice span", "<img>")

    # Engines with the text protocol and clients of the contest play whole games.
    for name, rules in [("engine", "classic"), ("client", "2021"), ("client", "2027")]:
        let_play(page, board.url, f"program {name}", rules)
        page.locator("#options select").first.select_option("0")
        expect(status(page)).to_have_text(re.compile("won|draw"), timeout=60_000)
        assert toast(page).inner_text() == "", f"{name}, {rules}"
        assert moves(page).count() > 40, f"{name}, {rules}: the game was short"
        expect(page.locator("#scores")).to_contain_text(name)
    open_seats(page)
    expect_name(page, "dialog option", "<img>")
    check(page)

    # The reason why a program cannot go on stays on the page, also for others.
    let_play(page, board.url, "program broken", "classic")
    fault = page.locator("#fault")
    expect(fault).to_contain_text("The program of Blue failed: ")
    page.goto(page.url)
    expect(fault).to_contain_text("The program of Blue failed: ")
    check(page)

    # The highest level thinks for an hour, unless it is told to move.
    page.goto(board.url)
    start_game(page, "9", team="TWO", rules="2027")
    expect(status(page)).to_have_text("Blue is thinking …")
    tool(page, "Move now")
    expect(status(page)).to_have_text("Yellow: your move")

    # Levels play each other at the chosen pace; the browser remembers it, and a restarted service learns it again.
    page.evaluate("localStorage.removeItem('options')")
    page.goto(board.url)
    start_game(page, "person")
    pace = page.locator("#options select").first
    expect(pace).to_have_value("0")
    page.goto(board.url)
    expect_pace(page, 1.5, lambda: watch(page, "1"))
    expect(pace).to_have_value("1500")
    pace.select_option("500")
    page.goto(board.url)
    expect_pace(page, 0.5, lambda: watch(page, "1"))
    expect(pace).to_have_value("500")
    board.stop()
    expect(page.locator("body.lost")).to_be_attached()
    expect_pace(page, 0.5, board.start)
    pace.select_option("0")
    expect(status(page)).to_have_text(re.compile("won|draw"))


# Returns elements that are cut off.
CUT = """() => {
    const all = [...document.querySelectorAll('svg, button, input, .card, figure, .list, h1, h3')];
    const isCut = (box) => box.width < 10 || box.left < 0 || box.right > innerWidth + 0.5;
    return all.filter((element) => isCut(element.getBoundingClientRect())).map((element) => element.outerHTML.slice(0, 60));
}"""
LONG = "a contestant with a name of great length:exploration=0.5,threads=2"


def test_arena(start, start_board, open_window, arena, screenshot, tmp_path):
    database = tmp_path / "arena.sqlite"
    arena("match", "random", "random", "-g", 2, "-q", "-d", database)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE match SET a = ?", [NAME])
    server = start("arena", "serve", "--port", 0)
    address = re.search(r"[\d.]+:\d+", server.stdout.readline())[0]
    board = start_board("--arena", database, "--server", address)
    page = open_window(board.url)
    expect_name(page, ".recent summary")

    # A game of a running match is watched to its end.
    start("arena", "match", "mcts", "heuristic", "-g", 2, "-t", 200, "-c", 1, "-q", "-d", database)
    expect(page.get_by_text("The arena is playing")).to_be_visible()
    page.locator(".card section:not([hidden]) > ul > li > .file").first.click()
    expect(moves(page).nth(3)).to_be_attached()
    expect(page.locator("#scores")).to_contain_text("mcts")
    expect(page.locator("#scores")).to_contain_text("heuristic")
    expect(status(page)).to_have_text(re.compile("won|draw"), timeout=60_000)
    check(page)

    # A game that ends while the first page is open appears in its match.
    page.goto(board.url)
    match = page.locator("details", has_text="heuristic – heuristic:seed=2")
    expect(page.locator("details", has_text="mcts – heuristic")).to_be_visible()
    expect(match).to_have_count(0)
    arena("match", "heuristic", "heuristic:seed=2", "-g", 2, "-n", 1, "-q", "-d", database)
    match.locator("summary").click()
    match.locator(".file").first.click()
    expect(moves(page).nth(40)).to_be_attached()
    check(page)

    # A game at a game server is watched while it is played.
    page.goto(board.url)
    expect(page.get_by_text("Games at the game server")).to_be_visible()
    for seed in [1, 2]:
        start("client", "--port", address.split(":")[1], "--player", "mcts", "--time", 50)
    live = page.locator(".card section:not([hidden]) li:has(> a)").first
    expect(live).to_contain_text(re.compile(r"after \d+ move"))
    live.locator("a").click()
    expect(moves(page).nth(3)).to_be_attached()
    expect(status(page)).to_have_text(re.compile("won|draw"), timeout=60_000)
    assert sum(points(page)) > 100
    check(page)

    # The first page tells why the server cannot be watched.
    server.kill()
    page.goto(board.url)
    expect(page.get_by_text("The game server cannot be watched: ")).to_be_visible()
    check(page)

    # Pages about a tournament and about one of its matches show everything, also on a phone.
    plan, tournament = tmp_path / "plan.toml", tmp_path / "tournament.sqlite"
    contestants = [("one", "random"), ("best", "heuristic"), (LONG, "random:seed=2")]
    plan.write_text(
        "games = 4\n"
        + "".join(f"[[contestant]]\nname = '{name}'\nplayer = '{player}'\n" for name, player in contestants)
    )
    arena("run", plan, "-q", "-d", tournament)
    reports = [tmp_path / name for name in ["tournament.html", "match.html"]]
    for report, arguments in zip(reports, [["--tournament"], []]):
        arena("report", 1, *arguments, "-d", tournament, "-o", report)
        for width in [1400, 390]:
            page = open_window(report.as_uri(), width)
            assert page.evaluate(CUT) == [], f"{report.name}, {width} px"
            check_width(page, "html")
            assert take_console(page) == []
            screenshot(page, f"{report.stem}-{width}")

    assert min(all_of(page, "figure svg", "element.children.length")) > 5, "a chart is empty"
    expect(page.locator("#course-caption")).to_have_text("Points of A (solid) and B (dashed)")

    # The games of a match are stepped through.
    page = open_window(reports[1].as_uri())
    covered = lambda: page.locator("svg.blokus .cells").inner_html().count("h1v1")
    assert covered() > 100
    end = covered()
    page.click("#first")
    steps = [covered()]
    for _ in range(4):
        page.click("#next")
        steps.append(covered())
    press(page, "ArrowLeft", "ArrowLeft")
    assert [*steps, covered()] == [0, 5, 10, 15, 20, 10]
    press(page, "End")
    assert covered() == end
    press(page, "ArrowDown")
    expect(page.locator("#game-title")).to_contain_text("Game 2")

    # A cell of the cross table lists the games of two contestants; the one that looks one placement ahead leads.
    page = open_window(reports[0].as_uri())
    versus = page.locator("#games td.versus")
    expect(versus).to_have_count(12)
    expect(page.locator("#table td.name").first).to_have_text("best")
    expect(page.locator("#elo circle")).to_have_count(3)
    cell = page.locator("#cross tr").nth(1).locator("td").nth(3)
    assert sum(map(int, cell.inner_text().split("-"))) == 4
    cell.locator("button").click()
    expect(versus).to_have_count(4)
    assert all("best" in names for names in versus.all_inner_texts())
    title = page.locator("#game-title").inner_text()
    press(page, "ArrowDown")
    expect(page.locator("#game-title")).not_to_have_text(title)
    cell.locator("button").click()
    expect(versus).to_have_count(12)
