"""Weights of edges, as whole numbers of one unit.

NetworkX adds weights up as Python's numbers. Its answers can be the same to the last bit only where no sum is rounded: that
is so for whole numbers, and for floats that are whole multiples of one power of two, such as 0.5, 1.25 and 3.0.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

_LARGEST = 2**32
"""The library's weights are smaller."""
_EXACT = 2**53
"""Whole numbers up to this one are exact in a float."""


class Declined(NotImplementedError):
    """What the backend leaves to NetworkX, with the reason."""


class Lengths(NamedTuple):
    """The weights of one attribute as lengths, for each entry of the adjacency."""

    units: np.ndarray
    """How many units each weighs."""
    unit: float
    """What a unit stands for."""
    whole: bool
    """Whether NetworkX's sums are of int, and not of float."""
    missing: int
    """How many entries do not have the attribute, and count 1."""


def lengths(attributes: list[dict[Hashable, Any]], name: Hashable, nodes: int) -> Lengths:
    """The weights that shortest paths are measured in. Declines those of which a sum could be rounded.

    >>> lengths([{"km": 0.5}, {"km": 3.0}], "km", nodes=3)
    Lengths(units=array([1, 6]), unit=0.5, whole=False, missing=0)
    >>> lengths([{"km": 0.1}], "km", nodes=2)
    Traceback (most recent call last):
    equipoise.networkx.weights.Declined: a sum of weights could be rounded: they are no multiples of one power of two
    """
    values = [data.get(name, 1) for data in attributes]
    missing = sum(name not in data for data in attributes)
    kinds = set(map(type, values))
    if kinds <= {int}:
        # Whole numbers that no array holds are refused below.
        if values and not 0 <= min(values) <= max(values) < _LARGEST:
            raise Declined(_range_problem(min(values)))
        found = Lengths(np.array(values, dtype=np.int64), 1.0, True, missing)
    elif kinds == {float}:
        units, unit = _in_units(np.array(values))
        found = Lengths(units, unit, False, missing)
    elif kinds == {int, float}:
        raise Declined("some weights are of int and some of float, or missing: lengths would be of both")
    else:
        others = sorted(kind.__name__ for kind in kinds - {int, float})
        raise Declined(f"weights are of {', '.join(others)}: expected int or float")
    if values and int(found.units.max()) * nodes * nodes >= _EXACT:
        raise Declined("weights are so large that a sum of lengths could be rounded")
    return found


def factors(attributes: list[dict[Hashable, Any]], name: Hashable) -> np.ndarray:
    """The weights that a matrix has, in float64 as NetworkX has them.

    >>> factors([{"w": 0.1}, {}], "w")
    array([0.1, 1. ])
    """
    values = [data.get(name, 1) for data in attributes]
    others = sorted(kind.__name__ for kind in set(map(type, values)) - {int, float})
    if others:
        raise Declined(f"weights are of {', '.join(others)}: expected int or float")
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
    """
    values = [data.get(name, 1) for data in attributes]
    kinds = set(map(type, values))
    if len(kinds) > 1 or not kinds <= {int, float}:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise Declined(f"weights are of {names}: expected all int or all float")
    try:
        array = np.array(values, dtype=np.float64 if kinds == {float} else np.int64)
    except OverflowError:
        raise Declined("a weight does not fit 64 bits") from None
    if np.isnan(array).any():
        raise Declined("a weight is no number")
    return array


def _in_units(values: np.ndarray) -> tuple[np.ndarray, float]:
    """Floats as whole multiples of a power of two, and that power."""
    if not np.isfinite(values).all():
        raise Declined("a weight is infinite or no number")
    if values.min() < 0:
        raise Declined(_range_problem(values.min()))
    mantissas, exponents = np.frexp(values[values > 0])
    bits = np.ldexp(mantissas, 53).astype(np.int64)
    lowest = np.frexp((bits & -bits).astype(np.float64))[1] - 1
    power = int(min(0, (exponents - 53 + lowest).min(initial=0)))
    if power < -1000 or np.ldexp(values.max(), -power) >= _LARGEST:
        raise Declined("a sum of weights could be rounded: they are no multiples of one power of two")
    return np.ldexp(values, -power).astype(np.int64), 2.0**power


def _range_problem(smallest: float) -> str:
    if smallest < 0:
        return "a weight is negative"
    return "a weight is 2³² or more"
