"""The libraries, each used in the fastest way that it offers.

A library has a method for each algorithm that it has; `<algorithm>_result` makes an array of NumPy of what that gives, with
a number a vertex, where `numpy.asarray` does not. Algorithms that a library lacks have no method.
"""

import importlib
import importlib.metadata
from typing import Any

import numpy as np

import answers
from answers import DAMPING, TOLERANCE
from edges import Case


class Library:
    """What all have. Making one fails with `ImportError` where the library is not installed."""

    name: str
    module: str
    not_compared: dict[str, str] = {}
    """Algorithms whose results cannot be compared, and why."""

    def __init__(self, threads: int) -> None:
        self.api: Any = importlib.import_module(self.module)
        self.threads = threads
        self.graph: Any = None

    @property
    def version(self) -> str:
        try:
            return importlib.metadata.version(self.module)
        except importlib.metadata.PackageNotFoundError:
            return getattr(self.api, "__version__", "")

    def build(self, case: Case) -> None:
        """Makes `graph` of the arrays."""
        raise NotImplementedError

    def make_other_forms(self) -> None:
        """Graphs of other kinds that some algorithms ask for. Their time counts nowhere, in favour of the library."""

    def result(self, algorithm: str, raw: Any, case: Case) -> np.ndarray:
        """What an algorithm gave, as an array of NumPy."""
        make = getattr(self, f"{algorithm}_result", None)
        return np.asarray(raw) if make is None else make(raw, case)


def filled(pairs: Any, vertices: int, missing: float) -> np.ndarray:
    """An array of pairs of vertex and number."""
    values = np.full(vertices, missing)
    pairs = list(pairs)
    if pairs:
        places, numbers = zip(*pairs)
        values[list(places)] = numbers
    return values


def labels(components: Any, vertices: int) -> np.ndarray:
    """The component of each vertex, of sets of them."""
    values = np.full(vertices, -1)
    for label, component in enumerate(components):
        values[list(component)] = label
    return values


def counts(clustering: Any, case: Case) -> np.ndarray:
    """How many triangles each vertex is in, of the share of pairs of its neighbours that are neighbours."""
    degrees = np.bincount(case.source, minlength=case.vertices) + np.bincount(case.target, minlength=case.vertices)
    return np.rint(np.asarray(clustering) * (degrees * (degrees - 1) / 2))


class Equipoise(Library):
    name, module = "Equipoise", "equipoise"

    def build(self, case: Case) -> None:
        self.graph = self.api.Graph.from_edges(case.source, case.target, case.weight, vertices=case.vertices)

    def result(self, algorithm: str, raw: Any, case: Case) -> np.ndarray:
        return answers.values_of(algorithm, raw, case)


def _asks(algorithm: str) -> Any:
    return lambda self, case: answers.ask(self.graph, algorithm, case)


for _algorithm in answers.ALGORITHMS:
    setattr(Equipoise, _algorithm, _asks(_algorithm))


class SciPy(Library):
    name, module = "SciPy", "scipy"

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.sparse = importlib.import_module("scipy.sparse")
        self.csgraph = importlib.import_module("scipy.sparse.csgraph")

    def build(self, case: Case) -> None:
        # Its algorithms work with indices of 32 bits, and would convert others at each call.
        ends = case.source.astype(np.int32), case.target.astype(np.int32)
        one_way = self.sparse.csr_array((case.weight, ends), shape=(case.vertices, case.vertices))
        self.graph = one_way + one_way.T

    def bfs(self, case: Case) -> Any:
        return self.csgraph.breadth_first_order(self.graph, case.start)

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        """Levels of the order: those whose predecessors are of one level are the next one."""
        order, predecessors = raw
        places = np.empty(case.vertices, dtype=np.int64)
        places[order] = np.arange(len(order))
        before = places[predecessors[order[1:]]]
        levels = np.full(case.vertices, -1)
        start, end, level = 0, 1, 0
        while start < end:
            levels[order[start:end]] = level
            start, end, level = end, 1 + int(np.searchsorted(before, end)), level + 1
        return levels

    def sssp(self, case: Case) -> Any:
        return self.csgraph.dijkstra(self.graph, indices=case.start)

    def components(self, case: Case) -> Any:
        return self.csgraph.connected_components(self.graph, directed=False)[1]


