"""Programs, games and browser windows for the journeys."""

import functools
import http.server
import json
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from page import watch_console

ROOT = Path(__file__).resolve().parents[3]
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_addoption(parser):
    parser.addoption(
        "--target", type=Path, default=ROOT / "target", help="Cargo's target folder with the programs and the site"
    )
    parser.addoption("--screenshots", type=Path, help="Folder to write screenshots to")


def wait_for_line(process):
    """Returns the first line that the process prints."""
    line = process.stdout.readline().strip()
    assert line, "the program ended before it printed anything"
    return line


@pytest.fixture(scope="session")
def target(pytestconfig):
    return pytestconfig.getoption("target").resolve()


@pytest.fixture(scope="session")
def program(target):
    """Returns the path of a built program."""
    return lambda name: str(target / "debug" / name)


@pytest.fixture
def start(program):
    """Starts programs that end with the journey."""
    started = []

    def start(name, *arguments):
        command = [program(name), *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


class Board:
    """A board service with few resources. `url` is the address with the key."""

    def __init__(self, start, games, *arguments, move_time=50):
        self.start_program, self.games = start, games
        self.arguments = [
            "--no-open",
            "--games",
            games,
            "--threads",
            1,
            "--memory",
            16,
            "--move-time",
            move_time,
            *arguments,
        ]
        self.port = 0
        self.start()

    def start(self):
        """Starts the service, always at the same address."""
        self.process = self.start_program("board", "--port", self.port, *self.arguments)
        self.url = wait_for_line(self.process)
        self.home = self.url.split("#")[0]
        self.port = int(re.search(r":(\d+)/", self.url)[1])

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=30) == 0


@pytest.fixture
def start_board(start, tmp_path):
    def start_board(*arguments, **options):
        return Board(start, tmp_path / "games.sqlite", *arguments, **options)

    return start_board


@pytest.fixture(scope="session")
def arena(program):
    """Runs the arena to its end."""
    return lambda *arguments: subprocess.run(
        [program("arena"), *map(str, arguments)], check=True, stdout=subprocess.DEVNULL
    )


@pytest.fixture(scope="session")
def replay(arena, tmp_path_factory):
    """A replay of a whole game between two players of medium strength."""
    folder = tmp_path_factory.mktemp("replay")
    database = folder / "arena.sqlite"
    arena("match", "heuristic", "heuristic:seed=2", "-g", 2, "-n", 1, "-q", "-d", database)
    arena("export", 1, "-g", 1, "-d", database, "-o", folder)
    return next(folder.glob("*.xml"))


@pytest.fixture(scope="session")
def chromium():
    """Starts browser contexts: with a folder, a separate browser with its profile there."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, f"there is no browser: none of {', '.join(BROWSERS)}"
    options = {"executable_path": path, "args": ARGUMENTS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)

        def start(profile=None, **window):
            if profile:
                return playwright.chromium.launch_persistent_context(profile, **options, **window)
            return browser.new_context(**window)

        yield start
        browser.close()


@pytest.fixture
def open_window(chromium):
    """Opens a new window at an address; narrow windows behave like phones."""
    contexts = []

    def open_window(url, width=1400, height=900, **options):
        window = {
            "viewport": {"width": width, "height": height},
            "is_mobile": min(width, height) < 500,
            "locale": "en-US",
            **options,
        }
        context = chromium(**window)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        watch_console(page)
        page.goto(url)
        return page

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def open_forgetful_window(open_window, tmp_path):
    """Opens a phone's window in a browser that stores nothing for sites."""
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}}))
    return lambda url: open_window(url, 390, 844, profile=preferences.parents[1])


@pytest.fixture
def screenshot(pytestconfig):
    """Writes a screenshot if `--screenshots` is given."""
    folder = pytestconfig.getoption("screenshots")

    def screenshot(page, name):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / f"{name}.png")

    return screenshot


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder at /board/, because a site need not lie at the root."""

    def translate_path(self, path):
        inside = path.removeprefix("/board/") if path.startswith("/board/") else "missing"
        return super().translate_path(f"/{inside}")

    def log_message(self, *_):
        pass


@pytest.fixture
def serve_files():
    """Serves a folder like any web host and returns the address."""
    servers = []

    def serve(folder):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/board/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
