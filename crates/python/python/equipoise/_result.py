"""What all results have.

Arrays are NumPy's, one number a vertex, in the order of ``Graph.names``. They look at the library's own memory and cannot be
written to: copy one to change it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native

if TYPE_CHECKING:
    import pandas

    from ._names import Names


class Trace(Sequence[dict[str, Any]]):
    """What happened, step by step: levels of a search, iterations, rounds.

    >>> import equipoise as eq
    >>> trace = eq.generate("path:n=3").bfs(0).trace
    >>> len(trace), trace[0]["frontier"]
    (3, 1)
    """

    def __init__(self, steps: list[dict[str, Any]]) -> None:
        self._steps = steps

    def __getitem__(self, place: Any) -> Any:
        return self._steps[place]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._steps)

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps>"

    def to_pandas(self) -> "pandas.DataFrame":
        """The steps as rows of a table.

        >>> import equipoise as eq
        >>> list(eq.generate("path:n=3").bfs(0).trace.to_pandas().frontier)
        [1, 1, 1]
        """
        import pandas

        return pandas.DataFrame(self._steps)


class Result:
    """What every result has: what happened, how long it took, and whether it is right.

    >>> import equipoise as eq
    >>> found = eq.generate("cycle:n=5").color()
    >>> found
    <Coloring of 5 vertices: count 3, strategy greedy>
    >>> found.verify()
    """

    _columns: tuple[str, ...] = ()
    """The arrays that have one number a vertex."""
    _shown: tuple[str, ...] = ()
    """The facts that ``repr`` shows."""

    def __init__(self, names: "Names", found: _native.Found) -> None:
        self._names = names
        self._found = found
        self._arrays = {name: np.asarray(array) for name, array in found.arrays().items()}
        self._facts: dict[str, Any] = json.loads(found.facts())

    @property
    def trace(self) -> Trace:
        """What happened, step by step."""
        return Trace(json.loads(self._found.trace()))

    @property
    def times(self) -> dict[str, float]:
        """How many seconds each part took: ``kernel`` is the algorithm's own work."""
        return json.loads(self._found.times())

    def verify(self) -> None:
        """Raises ``equipoise.Error`` where the result is wrong. What it says depends on the graph and the result only.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").mis().verify()
        """
        self._found.verify()

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row for each vertex, called by its name.

        >>> import equipoise as eq
        >>> eq.generate("path:n=2").bfs(0).to_pandas().columns.to_list()
        ['vertex', 'levels', 'parents']
        """
        import pandas

        columns = {name: self._arrays[name] for name in self._columns}
        return pandas.DataFrame({"vertex": self._names.all(), **columns})

    def __repr__(self) -> str:
        facts = ", ".join(f"{name} {self._facts[name]}" for name in self._shown)
        return f"<{type(self).__name__} of {len(self._names.all())} vertices: {facts}>"

    def __getattr__(self, name: str) -> Any:
        # The arrays and facts of a result are its attributes, which each class lists.
        for kept in ("_arrays", "_facts"):
            if name in self.__dict__.get(kept, ()):
                return self.__dict__[kept][name]
        raise AttributeError(f"{type(self).__name__} has no `{name}`")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays, *self._facts]

    def _path(self, before: np.ndarray, vertex: Any) -> list[Any] | None:
        """The path to a vertex by what is before each one on it."""
        path = [self._names.vertex(vertex)]
        while path[-1] != self._facts["source"]:
            last = int(before[path[-1]])
            if last < 0:
                return None
            path.append(last)
        return self._names.of(reversed(path))
