"""Shortest paths by Dijkstra's algorithm: of paths that are equally long, those that NetworkX finds."""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx

from .convert import BackendGraph
from .registry import Arguments, function
from .searches import check_order, check_sources, declines_iterators, search, searches


@function("light", weight="weight", check_weights=check_order)
def dijkstra_path(G: BackendGraph, source: Any, target: Any, weight: Hashable = "weight") -> list[Any]:
    return single_source_dijkstra(G, source, target, weight=weight)[1]


@function("light", weight="weight", check_weights=check_order)
def single_source_dijkstra(
    G: BackendGraph, source: Any, target: Any = None, cutoff: Any = None, weight: Hashable = "weight"
) -> tuple[Any, Any]:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@function("light", weight="weight", check_weights=check_order)
def single_source_dijkstra_path(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, list[Any]]:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@function("light", weight="weight", check_weights=check_order, declines=declines_iterators)
def multi_source_dijkstra(
    G: BackendGraph, sources: Any, target: Any = None, cutoff: Any = None, weight: Hashable = "weight"
) -> tuple[Any, Any]:
    check_sources(G, sources)
    if target in sources:
        return 0, [target]
    found = search(G, weight, sources, cutoff)
    if found is None:
        return nx.multi_source_dijkstra(G.nx, sources, target, cutoff, weight, backend="networkx")
    return (found.lengths(), found.paths()) if target is None else found.to(target)


@function("light", weight="weight", check_weights=check_order, declines=declines_iterators)
def multi_source_dijkstra_path(
    G: BackendGraph, sources: Any, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, list[Any]]:
    return multi_source_dijkstra(G, sources, None, cutoff, weight)[1]


@function("pairs", weight="weight", check_weights=check_order)
def all_pairs_dijkstra(
    G: BackendGraph, cutoff: Any = None, weight: Hashable = "weight"
) -> Iterator[tuple[Any, tuple[dict[Any, Any], dict[Any, list[Any]]]]]:
    for node, found in searches(G, weight, cutoff):
        yield node, (found.lengths(), found.paths())


@function("pairs", weight="weight", check_weights=check_order)
def all_pairs_dijkstra_path(
    G: BackendGraph, cutoff: Any = None, weight: Hashable = "weight"
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for node, found in searches(G, weight, cutoff):
        yield node, found.paths()


def _other_search(arguments: Arguments) -> str | None:
    if arguments["weight"] is None:
        return "a search without weights takes NetworkX no longer"
    if arguments["method"] == "bellman-ford":
        return "this method is left to NetworkX"
    if arguments["source"] is not None and arguments["target"] is not None:
        return "a path between two nodes is searched for from both ends, which is left to NetworkX"
    return None


# With a weight, and light: NetworkX's own function calls those above, and gains where they do.
@function("light", weight="weight", check_weights=check_order, declines=_other_search)
def shortest_path(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Hashable = None, method: str = "dijkstra"
) -> Any:
    if method != "dijkstra":
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        return all_pairs_dijkstra_path(G, weight=weight)
    if source is not None:
        return single_source_dijkstra_path(G, source, weight=weight)
    paths = single_source_dijkstra_path(G.reversed, target, weight=weight)
    return {node: path[::-1] for node, path in paths.items()}
