"""Trains the policy network on self-play games."""

from __future__ import annotations

import io
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from .. import files
from . import export
from .data import Games, policy_errors, endless_batches
from .measure import measure
from .network import MARGIN_UNIT, Network

SHARES = {"policy": 1.0, "win": 1.0, "score": 0.5, "owners": 0.5}
"""Weight of each loss."""

SEARCH_SHARE = 0.7
"""Share of the search value in the value target; the rest is the game result, which is noisier."""

STEPS_PER_MEASUREMENT = 500
MEASURED_POSITIONS = 2000


@dataclass(frozen=True)
class Settings:
    """Settings that determine the result for given games."""

    steps: int
    batch: int
    rate: float
    layers: int
    """Layers after the first."""
    seed: int
    start: Path | None = None
    """Initial weights."""


@dataclass
class History:
    """Losses by step: the mean of training since the previous measurement, and of the held-out games."""

    step: list[int] = field(default_factory=list)
    training: list[dict[str, float]] = field(default_factory=list)
    held_out: list[dict[str, float]] = field(default_factory=list)


def errors(network: Network, batch: dict[str, Any]) -> dict[str, Tensor]:
    """Returns the losses of a batch."""
    logits, value, owners = network(batch["planes"], batch["extra"], batch["moves"])
    win = SEARCH_SHARE * batch["win"] + (1 - SEARCH_SHARE) * batch["result"]
    return {
        "policy": policy_errors(logits, batch["visits"], batch["moves"]["position"], len(win)).mean(),
        "win": functional.binary_cross_entropy_with_logits(value[:, 0], win),
        "score": functional.smooth_l1_loss(value[:, 1], batch["score"] / MARGIN_UNIT),
        "owners": functional.cross_entropy(owners, batch["owners"]),
    }


def train(games: Games, settings: Settings, device: str, checkpoint: Path) -> tuple[Network, History]:
    """Trains a network, resuming from the checkpoint if it exists. Every measurement writes the checkpoint.

    ValueError if no position is held out, or if the checkpoint is damaged or has other settings or another number of
    positions. OSError if the checkpoint cannot be written.
    """
    if not len(games.held_out):
        raise ValueError("no position is held out, because no 20th game has a full search: add more games")
    torch.manual_seed(settings.seed)
    network = Network(settings.layers)
    if settings.start:
        export.read(network, settings.start)
    network = network.to(device).to(memory_format=torch.channels_last)
    weights = [parameter for parameter in network.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in network.parameters() if parameter.dim() <= 1]
    groups = [{"params": weights, "weight_decay": 1e-2}, {"params": others, "weight_decay": 0.0}]
    adam = torch.optim.AdamW(groups, lr=settings.rate)
    # OneCycleLR divides by the number of rising steps minus one.
    rise = max(0.1, 2 / settings.steps)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, settings.rate, total_steps=settings.steps, pct_start=rise)
    history, done = History(), 0
    what = {"settings": {**vars(settings), "start": settings.start and str(settings.start)}, "positions": len(games)}
    parts: dict[str, Any] = {"network": network, "adam": adam, "schedule": schedule}
    if checkpoint.exists():
        data = io.BytesIO(checkpoint.read_bytes())
        try:
            state = torch.load(data, weights_only=True, map_location=device)
            was = state["what"]
            if was == what:
                for name, part in parts.items():
                    part.load_state_dict(state[name])
                history, done = History(**state["history"]), state["step"]
        # PyTorch raises many types of exceptions for damaged files.
        except Exception as reason:
            raise ValueError(f"{checkpoint} is damaged or not a checkpoint; delete it to start from scratch") from reason
        if was != what:
            raise ValueError(f"{checkpoint} has other settings or positions: {was}, not {what}")
        print(f"resuming after step {done}", flush=True)
    measured = games.held_out[:: max(1, len(games.held_out) // MEASURED_POSITIONS)]
    began, first, sums = time.monotonic(), done, dict.fromkeys(SHARES, 0.0)
    for step, (rows, symmetry) in enumerate(endless_batches(games.training, settings.batch, settings.seed), 1):
        if step > settings.steps:
            break
        if step <= done:
            continue
        found = errors(network, games.batch(rows, symmetry, device))
        adam.zero_grad()
        torch.autograd.backward(torch.stack([SHARES[name] * error for name, error in found.items()]).sum())
        clip_grad_norm_(network.parameters(), 5.0)
        adam.step()
        schedule.step()
        for name, error in found.items():
            sums[name] += float(error.detach())
        if step % STEPS_PER_MEASUREMENT == 0 or step == settings.steps:
            since = step - (history.step[-1] if history.step else 0)
            history.step.append(step)
            history.training.append({name: total / since for name, total in sums.items()})
            history.held_out.append(measure(network, games, measured, settings.batch, device))
            sums = dict.fromkeys(SHARES, 0.0)
            speed = (step - first) * settings.batch / (time.monotonic() - began)
            print(f"step {step} of {settings.steps}, {speed:.0f} positions/s, held out {json.dumps(history.held_out[-1])}", flush=True)
            state = {"what": what, "step": step, "history": vars(history)}
            whole = io.BytesIO()
            torch.save(state | {name: part.state_dict() for name, part in parts.items()}, whole)
            files.write(checkpoint, whole.getvalue())
    return network, history
