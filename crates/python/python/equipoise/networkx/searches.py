"""Searches by Dijkstra's algorithm from one node or several, with lengths and paths in NetworkX's order."""

from collections.abc import Collection, Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .distances import Block, blocks, from_several, is_whole
from .orders import order_of, parents, step_count
from .registry import Arguments, check_one_kind, check_positive

_STEPS = 1000
"""So many steps in which nodes of one length are put in order take no time that matters."""
_NODES_A_STEP = 50
"""In the time of one such step, NetworkX finds about so many nodes."""


class Search:
    """What a search has found, up to a cutoff."""

    def __init__(
        self, G: BackendGraph, weight: Hashable, starts: list[Any], lengths: np.ndarray, order: np.ndarray, cutoff: Any
    ) -> None:
        self._graph = G
        self._weight = weight
        self._starts = starts
        self._lengths = lengths
        self._order = order
        kept = np.isfinite(lengths)
        if cutoff is not None:
            # A search goes to no node that is farther than the cutoff, wherever it starts.
            kept &= (lengths == 0) | ~(lengths > cutoff)
        self._found = order[: int(kept.sum())]

    def lengths(self) -> dict[Any, Any]:
        """The length of the path to each node."""
        values = self._lengths[self._found]
        numbers = (values.astype(np.int64) if is_whole(self._graph, self._weight) else values).tolist()
        # The search starts with zeros of int.
        numbers[: len(self._starts)] = [0] * len(self._starts)
        nodes = self._graph.nodes
        return dict(zip([nodes[vertex] for vertex in self._found.tolist()], numbers))

    def paths(self) -> dict[Any, list[Any]]:
        """The path to each node: of those that are equally long the one that NetworkX finds."""
        nodes = self._graph.nodes
        before = self._parents()
        paths = {start: [start] for start in self._starts}
        for vertex in self._found[len(self._starts) :].tolist():
            paths[nodes[vertex]] = [*paths[nodes[before[vertex]]], nodes[vertex]]
        return paths

    def to(self, target: Any) -> tuple[Any, list[Any]]:
        """The length of the path to a node, and the path."""
        lengths = self.lengths()
        if target not in lengths:
            raise nx.NetworkXNoPath(f"No path to {target}.")
        before = self._parents()
        path = [self._graph.vertices[target]]
        while before[path[-1]] >= 0:
            path.append(before[path[-1]])
        return lengths[target], [self._graph.nodes[vertex] for vertex in reversed(path)]

    def _parents(self) -> list[int]:
        return parents(self._graph, self._lengths, self._weight, self._order).tolist()


def check_order(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights by which the order in which NetworkX finds nodes, or what it finds, could be another."""
    check_one_kind(graph, weight)
    check_positive(graph, weight)


def declines_iterators(arguments: Arguments) -> str | None:
    """Declines sources that can be gone through once only."""
    return None if isinstance(arguments["sources"], Collection) else "sources that are no collection are left to NetworkX"


def check_sources(G: BackendGraph, sources: Collection[Any]) -> None:
    """Fails as NetworkX does where there is nothing to start from."""
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")


def search(G: BackendGraph, weight: Hashable, sources: Collection[Any], cutoff: Any) -> Search | None:
    """A search from all of ``sources`` at once, which are nodes; None where NetworkX is faster."""
    starts = list(dict.fromkeys(sources))
    vertices = [G.vertices[start] for start in starts]
    if len(vertices) == 1:
        [block] = blocks(G, weight, vertices)
    else:
        block = from_several(G, weight, vertices)
    count = step_count(block)
    if count > _STEPS and count * _NODES_A_STEP > np.isfinite(block.lengths).sum():
        return None
    order = order_of(G, block, weight, vertices)
    return Search(G, weight, starts, block.lengths[0], order[0], cutoff)


def searches(G: BackendGraph, weight: Hashable, cutoff: Any) -> Iterator[tuple[Any, Search]]:
    """A search from every node."""
    for block in blocks(G, weight):
        orders = order_of(G, block, weight)
        for source, lengths, order in zip(block.sources.tolist(), block.lengths, orders):
            node = G.nodes[source]
            yield node, Search(G, weight, [node], lengths, order, cutoff)
