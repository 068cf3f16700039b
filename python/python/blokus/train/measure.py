"""Measures a network on held-out games."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from .data import Dataset, policy_losses
from .network import MARGIN_UNIT, Network


@torch.no_grad()
def measure(network: Network, dataset: Dataset, rows: NDArray[np.int64], batch: int, device: str) -> dict[str, float]:
    """Returns mean errors on positions. Cross entropies: `policy`, `features` (built-in prior), `entropy` (of the targets)
    and `owners` (per cell). Shares of positions whose likeliest move has the most visits: `top`, `features_top`. Root mean
    squares: `win_result`, `search_result`, `win_search` (expected and final results) and `margin` (points)."""
    network.eval()
    sums: dict[str, float] = {}
    for start in range(0, len(rows), batch):
        part = dataset.batch(rows[start : start + batch], 0, device)
        logits, value, owners = network(part["planes"], part["extra"], part["moves"])
        position, visits, prior = part["moves"]["position"], part["visits"], part["moves"]["prior"]
        count = len(part["win"])
        win, most = torch.sigmoid(value[:, 0]), _best(visits, position)
        part_sums = {
            "policy": policy_losses(logits, visits, position, count).sum(),
            "features": policy_losses(prior, visits, position, count).sum(),
            "entropy": -(visits * visits.clamp(1e-9).log()).sum(),
            "top": (_best(logits, position) == most).sum(),
            "features_top": (_best(prior, position) == most).sum(),
            "win_result": ((win - part["result"]) ** 2).sum(),
            "search_result": ((part["win"] - part["result"]) ** 2).sum(),
            "win_search": ((win - part["win"]) ** 2).sum(),
            "margin": ((MARGIN_UNIT * value[:, 1] - part["margin"]) ** 2).sum(),
            "owners": functional.cross_entropy(owners, part["owners"], reduction="sum") / owners[0, 0].numel(),
        }
        for name, number in part_sums.items():
            sums[name] = sums.get(name, 0.0) + float(number)
    network.train()
    means = {name: total / len(rows) for name, total in sums.items()}
    for name in ["win_result", "search_result", "win_search", "margin"]:
        means[name] = math.sqrt(means[name])
    return {name: round(mean, 4) for name, mean in means.items()}


def _best(scores: Tensor, position: Tensor) -> Tensor:
    """Returns the index of the best-scored move of each position."""
    order = np.lexsort((scores.cpu().numpy(), position.cpu().numpy()))
    return torch.from_numpy(order[np.cumsum(np.bincount(position.cpu().numpy())) - 1])
