"""The graph that every library gets: random, undirected, without self-loops and parallel edges, as arrays."""

from dataclasses import dataclass

import numpy as np

# Of the four quarters of the matrix, an edge of an R-MAT graph is in the first with this probability, and so on.
QUARTERS = (0.57, 0.19, 0.19, 0.05)


@dataclass
class Case:
    """Edges, and what is asked about them."""

    vertices: int
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    start: int
    """Where BFS and SSSP start: an end of a random edge, so that most vertices are reached."""
    sources: np.ndarray
    """What betweenness is sampled from: vertices that have edges."""
    with_edges: int
    """How many vertices have edges."""

    @property
    def edges(self) -> int:
        return len(self.source)


def random_case(kind: str, edges: int, vertices: int, sources: int, seed: int) -> Case:
    """A graph with exactly so many edges; `kind` is `rmat` or `uniform`."""
    if edges > vertices * (vertices - 1) // 8:
        raise ValueError(f"{edges} edges are too many for {vertices} vertices: give more vertices")
    random = np.random.default_rng(seed)
    ends = {"rmat": _rmat, "uniform": _uniform}[kind]
    # Names that say nothing about degrees, as those of real graphs.
    names = random.permutation(vertices)
    keys = np.empty(0, dtype=np.int64)
    while len(keys) < edges:
        first, second = names[ends(random, edges, vertices)]
        low, high = np.minimum(first, second), np.maximum(first, second)
        keys = np.union1d(keys, (low * vertices + high)[low < high])
    source, target = np.divmod(random.permutation(keys)[:edges], vertices)
    with_edges = np.union1d(source, target)
    return Case(
        vertices=vertices,
        source=source,
        target=target,
        weight=random.uniform(0.1, 1.0, edges),
        start=int(source[0]),
        sources=random.choice(with_edges, min(sources, len(with_edges)), replace=False),
        with_edges=len(with_edges),
    )


def _uniform(random: np.random.Generator, edges: int, vertices: int) -> np.ndarray:
    return random.integers(0, vertices, (2, edges))


def _rmat(random: np.random.Generator, edges: int, vertices: int) -> np.ndarray:
    """Quarter after quarter of the matrix, down to a single entry; entries beyond the last vertex are left out."""
    ends = np.zeros((2, edges), dtype=np.int64)
    for _ in range(max(vertices - 1, 1).bit_length()):
        quarter = random.choice(4, edges, p=QUARTERS)
        ends = 2 * ends + [quarter // 2, quarter % 2]
    return ends[:, (ends < vertices).all(axis=0)]
