"""Sparse matrices, and their products."""

from typing import Any

import numpy as np

from . import _native, _shared
from ._device import DeviceArray, is_on_device, on_host
from ._devices import quiet_drivers


class Matrix:
    """A sparse matrix of float32 or float64 on a device. ``A @ x`` is its product with a vector, a dense matrix, or
    another sparse one. A vector on the GPU of the matrix, as of CuPy or PyTorch, has its product there, a
    :class:`DeviceArray`.

    >>> import equipoise as eq, scipy.sparse
    >>> A = eq.Matrix.from_scipy(scipy.sparse.csr_array([[1.0, 2.0], [0.0, 3.0]]))
    >>> A @ [1, 1]
    array([3., 3.])
    >>> (A @ A).to_scipy().toarray().tolist()
    [[1.0, 8.0], [0.0, 9.0]]
    """

    # NumPy then leaves `array @ matrix` to this class, which does not support it.
    __array_ufunc__ = None

    def __init__(self, native: _native.Matrix, dtype: Any) -> None:
        """Internal: use ``from_scipy``."""
        self._native = native
        self._dtype = np.dtype(dtype)

    @classmethod
    def from_scipy(cls, matrix: Any, copy: bool = True) -> "Matrix":
        """Converts a SciPy matrix in any format. Duplicate entries are summed; whole numbers become float64 without
        rounding.

        With ``copy=False`` it shares the arrays of compressed rows (``csr``), which must be sorted, without duplicates,
        and of float32 or float64. The arrays become read-only; do not write to them through other views.

        >>> import equipoise as eq, scipy.sparse
        >>> eq.Matrix.from_scipy(scipy.sparse.eye_array(3, dtype="float32"))
        <Matrix: 3 × 3, 3 nonzeros, float32, on cpu>
        """
        if not copy:
            with _shared.flags_restored_on_failure(matrix):
                rows, values = _shared.rows(matrix), _shared.values(matrix.data)
                native = _native.Matrix.from_shared_rows(rows, values, matrix.shape[1])
            return cls(native, values.dtype)
        rows = matrix.tocsr(copy=True)
        rows.sum_duplicates()
        values = _numbers(rows.data, "the matrix", None)
        offsets = rows.indptr.astype(np.uint64)
        native = _native.Matrix.from_rows(matrix.shape[1], offsets, rows.indices, values)
        return cls(native, values.dtype)

    def to(self, device: str) -> "Matrix":
        """The same matrix on a device; see ``Graph.to``.

        >>> import equipoise as eq, scipy.sparse
        >>> eq.Matrix.from_scipy(scipy.sparse.eye_array(3)).to("cpu").device
        'cpu'
        """
        quiet_drivers()
        return Matrix(self._native.to(device), self._dtype)

    def to_scipy(self) -> Any:
        """The matrix as SciPy's compressed rows.

        >>> import equipoise as eq, scipy.sparse
        >>> eq.Matrix.from_scipy(scipy.sparse.eye_array(2)).to_scipy().nnz
        2
        """
        import scipy.sparse

        offsets, columns, values = (np.asarray(part) for part in self._native.rows())
        return scipy.sparse.csr_array((values, columns, offsets), shape=self.shape)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return self._native.shape

    @property
    def nonzeros(self) -> int:
        """The number of stored entries."""
        return self._native.nonzeros

    @property
    def dtype(self) -> np.dtype:
        """The type of its values."""
        return self._dtype

    @property
    def device(self) -> str:
        """The device that computes its products."""
        return self._native.device

    def __matmul__(self, right: Any) -> Any:
        """The product with a vector, a dense matrix, or a sparse ``Matrix``; with a vector on the GPU of this matrix, a
        :class:`DeviceArray`."""
        if isinstance(right, Matrix):
            return Matrix(self._native.times_matrix(right._native), self._dtype)
        if np.ma.is_masked(right):
            raise ValueError("the right factor has values that are masked: expected numbers")
        if isinstance(right, DeviceArray):
            return DeviceArray(self._native.times_device(right._native))
        if is_on_device(right):
            return DeviceArray(self._native.times_device(right))
        factor = on_host(right)
        if factor.ndim not in (1, 2) or factor.shape[0] != self.shape[1]:
            rows, columns = self.shape
            raise ValueError(f"a matrix of {rows} × {columns} times an array of shape {factor.shape}")
        dense = _numbers(factor, "the right factor", self._dtype)
        if dense.ndim == 1:
            return np.asarray(self._native.times_vector(dense))
        return np.asarray(self._native.times_dense(dense.ravel(), dense.shape[1]))

    def __repr__(self) -> str:
        rows, columns = self.shape
        facts = f"{rows} × {columns}, {self.nonzeros} nonzeros, {self._dtype}"
        return f"<Matrix: {facts}, on {self.device}>"


def _numbers(array: np.ndarray, what: str, dtype: np.dtype | None) -> np.ndarray:
    """Converts to float32 or float64, or to ``dtype``; fails if a number would be rounded."""
    if array.dtype.kind not in "iufb" or array.dtype.itemsize > 8:
        raise ValueError(f"{what} is of {array.dtype}: expected float32, float64 or whole numbers")
    if dtype is None:
        dtype = np.dtype(np.float32 if array.dtype == np.float32 else np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        converted = np.ascontiguousarray(array, dtype=dtype)
        back = converted.astype(array.dtype)
    if not np.array_equal(back, array, equal_nan=array.dtype.kind == "f"):
        raise ValueError(
            f"{what} is of {array.dtype} and has numbers that {dtype} does not hold: convert it first"
        )
    return converted
