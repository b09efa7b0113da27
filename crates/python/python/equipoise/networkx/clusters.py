"""Triangles, clustering and cores."""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .registry import Arguments, function


def _weighted(arguments: Arguments) -> str | None:
    return None if arguments["weight"] is None else "clustering by weights is left to NetworkX"


@function("linear")
def triangles(G: BackendGraph, nodes: Any = None) -> Any:
    return _of_nodes(G, nodes, G.library().triangles(verify=False).counts.tolist())


@function("linear", undirected=True, declines=_weighted)
def clustering(G: BackendGraph, nodes: Any = None, weight: Hashable = None) -> Any:
    counts = G.library().triangles(verify=False).counts.astype(np.int64)
    degrees = _degrees(G)
    pairs = np.where(counts > 0, degrees * (degrees - 1), 1)
    # Without a triangle, NetworkX has a 0 of int.
    return _of_nodes(G, nodes, [share or 0 for share in (2 * counts / pairs).tolist()])


@function("linear", undirected=True, declines=_weighted)
def average_clustering(
    G: BackendGraph, nodes: Any = None, weight: Hashable = None, count_zeros: bool = True
) -> float:
    shares = clustering(G, nodes).values()
    if not count_zeros:
        shares = [share for share in shares if share > 0]
    return sum(shares) / len(shares)


@function("linear", undirected=True)
def transitivity(G: BackendGraph) -> float:
    closed = 2 * int(G.library().triangles(verify=False).counts.sum())
    degrees = _degrees(G)
    return closed / int((degrees * (degrees - 1)).sum()) if closed else 0


@function("linear", undirected=True)
def core_number(G: BackendGraph) -> dict[Any, int]:
    return _cores(G)


def _cores(G: BackendGraph) -> dict[Any, int]:
    if G.is_loop.any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return dict(zip(G.nodes, G.library().kcore().cores.tolist()))


def _own_cores(arguments: Arguments) -> str | None:
    return None if arguments["core_number"] is None else "core numbers that are given are left to NetworkX"


@function("linear", undirected=True, declines=_own_cores)
def k_core(G: BackendGraph, k: int | None = None, core_number: Any = None) -> nx.Graph:
    cores = _cores(G)
    least = max(cores.values()) if k is None else k
    return _subgraph(G, (node for node, core in cores.items() if core >= least))


@function("linear", undirected=True, declines=_own_cores)
def k_shell(G: BackendGraph, k: int | None = None, core_number: Any = None) -> nx.Graph:
    cores = _cores(G)
    wanted = max(cores.values()) if k is None else k
    return _subgraph(G, (node for node, core in cores.items() if core == wanted))


@function("linear", undirected=True, declines=_own_cores)
def k_crust(G: BackendGraph, k: int | None = None, core_number: Any = None) -> nx.Graph:
    cores = _cores(G)
    most = max(cores.values()) - 1 if k is None else k
    return _subgraph(G, (node for node, core in cores.items() if core <= most))


@function("linear", undirected=True, declines=_own_cores)
def k_corona(G: BackendGraph, k: int, core_number: Any = None) -> nx.Graph:
    cores = _cores(G)
    is_inner = np.fromiter((core >= k for core in cores.values()), bool, len(G))
    inner_neighbors = np.bincount(G.arcs[0][is_inner[G.arcs[1]]], minlength=len(G)).tolist()
    found = zip(cores.items(), inner_neighbors)
    return _subgraph(G, (node for (node, core), count in found if core == k == count))


def _subgraph(G: BackendGraph, nodes: Iterator[Any]) -> nx.Graph:
    return G.nx.subgraph(nodes).copy()


def _degrees(G: BackendGraph) -> np.ndarray:
    """The neighbours of each vertex other than itself."""
    return np.bincount(G.arcs[0][~G.is_loop], minlength=len(G))


def _of_nodes(G: BackendGraph, nodes: Any, values: list[Any]) -> Any:
    """The values of all nodes, of some, or of one, as ``nodes`` is given."""
    if nodes is None:
        return dict(zip(G.nodes, values))
    if nodes in G:
        return values[G.vertices[nodes]]
    return {node: values[G.vertices[node]] for node in G.nx.nbunch_iter(nodes)}
