"""The exceptions of the package; the others are Python's own.

- ``ValueError``: an option, an array or a file is invalid.
- ``IndexError``: there is no vertex with this number; ``KeyError``: there is no vertex with this name.
- ``MemoryError``: the operation needs more memory than the host or the device has.
- ``OSError``, such as ``FileNotFoundError``: a file cannot be read.
- ``OverflowError``: the length of a path exceeds the range of its type.
- ``equipoise.ConvergenceError``, an ``equipoise.Error``: PageRank did not converge within its iterations.
- ``equipoise.VerificationError``, an ``equipoise.Error``: a result is wrong.
- ``equipoise.Error``: a device failed or cannot be used, or Equipoise has a defect.

>>> import equipoise as eq
>>> issubclass(eq.Error, RuntimeError), issubclass(eq.VerificationError, eq.Error)
(True, True)
"""

from ._native import ConvergenceError, Error, VerificationError

__all__ = ["ConvergenceError", "Error", "VerificationError"]
