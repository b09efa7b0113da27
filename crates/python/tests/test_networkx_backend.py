"""What the backend takes and what it declines, how it converts, and what NetworkX knows of it."""

import inspect
import subprocess
import sys
from fractions import Fraction

import networkx as nx
import pytest

import _equipoise_networkx
from equipoise.networkx.convert import BackendGraph, converted
from equipoise.networkx.interface import BackendInterface
from equipoise.networkx.registry import FUNCTIONS


def weighted(*weights) -> nx.Graph:
    graph = nx.Graph()
    for place, weight in enumerate(weights):
        graph.add_edge(place, place + 1, weight=weight)
    return graph


def can_run(name, *args, **kwargs):
    return BackendInterface.can_run(name, args, kwargs)


def should_run(name, *args, **kwargs):
    return BackendInterface.should_run(name, args, kwargs)


def test_networkx_is_told_of_every_function_and_no_other():
    assert _equipoise_networkx.get_info()["functions"].keys() == FUNCTIONS.keys()
    for name in FUNCTIONS:
        assert "equipoise" in nx.utils.backends._registered_algorithms[name].backends


def test_parameters_are_those_of_networkx():
    for name, function in FUNCTIONS.items():
        theirs = nx.utils.backends._registered_algorithms[name].orig_func
        ours = {name: one.default for name, one in function.signature.parameters.items()}
        assert ours == {name: one.default for name, one in inspect.signature(theirs).parameters.items()}


def test_importing_networkx_does_not_load_the_library():
    code = "import networkx as nx, sys; assert 'equipoise' in nx.config.backends; assert 'equipoise' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "weights, reason",
    [
        ((1, -2), "a weight is negative"),
        ((1.0, -2.0), "a weight is negative"),
        ((2**40, 1), None),
        ((2**32 - 1,) * 2000, "so large that a sum of lengths could be rounded"),
        ((2**2000,), "a weight does not fit a float"),
        ((0.1, 2.25), None),
        ((0.0, 5e-324), None),
        ((1e308,), "so large that a sum of lengths could be infinite"),
        ((1.0, float("inf")), "a weight is infinite or no number"),
        ((1.0, float("nan")), "a weight is infinite or no number"),
        (("far",), "weights are of str"),
        ((None,), "weights are of NoneType"),
        ((True,), "weights are of bool"),
    ],
)
def test_lengths_that_may_differ_from_networkx_are_declined(weights, reason):
    graph = weighted(*weights)
    for said in (
        can_run("eccentricity", graph, weight="weight"),
        can_run("eccentricity", graph, None, None, "weight"),
        can_run("closeness_centrality", BackendGraph(graph), None, "weight"),
    ):
        assert said is True if reason is None else reason in said
    assert can_run("eccentricity", graph) is True


@pytest.mark.parametrize(
    "name, args, kwargs, reason",
    [
        ("betweenness_centrality", (weighted(1, 0),), {"weight": "weight"}, "a weight is zero"),
        ("betweenness_centrality", (weighted(1e16, 0.5),), {"weight": "weight"}, "vanishes beside others"),
        ("eccentricity", (weighted(1, 2.0),), {"weight": "weight"}, "of int and some of float"),
        ("all_pairs_dijkstra_path_length", (weighted(1, 2.0),), {}, "of int and some of float"),
        ("betweenness_centrality", (weighted(1),), {"weight": lambda u, v, data: 1}, "a function of Python"),
        ("closeness_centrality", (weighted(1), None, lambda u, v, data: 1), {}, "a function of Python"),
        ("betweenness_centrality", (nx.MultiGraph([(0, 1)]),), {}, "multigraphs"),
        ("clustering", (nx.DiGraph([(0, 1)]),), {}, "directed graphs"),
        ("clustering", (weighted(1),), {"weight": "weight"}, "clustering by weights"),
        ("core_number", (nx.DiGraph([(0, 1)]),), {}, "directed graphs"),
        ("eccentricity", (weighted(1),), {"sp": {}}, "lengths that are given"),
        ("diameter", (weighted(1), {0: 1}), {}, "eccentricities that are given"),
        ("barycenter", (weighted(1),), {"sp": {}}, "lengths that are given"),
        ("barycenter", (weighted(1),), {"attr": "sum"}, "attributes of nodes"),
        ("barycenter", (weighted(0.1),), {"weight": "weight"}, "weights are of float"),
        ("k_core", (weighted(1),), {"core_number": {}}, "core numbers that are given"),
        ("has_path", (weighted(1), 0, None), {}, "to all nodes"),
        ("shortest_path_length", (weighted(1), 0), {}, "without weights"),
        ("shortest_path_length", (weighted(1), 0, None, "weight", "bellman-ford"), {}, "this method"),
        ("shortest_path", (weighted(1), 0), {}, "without weights"),
        ("shortest_path", (weighted(1), 0), {"weight": "weight", "method": "bellman-ford"}, "this method"),
        ("shortest_path", (weighted(1), 0, 1, "weight"), {}, "from both ends"),
        ("multi_source_dijkstra", (weighted(1), iter([0])), {}, "no collection"),
        ("radius", (weighted(1),), {"usebounds": True}, "bounds"),
        ("average_shortest_path_length", (weighted(1), None, "floyd-warshall"), {}, "this method"),
        ("minimum_spanning_edges", (weighted(1), "prim"), {}, "expected kruskal"),
        ("minimum_spanning_edges", (weighted(2**60, 2.0),), {}, "more than 2⁵³"),
        ("minimum_spanning_edges", (weighted(float("nan")),), {}, "no number"),
        ("minimum_spanning_edges", (weighted(2**64),), {}, "does not fit 64 bits"),
        ("pagerank", (weighted(float("inf")),), {}, "infinite"),
        ("pagerank", (weighted("far"),), {}, "weights are of str"),
        ("floyd_warshall", (nx.Graph([(0, 1, {"weight": 1}), (1, 2)]),), {}, "or missing"),
        ("floyd_warshall", (nx.Graph([(0, 0, {"weight": 0.0})]),), {}, "a loop has a weight of 0.0"),
        ("leiden_communities", (weighted(-1),), {}, "a weight is negative"),
        ("leiden_communities", (nx.DiGraph([(0, 1)]),), {}, "directed graphs are left"),
        ("louvain_communities", (weighted(1),), {"max_level": "2"}, "no number"),
        ("pagerank", (weighted(1),), {"no_such": 1}, "unexpected keyword argument"),
        ("pagerank", ([(0, 1)],), {}, "a graph of list is none of NetworkX"),
    ],
)
def test_what_is_left_to_networkx_is_said_with_the_reason(name, args, kwargs, reason):
    graph = BackendGraph(args[0]) if isinstance(args[0], nx.Graph) else args[0]
    assert reason in can_run(name, graph, *args[1:], **kwargs)


