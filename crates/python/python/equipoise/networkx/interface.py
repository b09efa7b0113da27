"""What NetworkX loads: the backend's functions, and which calls of them it can and should take."""

import functools
from collections.abc import Callable
from typing import Any

import networkx as nx

# Those of functions add them to the registry.
from . import (  # noqa: F401
    centrality,
    clusters,
    communities,
    components,
    lengths,
    link_analysis,
    paths,
    shortest_paths,
    trees,
    worth,
)
from .convert import BackendGraph, convert_from_nx, convert_to_nx, converted, looks_as_stored
from .registry import FUNCTIONS, Arguments, Function
from .weights import Declined


class BackendInterface:
    """The functions of the registry, by their names, and what NetworkX asks of a backend."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)

    @staticmethod
    def on_start_tests(items: list[Any]) -> None:
        """Marks NetworkX's own tests that another answer fails, when they are run with the backend."""
        _expect_other_communities(items)

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: Arguments) -> bool | str:
        """Whether a call would be answered as NetworkX answers it, or why it may not be."""
        function = FUNCTIONS[name]
        try:
            arguments = _bind(name, args, kwargs)
        except TypeError as error:
            return str(error)
        graph = arguments["G"]
        if not isinstance(graph, (nx.Graph, BackendGraph)):
            return f"a graph of {type(graph).__name__} is none of NetworkX"
        if graph.is_multigraph():
            return "parallel edges are not kept apart: multigraphs are left to NetworkX"
        if isinstance(graph, nx.Graph) and not looks_as_stored(graph):
            return f"{type(graph).__name__} has edges of its own making: it is left to NetworkX"
        if function.undirected and graph.is_directed():
            return "directed graphs are left to NetworkX"
        if reason := function.declines(arguments):
            return reason
        if function.weight is not None and callable(arguments[function.weight]):
            return "weights by a function of Python are left to NetworkX"
        if function.grows == "light" and isinstance(graph, nx.Graph) and converted(graph) is None:
            # To look at all weights may take longer than the call. `should_run` leaves it to NetworkX, unless the backend was
            # asked for by name: then it looks at them itself.
            return True
        try:
            _check_weights(function, arguments)
        except Declined as reason:
            return str(reason)
        return True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: Arguments) -> bool | str:
        """Whether a call that can run is expected to take less time than NetworkX does, or why not."""
        graph = _bind(name, args, kwargs)["G"]
        if isinstance(graph, BackendGraph):
            return True
        return worth.gains(FUNCTIONS[name].grows, graph, converted(graph) is not None)


_OTHER_COMMUNITIES = {
    "test_karate_club_partition",
    "test_undirected_selfloops",
    "test_none_weight_param",
    "test_multigraph",
    "test_directed_partition",
}
"""NetworkX's tests that expect the very communities that its own Louvain finds, in the same order."""


def _expect_other_communities(items: list[Any]) -> None:
    import pytest

    mark = pytest.mark.xfail(reason="other communities of about the same modularity, or in another order")
    for item in items:
        if item.path.name == "test_louvain.py" and item.name in _OTHER_COMMUNITIES:
            item.add_marker(mark)


def _bind(name: str, args: tuple[Any, ...], kwargs: Arguments) -> Arguments:
    """The arguments by name, with defaults: NetworkX passes them as its caller did."""
    bound = FUNCTIONS[name].signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _check_weights(function: Function, arguments: Arguments) -> None:
    """Declines weights that a function cannot take."""
    if function.weight is not None and (weight := arguments[function.weight]) is not None:
        graph = arguments["G"]
        function.check_weights(converted(graph) or convert_from_nx(graph), weight)


def _checked(name: str) -> Callable[..., Any]:
    function = FUNCTIONS[name]

    @functools.wraps(function.call)
    def call(*args: Any, **kwargs: Any) -> Any:
        _check_weights(function, _bind(name, args, kwargs))
        return function.call(*args, **kwargs)

    return call


for _name in FUNCTIONS:
    setattr(BackendInterface, _name, staticmethod(_checked(_name)))
