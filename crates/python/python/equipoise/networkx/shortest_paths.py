"""Lengths of shortest paths, and what is made of them."""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .distances import blocks, is_whole, matrix
from .registry import Arguments, check_one_kind, function
from .weights import Declined

_BY_SEARCH = ("unweighted", "dijkstra", "bellman-ford")
_BY_MATRIX = ("floyd-warshall", "floyd-warshall-numpy")


def _own_lengths(arguments: Arguments) -> str | None:
    return None if arguments["sp"] is None else "lengths that are given are left to NetworkX"


def _own_eccentricities(arguments: Arguments) -> str | None:
    if arguments["e"] is not None:
        return "eccentricities that are given are left to NetworkX"
    return "bounds are left to NetworkX" if arguments["usebounds"] else None


def _by_matrix(arguments: Arguments) -> str | None:
    return "this method is left to NetworkX" if arguments["method"] in _BY_MATRIX else None


def _given(arguments: Arguments) -> str | None:
    if arguments["sp"] is not None:
        return "lengths that are given are left to NetworkX"
    return None if arguments["attr"] is None else "attributes of nodes are written by NetworkX only"


def _check_whole(graph: BackendGraph, weight: Hashable) -> None:
    """Declines floats: which sums of lengths are equal depends on how they are rounded."""
    if not graph.lengths(weight).whole:
        raise Declined("weights are of float: which sums of lengths are equal depends on their order")


