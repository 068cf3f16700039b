"""Reads self-play games and makes batches of tensors."""

from __future__ import annotations

import json
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
"""One in this many games is held out from training."""


def _symmetries() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the image of each cell, (8, 401), and of each placement, (8, placements), under the symmetries of the board."""
    y, x = np.divmod(np.arange(CELLS), 20)
    places = [(y, x), (y, 19 - x), (19 - y, x), (19 - y, 19 - x), (x, y), (x, 19 - y), (19 - x, y), (19 - x, 19 - y)]
    cells = np.stack([np.append(20 * to_y + to_x, CELLS) for to_y, to_x in places])
    table = selfplay.PLACEMENT_CELLS.astype(np.int64)
    power = np.array([401**n for n in range(5)], dtype=np.int64)
    keys = np.sort(table, 1) @ power
    order = np.argsort(keys, kind="stable")
    placements = np.stack([order[np.searchsorted(keys[order], np.sort(to[table], 1) @ power)] for to in cells])
    # Numbers without a placement map to the first of them.
    placements[:, table[:, 0] == CELLS] = np.flatnonzero(table[:, 0] == CELLS)[0]
    return cells, placements


CELL_SYMMETRIES, PLACEMENT_SYMMETRIES = _symmetries()


def _outlines() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the side cells, (placements, 12), and the corner cells, (placements, 8), of each placement; 400 fills the rest."""
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


@dataclass(frozen=True)
class Dataset:
    """The positions with a full search, from one or more files."""

    arrays: dict[str, NDArray[Any]]
    """Arrays by name: one row per position, or one row per placement of all positions."""
    start: NDArray[np.int64]
    """Index of the first placement of each position, and the number of all placements."""
    origins: list[tuple[str, str]]
    """Distinct pairs of engine and settings (JSON) of the files."""
    game_count: int
    """Number of games."""

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def training(self) -> NDArray[np.int64]:
        """Indices of the training positions."""
        return np.flatnonzero(~self.arrays["is_held_out"])

    @property
    def held_out(self) -> NDArray[np.int64]:
        """Indices of the held-out positions."""
        return np.flatnonzero(self.arrays["is_held_out"])

    @staticmethod
    def read(paths: Sequence[str | os.PathLike[str]]) -> Dataset:
        """Reads self-play files. ValueError or OSError names the damaged file."""
        names = ["packed_planes", "remaining_pieces", "turn", "final_margin", "win", "ownership"]
        of_placements = ["moves", "visits", "prior"]
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in [*names, *of_placements, "is_held_out", "counts"]}
        origins: dict[tuple[str, str], None] = {}
        game_count = 0
        for path in paths:
            file = selfplay.read(path)
            settings = json.dumps(file.header["settings"], separators=(",", ":"))
            origins[file.header["engine"], settings] = None
            game_count += len(np.unique(file.game))
            counts = np.diff(file.moves_start).astype(np.int64)
            full = np.flatnonzero(counts)
            for name in names:
                parts[name].append(getattr(file, name)[full])
            for name in of_placements:
                parts[name].append(getattr(file, name))
            parts["is_held_out"].append(file.game[full] % HELD_OUT == 0)
            parts["counts"].append(counts[full])
        if not sum(map(len, parts["counts"])):
            raise ValueError("no file has a position with a full search")
        arrays = {name: np.concatenate(part) for name, part in parts.items()}
        start = np.concatenate([[0], np.cumsum(arrays.pop("counts"))])
        return Dataset(arrays, start, list(origins), game_count)

    def batch(self, rows: NDArray[np.int64], symmetry: int, device: str) -> dict[str, Any]:
        """Returns positions as tensors on a device, all transformed by one symmetry."""
        cells, placements = CELL_SYMMETRIES[symmetry][:CELLS], PLACEMENT_SYMMETRIES[symmetry]
        arrays = self.arrays
        back = np.argsort(cells)
        planes = np.unpackbits(arrays["packed_planes"][rows], axis=-1)[:, :, back].reshape(len(rows), -1, 20, 20)
        owners = arrays["ownership"][rows].reshape(len(rows), CELLS)[:, back].reshape(len(rows), 20, 20)
        extra = np.concatenate([arrays["remaining_pieces"][rows].reshape(len(rows), -1), arrays["turn"][rows][:, None] / 64], 1)
        counts = self.start[rows + 1] - self.start[rows]
        position = np.repeat(np.arange(len(rows)), counts)
        at = np.arange(counts.sum()) + np.repeat(self.start[rows] - np.cumsum(counts) + counts, counts)
        moves = placements[arrays["moves"][at]]
        visits = arrays["visits"][at].astype(np.float32)
        visits /= np.repeat(np.add.reduceat(visits, np.cumsum(counts) - counts), counts)
        prior = arrays["prior"][at]
        prior = prior - np.repeat(np.maximum.reduceat(prior, np.cumsum(counts) - counts), counts)
        offset = position * (CELLS + 1)

        def tensor(array: NDArray[Any]) -> Tensor:
            return torch.from_numpy(array).to(device)

        margin = arrays["final_margin"][rows].astype(np.float32)
        return {
            "planes": tensor(planes.astype(np.float32)).contiguous(memory_format=torch.channels_last),
            "extra": tensor(extra.astype(np.float32)),
            "owners": tensor(owners.astype(np.int64)),
            "win": tensor(arrays["win"][rows]),
            "result": tensor((0.5 + 0.5 * np.sign(margin)).astype(np.float32)),
            "margin": tensor(margin),
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


def endless_batches(rows: NDArray[np.int64], batch: int, seed: int) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Yields random batches of rows, each with a symmetry. Every epoch uses each row at most once."""
    if len(rows) < batch:
        raise ValueError(f"{len(rows)} positions are fewer than a batch of {batch}")
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(rows)
        for n in range(0, len(order) - batch + 1, batch):
            yield np.sort(order[n : n + batch]), int(rng.integers(8))


def policy_losses(logits: Tensor, visits: Tensor, position: Tensor, count: int) -> Tensor:
    """Returns the cross entropy of the visits in each position, (count,)."""
    most = torch.full((count,), -torch.inf, device=logits.device).scatter_reduce(0, position, logits.detach(), "amax")
    logits = logits - most[position]
    sums = torch.zeros(count, device=logits.device).index_add(0, position, logits.exp())
    return torch.zeros(count, device=logits.device).index_add(0, position, visits * (sums.log()[position] - logits))
