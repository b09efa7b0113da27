"""Times of one library: building its graph, each algorithm, and its result on the way to Python, each apart."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from answers import difference
from edges import Case
from libraries import Library


@dataclass
class Cell:
    """What a library took for one thing."""

    algorithm: float | None = None
    """Seconds; nothing where it failed or is wrong."""
    result: float | None = None
    """Seconds until the result is an array of NumPy."""
    once: bool = False
    """Whether one turn was enough."""
    compared: bool = True
    problem: str | None = None

    @property
    def total(self) -> float | None:
        return None if self.algorithm is None else self.algorithm + (self.result or 0.0)


@dataclass
class Row:
    """One library."""

    name: str
    version: str
    build: Cell
    cells: dict[str, Cell] = field(default_factory=dict)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def measure(
    library: Library, case: Case, answers: dict[str, np.ndarray], algorithms: list[str], repeats: int, long: float
) -> Row:
    """Every algorithm that the library has, after one turn to warm up; what takes over `long` seconds has one turn."""

    def build() -> Cell:
        # What the last turn made is given back before the clock starts.
        library.graph = None
        gc.collect()
        return Cell(timed(lambda: library.build(case))[1])

    row = Row(library.name, library.version, _median(build, repeats, long))
    if row.build.problem is not None:
        return row
    library.make_other_forms()
    for algorithm in algorithms:
        if hasattr(library, algorithm):
            row.cells[algorithm] = _median(lambda: _turn(library, algorithm, case, answers), repeats, long)
    return row


def _turn(library: Library, algorithm: str, case: Case, answers: dict[str, np.ndarray]) -> Cell:
    gc.collect()
    raw, seconds = timed(lambda: getattr(library, algorithm)(case))
    values, more = timed(lambda: library.result(algorithm, raw, case))
    if algorithm in library.not_compared:
        return Cell(seconds, more, compared=False)
    problem = difference(algorithm, values, answers)
    return Cell(seconds, more) if problem is None else Cell(problem=f"wrong: {problem}")


def _median(turn: Callable[[], Cell], repeats: int, long: float) -> Cell:
    try:
        first = turn()
        if first.problem is not None:
            return first
        once = (first.total or 0.0) > long
        cells = [first] if once else [turn() for _ in range(repeats)]
    except Exception as error:  # A library that fails is told; the others are still measured.
        return Cell(problem=f"failed: {type(error).__name__}: {error}")
    wrong = next((cell for cell in cells if cell.problem is not None), None)
    if wrong is not None:
        return wrong
    algorithm = statistics.median(cell.algorithm for cell in cells if cell.algorithm is not None)
    results = [cell.result for cell in cells if cell.result is not None]
    result = statistics.median(results) if results else None
    return Cell(algorithm, result, once, first.compared)
