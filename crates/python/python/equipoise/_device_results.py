"""Results whose arrays stay in the memory of a GPU."""

from ._device import DeviceArray
from ._result import Result


class DeviceLevels(Result):
    """Levels of a breadth-first search, in the memory of a GPU: ``Graph.bfs`` with ``device_arrays=True``.

    >>> import equipoise as eq
    >>> for device in eq.devices():
    ...     if device.name.startswith("cuda") and device.problem is None:
    ...         result = eq.generate("path:n=4").to(device.name).bfs(0, device_arrays=True)
    ...         assert result.parents.numpy().tolist() == [0, 0, 1, 2]
    """

    _columns = ("levels", "parents")
    _shown = ("reached", "depth")

    levels: DeviceArray
    """The level of each vertex, of int32; −1 if unreached."""
    parents: DeviceArray
    """The parent of each vertex, of int32; the source is its own parent; −1 if unreached."""
    reached: int
    """The number of reached vertices."""
    depth: int
    """The largest level."""
    complete: bool
    """Whether all reachable vertices were reached: false if the search stopped at its target or depth."""


class DeviceShortestPaths(Result):
    """Shortest paths from a source, in the memory of a GPU: ``Graph.sssp`` with ``device_arrays=True``.

    >>> import equipoise as eq
    >>> for device in eq.devices():
    ...     if device.name.startswith("cuda") and device.problem is None:
    ...         result = eq.generate("path:n=4,weights=2..2").to(device.name).sssp(0, device_arrays=True)
    ...         assert result.distances.numpy().tolist() == [0.0, 2.0, 4.0, 6.0]
    """

    _columns = ("distances", "predecessors")
    _shown = ("reached",)

    distances: DeviceArray
    """The distance of each vertex, of float64; infinite if there is no path."""
    predecessors: DeviceArray
    """The predecessor of each vertex on a shortest path, of int32; −1 if there is no path."""
    reached: int
    """The number of reached vertices."""
    complete: bool
    """Whether all reachable vertices were reached: false if the search stopped at its target."""
