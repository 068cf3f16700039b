"""Reads and writes the network as a weights file in the layout of `player::model::policy_net`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from .. import _blokus
from .network import Network

KIND = "convolution"


def views(network: Network) -> Iterator[tuple[str, Tensor]]:
    """Yields the arrays of the file by name, as views into the network."""

    def convolution(name: str, layer: nn.Conv2d) -> Iterator[tuple[str, Tensor]]:
        # PyTorch has (outputs, inputs, rows, columns).
        yield f"{name}.weights", layer.weight.permute(2, 3, 1, 0).view(-1, layer.in_channels, layer.out_channels)
        if layer.bias is not None:
            yield f"{name}.biases", layer.bias

    def dense(name: str, layer: nn.Linear) -> Iterator[tuple[str, Tensor]]:
        yield f"{name}.weights", layer.weight.T
        yield f"{name}.biases", layer.bias

    yield from convolution("first", network.first)
    yield "globals", network.globals.weight.T
    for number, layer in enumerate(network.layers):
        assert isinstance(layer, nn.Conv2d)
        yield from convolution(f"layer{number}", layer)
    for number, pool in enumerate(network.pools):
        assert isinstance(pool, nn.Linear)
        yield f"pool{number}", pool.weight.T
    yield from convolution("maps", network.maps)
    yield "gates", network.gates
    yield "shapes", network.shapes
    yield from dense("pieces", network.pieces)
    yield "trust", network.trust.view(1)
    yield from dense("hidden", network.hidden)
    yield from dense("value", network.value)


def write(network: Network, path: str | os.PathLike[str], command: str, data: str, engine: str) -> None:
    """Writes the weights with the command, the data and the engine that produced them."""
    arrays = [(name, np.ascontiguousarray(view.detach().cpu().float().numpy())) for name, view in views(network)]
    listed = [(name, list(array.shape), array.tobytes()) for name, array in arrays]
    _blokus.write_weights(os.fspath(path), KIND, command, data, engine, listed)


@torch.no_grad()
def read(network: Network, path: str | os.PathLike[str]) -> None:
    """Loads weights from a file. Layers missing in a smaller network start at zero, so they change nothing before training.
    The ownership head, used only in training, keeps its weights. ValueError or OSError names the fault of the file."""
    kind, listed = _blokus.read_weights(os.fspath(path))
    arrays = {name: (shape, data) for name, shape, data in listed}
    wanted = {name: list(view.shape) for name, view in views(network)}
    missing = {name for name in wanted.keys() - arrays.keys() if name.startswith(("layer", "pool"))}
    if kind != KIND or {name: wanted[name] for name in wanted.keys() - missing} != {name: shape for name, (shape, _) in arrays.items()}:
        raise ValueError(f"{os.fspath(path)} is not a weights file of this network, or has more layers than {len(network.layers)}")
    for name, view in views(network):
        if name in missing:
            view.zero_()
            continue
        shape, data = arrays[name]
        view.copy_(torch.from_numpy(np.frombuffer(data, np.float32).reshape(shape).copy()))
