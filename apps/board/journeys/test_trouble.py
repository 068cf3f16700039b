"""Lost connections, locked databases, double clicks and steps back."""

import sqlite3

from playwright.sync_api import expect

from page import (
    check_width,
    drop_file,
    moves,
    open_tab,
    play_first,
    press,
    start_game,
    status,
    take_console,
    toast,
    wait_for_turn,
)


def test_trouble(start_board, open_window, screenshot):
    board = start_board()
    page = open_window(board.url)
    start_game(page)
    wait_for_turn(page)
    play_first(page)
    assert wait_for_turn(page, 0)
    count = moves(page).count()
    open_tab(page, "analysis")
    page.select_option("#analysis select", "2000")
    page.click("#analysis button.main")
    expect(page.locator("progress")).to_be_attached()

    # The loss is shown as long as it lasts, whatever somebody does meanwhile.
    board.stop()
    expect(page.locator("body.lost")).to_be_attached()
    page.locator(".take:enabled").first.click()
    press(page, "Escape")
    expect(status(page)).to_have_text("Connection lost. Reconnecting …")
    screenshot(page, "lost")
    waiting = open_window("about:blank", 390, 844)
    board.start()
    expect(page.locator("body.lost")).to_have_count(0)
    expect(moves(page)).to_have_count(count)
    expect(page.locator("progress")).to_have_count(0)
    play_first(page)
    assert wait_for_turn(page, count)
    count = moves(page).count()

    # A locked database is reported, and no move is lost or doubled.
    database = sqlite3.connect(board.games, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    play_first(page)
    expect(toast(page)).to_contain_text("locked")
    expect(moves(page)).to_have_count(count)
    database.execute("COMMIT")
    play_first(page)
    assert wait_for_turn(page, count)

    # The first page says in words that the service does not answer.
    waiting.goto(board.url)
    expect(waiting.locator("form")).to_be_visible()
    board.stop()
    silent = "The service does not answer. Is the program board still running?"
    waiting.click("form button[type=submit]")
    expect(toast(waiting)).to_have_text(silent)
    expect(toast(waiting)).to_have_text("")
    drop_file(waiting, "game.txt", "no game")
    expect(toast(waiting)).to_have_text(silent)
    check_width(waiting, "html")


def test_leaving(start_board, open_window):
    board = start_board()
    page = open_window(board.url)
    page.locator("input[name=opponent][value=person]").check(force=True)
    page.locator("form button[type=submit]").dblclick()
    expect(page.locator(".take:enabled").first).to_be_visible()
    play_first(page)
    expect(moves(page)).to_have_count(1)
    page.fill("#comment textarea", "a plan")

    # The double click has started one game, and the unfinished comment is stored.
    page.go_back()
    expect(page.locator(".recent li")).to_have_count(1)
    page.go_forward()
    expect(page.locator("#comment textarea")).to_have_value("a plan")

    # A page that the browser restores shows the games of now.
    page.goto(board.url)
    page.evaluate("window.isOld = true; dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_function("() => !window.isOld")
    expect(page.locator(".recent li")).to_have_count(1)
    assert take_console(page) == []
