"""The base class of all results.

Arrays are NumPy arrays with one number per vertex, in the order of ``Graph.names``. They are read-only views of the
library's memory: copy one to modify it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._device import DeviceArray

if TYPE_CHECKING:
    import pandas

    from ._names import Names


class Trace(Sequence[dict[str, Any]]):
    """The steps of a run: levels of a search, iterations, rounds.

    >>> import equipoise as eq
    >>> trace = eq.generate("path:n=3").bfs(0).trace
    >>> len(trace), trace[0]["frontier"]
    (3, 1)
    """

    def __init__(self, steps: list[dict[str, Any]]) -> None:
        self._steps = steps

    def __getitem__(self, index: Any) -> Any:
        return self._steps[index]

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


def _wrapped(array: "_native.Array | _native.DeviceArray") -> np.ndarray | DeviceArray:
    return DeviceArray(array) if isinstance(array, _native.DeviceArray) else np.asarray(array)


class Result:
    """A result: arrays, scalars, a trace, times, and verification.

    >>> import equipoise as eq
    >>> coloring = eq.generate("cycle:n=5").color()
    >>> coloring
    <Coloring of 5 vertices: count 3, strategy greedy>
    >>> coloring.verify()
    """

    _columns: tuple[str, ...] = ()
    """The arrays with one number per vertex for ``to_pandas``; all such arrays if empty."""
    _shown: tuple[str, ...] = ()
    """The scalars that ``repr`` shows; all if empty."""

    def __init__(self, names: "Names", native: _native.RunResult) -> None:
        self._names = names
        self._native = native
        self._arrays = {name: _wrapped(array) for name, array in native.arrays().items()}
        self._facts: dict[str, Any] = json.loads(native.facts())

    @property
    def trace(self) -> Trace:
        """The steps of the run."""
        return Trace(json.loads(self._native.trace()))

    @property
    def times(self) -> dict[str, float]:
        """The seconds of each part: ``kernel`` is the algorithm itself."""
        return json.loads(self._native.times())

    @property
    def verification(self) -> dict[str, Any]:
        """The outcome of the last check: ``verdict`` is ``"proved"``, ``"sampled"`` or ``"off"``, ``what`` says what was
        checked or why nothing was, and ``seconds`` is the time of the check. Samples have a ``confidence``: the least
        probability that the check finds one wrong number at a random position.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").mis().verification["verdict"]
        'proved'
        >>> eq.generate("path:n=3").mis(verify=False).verification["verdict"]
        'off'
        """
        return json.loads(self._native.verification())

    def verify(self) -> None:
        """Checks the result against the graph. Raises ``VerificationError`` if it is wrong.

        >>> import equipoise as eq
        >>> result = eq.generate("path:n=3").mis(verify=False)
        >>> result.verify()
        >>> result.verification["verdict"]
        'proved'
        """
        self._native.verify()

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row per vertex, and its name in the column ``vertex``.

        >>> import equipoise as eq
        >>> eq.generate("path:n=2").bfs(0).to_pandas().columns.to_list()
        ['vertex', 'levels', 'parents']
        """
        import pandas

        count = len(self._names.all())
        per_vertex = [name for name, array in self._arrays.items() if array.shape == (count,)]
        names = [name for name in self._columns or per_vertex if name in self._arrays]
        columns = {name: np.asarray(self._arrays[name]) for name in names}
        return pandas.DataFrame({"vertex": self._names.all(), **columns})

    def __repr__(self) -> str:
        numbers = [name for name, fact in self._facts.items() if isinstance(fact, (int, float, str))]
        values = {name: self._facts[name] if name in self._facts else getattr(self, name) for name in self._shown or numbers}
        facts = ", ".join(f"{name} {value}" for name, value in values.items())
        return f"<{type(self).__name__} of {len(self._names.all())} vertices: {facts}>"

    def __getattr__(self, name: str) -> Any:
        # The arrays and facts of a result are its attributes, which each class lists.
        for values in ("_arrays", "_facts"):
            if name in self.__dict__.get(values, ()):
                return self.__dict__[values][name]
        raise AttributeError(f"{type(self).__name__} has no `{name}`")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays, *self._facts]

    def _path(self, before: np.ndarray, vertex: Any) -> list[Any] | None:
        """The path to a vertex, from each vertex's predecessor."""
        path = [self._names.vertex(vertex)]
        while path[-1] != self._facts["source"]:
            last = int(before[path[-1]])
            if last < 0:
                return None
            path.append(last)
        return self._names.of(reversed(path))
