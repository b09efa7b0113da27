"""Arrays that are shared with SciPy: the same results as from copies, and no way to change what is shared."""

import gc

import numpy as np
import pytest

import equipoise as eq

sp = pytest.importorskip("scipy.sparse")


def random_rows(dtype="float64", index="int32"):
    matrix = sp.random_array((60, 60), density=0.1, format="csr", rng=np.random.default_rng(7))
    matrix = sp.csr_array((matrix.data.astype(dtype), matrix.indices.astype(index), matrix.indptr.astype(index)))
    matrix.sum_duplicates()
    return matrix


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_a_graph_shares_rows(dtype, index):
    matrix = random_rows(dtype, index)
    shared, copied = eq.Graph.from_scipy(matrix, copy=False), eq.Graph.from_scipy(matrix)
    assert shared.sssp(0).distances.tolist() == copied.sssp(0).distances.tolist()
    assert shared.pagerank().ranks.tolist() == copied.pagerank().ranks.tolist()
    with pytest.raises(ValueError, match="read-only"):
        matrix.data[0] = 2.0
    # Columns of 64 bits are copied: a graph's have 32.
    assert matrix.indices.flags.writeable == (index == "int64")


def test_what_is_shared_lives_as_long_as_the_graph():
    matrix = random_rows()
    expected = eq.Graph.from_scipy(matrix).bfs(0).levels.tolist()
    graph = eq.Graph.from_scipy(matrix, copy=False)
    del matrix
    gc.collect()
    noise = [np.full(600, 7, dtype=np.int32) for _ in range(200)]
    assert graph.bfs(0).levels.tolist() == expected
    assert len(noise) == 200


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_matrix_shares_rows(dtype):
    matrix = random_rows(dtype)
    x = np.arange(60, dtype=dtype)
    np.testing.assert_array_equal(eq.Matrix.from_scipy(matrix, copy=False) @ x, eq.Matrix.from_scipy(matrix) @ x)
    assert not matrix.data.flags.writeable and not matrix.indices.flags.writeable


def test_booleans_are_no_weights():
    matrix = sp.csr_array(np.array([[False, True], [False, False]]))
    assert not eq.Graph.from_scipy(matrix, copy=False).weighted


def test_what_cannot_be_shared_is_refused():
    matrix = random_rows()
    with pytest.raises(ValueError, match="csr"):
        eq.Graph.from_scipy(matrix.tocoo(), copy=False)
    with pytest.raises(ValueError, match="directed"):
        eq.Graph.from_scipy(matrix, directed=False, copy=False)
    with pytest.raises(ValueError, match="int64"):
        eq.Graph.from_scipy(sp.csr_array(np.array([[0, 1], [1, 0]])), copy=False)
    twice = sp.csr_array((np.ones(2), np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
    with pytest.raises(ValueError, match="duplicates"):
        eq.Matrix.from_scipy(twice, copy=False)
    below = sp.csr_array(np.array([[0.0, -1.0], [0.0, 0.0]]))
    with pytest.raises(ValueError, match=r"weight\[0\]"):
        eq.Graph.from_scipy(below, copy=False)


def unsorted():
    matrix = random_rows()
    matrix.indices[0], matrix.has_canonical_format = 59, True
    return matrix


def negative():
    matrix = random_rows()
    matrix.data[0] = -1.0
    return matrix


@pytest.mark.parametrize(
    ("make", "share"),
    [
        (unsorted, eq.Graph.from_scipy),
        (unsorted, eq.Matrix.from_scipy),
        (negative, eq.Graph.from_scipy),
        (lambda: random_rows("int64"), eq.Graph.from_scipy),
    ],
)
def test_arrays_that_are_not_shared_can_be_written_to(make, share):
    matrix = make()
    matrix.indptr.flags.writeable = False
    with pytest.raises(ValueError):
        share(matrix, copy=False)
    assert matrix.data.flags.writeable and matrix.indices.flags.writeable
    assert not matrix.indptr.flags.writeable, "it was not before"


@pytest.mark.parametrize("to", [0, 2**31 - 1])
def test_arrays_that_change_nonetheless_give_an_error_or_a_result(to):
    matrix = random_rows()
    views = matrix.indices[:], matrix.indptr[:]
    graph, product = eq.Graph.from_scipy(matrix, copy=False), eq.Matrix.from_scipy(matrix, copy=False)
    for view in views:
        view[1:-1] = to
    ask = [
        lambda: graph.bfs(0),
        lambda: graph.sssp(0),
        lambda: graph.pagerank(),
        lambda: graph.components(),
        lambda: graph.triangles(),
        lambda: graph.communities(),
        lambda: product @ np.ones(60),
    ]
    for run in ask:
        try:
            run()
        except (ValueError, OverflowError, eq.Error) as error:
            assert "a defect" not in str(error)


def test_columns_that_are_none_are_refused():
    matrix = sp.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]]))
    matrix.indices[0] = -1
    with pytest.raises((eq.Error, ValueError), match="less than 2"):
        eq.Graph.from_scipy(matrix, copy=False)


def test_empty():
    assert eq.Graph.from_scipy(sp.csr_array((3, 3)), copy=False).edges == 0
