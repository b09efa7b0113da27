"""Graph analytics on the cpu and on any GPU, with verified results.

>>> import equipoise as eq
>>> roads = eq.Graph.from_edges([0, 1, 0], [1, 2, 2], weight=[4, 5, 12])
>>> paths = roads.sssp(0)
>>> paths.distances
array([0., 4., 9.])
>>> paths.path_to(2)
[0, 1, 2]
>>> paths.verification["verdict"]
'proved'
"""

from ._algorithms import algorithms
from ._device import DeviceArray
from ._device_results import DeviceLevels, DeviceShortestPaths
from ._devices import DeviceInfo, devices
from ._errors import ConvergenceError, Error, VerificationError
from ._explain import Choice, explain
from ._graph import Graph, generate, read
from ._matrix import Matrix
from ._result import Result, Trace
from ._results import (
    AllPairs,
    Betweenness,
    Clustering,
    Coloring,
    Communities,
    Components,
    Cores,
    IndependentSet,
    Labels,
    Levels,
    PageRank,
    Paths,
    ShortestPaths,
    SpanningForest,
    Triangles,
)

__all__ = [
    "AllPairs",
    "Betweenness",
    "Choice",
    "Clustering",
    "Coloring",
    "Communities",
    "Components",
    "ConvergenceError",
    "Cores",
    "DeviceArray",
    "DeviceInfo",
    "DeviceLevels",
    "DeviceShortestPaths",
    "Error",
    "Graph",
    "IndependentSet",
    "Labels",
    "Levels",
    "Matrix",
    "PageRank",
    "Paths",
    "Result",
    "ShortestPaths",
    "SpanningForest",
    "Trace",
    "Triangles",
    "VerificationError",
    "algorithms",
    "devices",
    "explain",
    "generate",
    "read",
]
