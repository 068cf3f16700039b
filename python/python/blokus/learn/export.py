"""From the network to a file of weights, in the layout that `player::model::convolution` reads."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from .. import _blokus
from .network import Network


def arrays(network: Network) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The arrays of the file by name."""
    state = {name: tensor.detach().cpu().float() for name, tensor in network.state_dict().items()}

    def convolution(name: str, of: str) -> Iterator[tuple[str, torch.Tensor]]:
        weights = state[f"{of}.weight"]
        # PyTorch has (outputs, inputs, rows, columns).
        yield f"{name}.weights", weights.permute(2, 3, 1, 0).reshape(-1, weights.shape[1], weights.shape[0])
        yield f"{name}.biases", state[f"{of}.bias"]

    def dense(name: str, of: str) -> Iterator[tuple[str, torch.Tensor]]:
        yield f"{name}.weights", state[f"{of}.weight"].T
        yield f"{name}.biases", state[f"{of}.bias"]

    def all() -> Iterator[tuple[str, torch.Tensor]]:
        yield from convolution("first", "first")
        yield "globals", state["globals.weight"].T
        for number in range(len(network.layers)):
            yield from convolution(f"layer{number}", f"layers.{number}")
        for number in range(len(network.pools)):
            yield f"pool{number}", state[f"pools.{number}.weight"].T
        yield from convolution("maps", "maps")
        yield "gates", state["gates"]
        yield "shapes", state["shapes"]
        yield from dense("pieces", "pieces")
        yield "trust", state["trust"].reshape(1)
        yield from dense("hidden", "hidden")
        yield from dense("value", "value")

    for name, tensor in all():
        yield name, np.ascontiguousarray(tensor.numpy(), np.float32)


def write(network: Network, path: str | os.PathLike[str], command: str, data: str, engine: str) -> None:
    """Writes the weights; the three texts say what made them."""
    listed = [(name, list(array.shape), array.tobytes()) for name, array in arrays(network)]
    _blokus.write_weights(os.fspath(path), "convolution", command, data, engine, listed)
