"""The order in which NetworkX's searches find nodes, which is that of their dicts, and the paths that they find.

A search of NetworkX finds nodes by their lengths, and nodes of one length in the order in which they were first seen with it:
that of the nodes before them, then that of the adjacency. The library's lengths do not tell. So nodes are sorted by lengths,
and those of one length are then put in order by the edges that lead to them, in arrays of NumPy: first those that are nearest
to the source, for all searches of a block at once. No weight may be zero, or vanish in a sum.
"""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from .convert import BackendGraph
from .distances import Block

_NO_KEY = np.iinfo(np.int64).max


class _Entering(NamedTuple):
    """The entries of the adjacency by the vertices that they lead to."""

    arcs: np.ndarray
    degrees: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    """How long each is, in the order of the adjacency."""


def step_count(block: Block) -> int:
    """How many steps it takes to put nodes of one length in order."""
    return len(_steps(np.sort(block.lengths, axis=1)))


def order_of(
    G: BackendGraph, block: Block, weight: Hashable, starts: list[int] | None = None
) -> np.ndarray:
    """The vertices in the order in which each search of a block finds them, row after row; those that it does not reach are
    last. A single search may have several ``starts``."""
    order = np.argsort(block.lengths, axis=1, kind="stable")
    if starts is not None:
        order[0, : len(starts)] = starts
    entering = _entering(G, weight)
    positions = _positions(order).ravel()
    lengths, flat = block.lengths.ravel(), order.ravel()
    for places in _steps(np.take_along_axis(block.lengths, order, axis=1)):
        rows = places - places % len(G)
        vertices = flat[places]
        keys = _keys(G, entering, lengths, positions, rows, vertices)
        vertices = vertices[np.lexsort((keys, rows))]
        flat[places] = vertices
        positions[rows + vertices] = places - rows
    return order


def parents(G: BackendGraph, lengths: np.ndarray, weight: Hashable, order: np.ndarray) -> np.ndarray:
    """The vertex before each on the path that NetworkX finds, for one search; −1 where there is none."""
    found = np.full(len(G), -1)
    reached = np.flatnonzero(np.isfinite(lengths) & (lengths > 0))
    if len(reached):
        positions = _positions(order[np.newaxis]).ravel()
        rows = np.zeros(len(reached), dtype=np.int64)
        keys = _keys(G, _entering(G, weight), lengths, positions, rows, reached)
        found[reached] = G.arcs[0][keys % len(G.arcs[0])]
    return found


def _entering(G: BackendGraph, weight: Hashable) -> _Entering:
    def make() -> _Entering:
        targets = G.arcs[1]
        degrees = np.bincount(targets, minlength=len(G))
        lengths = np.ones(len(targets)) if weight is None else G.lengths(weight).values.astype(np.float64)
        return _Entering(np.argsort(targets, kind="stable"), degrees, np.cumsum(degrees) - degrees, lengths)

    return G.once(("entering", weight), make)


def _keys(
    G: BackendGraph,
    entering: _Entering,
    lengths: np.ndarray,
    positions: np.ndarray,
    rows: np.ndarray,
    vertices: np.ndarray,
) -> np.ndarray:
    """When each vertex of a row was first seen with its length: by the position of the vertex before it, then by the arc from
    there. ``rows`` are where they begin."""
    degrees = entering.degrees[vertices]
    ends = np.cumsum(degrees)
    first = ends - degrees
    arcs = entering.arcs[np.repeat(entering.offsets[vertices] - first, degrees) + np.arange(int(ends[-1]))]
    before = np.repeat(rows, degrees) + G.arcs[0][arcs]
    is_shortest = lengths[before] + entering.lengths[arcs] == np.repeat(lengths[rows + vertices], degrees)
    keys = np.where(is_shortest, positions[before] * len(entering.arcs) + arcs, _NO_KEY)
    return np.minimum.reduceat(keys, first)


def _positions(order: np.ndarray) -> np.ndarray:
    """The place of each vertex in each row of an order."""
    positions = np.empty_like(order)
    np.put_along_axis(positions, order, np.arange(order.shape[1])[np.newaxis], axis=1)
    return positions


def _steps(ordered: np.ndarray) -> list[np.ndarray]:
    """The places with equal lengths in rows that are sorted: first the nearest of each row, then the next. Those of zero are
    where a search starts."""
    is_same = np.zeros((ordered.shape[0], ordered.shape[1] + 1), dtype=bool)
    later = ordered[:, 1:]
    is_same[:, 1:-1] = (later == ordered[:, :-1]) & (later > 0) & np.isfinite(later)
    is_tied = is_same[:, 1:] | is_same[:, :-1]
    places = np.flatnonzero(is_tied)
    if len(places) == 0:
        return []
    numbers = np.cumsum(is_tied & ~is_same[:, :-1], axis=1).ravel()[places]
    by_number = places[np.argsort(numbers, kind="stable")]
    return np.split(by_number, np.cumsum(np.bincount(numbers)[1:])[:-1])
