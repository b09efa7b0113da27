"""The results of the algorithms."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._result import Result

if TYPE_CHECKING:
    import pandas


class Levels(Result):
    """Levels of a breadth-first search.

    >>> import equipoise as eq
    >>> result = eq.Graph.from_edges([0, 1], [1, 2], vertices=4).bfs(0)
    >>> result.levels, result.parents, result.depth
    (array([ 0,  1,  2, -1], dtype=int32), array([ 0,  0,  1, -1], dtype=int32), 2)
    """

    _columns = ("levels", "parents")
    _shown = ("reached", "depth")

    levels: np.ndarray
    """The level of each vertex; −1 if unreached."""
    parents: np.ndarray
    """The parent of each vertex; the source is its own parent; −1 if unreached."""
    reached: int
    """The number of reached vertices."""
    depth: int
    """The largest level."""
    complete: bool
    """Whether all reachable vertices were reached: false if the search stopped at its target or depth."""

    def path_to(self, vertex: Any) -> list[Any] | None:
        """A path with the fewest edges, including both ends; ``None`` if the vertex was not reached.

        >>> import equipoise as eq
        >>> eq.generate("path:n=4").bfs(0).path_to(2)
        [0, 1, 2]
        """
        return self._path(self.parents, vertex)


class ShortestPaths(Result):
    """Shortest paths from a source.

    >>> import equipoise as eq
    >>> result = eq.Graph.from_edges([0, 1], [1, 2], weight=[0.5, 2.0], vertices=4).sssp(0)
    >>> result.distances, result.predecessors
    (array([0. , 0.5, 2.5, inf]), array([ 0,  0,  1, -1], dtype=int32))
    """

    _columns = ("distances", "predecessors")
    _shown = ("reached",)

    distances: np.ndarray
    """The distance of each vertex; infinite if there is no path."""
    predecessors: np.ndarray
    """The predecessor of each vertex on a shortest path; −1 if there is no path."""
    reached: int
    """The number of reached vertices."""
    complete: bool
    """Whether all reachable vertices were reached: false if the search stopped at its target."""

    def path_to(self, vertex: Any) -> list[Any] | None:
        """A shortest path, including both ends; ``None`` if there is none.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1, 0], [1, 2, 2], weight=[1, 1, 5]).sssp(0).path_to(2)
        [0, 1, 2]
        """
        return self._path(self.predecessors, vertex)


class AllPairs(Result):
    """Shortest paths between all pairs of vertices, or from some sources.

    >>> import equipoise as eq
    >>> eq.generate("path:n=3").apsp().distances
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """

    _shown = ("strategy",)

    distances: np.ndarray
    """A row per source with the distance to each vertex; infinite if there is no path."""
    strategy: str
    """The strategy that computed them."""

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row per source and a column per vertex, labelled by their names.

        >>> import equipoise as eq
        >>> float(eq.generate("path:n=3").apsp(sources=[2]).to_pandas().loc[2, 0])
        2.0
        """
        import pandas

        sources = self._facts["sources"]
        rows = self._names.all() if sources is None else self._names.of(sources)
        return pandas.DataFrame(self.distances, index=rows, columns=self._names.all())


class Coloring(Result):
    """A color per vertex, different from its neighbours' colors.

    >>> import equipoise as eq
    >>> eq.generate("star:n=4").color().count
    2
    """

    _columns = ("colors",)
    _shown = ("count", "strategy")

    colors: np.ndarray
    """The color of each vertex, from 0 on."""
    strategy: str
    """The strategy that computed them."""

    @property
    def count(self) -> int:
        """The number of colors."""
        return self._facts["colors"]


class PageRank(Result):
    """The rank of each vertex.

    >>> import equipoise as eq
    >>> result = eq.generate("cycle:n=4").pagerank()
    >>> result.ranks.tolist(), result.converged
    ([0.25, 0.25, 0.25, 0.25], True)
    """

    _columns = ("ranks",)
    _shown = ("iterations", "converged")

    ranks: np.ndarray
    """The ranks, which add up to one."""
    iterations: int
    """The number of iterations."""
    converged: bool
    """Whether the last iteration changed ranks by at most the tolerance."""


class Components(Result):
    """The component of each vertex.

    >>> import equipoise as eq
    >>> result = eq.Graph.from_edges([0, 2], [1, 3]).components()
    >>> result.labels, result.count
    (array([0, 0, 1, 1]), 2)
    """

    _columns = ("labels",)
    _shown = ("count", "largest")

    labels: np.ndarray
    """The component of each vertex, numbered from 0 on in the order of their first vertices."""
    count: int
    """The number of components."""
    largest: int
    """The number of vertices of the largest one."""


class Triangles(Result):
    """The number of triangles of each vertex.

    >>> import equipoise as eq
    >>> result = eq.generate("complete:n=4").triangles()
    >>> result.counts.tolist(), result.total, result.transitivity
    ([3, 3, 3, 3], 4, 1.0)
    """

    _columns = ("counts", "clustering")
    _shown = ("total",)

    counts: np.ndarray
    """The triangles of each vertex."""
    clustering: np.ndarray
    """The local clustering coefficient of each vertex: the share of pairs of its neighbours that are neighbours."""
    total: int
    """The total number of triangles."""
    transitivity: float
    """The share of paths of two edges whose ends are neighbours."""
    average_clustering: float
    """The mean of ``clustering``."""


