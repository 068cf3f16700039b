"""Learns the convolutional network from games of self-play."""

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
from .data import Games, policy_errors, rows_for_ever
from .measure import measure
from .network import MARGIN_UNIT, Network

SHARES = {"policy": 1.0, "win": 1.0, "score": 0.5, "owners": 0.5}
"""What each error counts."""

SEARCH_SHARE = 0.7
"""The part of the result to learn that comes from what the search expected: it has less noise than the end of one game."""

STEPS_PER_MEASUREMENT = 500
MEASURED_POSITIONS = 2000


@dataclass(frozen=True)
class Settings:
    """What the result depends on besides the games."""

    steps: int
    batch: int
    rate: float
    layers: int
    """How many layers the network has after the first."""
    seed: int
    start: Path | None = None
    """Weights to begin with."""


@dataclass
class History:
    """The errors while learning: mean ones of the batches since the last measurement, and those of the games held out."""

    step: list[int] = field(default_factory=list)
    learnt: list[dict[str, float]] = field(default_factory=list)
    held_out: list[dict[str, float]] = field(default_factory=list)


def errors(network: Network, batch: dict[str, Any]) -> dict[str, Tensor]:
    """What a network gets wrong in a batch."""
    logits, value, owners = network(batch["planes"], batch["extra"], batch["moves"])
    win = SEARCH_SHARE * batch["win"] + (1 - SEARCH_SHARE) * batch["result"]
    return {
        "policy": policy_errors(logits, batch["visits"], batch["moves"]["position"], len(win)).mean(),
        "win": functional.binary_cross_entropy_with_logits(value[:, 0], win),
        "score": functional.smooth_l1_loss(value[:, 1], batch["score"] / MARGIN_UNIT),
        "owners": functional.cross_entropy(owners, batch["owners"]),
    }


def learn(games: Games, settings: Settings, device: str, checkpoint: Path) -> tuple[Network, History]:
    """Learns for some steps, going on where the checkpoint ends if there is one; it is written with every measurement.

    ValueError if no position is held out, or if the checkpoint is damaged, or of other settings or another number of
    positions; OSError if it cannot be written.
    """
    if not len(games.held_out):
        raise ValueError("no position is held out: none of every 20th game has a full search")
    torch.manual_seed(settings.seed)
    network = Network(settings.layers)
    if settings.start:
        export.read(network, settings.start)
    network = network.to(device).to(memory_format=torch.channels_last)
    weights = [parameter for parameter in network.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in network.parameters() if parameter.dim() <= 1]
    groups = [{"params": weights, "weight_decay": 1e-2}, {"params": others, "weight_decay": 0.0}]
    adam = torch.optim.AdamW(groups, lr=settings.rate)
    # The rate rises for at least two steps, because the schedule divides by one less.
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
        # PyTorch raises all sorts of things over files that are damaged or not its own.
        except Exception as reason:
            raise ValueError(f"{checkpoint} is damaged or no checkpoint; without it learning begins anew") from reason
        if was != what:
            raise ValueError(f"{checkpoint} is of {was}, not of {what}")
        print(f"going on after step {done}", flush=True)
    measured = games.held_out[:: max(1, len(games.held_out) // MEASURED_POSITIONS)]
    began, first, sums = time.monotonic(), done, dict.fromkeys(SHARES, 0.0)
    for step, (rows, symmetry) in enumerate(rows_for_ever(games.learnt, settings.batch, settings.seed), 1):
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
            history.learnt.append({name: total / since for name, total in sums.items()})
            history.held_out.append(measure(network, games, measured, settings.batch, device))
            sums = dict.fromkeys(SHARES, 0.0)
            speed = (step - first) * settings.batch / (time.monotonic() - began)
            print(f"step {step} of {settings.steps}, {speed:.0f} positions/s, held out {json.dumps(history.held_out[-1])}", flush=True)
            state = {"what": what, "step": step, "history": vars(history)}
            whole = io.BytesIO()
            torch.save(state | {name: part.state_dict() for name, part in parts.items()}, whole)
            files.write(checkpoint, whole.getvalue())
    return network, history
