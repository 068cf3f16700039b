"""Positions of self-play as arrays, from files that this repository's trainer plays."""

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from blokus import Player, Position, selfplay

TRAINER = Path(__file__).parents[2] / "target/debug" / ("trainer.exe" if os.name == "nt" else "trainer")
GAMES = 6


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    if not TRAINER.exists():
        pytest.skip("the trainer is not built: cargo build --package trainer")
    folder = tmp_path_factory.mktemp("games")
    options = ["--games", str(GAMES), "--fast", "2", "--full", "40", "--every", "2"]
    subprocess.run([TRAINER, "play", folder, *options], check=True, capture_output=True)
    return folder / "1.games"


@pytest.fixture(scope="module")
def positions(path):
    return selfplay.read(path)


def test_arrays_have_one_row_per_position(positions):
    count = len(positions)
    assert count > 100 and set(positions.game) == set(range(GAMES))
    for name in ["packed_planes", "remaining_pieces", "rules", "turn", "game", "final_margin", "win", "expected_margin", "ownership"]:
        assert len(getattr(positions, name)) == count, name
    assert len(positions.moves_start) == count + 1 and positions.moves_start[-1] == len(positions.moves)
    assert positions.header["settings"]["full_nodes"] == 40 and len(positions.header["engine"]) == 16
    assert not positions.packed_planes.flags.owndata, "nothing is copied"


def test_planes_match_remaining_pieces(positions):
    planes = positions.planes()
    covered, open_cells, anchors = (planes[:, kind::5] for kind in range(3))
    assert covered.sum(1).max() == 1, "a cell has one colour"
    assert not (open_cells & covered.any(1, keepdims=True)).any(), "covered cells are not open"
    assert not (anchors & ~open_cells & 1).any(), "anchors are open"
    # Piece by piece, all pieces but the remaining ones have been placed.
    placed = 1 - positions.remaining_pieces
    sizes = np.rint(np.linalg.lstsq(placed.reshape(-1, 21), covered.sum((2, 3)).ravel(), rcond=None)[0])
    assert sorted(sizes.astype(int)) == [1, 2, 3, 3] + [4] * 5 + [5] * 12
    assert (placed @ sizes == covered.sum((2, 3))).all()


def test_owners_match_covered_cells(positions):
    covered = positions.planes()[:, 0::5]
    for color in range(4):
        assert (positions.ownership[covered[:, color] == 1] == color + 1).all()
    cells = np.stack([(positions.ownership == color + 1).sum((1, 2)) for color in range(4)], axis=1).astype(int)
    bonuses = positions.final_margin - (cells[:, 0] + cells[:, 2] - cells[:, 1] - cells[:, 3])
    assert (bonuses % 5 == 0).all() and (abs(bonuses) <= 40).all(), "points are cells and bonuses"


def test_results_flip_for_opponent(positions):
    for game in range(GAMES):
        margins = positions.final_margin[positions.game == game]
        assert len(set(abs(margins))) == 1 and (margins.max() == -margins.min() or margins.max() == 0)
    searched = ~np.isnan(positions.win)
    assert searched.any() and (positions.win[searched] >= 0).all() and (positions.win[searched] <= 1).all()
    assert np.corrcoef(positions.win[searched], positions.expected_margin[searched])[0, 1] > 0.5


def test_visited_placements_are_legal(positions):
    planes = positions.planes()
    with_visits = np.flatnonzero(np.diff(positions.moves_start))
    assert len(with_visits) > 20
    for position in with_visits:
        moves = slice(*positions.moves_start[position : position + 2].tolist())
        assert positions.visits[moves].sum() > 0
        own = np.append(planes[position, 1].ravel(), 1)
        cells = selfplay.PLACEMENT_CELLS[positions.moves[moves]]
        assert own[cells].all(), "every cell may be covered"
        if positions.remaining_pieces[position, 0].sum() < 21:
            anchors = np.append(planes[position, 2].ravel(), 0)
            assert anchors[cells].any(1).all(), "an anchor is covered"
        assert len(np.unique(cells, axis=0)) == len(cells)


def test_rejects_other_files(tmp_path, path):
    other = tmp_path / "other.games"
    other.write_bytes(b"PK")
    with pytest.raises(ValueError, match="other.games is not a file of self-play games"):
        selfplay.read(other)
    other.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError, match="other.games is truncated"):
        selfplay.read(other)
    with pytest.raises(OSError, match="missing.games"):
        selfplay.read(tmp_path / "missing.games")


def test_archive_has_same_arrays(path, positions, tmp_path):
    archive = tmp_path / "games.npz"
    subprocess.run([sys.executable, "-m", "blokus.selfplay", path, archive], check=True)
    with np.load(archive) as arrays:
        assert json.loads(str(arrays["header"])) == positions.header
        for name in set(arrays) - {"header"}:
            assert np.array_equal(arrays[name], getattr(positions, name), equal_nan=name in ("win", "expected_margin")), name


def test_example_policy_beats_random_moves(path, tmp_path):
    example = shutil.copy(Path(__file__).parents[1] / "examples/policy.py", tmp_path)
    subprocess.run([sys.executable, example, path], check=True, capture_output=True)
    choose = runpy.run_path(example)["choose"]
    ahead = 0
    for seed in range(4):
        random, position = Player("random", seed=seed), Position.start("PENTO_W")
        while not position.is_over:
            own = position.team == "ONE"
            position = position.play(choose(position, 1) if own else random.choose(position, nodes=1).mv)
        ahead += position.team_points("ONE") - position.team_points("TWO")
    assert ahead > 0
