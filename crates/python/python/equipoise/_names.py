"""Names of vertices. The library numbers vertices from 0."""

import difflib
import operator
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _native

# Searching for similar names takes some microseconds per name.
MAX_SEARCHED_NAMES = 50_000


class Names:
    """The names of vertices: from a file, from Python objects, or their numbers.

    >>> names = Names(3, labels=["Ulm", "Bonn", "Kiel"])
    >>> names.vertex("Bonn"), names.of([2, 0])
    (1, ['Kiel', 'Ulm'])
    """

    def __init__(
        self,
        vertices: int,
        labels: Sequence[Hashable] | np.ndarray | None = None,
        graph: _native.Graph | None = None,
    ) -> None:
        self._vertices = vertices
        self._labels = labels
        self._graph = graph
        self._numbers: dict[Hashable, int] | None = None

    @classmethod
    def from_file(cls, graph: _native.Graph) -> "Names":
        """The names in a file."""
        ids = graph.ids()
        labels = ids if ids is None or isinstance(ids, list) else np.asarray(ids)
        return cls(graph.vertices, labels, None if ids is None else graph)

    @property
    def are_numbers(self) -> bool:
        """Whether the names are the numbers."""
        return self._labels is None

    def vertex(self, name: Any) -> int:
        """The number of a vertex. Fails if no vertex has this name."""
        if hasattr(name, "as_py"):
            # Arrow scalars differ from Python values in equality and hash.
            name = name.as_py()
        if self._labels is None:
            return self._checked(name)
        if self._graph is not None:
            id = name if isinstance(name, str) else _number(name)
            # Ids in files have 64 bits.
            vertex = None if isinstance(id, int) and not 0 <= id < 2**64 else self._graph.vertex(id)
        else:
            vertex = self._number_of(name)
        if vertex is None:
            raise KeyError(f"there is no vertex {name!r}{self._near(name)}")
        return vertex

    def _near(self, name: Any) -> str:
        """A suggestion of similar names for an error; empty if there are too many names to search."""
        if not isinstance(name, str) or self._labels is None or len(self._labels) > MAX_SEARCHED_NAMES:
            return ""
        names = [label for label in self._labels if isinstance(label, str)]
        near = difflib.get_close_matches(name, names)
        return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""

    def vertices(self, names: Iterable[Any]) -> list[int]:
        """The numbers of vertices."""
        return [self.vertex(name) for name in names]

    def of(self, vertices: Iterable[int]) -> list[Any]:
        """The names of vertices."""
        if self._labels is None:
            return [int(vertex) for vertex in vertices]
        names = [self._labels[vertex] for vertex in vertices]
        return [name.item() if isinstance(name, np.generic) else name for name in names]

    def all(self) -> Any:
        """The names of all vertices, in the order of their numbers: an array of numbers, or a list."""
        if self._labels is None:
            return np.arange(self._vertices)
        return self._labels

    def _checked(self, vertex: Any) -> int:
        number = _number(vertex)
        if not 0 <= number < self._vertices:
            count = self._vertices
            raise IndexError(f"vertex {number} does not exist: the graph has {count} vertices")
        return number

    def _number_of(self, name: Hashable) -> int | None:
        if self._numbers is None:
            assert self._labels is not None
            self._numbers = {name: number for number, name in enumerate(self._labels)}
        return self._numbers.get(name)


def _number(vertex: Any) -> int:
    try:
        return operator.index(vertex)
    except TypeError:
        raise TypeError(f"{vertex!r} is not a vertex: vertices are whole numbers") from None
