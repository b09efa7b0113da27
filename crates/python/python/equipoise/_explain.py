"""The choices of the library's learned models for a graph, with reasons."""

import json
from typing import Any, NamedTuple

from . import _native
from ._graph import Graph


class Choice(NamedTuple):
    """The choice for a graph, or for a level of a search.

    >>> import equipoise as eq
    >>> choice = eq.explain(eq.generate("path:n=3"))[0]
    >>> choice.strategy in choice.sentence
    True
    """

    strategy: str
    """The chosen strategy."""
    reason: str
    """``predicted``, ``kept``, ``first`` or ``substituted``."""
    sentence: str
    """The choice and its reason as a sentence."""
    frontier: int | None = None
    """The number of vertices in the frontier of the level."""


def explain(graph: Graph, algorithm: str = "bfs", source: Any = None) -> list[Choice]:
    """The choices of ``auto`` for a graph on its device, with reasons: for ``bfs`` one per level; on a GPU also one for
    ``sssp`` and ``color``. Searches start from ``source``, or else from the first vertex.

    >>> import equipoise as eq
    >>> [choice.frontier for choice in eq.explain(eq.generate("star:n=9"))]
    [1, 8]
    """
    vertex = 0 if source is None else graph._names.vertex(source)
    return [Choice(**choice) for choice in json.loads(_native.explain(graph._native, algorithm, vertex))]
