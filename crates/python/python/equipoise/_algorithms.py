"""The algorithms, as methods of a graph."""

import json
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from . import _arrays, _native
from . import _results as results
from ._device_results import DeviceLevels, DeviceShortestPaths
from ._progress import groups
from ._result import Result

if TYPE_CHECKING:
    from ._names import Names

# The number of sources that a GPU searches from in one pass.
SEARCHES_AT_ONCE = 32

_R = TypeVar("_R", bound=Result)


def algorithms() -> dict[str, str]:
    """The algorithms for :meth:`Graph.run`, each with a summary.

    >>> import equipoise as eq
    >>> eq.algorithms()["pagerank"]
    'Rank the vertices by PageRank'
    """
    return dict(_native.algorithms())


def _json(options: dict[str, Any]) -> str:
    """Options as JSON for the library. Options that are ``None`` keep its defaults."""
    present = {name: value for name, value in options.items() if value is not None}
    for name, value in present.items():
        if isinstance(value, (float, np.floating)) and not np.isfinite(value):
            # JSON has no such numbers.
            raise ValueError(f"`{name}` is {value}: expected a finite number")
    return json.dumps(present, default=_plain)


def _plain(value: Any) -> Any:
    """Converts a NumPy scalar to a Python number."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"{value!r} is not a valid value of an option")


def _verifies(options: dict[str, Any]) -> bool:
    """Removes the option ``verify``. Whether it, or else the environment variable ``EQUIPOISE_VERIFY``, asks to verify."""
    verify = options.pop("verify", None)
    return _native.verifies_by_default() if verify is None else bool(verify)


def _stays_on_device(options: dict[str, Any]) -> bool:
    """Removes the option ``device_arrays``, and returns it."""
    return bool(options.pop("device_arrays", False))


class Algorithms:
    """The algorithms of a graph. Options have the library's names; an unknown one raises an error that lists them.

    Results are verified, and a wrong one raises ``VerificationError``, unless the option ``verify`` is ``False`` or the
    environment variable ``EQUIPOISE_VERIFY`` is ``off``. Searches from many sources at once are verified only on request.
    """

    _native: _native.Graph
    _names: "Names"

    @overload
    def bfs(
        self, source: Any, target: Any = None, *, device_arrays: Literal[False] = False, **options: Any
    ) -> results.Levels: ...
    @overload
    def bfs(
        self, source: Any, target: Any = None, *, device_arrays: Literal[True], **options: Any
    ) -> DeviceLevels: ...
    def bfs(
        self, source: Any, target: Any = None, *, device_arrays: bool = False, **options: Any
    ) -> results.Levels | DeviceLevels:
        """Breadth-first search from ``source``; stops at ``target`` if one is given. With ``device_arrays=True``, on CUDA
        only, the arrays of the result stay on the GPU.

        Options: ``strategy``, ``policy`` (``"rule"`` or ``"learned"``), ``max_depth``, and ``gpu``, a dict of settings.

        >>> import equipoise as eq
        >>> eq.generate("path:n=4").bfs(1).levels.tolist()
        [1, 0, 1, 2]
        """
        options |= {"target": target}
        if device_arrays:
            return self._search(DeviceLevels, "bfs", source, options | {"device_arrays": True})
        return self._search(results.Levels, "bfs", source, options)

    def bfs_many(self, sources: Iterable[Any], progress: bool = False, **options: Any) -> list[results.Levels]:
        """Breadth-first searches from each of ``sources``: a GPU runs 32 in one pass. The options are those of ``bfs``,
        without a target.

        ``progress`` shows the number of finished searches, with tqdm if it is installed.

        >>> import equipoise as eq
        >>> [search.depth for search in eq.generate("path:n=4").bfs_many([0, 1])]
        [3, 2]
        """
        verifies = bool(options.pop("verify", False))
        keywords = _json(options)
        searches: list[results.Levels] = []
        for group in groups(self._names.vertices(sources), SEARCHES_AT_ONCE, progress):
            for search in _native.run(self._native, "bfs", keywords, {}, verifies, group):
                searches.append(results.Levels(self._names, search))
        return searches

    @overload
    def sssp(
        self, source: Any, target: Any = None, *, device_arrays: Literal[False] = False, **options: Any
    ) -> results.ShortestPaths: ...
    @overload
    def sssp(
        self, source: Any, target: Any = None, *, device_arrays: Literal[True], **options: Any
    ) -> DeviceShortestPaths: ...
    def sssp(
        self, source: Any, target: Any = None, *, device_arrays: bool = False, **options: Any
    ) -> results.ShortestPaths | DeviceShortestPaths:
        """Shortest paths from ``source``; stops at ``target`` if one is given. Edges without a weight have weight 1. With
        ``device_arrays=True``, on CUDA only, the arrays of the result stay on the GPU.

        Options: ``strategy``, ``policy`` (``"rule"`` or ``"learned"``), ``delta``, ``adaptive``, and ``gpu``, a dict of settings.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1], [1, 2], weight=[3, 4]).sssp(2).distances
        array([7., 4., 0.])
        """
        options |= {"target": target}
        if device_arrays:
            return self._search(DeviceShortestPaths, "sssp", source, options | {"device_arrays": True})
        return self._search(results.ShortestPaths, "sssp", source, options)

    def apsp(self, sources: Iterable[Any] | None = None, **options: Any) -> results.AllPairs:
        """Shortest paths from every vertex, or from each of ``sources``, to every vertex.

        Options: ``strategy``, ``next_hops``, ``searches_at_once``, ``memory_limit`` in bytes.

        >>> import equipoise as eq
        >>> eq.generate("path:n=3").apsp(sources=[2]).distances
        array([[2., 1., 0.]])
        """
        return self._run(results.AllPairs, "apsp", options | self._sources(sources))

    def color(self, **options: Any) -> results.Coloring:
        """Colors the vertices so that no edge joins two of one color.

        Options: ``strategy``, ``prefer`` (``"colors"`` or ``"time"``), ``seed``, and those of each strategy.

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=4").color(strategy="greedy").count
        2
        """
        return self._run(results.Coloring, "color", options)

    def pagerank(self, personalization: Any = None, **options: Any) -> results.PageRank:
        """PageRank. ``personalization`` is the restart distribution, one number per vertex with any sum.

        Options: ``damping``, ``tolerance`` (NetworkX's ``tol`` times the number of vertices), ``max_iterations``,
        ``iterations``, ``unweighted``, ``schedule``.

        Raises :class:`ConvergenceError` if the ranks have not converged after ``max_iterations``, unless ``iterations``
        is set, or ``tolerance`` is 0.

        >>> import equipoise as eq
        >>> eq.Graph.from_edges([0, 1], [2, 2]).pagerank(damping=0.5).ranks.argmax()
        np.int64(2)
        """
        arrays = {}
        if personalization is not None:
            shares = _arrays.numbers(personalization, "personalization")
            arrays["personalization"] = shares.astype(np.float64)
        return self._run(results.PageRank, "pagerank", options, arrays)

    def components(self, strong: bool = False, **options: Any) -> results.Components:
        """Weakly connected components, or, with ``strong``, strongly connected ones.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> graph = eq.Graph.from_edges([0, 1], [1, 2], directed=True)
        >>> graph.components().count, graph.components(strong=True).count
        (1, 3)
        """
        return self._run(results.Components, "components", options | {"strong": strong})

    def triangles(self, **options: Any) -> results.Triangles:
        """Counts the triangles, ignoring the direction of edges.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=5").triangles().total
        10
        """
        return self._run(results.Triangles, "triangles", options)

    def lcc(self) -> results.Clustering:
        """Local clustering coefficients as LDBC Graphalytics defines them: the directed edges between the neighbours of a vertex,
        divided by how many there could be. (NetworkX's ``clustering`` of a directed graph is another number.)

        >>> import equipoise as eq
        >>> graph = eq.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
        >>> graph.lcc().coefficients.tolist()
        [0.5, 0.5, 0.5]
        """
        return self._run(results.Clustering, "lcc", {})

    def kcore(self) -> results.Cores:
        """Computes the core number of each vertex, ignoring the direction of edges.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=5").kcore().degeneracy
        4
        """
        return self._run(results.Cores, "kcore", {})

    def betweenness(self, sources: Iterable[Any] | None = None, **options: Any) -> results.Betweenness:
        """Betweenness centrality, as NetworkX defines it; with ``sources`` an estimate: their contribution, scaled by the
        number of vertices with an outgoing edge over the number of such sources.

        Options: ``weighted``, ``unnormalized``, ``endpoints``, ``edges`` (also the betweenness of edges).

        >>> import equipoise as eq
        >>> eq.generate("star:n=4").betweenness(unnormalized=True).vertices.tolist()
        [3.0, 0.0, 0.0, 0.0]
        """
        return self._run(results.Betweenness, "betweenness", options | self._sources(sources))

    def cdlp(self, **options: Any) -> results.Labels:
        """Propagates labels as LDBC Graphalytics does: all vertices at once take the most frequent label around them, the smallest of
        several.

        Options: ``max_iterations``.

        >>> import equipoise as eq
        >>> eq.generate("path:n=4").cdlp(max_iterations=1).labels.tolist()
        [1, 0, 1, 2]
        """
        return self._run(results.Labels, "cdlp", options)

    def mst(self, **options: Any) -> results.SpanningForest:
        """A minimum spanning forest of an undirected graph.

        Options: ``strategy``.

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=4").mst().total
        3
        """
        return self._run(results.SpanningForest, "mst", options)

    def mis(self, **options: Any) -> results.IndependentSet:
        """A maximal independent set.

        Options: ``priority`` (``"degree"`` or ``"random"``), ``seed``.

        >>> import equipoise as eq
        >>> eq.generate("complete:n=4").mis().size
        1
        """
        return self._run(results.IndependentSet, "mis", options)

    def paths(self, sources: Iterable[Any] | None = None, **options: Any) -> results.Paths:
        """Eccentricities, diameter, radius, closeness and harmonic centrality; estimates if ``sources`` are given.

        Options: ``weighted``, ``within`` (counts the vertices within this distance of each source), ``diameter`` (finds only the
        diameter of an undirected graph, with few searches).

        >>> import equipoise as eq
        >>> eq.generate("cycle:n=5").paths().diameter
        2.0
        >>> result = eq.generate("path:n=1000").paths(diameter=True)
        >>> result.diameter, result.diameter_from, result.diameter_to
        (999.0, 0, 999)
        """
        return self._run(results.Paths, "paths", options | self._sources(sources))

    def communities(self, initial: Any = None, **options: Any) -> results.Communities:
        """Groups of vertices with more edges within them than between them. ``initial`` are the communities that Louvain
        and Leiden start from, one number per vertex.

        Options: ``strategy`` (``"louvain"``, ``"leiden"`` or ``"label-propagation"``), ``objective`` (``"modularity"``,
        ``"directed-modularity"`` or ``"cpm"``), ``resolution``, ``tolerance``, ``max_iterations``, ``seed``, ``max_community_size``, ``levels`` (keeps
        the communities of each level in ``hierarchy``).

        Warns (``RuntimeWarning``) if ``max_iterations`` is reached before convergence.

        >>> import equipoise as eq
        >>> eq.generate("cliques:count=4,size=9").communities(strategy="label-propagation").count
        4
        >>> eq.generate("cliques:count=4,size=9").communities(strategy="leiden", objective="cpm", resolution=0.5).quality
        72.0
        """
        arrays = {}
        if initial is not None:
            arrays["initial"] = _arrays.numbers(initial, "initial").astype(np.float64)
        result = self._run(results.Communities, "communities", options, arrays)
        if not result.converged:
            message = "the communities did not converge: `max_iterations` ended the search for better ones"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        return result

    def run(self, algorithm: str, **options: Any) -> Result:
        """Runs any algorithm of the library by name; :func:`equipoise.algorithms` lists them. Searches start from the
        vertex with the most edges unless a ``source`` is given.

        >>> import equipoise as eq
        >>> eq.generate("star:n=4").run("kcore").degeneracy
        1
        >>> eq.generate("path:n=4").run("bfs", source=0).depth
        3
        """
        source = options.pop("source", None)
        if source is None:
            return self._run(Result, algorithm, options)
        return self._search(Result, algorithm, source, options)

    def _run(
        self, kind: type[_R], algorithm: str, options: dict[str, Any], arrays: dict[str, np.ndarray] | None = None
    ) -> _R:
        verifies, on_device = _verifies(options), _stays_on_device(options)
        (native,) = _native.run(
            self._native, algorithm, _json(options), arrays or {}, verifies, None, on_device
        )
        return kind(self._names, native)

    def _search(self, kind: type[_R], algorithm: str, source: Any, options: dict[str, Any]) -> _R:
        if options.get("target") is not None:
            options["target"] = self._names.vertex(options["target"])
        verifies, on_device = _verifies(options), _stays_on_device(options)
        sources = [self._names.vertex(source)]
        (native,) = _native.run(
            self._native, algorithm, _json(options), {}, verifies, sources, on_device
        )
        return kind(self._names, native)

    def _sources(self, sources: Iterable[Any] | None) -> dict[str, Any]:
        return {"sources": None if sources is None else self._names.vertices(sources)}
