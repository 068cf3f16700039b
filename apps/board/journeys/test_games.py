"""Variations, and the list of games."""

from playwright.sync_api import expect

from page import check, check_accessibility, moves, play_first, start_game, take_first, tool


def play_other(page):
    """Plays the last legal place of the first usable piece."""
    x, y, *_ = take_first(page)[-1]
    page.mouse.click(x, y)


def edit(page, name):
    """Chooses an entry in the menu of the variation."""
    page.locator("#moves .variation .edit").click()
    page.locator("dialog button", has_text=name).click()


def test_variations_and_games(start_board, open_window, screenshot):
    board = start_board()
    page = open_window(board.url)
    start_game(page, "person")
    play_first(page)
    expect(moves(page)).to_have_count(1)
    play_first(page)
    expect(moves(page)).to_have_count(2)
    tool(page, "Undo")
    expect(moves(page)).to_have_count(1)
    tool(page, "Redo")
    expect(moves(page)).to_have_count(2)

    # Another second move makes the first one a variation.
    page.keyboard.press("ArrowLeft")
    page.locator("button", has_text="Play on from here").click()
    play_other(page)
    variation = page.locator("#moves .variation")
    expect(variation).to_have_count(1)
    page.locator("#moves .variation .edit").click()
    screenshot(page, "variation")
    page.fill("dialog input", "wide")
    page.locator("dialog button[type=submit]").click()
    expect(variation.locator("q")).to_have_text("wide")
    edit(page, "Make first")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves li.variation.played")).to_have_count(1)
    page.keyboard.press("End")
    page.locator("#moves li:not(.variation) .edit").click()
    page.locator("dialog button", has_text="Delete").click()
    expect(page.locator("#moves .edit")).to_have_count(0)
    check(page)

    page.goto(board.url)
    page.reload()
    page.locator(".recent .edit").click()
    page.fill("dialog input", "final")
    page.locator("dialog button[type=submit]").click()
    game = page.locator(".recent a", has_text="final")
    expect(game).to_be_visible()
    screenshot(page, "games")
    check_accessibility(page)
    page.fill(".filter", "nothing")
    expect(game).to_be_hidden()
    page.fill(".filter", "FINAL")
    page.locator(".recent .edit").click()
    page.locator("dialog button", has_text="Delete").click()
    page.locator("dialog button", has_text="Yes").click()
    expect(game).to_have_count(0)
    check(page)
