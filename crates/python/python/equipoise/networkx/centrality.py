"""Betweenness, closeness and harmonic centrality."""

import math
from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np

from .convert import BackendGraph
from .distances import blocks
from .registry import check_positive, function


@function("pairs", weight="weight", check_weights=check_positive)
def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Hashable = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Any, float]:
    if k == len(G):
        k = None
    sources = _sampled(G, k, seed)
    found, scale = _betweenness(G, weight, sources, endpoints=endpoints)
    sums = found.vertices * scale
    others = len(G) if endpoints else len(G) - 1
    if others >= 2:
        factors = np.full(len(G), _scale(G, others, k, normalized))
        if sources is not None and not endpoints:
            # A source is on no path that starts at it: there is one source fewer to tell of it.
            factors[sources] = math.nan if k == 1 else _scale(G, others, len(sources) - 1, normalized)
        sums = sums * factors
    return dict(zip(G.nodes, sums.tolist()))


@function("pairs", weight="weight", check_weights=check_positive)
def edge_betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Hashable = None,
    seed: Any = None,
) -> dict[tuple[Any, Any], float]:
    sources = _sampled(G, k, seed)
    found, scale = _betweenness(G, weight, sources, edges=True)
    ends = [end[G.is_edge] for end in G.arcs]
    values = np.zeros(len(ends[0]))
    # The library has edges in the order of their ends, and no self-loops.
    no_loops = np.flatnonzero(ends[0] != ends[1])
    by_ends = no_loops[np.lexsort((ends[1][no_loops], ends[0][no_loops]))]
    values[by_ends] = found.edge_values * scale
    if len(G) >= 2:
        values = values * _scale(G, len(G), k, normalized)
    names = ([G.nodes[vertex] for vertex in end.tolist()] for end in ends)
    return dict(zip(zip(*names), values.tolist()))


@function("pairs", weight="distance")
def closeness_centrality(
    G: BackendGraph, u: Any = None, distance: Hashable = None, wf_improved: bool = True
) -> Any:
    if u is not None and u not in G:
        # As the search that NetworkX would start there.
        text = f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph"
        raise nx.NodeNotFound(text)
    vertices = None if u is None else [G.vertices[u]]
    parts = [np.zeros(0)]
    for block in blocks(G, distance, vertices, reverse=True):
        reached = np.isfinite(block.lengths)
        others = reached.sum(axis=1) - 1.0
        totals = np.where(reached, block.lengths, 0.0).sum(axis=1)
        closeness = np.divide(others, totals, out=np.zeros(len(totals)), where=totals > 0)
        if wf_improved and len(G) > 1:
            closeness *= others / (len(G) - 1)
        parts.append(closeness)
    values = np.concatenate(parts).tolist()
    return values[0] if u is not None else dict(zip(G.nodes, values))


@function("pairs", weight="distance")
def harmonic_centrality(
    G: BackendGraph, nbunch: Any = None, distance: Hashable = None, sources: Any = None
) -> dict[Any, float]:
    # Sets as NetworkX makes them: their order is that of the result.
    wanted = set(G.nodes if nbunch is None else G.nx.nbunch_iter(nbunch))
    starts = set(G.nodes if sources is None else G.nx.nbunch_iter(sources))
    wanted_at, starts_at = ([G.vertices[node] for node in nodes] for nodes in (wanted, starts))
    sums = np.zeros(len(G))
    if len(wanted) < len(starts):
        for block in blocks(G, distance, wanted_at, reverse=True):
            sums[block.sources] = _reciprocals(block.lengths[:, starts_at]).sum(axis=1)
    else:
        for block in blocks(G, distance, starts_at):
            sums += _reciprocals(block.lengths).sum(axis=0)
    # Where nothing was added, NetworkX has its 0 of int.
    return {node: sums[vertex].item() or 0 for node, vertex in zip(wanted, wanted_at)}


def _reciprocals(lengths: np.ndarray) -> np.ndarray:
    return np.divide(1.0, lengths, out=np.zeros(lengths.shape), where=lengths > 0)


def _sampled(G: BackendGraph, k: int | None, seed: Any) -> list[int] | None:
    """The vertices that NetworkX samples."""
    return None if k is None else [G.vertices[node] for node in seed.sample(G.nodes, k)]


def _betweenness(
    G: BackendGraph, weight: Hashable, sources: list[int] | None, **options: bool
) -> tuple[Any, float]:
    """The library's betweenness, and what gives sums over all ordered pairs when multiplied with it."""
    library = G.library(weight)
    options["weighted"] = weight is not None
    found = library.betweenness(sources=sources, unnormalized=True, verify=False, **options)
    scale = 1.0 if G.is_directed() else 2.0
    if sources is not None:
        # Its estimates are for all vertices that an edge leaves.
        starts = library.degrees > 0
        scale *= max(int(starts[sources].sum()), 1) / max(int(starts.sum()), 1)
    return found, scale


def _scale(G: BackendGraph, others: int, sources: int | None, normalized: bool) -> float:
    """What NetworkX multiplies sums over ordered pairs with: ``others`` are the vertices that a pair is taken from."""
    starts = others if sources is None else sources
    if normalized:
        return 1 / (starts * (others - 1))
    return others / (starts * (1 if G.is_directed() else 2))
