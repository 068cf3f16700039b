"""Writes files atomically."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def draft_of(path: Path) -> Path:
    """Returns the temporary path of a file, in the same folder."""
    return path.with_name(f"{path.name}.{os.getpid()}.new")


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Yields a temporary path and moves it over `path` at the end. After an exception `path` is unchanged."""
    draft = draft_of(path)
    try:
        yield draft
        draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def write(path: Path, data: bytes) -> None:
    """Replaces a file, or leaves it unchanged and raises OSError with its name."""
    try:
        with replaced(path) as draft:
            draft.write_bytes(data)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from error
