"""Games on our server between our clients and the newest official ones: the crate and the Python package `socha`."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import SERVER

REPOSITORY = Path(__file__).parents[2]
CLIENT = [SERVER.with_stem("client"), "--seed", "1", "--time", "200", "--player"]

CRATE = """\
[package]
name = "official"
edition = "2024"
[dependencies]
socha = "27"
[profile.dev]
debug = false
[profile.dev.package.socha]
opt-level = 2
[workspace]
"""
EXAMPLES = ["basic_player", "random_player"]

PACKAGE = """\
import random

from socha.api.networking.game_client import IClientHandler
from socha.starter import Starter


class Logic(IClientHandler):
    def on_update(self, state):
        self.state = state

    def calculate_move(self):
        # The package lists the moves in any order.
        return random.Random(self.state.turn).choice(sorted(self.state.possible_moves(), key=str))


# It would ask the registry for newer versions.
Starter.check_socha_version = lambda self: None
Starter(Logic())
"""


@pytest.fixture(scope="session")
def crate(tmp_path_factory):
    """The examples of the crate, built in a project of their own; they are copied from its source."""
    if not shutil.which("cargo"):
        pytest.skip("cargo is not installed")
    folder = tmp_path_factory.mktemp("crate")
    (folder / "Cargo.toml").write_text(CRATE)
    (folder / "src").mkdir()
    (folder / "src/lib.rs").touch()
    found = subprocess.run(["cargo", "metadata", "--format-version", "1"], cwd=folder, stdout=subprocess.PIPE, check=True)
    (socha,) = [package for package in json.loads(found.stdout)["packages"] if package["name"] == "socha"]
    for example in EXAMPLES:
        source = Path(socha["manifest_path"]).parent / "examples" / example
        shutil.copytree(source, folder / "src/bin" / example)
    # The other crates are kept from run to run.
    target = REPOSITORY / "target/official"
    subprocess.run(["cargo", "build", "--quiet", "--target-dir", target], cwd=folder, check=True)
    return {example: [target / "debug" / example] for example in EXAMPLES}


@pytest.fixture
def package(tmp_path):
    """A player with the Python package."""
    (tmp_path / "logic.py").write_text(PACKAGE)
    return [sys.executable, tmp_path / "logic.py"]


@dataclass
class Played:
    end: str
    """What the server says of the game."""
    codes: list[int]
    """The exit codes of the programs of ONE and TWO."""
    outputs: list[str]


@pytest.fixture
def play(tmp_path):
    """Lets two programs play a game on our server."""

    def play(*programs):
        command = [SERVER, "serve", "--port", "0", "--prepare", "1", "--games", "1", "--seed", "1", "--no-timeout"]
        if not SERVER.exists():
            pytest.skip("the server is not built: cargo build --package arena")
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True)]
        server = running[0].stdout
        try:
            port = server.readline().split(":")[-1].strip()
            codes = server.readline().split()[-2:]
            logs = [tmp_path / "one.log", tmp_path / "two.log"]
            for program, code, log in zip(programs, codes, logs):
                place = ["--host", "127.0.0.1", "--port", port, "--reservation", code]
                with log.open("w") as output:
                    running.append(subprocess.Popen([*program, *place], stdout=output, stderr=subprocess.STDOUT))
            exits = [program.wait(timeout=60) for program in running[1:]]
            return Played(server.readline().strip(), exits, [log.read_text() for log in logs])
        finally:
            for program in running:
                program.kill()
                program.wait()
            server.close()

    return play


@pytest.mark.parametrize("example", EXAMPLES)
def test_crate_examples_play_whole_games(crate, play, example):
    played = play(crate[example], [*CLIENT, "heuristic"])
    assert played.codes == [0, 0], played
    assert played.end.endswith("TWO wins"), played.end


def test_package_plays_whole_games(package, play):
    # Version 5.1.0 cannot read the state after a colour has placed all pieces; in this game no colour does.
    played = play(package, [*CLIENT, "random"])
    assert played.codes == [0, 0], "".join(played.outputs)
    assert played.end.endswith(("wins", "draw")), played.end
