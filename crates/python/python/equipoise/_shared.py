"""Arrays shared with the caller: they are not copied, and become read-only."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


@contextmanager
def flags_restored_on_failure(matrix: Any) -> Iterator[None]:
    """Restores the writeable flags of a sparse matrix' arrays if sharing them fails.

    >>> import scipy.sparse
    >>> matrix = scipy.sparse.csr_array([[0.0, 2.0]])
    >>> try:
    ...     with flags_restored_on_failure(matrix):
    ...         _ = values(matrix.data)
    ...         raise ValueError("another array is wrong")
    ... except ValueError:
    ...     matrix.data.flags.writeable
    True
    """
    arrays = [getattr(matrix, name, None) for name in ("indptr", "indices", "data")]
    before = [(array, array.flags.writeable) for array in arrays if isinstance(array, np.ndarray)]
    try:
        yield
    except BaseException:
        for array, writeable in before:
            array.flags.writeable = writeable
        raise


def rows(matrix: Any) -> tuple[np.ndarray, np.ndarray]:
    """The start of each row of a sparse matrix, and the columns of its entries, both read-only.

    >>> import scipy.sparse
    >>> matrix = scipy.sparse.csr_array([[0, 2], [1, 0]])
    >>> starts, columns = rows(matrix)
    >>> columns.tolist(), np.shares_memory(columns, matrix.indices)
    ([1, 0], True)
    """
    if getattr(matrix, "format", None) != "csr":
        kind = getattr(matrix, "format", type(matrix).__name__)
        raise ValueError(f"`copy=False` needs compressed rows (csr), not {kind}: leave it out, or `matrix.tocsr()`")
    if not matrix.has_canonical_format:
        raise ValueError("`copy=False` needs sorted rows without duplicates: leave it out, or `matrix.sum_duplicates()`")
    return _unsigned(matrix.indptr, np.uint64), _unsigned(matrix.indices, np.uint32)


def values(array: np.ndarray) -> np.ndarray:
    """The values of a matrix, read-only.

    >>> values(np.array([0.5])).flags.writeable
    False
    """
    if array.dtype.name not in ("float32", "float64", "uint32"):
        raise ValueError(f"`copy=False` needs values of float32, float64 or uint32, not {array.dtype}: leave it out")
    return _locked(np.ascontiguousarray(array))


def _unsigned(array: np.ndarray, dtype: Any) -> np.ndarray:
    """The same numbers as unsigned; copied if the width differs, as for 32-bit offsets and 64-bit columns."""
    if array.dtype.itemsize == np.dtype(dtype).itemsize:
        return _locked(np.ascontiguousarray(array)).view(dtype)
    if array.size and not 0 <= array.min() <= array.max() <= np.iinfo(dtype).max:
        raise ValueError("a row or column of the matrix has a number below 0 or from 2³² on")
    return _locked(array.astype(dtype))


def _locked(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