def _check_given(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights of int beside those of float, or beside missing ones: for these, ``floyd_warshall`` has a 1.0."""
    lengths = graph.lengths(weight)
    if int in lengths.kinds and (float in lengths.kinds or lengths.missing > 0):
        raise Declined("some weights are of int and some of float, or missing: lengths would be of both")
    if not lengths.whole and (lengths.values[graph.is_loop] == 0).any():
        # The length from a node to itself is then this 0.0, and not the 0 of int that others have.
        raise Declined("a loop has a weight of 0.0: lengths would be of int and of float")


@function("pairs", weight="weight", check_weights=check_one_kind, declines=_own_lengths)
def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: Hashable = None) -> Any:
    nodes = list(G.nx.nbunch_iter(v))
    found: list[Any] = []
    for block in blocks(G, weight, [G.vertices[node] for node in nodes]):
        largest = block.lengths.max(axis=1)
        if np.isinf(largest).any():
            kind = "digraph is not strongly" if G.is_directed() else "graph is not"
            raise nx.NetworkXError(f"Found infinite path length because the {kind} connected")
        # Where all are zero, the largest is the 0 of int that NetworkX's search starts with.
        found.extend(length or 0 for length in _numbers(largest, is_whole(G, weight)))
    values = dict(zip(nodes, found))
    return values[v] if v in G else values


@function("pairs", weight="weight", check_weights=check_one_kind, declines=_own_eccentricities)
def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Hashable = None) -> Any:
    return max(eccentricity(G, weight=weight).values())


@function("pairs", weight="weight", check_weights=check_one_kind, declines=_own_eccentricities)
def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Hashable = None) -> Any:
    return min(eccentricity(G, weight=weight).values())


@function("pairs", weight="weight", check_weights=check_one_kind, declines=_own_eccentricities)
def center(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Hashable = None) -> list[Any]:
    if weight is None and _is_tree(G):
        return nx.center(G.nx, backend="networkx")
    return _with_eccentricity(G, weight, min)


@function("pairs", weight="weight", check_weights=check_one_kind, declines=_own_eccentricities)
def periphery(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Hashable = None) -> list[Any]:
    return _with_eccentricity(G, weight, max)


@function("pairs", weight="weight", check_weights=_check_whole, declines=_given)
def barycenter(G: BackendGraph, weight: Hashable = None, attr: Any = None, sp: Any = None) -> list[Any]:
    if weight is None and _is_tree(G):
        return nx.barycenter(G.nx, backend="networkx")
    sums = np.concatenate([np.zeros(0), *(block.lengths.sum(axis=1) for block in blocks(G, weight))])
    if np.isinf(sums).any():
        raise nx.NetworkXNoPath(
            f"Input graph {G.nx} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    return [G.nodes[vertex] for vertex in np.flatnonzero(sums == sums.min(initial=np.inf)).tolist()]


@function("pairs", weight="weight", declines=_by_matrix)
def average_shortest_path_length(
    G: BackendGraph, weight: Hashable = None, method: str | None = None
) -> float:
    if method is None:
        method = "unweighted" if weight is None else "dijkstra"
    if method not in _BY_SEARCH:
        raise ValueError(f"method not supported: {method}")
    if len(G) == 0:
        text = "the null graph has no paths, thus there is no average shortest path length"
        raise nx.NetworkXPointlessConcept(text)
    if len(G) == 1:
        return 0
    total = 0
    measured = None if method == "unweighted" else weight
    for block in blocks(G, measured):
        sums = block.lengths.sum(axis=1)
        if np.isinf(sums).any():
            strongly = "strongly " if G.is_directed() else ""
            raise nx.NetworkXError(f"Graph is not {strongly}connected.")
        total += sum(map(int, sums)) if is_whole(G, measured) else sum(sums.tolist())
    return total / (len(G) * (len(G) - 1))


@function("matrix", weight="weight")
def floyd_warshall_numpy(
    G: BackendGraph, nodelist: Any = None, weight: Hashable = "weight"
) -> np.ndarray:
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    if nodelist is not None and (others := set(nodelist) - set(G.nodes)):
        raise nx.NetworkXError(f"Nodes {others} in nodelist is not in G")
    return matrix(G, weight, None if nodelist is None else [G.vertices[node] for node in nodelist])


@function("pairs", weight="weight", check_weights=_check_given)
def floyd_warshall(G: BackendGraph, weight: Hashable = "weight") -> dict[Any, dict[Any, float]]:
    # Without the attribute, an edge counts 1.0, of float.
    whole = weight is not None and G.lengths(weight).whole and G.lengths(weight).missing == 0
    result = {}
    for source, lengths in enumerate(matrix(G, weight)):
        values = _numbers(lengths, whole)
        values[source] = 0
        row: dict[Any, float] = defaultdict(_infinite)
        row.update((G.nodes[vertex], values[vertex]) for vertex in _first(G, source))
        row.update(zip(G.nodes, values))
        result[G.nodes[source]] = row
    return result


def _is_tree(G: BackendGraph) -> bool:
    """Whether NetworkX has an algorithm for trees, which finds nodes in its own order."""
    return not G.is_directed() and nx.is_tree(G.nx, backend="networkx")


def _with_eccentricity(G: BackendGraph, weight: Hashable, choose: Callable[..., Any]) -> list[Any]:
    found = eccentricity(G, weight=weight)
    chosen = choose(found.values())
    return [node for node, value in found.items() if value == chosen]


def _infinite() -> float:
    return math.inf


def _first(G: BackendGraph, source: int) -> list[int]:
    """The vertices that are first in a row of ``floyd_warshall``: the node itself, then its neighbours as ``G.edges`` has
    them."""
    end = int(G.degrees[: source + 1].sum())
    neighbors = G.arcs[1][end - int(G.degrees[source]) : end]
    if not G.is_directed():
        is_earlier = neighbors < source
        neighbors = np.concatenate([np.sort(neighbors[is_earlier]), neighbors[~is_earlier]])
    return [source, *neighbors.tolist()]


def _numbers(lengths: np.ndarray, whole: bool) -> list[Any]:
    """Lengths as Python's numbers, those that are infinite of float."""
    if not whole:
        return lengths.tolist()
    if np.isfinite(lengths).all():
        return lengths.astype(np.int64).tolist()
    return [int(length) if length < math.inf else length for length in lengths.tolist()]
