"""Trains the policy network on self-play games."""

from __future__ import annotations

import io
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from .. import files
from . import export
from .data import Dataset, endless_batches, policy_losses
from .measure import measure
from .network import MARGIN_UNIT, Network

LOSS_WEIGHTS = {"policy": 1.0, "win": 1.0, "margin": 0.5, "owners": 0.5}
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
    learning_rate: float
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


def losses(network: Network, batch: dict[str, Any]) -> dict[str, Tensor]:
    """Returns the losses of a batch."""
    logits, value, owners = network(batch["planes"], batch["extra"], batch["moves"])
    win = SEARCH_SHARE * batch["win"] + (1 - SEARCH_SHARE) * batch["result"]
    return {
        "policy": policy_losses(logits, batch["visits"], batch["moves"]["position"], len(win)).mean(),
        "win": functional.binary_cross_entropy_with_logits(value[:, 0], win),
        "margin": functional.smooth_l1_loss(value[:, 1], batch["margin"] / MARGIN_UNIT),
        "owners": functional.cross_entropy(owners, batch["owners"]),
    }


def train(dataset: Dataset, settings: Settings, device: str, checkpoint: Path) -> tuple[Network, History]:
    """Trains a network, resuming from the checkpoint if it exists. Every measurement writes the checkpoint.

    ValueError if no position is held out, or if the checkpoint is damaged or has other settings or another number of
    positions. OSError if the checkpoint cannot be written.
    """
    if not len(dataset.held_out):
        raise ValueError("no position is held out, because no 20th game has a full search: add more games")
    torch.manual_seed(settings.seed)
    network = Network(settings.layers)
    if settings.start:
        export.read(network, settings.start)
    network = network.to(device).to(memory_format=torch.channels_last)
    optimizer, schedule = _make_optimizer(network, settings)
    config = {"settings": {**vars(settings), "start": settings.start and str(settings.start)}, "positions": len(dataset)}
    modules: dict[str, Any] = {"network": network, "optimizer": optimizer, "schedule": schedule}
    history, done = History(), 0
    if checkpoint.exists():
        history, done = _resume(checkpoint, config, modules, device)
        print(f"resuming after step {done}", flush=True)
    measured = dataset.held_out[:: max(1, len(dataset.held_out) // MEASURED_POSITIONS)]
    start_time, first_step, loss_sums = time.monotonic(), done, dict.fromkeys(LOSS_WEIGHTS, 0.0)
    for step, (rows, symmetry) in enumerate(endless_batches(dataset.training, settings.batch, settings.seed), 1):
        if step > settings.steps:
            break
        if step <= done:
            continue
        losses_now = losses(network, dataset.batch(rows, symmetry, device))
        optimizer.zero_grad()
        torch.autograd.backward(torch.stack([LOSS_WEIGHTS[name] * loss for name, loss in losses_now.items()]).sum())
        clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        for name, loss in losses_now.items():
            loss_sums[name] += float(loss.detach())
        if step % STEPS_PER_MEASUREMENT == 0 or step == settings.steps:
            step_count = step - (history.step[-1] if history.step else 0)
            history.step.append(step)
            history.training.append({name: total / step_count for name, total in loss_sums.items()})
            history.held_out.append(measure(network, dataset, measured, settings.batch, device))
            loss_sums = dict.fromkeys(LOSS_WEIGHTS, 0.0)
            speed = (step - first_step) * settings.batch / (time.monotonic() - start_time)
            print(f"step {step} of {settings.steps}, {speed:.0f} positions/s, held out {json.dumps(history.held_out[-1])}", flush=True)
            _save(checkpoint, config, step, history, modules)
    return network, history


def _make_optimizer(network: Network, settings: Settings) -> tuple[torch.optim.AdamW, torch.optim.lr_scheduler.OneCycleLR]:
    """Returns the optimizer of a network, without weight decay of biases, and its learning rate schedule."""
    decayed = [parameter for parameter in network.parameters() if parameter.dim() > 1]
    undecayed = [parameter for parameter in network.parameters() if parameter.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": 1e-2}, {"params": undecayed, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=settings.learning_rate)
    # OneCycleLR divides by the number of rising steps minus one.
    rise = max(0.1, 2 / settings.steps)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.learning_rate, total_steps=settings.steps, pct_start=rise
    )
    return optimizer, schedule


def _resume(checkpoint: Path, config: dict[str, Any], modules: dict[str, Any], device: str) -> tuple[History, int]:
    """Loads the modules from a checkpoint. Returns its history and its last step. ValueError if it is damaged or has
    another configuration."""
    data = io.BytesIO(checkpoint.read_bytes())
    history, step = History(), 0
    try:
        state = torch.load(data, weights_only=True, map_location=device)
        saved_config = state["config"]
        if saved_config == config:
            for name, module in modules.items():
                module.load_state_dict(state[name])
            history, step = History(**state["history"]), state["step"]
    # PyTorch raises many types of exceptions for damaged files.
    except Exception as reason:
        raise ValueError(f"{checkpoint} is damaged or not a checkpoint; delete it to start from scratch") from reason
    if saved_config != config:
        raise ValueError(f"{checkpoint} has other settings or positions: {saved_config}, not {config}")
    return history, step


def _save(checkpoint: Path, config: dict[str, Any], step: int, history: History, modules: dict[str, Any]) -> None:
    """Writes a checkpoint. OSError if it cannot be written."""
    state = {"config": config, "step": step, "history": vars(history)}
    buffer = io.BytesIO()
    torch.save(state | {name: module.state_dict() for name, module in modules.items()}, buffer)
    files.write(checkpoint, buffer.getvalue())
