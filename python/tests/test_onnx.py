"""The engine's networks as ONNX graphs."""

import importlib
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from test_rules import random_game

from blokus import _blokus
from blokus import onnx as networks
from blokus.features import planes, remaining_pieces, value_inputs
from blokus.selfplay import PLACEMENT_CELLS

WEIGHTS = Path(__file__).parents[2] / "player/src/model/weights"
VALUE, POLICY = WEIGHTS / "value_net.weights", WEIGHTS / "policy_net.weights"
POSITIONS = [position for position in random_game(8)[::9] if not position.is_over]


@pytest.fixture
def exported(tmp_path):
    """Exports a weights file, applies a change to its graph, and returns the path."""

    def export(weights, change=lambda graph: None):
        path = tmp_path / "net.onnx"
        networks.to_onnx(weights, path)
        model = onnx.load(path)
        change(model.graph)
        onnx.save(model, path)
        return path

    return export


def _fixed_point(graph):
    """Rounds weights and activations as the engine does."""
    for array in graph.initializer:
        if array.name.endswith(".weight") and array.name.startswith(("first", "layers", "pools", "maps")):
            rounded = np.round(numpy_helper.to_array(array) * 1024) / 1024
            array.CopyFrom(numpy_helper.from_array(rounded, array.name))
    for name, number in (("unit", 256), ("half", 0.5)):
        graph.initializer.append(numpy_helper.from_array(np.array(number, np.float32), name))
    nodes = []
    for node in graph.node:
        nodes.append(node)
        if node.op_type in ("Clip", "GlobalAveragePool"):
            result, node.output[0] = node.output[0], f"{node.output[0]}_exact"
            steps = [("Mul", "unit"), ("Add", "half"), ("Floor",), ("Div", "unit")]
            names = [node.output[0], *(f"{result}_{operator}" for operator, *_ in steps[:-1]), result]
            nodes += [helper.make_node(step[0], [a, *step[1:]], [b]) for step, a, b in zip(steps, names, names[1:])]
    del graph.node[:]
    graph.node.extend(nodes)


def test_value_network_matches_engine(exported):
    network = ReferenceEvaluator(str(exported(VALUE)))
    inputs = [(value_inputs(position), position.evaluate()) for position in POSITIONS]
    inputs = [(features, win) for features, win in inputs if features is not None]
    assert len(inputs) > 3
    (found,) = network.run(None, {"features": np.stack([features for features, _ in inputs])})
    np.testing.assert_allclose(found[:, 0], [win for _, win in inputs], atol=1e-5)


@pytest.mark.parametrize(("change", "tolerance"), [(_fixed_point, 0.02), (lambda graph: None, 0.3)])
def test_policy_network_matches_engine(exported, change, tolerance):
    network = ReferenceEvaluator(str(exported(POLICY, change)))
    for position in POSITIONS:
        scores, log_odds, margin = _blokus.policy_output(position)
        actions = np.array([action for action, _, _ in scores])
        at = (0, actions // 512, *np.divmod(PLACEMENT_CELLS[actions, 0], 20))
        prior = np.zeros((1, 91, 20, 20), np.float32)
        prior[at] = [prior for _, prior, _ in scores]
        extra = np.append(remaining_pieces(position).ravel(), position.turn / 64)[None].astype(np.float32)
        inputs = {"planes": planes(position)[None].astype(np.float32), "globals": extra, "prior": prior}
        logits, value = network.run(["logits", "value"], inputs)
        np.testing.assert_allclose(logits[at], [score for _, _, score in scores], atol=tolerance)
        np.testing.assert_allclose(value[0], [log_odds, margin / 20], atol=tolerance)


@pytest.mark.parametrize("weights", [VALUE, POLICY])
def test_round_trip_keeps_weights(exported, tmp_path, weights):
    def rename(graph):
        for array in graph.initializer:
            for node in graph.node:
                node.input[:] = [f"{name}_" if name == array.name else name for name in node.input]
            array.name += "_"

    for change in (lambda graph: None, rename):
        networks.from_onnx(exported(weights, change), tmp_path / "net.weights")
        assert _blokus.read_weights(str(tmp_path / "net.weights")) == _blokus.read_weights(str(weights))


def test_changed_weights_change_the_engine(exported, tmp_path):
    def double(graph):
        trust = next(array for array in graph.initializer if array.name == "trust")
        trust.CopyFrom(numpy_helper.from_array(2 * numpy_helper.to_array(trust), "trust"))

    networks.from_onnx(exported(POLICY, double), tmp_path / "net.weights")
    before, after = (_blokus.policy_output(POSITIONS[1], path)[0] for path in (POLICY, tmp_path / "net.weights"))
    trust = dict((name, data) for name, _, data in _blokus.read_weights(str(POLICY))[1])["trust"]
    for (_, prior, old), (_, _, new) in zip(before, after, strict=True):
        assert new == pytest.approx(old + np.frombuffer(trust, np.float32)[0] * prior, abs=1e-3)


def _tanh(graph):
    next(node for node in graph.node if node.op_type == "Relu").op_type = "Tanh"


def _unlimited(graph):
    for node in graph.node:
        if node.op_type == "Clip":
            del node.input[2:]


def _wide(graph):
    array = next(array for array in graph.initializer if array.name == "hidden.weight")
    array.CopyFrom(numpy_helper.from_array(np.zeros((80, 73), np.float32), array.name))


def _large(graph):
    array = next(array for array in graph.initializer if array.name == "maps.bias")
    array.CopyFrom(numpy_helper.from_array(np.full(22, 40, np.float32), array.name))


@pytest.mark.parametrize(
    ("weights", "change", "error"),
    [
        (VALUE, _tanh, "output `win` differs"),
        (VALUE, _wide, r"lacks hidden.weight \(64, 73\); left over: hidden.weight \(80, 73\),.*; PyTorch keeps"),
        (VALUE, lambda graph: graph.input.pop() and None, "has 0 inputs"),
        (POLICY, _unlimited, "output `logits` differs"),
        (POLICY, lambda graph: graph.output.pop() and None, "has 1 outputs, expected logits, value"),
        (POLICY, _large, "`maps.biases` has a number beyond 31"),
    ],
)
def test_refuses_other_networks(exported, tmp_path, weights, change, error):
    with pytest.raises(ValueError, match=error):
        networks.from_onnx(exported(weights, change), tmp_path / "net.weights")
    assert not (tmp_path / "net.weights").exists()


def test_refuses_other_weights(tmp_path):
    with pytest.raises(ValueError, match="has the kind `prior`"):
        networks.to_onnx(WEIGHTS / "prior.weights", tmp_path / "net.onnx")


def test_refuses_damaged_graphs(exported, tmp_path):
    path = exported(VALUE)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match="net.onnx is not an ONNX file"):
        networks.from_onnx(path, tmp_path / "net.weights")


def test_names_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"software-challenge-blokus\[onnx\]"):
        importlib.reload(networks)
