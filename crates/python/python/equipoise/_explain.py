"""What the library's learned models choose for a graph, and why."""

import json
from typing import Any, NamedTuple

from . import _native
from ._graph import Graph


class Choice(NamedTuple):
    """What is chosen for a graph, or for a level of a search.

    >>> import equipoise as eq
    >>> choice = eq.explain(eq.generate("path:n=3"))[0]
    >>> choice.strategy in choice.sentence
    True
    """

    strategy: str
    """What is chosen."""
    reason: str
    """``predicted``, ``kept``, ``first`` or ``substituted``."""
    sentence: str
    """All of it in words."""
    frontier: int | None = None
    """The vertices of the level that it is for."""


def explain(graph: Graph, algorithm: str = "bfs", source: Any = None) -> list[Choice]:
    """What ``auto`` chooses for a graph on its device, and what decides it: for ``bfs`` at each level; on a GPU also for
    ``sssp`` and ``color``, once. A search is from ``source``, or else from the first vertex.

    >>> import equipoise as eq
    >>> [choice.frontier for choice in eq.explain(eq.generate("star:n=9"))]
    [1, 8]
    """
    vertex = 0 if source is None else graph._names.vertex(source)
    return [Choice(**choice) for choice in json.loads(_native.explain(graph._native, algorithm, vertex))]