class IGraph(Library):
    name, module = "igraph", "igraph"

    def build(self, case: Case) -> None:
        # It takes an array, too, but three times as long for it.
        edges = list(zip(case.source.tolist(), case.target.tolist()))
        self.graph = self.api.Graph(n=case.vertices, edges=edges)
        self.graph.es["weight"] = case.weight

    def bfs(self, case: Case) -> Any:
        return self.graph.distances(source=case.start)[0]

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        levels = np.array(raw, dtype=np.float64)
        return np.where(np.isinf(levels), -1, levels)

    def sssp(self, case: Case) -> Any:
        return self.graph.distances(source=case.start, weights="weight")[0]

    def pagerank(self, case: Case) -> Any:
        return self.graph.pagerank(damping=DAMPING)

    def components(self, case: Case) -> Any:
        return self.graph.connected_components().membership

    def triangles(self, case: Case) -> Any:
        return self.graph.transitivity_local_undirected(mode="zero")

    def triangles_result(self, raw: Any, case: Case) -> np.ndarray:
        return counts(raw, case)

    def betweenness(self, case: Case) -> Any:
        return self.graph.betweenness(sources=case.sources.tolist())


class NetworKit(Library):
    name, module = "NetworKit", "networkit"
    not_compared = {"betweenness": "it draws the sources itself, as many of them"}

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.api.setNumberOfThreads(threads)

    def build(self, case: Case) -> None:
        edges = case.weight, (case.source.astype(np.uint64), case.target.astype(np.uint64))
        self.graph = self.api.graph.GraphFromCoo(edges, case.vertices, weighted=True, directed=False)

    def make_other_forms(self) -> None:
        # Ranks and betweenness would count weights.
        self.unweighted = self.api.graphtools.toUnweighted(self.graph)

    @staticmethod
    def _ran(algorithm: Any) -> Any:
        algorithm.run()
        return algorithm

    def bfs(self, case: Case) -> Any:
        return self._ran(self.api.distance.BFS(self.graph, case.start, storePaths=False))

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        distances = np.asarray(raw.getDistances(asarray=True))
        # The largest double says that there is no path.
        return np.where(distances > case.vertices, -1, distances)

    def sssp(self, case: Case) -> Any:
        return self._ran(self.api.distance.Dijkstra(self.graph, case.start, storePaths=False))

    def sssp_result(self, raw: Any, case: Case) -> np.ndarray:
        distances = np.asarray(raw.getDistances(asarray=True))
        return np.where(distances == np.finfo(np.float64).max, np.inf, distances)

    def pagerank(self, case: Case) -> Any:
        ranks = self.api.centrality.PageRank(self.unweighted, DAMPING, TOLERANCE)
        ranks.norm = self.api.centrality.Norm.L1_NORM
        return self._ran(ranks)

    def pagerank_result(self, raw: Any, case: Case) -> np.ndarray:
        # Walks end at a vertex without edges, so that all ranks are too small by one factor.
        ranks = np.array(raw.scores())
        return ranks / ranks.sum()

    def components(self, case: Case) -> Any:
        # One thread is faster than its parallel way.
        return self._ran(self.api.components.ConnectedComponents(self.graph))

    def components_result(self, raw: Any, case: Case) -> np.ndarray:
        return np.array(raw.getPartition().getVector())

    def triangles(self, case: Case) -> Any:
        return self._ran(self.api.centrality.LocalClusteringCoefficient(self.graph, turbo=True))

    def triangles_result(self, raw: Any, case: Case) -> np.ndarray:
        return counts(raw.scores(), case)

    def betweenness(self, case: Case) -> Any:
        sampled = len(case.sources)
        return self._ran(self.api.centrality.EstimateBetweenness(self.unweighted, sampled, parallel=True))

    def betweenness_result(self, raw: Any, case: Case) -> np.ndarray:
        return np.array(raw.scores())


