"""What the vertices of a graph are called. Within the library they are numbered from 0 on."""

import difflib
import operator
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _native

# Looking for one that is nearly the same takes some microseconds a name.
NAMES_LOOKED_THROUGH = 50_000


class Names:
    """The names of vertices: those of a file, those that Python gave, or their numbers.

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
        self._places: dict[Hashable, int] | None = None

    @classmethod
    def of_file(cls, graph: _native.Graph) -> "Names":
        """Those that a file has."""
        ids = graph.ids()
        labels = ids if ids is None or isinstance(ids, list) else np.asarray(ids)
        return cls(graph.vertices, labels, None if ids is None else graph)

    @property
    def are_numbers(self) -> bool:
        """Whether vertices are called by their numbers."""
        return self._labels is None

    def vertex(self, name: Any) -> int:
        """The number of a vertex. Fails where there is none of this name."""
        if hasattr(name, "as_py"):
            # What Arrow's arrays consist of is neither equal to values of Python nor hashed as they are.
            name = name.as_py()
        if self._labels is None:
            return self._numbered(name)
        if self._graph is not None:
            id = name if isinstance(name, str) else _number(name)
            # A file's numbers have 64 bits.
            found = None if isinstance(id, int) and not 0 <= id < 2**64 else self._graph.vertex(id)
        else:
            found = self._place(name)
        if found is None:
            raise KeyError(f"there is no vertex {name!r}{self._near(name)}")
        return found

    def _near(self, name: Any) -> str:
        """What may have been meant by a name that is none. More names than a few are not looked through."""
        if not isinstance(name, str) or self._labels is None or len(self._labels) > NAMES_LOOKED_THROUGH:
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

    def _numbered(self, vertex: Any) -> int:
        number = _number(vertex)
        if not 0 <= number < self._vertices:
            count = self._vertices
            raise IndexError(f"vertex {number} does not exist: the graph has {count} vertices")
        return number

    def _place(self, name: Hashable) -> int | None:
        if self._places is None:
            assert self._labels is not None
            self._places = {name: place for place, name in enumerate(self._labels)}
        return self._places.get(name)


def _number(vertex: Any) -> int:
    try:
        return operator.index(vertex)
    except TypeError:
        raise TypeError(f"{vertex!r} is no vertex: they are called by whole numbers") from None
