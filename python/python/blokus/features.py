"""Positions and moves as NumPy arrays, for networks. Needs NumPy: `pip install "./python[numpy]"`.

A move has a number below `ACTIONS`: that of its placement, as in `blokus.selfplay`, whose `PLACEMENT_CELLS` has the cells
of each; the pass has the last one. Some numbers stand for no move, and are never legal.

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

__all__ = ["ACTIONS", "action", "hands", "legal_mask", "move", "planes"]

ACTIONS: int = _blokus.action_count()
"""How many numbers of moves there are."""


def action(move: Move) -> int:
    """The number of a move."""
    return _blokus.action_of(move)


def move(action: int) -> Move:
    """The move with a number; ValueError if it stands for none."""
    found = _blokus.move_of(int(action)) if action >= 0 else None
    if found is None:
        raise ValueError(f"no move has the number {action}")
    return found


def legal_mask(position: Position) -> NDArray[np.int8]:
    """(ACTIONS,): 1 for the number of each legal move of the colour on turn. A read-only view of bytes."""
    return np.frombuffer(_blokus.legal_mask(position), np.int8)


def planes(position: Position, color: Color | None = None) -> NDArray[np.uint8]:
    """(20, 20, 20) of 0 and 1, what the convolutional network is told of the board [plane, y, x]; a read-only view of
    bytes. Five planes for each colour, the given one first (the one on turn unless given), then the others in turn order:
    the cells that it covers, those that it may cover (neither covered nor beside its own), its anchors (those that a piece
    in hand can cover, while it is in play), and what it may cover with its next piece and with its next two. So plane 0
    has the own cells, plane 10 those of the partner.
    """
    return np.frombuffer(_blokus.planes(position, color or position.color), np.uint8).reshape(20, 20, 20)


def hands(position: Position, color: Color | None = None) -> NDArray[np.uint8]:
    """(4, 21): 1 for each piece in hand, the colours in the order of `planes`; a read-only view of bytes."""
    return np.frombuffer(_blokus.hands(position, color or position.color), np.uint8).reshape(4, 21)
