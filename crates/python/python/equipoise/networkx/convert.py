"""Graphs of NetworkX as the library reads them."""

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from .. import _native
from .._graph import Graph
from .._matrix import Matrix
from . import weights
from .weights import Declined, Lengths

NAME = "equipoise"
_LOOKS = ("__contains__", "__getitem__", "__iter__", "__len__", "adj", "adjacency", "degree", "edges", "neighbors", "nodes")
"""What tells of a graph's nodes and edges."""


class BackendGraph:
    """A graph of NetworkX beside the arrays made of it.

    The arrays are made when they are first needed, and are those of the graph as it then is. NetworkX drops what it
    converted when a graph is changed by its methods.
    """

    __networkx_backend__ = NAME

    def __init__(self, graph: nx.Graph) -> None:
        self.nx = graph
        self._made: dict[Any, Any] = {}

    def is_directed(self) -> bool:
        return self.nx.is_directed()

    def is_multigraph(self) -> bool:
        return self.nx.is_multigraph()

    def __len__(self) -> int:
        return len(self.nx)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nx)

    def __contains__(self, node: Any) -> bool:
        return node in self.nx

    @cached_property
    def nodes(self) -> list[Any]:
        """The nodes, in NetworkX's order. A vertex is a place in it."""
        return list(self.nx)

    @cached_property
    def vertices(self) -> dict[Any, int]:
        """The vertex of each node."""
        return {node: vertex for vertex, node in enumerate(self.nodes)}

    @cached_property
    def degrees(self) -> np.ndarray:
        """How many entries the adjacency has for each vertex."""
        return np.fromiter(map(len, self._adjacency()), np.int64, len(self))

    @cached_property
    def arcs(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of each entry of the adjacency, in its order: an undirected edge is there both ways."""
        count = int(self.degrees.sum())
        sources = np.repeat(np.arange(len(self)), self.degrees)
        neighbors: Iterator[Any] = chain.from_iterable(self._adjacency())
        # Nodes that are their own numbers, as of most generators, need not be looked up.
        if set(map(type, self.nodes)) != {int} or self.nodes != list(range(len(self))):
            neighbors = map(self.vertices.__getitem__, neighbors)
        return sources, np.fromiter(neighbors, np.int64, count)

    @cached_property
    def is_edge(self) -> np.ndarray:
        """Which entries of the adjacency are the edges, in the order of ``G.edges``: all of them where directed, or else
        those from the earlier node."""
        sources, targets = self.arcs
        return np.ones(len(sources), dtype=bool) if self.is_directed() else sources <= targets

    @cached_property
    def is_loop(self) -> np.ndarray:
        """Which entries of the adjacency lead from a node to itself."""
        return self.arcs[0] == self.arcs[1]

    @cached_property
    def reversed(self) -> "BackendGraph":
        """The graph with its edges the other way; itself where they lead both ways."""
        return BackendGraph(self.nx.reverse(copy=False)) if self.is_directed() else self

    def attributes(self) -> list[dict[Hashable, Any]]:
        """The attributes of each entry of the adjacency."""
        return list(chain.from_iterable(row.values() for row in self._adjacency()))

    def lengths(self, name: Hashable) -> Lengths:
        """The weights of an attribute, as lengths. Declines those that the library would add up otherwise."""
        return self.once(("lengths", name), lambda: weights.lengths(self.attributes(), name, len(self)))

    def factors(self, name: Hashable) -> np.ndarray:
        """The weights of an attribute, as a matrix has them; ones without an attribute."""
        if name is None:
            return np.ones(len(self.arcs[0]))
        return self.once(("factors", name), lambda: weights.factors(self.attributes(), name))

    def sortable(self, name: Hashable) -> np.ndarray:
        """The weights of an attribute, as they are sorted."""
        return self.once(("sortable", name), lambda: weights.sortable(self.attributes(), name))

    def library(self, weight: Hashable = None, reverse: bool = False) -> Graph:
        """The library's graph, without self-loops: they are on no shortest path and in no triangle, core or tree."""
        reverse = reverse and self.is_directed()

        def make() -> Graph:
            kept = self.is_edge & ~self.is_loop
            values = None if weight is None else self.lengths(weight).values[kept]
            return self.library_of(kept, values, reverse)

        return self.once(("library", weight, reverse), make)

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is made when it is first asked for, and kept as long as the graph; that it is declined is kept, too."""
        if key not in self._made:
            try:
                self._made[key] = make()
            except Declined as declined:
                self._made[key] = declined
        made = self._made[key]
        if isinstance(made, Declined):
            raise Declined(*made.args)
        return made

    def library_of(self, kept: np.ndarray, values: np.ndarray | None, reverse: bool = False) -> Graph:
        """The library's graph of some entries of the adjacency."""
        ends = [end[kept] for end in self.arcs]
        if reverse:
            ends.reverse()
        return Graph.from_edges(ends[0], ends[1], values, self.is_directed(), len(self))

    def transposed_matrix(self, values: np.ndarray) -> Matrix:
        """The sparse matrix with a column for each vertex that has the values of its entries of the adjacency."""
        sources, targets = self.arcs
        by_target = np.argsort(targets, kind="stable")
        counts = np.bincount(targets, minlength=len(self))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
        columns = sources[by_target].astype(np.uint32)
        native = _native.Matrix.from_rows(len(self), offsets, columns, values[by_target])
        return Matrix(native, np.float64)

    def _adjacency(self) -> Any:
        # The dictionaries themselves: looking at them through `G.adj` takes several times as long.
        return self.nx._adj.values()


def looks_as_stored(graph: nx.Graph) -> bool:
    """Whether a graph has the nodes and edges that it stores: a class may show others, as NetworkX's own of complements
    does."""
    plain = nx.DiGraph if graph.is_directed() else nx.Graph
    return all(getattr(type(graph), name) is getattr(plain, name) for name in _LOOKS)


def converted(graph: Any) -> BackendGraph | None:
    """What NetworkX keeps of an earlier conversion of this graph."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    for kept in cache.get("backends", {}).get(NAME, {}).values():
        if isinstance(kept, BackendGraph):
            return kept
    return None


def convert_from_nx(graph: Any, **_: Any) -> BackendGraph:
    """A graph of NetworkX for the backend. All its attributes stay within reach, whichever NetworkX asks for."""
    if isinstance(graph, BackendGraph):
        return graph
    return converted(graph) or BackendGraph(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """A graph of the backend as NetworkX's; anything else as it is."""
    return result.nx if isinstance(result, BackendGraph) else result
