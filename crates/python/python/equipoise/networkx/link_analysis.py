"""PageRank, with the library's product of a sparse matrix and a vector of float64."""

from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np

from .._matrix import Matrix
from .convert import BackendGraph
from .registry import function


def check_factors(graph: BackendGraph, weight: Hashable) -> None:
    """Declines weights that are no finite numbers."""
    graph.factors(weight)


@function("linear", weight="weight", check_weights=check_factors)
def pagerank(
    G: BackendGraph,
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1e-06,
    nstart: dict[Any, float] | None = None,
    weight: Hashable = "weight",
    dangling: dict[Any, float] | None = None,
) -> dict[Any, float]:
    if len(G) == 0:
        return {}
    incoming, is_dangling = G.once(("transitions", weight), lambda: _transitions(G, weight))
    even = np.full(len(G), 1.0 / len(G))
    ranks = even if nstart is None else _normalized(G, nstart)
    anew = even
    if personalization is not None:
        if sum(personalization.get(node, 0) for node in G.nodes) == 0:
            raise ZeroDivisionError
        anew = _normalized(G, personalization)
    from_dangling = anew if dangling is None else _normalized(G, dangling)
    for _ in range(max_iter):
        before = ranks
        followed = incoming @ before + before[is_dangling].sum() * from_dangling
        ranks = alpha * followed + (1 - alpha) * anew
        if np.abs(ranks - before).sum() < len(G) * tol:
            return dict(zip(G.nodes, ranks.tolist()))
    raise nx.PowerIterationFailedConvergence(max_iter)


def _transitions(G: BackendGraph, weight: Hashable) -> tuple[Matrix, np.ndarray]:
    """What each node gets of the ranks of others, and which nodes have no edge to give theirs to."""
    sources = G.arcs[0]
    factors = G.factors(weight)
    leaving = np.bincount(sources, factors, minlength=len(G))
    is_dangling = leaving == 0
    shares = np.divide(1.0, leaving, out=np.zeros(len(G)), where=~is_dangling)
    return G.transposed_matrix(factors * shares[sources]), is_dangling


def _normalized(G: BackendGraph, shares: dict[Any, float]) -> np.ndarray:
    values = np.array([shares.get(node, 0) for node in G.nodes], dtype=float)
    return values / values.sum()
