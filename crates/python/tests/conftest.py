"""Random graphs that the tests share, as NetworkX's and as ours."""

import installed

# Before NetworkX is imported, which then looks for backends.
installed.as_a_wheel_would_be()

import networkx as nx
import numpy as np
import pytest

import equipoise as eq


def random_edges(seed: int, vertices: int = 40, edges: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges with self-loops and parallel ones among them, and whole weights of which some are zero."""
    random = np.random.default_rng(seed)
    ends = random.integers(0, vertices, (2, edges))
    return ends[0], ends[1], random.integers(0, 9, edges)


class Case:
    """One graph in both libraries. NetworkX has of parallel edges the lightest, as a shortest path does."""

    def __init__(self, seed: int, directed: bool, weighted: bool) -> None:
        self.vertices = 40
        source, target, weight = random_edges(seed, self.vertices)
        self.ours = eq.Graph.from_edges(source, target, weight if weighted else None, directed, self.vertices)
        self.theirs = nx.DiGraph() if directed else nx.Graph()
        self.theirs.add_nodes_from(range(self.vertices))
        for start, end, length in zip(source, target, weight if weighted else np.ones_like(weight)):
            known = self.theirs.get_edge_data(start, end, {"weight": length})
            self.theirs.add_edge(int(start), int(end), weight=int(min(length, known["weight"])))
        self.directed = directed
        self.weighted = weighted

    @property
    def simple(self) -> nx.Graph:
        """NetworkX's simple undirected graph under it."""
        graph = nx.Graph(self.theirs.to_undirected())
        graph.remove_edges_from(nx.selfloop_edges(graph))
        return graph


@pytest.fixture(params=range(3), ids=lambda seed: f"seed{seed}")
def seed(request) -> int:
    return request.param


@pytest.fixture(params=[False, True], ids=["undirected", "directed"])
def directed(request) -> bool:
    return request.param


@pytest.fixture(params=[False, True], ids=["unweighted", "weighted"])
def case(request, seed, directed) -> Case:
    return Case(seed, directed, request.param)


@pytest.fixture
def unweighted(seed, directed) -> Case:
    return Case(seed, directed, weighted=False)