class Clustering(Result):
    """The local clustering coefficient of each vertex, by the definition of LDBC Graphalytics.

    >>> import equipoise as eq
    >>> result = eq.generate("complete:n=4").lcc()
    >>> result.coefficients.tolist(), result.closed.tolist(), result.average
    ([1.0, 1.0, 1.0, 1.0], [6, 6, 6, 6], 1.0)
    """

    _columns = ("coefficients", "closed")
    _shown = ("average",)

    coefficients: np.ndarray
    """The coefficients."""
    closed: np.ndarray
    """The number of directed edges between the neighbours of each vertex; an undirected edge counts twice."""
    average: float
    """The mean of the coefficients."""


class Labels(Result):
    """The label of each vertex after label propagation.

    >>> import equipoise as eq
    >>> result = eq.generate("complete:n=4").cdlp()
    >>> result.labels.tolist(), result.count, result.converged
    ([0, 0, 0, 0], 1, True)
    """

    _columns = ("labels",)
    _shown = ("count", "largest", "converged")

    labels: np.ndarray
    """The label of each vertex: the number of the vertex that had it at first."""
    count: int
    """The number of distinct labels."""
    largest: int
    """The number of vertices with the most frequent label."""
    iterations: int
    """The number of iterations."""
    converged: bool
    """Whether no label changed in the last iteration."""


class Cores(Result):
    """The core number of each vertex: the largest k such that it is in a subgraph with minimum degree k.

    >>> import equipoise as eq
    >>> eq.generate("star:n=4").kcore().cores
    array([1, 1, 1, 1], dtype=int32)
    """

    _columns = ("cores",)
    _shown = ("degeneracy",)

    cores: np.ndarray
    """The core numbers."""
    degeneracy: int
    """The largest core number."""


class Betweenness(Result):
    """Betweenness centrality.

    >>> import equipoise as eq
    >>> eq.generate("path:n=3").betweenness().vertices
    array([0., 1., 0.])
    """

    _columns = ("vertices",)
    _shown = ("sources", "exact")

    vertices: np.ndarray
    """The betweenness of each vertex."""
    edge_sources: np.ndarray
    """The source of each edge, if the betweenness of edges was requested."""
    edge_targets: np.ndarray
    """The target of each edge."""
    edge_values: np.ndarray
    """The betweenness of each edge."""
    exact: bool
    """Whether it is exact, not an estimate."""


class SpanningForest(Result):
    """A minimum spanning forest.

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
    trees: int
    """The number of trees."""

    @property
    def total(self) -> float:
        """The total weight."""
        total = self._facts["total"]
        # JSON has no infinity.
        return float(total) if isinstance(total, str) else total

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a row per edge, between vertices by name.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").mst().to_pandas().source.to_list()
        [0, 1]
        """
        import pandas

        ends = {"source": self.sources, "target": self.targets}
        named = {end: self._names.of(vertices) for end, vertices in ends.items()}
        return pandas.DataFrame({**named, "weight": self.weights})


class IndependentSet(Result):
    """A maximal independent set: no two vertices are neighbours, and none could be added.

    >>> import equipoise as eq
    >>> result = eq.generate("star:n=4").mis()
    >>> result.in_set, result.size
    (array([False,  True,  True,  True]), 3)
    """

    _columns = ("in_set",)
    _shown = ("size",)

    in_set: np.ndarray
    """Whether each vertex is in the set."""
    size: int
    """The number of vertices in the set."""


class Paths(Result):
    """Distance measures: eccentricities, diameter, radius, closeness.

    >>> import equipoise as eq
    >>> result = eq.generate("path:n=3").paths()
    >>> result.eccentricities, result.diameter, result.radius
    (array([2., 1., 2.]), 2.0, 1.0)
    """

    _columns = ("closeness", "harmonic")
    _shown = ("diameter", "radius", "exact")

    sources: np.ndarray
    """The sources of the searches."""
    eccentricities: np.ndarray
    """The largest distance from each source."""
    closeness: np.ndarray
    """The closeness of each vertex, as NetworkX defines it; an estimate unless all vertices were sources."""
    harmonic: np.ndarray
    """The harmonic centrality of each vertex; an estimate unless all vertices were sources."""
    diameter: float
    """The largest distance, or a lower bound on it unless all vertices were sources."""
    most_diameter: float | None
    """An upper bound on the diameter, if known."""
    diameter_from: Any
    """With ``diameter=True``, a vertex that is as far as the diameter from ``diameter_to``."""
    diameter_to: Any
    """With ``diameter=True``, the other one of the two vertices."""
    radius: float
    """The smallest eccentricity, or an upper bound on it unless all vertices were sources."""
    least_radius: float | None
    """A lower bound on the radius, if known."""
    connected: bool
    """Whether every source reaches every vertex."""
    exact: bool
    """Whether all vertices were sources."""


class Communities(Result):
    """Groups of vertices with more edges within them than between them.

    >>> import equipoise as eq
    >>> result = eq.generate("cliques:count=3,size=5").communities()
    >>> result.count, result.communities[:6].tolist()
    (3, [0, 0, 0, 0, 0, 1])
    """

    _columns = ("communities",)
    _shown = ("count", "modularity")

    communities: np.ndarray
    """The community of each vertex, numbered from 0 on."""
    count: int
    """The number of communities."""
    largest: int
    """The number of vertices of the largest one."""
    modularity: float
    """The modularity: the share of edges within communities, minus the share expected by chance."""
    objective: str
    """What Louvain and Leiden maximise: ``"modularity"``, ``"directed-modularity"`` or ``"cpm"``."""
    quality: float
    """The value of the objective."""
    hierarchy: np.ndarray
    """With ``levels=True``: the community of each vertex after each level, a row per level."""
    converged: bool
    """Whether it converged, rather than reaching the maximum number of iterations."""
