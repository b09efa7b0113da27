"""BFS and SSSP with NetworKit, SciPy and NetworkX.

Answers requests, one a line: `load FOLDER`, then `PACKAGE ALGORITHM SOURCE`, to which the answer
is the seconds it took, the vertices reached and the sum of their levels or distances.
"""

import os
import sys
import time

try:
    import networkit
    import networkx
    import numpy
    import scipy.sparse
    from scipy.sparse import csgraph
except ImportError as error:
    sys.exit(f"{error}: pip install networkit scipy networkx")


class Graphs:
    """One graph, as each package keeps it."""

    def __init__(self, folder):
        def read(name, kind):
            return numpy.fromfile(os.path.join(folder, name), dtype=kind)

        offsets = read("offsets", "uint64").astype("int64")
        targets = read("targets", "uint32").astype("int32")
        weights = read("weights", "uint32").astype("float64")
        n = len(offsets) - 1
        self.scipy = scipy.sparse.csr_array((weights, targets, offsets), shape=(n, n))
        upper = scipy.sparse.triu(self.scipy, format="coo")
        edges = (upper.data, (upper.row.astype("uint64"), upper.col.astype("uint64")))
        self.networkit = networkit.graph.GraphFromCoo(edges, n, weighted=True, directed=False)
        self.networkx = networkx.from_scipy_sparse_array(upper)


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def summary(distances):
    """How many of an array's distances are finite, and their sum."""
    # NetworKit gives the largest double where there is no path.
    reached = distances[distances < 1e300]
    return len(reached), int(reached.sum())


def networkit_search(graphs, algorithm, source):
    kind = {"bfs": networkit.distance.BFS, "sssp": networkit.distance.Dijkstra}[algorithm]
    search = kind(graphs.networkit, source, storePaths=False)
    _, seconds = timed(search.run)
    return seconds, *summary(numpy.array(search.getDistances()))


def scipy_search(graphs, algorithm, source):
    if algorithm == "sssp":
        distances, seconds = timed(lambda: csgraph.dijkstra(graphs.scipy, indices=source))
        return seconds, *summary(distances)
    (order, parents), seconds = timed(
        lambda: csgraph.breadth_first_order(graphs.scipy, source, directed=True)
    )
    levels = numpy.zeros(len(parents), dtype="int64")
    for vertex in order[1:]:
        levels[vertex] = levels[parents[vertex]] + 1
    return seconds, len(order), int(levels.sum())


def networkx_search(graphs, algorithm, source):
    search = {
        "bfs": networkx.single_source_shortest_path_length,
        "sssp": networkx.single_source_dijkstra_path_length,
    }[algorithm]
    distances, seconds = timed(lambda: search(graphs.networkx, source))
    return seconds, len(distances), int(sum(distances.values()))


SEARCHES = {
    "networkit": networkit_search,
    "scipy": scipy_search,
    "networkx": networkx_search,
}


def main():
    print("ready", flush=True)
    graphs = None
    for line in sys.stdin:
        words = line.rstrip("\n").split(" ", 1)
        if words[0] == "load":
            graphs = Graphs(words[1])
            print("loaded", flush=True)
        else:
            algorithm, source = words[1].split()
            print(*SEARCHES[words[0]](graphs, algorithm, int(source)), flush=True)


main()
