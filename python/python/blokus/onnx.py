"""The engine's networks as ONNX files, for training elsewhere. Needs ONNX: `pip install "./python[onnx]"`.

    python -m blokus.onnx policy_net.weights policy_net.onnx
    python -m blokus.onnx trained.onnx trained.weights

The parameters have the names and the layout of PyTorch. The inputs and outputs, for N positions:

* value network: `features` (N, 73) of `blokus.features.value_inputs`; `win` (N, 1), the win probability of the team to move
* policy network: `planes` (N, 20, 20, 20), `globals` (N, 85), the flat remaining pieces and turn / 64, and `prior`
  (N, 91, 20, 20); `logits` (N, 91, 20, 20) and `value` (N, 2), the log-odds of winning and the expected margin / 20

The entry of a placement in `prior` and `logits` is at [shape, y, x] of its first cell, counted row by row. For action `n`
it is `logits[:, n // 512, y, x]` with `y, x = divmod(PLACEMENT_CELLS[n, 0], 20)`. Other entries are undefined. `prior` is
the logarithm of `prior` in `blokus.selfplay.Positions`, up to a constant.

Export from PyTorch with `torch.onnx.export(..., optimize=False)`; with `dynamo=False` add `do_constant_folding=False`.
Otherwise the exporter folds parameters into constants.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from onnx import ModelProto, NodeProto, TensorProto, checker, helper, load, numpy_helper, save
    from onnx.reference import ReferenceEvaluator
except ImportError as error:
    raise ImportError('blokus.onnx needs the package onnx: pip install "software-challenge-blokus[onnx]"') from error

import numpy as np
from numpy.typing import NDArray

from . import _blokus
from ._blokus import Position
from .files import replaced
from .layout import POLICY, VALUE, layout
from .selfplay import PLACEMENT_CELLS, SHAPE_PIECES

__all__ = ["from_onnx", "to_onnx"]

Arrays = dict[str, NDArray[np.float32]]
_Path = str | os.PathLike[str]


def to_onnx(weights: _Path, path: _Path) -> None:
    """Writes the network of a weights file as an ONNX file. Raises ValueError or OSError if the file is unusable."""
    _blokus.policy_output(Position.start("PENTO_W"), weights)
    kind, listed = _blokus.read_weights(os.fspath(weights))
    arrays = {name: np.frombuffer(data, np.float32).reshape(shape) for name, shape, data in listed}
    if kind == VALUE:
        names = [f"hidden.{name}" for name in _blokus.value_input_names()]
        arrays["hidden.weights"] = np.stack([arrays[name] for name in names])
        arrays["output_weights"] = arrays["output_weights"][:, None]
    elif kind != POLICY:
        raise ValueError(f"{os.fspath(weights)} has the kind `{kind}`, only `{VALUE}` and `{POLICY}` are networks")
    layers = sum(name.startswith("layer") for name in arrays) // 2
    parameters = {}
    for source, name, shape in layout(kind, layers):
        array = arrays[source]
        if len(shape) == 4:
            array = array.reshape(*shape[2:], shape[1], shape[0]).transpose(3, 2, 0, 1)
        parameters[name] = np.ascontiguousarray(array.T if len(shape) == 2 and name.endswith("weight") else array)
    with replaced(Path(path)) as draft:
        save(_graph(kind, parameters), draft)


def from_onnx(path: _Path, weights: _Path) -> None:
    """Writes the parameters of an ONNX file as a weights file. Finds them by name, or else by shape in the order of the
    graph. Raises ValueError if the network differs from the engine's."""
    try:
        model = load(path)
    except OSError:
        raise
    except Exception as error:
        raise ValueError(f"{os.fspath(path)} is not an ONNX file: {error}") from error
    inputs = len(_inputs(model))
    kind = {1: VALUE, 3: POLICY}.get(inputs)
    if kind is None:
        raise ValueError(f"{os.fspath(path)} has {inputs} inputs; the value network has 1, the policy network 3")
    found = dict(_parameters(model))
    rows = layout(kind, sum(array.shape == (32, 32, 3, 3) for array in found.values()))
    is_named = all(name in found for _, name, _ in rows)
    parameters, arrays = {}, {}
    for target, name, shape in rows:
        source = name if is_named else next((other for other, array in found.items() if array.shape == shape), None)
        if source is None or found[source].shape != shape:
            rest = ", ".join(f"{other} {array.shape}" for other, array in found.items())
            hint = "PyTorch keeps all parameters with torch.onnx.export(..., optimize=False)"
            raise ValueError(f"{os.fspath(path)} lacks {name} {shape}; left over: {rest or 'nothing'}; {hint}")
        parameters[name] = array = found.pop(source)
        if len(shape) == 4:
            array = array.transpose(2, 3, 1, 0).reshape(-1, shape[1], shape[0])
        arrays[target] = array.T if len(shape) == 2 and name.endswith("weight") else array
    _compare(os.fspath(path), model, _graph(kind, parameters))
    if kind == VALUE:
        hidden = arrays.pop("hidden.weights")
        named = {f"hidden.{name}": row for name, row in zip(_blokus.value_input_names(), hidden)}
        arrays = {**named, **arrays, "output_weights": arrays["output_weights"][:, 0]}
    listed = [(name, list(array.shape), array.tobytes()) for name, array in arrays.items()]
    with replaced(Path(weights)) as draft:
        _blokus.write_weights(os.fspath(draft), kind, "python -m blokus.onnx", Path(path).name, "unknown", listed)
        # The engine refuses numbers that are too large for its arithmetic.
        _blokus.policy_output(Position.start("PENTO_W"), draft)


