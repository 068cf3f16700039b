"""Self-play games as NumPy arrays, to train networks on. Needs NumPy: `pip install "./python[selfplay]"`.

`trainer play FOLDER` writes files of games; 1,000 games have about 50,000 positions:

    positions = blokus.selfplay.read("games/1.games")
    planes = positions.planes()[positions.rules == RULES.index("2027")]

`python -m blokus.selfplay games/1.games games.npz` writes the same arrays as a NumPy archive for other programs; `Positions`
describes them.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _blokus

__all__ = ["PLACEMENT_CELLS", "RULES", "SHAPE_PIECES", "Positions", "read"]

RULES: list[str] = _blokus.rules_names()
"""Names of the rules, indexed by `Positions.rules`."""

PLACEMENT_CELLS: NDArray[np.uint16] = np.frombuffer(_blokus.placement_cells(), "<u2").reshape(-1, 5)
"""(placements, 5): the cells of each placement, numbered row by row; 400 fills the rest."""

SHAPE_PIECES: list[int] = _blokus.shape_pieces()
"""The piece of each shape, a column of `Positions.remaining_pieces`; placement n has the shape n // 512."""


@dataclass(frozen=True)
class Positions:
    """The N positions of a file after the last random move of each game. Colours are relative: 0 is to move, 2 is its
    partner, 1 and 3 are opponents. The arrays are read-only. A NumPy archive has the same names; `header` is JSON there.
    """

    header: dict[str, Any]
    """The `engine`, the `seed` and the `settings`."""
    packed_planes: NDArray[np.uint8]
    """(N, 20, 50): the planes with eight cells in a byte; see `planes`."""
    remaining_pieces: NDArray[np.uint8]
    """(N, 4, 21): 1 for each remaining piece."""
    rules: NDArray[np.uint8]
    """(N,): numbers of `RULES`."""
    turn: NDArray[np.uint8]
    """(N,): the turn, from 0."""
    game: NDArray[np.uint32]
    """(N,): the number of the game; split training and test data by game."""
    final_margin: NDArray[np.int16]
    """(N,): final points of the team to move minus the other team."""
    win: NDArray[np.float32]
    """(N,): the win probability of the team to move by the search; NaN without a search."""
    expected_margin: NDArray[np.float32]
    """(N,): the margin that the search expects; NaN without a search."""
    ownership: NDArray[np.uint8]
    """(N, 20, 20): the owner of each cell [y, x] at the end: 0 for none, else 1 + the colour."""
    moves_start: NDArray[np.uint32]
    """(N + 1,): the legal placements of position i are `moves[moves_start[i]:moves_start[i + 1]]`. Only positions with
    a full search have any; train a policy on these."""
    moves: NDArray[np.uint16]
    """(M,): numbers of placements, rows of `PLACEMENT_CELLS`."""
    visits: NDArray[np.uint16]
    """(M,): visits of each move in the search."""
    prior: NDArray[np.float32]
    """(M,): log-probability of each move by the built-in prior, up to a constant."""

    def __len__(self) -> int:
        return len(self.turn)

    def planes(self, of: slice | NDArray[Any] = slice(None)) -> NDArray[np.uint8]:
        """Returns the planes of `blokus.features.planes` for the given positions, (positions, 20, 20, 20)."""
        return np.unpackbits(self.packed_planes[of], axis=-1).reshape(-1, 20, 20, 20)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a compressed NumPy archive (`.npz`)."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "header"}
        np.savez_compressed(path, header=json.dumps(self.header), **arrays)


def read(path: str | os.PathLike[str]) -> Positions:
    """Reads a file of `trainer play`. ValueError if it is damaged."""
    header, data = _blokus.read_positions(os.fspath(path))

    def array(name: str, kind: str, *shape: int) -> NDArray[Any]:
        return np.frombuffer(data[name], kind).reshape(-1, *shape)

    return Positions(
        header=json.loads(header),
        packed_planes=array("planes", "u1", 20, 50),
        remaining_pieces=array("remaining_pieces", "u1", 4, 21),
        rules=np.frombuffer(data["rules"], "u1"),
        turn=np.frombuffer(data["turn"], "u1"),
        game=np.frombuffer(data["game"], "<u4"),
        final_margin=np.frombuffer(data["final_margin"], "<i2"),
        win=np.frombuffer(data["win"], "<f4"),
        expected_margin=np.frombuffer(data["expected_margin"], "<f4"),
        ownership=array("ownership", "u1", 20, 20),
        moves_start=np.frombuffer(data["moves_start"], "<u4"),
        moves=np.frombuffer(data["moves"], "<u2"),
        visits=np.frombuffer(data["visits"], "<u2"),
        prior=np.frombuffer(data["prior"], "<f4"),
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m blokus.selfplay GAMES NPZ")
    try:
        read(sys.argv[1]).save(sys.argv[2])
    except (OSError, ValueError) as error:
        sys.exit(str(error))
