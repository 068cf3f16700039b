"""A league: its page, on a phone and in German, and uploads of teams."""

import io
import os
import re
import time
import zipfile

from playwright.sync_api import expect

from conftest import wait_for_line
from page import check_width, moves, take_console

START = "#!/bin/sh\necho no table found >&2\nexit 3\n"


def add(folder, name, text):
    """Adds a player that is old enough to play."""
    path = folder / name
    path.write_text(text)
    os.utime(path, (time.time() - 60, time.time() - 60 - len(text)))


def package(name, text=START):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, text)
    return {"name": "any.zip", "mimeType": "application/zip", "buffer": content.getvalue()}


def test_league(start, start_board, open_window, arena, screenshot, tmp_path):
    folder = tmp_path / "league"
    folder.mkdir()
    play = ["league", folder, "--trust", "-c", 1]
    add(folder, "random.player", "random")
    add(folder, "steady.player", "heuristic")
    arena(*play, "-g", 4, "-n", 1)
    add(folder, "random.player", "random:seed=2")
    arena(*play, "-g", 4, "-n", 1)

    # Standings, versions, and the games of a player, each opened on the board.
    server = start("arena", "serve", "--port", 0)
    address = re.search(r"[\d.]+:\d+", wait_for_line(server))[0]
    board = start_board("--league", folder, "--uploads", "--server", address)
    page = open_window(board.url)
    rows = page.locator("section").first.locator("> table > tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("steady")
    expect(page.locator("figure circle")).to_have_count(2)
    expect(page.locator("figure figcaption")).to_contain_text("v2")
    rows.nth(1).get_by_role("button").click()
    page.get_by_role("button", name=re.compile("won")).first.click()
    expect(moves(page).nth(10)).to_be_attached()

    # A game at an official server is watched beside the league.
    page.goto(board.home)
    for _ in range(2):
        start("client", "--port", address.split(":")[1], "--player", "mcts", "--time", 50)
    page.locator("section", has_text="Games at the game server").locator("li > a").first.click()
    expect(moves(page).nth(3)).to_be_attached()

    # A team uploads a version that crashes; files that are no packages are refused.
    page.goto(board.home)
    assert not page.get_by_placeholder("New team").is_visible()
    page.get_by_text("Upload links").click()
    page.get_by_placeholder("New team").fill("random")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Another file of the league has this name.")).to_be_visible()
    page.get_by_placeholder("New team").fill("Team_7")
    page.get_by_role("button", name="Add").click()
    link = page.locator("a[href*='/upload/']")
    expect(link).to_have_count(1)
    team = open_window(link.get_attribute("href"), 390, 844, locale="de-DE")
    upload = lambda file: (team.set_input_files("input", file), team.get_by_role("button", name="Hochladen").click())
    upload(package("other/start.sh"))
    expect(team.get_by_role("status")).to_contain_text("start.sh muss direkt")
    upload(package("../start.sh"))
    expect(team.get_by_role("status")).to_contain_text("außerhalb")
    assert not list(folder.glob("*.zip"))
    upload(package("start.sh"))
    expect(team.get_by_role("status")).to_contain_text("Gespeichert")
    check_width(team, "html")
    screenshot(team, "league-upload")
    assert [line for line in take_console(team) if "400" not in line] == []

    # The new version joins. The faults of its games are on its page.
    start("arena", *play, "-n", 1)
    row = page.get_by_role("row", name=re.compile("Team_7"))
    expect(row).to_be_visible(timeout=60_000)
    row.get_by_role("button").click()
    expect(page.locator("pre").first).to_contain_text("no table found", timeout=60_000)

    # A running game is watched: a long one, so that it is not over before the click.
    (folder / "Team_7.zip").unlink()
    add(folder, "slow.player", "mcts:time=1000")
    running = page.locator("li .file", has_text="slow").first
    expect(running).to_be_visible(timeout=60_000)
    screenshot(page, "league")
    running.click()
    expect(moves(page).nth(3)).to_be_attached()
    phone = open_window(board.url, 390, 844, locale="de-DE")
    expect(phone.get_by_role("heading", name="Liga")).to_be_visible()
    expect(phone.locator("figure")).not_to_have_count(0)
    check_width(phone, "html")
    screenshot(phone, "league-phone")
