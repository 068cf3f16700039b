"""python -m blokus.train GAMES... WEIGHTS: trains the policy network on self-play games."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import torch

from .. import files
from . import curves, export
from .data import Dataset
from .network import Network
from .training import Settings, train


MIN_STEPS = 4
"""Fewer steps leave no room for the learning rate to rise and fall."""

RESERVED_SUFFIXES = {".games", ".pt", ".svg"}
"""Suffixes that a weights file must not have: games, checkpoints and learning curves."""

MAX_SEED = 2**63 - 1


def find_game_files(paths: list[Path]) -> list[Path]:
    """Returns the named files and the game files of the named folders, each once. ValueError names an empty folder."""
    found: dict[Path, Path] = {}
    for path in paths:
        games = sorted(path.glob("*.games")) if path.is_dir() else [path]
        if not games:
            raise ValueError(f"{path} has no game files (.games)")
        for file in games:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def check_output(weights: Path, games: list[Path]) -> tuple[Path, Path]:
    """Returns the paths of the checkpoint and of the learning curves, after checking that all outputs can be written.
    ValueError or OSError names the file that cannot."""
    read = {file.resolve() for file in games}
    if weights.is_dir() or weights.suffix in RESERVED_SUFFIXES or weights.resolve() in read:
        raise ValueError(f"{weights} is not a weights file; name the weights last, after the games")
    checkpoint, picture = weights.with_suffix(".pt"), weights.with_suffix(".svg")
    for file in (weights, checkpoint, files.draft_of(checkpoint), picture):
        if file.resolve() in read:
            raise ValueError(f"{file} holds training games and would be overwritten; give the weights another name")
        is_new = not file.exists()
        with file.open("ab"):
            pass
        if is_new:
            file.unlink()
    return checkpoint, picture


def device_error(device: str) -> str | None:
    """Returns the reason why PyTorch cannot use a device, or None."""
    try:
        torch.zeros(1, device=device).item()
    except (AssertionError, RuntimeError) as error:
        return str(error).partition("\n")[0]
    return None


def parse_options() -> argparse.Namespace:
    """Parses and checks the command line. Exits with an error that names the wrong option."""
    parser = argparse.ArgumentParser(prog="python -m blokus.train", description="Train the policy network on self-play games.")
    parser.add_argument("games", nargs="+", type=Path, help="game files of `trainer play`, or folders of them")
    parser.add_argument("weights", type=Path, help="weights file to write; the checkpoint (.pt) and the learning curves (.svg) go next to it")
    parser.add_argument("--steps", type=int, default=3000, help="number of batches (default %(default)s)")
    parser.add_argument("--batch", type=int, default=256, help="positions per batch (default %(default)s)")
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate (default %(default)s)")
    parser.add_argument("--layers", type=int, default=5, help="hidden layers of the network (default %(default)s)")
    parser.add_argument("--start", type=Path, help="initial weights, with at most `--layers` layers (default: random)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default %(default)s)")
    parser.add_argument("--threads", type=int, default=0, help="threads of PyTorch (default: one for each core)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="PyTorch device (default %(default)s)")
    options = parser.parse_args()
    if options.steps < MIN_STEPS:
        parser.error(f"--steps {options.steps}: must be at least {MIN_STEPS}")
    if options.batch < 1:
        parser.error(f"--batch {options.batch}: must be at least 1")
    if options.layers < 0:
        parser.error(f"--layers {options.layers}: must be at least 0")
    if not 0 < options.rate < math.inf:
        parser.error(f"--rate {options.rate}: must be a number above 0")
    if not 0 <= options.seed <= MAX_SEED:
        parser.error(f"--seed {options.seed}: must be from 0 to {MAX_SEED}")
    if options.threads < 0:
        parser.error(f"--threads {options.threads}: must be at least 0")
    if reason := device_error(options.device):
        parser.error(f"--device {options.device}: {reason}")
    return options


def main() -> None:
    options = parse_options()
    if options.threads:
        torch.set_num_threads(options.threads)
    settings = Settings(options.steps, options.batch, options.rate, options.layers, options.seed, options.start)
    try:
        paths = find_game_files(options.games)
        checkpoint, picture = check_output(options.weights, paths)
        if options.start:
            # Fail before reading the games, which takes long.
            export.read(Network(options.layers), options.start)
        dataset = Dataset.read(paths)
        positions = f"{len(dataset.training)} positions"
        print(f"{dataset.game_count} games, {positions}, {len(dataset.held_out)} held out", flush=True)
        network, history = train(dataset, settings, options.device, checkpoint)
        played = "; ".join(f"engine {engine}, {engine_settings}" for engine, engine_settings in dataset.origins)
        data = f"{dataset.game_count} self-play games ({played}): {positions}, held out {json.dumps(history.held_out[-1])}"
        command = f"python -m blokus.train --steps {settings.steps} --batch {settings.batch} --rate {settings.learning_rate} --layers {settings.layers} --seed {settings.seed}"
        if settings.start:
            command += f" --start {settings.start.name}"
        export.write(network, options.weights, command, data, dataset.origins[0][0])
        curves.draw(history, picture)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
