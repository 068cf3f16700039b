"""Analysis: what the strongest player thinks of positions and games."""

import _thread
import signal
import threading
import time

import pytest
from test_rules import random_game

from blokus import Game, Move, Position


def test_analysis_has_moves_and_probabilities():
    position = random_game(9)[30]
    analysis = position.analyse(time=0.3, memory=32)
    assert 0 <= analysis.win <= 1 and analysis.nodes > 10
    assert analysis.candidates[0].mv == analysis.line[0]
    assert 1 <= len(analysis.candidates) <= 3
    for candidate in analysis.candidates:
        assert position.why_illegal(candidate.mv) is None
        assert 0 <= candidate.share <= 1 and 0 <= candidate.win <= 1
    for move in analysis.line:
        position = position.play(move)
    assert str(analysis.line[0]) in repr(analysis)


def test_analysis_of_finished_game_is_certain():
    end = random_game(10)[-1]
    analysis = end.analyse(time=0.1)
    own, other = (end.team_points(team) for team in (end.team, "TWO" if end.team == "ONE" else "ONE"))
    assert analysis.margin == own - other and analysis.line == []
    assert analysis.win == (own > other) + 0.5 * (own == other)


def test_accepts_huge_time_limit():
    end = random_game(10)[-1]
    assert end.analyse(time=1e19).margin == end.analyse(time=0.1).margin


def test_review_finds_blunder():
    positions = random_game(11)
    moves = [next(mv for mv in a.legal_moves() if a.play(mv) == b) for a, b in zip(positions, positions[1:])]
    game = Game(positions[0], moves[:12])
    review = game.analyse(time=0.05, memory=32)
    assert [one.mv for one in review.moves] == game.moves
    assert [one.color for one in review.moves] == [position.color for position in game.positions[:-1]]
    assert len(review.wins) == len(game) + 1 and all(0 <= win <= 1 for win in review.wins)
    assert all(0 <= accuracy <= 100 for accuracy in review.accuracy)
    marks = {one.mark for one in review.moves}
    assert marks & {"mistake", "blunder"}, "random moves are bad ones"
    for one in review.moves:
        assert bool(one.better) == (one.mark is not None)


def test_evaluation_is_for_team_to_move():
    assert Position.start("PENTO_W").evaluate() is None
    teams = set()
    for position in (position for seed in range(8) for position in random_game(seed)[40:56]):
        lead = position.team_points(position.team) - position.team_points("TWO" if position.team == "ONE" else "ONE")
        win = position.evaluate()
        if win is not None and abs(lead) > 20:
            assert (win > 0.5) == (lead > 0), position
            teams.add(position.team)
    assert teams == {"ONE", "TWO"}


@pytest.fixture
def interruptible():
    """Background processes ignore interrupts, so Python has no handler there."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_analysis_releases_lock_and_can_be_interrupted():
    begun = time.monotonic()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Position.start("PENTO_W").analyse(time=60)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(("call", "words"), [
    (lambda: Position.start("PENTO_W").analyse(time=-1), "-1"),
    (lambda: Position.start("PENTO_W").analyse(time=1e20), "100000000000000000000"),
    (lambda: Position.start("PENTO_W").analyse(memory=2**60), "MiB"),
    (lambda: Game(Position.start("PENTO_W"), [Move("PENTO_W@0,0")]).analyse(time=float("nan")), "NaN"),
])  # fmt: skip
def test_errors_name_the_fault(call, words):
    with pytest.raises(ValueError, match=words):
        call()
