"""What is right: Equipoise's verified results, and how far a library's may be from them."""

import numpy as np

import equipoise as eq
from edges import Case

ALGORITHMS = ("bfs", "sssp", "pagerank", "components", "triangles", "betweenness")
DAMPING = 0.85
# The sum of all changes by the last iteration of PageRank, the same for every library that iterates.
TOLERANCE = 1e-6


def right_answers(case: Case, algorithms: list[str]) -> dict[str, np.ndarray]:
    """An array with a number a vertex for each algorithm; `transitivity` stands beside the triangles."""
    graph = eq.Graph.from_edges(case.source, case.target, case.weight, vertices=case.vertices)
    answers: dict[str, np.ndarray] = {}
    for algorithm in algorithms:
        found = ask(graph, algorithm, case)
        found.verify()
        answers[algorithm] = values_of(algorithm, found, case)
        if algorithm == "triangles":
            answers["transitivity"] = np.array(found.transitivity)
    return answers


def ask(graph: eq.Graph, algorithm: str, case: Case) -> eq.Result:
    """What Equipoise is asked for each algorithm."""
    if algorithm in ("bfs", "sssp"):
        return getattr(graph, algorithm)(case.start)
    if algorithm == "pagerank":
        return graph.pagerank(damping=DAMPING, tolerance=TOLERANCE, unweighted=True)
    if algorithm == "betweenness":
        return graph.betweenness(sources=case.sources, unnormalized=True)
    return getattr(graph, algorithm)()


def values_of(algorithm: str, found: eq.Result, case: Case) -> np.ndarray:
    """The array that is compared, as Equipoise hands it out."""
    names = {"bfs": "levels", "sssp": "distances", "pagerank": "ranks", "components": "labels"}
    names |= {"triangles": "counts", "betweenness": "vertices"}
    values = getattr(found, names[algorithm])
    if algorithm == "betweenness":
        # An estimate for all sources that could be: here it is the sum over the sampled ones, as peers give it.
        return values * (len(case.sources) / case.with_edges)
    return values


def difference(algorithm: str, values: np.ndarray, answers: dict[str, np.ndarray]) -> str | None:
    """What is wrong with a library's result; nothing where it is right."""
    if algorithm == "triangles" and np.ndim(values) == 0:
        algorithm = "transitivity"
    right = answers[algorithm]
    if np.shape(values) != np.shape(right):
        return f"numbers of shape {np.shape(values)}, expected {np.shape(right)}"
    if algorithm == "pagerank":
        # What is left after the last iteration is at most its change times d / (1 − d), for either library.
        far, most = float(np.abs(values - right).sum()), 2 * TOLERANCE * DAMPING / (1 - DAMPING)
        return None if far <= most else f"ranks differ by {far:.1e} in all, expected at most {most:.1e}"
    if algorithm == "components":
        values, right = _by_first_vertex(values), _by_first_vertex(right)
    same = np.isclose(values, right, rtol=_allowed(algorithm), atol=0.0)
    if same.all():
        return None
    place = int(np.argmin(same))
    there, expected = np.ravel(values)[place], np.ravel(right)[place]
    return f"{np.sum(~same)} of {np.size(same)} differ: {there} for vertex {place}, expected {expected}"


def _allowed(algorithm: str) -> float:
    """Whole numbers are exact; sums of floating-point numbers are made in any order."""
    return {"sssp": 1e-12, "betweenness": 1e-9, "transitivity": 1e-12}.get(algorithm, 0.0)


def _by_first_vertex(labels: np.ndarray) -> np.ndarray:
    """The smallest vertex of each one's component: what components are called does not matter."""
    _, first, component = np.unique(labels, return_index=True, return_inverse=True)
    return first[component]
