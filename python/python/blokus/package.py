"""Packs a Python player as a contest file.

The file contains everything but Python itself: the start script, the player, this package with its extension for Linux on
x86-64, and the licences. It runs without a network.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from ._blokus import licences
from .files import replaced

START = """\
#!/bin/sh
# Starts the player in its own folder, so that it finds its files.
case $0 in
    */*) cd "${0%/*}" || exit ;;
esac
PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1 exec python3 -u -m blokus play PLAYER "$@"
"""

PLATFORM = "linux-x86_64"
"""The platform of the contest."""

_WHEEL = re.compile(r"[-.](many)?linux\w*_x86_64\b.*\.whl$")
"""Names of wheels for Linux with glibc."""

EXTENSION = re.compile(r"_blokus\.(abi3|cpython-.*)\.so$")

_COMPILED = "__pycache__"

_LEFT_OUT = {_COMPILED, "train"}
"""Folders of this package to leave out."""


class PackageError(Exception):
    """The reason why a package cannot be made, and what to do."""


def package(player: Path, output: Path, include: list[Path] = [], wheel: Path | None = None) -> int:
    """Packs a player file and the files and folders that it needs. Returns the size of the package. On other platforms than
    the contest's, `wheel` is a wheel of this package for that platform; without `wheel` the package is tested.
    PackageError if the package cannot be made or its player cannot play; an earlier package stays unchanged."""
    if output.exists() and not output.is_file():
        raise PackageError(f"{output} is not a file")
    contents = {"start.sh": START.replace("PLAYER", shlex.quote(f"./{player.name}")).encode()}
    contents.update(_of_wheel(wheel) if wheel else _of_installation())
    contents.update({f"licences/{name}": text.encode() for name, text in licences().items()})
    for path in [player, *include]:
        more = _of_path(path, output)
        if twice := sorted(contents.keys() & more.keys()):
            raise PackageError(f"{path}: the package already has {twice[0]}")
        contents.update(more)
    for path in [player, *include, *([wheel] if wheel else [])]:
        if output.exists() and output.samefile(path):
            raise PackageError(_overwrite_error(output))
    try:
        # Write through a symbolic link.
        with replaced(output.resolve()) as draft:
            _write(draft, contents)
            if wheel is None:
                check(draft, player)
    except OSError as error:
        raise PackageError(f"{output} cannot be written: {error.strerror}") from error
    return output.stat().st_size


def _overwrite_error(output: Path) -> str:
    return f"{output} is one of the packed files and would be overwritten; choose another name with --output"


def _write(output: Path, contents: dict[str, bytes]) -> None:
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            # A fixed time makes the file reproducible.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = (0o100755 if name == "start.sh" else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents[name])


def check(archive: Path, player: Path) -> None:
    """Checks that the player of a package can choose a first move with nothing but the package. PackageError otherwise."""
    code = (
        "import runpy, sys; sys.path.insert(0, '.'); from blokus import Position; "
        f"choose = runpy.run_path({player.name!r})['choose']; "
        "position = Position.start('PENTO_W'); position.play(choose(position, 1.9))"
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(archive) as opened:
                opened.extractall(folder)
            # -S ignores installed packages, -E the environment.
            tried = subprocess.run([sys.executable, "-S", "-E", "-c", code], cwd=folder, capture_output=True, text=True)
    except OSError as error:
        raise PackageError(f"cannot try the package: {error}") from error
    if tried.returncode != 0:
        last = tried.stderr.strip().splitlines()[-1:] or ["it printed nothing"]
        raise PackageError(
            f"the player in the package cannot choose a move: {last[0]}\n"
            "The contest machine has only the files of the package; --include FILE adds one."
        )


def glibc(archive: Path) -> str:
    """Returns the oldest glibc version that the extension of a package supports."""
    with zipfile.ZipFile(archive) as opened:
        name = next(name for name in opened.namelist() if EXTENSION.search(name))
        found = re.findall(rb"GLIBC_(\d+)\.(\d+)", opened.read(name))
    return ".".join(map(str, max((int(major), int(minor)) for major, minor in found)))


def _of_installation() -> dict[str, bytes]:
    if sysconfig.get_platform() != PLATFORM:
        raise PackageError(
            f"the contest runs on {PLATFORM}, this is {sysconfig.get_platform()}: pass the wheel of this package for "
            f"{PLATFORM} with --wheel FILE"
        )
    folder = Path(__file__).parent
    return {f"blokus/{name}": data for name, data in _files(folder, _LEFT_OUT)}


def _of_wheel(wheel: Path) -> dict[str, bytes]:
    if not _WHEEL.search(wheel.name):
        raise PackageError(f"{wheel.name} is not a wheel for {PLATFORM}")
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.startswith("blokus/") and not name.endswith("/")]
            contents = {name: archive.read(name) for name in names if not _LEFT_OUT & set(name.split("/"))}
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise PackageError(f"{wheel} cannot be read: {error}") from error
    if not any(EXTENSION.search(name) for name in contents):
        raise PackageError(f"{wheel.name} is not a wheel of this package")
    return contents


def _of_path(path: Path, output: Path) -> dict[str, bytes]:
    """Returns the files of a path by their names in the package."""
    # `.` and `..` are no names in an archive.
    own = path.name if path.name not in ("", "..") else path.resolve().name
    if not own:
        raise PackageError(f"{path} has no name in a package")
    try:
        if path.is_dir():
            return {f"{own}/{name}": data for name, data in _files(path, {_COMPILED}, output)}
        return {own: path.read_bytes()}
    except OSError as error:
        raise PackageError(f"{path} cannot be read: {error.strerror}") from error


def _files(folder: Path, without: set[str], output: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Yields the files of a folder by their relative paths, without the named folders and without the output."""
    left_out = output.resolve() if output else None
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - without)
        for name in files:
            path = Path(place) / name
            if path.resolve() != left_out:
                yield path.relative_to(folder).as_posix(), path.read_bytes()
            elif not zipfile.is_zipfile(path):
                raise PackageError(_overwrite_error(path))
