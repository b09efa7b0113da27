"""Lengths of shortest paths by Dijkstra's algorithm, in dicts in the order in which NetworkX finds them.

A search without weights takes NetworkX less time than this order takes here: such functions are left to it.
"""

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .distances import Block, blocks
from .orders import order_of, rows, step_count
from .registry import check_one_kind, check_positive, function

_STEPS = 1000
"""So many steps in which nodes of one length are put in order take no time that matters."""
_NODES_A_STEP = 50
"""In the time of one such step, NetworkX finds about so many nodes."""


def _check_order(graph: BackendGraph, weight: Hashable) -> None:
    check_one_kind(graph, weight)
    check_positive(graph, weight)


@function("light", weight="weight", check_weights=_check_order)
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, Any]:
    if source not in G.vertices:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    [block] = blocks(G, weight, [G.vertices[source]])
    if _is_deep(block):
        return nx.single_source_dijkstra_path_length(G.nx, source, cutoff, weight, backend="networkx")
    order = order_of(G, block, weight)
    return rows(G, block, weight, order, _within_length(block, cutoff))[0]


@function("pairs", weight="weight", check_weights=_check_order)
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: Any = None, weight: Hashable = "weight"
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    for block in blocks(G, weight):
        nodes = (G.nodes[vertex] for vertex in block.sources.tolist())
        order = order_of(G, block, weight)
        yield from zip(nodes, rows(G, block, weight, order, _within_length(block, cutoff)))


def _is_deep(block: Block) -> bool:
    """Whether a single search has so many steps with so few nodes that NetworkX is faster."""
    count = step_count(block)
    return count > _STEPS and count * _NODES_A_STEP > np.isfinite(block.lengths).sum()


def _within_length(block: Block, cutoff: Any) -> np.ndarray:
    """The pairs that a search by lengths finds: it goes to no node that is farther than the cutoff."""
    kept = np.isfinite(block.lengths)
    return kept if cutoff is None else kept & ((block.lengths == 0) | ~(block.lengths > cutoff))
