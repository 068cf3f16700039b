"""Files that are written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place: beside it, by a name that no other file has."""
    return path.with_name(f"{path.name}.{os.getpid()}.new")


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Lets a file be written elsewhere, which takes its place in the end. After an exception the file is as it was."""
    draft = draft_of(path)
    try:
        yield draft
        draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def write(path: Path, data: bytes) -> None:
    """Replaces a file, or leaves it as it was. OSError names it."""
    try:
        with replaced(path) as draft:
            draft.write_bytes(data)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from error
