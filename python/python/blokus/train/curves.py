"""Draws learning curves."""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib.figure import Figure

from .. import files
from .training import History


def draw(history: History, path: Path) -> None:
    """Draws training and held-out losses over the steps as SVG."""
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    policy, owners, results = figure.subplots(1, 3)
    for axes, name, title in [(policy, "policy", "policy, nats"), (owners, "owners", "owner of a cell, nats")]:
        axes.plot(history.step, [part[name] for part in history.training], label="training")
        axes.plot(history.step, [part[name] for part in history.held_out], label="held out")
        axes.set_title(title)
    for name, label in [("features", "features alone"), ("entropy", "entropy of the searches")]:
        policy.plot(history.step, [part[name] for part in history.held_out], "--", label=label)
    for name, label in [("win_result", "network"), ("search_result", "search")]:
        results.plot(history.step, [part[name] for part in history.held_out], label=label)
    results.set_title("result, held out, rms")
    for axes in (policy, owners, results):
        axes.set_xlabel("steps")
        axes.legend(fontsize="small")
    picture = io.BytesIO()
    figure.savefig(picture, format="svg")
    files.write(path, picture.getvalue())
