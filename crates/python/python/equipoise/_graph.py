"""Graphs: construction and properties."""

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _native, _shared, _tables
from ._algorithms import Algorithms
from ._devices import quiet_drivers
from ._names import Names
from ._show import graph_html

if TYPE_CHECKING:
    import networkx


class Graph(Algorithms):
    """A graph on a device, with its algorithms as methods.

    >>> import equipoise as eq
    >>> graph = eq.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    >>> graph
    <Graph: 3 vertices, 3 edges, directed, unweighted, on cpu>
    >>> graph.vertices, graph.edges, graph.directed, graph.weighted
    (3, 3, True, False)
    """

    def __init__(self, native: _native.Graph, names: Names) -> None:
        """Internal: use the class methods, ``read`` or ``generate``."""
        self._native = native
        self._names = names

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any,
        weight: Any = None,
        directed: bool = False,
        vertices: int | None = None,
    ) -> "Graph":
        """Creates a graph from edges in any order: columns of NumPy, pandas, polars or Arrow, or lists.

        Vertices are numbered from 0; their number is ``vertices``, or one more than the largest. Parallel edges and
        self-loops are kept. Weights are non-negative, and never rounded: whole numbers less than 2³², float32, or
        float64, whose sums are available on the cpu, and for ``sssp`` on CUDA.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 0], [1, 2], weight=[2.5, 1.0], vertices=5)
        <Graph: 5 vertices, 2 edges, undirected, weighted, on cpu>
        """
        ends = _arrays.indices(source, "source"), _arrays.indices(target, "target")
        weights = None if weight is None else _arrays.numbers(weight, "weight")
        if vertices is not None and not 0 <= vertices < 2**32:
            raise ValueError(f"`vertices` is {vertices}: expected a number from 0 to 2³² − 1")
        native = _native.Graph.from_edges(*ends, weights, not directed, vertices)
        return cls(native, Names(native.vertices))

    @classmethod
    def from_scipy(cls, matrix: Any, directed: bool = True, copy: bool = True) -> "Graph":
        """Creates the graph of a square sparse matrix: an entry is an edge from its row to its column, weighted by its
        value; a boolean matrix has no weights. Duplicate entries are parallel edges, and stored zeros are edges. With
        ``directed=False`` the matrix must be symmetric.

        With ``copy=False`` the graph shares the arrays of compressed rows (``csr``), which must be sorted and without
        duplicates; the graph must be directed. The arrays become read-only; do not write to them through other views.

        >>> import equipoise as eq, scipy.sparse
        >>> eq.Graph.from_scipy(scipy.sparse.eye_array(3, k=1))
        <Graph: 3 vertices, 2 edges, directed, weighted, on cpu>
        """
        rows, columns = matrix.shape
        if rows != columns:
            raise ValueError(f"a graph needs a square matrix: this one is {rows} × {columns}")
        if not copy:
            return cls._from_shared(matrix, directed)
        entries = matrix.tocoo()
        row, column, values = entries.row, entries.col, entries.data
        _check_true(values)
        if not directed:
            if not _is_symmetric(row, column, values):
                raise ValueError("the matrix is not symmetric: leave out `directed=False`")
            is_upper = row <= column
            row, column, values = row[is_upper], column[is_upper], values[is_upper]
        weight = None if entries.dtype == bool else values
        return cls.from_edges(row, column, weight, directed, vertices=rows)

    @classmethod
    def _from_shared(cls, matrix: Any, directed: bool) -> "Graph":
        if not directed:
            raise ValueError("`copy=False` is for directed graphs: leave it out, or `directed=False`")
        if getattr(matrix, "format", None) == "csr":
            _check_true(matrix.data)
        with _shared.flags_restored_on_failure(matrix):
            rows = _shared.rows(matrix)
            weights = None if matrix.dtype == bool else _shared.values(matrix.data)
            native = _native.Graph.from_shared_rows(rows, weights, matrix.shape[0])
        return cls(native, Names(native.vertices))

    @classmethod
    def from_pandas(
        cls,
        table: Any,
        source: Hashable,
        target: Hashable,
        weight: Hashable | None = None,
        directed: bool = False,
    ) -> "Graph":
        """Creates a graph from a table with one edge per row, by the names of its columns, whose values name the vertices.

        Tables of polars and Arrow and dicts of columns are accepted, too, and do not require pandas.

        >>> import equipoise as eq, pandas
        >>> roads = pandas.DataFrame({"from": ["Ulm", "Bonn"], "to": ["Bonn", "Kiel"], "km": [431, 502]})
        >>> graph = eq.Graph.from_pandas(roads, "from", "to", weight="km")
        >>> graph.sssp("Ulm").path_to("Kiel")
        ['Ulm', 'Bonn', 'Kiel']
        """
        codes, names = _tables.numbered(_tables.column(table, source), _tables.column(table, target))
        rows = len(codes) // 2
        if (codes < 0).any():
            row = int(np.argmax(codes < 0)) % rows
            raise ValueError(f"row {row} has a missing value in `{source}` or `{target}`")
        weights = None if weight is None else _tables.column(table, weight)
        graph = cls.from_edges(codes[:rows], codes[rows:], weights, directed, len(names))
        return graph._named(names)

    @classmethod
    def from_networkx(cls, graph: "networkx.Graph", weight: str | None = None) -> "Graph":
        """Converts a NetworkX graph; its nodes name the vertices. ``weight`` is an attribute of edges, with default 1.

        >>> import equipoise as eq, networkx
        >>> graph = eq.Graph.from_networkx(networkx.cycle_graph(["a", "b", "c"]))
        >>> graph.bfs("a").path_to("c")
        ['a', 'c']
        """
        names = list(graph)
        numbers = {name: number for number, name in enumerate(names)}
        is_weighted = weight is not None
        edges = list(graph.edges(data=weight, default=1) if is_weighted else graph.edges())
        sources = [numbers[edge[0]] for edge in edges]
        targets = [numbers[edge[1]] for edge in edges]
        weights = [edge[2] for edge in edges] if is_weighted else None
        converted = cls.from_edges(sources, targets, weights, graph.is_directed(), len(names))
        return converted._named(names)

    def _named(self, names: Sequence[Hashable]) -> "Graph":
        return Graph(self._native, Names(len(names), names))

    def to(self, device: str) -> "Graph":
        """The same graph on a device: ``"cpu"``, ``"cuda"``, ``"wgpu"``, one of several as ``"cuda:1"``, or ``"auto"``.

        Data is copied to the device when an algorithm first needs it, and cached. ``"auto"`` is the cpu if weights are
        float64 and the GPU cannot add them.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").to("cpu").device
        'cpu'
        """
        quiet_drivers()
        return Graph(self._native.to(device), self._names)

    @property
    def device(self) -> str:
        """The device that the algorithms of this graph run on."""
        return self._native.device

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return self._native.vertices

    @property
    def edges(self) -> int:
        """The number of edges; each undirected edge counts once."""
        return self._native.edges

    @property
    def directed(self) -> bool:
        """Whether the graph is directed."""
        return not self._native.undirected

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return self._native.rows()[2] is not None

    @property
    def names(self) -> Any:
        """The names of the vertices, in the order of their numbers: an array of numbers, or a list.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").names
        array([0, 1, 2])
        """
        return self._names.all()

    @property
    def notes(self) -> list[str]:
        """What the reader guessed about the file, such as whether it has a header.

        >>> import equipoise as eq, pathlib, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(folder.name, "roads.csv")
        >>> _ = path.write_text("from,to,km\\nUlm,Bonn,431\\n")
        >>> eq.read(path).notes
        ['header "from,to,km"; columns 1, 2; weights from 3']
        >>> folder.cleanup()
        """
        return self._native.notes()

    @property
    def degrees(self) -> np.ndarray:
        """The out-degree of each vertex.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").degrees.tolist()
        [1, 2, 1]
        """
        return np.diff(np.asarray(self._native.rows()[0])).astype(np.int64)

    def to_scipy(self) -> Any:
        """The adjacency matrix: an entry per edge, in both directions if undirected, with its weight or 1.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").to_scipy().toarray().tolist()
        [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
        """
        import scipy.sparse

        offsets, columns, weights = self._native.rows()
        values = np.ones(len(np.asarray(columns))) if weights is None else np.asarray(weights)
        parts = (values.astype(np.float64), np.asarray(columns), np.asarray(offsets))
        return scipy.sparse.csr_array(parts, shape=(self.vertices, self.vertices))

    def __repr__(self) -> str:
        facts = ", ".join(f"{value} {name}".strip() for name, value in self._facts())
        return f"<Graph: {facts}, on {self.device}>"

    def _repr_html_(self) -> str:
        sizes = {"vertices": f"{self.vertices:,}", "edges": f"{self.edges:,}"}
        kind = ", ".join(value for name, value in self._facts() if not name)
        return graph_html({**sizes, "kind": kind, "device": self.device}, self.degrees)

    def _facts(self) -> list[tuple[str, str]]:
        return [
            ("vertices", str(self.vertices)),
            ("edges", str(self.edges)),
            ("", "directed" if self.directed else "undirected"),
            ("", "weighted" if self.weighted else "unweighted"),
        ]


