"""Arrays on their way in and out: of one dimension and of the kinds that the library reads."""

from typing import Any

import numpy as np

_INDICES = ("int32", "int64", "uint32", "uint64")


def indices(values: Any, name: str) -> np.ndarray:
    """Whole numbers, from anything that NumPy makes an array of.

    >>> indices([2, 1], "source")
    array([2, 1])
    >>> indices([0.5], "source")
    Traceback (most recent call last):
    ValueError: `source` is of float64: expected whole numbers
    """
    array = _flat(values, name)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"`{name}` is of {array.dtype}: expected whole numbers")
    return _contiguous(array, array.dtype if array.dtype.name in _INDICES else np.dtype(np.int64))


def numbers(values: Any, name: str) -> np.ndarray:
    """Whole or floating-point numbers.

    >>> numbers([1, 2.5], "weight")
    array([1. , 2.5])
    >>> numbers(["far"], "weight")
    Traceback (most recent call last):
    ValueError: `weight` is of <U3: expected numbers
    """
    array = _flat(values, name)
    if array.dtype.kind in "iu" or array.size == 0:
        return indices(array, name)
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        raise ValueError(f"`{name}` is of {array.dtype}: expected numbers")
    return _contiguous(array, np.dtype(np.float64 if array.dtype.itemsize == 8 else np.float32))


def _flat(values: Any, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"`{name}` has {array.ndim} dimensions: expected 1")
    return array


def _contiguous(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
