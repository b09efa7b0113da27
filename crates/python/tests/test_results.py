"""What results are: kinds of numbers, read-only memory, traces, times, tables; and how they look."""

import ctypes
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import equipoise as eq


@pytest.fixture
def graph() -> eq.Graph:
    return eq.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 3], weight=[1, 2, 3, 4], vertices=5)


def test_arrays_have_the_kinds_that_are_promised(graph):
    kinds = {
        "levels": (graph.bfs(0), np.int32),
        "parents": (graph.bfs(0), np.int32),
        "distances": (graph.sssp(0), np.float64),
        "predecessors": (graph.sssp(0), np.int32),
        "colors": (graph.color(), np.int32),
        "ranks": (graph.pagerank(), np.float32),
        "labels": (graph.components(), np.int64),
        "counts": (graph.triangles(), np.uint64),
        "clustering": (graph.triangles(), np.float64),
        "coefficients": (graph.lcc(), np.float64),
        "closed": (graph.lcc(), np.uint64),
        "cores": (graph.kcore(), np.int32),
        "vertices": (graph.betweenness(), np.float64),
        "in_set": (graph.mis(), np.bool_),
        "closeness": (graph.paths(), np.float64),
        "communities": (graph.communities(), np.int32),
    }
    for name, (found, kind) in kinds.items():
        array = getattr(found, name)
        assert (array.dtype, array.shape) == (kind, (5,)), name
        assert name in dir(found) and len(found.to_pandas()) == 5


def test_arrays_outlive_results_and_cannot_be_written(graph):
    levels = graph.bfs(0).levels
    matrix = graph.apsp().distances
    del graph
    gc.collect()
    assert levels.tolist() == [0, 1, 1, -1, -1] and matrix[1, 2] == 2
    with pytest.raises(ValueError, match="read-only"):
        levels[0] = 7


def test_a_result_that_is_wrong_is_refused_in_its_own_memory(graph):
    found = graph.bfs(0)
    found.verify()
    # Only what goes around Python can write there: the verifier sees it, as nothing was copied.
    ctypes.c_int32.from_address(found.levels.ctypes.data + 4).value = 7
    assert found.levels[1] == 7
    with pytest.raises(eq.Error, match="the result is wrong"):
        found.verify()


def test_readers_of_any_kind_see_the_same_numbers(graph):
    array = graph.apsp()._native.arrays()["distances"]
    view = memoryview(array)
    assert (view.shape, view.format, view.readonly) == ((5, 5), "d", True)
    assert bytes(array) == graph.apsp().distances.tobytes()
    assert np.asarray(array, order="F")[0, 2] == 3


def test_traces_and_times_tell_what_happened():
    found = eq.generate("path:n=50").bfs(0)
    assert [step["index"] for step in found.trace] == list(range(len(found.trace)))
    assert sum(step["found"] for step in found.trace) == 49
    assert found.trace.to_pandas().found.sum() == 49
    assert set(found.times) >= {"kernel", "overhead", "upload"} and found.times["kernel"] > 0


def test_results_and_graphs_show_themselves(graph):
    assert repr(graph) == "<Graph: 5 vertices, 4 edges, undirected, weighted, on cpu>"
    assert repr(graph.bfs(0)) == "<Levels of 5 vertices: reached 3, depth 1>"
    page = graph._repr_html_()
    assert page.count("<rect") == 3 and "<td>undirected, weighted</td>" in page
    assert repr(graph.bfs(0).trace).startswith("<Trace of ")
    with pytest.raises(AttributeError, match="Levels has no `colors`"):
        graph.bfs(0).colors


def test_edges_of_an_undirected_graph_count_once():
    graph = eq.Graph.from_edges([0, 0, 1, 2], [1, 1, 0, 2])
    assert graph.edges == 4 and graph.degrees.tolist() == [3, 3, 1]
    assert eq.Graph.from_edges([0, 0, 1, 2], [1, 1, 0, 2], directed=True).edges == 4


def test_whole_weights_are_added_up_exactly():
    graph = eq.Graph.from_edges([0, 1, 2], [1, 2, 3], weight=[2**32 - 1] * 3)
    assert graph.sssp(0).distances[3] == 3 * (2**32 - 1)


def test_a_table_of_all_pairs_and_of_a_forest_has_names():
    import pandas as pd

    roads = pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "km": [3, 4]})
    graph = eq.Graph.from_pandas(roads, "a", "b", "km")
    assert graph.apsp(sources=["z"]).to_pandas().loc["z", "x"] == 7
    forest = graph.mst().to_pandas()
    assert forest.values.tolist() == [["x", "y", 3], ["y", "z", 4]]


def test_a_total_that_is_infinite_is_a_number():
    forest = eq.Graph.from_edges([0, 1], [1, 2], weight=[1.7e308, 1.7e308]).mst()
    assert forest.total == float("inf") and "total inf" in repr(forest).lower()


def test_results_are_verified_unless_told_not_to():
    graph = eq.generate("rmat:scale=8")
    for name in eq.algorithms():
        verification = graph.run(name).verification
        assert verification["verdict"] in ("proved", "sampled"), name
        assert verification["what"] and verification["seconds"] >= 0
        off = graph.run(name, verify=False)
        assert off.verification["verdict"] == "off"
        off.verify()
        assert off.verification["verdict"] == verification["verdict"]
    assert graph.bfs_many([0])[0].verification["verdict"] == "off"
    assert graph.bfs_many([0], verify=True)[0].verification["verdict"] == "proved"


def test_samples_have_a_confidence():
    proved, sampled = (eq.generate(spec).apsp().verification for spec in ("path:n=300", "complete:n=400"))
    assert proved["verdict"] == "proved" and "confidence" not in proved
    assert sampled["verdict"] == "sampled" and 0 < sampled["confidence"] < 1


@pytest.mark.parametrize(("value", "verdict"), [("off", "off"), ("0", "off"), ("on", "proved"), ("", "proved")])
def test_the_environment_switches_verification(value, verdict):
    code = 'import equipoise as eq; print(eq.generate("path:n=3").mis().verification["verdict"])'
    environment = os.environ | {"EQUIPOISE_VERIFY": value}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == verdict
