"""python -m blokus.learn GAMES... WEIGHTS: learns the convolutional network from games of self-play."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import torch

from .. import files
from . import curves, export
from .data import Games
from .network import Network
from .train import Settings, learn


LEAST_STEPS = 4
"""The learning rate has to rise and to fall."""

OTHERS = {".games", ".pt", ".svg"}
"""How names of weights do not end: games are read, the checkpoint and the curves are written beside the weights."""

LAST_SEED = 2**63 - 1


def files_of(paths: list[Path]) -> list[Path]:
    """The files of games in folders and those that are named themselves, each once. ValueError names a folder without."""
    found: dict[Path, Path] = {}
    for path in paths:
        games = sorted(path.glob("*.games")) if path.is_dir() else [path]
        if not games:
            raise ValueError(f"{path} has no files of games (.games)")
        for file in games:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def check_output(weights: Path, games: list[Path]) -> tuple[Path, Path]:
    """Where the checkpoint and the curves are written beside the weights, after it was seen that all three can be written.
    ValueError or OSError says why they cannot."""
    read = {file.resolve() for file in games}
    if weights.is_dir() or weights.suffix in OTHERS or weights.resolve() in read:
        raise ValueError(f"{weights} is no file for weights; it is named last, after the games")
    checkpoint, picture = weights.with_suffix(".pt"), weights.with_suffix(".svg")
    for file in (weights, checkpoint, files.draft_of(checkpoint), picture):
        if file.resolve() in read:
            raise ValueError(f"{file} has games to learn from and would be written over; give the weights another name")
        is_new = not file.exists()
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
    return checkpoint, picture


def device_error(device: str) -> str | None:
    """Why nothing can be computed on a device."""
    try:
        torch.zeros(1, device=device).item()
    except (AssertionError, RuntimeError) as error:
        return str(error).partition("\n")[0]
    return None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m blokus.learn", description="Learn the convolutional network from games of self-play.")
    parser.add_argument("games", nargs="+", type=Path, help="files of `trainer play`, or folders of them")
    parser.add_argument("weights", type=Path, help="the file of weights to write; beside it are the checkpoint (.pt), with which an interrupted run goes on, and the learning curves (.svg)")
    parser.add_argument("--steps", type=int, default=3000, help="how many batches to learn from (default %(default)s)")
    parser.add_argument("--batch", type=int, default=256, help="positions of a batch (default %(default)s)")
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate (default %(default)s)")
    parser.add_argument("--layers", type=int, default=5, help="layers of the network after the first (default %(default)s)")
    parser.add_argument("--start", type=Path, help="weights to begin with, as those of the last generation, of as many layers or fewer; otherwise it begins from nothing")
    parser.add_argument("--seed", type=int, default=1, help="(default %(default)s)")
    parser.add_argument("--threads", type=int, default=0, help="threads of PyTorch (default: one for each core)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="what computes (default here %(default)s)")
    options = parser.parse_args()
    if options.steps < LEAST_STEPS:
        parser.error(f"--steps {options.steps}: at least {LEAST_STEPS}")
    if options.batch < 1:
        parser.error(f"--batch {options.batch}: at least 1")
    if options.layers < 0:
        parser.error(f"--layers {options.layers}: at least 0")
    if not 0 < options.rate < math.inf:
        parser.error(f"--rate {options.rate}: a number above 0")
    if not 0 <= options.seed <= LAST_SEED:
        parser.error(f"--seed {options.seed}: from 0 to {LAST_SEED}")
    if options.threads < 0:
        parser.error(f"--threads {options.threads}: at least 0")
    if reason := device_error(options.device):
        parser.error(f"--device {options.device}: {reason}")
    if options.threads:
        torch.set_num_threads(options.threads)
    settings = Settings(options.steps, options.batch, options.rate, options.layers, options.seed, options.start)
    try:
        paths = files_of(options.games)
        checkpoint, picture = check_output(options.weights, paths)
        if options.start:
            # Found out before the games are read, which takes long.
            export.read(Network(options.layers), options.start)
        games = Games.read(paths)
        print(f"{games.count} games, {len(games.learnt)} positions, {len(games.held_out)} held out", flush=True)
        network, history = learn(games, settings, options.device, checkpoint)
        played = "; ".join(f"engine {engine}, {settings}" for engine, settings in games.origins)
        data = f"{games.count} games of self-play ({played}): {len(games.learnt)} positions, held out {json.dumps(history.held_out[-1])}"
        command = f"python -m blokus.learn --steps {settings.steps} --batch {settings.batch} --rate {settings.rate} --layers {settings.layers} --seed {settings.seed}"
        if settings.start:
            command += f" --start {settings.start.name}"
        export.write(network, options.weights, command, data, games.origins[0][0])
        curves.draw(history, picture)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
