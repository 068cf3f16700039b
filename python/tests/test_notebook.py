"""The notebook, run from its first cell to its last."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples/tour.ipynb"


def test_notebook_runs_and_shows_pictures(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [output["data"] for output in outputs if "data" in output]
    assert sum("<svg" in data.get("image/svg+xml", "") for data in shown) == 4
    assert not any(output["output_type"] == "error" for output in outputs)
