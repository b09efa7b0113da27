"""From which size on a call takes less time here than in NetworkX.

Measured beside NetworkX 3.6.1, the best of three runs of each, on random graphs with four or five edges for each node and two
cores that were busy. The library was built without optimization, so that the rule holds for either build. How many times as
fast calls were, conversion included where nothing else is said:

- ``"pairs"``, a search from every node: with 100 nodes and 400 edges 1.0 to 13 times, but for closeness with 0.7; with 50
  and 200 it was 0.6 to 7;
- ``"matrix"``, for which NetworkX has NumPy: with 100 nodes 0.2 times, with 300 2.8, with 1,000 8.6;
- ``"linear"``, more work than to convert the graph: with 10,000 edges 0.8 to 9 times, with 50,000 1.0 to 5; where the graph
  was converted already, with 2,000 edges 1.4 to 30 times, but for strongly connected components with 0.4;
- ``"light"``, less work than to convert the graph: with 50,000 edges 0.2 to 1.1 times, or 0.9 to 6 where it was converted
  already; but searches for one node near the source with 0.2, and those by whole weights up to 1,000, of which many are
  equally long, with 0.7 to 1.0.

Floyd and Warshall's steps with floats are the exception: 0.4 times as fast with 1,000 nodes. They are plain loops, which are
what a build without optimization is slowest at.
"""

import networkx as nx

_PAIRS_WORK = 50_000
_MATRIX_NODES = 300
_LINEAR_EDGES = 20_000
_LINEAR_EDGES_CONVERTED = 5_000
_LIGHT_EDGES_CONVERTED = 50_000


def gains(grows: str, graph: nx.Graph, is_converted: bool) -> bool | str:
    """Whether a function whose work grows so is expected to gain on this graph, or why not.

    >>> import networkx as nx
    >>> gains("linear", nx.path_graph(5), is_converted=False)
    'converting the graph takes longer: 4 edges are fewer than 20000'
    """
    edges = graph.number_of_edges()
    if grows == "pairs":
        work = len(graph) * (len(graph) + edges)
        return work >= _PAIRS_WORK or (
            f"calling takes longer: nodes × (nodes + edges) is {work}, less than {_PAIRS_WORK}"
        )
    if grows == "matrix":
        return len(graph) >= _MATRIX_NODES or (
            f"NumPy takes less time: {len(graph)} nodes are fewer than {_MATRIX_NODES}"
        )
    if not is_converted:
        if grows == "light":
            return "converting the graph takes longer"
        return edges >= _LINEAR_EDGES or (
            f"converting the graph takes longer: {edges} edges are fewer than {_LINEAR_EDGES}"
        )
    enough = _LIGHT_EDGES_CONVERTED if grows == "light" else _LINEAR_EDGES_CONVERTED
    return edges >= enough or f"calling takes longer: {edges} edges are fewer than {enough}"
