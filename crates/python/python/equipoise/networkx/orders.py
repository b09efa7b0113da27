"""The order in which NetworkX's searches find nodes, which is that of their dicts.

A search of NetworkX finds nodes by their lengths, and nodes of one length in the order in which they were first seen with it:
that of the nodes before them, then that of the adjacency. The library's lengths do not tell. This walks once more over the
edges that are on shortest paths, a length at a time for all searches of a block, in arrays of NumPy.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from .convert import BackendGraph
from .distances import Block, is_whole

_UNSEEN = np.iinfo(np.int64).max


def rows(G: BackendGraph, block: Block, weight: Hashable, kept: np.ndarray) -> list[dict[Any, Any]]:
    """A dict of lengths for each source of a block, of the pairs that are ``kept``. No weight may be zero."""
    order = np.lexsort((_seen(G, block, weight), block.lengths), axis=-1)
    ordered = np.take_along_axis(block.lengths, order, axis=1)
    found = []
    for vertices, lengths, count in zip(order, ordered, kept.sum(axis=1).tolist()):
        values = lengths[:count]
        numbers = (values.astype(np.int64) if is_whole(G, weight) else values).tolist()
        # The search starts with a 0 of int.
        numbers[0] = 0
        found.append(dict(zip([G.nodes[vertex] for vertex in vertices[:count].tolist()], numbers)))
    return found


def steps(block: Block) -> int:
    """How many lengths the nodes of a block are found by, at most."""
    ordered = np.sort(block.lengths, axis=1)
    return int(_is_next(ordered).sum(axis=1).max())


def _seen(G: BackendGraph, block: Block, weight: Hashable) -> np.ndarray:
    """A number for each pair of a block: of two nodes that are equally far from a source, the one with the smaller number
    was first seen with this length before the other."""
    count = len(G)
    targets = G.arcs[1]
    offsets = np.cumsum(G.degrees) - G.degrees
    arc_lengths = np.ones(len(targets)) if weight is None else _lengths_of_arcs(G, weight)
    lengths = block.lengths.ravel()
    seen = np.full(lengths.shape, _UNSEEN)
    seen[np.arange(len(block.sources)) * count + block.sources] = 0
    next_number = 1
    for group in _groups(block.lengths):
        # Pairs of all sources, of which only those of one source are ever compared.
        group = group[np.argsort(seen[group])]
        vertices = group % count
        degrees = G.degrees[vertices]
        ends = np.cumsum(degrees)
        total = int(ends[-1])
        arcs = np.repeat(offsets[vertices] - ends + degrees, degrees) + np.arange(total)
        neighbors = np.repeat(group - vertices, degrees) + targets[arcs]
        through = np.repeat(lengths[group], degrees) + arc_lengths[arcs]
        first = neighbors[(lengths[neighbors] == through) & (seen[neighbors] == _UNSEEN)]
        # Written from the last to the first: what stays is the first time.
        seen[first[::-1]] = np.arange(next_number, next_number + len(first))[::-1]
        next_number += len(first)
    return seen.reshape(block.lengths.shape)


def _lengths_of_arcs(G: BackendGraph, weight: Hashable) -> np.ndarray:
    lengths = G.lengths(weight)
    return lengths.units * lengths.unit


def _groups(lengths: np.ndarray) -> list[np.ndarray]:
    """The places of a block's pairs by their lengths: first the nearest of each source, then the next."""
    order = np.argsort(lengths, axis=1)
    ordered = np.take_along_axis(lengths, order, axis=1)
    reached = np.isfinite(ordered)
    ranks = np.cumsum(_is_next(ordered), axis=1)[reached]
    places = (order + np.arange(len(lengths))[:, np.newaxis] * lengths.shape[1])[reached]
    by_rank = places[np.argsort(ranks, kind="stable")]
    return np.split(by_rank, np.cumsum(np.bincount(ranks))[:-1])


def _is_next(ordered: np.ndarray) -> np.ndarray:
    """Where a row that is sorted goes on to another number."""
    is_next = np.zeros(ordered.shape, dtype=bool)
    is_next[:, 1:] = ordered[:, 1:] > ordered[:, :-1]
    return is_next
