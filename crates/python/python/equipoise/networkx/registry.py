"""The functions that the backend has, and which calls of them it takes."""

import inspect
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from .convert import BackendGraph
from .weights import Declined, may_vanish

Arguments = dict[str, Any]


class Function(NamedTuple):
    """A function of NetworkX that the backend has."""

    call: Callable[..., Any]
    signature: inspect.Signature
    grows: str
    """How its work grows with the graph, by the names in ``worth``."""
    weight: str | None
    """The parameter that names the attribute of weights."""
    check_weights: Callable[[BackendGraph, Hashable], None]
    """Declines weights that it cannot take."""
    undirected: bool
    """Whether it declines directed graphs, which NetworkX has an answer for."""
    declines: Callable[[Arguments], str | None]
    """Why other arguments are declined, where they are."""


FUNCTIONS: dict[str, Function] = {}


def check_lengths(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights that the library cannot add up as NetworkX does."""
    graph.lengths(weight)


def check_one_kind(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights of int beside those of float as well, where lengths are given as they are."""
    if graph.lengths(weight).mixed:
        raise Declined("some weights are of int and some of float, or missing: lengths would be of both")


def check_positive(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights of zero as well: what NetworkX finds first, and how many paths it counts, then depends on the order of
    nodes."""
    if graph.once(("may vanish", weight), lambda: may_vanish(graph.lengths(weight), len(graph))):
        raise Declined("a weight is zero, or vanishes beside others: the answer depends on the order of nodes")


def _nothing(_: Arguments) -> None:
    return None


def function(
    grows: str,
    weight: str | None = None,
    check_weights: Callable[[BackendGraph, Hashable], None] = check_lengths,
    undirected: bool = False,
    declines: Callable[[Arguments], str | None] = _nothing,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds a function under its name. Its parameters are those of NetworkX's function."""

    def add(call: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(call)
        FUNCTIONS[call.__name__] = Function(
            call, signature, grows, weight, check_weights, undirected, declines
        )
        return call

    return add
