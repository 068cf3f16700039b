"""From files of self-play to weights."""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from . import export
from .data import Games, batches, policy_error
from .network import Network


def losses(network: Network, batch: dict) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    logits, value, owners = network(batch["planes"], batch["extra"], batch["moves"])
    count = len(batch["planes"])
    policy, log = policy_error(logits, batch["visits"], batch["moves"]["position"], count)
    target = 0.7 * batch["win"] + 0.3 * batch["result"]
    parts = {
        "policy": policy.mean(),
        "win": functional.binary_cross_entropy_with_logits(value[:, 0], target),
        "score": functional.smooth_l1_loss(value[:, 1], batch["score"] / 20),
        "owners": functional.cross_entropy(owners, batch["owners"]),
    }
    return parts, log


SHARES = {"policy": 1.0, "win": 1.0, "score": 0.5, "owners": 0.5}


@torch.no_grad()
def test(network: Network, games: Games, rows: np.ndarray, size: int) -> dict[str, float]:
    network.eval()
    sums: dict[str, float] = {}
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        batch = games.batch(part, 0)
        logits, value, owners = network(batch["planes"], batch["extra"], batch["moves"])
        position, visits = batch["moves"]["position"], batch["visits"]
        policy, _ = policy_error(logits, visits, position, len(part))
        prior, _ = policy_error(batch["moves"]["prior"], visits, position, len(part))
        best = lambda of: np.lexsort((of.numpy(), position.numpy()))[np.cumsum(np.bincount(position.numpy())) - 1]
        win = torch.sigmoid(value[:, 0])
        found = {
            "policy": policy.sum(),
            "features": prior.sum(),
            "entropy": -(visits * visits.clamp(1e-9).log()).sum(),
            "top": float((best(logits) == best(visits)).sum()),
            "features_top": float((best(batch["moves"]["prior"]) == best(visits)).sum()),
            "win_result": ((win - batch["result"]) ** 2).sum(),
            "search_result": ((batch["win"] - batch["result"]) ** 2).sum(),
            "win_search": ((win - batch["win"]) ** 2).sum(),
            "margin": ((20 * value[:, 1] - batch["score"]) ** 2).sum(),
            "owners": functional.cross_entropy(owners, batch["owners"], reduction="sum") / 400,
        }
        for name, number in found.items():
            sums[name] = sums.get(name, 0.0) + float(number)
    network.train()
    means = {name: total / len(rows) for name, total in sums.items()}
    for name in ["win_result", "search_result", "win_search", "margin"]:
        means[name] = math.sqrt(means[name])
    return means


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m blokus.learn", description=__doc__)
    parser.add_argument("games", nargs="+", type=Path, help="files of `trainer play`, or folders of them")
    parser.add_argument("weights", type=Path, help="the file of weights to write")
    parser.add_argument("--steps", type=int, default=4000, help="how many batches to learn from (default %(default)s)")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", type=Path)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    paths = [file for path in options.games for file in (sorted(path.glob("*.games")) if path.is_dir() else [path])]
    began = time.time()
    games = Games.read(paths)
    rng = np.random.default_rng(options.seed)
    network = Network().to(memory_format=torch.channels_last)
    if options.resume:
        network.load_state_dict(torch.load(options.resume))
    print(f"{games.games} games, {len(games.train)} positions, {len(games.test)} held out, read in {time.time() - began:.0f} s", flush=True)
    decayed = [p for p in network.parameters() if p.dim() > 1]
    others = [p for p in network.parameters() if p.dim() <= 1]
    adam = torch.optim.AdamW([{"params": decayed, "weight_decay": 1e-2}, {"params": others, "weight_decay": 0.0}], lr=options.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, options.rate, total_steps=options.steps, pct_start=0.1)
    test_rows = games.test[:: max(1, len(games.test) // 2000)]
    began, means = time.time(), {}
    for step, (rows, symmetry) in enumerate(batches(games.train, options.batch, rng), 1):
        parts, _ = losses(network, games.batch(rows, symmetry))
        adam.zero_grad()
        sum(SHARES[name] * part for name, part in parts.items()).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        adam.step()
        schedule.step()
        for name, part in parts.items():
            means[name] = 0.98 * means.get(name, float(part.detach())) + 0.02 * float(part.detach())
        if step % 100 == 0:
            rate = step * options.batch / (time.time() - began)
            print(step, f"{rate:.0f}/s", {name: round(mean, 4) for name, mean in means.items()}, flush=True)
        if step % 500 == 0 or step == options.steps:
            found = test(network, games, test_rows, options.batch)
            print("held out", json.dumps({name: round(number, 4) for name, number in found.items()}), flush=True)
            torch.save(network.state_dict(), options.weights.with_suffix(".pt"))
        if step == options.steps:
            break
    settings = json.dumps(games.headers[0]["settings"], separators=(",", ":"))
    data = f"{games.games} games of self-play (engine {games.headers[0]['engine']}, {settings}): {len(games.train)} positions, held out {json.dumps(found)}"
    export.write(network, options.weights, "python -m blokus.learn", data, games.headers[0]["engine"])
