"""Games in files, ours and those of the official servers."""

import copy
import gzip
import json
import pickle
from pathlib import Path

import pytest
from test_rules import random_game

from blokus import Game, IllegalMove, Move, Position, read_games


def played(rules="2027", start="PENTO_W") -> Game:
    positions = random_game(8, rules, start)
    steps = zip(positions, positions[1:])
    moves = [next(mv for mv in before.legal_moves() if before.play(mv) == after) for before, after in steps]
    return Game(positions[0], moves, names=("one", "zwei"))


def test_game_reports_result():
    game = played()
    assert len(game) == len(game.moves) == len(game.positions) - 1 == len(game.comments) - 1
    assert game.positions[0] == game.start and game.positions[-1] == game.end and game.end.is_over
    assert game.points == (game.end.team_points("ONE"), game.end.team_points("TWO"))
    one, two = game.points
    assert game.result == ("drawn" if one == two else "ONE" if one > two else "TWO")
    assert game.fault is None and game.id == "" and game.names == ("one", "zwei")
    shorter = Game(game.start, game.moves[:-1])
    assert shorter.result == "unfinished" and shorter != game


@pytest.mark.parametrize(("rules", "start"), [("2027", "PENTO_X"), ("2021", "PENTO_L"), ("classic", None)])
def test_games_survive_copies_and_pickle(rules, start):
    game = played(rules, start)
    assert copy.copy(game) == copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("ending", ["xml", "xml.gz", "blksgf", "blksgf.gz", "jsonl"])
def test_reads_saved_game(tmp_path, ending):
    game, path = played(), tmp_path / f"game.{ending}"
    game.save(path)
    (again,) = read_games(path)
    assert (again.moves, again.result) == (game.moves, game.result)
    # Replays of this season have names in their results only.
    assert again == game or ending.startswith("xml")
    assert path.read_bytes().startswith(b"\x1f\x8b") == ending.endswith("gz")


def test_variations_and_comments_survive(tmp_path):
    path = tmp_path / "game.jsonl"
    Game(Position.start("PENTO_W"), [Move("PENTO_W@0,0")]).save(path)
    line = json.loads(path.read_text())
    line["moves"][0]["comment"] = "solid"
    line["variations"] = [{"after": 0, "moves": [{"turn": 0, "color": "BLUE", "move": "PENTO_W@17,17"}]}]
    path.write_text(json.dumps(line))
    (game,) = read_games(path)
    assert game.comments == ["", "solid"] and len(game) == 1
    game.save(tmp_path / "again.blksgf")
    (again,) = read_games(tmp_path / "again.blksgf")
    for again in (again, copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        again.save(path)
        assert json.loads(path.read_text())["variations"] == line["variations"]


def test_reads_games_one_by_one(tmp_path):
    game, path = played(), tmp_path / "games.jsonl"
    game.save(path)
    path.write_text(path.read_text() * 3 + "{}\n")
    games = read_games(path)
    assert [next(games) == game for _ in range(3)] == [True] * 3
    with pytest.raises(ValueError, match=r"games.jsonl: line 4.*\(3 games came before it\)"):
        next(games)


def test_error_counts_games_before_it(tmp_path):
    path = tmp_path / "games.jsonl.gz"
    line = str(tmp_path / "game.jsonl")
    Game(Position.start("PENTO_W")).save(line)
    # Each block is written at once.
    packed = b"".join(gzip.compress(Path(line).read_bytes()) for _ in range(3))
    path.write_bytes(packed[:-4])
    games = []
    with pytest.raises(ValueError, match=r"cannot unpack.*\(\d games? came before it\)"):
        for game in read_games(path):
            games.append(game)
    assert games


def test_illegal_moves_become_warnings(tmp_path):
    path = tmp_path / "book.blksgf"
    path.write_text("(;GM[Blokus Two-Player];1[a20](;2[t20])\n(;2[t19]))")
    (game,) = read_games(path)
    (warning,) = game.warnings
    assert len(game) == 2 and warning.startswith("line 2: YELLOW MONO@19,1: ")


def test_rejects_impossible_games(tmp_path):
    with pytest.raises(IllegalMove, match="turn 1: PENTO_W@0,0"):
        Game(Position.start("PENTO_W"), [Move("PENTO_W@0,0")] * 2)
    with pytest.raises(ValueError, match="found `pdf`"):
        played().save(tmp_path / "game.pdf")
    with pytest.raises(ValueError, match="other rules"):
        played("classic", None).save(tmp_path / "game.xml")
    with pytest.raises(OSError, match="missing"):
        played().save(tmp_path / "missing/game.jsonl")
    with pytest.raises(OSError, match="missing.xml"):
        read_games(tmp_path / "missing.xml")
    (tmp_path / "other.txt").write_bytes(b"\x7fELF")
    with pytest.raises(ValueError, match="other.txt.*ELF"):
        read_games(tmp_path / "other.txt")
    played().save(tmp_path / "damaged.xml.gz")
    packed = bytearray((tmp_path / "damaged.xml.gz").read_bytes())
    # The checksum, before four bytes with the length.
    packed[-5] ^= 1
    (tmp_path / "damaged.xml.gz").write_bytes(packed)
    with pytest.raises(ValueError, match="damaged.xml.gz: cannot unpack"):
        read_games(tmp_path / "damaged.xml.gz")
