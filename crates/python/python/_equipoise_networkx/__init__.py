"""What NetworkX reads about the backend when it is imported.

It is apart from the package ``equipoise``, which loads NumPy and the compiled library: `import networkx` does not wait for
these.
"""

from typing import Any

_FUNCTIONS = {
    "all_pairs_dijkstra": "Weights above zero.",
    "all_pairs_dijkstra_path": "Weights above zero.",
    "all_pairs_dijkstra_path_length": "Weights above zero.",
    "ancestors": "",
    "average_clustering": "Without weights, of undirected graphs.",
    "average_shortest_path_length": "Methods: unweighted, dijkstra and bellman-ford.",
    "barycenter": "Of whole weights, without given lengths or an attribute.",
    "betweenness_centrality": "Weights above zero.",
    "center": "Without given eccentricities or bounds.",
    "closeness_centrality": "",
    "clustering": "Without weights, of undirected graphs.",
    "connected_components": "",
    "core_number": "Of undirected graphs.",
    "descendants": "",
    "descendants_at_distance": "",
    "diameter": "Without given eccentricities or bounds.",
    "dijkstra_path": "Weights above zero.",
    "dijkstra_path_length": "",
    "eccentricity": "Without given lengths.",
    "edge_betweenness_centrality": "Weights above zero.",
    "floyd_warshall": "",
    "floyd_warshall_numpy": "",
    "harmonic_centrality": "",
    "has_path": "",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "k_core": "Of undirected graphs, without given core numbers.",
    "k_corona": "Of undirected graphs, without given core numbers.",
    "k_crust": "Of undirected graphs, without given core numbers.",
    "k_shell": "Of undirected graphs, without given core numbers.",
    "leiden_communities": "The library draws its seed from the given one.",
    "leiden_partitions": "The library draws its seed from the given one.",
    "louvain_communities": "Other communities than NetworkX's, of about the same modularity.",
    "louvain_partitions": "Other communities than NetworkX's, of about the same modularity.",
    "maximum_spanning_edges": "By Kruskal's algorithm.",
    "maximum_spanning_tree": "By Kruskal's algorithm.",
    "minimum_spanning_edges": "By Kruskal's algorithm.",
    "minimum_spanning_tree": "By Kruskal's algorithm.",
    "modularity": "",
    "multi_source_dijkstra": "Weights above zero.",
    "multi_source_dijkstra_path": "Weights above zero.",
    "multi_source_dijkstra_path_length": "Weights above zero.",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "",
    "periphery": "Without given eccentricities or bounds.",
    "radius": "Without given eccentricities or bounds.",
    "shortest_path": "By Dijkstra's algorithm and weights above zero, unless both ends are given.",
    "shortest_path_length": "By Dijkstra's algorithm and weights above zero.",
    "single_source_dijkstra": "Weights above zero.",
    "single_source_dijkstra_path": "Weights above zero.",
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