def test_weights_are_not_looked_at_where_that_takes_longer_than_the_call():
    graph = weighted(-1)
    assert can_run("dijkstra_path_length", graph, 0, 1) is True
    assert "converting the graph takes longer" in should_run("dijkstra_path_length", graph, 0, 1)
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path_length(graph, 0, 1, backend="equipoise")
    assert "a weight is negative" in can_run("dijkstra_path_length", graph, 0, 1)


def test_weights_of_both_kinds_are_taken_where_all_answers_are_of_float():
    graph = weighted(1, 0.5)
    for name in ("closeness_centrality", "harmonic_centrality"):
        assert can_run(name, graph, distance="weight") is True
    for name in ("betweenness_centrality", "average_shortest_path_length", "floyd_warshall_numpy", "minimum_spanning_edges"):
        assert can_run(name, graph, weight="weight") is True


def test_classes_that_show_other_edges_are_left_to_networkx():
    class Named(nx.DiGraph):
        name = "a graph as any other"

    class Complement(nx.Graph):
        def __getitem__(self, node):
            return {other: {} for other in self._adj.keys() - self._adj[node].keys() - {node}}

    assert can_run("core_number", nx.Graph(weighted(1))) is True
    assert can_run("pagerank", Named(weighted(1))) is True
    assert can_run("pagerank", nx.DiGraph(weighted(1)).reverse(copy=False)) is True
    assert "edges of its own making" in can_run("core_number", Complement(weighted(1)))


def test_what_is_declined_falls_back_to_networkx():
    graph = nx.complete_graph(80)
    nx.set_edge_attributes(graph, Fraction(1, 10), "weight")
    with nx.config.backend_priority(algos=["equipoise"]), nx.config(warnings_to_ignore={"cache"}):
        assert nx.diameter(graph, weight="weight") == Fraction(1, 10)
        assert converted(graph) is None
        assert nx.diameter(graph) == 1
        assert converted(graph) is not None
    with pytest.raises(NotImplementedError):
        nx.diameter(graph, weight="weight", backend="equipoise")


def test_small_graphs_are_left_to_networkx():
    small, large = nx.path_graph(5), nx.path_graph(60_000)
    assert "calling takes longer" in should_run("closeness_centrality", small)
    assert "NumPy takes less time" in should_run("floyd_warshall_numpy", small)
    assert "converting the graph takes longer" in should_run("pagerank", small)
    assert "converting the graph takes longer" in should_run("is_connected", large)
    for name in ("closeness_centrality", "floyd_warshall_numpy", "pagerank"):
        assert should_run(name, large) is True
        assert should_run(name, BackendGraph(small)) is True


def test_more_is_taken_of_graphs_that_are_converted_already():
    small, large = nx.path_graph(10_000), nx.path_graph(60_000)
    for graph in (small, large):
        assert should_run("is_connected", graph) is not True
        nx.is_connected(graph, backend="equipoise")
    assert should_run("is_connected", large) is True
    assert "calling takes longer" in should_run("is_connected", small)
    assert should_run("pagerank", small) is True


