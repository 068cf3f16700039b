"""The positions of files of self-play as batches of tensors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .. import selfplay

CELLS = 400
HELD_OUT = 20
"""One game of this many is not learnt from."""


def _symmetries() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(8, 401) where each cell goes, and (8, placements) where each placement goes, by the turns and mirrors of the board."""
    y, x = np.divmod(np.arange(CELLS), 20)
    places = [(y, x), (y, 19 - x), (19 - y, x), (19 - y, 19 - x), (x, y), (x, 19 - y), (19 - x, y), (19 - x, 19 - y)]
    cells = np.stack([np.append(20 * to_y + to_x, CELLS) for to_y, to_x in places])
    table = selfplay.PLACEMENT_CELLS.astype(np.int64)
    power = np.array([401**n for n in range(5)], dtype=np.int64)
    keys = np.sort(table, 1) @ power
    order = np.argsort(keys, kind="stable")
    placements = np.stack([order[np.searchsorted(keys[order], np.sort(to[table], 1) @ power)] for to in cells])
    # Numbers that stand for no placement are all alike.
    placements[:, table[:, 0] == CELLS] = np.flatnonzero(table[:, 0] == CELLS)[0]
    return cells, placements


CELL_SYMMETRIES, PLACEMENT_SYMMETRIES = _symmetries()


def _outlines() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(placements, 12) and (placements, 8): the cells beside every placement, and those at its corners; 400 stands for none
    or for one that lies off the board."""
    table = selfplay.PLACEMENT_CELLS
    beside, corners = np.full((len(table), 12), CELLS), np.full((len(table), 8), CELLS)
    for number, cells in enumerate(table):
        covered = {divmod(int(cell), 20) for cell in cells if cell < CELLS}
        side = {(y + dy, x + dx) for y, x in covered for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))} - covered
        corner = {(y + dy, x + dx) for y, x in covered for dy in (-1, 1) for dx in (-1, 1)} - covered - side
        for row, places in ((beside[number], side), (corners[number], corner)):
            inside = [20 * y + x for y, x in places if 0 <= y < 20 and 0 <= x < 20]
            row[: len(inside)] = inside
    return beside, corners


BESIDE, CORNERS = _outlines()
COVERED = selfplay.PLACEMENT_CELLS.astype(np.int64)
ROOTS = COVERED.min(1)
SHAPES = np.arange(len(COVERED)) // 512
PIECES = np.asarray(selfplay.SHAPE_PIECES, dtype=np.int64)[SHAPES]


@dataclass
class Games:
    """The positions of full searches in some files, and where those begin that are held out."""

    arrays: dict[str, NDArray[Any]]
    start: NDArray[np.int64]
    headers: list[dict[str, Any]]
    games: int

    @property
    def train(self) -> NDArray[np.int64]:
        return np.flatnonzero(~self.arrays["held_out"])

    @property
    def test(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.arrays["held_out"])

    @staticmethod
    def read(paths: Sequence[str | os.PathLike[str]]) -> Games:
        names = ["packed_planes", "hands", "rules", "turn", "score", "win", "ownership"]
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in [*names, "held_out", "moves", "visits", "prior", "count"]}
        headers, games = [], 0
        for path in paths:
            file = selfplay.read(path)
            headers.append(file.header)
            games += len(np.unique(file.game))
            full = np.flatnonzero(np.diff(file.moves_start))
            for name in names:
                parts[name].append(getattr(file, name)[full])
            parts["held_out"].append(file.game[full] % HELD_OUT == 0)
            parts["count"].append(np.diff(file.moves_start)[full].astype(np.int64))
            for name in ["moves", "visits", "prior"]:
                parts[name].append(getattr(file, name))
        arrays = {name: np.concatenate(part) for name, part in parts.items()}
        start = np.concatenate([[0], np.cumsum(arrays.pop("count"))])
        return Games(arrays, start, headers, games)

    def batch(self, rows: NDArray[np.int64], symmetry: int) -> dict[str, Any]:
        """Some positions, all turned by one symmetry."""
        cells, placements = CELL_SYMMETRIES[symmetry][:CELLS], PLACEMENT_SYMMETRIES[symmetry]
        arrays = self.arrays
        back = np.argsort(cells)
        planes = np.unpackbits(arrays["packed_planes"][rows], axis=-1)[:, :, back].reshape(len(rows), -1, 20, 20)
        owners = arrays["ownership"][rows].reshape(len(rows), CELLS)[:, back].reshape(len(rows), 20, 20)
        extra = np.concatenate([arrays["hands"][rows].reshape(len(rows), -1), arrays["turn"][rows][:, None] / 64], 1)
        counts = self.start[rows + 1] - self.start[rows]
        position = np.repeat(np.arange(len(rows)), counts)
        at = np.arange(counts.sum()) + np.repeat(self.start[rows] - np.cumsum(counts) + counts, counts)
        moves = placements[arrays["moves"][at]]
        visits = arrays["visits"][at].astype(np.float32)
        visits /= np.repeat(np.add.reduceat(visits, np.cumsum(counts) - counts), counts)
        prior = arrays["prior"][at]
        prior = prior - np.repeat(np.maximum.reduceat(prior, np.cumsum(counts) - counts), counts)
        offset = position * (CELLS + 1)
        tensor = torch.from_numpy
        score = arrays["score"][rows].astype(np.float32)
        return {
            "planes": tensor(planes.astype(np.float32)).contiguous(memory_format=torch.channels_last),
            "extra": tensor(extra.astype(np.float32)),
            "owners": tensor(owners.astype(np.int64)),
            "win": tensor(arrays["win"][rows]),
            "result": tensor((0.5 + 0.5 * np.sign(score)).astype(np.float32)),
            "score": tensor(score),
            "visits": tensor(visits),
            "moves": {
                "position": tensor(position),
                "piece": tensor(PIECES[moves]),
                "shape": tensor(SHAPES[moves]),
                "root": tensor(ROOTS[moves] + offset),
                "covered": tensor(COVERED[moves] + offset[:, None]),
                "beside": tensor(BESIDE[moves] + offset[:, None]),
                "corner": tensor(CORNERS[moves] + offset[:, None]),
                "prior": tensor(prior),
            },
        }


def batches(rows: NDArray[np.int64], size: int, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Endlessly some of the rows, all of them in each round, and the symmetry to turn them by."""
    while True:
        order = rng.permutation(rows)
        for n in range(0, len(order) - size + 1, size):
            yield np.sort(order[n : n + size]), int(rng.integers(8))


def policy_error(logits: Tensor, visits: Tensor, position: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The cross entropy of each position, and the logarithms of the probabilities."""
    most = torch.full((count,), -1e9, device=logits.device).scatter_reduce(0, position, logits.detach(), "amax")
    logits = logits - most[position]
    sums = torch.zeros(count, device=logits.device).index_add(0, position, logits.exp())
    log = logits - sums.log()[position]
    return torch.zeros(count, device=logits.device).index_add(0, position, -visits * log), log
