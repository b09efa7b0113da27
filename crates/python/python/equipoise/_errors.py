"""The exception of the package; the others are Python's own.

- ``ValueError``: an option or an array is not what it should be, or a file does not say what its format asks for.
- ``IndexError``: there is no vertex of this number; ``KeyError``: there is none of this name.
- ``MemoryError``: what was asked for does not fit the memory of the host or of the device.
- ``OSError``, such as ``FileNotFoundError``: a file cannot be read.
- ``OverflowError``: the length of a path does not fit the numbers that it is given in.
- ``equipoise.Error``: a device failed or cannot be used, a result is wrong, or Equipoise has a defect.

>>> import equipoise as eq
>>> issubclass(eq.Error, RuntimeError)
True
"""

from ._native import Error

__all__ = ["Error"]
