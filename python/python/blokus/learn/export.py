"""The network as a file of weights, in the layout that `player::model::policy_net` reads."""

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
    """The arrays of the file by name, as views: what is written into them is in the network."""

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
    """Writes the weights; the three texts say what made them."""
    arrays = [(name, np.ascontiguousarray(view.detach().cpu().float().numpy())) for name, view in views(network)]
    listed = [(name, list(array.shape), array.tobytes()) for name, array in arrays]
    _blokus.write_weights(os.fspath(path), KIND, command, data, engine, listed)


@torch.no_grad()
def read(network: Network, path: str | os.PathLike[str]) -> None:
    """Puts the weights of a file into the network. Layers that the file has not got, because its network has fewer of them,
    change nothing until they learn to. The owners of cells, which only learning needs, stay as they are. ValueError or
    OSError says what is wrong with the file."""
    kind, listed = _blokus.read_weights(os.fspath(path))
    arrays = {name: (shape, data) for name, shape, data in listed}
    wanted = {name: list(view.shape) for name, view in views(network)}
    missing = {name for name in wanted.keys() - arrays.keys() if name.startswith(("layer", "pool"))}
    if kind != KIND or {name: wanted[name] for name in wanted.keys() - missing} != {name: shape for name, (shape, _) in arrays.items()}:
        raise ValueError(f"{os.fspath(path)} does not hold the weights of such a network, or of more layers than {len(network.layers)}")
    for name, view in views(network):
        if name in missing:
            view.zero_()
            continue
        shape, data = arrays[name]
        view.copy_(torch.from_numpy(np.frombuffer(data, np.float32).reshape(shape).copy()))
