"""Many games at once."""

import numpy as np
import pytest

from blokus import Position
from blokus.batch import Batch
from blokus.features import legal_mask, move, planes, remaining_pieces


def first_actions(batch):
    return batch.actions[batch.starts[:-1]]


def test_batch_matches_single_positions():
    batch = Batch(5, threads=2)
    expected = batch.positions
    assert len({position.start_piece for position in expected}) > 1
    for _ in range(20):
        for number, position in enumerate(expected):
            part = batch.actions[batch.starts[number] : batch.starts[number + 1]]
            assert sorted(part) == list(legal_mask(position).nonzero()[0])
            assert (batch.planes()[number] == planes(position)).all()
            assert (batch.remaining_pieces()[number] == remaining_pieces(position)).all()
        actions = first_actions(batch)
        expected = [position.play(move(action)) for position, action in zip(expected, actions)]
        ended, _ = batch.step(actions)
        assert batch.positions == expected and not ended.any()


def test_finished_games_report_margins_and_start_over():
    batch = Batch(3, start_piece="PENTO_W", threads=1)
    start = Position.start("PENTO_W")
    ended = np.zeros(3, bool)
    while not ended.any():
        before = batch.positions
        actions = first_actions(batch)
        ended, margin = batch.step(actions)
    number = int(ended.argmax())
    end = before[number].play(move(actions[number]))
    assert end.is_over and margin[number] == end.team_points("ONE") - end.team_points("TWO")
    assert batch.positions[number] == start


def test_illegal_actions_change_nothing():
    batch = Batch(2, "classic")
    before = batch.positions
    with pytest.raises(ValueError, match="game 1: the action 65535"):
        batch.step(np.array([batch.actions[0], 65535]))
    with pytest.raises(ValueError, match="1 actions for 2 games"):
        batch.step(batch.actions[:1])
    assert batch.positions == before
    with pytest.raises(ValueError):
        Batch(2, start_piece="PENTO_Q")
