"""What each algorithm finds."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._result import Result

if TYPE_CHECKING:
    import pandas


class Levels(Result):
    """The fewest edges from a source to every vertex.

    >>> import equipoise as eq
    >>> found = eq.Graph.from_edges([0, 1], [1, 2], vertices=4).bfs(0)
    >>> found.levels, found.parents, found.depth
    (array([ 0,  1,  2, -1], dtype=int32), array([ 0,  0,  1, -1], dtype=int32), 2)
    """

    _columns = ("levels", "parents")
    _shown = ("reached", "depth")

    levels: np.ndarray
    """The level of each vertex, −1 where it was not reached."""
    parents: np.ndarray
    """The vertex before each one, the source's own number at the source, −1 where not reached."""
    reached: int
    """How many vertices were reached."""
    depth: int
    """The largest level."""
    complete: bool
    """Whether all were reached that can be: not where a search stopped at its target or depth."""

    def path_to(self, vertex: Any) -> list[Any] | None:
        """A path with the fewest edges, both ends included; nothing where the vertex was not reached.

        >>> import equipoise as eq
        >>> eq.generate("path:n=4").bfs(0).path_to(2)
        [0, 1, 2]
        """
        return self._path(self.parents, vertex)


class ShortestPaths(Result):
    """Shortest paths from a source to every vertex.

    >>> import equipoise as eq
    >>> found = eq.Graph.from_edges([0, 1], [1, 2], weight=[0.5, 2.0], vertices=4).sssp(0)
    >>> found.distances, found.predecessors
    (array([0. , 0.5, 2.5, inf]), array([ 0,  0,  1, -1], dtype=int32))
    """

    _columns = ("distances", "predecessors")
    _shown = ("reached",)

    distances: np.ndarray
    """The length of a shortest path to each vertex, infinite where there is none."""
    predecessors: np.ndarray
    """The vertex before each one on a shortest path, −1 where there is none."""
    reached: int
    """How many vertices were reached."""
    complete: bool
    """Whether all were reached that can be: not where a search stopped at its target."""

    def path_to(self, vertex: Any) -> list[Any] | None:
        """A shortest path, both ends included; nothing where there is none.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1, 0], [1, 2, 2], weight=[1, 1, 5]).sssp(0).path_to(2)
        [0, 1, 2]
        """
        return self._path(self.predecessors, vertex)


