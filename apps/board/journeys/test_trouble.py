"""Lost connections, locked databases, and full disks."""

import sqlite3
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from page import (
    check,
    check_width,
    drop_file,
    moves,
    open_tab,
    play_first,
    press,
    start_game,
    status,
    toast,
    wait_for_turn,
)

# Mounts a disk of 400 kB in the place of a folder, for one program.
SMALL_DISK = [
    "unshare",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=400k tmpfs "$0" && exec "$@"',
]


def test_trouble(start_board, open_window, screenshot, tmp_path):
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
    expect(status(page)).to_have_text("The connection is lost. Trying again …")
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
    silent = "The service does not answer. Is the program still running?"
    waiting.click("form button[type=submit]")
    expect(toast(waiting)).to_have_text(silent)
    expect(toast(waiting)).to_have_text("")
    drop_file(waiting, "game.txt", "no game")
    expect(toast(waiting)).to_have_text(silent)
    check_width(waiting, "html")

    # A full disk is reported, and the game goes on when there is room again.
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run([*SMALL_DISK, folder, "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("the board on a full disk, because this user cannot mount one")
    board = start_board(folder=folder, before=[*SMALL_DISK, folder])
    page = open_window(board.url)
    start_game(page, "person")
    wait_for_turn(page)
    play_first(page)
    assert wait_for_turn(page, 0)

    # What the database has taken already has room for a few moves.
    filling = Path(f"/proc/{board.process.pid}/root{folder}/filling")
    fill(filling)
    count = moves(page).count()
    while True:
        play_first(page)
        page.wait_for_function(
            "(count) => document.getElementById('toast').textContent || document.querySelectorAll('#moves li').length > count",
            arg=count,
        )
        if toast(page).inner_text():
            break
        wait_for_turn(page, count)
        count = moves(page).count()
    expect(toast(page)).to_have_text("The disk is full: nothing was changed.")
    page.goto(page.url)
    wait_for_turn(page)
    expect(moves(page)).to_have_count(count)

    filling.unlink()
    play_first(page)
    assert wait_for_turn(page, count)
    expect(moves(page)).to_have_count(count + 1)
    check(page)


def fill(path):
    """Writes a file until the disk is full to its last byte."""
    with path.open("wb", buffering=0) as file:
        for size in [4096, 1]:
            try:
                while True:
                    assert file.write(bytes(size))
            except OSError as error:
                assert "No space" in str(error)
