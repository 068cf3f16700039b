"""Agreement with games that the official server's own rules played and judged (../shared/oracle)."""

import gzip
import json
from pathlib import Path

import pytest

from blokus import Move, Position

ORACLE = Path(__file__).parents[2].parent / "shared" / "oracle"
LETTERS = {"B": "BLUE", "Y": "YELLOW", "R": "RED", "G": "GREEN"}


@pytest.mark.parametrize("season", ["2021", "2027"])
def test_every_ply_agrees_with_official_rules(season):
    path = ORACLE / f"rules-{season}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"the recordings {path.name} are not there")
    plies = full = 0
    for line in gzip.open(path, "rt"):
        record = json.loads(line)
        match record["t"]:
            case "header":
                kinds = record["kinds"]
            case "game":
                position = Position.start(record["start"], season)
            case "ply":
                plies += 1
                check_state(position, record, kinds)
                full += "legal" in record
                if "legal" in record:
                    check_moves(position, record["legal"])
                if "move" in record:
                    position = position.play(read_move(record["move"]))
            case "end":
                for team, (_, points) in zip(("ONE", "TWO"), record["parts"]):
                    assert position.team_points(team) == points
    assert plies > 2000 and full > 100


def check_state(position, record, kinds):
    assert (position.turn, position.round, position.is_over) == (record["turn"], record["round"], record["over"])
    assert set(position.in_play) == {LETTERS[letter] for letter in record["valid"]}
    for color, mask in zip(LETTERS.values(), record["left"]):
        assert set(position.remaining_pieces(color)) == {kind for i, kind in enumerate(kinds) if mask >> i & 1}
    assert [position.points(color) for color in LETTERS.values()] == points_of(record)
    if "board" in record:
        assert "".join(".BYRG"[cell] for cell in position.board()) == record["board"]
    if not position.is_over:
        assert position.color == record["color"]
        assert position.count_placements() == record["n"]


def points_of(record):
    points = record["pts"]
    return [points[color] for color in LETTERS.values()] if isinstance(points, dict) else points


def check_moves(position, legal):
    found: dict[str, list[list[int]]] = {}
    for move in position.legal_moves():
        if not move.is_pass:
            found.setdefault(move.piece, []).append([y * 20 + x for x, y in move.cells])
    if not position.is_over:
        assert {kind: sorted(cells) for kind, cells in found.items()} == legal


def read_move(move):
    if "skip" in move:
        return Move("PASS")
    rotation = "" if move["rotation"] == "NONE" else f"-{move['rotation']}"
    flipped = "-FLIPPED" if move["flipped"] else ""
    read = Move(f"{move['kind']}{rotation}{flipped}@{move['x']},{move['y']}")
    assert [y * 20 + x for x, y in read.cells] == sorted(move["cells"])
    return read
