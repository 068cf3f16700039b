"""Many games at once as NumPy arrays, on all processors. Needs NumPy: `pip install "./python[numpy]"`.

A finished game starts over with the next start piece. This plays random games:

>>> import numpy as np
>>> from blokus.batch import Batch
>>> batch, random, finished = Batch(64), np.random.default_rng(1), 0
>>> for _ in range(100):
...     choices = batch.starts[:-1] + (random.random(len(batch)) * batch.counts).astype(np.int64)
...     ended, margin = batch.step(batch.actions[choices])
...     finished += ended.sum()
>>> bool(finished >= 64)
True
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _blokus
from ._blokus import Position
from .names import Rules

__all__ = ["Batch"]


class Batch:
    """Plays `games` games in lockstep; `threads` 0 means one per processor. Actions are move numbers of `blokus.features`."""

    actions: NDArray[np.uint16]
    """(M,): the legal actions of all games; game i has `actions[starts[i]:starts[i + 1]]`."""
    starts: NDArray[np.uint32]
    """(N + 1,): see `actions`."""
    colors: NDArray[np.uint8]
    """(N,): the colour to move, 0 blue to 3 green; blue and red are team ONE."""

    def __init__(self, games: int, rules: Rules = "2027", start_piece: str | None = None, threads: int = 0) -> None:
        self._batch = _blokus.Batch(games, rules, start_piece, threads)
        self._update()

    def __len__(self) -> int:
        return len(self.colors)

    @property
    def counts(self) -> NDArray[np.uint32]:
        """(N,): number of legal actions per game."""
        return np.diff(self.starts)

    @property
    def positions(self) -> list[Position]:
        """The positions of all games."""
        return self._batch.positions()

    def step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.bool_], NDArray[np.int16]]:
        """Plays one action per game. Returns a flag per game that ended, and the points of team ONE minus team TWO (0 for running
        games). ValueError names an illegal action; then no game changes."""
        ended, margin = self._batch.step(actions.astype("<u2").tobytes())
        self._update()
        return np.frombuffer(ended, np.bool_), np.frombuffer(margin, "<i2")

    def planes(self) -> NDArray[np.uint8]:
        """(N, 20, 20, 20): `blokus.features.planes` of each game."""
        return np.frombuffer(self._batch.planes(), np.uint8).reshape(-1, 20, 20, 20)

    def remaining_pieces(self) -> NDArray[np.uint8]:
        """(N, 4, 21): `blokus.features.remaining_pieces` of each game."""
        return np.frombuffer(self._batch.remaining_pieces(), np.uint8).reshape(-1, 4, 21)

    def _update(self) -> None:
        actions, starts = self._batch.legal()
        self.actions, self.starts = np.frombuffer(actions, "<u2"), np.frombuffer(starts, "<u4")
        self.colors = np.frombuffer(self._batch.colors(), np.uint8)
