"""Columns and tables of any library. Those of polars and Arrow are tried where they are installed; what stands in for them
gives NumPy the same arrays."""

import array
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import equipoise as eq


class Column:
    """A column as polars and Arrow have them: no buffer, and an array of NumPy when NumPy asks for one."""

    def __init__(self, values, kind=None) -> None:
        self._array = np.array(values, dtype=kind)

    def __array__(self, dtype=None, copy=None):
        return self._array.astype(dtype) if dtype is not None else self._array

    def __len__(self) -> int:
        return len(self._array)


class Scalar:
    """A value as Arrow's arrays have them: not equal to the one that it stands for."""

    def __init__(self, value) -> None:
        self._value = value

    def as_py(self):
        return self._value


class ArrowTable:
    """A table that lists its columns as those of Arrow do."""

    def __init__(self, **columns) -> None:
        self._columns = columns

    @property
    def column_names(self):
        return list(self._columns)

    def __getitem__(self, name):
        return self._columns[name]


def arrow_table(**columns):
    def column(values):
        # Arrow gives NumPy objects for text.
        return Column(values, object if isinstance(values[0], str) else None)

    return ArrowTable(**{name: column(values) for name, values in columns.items()})


def dict_table(**columns):
    return columns


def polars_table(**columns):
    return pytest.importorskip("polars").DataFrame(columns)


def pyarrow_table(**columns):
    return pytest.importorskip("pyarrow").table(columns)


def pandas_table(**columns):
    return pd.DataFrame(columns)


def test_columns_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="have 3 and 1 rows"):
        eq.Graph.from_pandas({"a": [1, 2, 3], "b": [4]}, "a", "b")
    with pytest.raises(ValueError, match="weights of edges"):
        eq.Graph.from_pandas({"a": [1, 2], "b": [4, 5], "w": [1]}, "a", "b", "w")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (np.array([2**53 + 1], dtype=np.int64), np.array([2**53], dtype=np.uint64)),
        (np.array([2**53 + 1], dtype=np.int64), np.array([2.0**53])),
        (pd.array([2**53 + 1], dtype="Int64"), np.array([2.0**53])),
    ],
)
def test_ids_of_several_kinds_are_not_rounded(source, target):
    table = pd.DataFrame({"a": source, "b": target})
    assert eq.Graph.from_pandas(table, "a", "b").names == [2**53 + 1, 2**53]
    same = pd.DataFrame({"a": pd.array([7], dtype="Int64"), "b": np.array([7.0])})
    assert eq.Graph.from_pandas(same, "a", "b").vertices == 1


def test_values_that_are_masked_are_missing():
    ends = np.ma.masked_array([1, 2], mask=[False, True])
    with pytest.raises(ValueError, match="row 1 has a missing value"):
        eq.Graph.from_pandas({"a": ends, "b": [3, 4]}, "a", "b")
    whole = np.ma.masked_array([1, 2], mask=False)
    assert eq.Graph.from_pandas({"a": whole, "b": [3, 4]}, "a", "b").edges == 2


any_table = pytest.mark.parametrize("table", [pandas_table, dict_table, arrow_table, polars_table, pyarrow_table])


def edges_of(graph: eq.Graph) -> list[tuple[int, int, float]]:
    matrix = graph.to_scipy().tocoo()
    return sorted(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist()))


@pytest.mark.parametrize("kind", ["uint8", "int32", "int64", "uint64", object])
def test_columns_of_any_library_are_edges(kind):
    ends = Column([0, 1], kind), Column([1, 2], kind)
    graph = eq.Graph.from_edges(*ends, weight=Column([0.5, 1.5]), directed=True)
    assert edges_of(graph) == [(0, 1, 0.5), (1, 2, 1.5)]


def test_buffers_are_edges():
    graph = eq.Graph.from_edges(array.array("i", [0, 1]), memoryview(np.array([1, 2])), directed=True)
    assert edges_of(graph) == [(0, 1, 1), (1, 2, 1)]


@any_table
def test_columns_of_tables_are_edges(table):
    roads = table(a=[0, 1], b=[1, 2], km=[4.5, 7.0])
    assert edges_of(eq.Graph.from_edges(roads["a"], roads["b"], roads["km"], directed=True)) == [(0, 1, 4.5), (1, 2, 7)]


