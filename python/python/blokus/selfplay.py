"""Games of self-play as NumPy arrays, to train networks on. Needs NumPy, which comes with
`pip install "./python[selfplay]"`.

`trainer play FOLDER` makes the files. One file of 1,000 games is some 50,000 positions:

    positions = blokus.selfplay.read("games/1.games")
    planes = positions.planes()[positions.rules == RULES.index("2027")]
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _blokus

__all__ = ["PLACEMENT_CELLS", "RULES", "SHAPE_PIECES", "Positions", "read"]

RULES: list[str] = _blokus.rules_names()
"""The names of the rules, by their numbers in `Positions.rules`."""

PLACEMENT_CELLS: NDArray[np.uint16] = np.frombuffer(_blokus.placement_cells(), "<u2").reshape(-1, 5)
"""(placements, 5): the cells of every placement by its number, counted row by row; 400 stands for none."""

SHAPE_PIECES: list[int] = _blokus.shape_pieces()
"""The number of the piece, its column in `Positions.hands`, of every shape; placement n has the shape n // 512."""


@dataclass(frozen=True)
class Positions:
    """The positions of a file from which searches alone played on, so that the result of the game tells something of
    them; N in all. The four colours of a position are counted from the one on turn: 0 is on turn, 2 its partner, 1 and 3
    are opponents. The arrays are read-only views of what was read.
    """

    header: dict[str, Any]
    """Who played (`engine`), the `seed`, and the `settings`."""
    packed_planes: NDArray[np.uint8]
    """(N, 20, 50): the planes with eight cells in a byte; see `planes`."""
    hands: NDArray[np.uint8]
    """(N, 4, 21): 1 for each piece that a colour still has."""
    rules: NDArray[np.uint8]
    """(N,): numbers of `RULES`."""
    turn: NDArray[np.uint8]
    """(N,): the turn, from 0."""
    game: NDArray[np.uint32]
    """(N,): the number of the game; hold out whole games."""
    score: NDArray[np.int16]
    """(N,): points of the team on turn less those of the other, at the end of the game."""
    win: NDArray[np.float32]
    """(N,): the probability to win that the search saw for the team on turn; NaN where it did not search."""
    margin: NDArray[np.float32]
    """(N,): the score that the search expected; NaN where it did not search."""
    ownership: NDArray[np.uint8]
    """(N, 20, 20): who covers each cell [y, x] at the end: 0 nobody, else the colour of the position plus 1."""
    moves_start: NDArray[np.uint32]
    """(N + 1,): the legal placements of position i are `moves[moves_start[i]:moves_start[i + 1]]`. Only positions of full
    searches have any: those are the ones to learn a policy from."""
    moves: NDArray[np.uint16]
    """(M,): numbers of placements, rows of `PLACEMENT_CELLS`."""
    visits: NDArray[np.uint16]
    """(M,): how often the full search visited each of `moves`."""
    prior: NDArray[np.float32]
    """(M,): what the built-in prior says of each of `moves`, the logarithm of its probability but for a constant."""

    def __len__(self) -> int:
        return len(self.turn)

    def planes(self, of: slice | NDArray[Any] = slice(None)) -> NDArray[np.uint8]:
        """(positions, 20, 20, 20) of 0 and 1, for some of the positions or for all: for each of the four colours the
        cells [y, x] that it covers, those that it may cover (neither covered nor beside its own), its anchors (those that
        a piece in hand can cover, while it is in play), and what it may cover with its next piece and with its next two.
        """
        return np.unpackbits(self.packed_planes[of], axis=-1).reshape(-1, 20, 20, 20)


def read(path: str | os.PathLike[str]) -> Positions:
    """Reads a file of `trainer play`. ValueError or OSError says what is wrong with it."""
    header, data = _blokus.read_positions(os.fspath(path))

    def array(name: str, kind: str, *shape: int) -> NDArray[Any]:
        return np.frombuffer(data[name], kind).reshape(-1, *shape)

    return Positions(
        header=json.loads(header),
        packed_planes=array("planes", "u1", 20, 50),
        hands=array("hands", "u1", 4, 21),
        rules=np.frombuffer(data["rules"], "u1"),
        turn=np.frombuffer(data["turn"], "u1"),
        game=np.frombuffer(data["game"], "<u4"),
        score=np.frombuffer(data["score"], "<i2"),
        win=np.frombuffer(data["win"], "<f4"),
        margin=np.frombuffer(data["margin"], "<f4"),
        ownership=array("ownership", "u1", 20, 20),
        moves_start=np.frombuffer(data["moves_start"], "<u4"),
        moves=np.frombuffer(data["moves"], "<u2"),
        visits=np.frombuffer(data["visits"], "<u2"),
        prior=np.frombuffer(data["prior"], "<f4"),
    )
