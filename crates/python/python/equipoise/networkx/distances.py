"""Lengths of shortest paths from many vertices, a block of them at a time."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np

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
    ``reverse``. They are exact, as weights are those that ``can_run`` takes."""
    library = G.library(weight, reverse)
    unit = 1.0 if weight is None else G.lengths(weight).unit
    starts = np.arange(len(G)) if sources is None else np.array(sources, dtype=np.int64)
    size = max(_BLOCK_BYTES // (8 * max(len(G), 1)), 1)
    for first in range(0, len(starts), size):
        part = starts[first : first + size]
        yield Block(part, library.apsp(sources=part).distances * unit)


def is_whole(G: BackendGraph, weight: Hashable) -> bool:
    """Whether NetworkX's lengths are of int."""
    return weight is None or G.lengths(weight).whole
