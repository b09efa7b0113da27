"""Arrays in the memory of a GPU, which other libraries use in place."""

from typing import Any

import numpy as np

from . import _native

# The default stream of CUDA in DLPack.
_DEFAULT_STREAM = 1
# DLPack's kinds of devices whose memory the host reads: its own, and page-locked memory of CUDA and ROCm.
_ON_HOST = (1, 3, 11)
_CUDA = 2


class DeviceArray:
    """A vector of numbers in the memory of a GPU on CUDA: a result with ``device_arrays=True``, or the product of a
    :class:`Matrix` and a vector there.

    CuPy, PyTorch and cuDF use it in place: ``cupy.asarray(array)``, ``torch.from_dlpack(array)``. They keep the memory
    alive, and may write to it.

    >>> import equipoise as eq
    >>> for device in eq.devices():
    ...     if device.name.startswith("cuda") and device.problem is None:
    ...         levels = eq.generate("path:n=4").to(device.name).bfs(0, device_arrays=True).levels
    ...         assert (levels.shape, levels.dtype, len(levels)) == ((4,), "int32", 4)
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.DeviceArray) -> None:
        """Internal: results and products have them."""
        self._native = native

    @property
    def shape(self) -> tuple[int]:
        """The number of its elements, in a tuple."""
        return (self._native.length,)

    @property
    def dtype(self) -> np.dtype:
        """The type of its elements."""
        return np.dtype(self._native.dtype)

    @property
    def device(self) -> str:
        """The device in whose memory it is."""
        return f"cuda:{self._native.device}"

    def numpy(self) -> np.ndarray:
        """A copy on the host, for reading only, once the numbers are computed.

        >>> import equipoise as eq
        >>> for device in eq.devices():
        ...     if device.name.startswith("cuda") and device.problem is None:
        ...         levels = eq.generate("path:n=4").to(device.name).bfs(0, device_arrays=True).levels
        ...         assert levels.numpy().tolist() == [0, 1, 2, 3]
        """
        return np.asarray(self._native.download())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("a device array is copied to the host: leave out `copy=False`")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CUDA, self._native.device)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule of DLPack. What the consumer enqueues in ``stream`` waits for the numbers; the host waits for them if
        that is −1."""
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("a device array is shared in place only: use `numpy()` for a copy on the host")
        if stream is not None and (stream == 0 or stream < -1):
            raise BufferError(f"`stream` is {stream}: expected −1, 1, 2 or the handle of a stream of CUDA")
        handle = _DEFAULT_STREAM if stream is None else stream
        is_versioned = max_version is not None and max_version[0] >= 1
        return self._native.dlpack(None if handle == -1 else handle, is_versioned)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The description of the array by version 3 of the interface. The host waits for the numbers first."""
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._native.address(), False),
            "strides": None,
            "version": 3,
            "stream": None,
        }

    def __len__(self) -> int:
        return self._native.length

    def __repr__(self) -> str:
        return f"<DeviceArray: {len(self)} numbers of {self._native.dtype}, on {self.device}>"


def is_on_device(values: Any) -> bool:
    """Whether an array of another library is in memory that the host does not read.

    >>> is_on_device(np.ones(3)), is_on_device([1, 2])
    (False, False)
    """
    if isinstance(values, np.ndarray):
        return False
    if hasattr(values, "__dlpack_device__"):
        return values.__dlpack_device__()[0] not in _ON_HOST
    return hasattr(values, "__cuda_array_interface__")


def on_host(values: Any) -> np.ndarray:
    """NumPy's array of anything on the host that it accepts, and of tensors of DLPack.

    >>> on_host([1, 2])
    array([1, 2])
    """
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return np.asarray(values)
