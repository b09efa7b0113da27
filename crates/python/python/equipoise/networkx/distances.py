"""Lengths of shortest paths from many vertices, a block of them at a time.

A length is the least of the sums along paths, added up from the source on, edge after edge. Rounding never makes a longer sum
the smaller one: so this number is the same whichever way it is found, and equal to NetworkX's to the bit.
"""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

from .._graph import Graph
from .convert import BackendGraph

_BLOCK_BYTES = 64 << 20
"""What the lengths of a block take."""


class Block(NamedTuple):
    """The lengths of shortest paths from some vertices to all."""

    sources: np.ndarray
    lengths: np.ndarray
    """In float64, infinite where there is no path."""


def blocks(
    G: BackendGraph,
    weight: Hashable = None,
    sources: list[int] | None = None,
    reverse: bool = False,
) -> Iterator[Block]:
    """The lengths of shortest paths from each of ``sources``, or from all vertices; over edges the other way with
    ``reverse``."""
    sums = None if weight is None else G.once(("sums", weight), lambda: _sums_of_equal(G, weight))
    library = G.library(weight if sums is None else None, reverse)
    starts = np.arange(len(G)) if sources is None else np.array(sources, dtype=np.int64)
    size = max(_BLOCK_BYTES // (8 * max(len(G), 1)), 1)
    for first in range(0, len(starts), size):
        part = starts[first : first + size]
        lengths = library.apsp(sources=part, verify=False).distances
        if sums is not None:
            lengths = sums[np.where(np.isfinite(lengths), lengths, -1).astype(np.int64)]
        yield Block(part, lengths)


def from_several(G: BackendGraph, weight: Hashable, sources: list[int]) -> Block:
    """The lengths of shortest paths from the nearest of ``sources``, as one row."""
    kept = G.is_edge & ~G.is_loop
    ends = [end[kept] for end in G.arcs]
    values = np.ones(len(ends[0]), dtype=np.uint32) if weight is None else G.lengths(weight).values[kept]
    # One more vertex, from which edges of zero lead to the sources.
    hub = np.full(len(sources), len(G))
    tails, heads = np.concatenate([ends[0], hub]), np.concatenate([ends[1], sources])
    values = np.concatenate([values, np.zeros(len(sources), dtype=values.dtype)])
    library = Graph.from_edges(tails, heads, values, G.is_directed(), len(G) + 1)
    return Block(np.array(sources), library.apsp(sources=[len(G)], verify=False).distances[:, :-1])


def matrix(G: BackendGraph, weight: Hashable, order: list[int] | None = None) -> np.ndarray:
    """The lengths of shortest paths between all vertices, with rows and columns in an order, by the steps of Floyd and
    Warshall's algorithm in this order.

    They add floats up from the middle of a path: sums are rounded otherwise than those along it.
    """
    places = np.arange(len(G)) if order is None else np.array(order, dtype=np.int64)
    if is_whole(G, weight):
        rows = [block.lengths for block in blocks(G, weight)]
        return np.concatenate([np.zeros((0, len(G))), *rows])[np.ix_(places, places)]
    numbers = np.empty(len(G), dtype=np.int64)
    numbers[places] = np.arange(len(G))
    kept = G.is_edge & ~G.is_loop
    sources, targets = (numbers[end[kept]] for end in G.arcs)
    values = G.lengths(weight).values[kept]
    library = Graph.from_edges(sources, targets, values, G.is_directed(), len(G))
    # The other strategies take the steps in other orders.
    return library.apsp(strategy="naive", verify=False).distances


def is_whole(G: BackendGraph, weight: Hashable) -> bool:
    """Whether NetworkX's lengths are of int."""
    return weight is None or G.lengths(weight).whole


def _sums_of_equal(G: BackendGraph, weight: Hashable) -> np.ndarray | None:
    """How long a path of so many edges is, and then infinity, where all edges have one weight of float: the library would
    multiply, and NetworkX adds up."""
    values = G.lengths(weight).values[~G.is_loop]
    if G.lengths(weight).whole or len(values) == 0 or (values != values[0]).any():
        return None
    return np.concatenate([[0.0], np.cumsum(np.full(len(G), values[0])), [np.inf]])