@any_table
def test_tables_name_vertices_by_any_value(table):
    roads = table(a=["Ulm", "Bonn"], b=["Bonn", "Kiel"], km=[431, 502])
    graph = eq.Graph.from_pandas(roads, "a", "b", weight="km")
    assert graph.names == ["Ulm", "Bonn", "Kiel"]
    assert graph.sssp("Kiel").path_to("Ulm") == ["Kiel", "Bonn", "Ulm"]
    assert graph.sssp("Kiel").distances.tolist() == [933, 502, 0]
    graph = eq.Graph.from_pandas(table(a=[70, 5], b=[5, 10**12]), "a", "b", directed=True)
    assert graph.names == [70, 5, 10**12] and not graph.weighted
    assert all(type(name) is int for name in graph.names)
    assert graph.bfs(70).path_to(10**12) == [70, 5, 10**12]


@any_table
def test_missing_names_are_told_by_their_row(table):
    with pytest.raises(ValueError, match="row 1 has a missing value in `a` or `b`"):
        eq.Graph.from_pandas(table(a=["x", "y", "z"], b=["y", None, "x"]), "a", "b")


@pytest.mark.parametrize("table", [pandas_table, dict_table, arrow_table, pyarrow_table])
@pytest.mark.parametrize("asked", [("a", "c"), ("a", "b", "c")])
def test_an_unknown_column_is_answered_with_those_there_are(table, asked):
    with pytest.raises(KeyError, match="there is no column 'c': expected one of 'a', 'b'"):
        eq.Graph.from_pandas(table(a=["x"], b=["y"]), *asked)


def test_tables_of_others_do_not_need_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert eq.Graph.from_pandas({"a": ["x"], "b": ["y"]}, "a", "b").bfs("x").path_to("y") == ["x", "y"]


def test_a_table_of_no_rows_is_a_graph_of_no_vertices():
    for table in (pd.DataFrame({"a": [], "b": []}), {"a": [], "b": []}):
        assert eq.Graph.from_pandas(table, "a", "b").vertices == 0


@pytest.mark.parametrize(
    "column",
    [
        # What NumPy gets of whole numbers of which one is missing, from polars and Arrow.
        Column([0.0, np.nan]),
        pd.Series([0, None], dtype="Int64"),
        np.ma.array([0, 1], mask=[False, True]),
        [0, float("nan")],
    ],
)
def test_a_missing_vertex_is_told_by_its_place(column):
    with pytest.raises(ValueError, match=r"`target\[1\]` is missing"):
        eq.Graph.from_edges([1, 2], column)


def test_a_masked_weight_is_missing():
    with pytest.raises(ValueError, match=r"`weight\[0\]` is missing"):
        eq.Graph.from_edges([0, 1], [1, 2], weight=np.ma.array([9.0, 1.0], mask=[True, False]))
    complete = np.ma.array([9.0, 1.0], mask=False)
    assert eq.Graph.from_edges([0, 1], [1, 2], complete).sssp(0).distances.tolist() == [0, 9, 10]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (["x", "y"], "expected whole numbers; `Graph.from_pandas` takes names"),
        (Column(["x", "y"], object), r"`source\[0\]` is 'x': expected whole numbers; `Graph.from_pandas` takes names"),
        ([0, None], r"`source\[1\]` is None"),
        (Column([0, True], object), r"`source\[1\]` is True"),
        ([0, 2**70], r"`source\[1\]` is 1180591620717411303424: expected at most 64 bits"),
        ([0, -(2**70)], r"`source\[1\]` is -1180591620717411303424"),
        ((vertex for vertex in (0, 1)), "`source` is a generator: expected an array"),
        ("source", "`source` is a str: expected an array"),
        ([[0], [1, 2]], "`source` is not an array"),
    ],
)
def test_what_is_no_column_of_vertices_says_so(source, message):
    with pytest.raises(ValueError, match=message):
        eq.Graph.from_edges(source, [1, 2])


def test_a_weight_that_would_be_rounded_is_refused():
    with pytest.raises(ValueError, match=r"`weight\[1\]` is Decimal\('2.5'\)"):
        eq.Graph.from_edges([0, 1], [1, 2], weight=[1, Decimal("2.5")])
    mixed = pd.Series([1, 2.5], dtype=object)
    assert eq.Graph.from_edges([0, 1], [1, 2], weight=mixed).sssp(0).distances.tolist() == [0, 1, 3.5]


def test_values_of_arrow_are_names():
    graph = eq.Graph.from_pandas({"a": ["x", "y"], "b": ["y", "z"]}, "a", "b")
    assert graph.bfs(Scalar("x")).path_to(Scalar("z")) == ["x", "y", "z"]
    assert [found.depth for found in graph.bfs_many([Scalar("x"), Scalar("y")])] == [2, 1]
    assert eq.generate("path:n=3").bfs(Scalar(2)).levels.tolist() == [2, 1, 0]
