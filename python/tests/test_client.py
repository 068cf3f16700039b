"""Whole games over TCP on this repository's own server."""

import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import blokus


def largest(position, time):
    """The first placement of those of the most cells."""
    return max(position.legal_moves(), key=lambda move: len(move.cells))


def test_two_functions_play_a_whole_game(port, caplog):
    asked = []

    def choose(position, time):
        asked.append((position.turn, time))
        return largest(position, time)

    with ThreadPoolExecutor() as pool:
        games = [pool.submit(blokus.play, choose, port=port) for _ in range(2)]
        outcomes = [game.result(timeout=60) for game in games]
    # For each colour a function is asked from the first round on, in every round until the colour is stuck.
    for colour in range(4):
        turns = sorted(turn for turn, _ in asked if turn % 4 == colour)
        assert turns and turns == list(range(colour, turns[-1] + 1, 4))
    assert all(0 < time <= 1.9 for _, time in asked)
    assert not caplog.records
    assert {outcome.team for outcome in outcomes} == {"ONE", "TWO"}
    assert outcomes[0].winner == outcomes[1].winner
    assert not outcomes[0].is_cancelled


def test_fallback_moves_when_function_fails(port, caplog):
    def fails(position, time):
        # Early enough that it can still move.
        if position.turn < 4:
            sys.exit("no hope")
        if position.turn < 12:
            raise KeyError("no idea")
        return blokus.Move("MONO@0,0") if position.turn < 24 else None

    with ThreadPoolExecutor() as pool:
        games = [pool.submit(blokus.play, choose, port=port) for choose in (fails, largest)]
        outcomes = [game.result(timeout=60) for game in games]
    assert not any(outcome.is_cancelled for outcome in outcomes)
    for words in ["no hope", "no idea", "is not legal", "None is not a Move"]:
        assert words in caplog.text


def test_command_plays_with_function_of_file(port, tmp_path):
    file = tmp_path / "own.py"
    file.write_text("def choose(position, time):\n    return position.legal_moves()[0]\n")
    command = [sys.executable, "-m", "blokus", "play", str(file), "-h", "localhost", "-p", str(port)]
    commands = [command, [*command, "-v"]]
    players = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    said = [player.communicate(timeout=60)[1] for player in players]
    assert [player.returncode for player in players] == [0, 0], said
    assert all("playing team" in text for text in said)
    moves = [re.findall(r" INFO  turn \d+ [A-Z]+: [A-Z]\S+ after ", text) for text in said]
    assert moves[0] == [] and len(moves[1]) > 10, said
    assert sorted(text.splitlines()[-1].split()[0].strip(",") for text in said) in (["lost", "won"], ["drawn", "drawn"])


def test_demo_prints_a_whole_game(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("def choose(position, time):\n    return position.legal_moves()[0]\n")
    command = [sys.executable, "-m", "blokus", "demo", file, "random"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    assert len(lines) > 40 and re.fullmatch(r"own \d+ : \d+ random", lines[-1]), lines
    command[-1] = "nobody"
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2 and "nobody" in result.stderr


def test_logs_unusual_events(caplog):
    with socket.create_server(("localhost", 0)) as server, ThreadPoolExecutor() as pool:
        game = pool.submit(blokus.play, largest, port=server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"<protocol><room roomId='r'><data class='memento'/></room></protocol>")
        with pytest.raises(RuntimeError):
            game.result(timeout=10)
    assert "an unreadable message" in caplog.text


def test_rejects_wrong_arguments(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("open('weights that are missing')")
    for arguments, reason in [
        (["missing.py"], "missing.py cannot be read"),
        ([file, "--port", "70000"], "`70000` is not a port"),
        ([file, "--time", "-5"], "`-5` is not a time"),
        ([file], "weights that are missing"),
    ]:
        command = [sys.executable, "-m", "blokus", "play", *map(str, arguments)]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        assert result.returncode != 0 and reason in result.stderr, result.stderr
        assert "cannot be read" not in result.stderr or arguments == ["missing.py"]


def test_reports_missing_server(tmp_path):
    with pytest.raises(ConnectionError, match="localhost, port 1"):
        blokus.play(largest, port=1)


def test_rejects_contradictions_and_missing_functions(tmp_path):
    with pytest.raises(ValueError, match="not both"):
        blokus.play(largest, reservation="a", room="b")
    file = tmp_path / "empty.py"
    file.write_text("")
    result = subprocess.run([sys.executable, "-m", "blokus", "play", file], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2 and "has no function choose" in result.stderr
