"""What several tests need."""

import os
import subprocess
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "target/debug" / ("arena.exe" if os.name == "nt" else "arena")


@pytest.fixture
def port():
    """The port of a server for one game."""
    if not SERVER.exists():
        pytest.skip("the server is not built: cargo build --package arena")
    command = [SERVER, "serve", "--port", "0", "--games", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            yield int(server.stdout.readline().split()[-1].rsplit(":")[-1].strip("."))
        finally:
            server.kill()