def test_a_graph_is_converted_once_until_it_is_changed():
    graph = weighted(1, 2, 3)
    with nx.config(warnings_to_ignore={"cache"}):
        assert nx.diameter(graph, weight="weight", backend="equipoise") == 6
        first = converted(graph)
        assert nx.diameter(graph, backend="equipoise") == 3
        assert nx.pagerank(graph, backend="equipoise")
        assert converted(graph) is first
        graph.add_edge(0, 3, weight=1)
        assert nx.diameter(graph, weight="weight", backend="equipoise") == 3
        assert converted(graph) is not first


def test_a_graph_of_the_backend_is_taken_and_given_back():
    graph = weighted(1, 2)
    ours = BackendInterface.convert_from_nx(graph)
    assert len(ours) == 3 and 2 in ours and list(ours) == [0, 1, 2]
    assert BackendInterface.convert_from_nx(ours) is ours
    assert nx.is_connected(ours)
    assert BackendInterface.convert_to_nx(ours) is graph
    assert BackendInterface.convert_to_nx(7) == 7


def test_networkx_own_functions_use_the_backend_within():
    graph = nx.gnm_random_graph(60, 200, seed=2)
    for _, _, data in graph.edges(data=True):
        data["weight"] = 2
    with nx.config.backend_priority(algos=["equipoise"]), nx.config(warnings_to_ignore={"cache"}):
        tree, core = nx.minimum_spanning_tree(graph), nx.k_core(graph)
    expected = nx.minimum_spanning_tree(graph, backend="networkx"), nx.k_core(graph, backend="networkx")
    assert [tree.adj, core.adj] == [one.adj for one in expected]


def planted(seed=1):
    """A graph of five communities."""
    return nx.planted_partition_graph(5, 20, 0.6, 0.02, seed=seed)


@pytest.mark.parametrize("name", ["louvain_communities", "leiden_communities"])
def test_communities_are_found_and_the_same_for_the_same_seed(name):
    find = getattr(nx.community, name)
    true = [set(range(start, start + 20)) for start in range(0, 100, 20)]
    first, again = (find(planted(), seed=7, backend="equipoise") for _ in range(2))
    assert first == again == true
    assert len(find(planted(), seed=7, resolution=9, backend="equipoise")) > 5
    weighted = planted()
    nx.set_edge_attributes(weighted, {edge: int(max(edge) < 80) for edge in weighted.edges}, "w")
    # Twenty nodes have no edge with a weight.
    assert len(find(weighted, seed=7, weight="w", backend="equipoise")) == 4 + 20
    graph = planted()
    with pytest.raises(ValueError, match="max_level"):
        find(graph, max_level=0, backend="equipoise")
    first_level = find(planted(), max_level=1, seed=7, backend="equipoise")
    assert nx.community.is_partition(graph, first_level) and len(first_level) >= 5
    empty = nx.empty_graph(3)
    assert find(empty, backend="equipoise") == [{0}, {1}, {2}]


@pytest.mark.parametrize("name", ["louvain_partitions", "leiden_partitions"])
def test_partitions_become_coarser(name):
    levels = list(getattr(nx.community, name)(nx.path_graph(60), seed=3, backend="equipoise"))
    assert len(levels) > 1 and len(levels[0]) > len(levels[-1])
    assert all(nx.community.is_partition(nx.path_graph(60), level) for level in levels)


@pytest.mark.parametrize("is_directed", [False, True])
def test_modularity_is_that_of_networkx(is_directed):
    graph = nx.gnp_random_graph(40, 0.1, seed=5, directed=is_directed)
    graph.add_edge(3, 3)
    for number, (node, other) in enumerate(graph.edges):
        graph[node][other]["w"] = number % 5
    parts = [frozenset(range(13)), frozenset(range(13, 40)), frozenset()]
    for kwargs in ({}, {"weight": "w"}, {"weight": None, "resolution": 0.3}):
        ours = nx.community.modularity(graph.copy(), parts, **kwargs, backend="equipoise")
        assert ours == pytest.approx(nx.community.modularity(graph, parts, **kwargs, backend="networkx"), rel=1e-12)
    for wrong in ([{0}], [*parts, {1}], [*parts[:2], {"no such"}]):
        with pytest.raises(nx.community.quality.NotAPartition):
            nx.community.modularity(graph.copy(), wrong, backend="equipoise")
    with pytest.raises(ZeroDivisionError):
        nx.community.modularity(nx.empty_graph(2), [{0, 1}], backend="equipoise")


def test_directions_count_for_louvain_as_in_networkx():
    graph = nx.DiGraph(nx.gn_graph(300, seed=3).edges)
    graph.add_edges_from((node * 7 % 300, node) for node in range(300))
    found = nx.community.louvain_communities(graph, seed=1, backend="equipoise")
    theirs = nx.community.louvain_communities(graph, seed=1, backend="networkx")
    ours, expected = (nx.community.modularity(graph, parts, backend="networkx") for parts in (found, theirs))
    assert ours > expected - 0.02
