"""Files that are written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place: beside it, by a name that no other file has."""
    return path.with_name(f"{path.name}.{os.getpid()}.new")


def write(path: Path, data: bytes) -> None:
    """Replaces a file, or leaves it as it was. OSError names it."""
    draft = draft_of(path)
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
