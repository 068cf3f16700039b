"""The arrays of a weights file, with the names and the shapes of PyTorch's parameters."""

from __future__ import annotations

__all__ = ["POLICY", "VALUE", "layout"]

VALUE, POLICY = "evaluation", "convolution"
"""Kinds of weights files."""


def layout(kind: str, layers: int) -> list[tuple[str, str, tuple[int, ...]]]:
    """Returns the arrays of a weights file in their order, with the name and the shape of the parameter. Files keep matrices
    as (inputs, outputs) and convolutions as (rows and columns, inputs, outputs)."""

    def layer(source: str, name: str, *shape: int) -> list[tuple[str, str, tuple[int, ...]]]:
        return [(f"{source}.weights", f"{name}.weight", shape), (f"{source}.biases", f"{name}.bias", shape[:1])]

    if kind == VALUE:
        return [
            ("hidden.weights", "hidden.weight", (64, 73)),
            ("hidden_biases", "hidden.bias", (64,)),
            ("output_weights", "output.weight", (1, 64)),
            ("output_bias", "output.bias", (1,)),
        ]
    convolutions = [row for n in range(layers) for row in layer(f"layer{n}", f"layers.{n}", 32, 32, 3, 3)]
    return [
        *layer("first", "first", 32, 20, 3, 3),
        ("globals", "globals.weight", (32, 85)),
        *convolutions,
        *((f"pool{n}", f"pools.{n}.weight", (32, 32)) for n in range((layers - 1) // 2)),
        *layer("maps", "maps", 22, 32, 1, 1),
        ("gates", "gates", (21, 10)),
        ("shapes", "shapes", (91, 12)),
        *layer("pieces", "pieces", 21, 32),
        ("trust", "trust", (1,)),
        *layer("hidden", "hidden", 32, 32),
        *layer("value", "value", 2, 32),
    ]
