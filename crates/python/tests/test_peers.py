"""The comparison with other libraries: it measures all that it says, and tells what is wrong."""

import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest

SCRIPT = next(
    parent / "benches/peers/python"
    for parent in pathlib.Path(__file__).parents
    if (parent / "benches/peers/python").exists()
)
ALGORITHMS = ["bfs", "sssp", "pagerank", "components", "triangles", "betweenness"]
SCIPY_HAS = ["bfs", "sssp", "components"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", str(SCRIPT), "--repeats", "1", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("graph", ["rmat", "uniform"])
def test_every_column_has_a_time_and_results_agree(graph, tmp_path):
    path = tmp_path / "times.json"
    # Of 400 vertices some have no edge, and there is more than one component.
    sizes = ["--graph", graph, "--edges", "500", "--vertices", "400", "--threads", "1", "--json", str(path)]
    ran = run("--libraries", "Equipoise,SciPy,NetworkX", *sizes)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    written = json.loads(path.read_text())
    assert (written["edges"], written["vertices"], written["missing"]) == (500, 400, {})
    libraries = {library["name"]: library for library in written["libraries"]}
    assert list(libraries) == ["Equipoise", "SciPy", "NetworkX"]
    for name, library in libraries.items():
        assert library["build"]["algorithm"] > 0
        assert list(library["cells"]) == (SCIPY_HAS if name == "SciPy" else ALGORITHMS)
        for cell in library["cells"].values():
            assert cell["algorithm"] > 0 and cell["result"] > 0
            assert cell["compared"] and cell["problem"] is None
        assert name in ran.stdout
    assert "SciPy has no pagerank, triangles, betweenness" in ran.stdout


# Adds libraries to those that the script knows, and runs it.
MORE_LIBRARIES = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
import libraries

class Nowhere(libraries.Library):
    name, module = "Nowhere", "no_module_of_this_name"

class Wrong(libraries.NetworkX):
    name = "Wrong"
    def bfs_result(self, raw, case):
        return super().bfs_result(raw, case) + 1

libraries.LIBRARIES |= {"Nowhere": Nowhere, "Wrong": Wrong}
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    ("library", "code", "told"),
    [
        ("Nowhere", 0, "Nowhere is not in the table: not installed (No module named 'no_module_of_this_name')"),
        ("Wrong", 1, "Wrong, bfs: wrong: 64 of 64 differ: "),
    ],
)
def test_a_library_that_is_not_there_is_no_failure_and_a_wrong_one_is(library, code, told):
    given = ["--libraries", f"Equipoise,{library}", "--edges", "300", "--repeats", "1", "--algorithms", "bfs"]
    command = [sys.executable, "-B", "-c", MORE_LIBRARIES, str(SCRIPT), *given]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (code, "")
    assert told in ran.stdout


def test_names_that_there_are_not_are_answered_with_those_there_are():
    ran = run("--algorithms", "bfs,sort")
    assert ran.returncode == 2 and "no 'sort': expected some of bfs, sssp" in ran.stderr
    ran = run("--edges", "50", "--vertices", "9")
    assert ran.returncode == 1 and "50 edges are too many for 9 vertices" in ran.stderr


@pytest.fixture
def script(monkeypatch):
    """The modules of the script, which import each other as if they were alone."""
    monkeypatch.syspath_prepend(str(SCRIPT))
    import answers
    import edges
    import libraries
    import measure
    import table

    case = edges.random_case("rmat", 300, 100, 3, seed=5)
    right = answers.right_answers(case, ALGORITHMS)

    def measured(library):
        monkeypatch.setitem(libraries.LIBRARIES, library.name, library)
        row = measure.measure(library(1), case, right, ALGORITHMS, repeats=1, long=1.0)
        return row, table.text([row], ALGORITHMS, {"igraph": "not installed (no module)"})

    yield libraries, measured
    for module in ("answers", "edges", "libraries", "measure", "table"):
        del sys.modules[module]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_wrong_result_is_told_and_has_no_time(script, algorithm):
    libraries, measured = script

    class Wrong(libraries.NetworkX):
        name = "Wrong"

        def result(self, asked, raw, case):
            values = np.array(super().result(asked, raw, case))
            if asked == algorithm:
                # A vertex that was reached, so that the number is finite and the component has others.
                values[case.start] += 1
            return values

    row, text = measured(Wrong)
    assert row.cells[algorithm].algorithm is None
    assert all(cell.problem is None for name, cell in row.cells.items() if name != algorithm)
    assert "WRONG" in text and f"Wrong, {algorithm}: wrong: " in text
    assert "igraph is not in the table: not installed" in text


def test_a_library_that_fails_is_told(script):
    libraries, measured = script

    class Failing(libraries.NetworkX):
        name = "Failing"

        def sssp(self, case):
            raise ArithmeticError("no paths today")

    row, text = measured(Failing)
    assert "Failing, sssp: failed: ArithmeticError: no paths today" in text and "FAILED" in text
    assert row.cells["bfs"].algorithm > 0


def test_what_takes_long_has_one_turn(script):
    libraries, measured = script

    class Slow(libraries.NetworkX):
        name = "Slow"
        turns = 0

        def bfs(self, case):
            type(self).turns += 1
            time.sleep(1.1)
            return super().bfs(case)

    row, text = measured(Slow)
    assert row.cells["bfs"].once and not row.cells["sssp"].once
    assert Slow.turns == 1 and "* one turn" in text


def test_results_that_are_not_compared_are_told(script):
    libraries, measured = script

    class Random(libraries.NetworkX):
        name = "Random"
        not_compared = {"betweenness": "it rolls dice"}

    _, text = measured(Random)
    assert "~ Random, betweenness: not compared, as it rolls dice" in text
