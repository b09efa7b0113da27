"""Equipoise in Python, on the cpu, beside NetworkX, SciPy, igraph, NetworKit, rustworkx and graph-tool.

    pip install equipoise networkx scipy igraph networkit rustworkx
    python benches/peers/python

graph-tool is not on PyPI; it is measured where it is installed. What is not installed is told below the table.

All libraries get the same arrays of a random undirected graph, start from the same vertices and may use as many
threads. Times are the medians of some turns after one to warm up: of making the library's graph of the arrays, of each
algorithm, and of making an array of NumPy of its result. Before a time is printed, the result is compared with Equipoise's,
which its verifier has checked; the program ends with 1 where a result is wrong or a library fails.

    python benches/peers/python --edges 100000 --graph uniform --libraries Equipoise,SciPy --algorithms bfs,sssp
"""

import argparse
import os
import pathlib
import sys

import table
from answers import ALGORITHMS, right_answers
from edges import random_case
from libraries import LIBRARIES
from measure import measure


def names(known: list[str]):
    """Reads names with commas between them."""

    def read(text: str) -> list[str]:
        for name in text.split(","):
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {name!r}: expected some of {', '.join(known)}")
        return text.split(",")

    return read


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--edges", type=int, default=1_000_000, help="undirected edges (default: %(default)s)")
    add("--vertices", type=int, help="default: a power of two with 8 to 16 edges a vertex")
    add("--graph", choices=["rmat", "uniform"], default="rmat", help="default: %(default)s")
    add("--seed", type=int, default=1, help="of the graph, its weights and the sources (default: %(default)s)")
    add("--sources", type=int, default=4, help="what betweenness is sampled from (default: %(default)s)")
    add("--threads", type=int, default=available_cores(), help="of each library (default: all cores, %(default)s)")
    add("--repeats", type=int, default=5, help="turns that medians are of (default: %(default)s)")
    add("--long", type=float, default=2.0, help="seconds above which one turn is enough (default: %(default)s)")
    add("--libraries", type=names(list(LIBRARIES)), default=list(LIBRARIES), help="some of %(default)s")
    add("--algorithms", type=names(list(ALGORITHMS)), default=list(ALGORITHMS), help="some of %(default)s")
    add("--json", type=pathlib.Path, metavar="FILE", help="write all times, in seconds")
    return parser.parse_args()


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> int:
    given = arguments()
    # Read by Equipoise and rustworkx, and by what NumPy and SciPy multiply with, when each starts its threads.
    for variable in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(given.threads)
    vertices = given.vertices or 1 << max(given.edges // 16, 63).bit_length()
    try:
        case = random_case(given.graph, given.edges, vertices, given.sources, given.seed)
    except ValueError as error:
        sys.exit(f"{error}")
    print(
        f"{case.edges:,} undirected edges, {case.vertices:,} vertices ({given.graph}, seed {given.seed}), "
        f"{given.threads} threads, medians of {given.repeats}, betweenness from {len(case.sources)} sources\n",
        flush=True,
    )
    answers = right_answers(case, given.algorithms)
    rows, missing = [], {}
    for name in given.libraries:
        try:
            library = LIBRARIES[name](given.threads)
        except ImportError as error:
            missing[name] = f"not installed ({error})"
            continue
        rows.append(measure(library, case, answers, given.algorithms, given.repeats, given.long))
    print(table.text(rows, given.algorithms, missing))
    if given.json is not None:
        about = {key: value for key, value in vars(given).items() if key not in ("json", "libraries", "algorithms")}
        given.json.write_text(table.as_json(rows, about | {"vertices": vertices}, missing))
    cells = [cell for row in rows for cell in (row.build, *row.cells.values())]
    return int(any(cell.problem is not None for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
