"""What NetworkX loads: the backend's functions, and which calls of them it can and should take."""

from typing import Any

import networkx as nx

# Those of functions add them to the registry.
from . import centrality, clusters, components, lengths, link_analysis, paths, shortest_paths, trees, worth  # noqa: F401
from .convert import BackendGraph, convert_from_nx, convert_to_nx, converted, looks_as_stored
from .registry import FUNCTIONS, Arguments
from .weights import Declined


class BackendInterface:
    """The functions of the registry, by their names, and what NetworkX asks of a backend."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)

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
        if function.weight is not None and (weight := arguments[function.weight]) is not None:
            if callable(weight):
                return "weights by a function of Python are left to NetworkX"
            try:
                function.check_weights(converted(graph) or convert_from_nx(graph), weight)
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


def _bind(name: str, args: tuple[Any, ...], kwargs: Arguments) -> Arguments:
    """The arguments by name, with defaults: NetworkX passes them as its caller did."""
    bound = FUNCTIONS[name].signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


for _name, _function in FUNCTIONS.items():
    setattr(BackendInterface, _name, staticmethod(_function.call))
