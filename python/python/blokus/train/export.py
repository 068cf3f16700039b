"""Reads and writes the network as a weights file in the layout of `player::model::policy_net`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from .. import _blokus
from ..layout import POLICY, layout
from .network import Network


def views(network: Network) -> Iterator[tuple[str, Tensor]]:
    """Yields the arrays of the file by name, as views into the network."""
    parameters = dict(network.named_parameters())
    for source, name, shape in layout(POLICY, len(network.layers)):
        view = parameters[name].view(shape)
        if len(shape) == 4:
            view = view.permute(2, 3, 1, 0).view(-1, shape[1], shape[0])
        yield source, view.T if len(shape) == 2 and name.endswith("weight") else view


def write(network: Network, path: str | os.PathLike[str], command: str, data: str, engine: str) -> None:
    """Writes the weights with the command, the data and the engine that produced them."""
    arrays = [(name, np.ascontiguousarray(view.detach().cpu().float().numpy())) for name, view in views(network)]
    listed = [(name, list(array.shape), array.tobytes()) for name, array in arrays]
    _blokus.write_weights(os.fspath(path), POLICY, command, data, engine, listed)


@torch.no_grad()
def read(network: Network, path: str | os.PathLike[str]) -> None:
    """Loads weights from a file. Layers missing in a smaller network start at zero, so they change nothing before training.
    The ownership head, used only in training, keeps its weights. ValueError or OSError names the fault of the file."""
    kind, listed = _blokus.read_weights(os.fspath(path))
    arrays = {name: (shape, data) for name, shape, data in listed}
    wanted = {name: list(view.shape) for name, view in views(network)}
    missing = {name for name in wanted.keys() - arrays.keys() if name.startswith(("layer", "pool"))}
    if kind != POLICY or {name: wanted[name] for name in wanted.keys() - missing} != {name: shape for name, (shape, _) in arrays.items()}:
        raise ValueError(f"{os.fspath(path)} is not a weights file of this network, or has more layers than {len(network.layers)}")
    for name, view in views(network):
        if name in missing:
            view.zero_()
            continue
        shape, data = arrays[name]
        view.copy_(torch.from_numpy(np.frombuffer(data, np.float32).reshape(shape).copy()))
