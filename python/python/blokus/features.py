"""Positions and moves as NumPy arrays, for networks. Needs NumPy: `pip install "./python[numpy]"`.

Every move has a number below `ACTIONS`. Placements have the numbers of `blokus.selfplay.PLACEMENT_CELLS`, the pass has the
last number. Some numbers have no move and are never legal.

>>> from blokus import Position
>>> from blokus.features import ACTIONS, action, legal_mask, move, planes
>>> position = Position.start("PENTO_W")
>>> planes(position).shape, legal_mask(position).shape, int(legal_mask(position).sum())
((20, 20, 20), (46593,), 272)
>>> moves = [move(number) for number in legal_mask(position).nonzero()[0]]
>>> set(moves) == set(position.legal_moves())
True
>>> move(action(moves[0])) == moves[0]
True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import _blokus
from ._blokus import Move, Position
from .names import Color

__all__ = ["ACTIONS", "action", "legal_mask", "move", "planes", "remaining_pieces", "value_inputs"]

ACTIONS: int = _blokus.action_count()
"""Number of move numbers."""


def action(move: Move) -> int:
    """Returns the number of a move."""
    return _blokus.action_of(move)


def move(action: int) -> Move:
    """Returns the move with a number. ValueError if there is none."""
    found = _blokus.move_of(int(action)) if action >= 0 else None
    if found is None:
        raise ValueError(f"no move has the number {action}")
    return found


def legal_mask(position: Position) -> NDArray[np.int8]:
    """Returns 1 for each legal move of the colour to move, (ACTIONS,), read-only."""
    return np.frombuffer(_blokus.legal_mask(position), np.int8)


def planes(position: Position, color: Color | None = None) -> NDArray[np.uint8]:
    """Returns the input planes of the policy network, (20, 20, 20), [plane, y, x], 0 or 1, read-only.

    Five planes per colour, in turn order from `color` (default: the colour to move): its covered cells, its open cells
    (neither covered nor adjacent to its own), its anchors (that a remaining piece can cover, while it is in play), and the
    cells that it can reach with one piece and with two. So plane 0 has the own cells and plane 10 the partner's.
    """
    return np.frombuffer(_blokus.planes(position, color or position.color), np.uint8).reshape(20, 20, 20)


def remaining_pieces(position: Position, color: Color | None = None) -> NDArray[np.uint8]:
    """Returns 1 for each remaining piece, (4, 21), colours in the order of `planes`, read-only."""
    return np.frombuffer(_blokus.remaining_pieces(position, color or position.color), np.uint8).reshape(4, 21)


def value_inputs(position: Position) -> NDArray[np.float32] | None:
    """Returns the inputs of the value network, (73,). `None` until every colour has placed a piece, and near the
    end of the game."""
    inputs = _blokus.value_inputs(position)
    return None if inputs is None else np.array(inputs, np.float32)