class AllPairs(Result):
    """Shortest paths between all pairs of vertices, or from some.

    >>> import equipoise as eq
    >>> eq.generate("path:n=3").apsp().distances
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """

    _shown = ("strategy",)

    distances: np.ndarray
    """A row for each source: the distance to each vertex, infinite where there is no path."""
    strategy: str
    """How they were found."""

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row for each source and a column for each vertex, called by their names.

        >>> import equipoise as eq
        >>> float(eq.generate("path:n=3").apsp(sources=[2]).to_pandas().loc[2, 0])
        2.0
        """
        import pandas

        sources = self._facts["sources"]
        rows = self._names.all() if sources is None else self._names.of(sources)
        return pandas.DataFrame(self.distances, index=rows, columns=self._names.all())


class Coloring(Result):
    """A color for each vertex, other than those of its neighbours.

    >>> import equipoise as eq
    >>> eq.generate("star:n=4").color().count
    2
    """

    _columns = ("colors",)
    _shown = ("count", "strategy")

    colors: np.ndarray
    """The color of each vertex, from 0 on."""
    count: int
    """How many colors there are."""
    strategy: str
    """How they were found."""


class PageRank(Result):
    """The rank of each vertex.

    >>> import equipoise as eq
    >>> found = eq.generate("cycle:n=4").pagerank()
    >>> found.ranks.tolist(), found.converged
    ([0.25, 0.25, 0.25, 0.25], True)
    """

    _columns = ("ranks",)
    _shown = ("iterations", "converged")

    ranks: np.ndarray
    """The ranks, which add up to one."""
    iterations: int
    """How many iterations were made."""
    converged: bool
    """Whether the last one changed ranks by no more than the tolerance."""


class Components(Result):
    """The component of each vertex.

    >>> import equipoise as eq
    >>> found = eq.Graph.from_edges([0, 2], [1, 3]).components()
    >>> found.labels, found.count
    (array([0, 0, 1, 1]), 2)
    """

    _columns = ("labels",)
    _shown = ("count", "largest")

    labels: np.ndarray
    """The component of each vertex, numbered from 0 on in the order of their first vertices."""
    count: int
    """How many there are."""
    largest: int
    """How many vertices the largest has."""


class Triangles(Result):
    """How many triangles each vertex is in.

    >>> import equipoise as eq
    >>> found = eq.generate("complete:n=4").triangles()
    >>> found.counts.tolist(), found.total, found.transitivity
    ([3, 3, 3, 3], 4, 1.0)
    """

    _columns = ("counts", "clustering")
    _shown = ("total",)

    counts: np.ndarray
    """The triangles of each vertex."""
    clustering: np.ndarray
    """The share of pairs of its neighbours that are neighbours, of each vertex."""
    total: int
    """How many triangles there are."""
    transitivity: float
    """The share of paths of two edges whose ends are neighbours."""
    average_clustering: float
    """The mean of ``clustering``."""


class Cores(Result):
    """The core number of each vertex: the largest k such that it is in a subgraph in which all have k neighbours.

    >>> import equipoise as eq
    >>> eq.generate("star:n=4").kcore().cores
    array([1, 1, 1, 1], dtype=int32)
    """

    _columns = ("cores",)
    _shown = ("degeneracy",)

    cores: np.ndarray
    """The core numbers."""
    degeneracy: int
    """The largest of them."""


class Betweenness(Result):
    """How many shortest paths lead through each vertex.

    >>> import equipoise as eq
    >>> eq.generate("path:n=3").betweenness().vertices
    array([0., 1., 0.])
    """

    _columns = ("vertices",)
    _shown = ("sources", "exact")

    vertices: np.ndarray
    """The betweenness of each vertex."""
    edge_sources: np.ndarray
    """Where each edge starts, if that of edges was asked for."""
    edge_targets: np.ndarray
    """Where each edge ends."""
    edge_values: np.ndarray
    """The betweenness of each edge."""
    exact: bool
    """Whether it is no estimate."""


class SpanningForest(Result):
    """The lightest edges that hold each component together.

    >>> import equipoise as eq
    >>> forest = eq.Graph.from_edges([0, 1, 0], [1, 2, 2], weight=[4, 5, 3]).mst()
    >>> forest.sources, forest.targets, forest.total
    (array([0, 0]), array([1, 2]), 7)
    """

    _shown = ("trees", "total")

    sources: np.ndarray
    """The smaller end of each edge."""
    targets: np.ndarray
    """The larger end of each edge."""
    weights: np.ndarray
    """The weight of each edge."""
    total: float
    """What all edges weigh together."""
    trees: int
    """How many trees there are."""

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row for each edge, between vertices by their names.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").mst().to_pandas().source.to_list()
        [0, 1]
        """
        import pandas

        ends = {"source": self.sources, "target": self.targets}
        named = {end: self._names.of(vertices) for end, vertices in ends.items()}
        return pandas.DataFrame({**named, "weight": self.weights})


class IndependentSet(Result):
    """Vertices of which no two are neighbours, and to which none could be added.

    >>> import equipoise as eq
    >>> found = eq.generate("star:n=4").mis()
    >>> found.in_set, found.size
    (array([False,  True,  True,  True]), 3)
    """

    _columns = ("in_set",)
    _shown = ("size",)

    in_set: np.ndarray
    """Whether each vertex is in the set."""
    size: int
    """How many are."""


class Paths(Result):
    """How far vertices are from each other.

    >>> import equipoise as eq
    >>> found = eq.generate("path:n=3").paths()
    >>> found.eccentricities, found.diameter, found.radius
    (array([2., 1., 2.]), 2.0, 1.0)
    """

    _columns = ("closeness", "harmonic")
    _shown = ("diameter", "radius", "exact")

    sources: np.ndarray
    """The vertices that searches started from."""
    eccentricities: np.ndarray
    """The distance from each of the sources to the vertex farthest away."""
    closeness: np.ndarray
    """The closeness of each vertex, as NetworkX has it."""
    harmonic: np.ndarray
    """The harmonic centrality of each vertex."""
    diameter: float
    """The largest distance, or what it is at least where not all vertices were sources."""
    radius: float
    """The smallest eccentricity."""
    connected: bool
    """Whether every source reaches every vertex."""
    exact: bool
    """Whether all vertices were sources."""


class Communities(Result):
    """Groups of vertices with more edges within them than between them.

    >>> import equipoise as eq
    >>> found = eq.generate("cliques:count=3,size=5").communities()
    >>> found.count, found.communities[:6].tolist()
    (3, [0, 0, 0, 0, 0, 1])
    """

    _columns = ("communities",)
    _shown = ("count", "modularity")

    communities: np.ndarray
    """The community of each vertex, numbered from 0 on."""
    count: int
    """How many there are."""
    largest: int
    """How many vertices the largest has."""
    modularity: float
    """How many more edges are within communities than chance would have there."""
    converged: bool
    """Whether it came to its end, not to the most iterations."""