class RustworkX(Library):
    name, module = "rustworkx", "rustworkx"

    def build(self, case: Case) -> None:
        self.graph = self.api.PyGraph()
        self.graph.add_nodes_from(range(case.vertices))
        self.graph.add_edges_from(list(zip(case.source.tolist(), case.target.tolist(), case.weight.tolist())))

    def make_other_forms(self) -> None:
        # It ranks directed graphs only.
        self.directed = self.graph.to_directed()

    def bfs(self, case: Case) -> Any:
        return self.api.bfs_layers(self.graph, [case.start])

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        return labels(raw, case.vertices)

    def sssp(self, case: Case) -> Any:
        return self.api.dijkstra_shortest_path_lengths(self.graph, case.start, float)

    def sssp_result(self, raw: Any, case: Case) -> np.ndarray:
        # The source itself is not among them.
        return filled([(case.start, 0.0), *raw.items()], case.vertices, np.inf)

    def pagerank(self, case: Case) -> Any:
        return self.api.pagerank(self.directed, alpha=DAMPING, tol=TOLERANCE / case.vertices, max_iter=1000)

    def pagerank_result(self, raw: Any, case: Case) -> np.ndarray:
        return filled(raw.items(), case.vertices, 0.0)

    def components(self, case: Case) -> Any:
        return self.api.connected_components(self.graph)

    def components_result(self, raw: Any, case: Case) -> np.ndarray:
        return labels(raw, case.vertices)

    def triangles(self, case: Case) -> Any:
        # The triangles of single vertices are not to be had.
        return self.api.transitivity(self.graph)


class GraphTool(Library):
    name, module = "graph-tool", "graph_tool.all"

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.api.openmp_set_num_threads(threads)

    def build(self, case: Case) -> None:
        self.graph = self.api.Graph(directed=False)
        self.graph.add_vertex(case.vertices)
        self.graph.add_edge_list(np.column_stack((case.source, case.target)))
        self.weight = self.graph.new_edge_property("double", vals=case.weight)

    def bfs(self, case: Case) -> Any:
        return self.api.shortest_distance(self.graph, source=case.start)

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        # The largest number says that there is no path.
        return np.where(raw.a > case.vertices, -1, raw.a)

    def sssp(self, case: Case) -> Any:
        return self.api.shortest_distance(self.graph, source=case.start, weights=self.weight)

    def sssp_result(self, raw: Any, case: Case) -> np.ndarray:
        return np.asarray(raw.a)

    def pagerank(self, case: Case) -> Any:
        return self.api.pagerank(self.graph, damping=DAMPING, epsilon=TOLERANCE)

    pagerank_result = sssp_result

    def components(self, case: Case) -> Any:
        return self.api.label_components(self.graph)[0]

    components_result = sssp_result

    def triangles(self, case: Case) -> Any:
        return self.api.local_clustering(self.graph)

    def triangles_result(self, raw: Any, case: Case) -> np.ndarray:
        return counts(raw.a, case)

    def betweenness(self, case: Case) -> Any:
        return self.api.betweenness(self.graph, pivots=case.sources, norm=False)[0]

    betweenness_result = sssp_result


class NetworkX(Library):
    name, module = "NetworkX", "networkx"

    def build(self, case: Case) -> None:
        self.graph = self.api.Graph()
        self.graph.add_nodes_from(range(case.vertices))
        self.graph.add_weighted_edges_from(zip(case.source.tolist(), case.target.tolist(), case.weight.tolist()))

    def bfs(self, case: Case) -> Any:
        return self.api.single_source_shortest_path_length(self.graph, case.start)

    def bfs_result(self, raw: Any, case: Case) -> np.ndarray:
        return filled(raw.items(), case.vertices, -1)

    def sssp(self, case: Case) -> Any:
        return self.api.single_source_dijkstra_path_length(self.graph, case.start)

    def sssp_result(self, raw: Any, case: Case) -> np.ndarray:
        return filled(raw.items(), case.vertices, np.inf)

    def pagerank(self, case: Case) -> Any:
        tolerance = TOLERANCE / case.vertices
        return self.api.pagerank(self.graph, alpha=DAMPING, tol=tolerance, max_iter=1000, weight=None)

    def pagerank_result(self, raw: Any, case: Case) -> np.ndarray:
        return filled(raw.items(), case.vertices, 0.0)

    betweenness_result = triangles_result = pagerank_result

    def components(self, case: Case) -> Any:
        return list(self.api.connected_components(self.graph))

    def components_result(self, raw: Any, case: Case) -> np.ndarray:
        return labels(raw, case.vertices)

    def triangles(self, case: Case) -> Any:
        return self.api.triangles(self.graph)

    def betweenness(self, case: Case) -> Any:
        # `betweenness_centrality(k=…)` draws the sources itself.
        sources = case.sources.tolist()
        return self.api.betweenness_centrality_subset(self.graph, sources, list(self.graph))


LIBRARIES = {library.name: library for library in (Equipoise, SciPy, NetworKit, GraphTool, IGraph, RustworkX, NetworkX)}
