"""The policy network in PyTorch. `player::model::policy_net` in Rust computes the same with integers; `CEILING` bounds
activations to their range."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

PLANES = 20
GLOBALS = 4 * 21 + 1
CHANNELS = 32
COVERED, BESIDE, CORNER = 4, 2, 4
"""Number of maps summed over the covered cells, the side cells and the corner cells of a placement."""
MAPS = COVERED + BESIDE + CORNER
ROOT = 12
"""Number of maps read at the first cell of a placement and weighted per shape."""
PIECES, SHAPES = 21, 91
HIDDEN = 32
MARGIN_UNIT = 20.0
"""Points per unit of the margin output."""
CEILING = 15.9
CELLS = 400


class Network(nn.Module):
    def __init__(self, layers: int) -> None:
        """Creates a network with `layers` layers after the first."""
        super().__init__()
        self.first = nn.Conv2d(PLANES, CHANNELS, 3, padding=1)
        self.globals = nn.Linear(GLOBALS, CHANNELS, bias=False)
        convolutions = [nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(layers)]
        self.layers = nn.ModuleList(convolutions)
        # Layers 2, 4, … (from 0) also get the mean over the board.
        pools = [nn.Linear(CHANNELS, CHANNELS, bias=False) for _ in range(2, layers, 2)]
        self.pools = nn.ModuleList(pools)
        self.maps = nn.Conv2d(CHANNELS, MAPS + ROOT, 1)
        self.gates = nn.Parameter(torch.ones(PIECES, MAPS) + 0.1 * torch.randn(PIECES, MAPS))
        self.shapes = nn.Parameter(0.1 * torch.randn(SHAPES, ROOT))
        self.pieces = nn.Linear(CHANNELS, PIECES)
        self.trust = nn.Parameter(torch.tensor(1.0))
        self.hidden = nn.Linear(CHANNELS, HIDDEN)
        self.value = nn.Linear(HIDDEN, 2)
        self.owners = nn.Conv2d(CHANNELS, 5, 1)
        for layer in convolutions:
            # Residual layers start small.
            nn.init.normal_(layer.weight, std=0.5 * (2 / (9 * CHANNELS)) ** 0.5)
        for small in (self.maps, self.pieces):
            nn.init.normal_(small.weight, std=0.02)
            assert small.bias is not None
            nn.init.zeros_(small.bias)
        for pool in pools:
            nn.init.zeros_(pool.weight)

    def trunk(self, planes: Tensor, extra: Tensor) -> Tensor:
        """Returns the activations of every cell, (B, CHANNELS, 20, 20)."""
        cells = self.first(planes) + self.globals(extra)[:, :, None, None]
        cells = functional.hardtanh(cells, 0, CEILING)
        for number, layer in enumerate(self.layers):
            more = layer(cells)
            if number > 0 and number % 2 == 0:
                more = more + self.pools[number // 2 - 1](cells.mean((2, 3)))[:, :, None, None]
            cells = functional.hardtanh(cells + more, 0, CEILING)
        return cells

    def scores(self, cells: Tensor, pooled: Tensor, moves: dict[str, Tensor]) -> Tensor:
        """Returns the correction to the log prior of each placement of all positions, (M,)."""
        batch = cells.shape[0]
        maps = self.maps(cells).float().permute(0, 2, 3, 1).reshape(batch, CELLS, MAPS + ROOT)
        # One extra cell stands for all off-board cells.
        maps = functional.pad(maps, (0, 0, 0, 1)).reshape(batch * (CELLS + 1), MAPS + ROOT)
        of_kind = maps.split_with_sizes([COVERED, BESIDE, CORNER, ROOT], 1)
        # `embedding_bag` sorts all indices in the backward pass, which is slower.
        sums = [
            table.index_select(0, moves[kind].flatten()).reshape(*moves[kind].shape, -1).sum(1)
            for kind, table in zip(("covered", "beside", "corner"), of_kind)
        ]
        gated = (torch.cat(sums, 1) * self.gates.index_select(0, moves["piece"])).sum(1)
        rooted = (of_kind[3].index_select(0, moves["root"]) * self.shapes.index_select(0, moves["shape"])).sum(1)
        pieces: Tensor = self.pieces(pooled)
        return gated + rooted + pieces.flatten().index_select(0, moves["position"] * PIECES + moves["piece"])

    def forward(self, planes: Tensor, extra: Tensor, moves: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the logits of all placements, (M,), the log-odds of winning and the margin in `MARGIN_UNIT`, (B, 2), and the
        logits of the owner of each cell, (B, 5, 20, 20)."""
        # Few processors compute with bfloat16; the others emulate it, eleven times slower than 32 bits.
        with torch.autocast(planes.device.type, dtype=torch.bfloat16, enabled=planes.device.type != "cpu"):
            cells = self.trunk(planes, extra)
            owners = self.owners(cells)
            pooled = cells.mean((2, 3)).float()
            maps_of = cells
        with torch.autocast(planes.device.type, enabled=False):
            value = self.value(functional.relu(self.hidden(pooled)))
            added = self.scores(maps_of.float(), pooled, moves)
        return self.trust * moves["prior"] + added, value, owners.float()
