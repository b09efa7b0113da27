"""Components, and what can be reached."""

from collections.abc import Iterator
from typing import Any

import networkx as nx

from .convert import BackendGraph
from .registry import Arguments, function


@function("light")
def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    # In the order of their first nodes, as NetworkX finds them.
    found = G.library().components()
    members: list[set[Any]] = [set() for _ in range(found.count)]
    for node, component in zip(G.nodes, found.labels.tolist()):
        members[component].add(node)
    yield from members


@function("light")
def number_connected_components(G: BackendGraph) -> int:
    return G.library().components().count


@function("light")
def is_connected(G: BackendGraph) -> bool:
    return _is_one(G, strong=False)


@function("light")
def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    labels = G.library().components().labels
    is_member = labels == labels[G.vertices[n]]
    return {node for node, member in zip(G.nodes, is_member.tolist()) if member}


@function("light")
def weakly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from connected_components(G)


@function("light")
def number_weakly_connected_components(G: BackendGraph) -> int:
    return G.library().components().count


@function("light")
def is_weakly_connected(G: BackendGraph) -> bool:
    return _is_one(G, strong=False)


@function("linear")
def number_strongly_connected_components(G: BackendGraph) -> int:
    return G.library().components(strong=True).count


@function("linear")
def is_strongly_connected(G: BackendGraph) -> bool:
    return _is_one(G, strong=True)


@function("light")
def descendants(G: BackendGraph, source: Any) -> set[Any]:
    return _reached(G, source, reverse=False)


@function("light")
def ancestors(G: BackendGraph, source: Any) -> set[Any]:
    return _reached(G, source, reverse=True)


@function("light")
def descendants_at_distance(G: BackendGraph, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    levels = G.library().bfs(G.vertices[source]).levels.tolist()
    # Those that are not reached have a level of −1.
    return {node for node, level in zip(G.nodes, levels) if level == distance and level >= 0}


def _between_all(arguments: Arguments) -> str | None:
    given = arguments["source"] is not None and arguments["target"] is not None
    return None if given else "paths from or to all nodes are left to NetworkX"


@function("light", declines=_between_all)
def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    for name, node in (("Source", source), ("Target", target)):
        if node not in G:
            raise nx.NodeNotFound(f"{name} {node} is not in G")
    levels = G.library().bfs(G.vertices[source], target=G.vertices[target]).levels
    return bool(levels[G.vertices[target]] >= 0)


def _is_one(G: BackendGraph, strong: bool) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return G.library().components(strong=strong).count == 1


def _reached(G: BackendGraph, source: Any, reverse: bool) -> set[Any]:
    if source not in G.vertices:
        kind = "digraph" if G.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    levels = G.library(reverse=reverse).bfs(G.vertices[source]).levels
    return {node for node, level in zip(G.nodes, levels.tolist()) if level > 0}
