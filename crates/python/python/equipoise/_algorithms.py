"""The algorithms, as methods of a graph."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _native
from . import _results as results
from ._progress import groups

if TYPE_CHECKING:
    from ._names import Names

# What a GPU searches from in one pass.
SEARCHES_AT_ONCE = 32


def _json(options: dict[str, Any]) -> str:
    """Options as the library reads them. Those that are not given keep its defaults."""
    given = {name: value for name, value in options.items() if value is not None}
    return json.dumps(given, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"{value!r} is no value of an option")


class Algorithms:
    """What a graph can be asked. Options have the library's names; an unknown one is answered with those there are."""

    _native: _native.Graph
    _names: "Names"

    def bfs(self, source: Any, target: Any = None, **options: Any) -> results.Levels:
        """The fewest edges from ``source`` to every vertex; up to ``target``, where one is given.

        Options: ``strategy``, ``max_depth``, and ``gpu``, a dict of settings.

        >>> import equipoise as eq
        >>> eq.generate("path:n=4").bfs(1).levels.tolist()
        [1, 0, 1, 2]
        """
        options["target"] = None if target is None else self._names.vertex(target)
        found = _native.bfs(self._native, self._names.vertex(source), _json(options))
        return results.Levels(self._names, found)

    def bfs_many(self, sources: Iterable[Any], progress: bool = False, **options: Any) -> list[results.Levels]:
        """A search from each of ``sources``: a GPU does 32 in one pass. Options as those of ``bfs``.

        With ``progress`` it is shown how many are done: by tqdm, if it is installed.

        >>> import equipoise as eq
        >>> [found.depth for found in eq.generate("path:n=4").bfs_many([0, 1])]
        [3, 2]
        """
        given = _json(options)
        found: list[results.Levels] = []
        for some in groups(self._names.vertices(sources), SEARCHES_AT_ONCE, progress):
            for one in _native.bfs_many(self._native, some, given):
                found.append(results.Levels(self._names, one))
        return found

    def sssp(self, source: Any, target: Any = None, **options: Any) -> results.ShortestPaths:
        """Shortest paths from ``source`` to every vertex; up to ``target``, where one is given. An edge without a weight
        counts 1.

        Options: ``strategy``, ``delta``, ``adaptive``, and ``gpu``, a dict of settings.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1], [1, 2], weight=[3, 4]).sssp(2).distances
        array([7., 4., 0.])
        """
        options["target"] = None if target is None else self._names.vertex(target)
        found = _native.sssp(self._native, self._names.vertex(source), _json(options))
        return results.ShortestPaths(self._names, found)

    def apsp(self, sources: Iterable[Any] | None = None, **options: Any) -> results.AllPairs:
        """Shortest paths from every vertex, or from each of ``sources``, to every vertex.

        Options: ``strategy``, ``next_hops``, ``searches_at_once``, ``memory_limit`` in bytes.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").apsp(sources=[2]).distances
        array([[2., 1., 0.]])
        """
        found = _native.apsp(self._native, _json(options | self._sources(sources)))
        return results.AllPairs(self._names, found)

    def color(self, **options: Any) -> results.Coloring:
        """Colors the vertices so that no edge joins two of one color.

        Options: ``strategy``, ``prefer`` (``"colors"`` or ``"time"``), ``seed``, and those of each strategy.

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=4").color(strategy="greedy").count
        2
        """
        return results.Coloring(self._names, _native.color(self._native, _json(options)))

    def pagerank(self, personalization: Any = None, **options: Any) -> results.PageRank:
        """Ranks the vertices. ``personalization`` says how often walks start anew at each vertex, as shares of any sum.

        Options: ``damping``, ``tolerance`` (NetworkX's ``tol`` times the number of vertices), ``max_iterations``,
        ``unweighted``, ``schedule``.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1], [2, 2]).pagerank(damping=0.5).ranks.argmax()
        np.int64(2)
        """
        shares = None
        if personalization is not None:
            shares = _arrays.numbers(personalization, "personalization").astype(np.float64)
        found = _native.pagerank(self._native, _json(options), shares)
        return results.PageRank(self._names, found)

    def components(self, strong: bool = False, **options: Any) -> results.Components:
        """Which vertices hang together over edges of either direction, or, ``strong``, can be reached from each other.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> graph = eq.Graph.from_edges([0, 1], [1, 2], directed=True)
        >>> graph.components().count, graph.components(strong=True).count
        (1, 3)
        """
        found = _native.components(self._native, _json(options | {"strong": strong}))
        return results.Components(self._names, found)

    def triangles(self, **options: Any) -> results.Triangles:
        """Counts the triangles, whatever the direction of edges.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=5").triangles().total
        10
        """
        return results.Triangles(self._names, _native.triangles(self._native, _json(options)))

    def kcore(self) -> results.Cores:
        """Finds the core number of each vertex, whatever the direction of edges.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=5").kcore().degeneracy
        4
        """
        return results.Cores(self._names, _native.kcore(self._native))

    def betweenness(self, sources: Iterable[Any] | None = None, **options: Any) -> results.Betweenness:
        """How many shortest paths lead through each vertex, as NetworkX counts them; from ``sources`` an estimate:
        their part of it, times all vertices over those.

        Options: ``weighted``, ``unnormalized``, ``endpoints``, ``edges`` (that of edges as well).

        >>> import equipoise as eq
        >>> eq.generate("star:n=4").betweenness(unnormalized=True).vertices.tolist()
        [3.0, 0.0, 0.0, 0.0]
        """
        found = _native.betweenness(self._native, _json(options | self._sources(sources)))
        return results.Betweenness(self._names, found)

    def mst(self, **options: Any) -> results.SpanningForest:
        """A minimum spanning forest of an undirected graph.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=4").mst().total
        3
        """
        return results.SpanningForest(self._names, _native.mst(self._native, _json(options)))

    def mis(self, **options: Any) -> results.IndependentSet:
        """A maximal independent set.

        Options: ``priority`` (``"degree"`` or ``"random"``), ``seed``.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=4").mis().size
        1
        """
        return results.IndependentSet(self._names, _native.mis(self._native, _json(options)))

    def paths(self, sources: Iterable[Any] | None = None, **options: Any) -> results.Paths:
        """Eccentricities, diameter, radius, closeness and harmonic centrality; estimates of them from ``sources``.

        Options: ``weighted``, ``within`` (how many vertices are so near to each source).

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=5").paths().diameter
        2.0
        """
        found = _native.paths(self._native, _json(options | self._sources(sources)))
        return results.Paths(self._names, found)

    def communities(self, **options: Any) -> results.Communities:
        """Groups of vertices with more edges within them than between them.

        Options: ``strategy`` (``"louvain"`` or ``"label-propagation"``), ``resolution``, ``tolerance``,
        ``max_iterations``, ``seed``.

        >>> import equipoise as eq
        >>> eq.generate("cliques:count=4,size=9").communities(strategy="label-propagation").count
        4
        """
        return results.Communities(self._names, _native.communities(self._native, _json(options)))

    def _sources(self, sources: Iterable[Any] | None) -> dict[str, Any]:
        return {"sources": None if sources is None else self._names.vertices(sources)}
