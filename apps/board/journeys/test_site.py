"""The board as a static site: nothing but files, with the engine in workers of the page."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from conftest import ROOT
from page import (
    analyse,
    check,
    check_frames,
    drop_file,
    moves,
    open_tab,
    play_by_mouse,
    play_first,
    points,
    press,
    save,
    start_game,
    status,
    toast,
    tool,
    wait_for_turn,
)


@pytest.fixture
def site(target, serve_files):
    return serve_files(target / "site")


def check_reopened_game(page, site):
    """Reopening restores the game and lists it; a link shares it."""
    count, result = moves(page).count(), points(page)
    page.goto(page.url)
    expect(moves(page)).to_have_count(count)
    assert points(page) == result
    page.goto(site)
    expect(page.locator(".recent a").first).to_contain_text("Level 1")
    page.click(".record summary")
    expect(page.locator(".record tr").nth(1)).to_contain_text(re.compile("Level 1.*[<>(]"))
    page.locator(".recent a").first.click()
    open_tab(page, "more")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("button.share")
    expect(page.locator("button.share")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(site)
    page.goto(link)
    expect(moves(page)).to_have_count(count)
    page.goto(f"{site}#share=broken")
    expect(page.get_by_role("alert")).to_contain_text("The link contains no readable game.")


def check_offline_site(page, site):
    """An installed site needs no network. Errors name unknown games and large files."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.context.set_offline(True)
    page.goto(site)
    expect(page.locator(".recent a")).to_have_count(2)
    start_game(page, "1")
    wait_for_turn(page)
    page.context.set_offline(False)
    page.goto(f"{site}?game={'0' * 16}")
    expect(page.get_by_role("alert")).to_contain_text("There is no such game in this browser.")
    assert page.locator(".game").count() == 0
    page.click(".failure a")
    expect(page.locator("form")).to_be_visible()
    page.evaluate("""() => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array((8 << 20) + 1)], 'game.xml'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    }""")
    expect(toast(page)).to_have_text("The file has more than 8 MiB.")
    check(page)


def check_two_windows(site, open_window):
    """Two windows of a game stay in sync, also if a third deletes it."""
    page = open_window(site)
    start_game(page, "person", rules="classic")
    wait_for_turn(page)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_turn(other)
    page.click(".take[data-piece=PENTO_V]")
    other.click(".take[data-piece=PENTO_V]")
    press(other, "Enter")
    expect(status(page)).to_have_text("Yellow: your move")
    expect(moves(page)).to_have_count(1)
    expect(toast(page)).to_contain_text("has continued")
    third = page.context.new_page()
    third.goto(site)
    third.locator(".recent .edit").first.click()
    third.locator("dialog button", has_text="Delete").click()
    third.locator("dialog").last.locator("button.main").click()
    for window in (page, other):
        expect(window.get_by_role("alert")).to_contain_text("There is no such game in this browser.")
    third.goto(site)
    expect(third.locator(".recent").first).to_have_text("No games yet.")


def check_browser_without_storage(site, open_forgetful_window):
    """A browser without storage shows a notice and still plays."""
    page = open_forgetful_window(site)
    expect(page.locator(".recent").first).to_contain_text("This browser stores nothing")
    start_game(page, "1")
    expect(toast(page)).to_contain_text("gone when the page is closed")
    wait_for_turn(page)
    play_first(page)
    assert wait_for_turn(page, 0)
    drop_file(page, "game.blksgf", "(;GM[Blokus Two-Player];1[a20,b20])")
    expect(moves(page)).to_have_count(1)
    expect(status(page)).to_have_text("Yellow: your move")
    # A dropped file replaces the game.
    check(page, max_shift=0.1)


def test_game_without_a_service(site, open_window, open_forgetful_window, screenshot):
    page = open_window(site, 390, 844)
    expect(page.locator("form")).to_be_visible()
    screenshot(page, "site")
    assert page.locator("[name=opponent][value=guest]").count() == 0
    start_game(page, "1")
    wait_for_turn(page)
    play_by_mouse(page)
    check_reopened_game(page, site)
    check_offline_site(page, site)
    check_two_windows(site, open_window)
    check_browser_without_storage(site, open_forgetful_window)


def test_engine_without_a_service(site, target, serve_files, open_window, screenshot, tmp_path):
    page = open_window(site)
    start_game(page, "9")
    wait_for_turn(page)
    tool(page, "Hint")
    expect(page.locator(".ghost").first).to_be_attached()
    expect(page.locator(".candidates tr")).not_to_have_count(1)
    play_first(page)
    expect(status(page)).to_have_text("Yellow is thinking …")
    tool(page, "Move now")
    assert wait_for_turn(page, 1)
    analyse(page, 100)
    live = page.locator("#analysis input[type=checkbox]")
    live.check()
    check_frames(page)
    live.uncheck()

    # A saved game can be opened.
    replay = save(page, "xml", tmp_path).read_text()
    page.evaluate("document.body.dataset.old = ''")
    drop_file(page, "replay.xml", replay)
    expect(page.locator("body[data-old]")).to_have_count(0)
    expect(moves(page)).to_have_count(2)
    check(page)

    # The WebAssembly engine has the native fingerprint.
    fingerprint = (ROOT / "player" / "fingerprint.txt").read_text().strip()
    page.goto(f"{site}speed.html")
    expect(page.get_by_role("status")).to_have_text(
        f"Its moves match the reference (fingerprint {fingerprint}).", timeout=60_000
    )
    check(page)

    # It is small, and says why if the engine cannot be loaded.
    assert sum(path.stat().st_size for path in (target / "site").iterdir()) < 3_000_000
    broken = shutil.copytree(target / "site", tmp_path / "broken", ignore=shutil.ignore_patterns("*.wasm"))
    page = open_window(serve_files(broken), 390, 844)
    expect(page.get_by_role("alert")).to_contain_text("The engine cannot be loaded: ")
