"""Positions and moves as arrays, compared with what positions say of themselves."""

import numpy as np
import pytest
from test_rules import random_game

from blokus import Move, Position
from blokus.features import ACTIONS, action, legal_mask, move, planes, remaining_pieces
from blokus.selfplay import PLACEMENT_CELLS

COLORS = ["BLUE", "YELLOW", "RED", "GREEN"]


def test_moves_and_numbers_match():
    pass_number = action(Move("PASS"))
    assert pass_number == ACTIONS - 1 == len(PLACEMENT_CELLS) and move(pass_number).is_pass
    used = np.flatnonzero((PLACEMENT_CELLS < 400).any(1))
    moves = [move(number) for number in used]
    assert len(set(moves)) == 30_433 and [action(mv) for mv in moves] == used.tolist()
    for mv, cells in zip(moves[::97], PLACEMENT_CELLS[used[::97]]):
        assert [y * 20 + x for x, y in mv.cells] == [cell for cell in cells if cell < 400]


@pytest.mark.parametrize("number", [-1, ACTIONS, 10**9, 500])
def test_rejects_numbers_without_move(number):
    with pytest.raises(ValueError, match=f"no move has the number {number}"):
        move(number)


@pytest.mark.parametrize(("rules", "start"), [("2027", "PENTO_X"), ("2021", "PENTO_L"), ("classic", None)])
def test_masks_match_legal_moves(rules, start):
    for position in random_game(6, rules, start):
        mask = legal_mask(position)
        assert mask.shape == (ACTIONS,) and not mask.flags.owndata
        assert {move(number) for number in mask.nonzero()[0]} == set(position.legal_moves())


def test_planes_match_board():
    for position in random_game(7)[::5]:
        turn = COLORS.index(position.color)
        for first in range(4):
            arrays = planes(position, COLORS[first])
            assert not arrays.flags.owndata and arrays.max() <= 1
            for number in range(4):
                color = COLORS[(first + number) % 4]
                covered = {(int(x), int(y)) for y, x in np.argwhere(arrays[5 * number])}
                assert covered == set(position.cells(color))
                assert remaining_pieces(position, COLORS[first])[number].sum() == len(position.remaining_pieces(color))
        assert (planes(position) == planes(position, COLORS[turn])).all()
        if position.turn > 4 and not position.is_over:
            anchors = planes(position)[2]
            cells = PLACEMENT_CELLS[[action(mv) for mv in position.legal_moves() if not mv.is_pass]]
            assert np.append(anchors.ravel(), 0)[cells].any(1).all(), "every move covers an anchor"


def test_rejects_unknown_colours():
    with pytest.raises(ValueError, match="PINK"):
        planes(Position.start("PENTO_W"), "PINK")
