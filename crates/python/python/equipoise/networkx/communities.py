"""Communities, with their modularity.

Which communities are found depends on the order in which nodes are visited, and so on the seed, here as in NetworkX. The library
draws its own seed from the one that is given: the same one finds the same communities again, but not those of NetworkX.
"""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .link_analysis import check_factors
from .registry import Arguments, function
from .weights import Declined


def _check_weights(graph: BackendGraph, weight: Hashable) -> None:
    if (graph.factors(weight) < 0).any():
        raise Declined("a weight is negative")


def _max_level(arguments: Arguments) -> str | None:
    level = arguments["max_level"]
    return None if level is None or isinstance(level, int) else "a maximum level that is no number is left to NetworkX"


@function("linear", weight="weight", check_weights=_check_weights, declines=_max_level)
def louvain_communities(
    G: BackendGraph,
    weight: Hashable = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    return _last(_levels(G, "louvain", weight, resolution, threshold, seed), max_level)


@function("linear", weight="weight", check_weights=_check_weights)
def louvain_partitions(
    G: BackendGraph,
    weight: Hashable = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    seed: Any = None,
) -> Iterator[list[set[Any]]]:
    yield from _levels(G, "louvain", weight, resolution, threshold, seed)


@function("linear", weight="weight", check_weights=_check_weights, undirected=True, declines=_max_level)
def leiden_communities(
    G: BackendGraph,
    weight: Hashable = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    return _last(_levels(G, "leiden", weight, resolution, 0.0000001, seed), max_level)


@function("linear", weight="weight", check_weights=_check_weights, undirected=True)
def leiden_partitions(
    G: BackendGraph, weight: Hashable = "weight", resolution: float = 1, seed: Any = None
) -> Iterator[list[set[Any]]]:
    yield from _levels(G, "leiden", weight, resolution, 0.0000001, seed)


@function("linear", weight="weight", check_weights=check_factors)
def modularity(G: BackendGraph, communities: Any, weight: Hashable = "weight", resolution: float = 1) -> float:
    parts = communities if isinstance(communities, list) else list(communities)
    labels = np.full(len(G), -1)
    for label, part in enumerate(parts):
        for node in part:
            if node not in G or labels[G.vertices[node]] >= 0:
                raise nx.algorithms.community.quality.NotAPartition(G.nx, parts)
            labels[G.vertices[node]] = label
    if (labels < 0).any():
        raise nx.algorithms.community.quality.NotAPartition(G.nx, parts)
    weights = G.factors(weight)
    ends = [labels[end] for end in G.arcs]
    # An entry of an undirected edge counts from its own end; that of a loop, which is there once, from both.
    both = 1 if G.is_directed() else 1 + G.is_loop
    leaving, entering = (np.bincount(end, weights * both, minlength=len(parts)) for end in ends)
    within = np.bincount(ends[0], weights * both * (ends[0] == ends[1]), minlength=len(parts))
    total = (weights * both).sum()
    if total == 0:
        raise ZeroDivisionError("float division by zero")
    return float((within / total - resolution * (leaving / total) * (entering / total)).sum())


def _levels(
    G: BackendGraph, strategy: str, weight: Hashable, resolution: float, threshold: float, seed: Any
) -> Iterator[list[set[Any]]]:
    """The communities after each level. Nodes that are alone, where no edge has weight."""
    weights = G.factors(weight)
    if not weights.any():
        yield [{node} for node in G.nodes]
        return
    graph = G.library_of(G.is_edge, weights[G.is_edge])
    found = graph.communities(
        strategy=strategy,
        objective="directed-modularity" if G.is_directed() else "modularity",
        resolution=resolution,
        tolerance=threshold,
        seed=seed.getrandbits(32),
        levels=True,
    )
    for labels in found.hierarchy.tolist():
        communities: list[set[Any]] = [set() for _ in range(max(labels) + 1)]
        for node, label in zip(G.nodes, labels):
            communities[label].add(node)
        yield communities


def _last(levels: Iterator[list[set[Any]]], most: int | None) -> list[set[Any]]:
    if most is not None and most <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    last: list[set[Any]] = []
    for number, communities in enumerate(levels, start=1):
        last = communities
        if number == most:
            break
    return last
