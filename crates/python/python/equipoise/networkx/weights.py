"""Weights of edges, as the library reads them.

NetworkX adds weights up as Python's numbers: whole numbers exactly, and floats in float64, where a sum is rounded after each
addition. The library does the same with whole numbers below 2³² and with float64.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

_WHOLE = 2**32
"""The library's whole weights are smaller. Others go as float64, which is exact where no sum is rounded."""
_EXACT = 2**53
"""Whole numbers up to this one are exact in a float."""


class Declined(NotImplementedError):
    """What the backend leaves to NetworkX, with the reason."""


class Lengths(NamedTuple):
    """The weights of one attribute as lengths, for each entry of the adjacency."""

    values: np.ndarray
    """Of uint32 or float64."""
    kinds: frozenset[type]
    """What those that are given are: int, float, or some of each."""
    missing: int
    """How many entries do not have the attribute, and count 1."""

    @property
    def whole(self) -> bool:
        """Whether NetworkX's sums are all of int."""
        return float not in self.kinds

    @property
    def mixed(self) -> bool:
        """Whether some of NetworkX's sums are of int and some of float."""
        return float in self.kinds and (int in self.kinds or self.missing > 0)


def lengths(attributes: list[dict[Hashable, Any]], name: Hashable, nodes: int) -> Lengths:
    """The weights that shortest paths are measured in. Declines those that the library would add up in another way.

    >>> lengths([{"km": 0.1}, {"km": 3.0}], "km", nodes=3).values
    array([0.1, 3. ])
    >>> lengths([{"km": 7}, {}], "km", nodes=3).values
    array([7, 1], dtype=uint32)
    >>> lengths([{"km": -1}], "km", nodes=2)
    Traceback (most recent call last):
    equipoise.networkx.weights.Declined: a weight is negative
    """
    values = factors(attributes, name)
    given = frozenset(type(data[name]) for data in attributes if name in data)
    missing = sum(name not in data for data in attributes)
    found = Lengths(values, given, missing)
    if (values < 0).any():
        raise Declined("a weight is negative")
    largest = values.max(initial=0.0)
    # No path has more edges than there are nodes, and no sum of lengths more paths.
    if (found.whole or found.mixed) and largest * nodes * nodes >= _EXACT:
        raise Declined("weights are so large that a sum of lengths could be rounded")
    if largest > np.finfo(np.float64).max / (2 * max(nodes, 1) ** 2):
        raise Declined("weights are so large that a sum of lengths could be infinite")
    if found.whole and largest < _WHOLE:
        return found._replace(values=values.astype(np.uint32))
    return found


def may_vanish(lengths: Lengths, nodes: int) -> bool:
    """Whether adding a weight may leave a length as it is: those of zero, and those that rounding takes away.

    >>> may_vanish(Lengths(np.array([1.0, 0.0]), frozenset({float}), 0), nodes=3)
    True
    >>> may_vanish(Lengths(np.array([1e16, 0.5]), frozenset({float}), 0), nodes=3)
    True
    """
    values = lengths.values.astype(np.float64)
    # Twice as long as a path can be, as sums may be rounded up.
    longest = 2 * nodes * values.max(initial=0.0)
    return bool(values.min(initial=np.inf) < np.spacing(longest))


def factors(attributes: list[dict[Hashable, Any]], name: Hashable) -> np.ndarray:
    """The weights in float64, as a matrix of NetworkX has them.

    >>> factors([{"w": 0.1}, {}], "w")
    array([0.1, 1. ])
    """
    values = _numbers(attributes, name)
    try:
        array = np.array(values, dtype=np.float64)
    except OverflowError:
        raise Declined("a weight does not fit a float") from None
    if not np.isfinite(array).all():
        raise Declined("a weight is infinite or no number")
    return array


def sortable(attributes: list[dict[Hashable, Any]], name: Hashable) -> np.ndarray:
    """The weights in an array that sorts as Python does.

    >>> sortable([{"w": 7}, {}], "w")
    array([7, 1])
    >>> sortable([{"w": 0.1}, {}], "w")
    array([0.1, 1. ])
    """
    values = _numbers(attributes, name)
    is_whole = all(type(value) is int for value in values)
    try:
        array = np.array(values, dtype=np.int64 if is_whole else np.float64)
    except OverflowError:
        raise Declined("a weight does not fit 64 bits") from None
    if np.isnan(array).any():
        raise Declined("a weight is no number")
    if not is_whole and any(type(value) is int and abs(value) > _EXACT for value in values):
        raise Declined("a whole weight beside those of float is more than 2⁵³")
    return array


def _numbers(attributes: list[dict[Hashable, Any]], name: Hashable) -> list[Any]:
    values = [data.get(name, 1) for data in attributes]
    others = sorted(kind.__name__ for kind in set(map(type, values)) - {int, float})
    if others:
        raise Declined(f"weights are of {', '.join(others)}: expected int or float")
    return values
