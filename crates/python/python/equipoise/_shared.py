"""Arrays that are shared with who gave them: nothing is copied, and nothing may be written to them from then on."""

from typing import Any

import numpy as np


def rows(matrix: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where each row of a sparse matrix starts, and the columns of its entries, both read-only.

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
    """The same numbers without a sign; copied where they have another width, as offsets of 32 bits and columns of 64."""
    if array.dtype.itemsize == np.dtype(dtype).itemsize:
        return _locked(np.ascontiguousarray(array)).view(dtype)
    if array.size and not 0 <= array.min() <= array.max() <= np.iinfo(dtype).max:
        raise ValueError("a row or column of the matrix has a number below 0 or from 2³² on")
    return _locked(array.astype(dtype))


def _locked(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
