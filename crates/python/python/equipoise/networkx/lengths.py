"""Lengths of shortest paths by Dijkstra's algorithm.

A search without weights takes NetworkX less time than putting nodes in its order takes here: such functions are left to it.
"""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx

from .convert import BackendGraph
from .distances import blocks, is_whole
from .registry import Arguments, check_one_kind, function
from .searches import check_order, check_sources, declines_iterators, search, searches


@function("light", weight="weight", check_weights=check_one_kind)
def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: Hashable = "weight") -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    [block] = blocks(G, weight, [G.vertices[source]])
    vertex = G.vertices.get(target)
    if vertex is None or block.lengths[0, vertex] == float("inf"):
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    length = block.lengths[0, vertex].item()
    return int(length) if is_whole(G, weight) else length


@function("light", weight="weight", check_weights=check_order)
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, Any]:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


@function("light", weight="weight", check_weights=check_order, declines=declines_iterators)
def multi_source_dijkstra_path_length(
    G: BackendGraph, sources: Any, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, Any]:
    check_sources(G, sources)
    found = search(G, weight, sources, cutoff)
    if found is None:
        return nx.multi_source_dijkstra_path_length(G.nx, sources, cutoff, weight, backend="networkx")
    return found.lengths()


@function("pairs", weight="weight", check_weights=check_order)
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: Any = None, weight: Hashable = "weight"
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    for node, found in searches(G, weight, cutoff):
        yield node, found.lengths()


def _other_method(arguments: Arguments) -> str | None:
    if arguments["weight"] is None:
        return "a search without weights takes NetworkX no longer"
    return "this method is left to NetworkX" if arguments["method"] == "bellman-ford" else None


# With a weight, and light: NetworkX's own function calls those above, and gains where they do.
@function("light", weight="weight", check_weights=check_order, declines=_other_method)
def shortest_path_length(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Hashable = None, method: str = "dijkstra"
) -> Any:
    if method != "dijkstra":
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        return all_pairs_dijkstra_path_length(G, weight=weight)
    if source is None:
        return single_source_dijkstra_path_length(G.reversed, target, weight=weight)
    if target is None:
        return single_source_dijkstra_path_length(G, source, weight=weight)
    return dijkstra_path_length(G, source, target, weight)
