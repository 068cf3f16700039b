"""Self-play games as NumPy arrays, to train networks on. Needs NumPy: `pip install "./python[selfplay]"`.

`trainer play FOLDER` writes files of games. One of 1,000 games has about 50,000 positions:

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
"""The names of the rules, by their numbers in `Positions.rules`."""

PLACEMENT_CELLS: NDArray[np.uint16] = np.frombuffer(_blokus.placement_cells(), "<u2").reshape(-1, 5)
"""(placements, 5): the cells of every placement by its number, counted row by row; 400 stands for none."""

SHAPE_PIECES: list[int] = _blokus.shape_pieces()
"""The number of the piece, its column in `Positions.hands`, of every shape; placement n has the shape n // 512."""


@dataclass(frozen=True)
class Positions:
    """The N positions of a file that come after the last random move of their game. Colours count from the one on turn: 0 is
    on turn, 2 its partner, 1 and 3 are opponents. The arrays are read-only. A NumPy archive has them under the same names;
    `header` is JSON text there.
    """

    header: dict[str, Any]
    """The `engine`, the `seed` and the `settings`."""
    packed_planes: NDArray[np.uint8]
    """(N, 20, 50): the planes with eight cells in a byte; see `planes`."""
    hands: NDArray[np.uint8]
    """(N, 4, 21): 1 for each remaining piece."""
    rules: NDArray[np.uint8]
    """(N,): numbers of `RULES`."""
    turn: NDArray[np.uint8]
    """(N,): the turn, from 0."""
    game: NDArray[np.uint32]
    """(N,): the number of the game. Split training and test data by game."""
    score: NDArray[np.int16]
    """(N,): final points of the team on turn less those of the other."""
    win: NDArray[np.float32]
    """(N,): the win probability of the team on turn by the search; NaN without a search."""
    margin: NDArray[np.float32]
    """(N,): the score that the search expected; NaN without a search."""
    ownership: NDArray[np.uint8]
    """(N, 20, 20): the owner of each cell [y, x] at the end: 0 for none, else 1 + the colour."""
    moves_start: NDArray[np.uint32]
    """(N + 1,): the legal placements of position i are `moves[moves_start[i]:moves_start[i + 1]]`. Only positions of full
    searches have any; train a policy on these."""
    moves: NDArray[np.uint16]
    """(M,): numbers of placements, rows of `PLACEMENT_CELLS`."""
    visits: NDArray[np.uint16]
    """(M,): visits of each of `moves` in the search."""
    prior: NDArray[np.float32]
    """(M,): log-probability of each of `moves` by the built-in prior, up to a constant."""

    def __len__(self) -> int:
        return len(self.turn)

    def planes(self, of: slice | NDArray[Any] = slice(None)) -> NDArray[np.uint8]:
        """(positions, 20, 20, 20) of 0 and 1, as in `blokus.features.planes`, for some positions or for all."""
        return np.unpackbits(self.packed_planes[of], axis=-1).reshape(-1, 20, 20, 20)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a compressed NumPy archive (`.npz`)."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "header"}
        np.savez_compressed(path, header=json.dumps(self.header), **arrays)


def read(path: str | os.PathLike[str]) -> Positions:
    """Reads a file of `trainer play`. OSError if it cannot be read, ValueError if it is damaged."""
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


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m blokus.selfplay GAMES NPZ")
    try:
        read(sys.argv[1]).save(sys.argv[2])
    except (OSError, ValueError) as error:
        sys.exit(str(error))
