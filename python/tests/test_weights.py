"""Files of weights."""

import struct
from pathlib import Path

import pytest

from blokus import _blokus


def test_reads_written_weights(tmp_path: Path) -> None:
    path = tmp_path / "some.weights"
    arrays = [("one", [2, 3], struct.pack("<6f", *range(6))), ("other", [1], struct.pack("<f", 0.5))]
    _blokus.write_weights(str(path), "prior", "a command", "some data", "an engine", arrays)
    assert _blokus.read_weights(str(path)) == ("prior", arrays)


def test_errors_name_file(tmp_path: Path) -> None:
    path = tmp_path / "some.weights"
    with pytest.raises(OSError, match="some.weights"):
        _blokus.read_weights(str(path))
    path.write_text("nothing")
    with pytest.raises(ValueError, match="some.weights"):
        _blokus.read_weights(str(path))
    with pytest.raises(OSError, match="missing.some.weights"):
        _blokus.write_weights(str(tmp_path / "missing" / "some.weights"), "prior", "", "", "", [])
    with pytest.raises(ValueError, match=r"one: 1 numbers are not \[2\]"):
        _blokus.write_weights(str(path), "prior", "", "", "", [("one", [2], struct.pack("<f", 1))])


def test_failed_write_keeps_file(tmp_path: Path) -> None:
    folder = tmp_path / "some.weights"
    folder.mkdir()
    with pytest.raises(OSError, match="some.weights"):
        _blokus.write_weights(str(folder), "prior", "", "", "", [])
    assert folder.is_dir() and list(tmp_path.iterdir()) == [folder]
