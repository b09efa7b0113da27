"""Conversion of input arrays to one-dimensional arrays of the types that the library reads."""

from typing import Any

import numpy as np

from ._device import DeviceArray, is_on_device, on_host

_INDICES = ("int32", "int64", "uint32", "uint64")
# The expectation in errors for vertices that appear to have names.
_VERTICES = "whole numbers; `Graph.from_pandas` takes names"


def indices(values: Any, name: str) -> np.ndarray:
    """Converts anything that NumPy accepts as an array to whole numbers.

    >>> indices([2, 1], "source")
    array([2, 1])
    >>> indices([0.5], "source")
    Traceback (most recent call last):
    ValueError: `source` is of float64: expected whole numbers
    """
    array = _flat(values, name, _VERTICES)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind == "f" and np.isnan(array).any():
        # A missing value turns a column of whole numbers into floating-point numbers.
        raise _missing(np.isnan(array), name)
    if array.dtype.kind not in "iu":
        expected = "whole numbers" if array.dtype.kind in "fcb" else _VERTICES
        raise ValueError(f"`{name}` is of {array.dtype}: expected {expected}")
    return _contiguous(array, array.dtype if array.dtype.name in _INDICES else np.dtype(np.int64))


def numbers(values: Any, name: str) -> np.ndarray:
    """Converts to whole or floating-point numbers.

    >>> numbers([1, 2.5], "weight")
    array([1. , 2.5])
    >>> numbers(["far"], "weight")
    Traceback (most recent call last):
    ValueError: `weight` is of <U3: expected numbers
    """
    array = _flat(values, name, "numbers")
    if array.dtype.kind in "iu" or array.size == 0:
        return indices(array, name)
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        raise ValueError(f"`{name}` is of {array.dtype}: expected numbers")
    return _contiguous(array, np.dtype(np.float64 if array.dtype.itemsize == 8 else np.float32))


def _flat(values: Any, name: str, expected: str) -> np.ndarray:
    if np.ma.is_masked(values):
        raise _missing(np.ma.getmaskarray(values), name)
    if not isinstance(values, DeviceArray) and is_on_device(values):
        advice = "copy it to the host, by `.get()` of CuPy or `.cpu()` of PyTorch"
        raise ValueError(f"`{name}` is on a GPU, and is read on the host: {advice}")
    try:
        array = on_host(values)
    except ValueError as error:
        raise ValueError(f"`{name}` is not an array: {error}") from None
    if array.ndim == 0:
        raise ValueError(f"`{name}` is a {type(values).__name__}: expected an array, a column or a list")
    if array.ndim != 1:
        raise ValueError(f"`{name}` has {array.ndim} dimensions: expected 1")
    return _unwrapped(array, name, expected) if array.dtype.kind == "O" else array


def _unwrapped(array: np.ndarray, name: str, expected: str) -> np.ndarray:
    """Converts Python numbers, which a column of objects may contain, to NumPy numbers."""
    for index, value in enumerate(array):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise ValueError(f"`{name}[{index}]` is {value!r}: expected {expected}")
    plain = np.array(array.tolist())
    if plain.dtype.kind == "O":
        index = int(np.argmax(np.abs(array)))
        raise ValueError(f"`{name}[{index}]` is {array[index]}: expected at most 64 bits")
    return plain


def _missing(missing: np.ndarray, name: str) -> ValueError:
    return ValueError(f"`{name}[{int(np.argmax(missing))}]` is missing: expected a number")


def _contiguous(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
