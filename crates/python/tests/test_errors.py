"""Each error has the class that Python people expect, and nothing else gets through."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import equipoise as eq
from equipoise import _native


@pytest.fixture
def path() -> eq.Graph:
    return eq.generate("path:n=5")


def test_ranks_that_do_not_converge_are_an_error_unless_iterations_are_asked_for():
    star = eq.generate("star:n=50")
    with pytest.raises(eq.ConvergenceError, match="the ranks did not converge: iteration 100") as caught:
        star.pagerank(damping=0.99)
    assert isinstance(caught.value, eq.Error)
    for asked in ({"iterations": 100}, {"tolerance": 0}):
        found = star.pagerank(damping=0.99, **asked)
        assert (found.iterations, found.converged) == (100, False)
        found.verify()
    # Ranks are rounded to f32, and at this damping the error of an iteration is a hundred times as large in the end.
    found = star.pagerank(damping=0.99, max_iterations=10_000, tolerance=1e-5)
    assert found.ranks[0] == pytest.approx(0.5, abs=0.01)


def test_communities_that_do_not_converge_are_a_warning():
    graph = eq.generate("rmat:scale=8")
    with pytest.warns(RuntimeWarning, match="did not converge"):
        found = graph.communities(strategy="label-propagation", max_iterations=1)
    assert not found.converged


@pytest.mark.parametrize("vertex", [5, -1, 2**70])
def test_vertices_that_are_not_there_are_index_errors(path, vertex):
    for call in (path.bfs, path.sssp, lambda v: path.bfs(0, target=v), lambda v: path.apsp(sources=[v]),
                 lambda v: path.betweenness(sources=[0, v]), lambda v: path.bfs_many([v]), path.bfs(0).path_to):
        with pytest.raises(IndexError, match="does not exist"):
            call(vertex)


def test_what_is_no_vertex_is_a_type_error(path):
    for vertex in (1.0, None, "1"):
        with pytest.raises(TypeError, match="is not a vertex"):
            path.bfs(vertex)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.bfs(0, strategy="fast"), "fast"),
        (lambda g: g.bfs(0, strategy="cube"), "needs a GPU"),
        (lambda g: g.bfs(0, depth=3), "unknown option `depth`; known are: .*`max_depth`"),
        (lambda g: g.bfs(0, gpu={"no": 1}), "unknown option `no`"),
        (lambda g: g.sssp(0, delta=-1.0), "delta"),
        (lambda g: g.pagerank(damping=2), "damping"),
        (lambda g: g.pagerank(damping=float("nan")), "`damping` is nan: expected a finite number"),
        (lambda g: g.paths(within=np.float64("inf")), "`within` is inf: expected a finite number"),
        (lambda g: g.bfs(0, max_depth=2.5), "`max_depth` is 2.5, which is not understood"),
        (lambda g: g.bfs_many([0, 1], target=3), "no target"),
        (lambda g: g.paths(sources=[]), "`sources` is empty"),
        (lambda g: g.pagerank([1, 2]), "2 shares"),
        (lambda g: g.color(seed=-1), "`seed` is -1, which is not understood"),
        (lambda g: g.mis(priority="age"), "age"),
        (lambda g: g.mis(seed=g), "is not a valid value of an option"),
        (lambda g: g.communities(resolution=-1.0), "resolution"),
        (lambda g: g.to("tpu"), "unknown device `tpu`"),
        (lambda g: eq.Graph.from_edges([0], [1], directed=True).mst(), "undirected graph"),
    ],
)
def test_options_that_make_no_sense_are_value_errors(path, call, message):
    with pytest.raises(ValueError, match=message):
        call(path)


def test_what_does_not_fit_is_a_memory_error():
    large = eq.Graph.from_edges([0], [1], vertices=3_000_000)
    with pytest.raises(MemoryError, match="bytes"):
        large.apsp()


def test_options_may_be_numpys_numbers(path):
    assert path.bfs(np.int64(0), max_depth=np.uint8(2)).depth == 2
    assert path.pagerank(damping=np.float32(0.5)).converged


def test_a_device_that_is_not_there_is_an_error(path):
    with pytest.raises(eq.Error):
        path.to("cuda:4000")
    assert issubclass(eq.Error, RuntimeError) and eq.Error.__module__ == "equipoise"


@pytest.mark.skipif(not hasattr(_native, "panic"), reason="only a debug build panics when it is asked to")
def test_a_panic_is_an_error(capfd):
    with pytest.raises(eq.Error, match="please report it.*out of cheese"):
        _native.panic("out of cheese")


def test_distances_that_float64_would_round_are_refused():
    edges = 2**21 + 8
    places, weight = np.arange(edges), np.full(edges, 2**32 - 1)
    chain = eq.Graph.from_edges(places, places + 1, weight, directed=True)
    with pytest.raises(OverflowError, match="2⁵³"):
        chain.sssp(0, strategy="dijkstra")


def test_other_threads_run_meanwhile():
    graph = eq.generate("rmat:scale=9,edge-factor=16,seed=1")
    counted, done = 0, False

    def count():
        nonlocal counted
        while not done:
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    graph.betweenness()
    counted_meanwhile = counted - before
    done = True
    thread.join()
    # A thread that has to wait for the whole call counts once before it, at most.
    assert counted_meanwhile > 3


INTERRUPTED = """
import _thread, signal, threading, time
import equipoise as eq

# Also where whoever runs the tests ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
graph = eq.generate("rmat:scale=17,edge-factor=16,seed=1")
threading.Timer(0.2, _thread.interrupt_main).start()
start = time.monotonic()
try:
    graph.betweenness()
except KeyboardInterrupt:
    print(time.monotonic() - start)
# The work leaves off behind: soon the process does nothing any more.
spent = float("inf")
while spent > 0.05:
    before = time.process_time()
    time.sleep(0.3)
    spent = time.process_time() - before
"""


def test_ctrl_c_is_answered_at_once_and_stops_the_work():
    command = [sys.executable, "-c", INTERRUPTED]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    # Without an answer it would take most of an hour.
    assert 0.2 <= float(ended.stdout) < 20
