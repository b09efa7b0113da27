"""Spanning trees.

Kruskal's algorithm takes edges by weight, and those of one weight in the order of the graph. The library gets the place of
each edge in this order for its weight: no two are the same, so that there is one lightest tree, which is NetworkX's.
"""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .registry import Arguments, function


def _other_algorithm(arguments: Arguments) -> str | None:
    if arguments["algorithm"] == "kruskal":
        return None
    return "the order in which this algorithm finds edges is left to NetworkX: expected kruskal"


def _check_order(graph: BackendGraph, weight: Hashable) -> None:
    graph.sortable(weight)


@function("light", weight="weight", check_weights=_check_order, declines=_other_algorithm)
def minimum_spanning_edges(
    G: BackendGraph,
    algorithm: str = "kruskal",
    weight: Hashable = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple[Any, ...]]:
    return _spanning_edges(G, weight, data, maximum=False)


@function("light", weight="weight", check_weights=_check_order, declines=_other_algorithm)
def maximum_spanning_edges(
    G: BackendGraph,
    algorithm: str = "kruskal",
    weight: Hashable = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple[Any, ...]]:
    return _spanning_edges(G, weight, data, maximum=True)


@function("light", weight="weight", check_weights=_check_order, declines=_other_algorithm)
def minimum_spanning_tree(
    G: BackendGraph, weight: Hashable = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> nx.Graph:
    return _tree(G, _spanning_edges(G, weight, data=True, maximum=False))


@function("light", weight="weight", check_weights=_check_order, declines=_other_algorithm)
def maximum_spanning_tree(
    G: BackendGraph, weight: Hashable = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> nx.Graph:
    return _tree(G, _spanning_edges(G, weight, data=True, maximum=True))


def _tree(G: BackendGraph, edges: Iterator[tuple[Any, ...]]) -> nx.Graph:
    """A graph of the same class, with all nodes and the attributes of all."""
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    tree = type(G.nx)()
    tree.graph.update(G.nx.graph)
    tree.add_nodes_from(G.nx.nodes.items())
    tree.add_edges_from(edges)
    return tree


def _spanning_edges(
    G: BackendGraph, weight: Hashable, data: bool, maximum: bool
) -> Iterator[tuple[Any, ...]]:
    attributes = G.attributes()
    edges = np.flatnonzero(G.is_edge & ~G.is_loop)
    values = G.sortable(weight)[edges]
    order = _descending(values) if maximum else np.argsort(values, kind="stable")
    places = np.empty(len(edges), dtype=np.uint32)
    places[order] = np.arange(len(edges))
    found = G.library_of(edges, places).mst()
    sources, targets = G.arcs
    for edge in edges[order[np.sort(found.weights).astype(np.int64)]].tolist():
        ends = G.nodes[sources[edge]], G.nodes[targets[edge]]
        yield (*ends, attributes[edge]) if data else ends


def _descending(values: np.ndarray) -> np.ndarray:
    """The places of the largest first, and of those that are the same in their order."""
    return len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]