def _check_true(values: np.ndarray) -> None:
    """Rejects stored entries that are ``False``: they would become edges."""
    if values.dtype == bool and not values.all():
        raise ValueError("the matrix has entries that are False: leave them out, by `matrix.eliminate_zeros()`")


def _is_symmetric(row: np.ndarray, column: np.ndarray, values: np.ndarray) -> bool:
    """Whether each entry, including stored zeros, has a mirrored entry with the same multiplicity and value."""
    forward = np.lexsort((values, column, row))
    mirrored = np.lexsort((values, row, column))
    pairs = ((row, column), (column, row), (values, values))
    return all(np.array_equal(one[forward], other[mirrored]) for one, other in pairs)


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    undirected: bool = False,
    drop_duplicates: bool = False,
    drop_self_loops: bool = False,
    ids: str = "auto",
    header: bool | None = None,
    columns: Iterable[str | int] | None = None,
    weights: str = "auto",
) -> Graph:
    """Reads a graph from a file, compressed or not. The format is detected by content or extension.

    ``undirected`` makes each edge stand for both directions, regardless of the file. For edge lists, GraphML and GML:
    ``ids`` are ``"numbers"`` or ``"names"``, ``header`` states whether the first line is one, and ``columns`` are source,
    target and weight, by name or by number from 1 on. ``weights`` are read as ``"u32"``, ``"f32"`` or ``"f64"``; the default
    is the type stated in the file, or else u32 for whole numbers and f64 for others, which not every GPU can add.
    ``Graph.notes`` lists what was guessed.

    >>> import equipoise as eq, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "roads.csv")
    >>> _ = path.write_text("from,to,km\\nUlm,Bonn,431\\nBonn,Kiel,502\\n")
    >>> eq.read(path, undirected=True, columns=["from", "to", "km"]).sssp("Kiel").path_to("Ulm")
    ['Kiel', 'Bonn', 'Ulm']
    >>> folder.cleanup()
    """
    if isinstance(columns, (str, bytes)):
        raise ValueError(f"`columns` is {columns!r}: expected a list of columns, such as ['from', 'to', 'km']")
    names = None if columns is None else [str(column) for column in columns]
    path = os.fspath(path)
    options = (format, undirected, drop_duplicates, drop_self_loops, ids, header, names, weights)
    native = _native.Graph.read(path, *options)
    return Graph(native, Names.from_file(native))


def generate(spec: str, *, weights: str = "auto") -> Graph:
    """Generates a graph from a spec, as listed by ``equipoise generate --help``. ``weights`` is as in ``read``.

    >>> import equipoise as eq
    >>> eq.generate("grid:width=4,height=3")
    <Graph: 12 vertices, 17 edges, undirected, unweighted, on cpu>
    >>> eq.generate("path:n=1001,weights=0.1..0.1").sssp(0).distances[1000].round(9)
    np.float64(100.0)
    """
    native = _native.Graph.generate(spec, weights)
    return Graph(native, Names.from_file(native))
