"""The notebook in `examples` runs, and was run: it has its outputs and pictures."""

import json
import pathlib
import re

import pytest

NOTEBOOK = next(
    parent / "examples/tour.ipynb"
    for parent in pathlib.Path(__file__).parents
    if (parent / "examples/tour.ipynb").exists()
)
CELLS = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def draws(cell) -> bool:
    return "needs-matplotlib" in cell["metadata"].get("tags", [])


def run(cells, folder, monkeypatch) -> None:
    """Runs cells one after the other, as Jupyter does, with their numbers in tracebacks."""
    monkeypatch.chdir(folder)
    names = {"__name__": "__main__"}
    for cell in cells:
        code = compile("".join(cell["source"]), f"cell {cell['execution_count']} of {NOTEBOOK.name}", "exec")
        exec(code, names)


def test_its_cells_run(tmp_path, monkeypatch):
    run([cell for cell in CELLS if not draws(cell)], tmp_path, monkeypatch)


def test_its_pictures_are_drawn(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    run(CELLS, tmp_path, monkeypatch)


def test_it_was_run_from_the_first_cell_to_the_last():
    assert [cell["execution_count"] for cell in CELLS] == list(range(1, len(CELLS) + 1))
    outputs = [output for cell in CELLS for output in cell["outputs"]]
    assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in outputs)
    for cell in CELLS:
        pictures = [output for output in cell["outputs"] if "image/png" in output.get("data", {})]
        assert len(pictures) == draws(cell)
    assert any("<svg" in "".join(output.get("data", {}).get("text/html", "")) for output in outputs)


def test_it_is_small_and_says_nothing_of_the_machine_it_was_run_on():
    assert NOTEBOOK.stat().st_size < 400_000
    assert re.findall(r"(?:/tmp|/home|/root|/usr|/work|C:)[/\\\\]", NOTEBOOK.read_text(encoding="utf-8")) == []
