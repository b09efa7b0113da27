"""What NetworkX reads about the backend when it is imported.

It is apart from the package ``equipoise``, which loads NumPy and the compiled library: `import networkx` does not wait for
these.
"""

from typing import Any

_FUNCTIONS = {
    "all_pairs_dijkstra_path_length": "Weights above zero.",
    "ancestors": "",
    "average_clustering": "Without weights, of undirected graphs.",
    "average_shortest_path_length": "Methods: unweighted, dijkstra and bellman-ford.",
    "betweenness_centrality": "Weights above zero.",
    "closeness_centrality": "",
    "clustering": "Without weights, of undirected graphs.",
    "connected_components": "",
    "core_number": "Of undirected graphs.",
    "descendants": "",
    "diameter": "Without given eccentricities or bounds.",
    "eccentricity": "Without given lengths.",
    "edge_betweenness_centrality": "Weights above zero.",
    "floyd_warshall": "",
    "floyd_warshall_numpy": "",
    "harmonic_centrality": "",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "maximum_spanning_edges": "By Kruskal's algorithm.",
    "minimum_spanning_edges": "By Kruskal's algorithm.",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "",
    "radius": "Without given eccentricities or bounds.",
    "single_source_dijkstra_path_length": "Weights above zero.",
    "transitivity": "Of undirected graphs.",
    "triangles": "",
    "weakly_connected_components": "",
}


def get_info() -> dict[str, Any]:
    """The functions of the backend, with what each leaves to NetworkX.

    >>> get_info()["functions"]["core_number"]
    {'additional_docs': 'Of undirected graphs.'}
    """
    return {
        "backend_name": "equipoise",
        "project": "equipoise",
        "package": "equipoise",
        "short_summary": "Graph analytics in Rust, with the results of NetworkX.",
        "functions": {
            name: {"additional_docs": text} if text else {} for name, text in _FUNCTIONS.items()
        },
    }
