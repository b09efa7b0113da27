"""How graphs come in: kinds of arrays, weights, names; and what is refused."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import equipoise as eq


@pytest.mark.parametrize("kind", ["int8", "uint16", "int32", "uint32", "int64", "uint64", ">i4"])
def test_indices_of_any_kind_are_the_same_graph(kind):
    ends = np.array([[0, 1, 2], [1, 2, 4]])
    graph = eq.Graph.from_edges(*ends.astype(kind), directed=True)
    expected = np.zeros((5, 5))
    expected[tuple(ends)] = 1
    np.testing.assert_array_equal(graph.to_scipy().toarray(), expected)


def test_arrays_may_lie_anywhere_and_be_read_only():
    ends = np.arange(40).reshape(20, 2)[::-2]
    ends.flags.writeable = False
    graph = eq.Graph.from_edges(ends[:, 0], ends[:, 1], weight=ends[:, 0], directed=True)
    np.testing.assert_array_equal(graph.to_scipy().toarray().nonzero()[0], np.sort(ends[:, 0][ends[:, 0] > 0]))
    assert graph.sssp(38).distances[39] == 38


def test_arrays_are_copied():
    source = np.array([0, 1])
    graph = eq.Graph.from_edges(source, [1, 2])
    source[:] = 2
    assert graph.bfs(0).levels.tolist() == [0, 1, 2]


def test_columns_of_pandas_are_arrays():
    table = pd.DataFrame({"a": [0, 1], "b": [1, 2]})
    assert eq.Graph.from_edges(table.a, table.b).edges == 2


@pytest.mark.parametrize(
    ("weight", "kind"),
    [
        (np.array([1, 4294967295], dtype=np.int64), np.uint32),
        (np.array([1, 7], dtype=np.uint8), np.uint32),
        (np.array([0.1, 2], dtype=np.float32), np.float32),
        (np.array([1.0, 4294967295.0]), np.uint32),
        (np.array([0.5, -0.0]), np.float64),
        ([1, 2.5], np.float64),
        ([0.1, 0.7], np.float64),
    ],
)
def test_weights_keep_their_values(weight, kind):
    graph = eq.Graph.from_edges([0, 1], [1, 2], weight, directed=True)
    kept = np.asarray(graph._native.rows()[2])
    assert kept.dtype == kind
    np.testing.assert_array_equal(kept.astype(np.float64), np.asarray(weight, dtype=np.float64))


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -2], r"weight\[1\]` is -2"),
        ([0.5, -2.0], r"weight\[1\]` is -2"),
        ([0.5, np.nan], r"weight\[1\]` is NaN"),
        ([np.inf, 1.0], r"weight\[0\]` is inf"),
        ([1, 2**32], r"weight\[1\]` is 4294967296"),
        (["a", "b"], "expected numbers"),
        ([True, False], "expected numbers"),
        ([1j, 2], "expected numbers"),
        ([1], "weights of edges"),
        ([[1, 2]], "2 dimensions"),
    ],
)
def test_weights_that_cannot_be_kept_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        eq.Graph.from_edges([0, 1], [1, 2], weight)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ([0, 5, -1], [1, 1, 1], r"source\[2\]` is -1"),
        ([0, 5], [1, 2**32], r"target\[1\]` is 4294967296"),
        ([0, 5], [1, 2**32 - 1], r"target\[1\]` is 4294967295"),
        ([0.0], [1], "whole numbers"),
        ([True], [1], "whole numbers"),
        ([0, 1], [1], "targets of edges"),
        ([[0]], [1], "2 dimensions"),
        (["a"], [1], "whole numbers"),
    ],
)
def test_indices_that_are_none_are_refused(source, target, message):
    with pytest.raises(ValueError, match=message):
        eq.Graph.from_edges(source, target)


@pytest.mark.parametrize("vertices", [-1, 2**32, 2**70])
def test_a_number_of_vertices_that_cannot_be_is_refused(vertices):
    with pytest.raises(ValueError, match="`vertices` is"):
        eq.Graph.from_edges([0], [1], vertices=vertices)


def test_a_vertex_beyond_the_given_number_is_an_index_error():
    with pytest.raises(IndexError, match="vertex 7 does not exist"):
        eq.Graph.from_edges([0], [7], vertices=3)


@pytest.mark.parametrize("vertices", [0, 1])
def test_the_smallest_graphs_go_through_every_algorithm(vertices):
    graph = eq.Graph.from_edges([], [], vertices=vertices)
    assert (graph.vertices, graph.edges) == (vertices, 0)
    assert "0 edges" in repr(graph) and "<svg" in graph._repr_html_()
    # A search needs a vertex to start from.
    names = [name for name in eq.algorithms() if vertices or name not in ("bfs", "sssp")]
    for found in [graph.color(), graph.apsp(), *map(graph.run, names)]:
        found.verify()
        found.to_pandas()
    assert graph.apsp().distances.shape == (vertices, vertices)
    if vertices:
        assert graph.bfs(0).levels.tolist() == [0] and graph.sssp(0).path_to(0) == [0]
    else:
        with pytest.raises(IndexError):
            graph.bfs(0)


@pytest.mark.parametrize("below", [False, True])
def test_zeros_that_are_stored_are_entries(below):
    ends = ([1], [0]) if below else ([0], [1])
    matrix = sp.coo_array(([0.0], ends), shape=(2, 2))
    assert eq.Graph.from_scipy(matrix).edges == 1
    with pytest.raises(ValueError, match="not symmetric"):
        eq.Graph.from_scipy(matrix, directed=False)
    both = eq.Graph.from_scipy(sp.coo_array(([0.0, 0.0], ([0, 1], [1, 0])), shape=(2, 2)), directed=False)
    assert both.edges == 1 and both.sssp(0).distances.tolist() == [0, 0]


def test_parallel_entries_are_symmetric_each_by_itself():
    twice = sp.coo_array(([1.0, 1.0, 2.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    with pytest.raises(ValueError, match="not symmetric"):
        eq.Graph.from_scipy(twice, directed=False)
    pairs = sp.coo_array(([1.0, 2.0, 2.0, 1.0, 5.0], ([0, 0, 1, 1, 1], [1, 1, 0, 0, 1])), shape=(2, 2))
    assert eq.Graph.from_scipy(pairs, directed=False).edges == 3


@pytest.mark.parametrize("copy", [False, True])
def test_entries_that_are_false_are_refused(copy):
    matrix = sp.csr_array(([True, False], ([0, 1], [1, 0])), shape=(2, 2))
    with pytest.raises(ValueError, match="eliminate_zeros"):
        eq.Graph.from_scipy(matrix, copy=copy)
    matrix.eliminate_zeros()
    assert eq.Graph.from_scipy(matrix, copy=copy).edges == 1


@pytest.mark.parametrize("weight", [0, "", "km"])
def test_any_name_is_that_of_an_attribute(weight):
    graph = nx.Graph()
    graph.add_edge("a", "b", **({"km": 7} if weight == "km" else {}))
    graph.edges["a", "b"][weight] = 7
    graph.add_edge("b", "c")
    assert eq.Graph.from_networkx(graph, weight=weight).sssp("a").distances.tolist() == [0, 7, 8]


def test_scipy_gives_directed_graphs_and_symmetric_ones():
    matrix = sp.csr_array([[0, 2, 0], [2, 0, 3], [0, 3, 1]])
    both = eq.Graph.from_scipy(matrix, directed=False)
    assert (both.edges, both.directed) == (3, False)
    np.testing.assert_array_equal(both.to_scipy().toarray(), matrix.toarray())
    one_way = eq.Graph.from_scipy(sp.triu(matrix))
    assert one_way.directed and one_way.weighted
    np.testing.assert_array_equal(one_way.to_scipy().toarray(), sp.triu(matrix).toarray())
    assert not eq.Graph.from_scipy(matrix > 0).weighted
    with pytest.raises(ValueError, match="not symmetric"):
        eq.Graph.from_scipy(sp.triu(matrix), directed=False)
    with pytest.raises(ValueError, match="square"):
        eq.Graph.from_scipy(sp.csr_array((2, 3)))


def test_names_that_are_nearly_right_are_answered_with_those_there_are():
    graph = eq.Graph.from_pandas({"a": ["Ulm", "Bonn", "Köln"], "b": ["Bonn", "Kiel", 7]}, "a", "b")
    with pytest.raises(KeyError, match="there is no vertex 'Ulmm'; did you mean 'Ulm'\\?"):
        graph.bfs("Ulmm")
    with pytest.raises(KeyError, match="there is no vertex 8'$"):
        graph.bfs(8)


def test_pandas_names_vertices_by_any_value():
    table = pd.DataFrame({"a": ["x", "y", "x"], "b": ["y", "z", "x"], "km": [1.5, 2.0, 9.0]})
    graph = eq.Graph.from_pandas(table, "a", "b", weight="km", directed=True)
    found = graph.sssp("x")
    assert graph.names == ["x", "y", "z"] and found.path_to("z") == ["x", "y", "z"]
    assert found.to_pandas().set_index("vertex").distances.to_dict() == {"x": 0, "y": 1.5, "z": 3.5}
    assert found.predecessors.tolist() == [0, 0, 1]
    with pytest.raises(KeyError, match="there is no vertex 'w'"):
        graph.bfs("w")
    with pytest.raises(ValueError, match="row 1 has a missing value"):
        eq.Graph.from_pandas(pd.DataFrame({"a": ["x", None], "b": ["y", "z"]}), "a", "b")


def test_networkx_keeps_nodes_and_parallel_edges():
    theirs = nx.MultiDiGraph([((0, 1), "b", {"km": 7}), ((0, 1), "b", {"km": 4}), ("b", None or 3, {})])
    graph = eq.Graph.from_networkx(theirs, weight="km")
    assert (graph.edges, graph.directed) == (3, True)
    assert graph.sssp((0, 1)).distances.tolist() == [0, 4, 5]
    assert graph.bfs((0, 1)).path_to(3) == [(0, 1), "b", 3]
    assert not eq.Graph.from_networkx(theirs).weighted


def test_files_keep_their_ids_and_names(tmp_path):
    roads = tmp_path / "roads.csv"
    roads.write_text("from,to,km\nUlm,Bonn,431\nBonn,Kiel,502\n")
    graph = eq.read(roads, undirected=True)
    assert sorted(graph.names) == ["Bonn", "Kiel", "Ulm"]
    assert graph.sssp("Ulm").path_to("Kiel") == ["Ulm", "Bonn", "Kiel"]
    with pytest.raises(KeyError):
        graph.bfs("Rome")
    sparse = tmp_path / "sparse.txt"
    sparse.write_text("10 700\n700 30\n")
    graph = eq.read(str(sparse))
    assert graph.names.tolist() == [10, 30, 700] and graph.directed
    assert graph.bfs(10).path_to(30) == [10, 700, 30]
    assert graph.bfs_many(np.array([10]))[0].depth == 2
    for vertex in (0, -1, 2**64, "x"):
        with pytest.raises(KeyError):
            graph.bfs(vertex)
    with pytest.raises(TypeError):
        graph.bfs(1.5)


def test_files_that_cannot_be_read_say_why(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        eq.read(tmp_path / "none.mtx")
    assert error.value.filename == str(tmp_path / "none.mtx") and error.value.errno == 2
    with pytest.raises(IsADirectoryError):
        eq.read(tmp_path, format="mtx")
    bad = tmp_path / "bad.mtx"
    bad.write_text("nothing of the kind\n")
    with pytest.raises(ValueError, match="bad.mtx"):
        eq.read(bad)
    with pytest.raises(ValueError, match="unknown format `xlsx`"):
        eq.read(bad, format="xlsx")
    mixed = tmp_path / "mixed.txt"
    mixed.write_text("1 2\nx 3\n")
    with pytest.raises(ValueError, match=r'mixed.txt:2: expected a vertex id .*\(pass ids="names"'):
        eq.read(mixed)
    assert eq.read(mixed, ids="names").edges == 2
    counties = tmp_path / "counties.csv"
    counties.write_text("1001,1021\n1021,01001\n")
    with pytest.raises(ValueError, match=r'counties.csv:2: .* without zeros .*\(pass ids="names" to keep them'):
        eq.read(counties)
    assert eq.read(counties, ids="names").names == ["01001", "1001", "1021"]
    with pytest.raises(ValueError, match="did you mean `path`"):
        eq.generate("pth:n=3")


def test_what_was_guessed_of_a_file_is_told(tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text("# exported\nUlm Bonn {'weight': 3}\nBonn Kiel {}\n")
    expected = [
        "skipped 1 comment line; no header; columns 1, 2; weights from the attributes in 3",
        "1 edge without a weight has 1, as in NetworkX",
    ]
    graph = eq.read(path)
    assert graph.notes == expected and graph.to("cpu").notes == expected
    assert eq.generate("path:n=3").notes == eq.Graph.from_edges([0], [1]).notes == []


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("from,to", "expected a list of columns"),
        (["from"], "found 1"),
        (["from", "to", "km", "id"], "found 4"),
        (["to", "to"], "`to` is to be read as two things"),
    ],
)
def test_columns_are_two_or_three(tmp_path, columns, message):
    path = tmp_path / "roads.csv"
    path.write_text("id,from,to,km\n1,a,b,7\n")
    with pytest.raises(ValueError, match=message):
        eq.read(path, columns=columns)
    assert eq.read(path, columns=["from", "to", "km"]).weighted


def test_what_a_format_does_not_have_is_refused(tmp_path):
    path = tmp_path / "a.el"
    path.write_text("0 1\n")
    for option in ({"ids": "names"}, {"header": False}, {"columns": [2, 1]}):
        with pytest.raises(ValueError, match="the format el has no"):
            eq.read(path, **option)
