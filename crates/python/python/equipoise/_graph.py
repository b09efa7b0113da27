"""Graphs: how they are made, and what they are."""

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
        """For the package's own use: the class methods, ``read`` and ``generate`` make graphs."""
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
        """A graph of edges in any order: columns of NumPy, pandas, polars or Arrow, or lists.

        Vertices are numbered from 0 on: there are ``vertices`` of them, or one more than the largest. Parallel edges and
        self-loops are kept. Weights are zero or more, and never rounded: whole numbers less than 2³², float32, or float64,
        which algorithms that add weights up take on the cpu, and ``sssp`` on CUDA.

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
        """The graph of a square sparse matrix: an entry is an edge from its row to its column, and its value the weight;
        one of booleans has none. With ``directed=False`` the matrix has to be symmetric.

        With ``copy=False`` the graph shares the arrays of compressed rows (``csr``), for which they have to be sorted and
        without duplicates, and directed. The arrays become read-only; do not write to them through other views.

        >>> import equipoise as eq, scipy.sparse
        >>> eq.Graph.from_scipy(scipy.sparse.eye_array(3, k=1))
        <Graph: 3 vertices, 2 edges, directed, weighted, on cpu>
        """
        rows, columns = matrix.shape
        if rows != columns:
            raise ValueError(f"a graph needs a square matrix: this one is {rows} × {columns}")
        if not copy:
            return cls._of_shared(matrix, directed)
        if not directed:
            if (matrix != matrix.T).nnz:
                raise ValueError("the matrix is not symmetric: leave out `directed=False`")
            import scipy.sparse

            matrix = scipy.sparse.triu(matrix)
        entries = matrix.tocoo()
        weight = None if entries.dtype == bool else entries.data
        return cls.from_edges(entries.row, entries.col, weight, directed, vertices=rows)

    @classmethod
    def _of_shared(cls, matrix: Any, directed: bool) -> "Graph":
        if not directed:
            raise ValueError("`copy=False` is for directed graphs: leave it out, or `directed=False`")
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
        """A graph of a table's rows, an edge each, by the names of its columns. Vertices are called by their values.

        Tables of polars and Arrow and dicts of columns will do, too, and do not need pandas.

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
        """A graph of NetworkX, with its nodes as vertices. ``weight`` is an attribute of edges, 1 where one has none.

        >>> import equipoise as eq, networkx
        >>> graph = eq.Graph.from_networkx(networkx.cycle_graph(["a", "b", "c"]))
        >>> graph.bfs("a").path_to("c")
        ['a', 'c']
        """
        names = list(graph)
        places = {name: place for place, name in enumerate(names)}
        edges = list(graph.edges(data=weight, default=1) if weight else graph.edges())
        sources = [places[edge[0]] for edge in edges]
        targets = [places[edge[1]] for edge in edges]
        weights = [edge[2] for edge in edges] if weight else None
        made = cls.from_edges(sources, targets, weights, graph.is_directed(), len(names))
        return made._named(names)

    def _named(self, names: Sequence[Hashable]) -> "Graph":
        return Graph(self._native, Names(len(names), names))

    def to(self, device: str) -> "Graph":
        """The same graph on a device: ``"cpu"``, ``"cuda"``, ``"wgpu"``, one of several as ``"cuda:1"``, or ``"auto"``.

        What an algorithm reads is copied there when it is first needed, once for all of them.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").to("cpu").device
        'cpu'
        """
        quiet_drivers()
        return Graph(self._native.to(device), self._names)

    @property
    def device(self) -> str:
        """What the algorithms of this graph run on."""
        return self._native.device

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return self._native.vertices

    @property
    def edges(self) -> int:
        """How many edges there are: those of an undirected graph once."""
        return self._native.edges

    @property
    def directed(self) -> bool:
        """Whether edges lead one way."""
        return not self._native.undirected

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return self._native.rows()[2] is not None

    @property
    def names(self) -> Any:
        """What vertices are called, in the order of their numbers: an array of numbers, or a list.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").names
        array([0, 1, 2])
        """
        return self._names.all()

    @property
    def degrees(self) -> np.ndarray:
        """How many edges leave each vertex.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").degrees.tolist()
        [1, 2, 1]
        """
        return np.diff(np.asarray(self._native.rows()[0])).astype(np.int64)

    def to_scipy(self) -> Any:
        """The matrix of the graph: an entry for each edge, both ways where it is undirected; 1 without weights.

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
) -> Graph:
    """A graph from a file, of a format that its name tells, compressed or not; vertices are called as they are there.

    ``undirected`` takes each edge both ways, whatever the file says. For edge lists, GraphML and GML: whether ``ids``
    are ``"numbers"`` or ``"names"``, whether the first line is a ``header``, and the ``columns`` of source, target and
    weight, by name or by number from 1 on.

    >>> import equipoise as eq, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "roads.csv")
    >>> _ = path.write_text("from,to,km\\nUlm,Bonn,431\\nBonn,Kiel,502\\n")
    >>> eq.read(path, undirected=True, columns=["from", "to", "km"]).sssp("Kiel").path_to("Ulm")
    ['Kiel', 'Bonn', 'Ulm']
    >>> folder.cleanup()
    """
    names = None if columns is None else [str(column) for column in columns]
    path = os.fspath(path)
    options = (format, undirected, drop_duplicates, drop_self_loops, ids, header, names)
    native = _native.Graph.read(path, *options)
    return Graph(native, Names.of_file(native))


def generate(spec: str) -> Graph:
    """A graph that a spec describes, as ``equipoise generate --help`` lists them.

    >>> import equipoise as eq
    >>> eq.generate("grid:width=4,height=3")
    <Graph: 12 vertices, 17 edges, undirected, unweighted, on cpu>
    """
    native = _native.Graph.generate(spec)
    return Graph(native, Names.of_file(native))
