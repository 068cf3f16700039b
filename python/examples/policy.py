"""Trains a linear policy on self-play games and plays with it.

    cargo run --release -p trainer -- play games --games 100
    python python/examples/policy.py games/*.games
    cargo run --release -p arena -- match "exec:python -m blokus play python/examples/policy.py --time {ms}" random --games 20
"""

import sys
from pathlib import Path

import numpy as np

from blokus import Move
from blokus.features import ACTIONS, legal_mask, move, planes
from blokus.selfplay import PLACEMENT_CELLS, SHAPE_PIECES, read

WEIGHTS = Path(__file__).with_suffix(".npy")
PIECES = np.eye(21)[SHAPE_PIECES]


def features(planes, moves):
    """(moves, 41): each plane summed over the cells of the placement, and the piece."""
    # Cell 400 pads the placements of fewer than five cells.
    cells = np.pad(planes.reshape(20, 400), ((0, 0), (0, 1)))[:, PLACEMENT_CELLS[moves]]
    return np.concatenate([cells.sum(2).T, PIECES[moves // 512]], axis=1)


def train(paths, rate=0.02):
    """Fits the policy to the visits of the searches by gradient descent."""
    weights = np.zeros(41)
    for path in paths:
        positions = read(path)
        for i in np.flatnonzero(np.diff(positions.moves_start)):
            part = slice(*positions.moves_start[i : i + 2])
            x = features(positions.planes(slice(i, i + 1))[0], positions.moves[part])
            policy = np.exp(x @ weights - np.max(x @ weights))
            target = positions.visits[part] / positions.visits[part].sum()
            weights += rate * (target - policy / policy.sum()) @ x
    return weights


def choose(position, time):
    """The placement with the largest logit."""
    moves = legal_mask(position)[: ACTIONS - 1].nonzero()[0]
    if len(moves) == 0:
        return Move("PASS")
    return move(moves[np.argmax(features(planes(position), moves) @ np.load(WEIGHTS))])


if __name__ == "__main__":
    np.save(WEIGHTS, train(sys.argv[1:]))
    print(f"{WEIGHTS}: {np.load(WEIGHTS).round(2)}")
