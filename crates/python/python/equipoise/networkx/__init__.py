"""The NetworkX backend: NetworkX calls it for the functions that it has, and gets what NetworkX itself would answer.

>>> import networkx as nx
>>> nx.betweenness_centrality(nx.path_graph(3), backend="equipoise")
{0: 0.0, 1: 1.0, 2: 0.0}
"""
