"""Each algorithm beside NetworkX or SciPy on random graphs."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph

import equipoise as eq


def dense(values: dict, count: int, default: float) -> np.ndarray:
    return np.array([values.get(vertex, default) for vertex in range(count)])


def test_levels_are_networkxs_and_parents_are_one_level_nearer(case):
    found = case.ours.bfs(3)
    expected = dense(nx.single_source_shortest_path_length(case.theirs, 3), case.vertices, -1)
    np.testing.assert_array_equal(found.levels, expected)
    for vertex in np.flatnonzero(expected > 0):
        parent = found.parents[vertex]
        assert case.theirs.has_edge(parent, vertex) and expected[parent] == expected[vertex] - 1
    assert found.parents[3] == 3 and (found.parents[expected < 0] == -1).all()
    assert (found.reached, found.depth) == ((expected >= 0).sum(), expected.max())
    found.verify()


def test_many_searches_are_single_ones(case):
    for source, found in zip([0, 7, 7, 39], case.ours.bfs_many([0, 7, 7, 39]), strict=True):
        np.testing.assert_array_equal(found.levels, case.ours.bfs(source).levels)
        found.verify()


def test_distances_are_networkxs_and_paths_as_long(case):
    found = case.ours.sssp(5)
    expected = nx.single_source_dijkstra_path_length(case.theirs, 5)
    np.testing.assert_array_equal(found.distances, dense(expected, case.vertices, np.inf))
    for vertex in range(case.vertices):
        path = found.path_to(vertex)
        assert (path is None) == (vertex not in expected)
        if path:
            assert (path[0], path[-1]) == (5, vertex)
            assert nx.path_weight(case.theirs, path, "weight") == expected[vertex]
    found.verify()


def test_a_search_may_stop_at_its_target():
    path = eq.generate("path:n=100")
    for found in (path.bfs(0, target=3), path.sssp(0, target=3)):
        assert not found.complete and found.path_to(3) == [0, 1, 2, 3]
    assert path.sssp(0, target=3).distances[3] == 3
    assert path.bfs(0, max_depth=2).depth == 2


def test_all_pairs_are_scipys(case):
    matrix = nx.to_scipy_sparse_array(case.theirs, dtype=float)
    expected = csgraph.shortest_path(matrix, method="D")
    found = case.ours.apsp()
    np.testing.assert_array_equal(found.distances, expected)
    some = case.ours.apsp(sources=[9, 2])
    np.testing.assert_array_equal(some.distances, expected[[9, 2]])
    found.verify()
    some.verify()


def test_next_hops_lead_there(unweighted):
    found = unweighted.ours.apsp(next_hops=True)
    assert (found.distances.dtype, found.next_hops.dtype) == (np.float64, np.int64)
    assert found.next_hops.shape == found.distances.shape
    for source, target in np.argwhere(np.isfinite(found.distances)):
        hop = found.next_hops[source, target]
        if source == target:
            assert hop == -1
        else:
            assert found.distances[hop, target] == found.distances[source, target] - 1


@pytest.mark.parametrize("strategy", ["auto", "greedy", "speculative", "jones-plassmann", "hybrid"])
def test_no_edge_joins_two_of_a_color(unweighted, strategy):
    found = unweighted.ours.color(strategy=strategy)
    assert all(found.colors[a] != found.colors[b] for a, b in unweighted.simple.edges)
    assert set(found.colors) == set(range(found.count))
    found.verify()


def test_ranks_are_networkxs():
    # NetworkX has no parallel edges, which PageRank counts: a graph without.
    for seed, directed in ((1, True), (2, False)):
        theirs = nx.gnp_random_graph(50, 0.08, seed, directed=directed)
        ours = eq.Graph.from_networkx(theirs)
        expected = nx.pagerank(theirs, alpha=0.7, tol=1e-10)
        found = ours.pagerank(damping=0.7, tolerance=1e-6, max_iterations=1000)
        np.testing.assert_allclose(found.ranks, dense(expected, 50, 0), atol=1e-6)
        assert found.converged
        found.verify()
        shares = np.arange(50)
        expected = nx.pagerank(theirs, personalization=dict(enumerate(shares)), tol=1e-10)
        found = ours.pagerank(shares, tolerance=1e-6, max_iterations=1000)
        np.testing.assert_allclose(found.ranks, dense(expected, 50, 0), atol=1e-6)


def partition(labels) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels)}


def test_components_are_networkxs(unweighted):
    weak = unweighted.ours.components()
    assert partition(weak.labels) == set(map(frozenset, nx.connected_components(unweighted.simple)))
    assert weak.count == len(partition(weak.labels)) and weak.labels[0] == 0
    weak.verify()
    strong = unweighted.ours.components(strong=True)
    theirs = unweighted.theirs.to_directed()
    assert partition(strong.labels) == set(map(frozenset, nx.strongly_connected_components(theirs)))
    strong.verify()


def test_triangles_and_clustering_are_networkxs(unweighted):
    found = unweighted.ours.triangles()
    expected = nx.triangles(unweighted.simple)
    np.testing.assert_array_equal(found.counts, dense(expected, 40, 0))
    np.testing.assert_allclose(found.clustering, dense(nx.clustering(unweighted.simple), 40, 0))
    assert found.total == sum(expected.values()) // 3
    assert found.transitivity == pytest.approx(nx.transitivity(unweighted.simple))
    assert found.average_clustering == pytest.approx(nx.average_clustering(unweighted.simple))
    found.verify()


def test_coefficients_are_networkxs_where_edges_have_no_directions(unweighted):
    graph = eq.Graph.from_networkx(unweighted.simple)
    found, expected = graph.lcc(), nx.clustering(unweighted.simple)
    np.testing.assert_allclose(found.coefficients, [expected[name] for name in graph.names])
    assert found.average == pytest.approx(nx.average_clustering(unweighted.simple))
    found.verify()


def test_coefficients_of_directed_graphs_count_directions():
    graph = eq.Graph.from_edges([0, 1, 1, 2, 0, 2], [1, 0, 2, 0, 2, 3], directed=True)
    found = graph.lcc()
    assert found.closed.tolist() == [1, 2, 2, 0]
    assert found.coefficients.tolist() == [0.5, 1.0, 2 / 6, 0.0]
    found.verify()


def test_labels_are_the_most_frequent_and_the_smallest_of_several():
    graph = eq.Graph.from_edges([0, 3, 2, 3], [3, 1, 3, 2], directed=True)
    found = graph.cdlp(max_iterations=1)
    assert (found.labels.tolist(), found.iterations, found.converged) == ([3, 3, 3, 2], 1, False)
    found.verify()
    with pytest.raises(ValueError, match="max-iterations"):
        graph.cdlp(max_iterations=0)


def test_core_numbers_are_networkxs(unweighted):
    found = unweighted.ours.kcore()
    np.testing.assert_array_equal(found.cores, dense(nx.core_number(unweighted.simple), 40, 0))
    assert found.degeneracy == found.cores.max()
    found.verify()


@pytest.mark.parametrize("options", [{}, {"endpoints": True}, {"unnormalized": True}], ids=str)
def test_betweenness_is_networkxs(unweighted, options):
    normalized = "unnormalized" not in options
    found = unweighted.ours.betweenness(edges=True, **options)
    endpoints = "endpoints" in options
    expected = nx.betweenness_centrality(unweighted.theirs, normalized=normalized, endpoints=endpoints)
    np.testing.assert_allclose(found.vertices, dense(expected, 40, 0), atol=1e-12)
    of_edges = nx.edge_betweenness_centrality(unweighted.theirs, normalized=normalized)
    ours = dict(zip(zip(found.edge_sources, found.edge_targets), found.edge_values))
    without_loops = {edge: value for edge, value in of_edges.items() if edge[0] != edge[1]}
    assert len(ours) == len(without_loops)
    for (a, b), value in without_loops.items():
        key = (a, b) if unweighted.directed else (min(a, b), max(a, b))
        assert ours[key] == pytest.approx(value)
    found.verify()


def test_a_forest_weighs_what_networkxs_does(seed):
    source, target, weight = np.random.default_rng(seed).integers(1, 30, (3, 80))
    ours = eq.Graph.from_edges(source, target, weight)
    theirs = nx.MultiGraph()
    theirs.add_weighted_edges_from(zip(source, target, weight))
    forest = ours.mst()
    expected = nx.minimum_spanning_tree(theirs)
    assert forest.total == expected.size("weight") == forest.weights.sum()
    assert len(forest.sources) == expected.number_of_edges()
    forest.verify()


def test_an_independent_set_is_one_and_maximal(unweighted):
    found = unweighted.ours.mis(seed=5)
    members = set(np.flatnonzero(found.in_set).tolist())
    assert not any(a in members and b in members for a, b in unweighted.simple.edges)
    for vertex in set(range(40)) - members:
        assert members & set(unweighted.simple[vertex])
    assert found.size == len(members)
    found.verify()


def test_distances_of_a_graph_are_networkxs(seed):
    theirs = nx.connected_watts_strogatz_graph(40, 4, 0.3, seed=seed)
    found = eq.Graph.from_networkx(theirs).paths()
    np.testing.assert_array_equal(found.eccentricities, dense(nx.eccentricity(theirs), 40, 0))
    np.testing.assert_allclose(found.closeness, dense(nx.closeness_centrality(theirs), 40, 0))
    np.testing.assert_allclose(found.harmonic, dense(nx.harmonic_centrality(theirs), 40, 0))
    assert (found.diameter, found.radius) == (nx.diameter(theirs), nx.radius(theirs))
    assert found.connected and found.exact
    found.verify()


def test_all_sources_with_an_edge_give_the_centralities_of_all_vertices():
    theirs = nx.path_graph(10)
    theirs.add_nodes_from(range(10, 1000))
    found = eq.Graph.from_networkx(theirs).paths(range(10))
    np.testing.assert_allclose(found.closeness, dense(nx.closeness_centrality(theirs), 1000, 0))
    np.testing.assert_allclose(found.harmonic, dense(nx.harmonic_centrality(theirs), 1000, 0))
    assert not found.exact and found.least_radius is None
    found.verify()


@pytest.mark.parametrize("strategy", ["louvain", "label-propagation"])
def test_communities_have_the_modularity_that_networkx_finds(seed, strategy):
    theirs = nx.planted_partition_graph(4, 15, 0.8, 0.02, seed=seed)
    found = eq.Graph.from_networkx(theirs).communities(strategy=strategy)
    assert nx.community.modularity(theirs, partition(found.communities)) == pytest.approx(found.modularity)
    assert found.modularity > 0.5
    found.verify()


def test_every_algorithm_runs_by_its_name():
    known = eq.algorithms()
    assert {"components", "pagerank", "mst"} <= known.keys() and all(known.values())
    for name in known:
        undirected = eq.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 3])
        found = undirected.run(name)
        found.verify()
        assert repr(found).startswith("<Result of 4 vertices: ")
    assert undirected.run("kcore").cores.tolist() == undirected.kcore().cores.tolist()
    assert list(undirected.run("kcore").to_pandas().columns) == ["vertex", "cores"]


def test_an_unknown_algorithm_or_array_is_answered_with_the_known_ones(unweighted):
    with pytest.raises(ValueError, match="unknown algorithm `kcores`; known are: .*`kcore`"):
        unweighted.ours.run("kcores")
    with pytest.raises(ValueError, match="unknown option `core`"):
        unweighted.ours.run("kcore", core=2)