def _inputs(model: ModelProto) -> list[str]:
    """Returns the names of the inputs. Some exporters list the parameters with them."""
    parameters = {array.name for array in model.graph.initializer}
    return [tensor.name for tensor in model.graph.input if tensor.name not in parameters]


def _parameters(model: ModelProto) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yields the arrays of a graph in the order of its nodes, matrices as (outputs, inputs)."""
    arrays = {array.name: numpy_helper.to_array(array) for array in model.graph.initializer}
    for node in model.graph.node:
        is_transposed = node.op_type == "MatMul" or node.op_type == "Gemm" and not any(it.name == "transB" and it.i for it in node.attribute)
        for name in node.input:
            array = arrays.pop(name, np.zeros((), np.int64))
            if array.ndim and array.dtype.kind == "f":
                yield name, np.ascontiguousarray(array.T if array.ndim == 2 and is_transposed else array, np.float32)


def _stencils() -> NDArray[np.float32]:
    """Returns masks of the cells that each shape covers, touches at a side or touches at a corner, (91, 10, 7, 11), one per
    map; the first covered cell is at row 1, column 5."""
    stencils = np.zeros((len(SHAPE_PIECES), 10, 7, 11), np.float32)
    for shape, stencil in enumerate(stencils):
        placements = PLACEMENT_CELLS[512 * shape : 512 * (shape + 1)]
        # In the middle of the board no coordinate wraps.
        middle = placements[placements[:, 0] == 210][0]
        covered = {(int(cell) // 20 - 9, int(cell) % 20 - 5) for cell in middle if cell < 400}
        around = [(y, x, dy, dx) for y, x in covered for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        side = {(y + dy, x + dx) for y, x, dy, dx in around if not dy or not dx} - covered
        corner = {(y + dy, x + dx) for y, x, dy, dx in around} - covered - side
        for maps, cells in ((slice(0, 4), covered), (slice(4, 6), side), (slice(6, 10), corner)):
            for y, x in cells:
                stencil[maps, y, x] = 1
    return stencils


def _graph(kind: str, parameters: Arrays) -> ModelProto:
    """Returns the network with these parameters."""
    nodes: list[NodeProto] = []
    constants = {"floor": np.array(0, np.float32), "ceiling": np.array(4070 / 256, np.float32), "height_and_width": np.array([2, 3])}

    def add(operator: str, *inputs: str, to: str = "", **attributes: Any) -> str:
        output = to or f"{operator}{len(nodes)}"
        nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def dense(inputs: str, layer: str, to: str = "") -> str:
        biases = [f"{layer}.bias"] if f"{layer}.bias" in parameters else []
        return add("Gemm", inputs, f"{layer}.weight", *biases, transB=1, to=to)

    def maps_of(vector: str) -> str:
        return add("Unsqueeze", vector, "height_and_width")

    def convolution(inputs: str, layer: str, pad: int) -> str:
        return add("Conv", inputs, f"{layer}.weight", f"{layer}.bias", pads=[pad] * 4)

    if kind == VALUE:
        shapes = {"features": [73], "win": [1]}
        add("Sigmoid", dense(add("Relu", dense("features", "hidden")), "output"), to="win")
        constants = {}
    else:
        placements = [len(SHAPE_PIECES), 20, 20]
        shapes = {"planes": [20, 20, 20], "globals": [85], "prior": placements, "logits": placements, "value": [2]}
        constants["piece_of_shape"] = np.array(SHAPE_PIECES)
        constants["parts"] = np.array([10, 12])
        constants["stencils"] = _stencils()
        cells = add("Add", convolution("planes", "first", 1), maps_of(dense("globals", "globals")))
        cells = add("Clip", cells, "floor", "ceiling")
        for n in range(sum(name.startswith("layers.") for name in parameters) // 2):
            more = convolution(cells, f"layers.{n}", 1)
            if n > 0 and n % 2 == 0:
                mean = add("Flatten", add("GlobalAveragePool", cells))
                more = add("Add", more, maps_of(dense(mean, f"pools.{n // 2 - 1}")))
            cells = add("Clip", add("Add", cells, more), "floor", "ceiling")
        mean = add("Flatten", add("GlobalAveragePool", cells))
        nodes.append(helper.make_node("Split", [convolution(cells, "maps", 0), "parts"], ["around", "root"], axis=1))
        kernels = add("Mul", maps_of(add("Gather", "gates", "piece_of_shape")), "stencils")
        scores = add("Conv", "around", kernels, pads=[1, 5, 5, 5])
        scores = add("Add", scores, add("Conv", "root", maps_of("shapes")))
        scores = add("Add", scores, maps_of(add("Gather", dense(mean, "pieces"), "piece_of_shape", axis=1)))
        add("Add", add("Mul", "prior", "trust"), scores, to="logits")
        dense(add("Relu", dense(mean, "hidden")), "value", to="value")
    tensors = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", *shape]) for name, shape in shapes.items()}
    outputs = {node.output[0] for node in nodes}
    graph = helper.make_graph(
        nodes,
        kind,
        [tensor for name, tensor in tensors.items() if name not in outputs],
        [tensor for name, tensor in tensors.items() if name in outputs],
        [numpy_helper.from_array(array, name) for name, array in {**parameters, **constants}.items()],
    )
    # The oldest versions that have these operators, for the sake of other programs.
    model = helper.make_model(graph, producer_name="blokus", ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    checker.check_model(model, full_check=True)
    return model


def _compare(path: str, model: ModelProto, own: ModelProto) -> None:
    """Raises ValueError unless a network computes the same outputs as the engine's network `own`."""
    random = np.random.default_rng(1)
    shapes = [[dimension.dim_value or 2 for dimension in tensor.type.tensor_type.shape.dim] for tensor in own.graph.input]
    # Large inputs reach the maximum activation.
    for scale in (1, 100):
        inputs = [(scale * random.integers(0, 2, shape)).astype(np.float32) for shape in shapes]

        def run(graph: ModelProto) -> list[NDArray[np.float32]]:
            feeds = dict(zip(_inputs(graph), inputs))
            with np.errstate(over="ignore", invalid="ignore"):
                return [np.asarray(output) for output in ReferenceEvaluator(graph).run(None, feeds)]

        try:
            found = run(model)
        except Exception as error:
            raise ValueError(f"{path} cannot be evaluated with inputs of the shapes {shapes}: {error}") from error
        names = [tensor.name for tensor in own.graph.output]
        if len(found) != len(names):
            raise ValueError(f"{path} has {len(found)} outputs, expected {', '.join(names)}")
        for name, output, expected in zip(names, found, run(own)):
            if output.shape != expected.shape:
                raise ValueError(f"{path}: output `{name}` is {output.shape}, expected {expected.shape}")
            difference = float(np.max(np.abs(output - expected) / (1 + np.abs(expected))))
            if not difference < 1e-3:
                raise ValueError(f"{path}: output `{name}` differs by {difference:.2g} from the engine's network with these parameters; compare the layers with an exported network")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sum(path.endswith(".onnx") for path in sys.argv) != 1:
        sys.exit("usage: python -m blokus.onnx FROM TO; one of the two ends in .onnx")
    try:
        (from_onnx if sys.argv[1].endswith(".onnx") else to_onnx)(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
