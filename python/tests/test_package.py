"""Packages for the contest, started as the contest does."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PLAYER = "def choose(position, time):\n    return max(position.legal_moves(), key=lambda move: len(move.cells))\n"
# Where this package is not installed.
BARE = {"PATH": f"{Path(sys._base_executable).parent}{os.pathsep}/usr/bin:/bin"}

linux = pytest.mark.skipif(sysconfig.get_platform() != "linux-x86_64", reason="packages are started on Linux only")


def package(*arguments, **options):
    command = [sys.executable, "-m", "blokus", "package", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


@pytest.fixture
def player(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(PLAYER)
    return file


@linux
def test_package_plays_without_installation(player, port, tmp_path):
    made = package(player)
    assert made.returncode == 0 and "glibc 2." in made.stdout, made.stderr
    folder = tmp_path / "unpacked"
    subprocess.run(["unzip", "-q", player.with_suffix(".zip"), "-d", folder], check=True)
    assert os.access(folder / "start.sh", os.X_OK)
    texts = {path.name for path in (folder / "licences").iterdir()}
    assert {"crates.txt", "rust-standard-library.html"} <= texts
    assert "pyo3" in (folder / "licences/crates.txt").read_text()
    command = [folder / "start.sh", "-h", "localhost", "-p", str(port)]
    players = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=BARE, cwd="/") for _ in range(2)]
    said = [player.communicate(timeout=60)[1] for player in players]
    assert [player.returncode for player in players] == [0, 0], said
    assert sorted(text.splitlines()[-1].split()[0].strip(",") for text in said) in (["lost", "won"], ["drawn", "drawn"])


@linux
def test_packed_player_finds_its_files(player, port, tmp_path):
    (tmp_path / "weights.txt").write_text("7")
    player.write_text("WEIGHT = int(open('weights.txt').read())\n" + PLAYER)
    assert package(player, "--include", tmp_path / "weights.txt").returncode == 0
    folder = tmp_path / "unpacked"
    subprocess.run(["unzip", "-q", player.with_suffix(".zip"), "-d", folder], check=True)
    command = [folder / "start.sh", "-h", "localhost", "-p", "1"]
    said = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=BARE, cwd="/").stderr
    assert "localhost, port 1" in said, "it has come as far as to look for a server"


@linux
def test_packs_player_of_any_name(player, tmp_path):
    for number, name in enumerate(["$HOME.py", "`id`.py", 'a "b" \'c\' \\.py', "-x.py", "*.py", "PLAYER"]):
        named = player.rename(tmp_path / name)
        made = package(named, "-o", tmp_path / "own.zip")
        assert made.returncode == 0, made.stderr
        folder = tmp_path / f"unpacked-{number}"
        subprocess.run(["unzip", "-q", tmp_path / "own.zip", "-d", folder], check=True)
        command = [folder / "start.sh", "-h", "localhost", "-p", "1"]
        said = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=BARE, cwd="/").stderr
        assert "localhost, port 1" in said, "it has come as far as to look for a server"
        player = named


@linux
def test_names_unpackable_files(player, tmp_path):
    for arguments, reason in [
        (["--include", tmp_path / "missing"], "missing cannot be read"),
        (["--include", "/"], "/ has no name"),
        (["--include", player], "own.py: the package already has own.py"),
        (["-o", tmp_path / "missing" / "x.zip"], "x.zip cannot be written"),
    ]:
        made = package(player, *arguments)
        assert made.returncode == 1 and reason in made.stderr and "Traceback" not in made.stderr, made.stderr


@linux
def test_never_overwrites_packed_files(player, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    weights = folder / "weights.txt"
    weights.write_text("7")
    (tmp_path / "link.zip").symlink_to(player.name)
    zipped = tmp_path / "player.zip"
    zipped.write_text(PLAYER)
    for arguments, output in [
        ([player, "-o", player], player),
        ([player, "-o", tmp_path / "files" / ".." / player.name], player),
        ([player, "-o", tmp_path / "link.zip"], player),
        ([player, "--include", weights, "-o", weights], weights),
        ([player, "--include", folder, "-o", weights], weights),
        ([zipped], zipped),
    ]:
        before = output.read_bytes()
        made = package(*arguments)
        assert made.returncode == 1 and "would be overwritten" in made.stderr, made.stderr
        assert output.read_bytes() == before
    made = package(player, "-o", folder)
    assert made.returncode == 1 and f"{folder} is not a file" in made.stderr, made.stderr


@linux
def test_failed_packing_keeps_earlier_package(player, tmp_path):
    import resource

    output = tmp_path / "kept.zip"
    link = tmp_path / "own.zip"
    link.symlink_to(output.name)
    assert package(player).returncode == 0 and link.is_symlink()
    good, files = output.read_bytes(), set(tmp_path.iterdir())
    # Nothing more can be written than on a full disk.
    full = package(player, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert full.returncode == 1 and "own.zip cannot be written: File too large" in full.stderr, full.stderr
    player.write_text(PLAYER + "1 / 0\n")
    assert "ZeroDivisionError" in package(player).stderr
    assert "ZeroDivisionError" in package(player, "-o", tmp_path / "new.zip").stderr
    assert output.read_bytes() == good and set(tmp_path.iterdir()) == files
    player.write_text(PLAYER + "\n")
    assert package(player).returncode == 0
    assert output.read_bytes() != good and link.is_symlink() and set(tmp_path.iterdir()) == files


@linux
def test_packing_is_reproducible(player, tmp_path):
    outputs = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for output in outputs:
        assert package(player, "--output", output).returncode == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


@linux
def test_packs_link_under_its_name(player, tmp_path):
    (tmp_path / "numbers.txt").write_text("7")
    (tmp_path / "weights.txt").symlink_to("numbers.txt")
    link = tmp_path / "link.py"
    link.symlink_to(player.name)
    player.write_text("WEIGHT = int(open('weights.txt').read())\n" + PLAYER)
    made = package(link, "--include", tmp_path / "weights.txt")
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(tmp_path / "link.zip") as archive:
        names = archive.namelist()
        assert archive.read("link.py") == player.read_bytes() and b"play ./link.py " in archive.read("start.sh")
    assert "weights.txt" in names and not {"own.py", "numbers.txt"} & set(names)


@linux
def test_excludes_earlier_package(player, tmp_path, monkeypatch):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "weights.txt").write_text("7")
    monkeypatch.chdir(folder)
    for _ in range(2):
        assert package(player, "--include", ".", "-o", "own.zip").returncode == 0
    with zipfile.ZipFile("own.zip") as archive:
        assert [name for name in archive.namelist() if name.startswith("files/")] == ["files/weights.txt"]


@linux
def test_names_missing_module_and_includes_it(player, tmp_path):
    player.write_text("import weights.numbers\n" + PLAYER)
    made = package(player)
    assert made.returncode == 1 and "No module named 'weights'" in made.stderr and "--include" in made.stderr
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights/numbers.py").write_text("")
    assert package(player, "--include", tmp_path / "weights").returncode == 0
    (tmp_path / "weights/train/__pycache__").mkdir(parents=True)
    (tmp_path / "weights/train/__pycache__/rate.pyc").write_text("")
    (tmp_path / "weights/train/rate.py").write_text("")
    player.write_text("import weights.train.rate\n" + PLAYER)
    made = package(player, "--include", tmp_path / "weights")
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(player.with_suffix(".zip")) as archive:
        names = archive.namelist()
    assert "weights/train/rate.py" in names and not [name for name in names if "__pycache__" in name]
    assert not [name for name in names if name.startswith("blokus/train/")]
    player.write_text("def choose(position, time):\n    return None\n")
    assert "cannot choose a move" in package(player).stderr


def test_wheel_replaces_installed_extension(player, tmp_path):
    wheel = tmp_path / "software_challenge_blokus-0.1.0-cp310-abi3-manylinux_2_34_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("blokus/__init__.py", "")
        archive.writestr("blokus/_blokus.abi3.so", b"GLIBC_2.17 GLIBC_2.9")
        archive.writestr("blokus/train/__init__.py", "")
    made = package(player, "--wheel", wheel)
    assert made.returncode == 0 and "glibc 2.17" in made.stdout, made.stderr
    with zipfile.ZipFile(player.with_suffix(".zip")) as archive:
        names = {name for name in archive.namelist() if name.startswith("blokus/")}
    assert names == {"blokus/__init__.py", "blokus/_blokus.abi3.so"}
    made = package(player, "--wheel", wheel, "-o", wheel)
    assert made.returncode == 1 and "would be overwritten" in made.stderr, made.stderr
    assert zipfile.is_zipfile(wheel)


def test_rejects_foreign_wheels(player, tmp_path):
    assert "missing.py cannot be read" in package(tmp_path / "missing.py").stderr
    assert "other.whl is not a wheel" in package(player, "--wheel", tmp_path / "other.whl").stderr
    musl = "other-cp310-abi3-musllinux_1_2_x86_64.whl"
    assert f"{musl} is not a wheel" in package(player, "--wheel", tmp_path / musl).stderr
    gone = tmp_path / "gone-linux_x86_64.whl"
    assert "gone-linux_x86_64.whl cannot be read" in package(player, "--wheel", gone).stderr
    with zipfile.ZipFile(gone, "w"):
        pass
    assert "not a wheel of this package" in package(player, "--wheel", gone).stderr


def test_rejects_damaged_wheel(player, tmp_path):
    wheel = tmp_path / "damaged-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("blokus/_blokus.abi3.so", b"GLIBC_2.17" * 1000)
    whole = wheel.read_bytes()
    for place in (60, len(whole) // 2, len(whole) - 30):
        wheel.write_bytes(whole[:place] + bytes(byte ^ 0xFF for byte in whole[place : place + 8]) + whole[place + 8 :])
        assert "damaged-linux_x86_64.whl cannot be read" in package(player, "--wheel", wheel).stderr
