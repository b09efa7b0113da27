#!/usr/bin/env python3
"""Measures what docs/performance.md compares with other programs, all in one run on one machine.

    measurements/peers.py PROGRAM FOLDER [--gap FOLDER] [--only CASE,...] [--scales 20-26]

PROGRAM is the built `equipoise`. FOLDER receives graphs, and peers.csv with one row per case, graph and program: rows that
are there are not measured again, so that a run that was stopped goes on where it was. GAP's programs (`pr`, `cc`, `bfs`,
`sssp`, from github.com/sbeamer/gapbs) are run if their folder is given; SciPy, CuPy and NetworKit if they can be imported.

A time of ours counts only if its result was verified: the script fails otherwise.
"""

import argparse
import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

GRAPHS = {
    "rmat20": "rmat:scale=20",
    "er20": "er:n=1048576,m=16777216",
    "grid": "grid:width=2000,height=2000,drop=0.1",
    "rmat22": "rmat:scale=22",
}
WEIGHTED = {name: f"{spec},weights=1..{1000 if name == 'grid' else 255}" for name, spec in GRAPHS.items()}
COLUMNS = ["case", "graph", "program", "milliseconds", "runs"]
SOURCE_SEED = 1


class Bench:
    def __init__(self, arguments):
        self.program = str(Path(arguments.program).resolve())
        self.folder = Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.gap = arguments.gap and Path(arguments.gap).resolve()
        self.only = arguments.only and set(arguments.only.split(","))
        first, last = arguments.scales.split("-")
        self.scales = range(int(first), int(last) + 1)
        self.table = self.folder / "peers.csv"
        self.done = set()
        if self.table.exists():
            with self.table.open() as rows:
                self.done = {(row["case"], row["graph"], row["program"]) for row in csv.DictReader(rows)}
        else:
            self.table.write_text(",".join(COLUMNS) + "\n")

    def row(self, case, graph, program, measure):
        """Measures a row, unless it is there, not asked for, or its program is missing."""
        if (case, graph, program) in self.done or (self.only and case not in self.only):
            return
        measured = measure()
        if measured is None:
            return
        milliseconds, runs = measured
        with self.table.open("a") as rows:
            csv.writer(rows, lineterminator="\n").writerow([case, graph, program, f"{milliseconds:.4g}", runs])
        print(f"{case:24} {graph:8} {program:24} {milliseconds:10.4g} ms", flush=True)

    def file(self, name, spec, suffix="eqp"):
        """A generated graph in a file, made on first use."""
        path = self.folder / f"{name}.{suffix}"
        if not path.exists():
            source = spec if suffix == "eqp" else str(self.file(name, spec))
            subprocess.run([self.program, "convert", source, "-o", str(path), "--quiet"], check=True)
        return path

    def json(self, *arguments, environment=None):
        command = [self.program, *map(str, arguments), "--json"]
        ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
        if ran.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{ran.stderr}")
        return json.loads(ran.stdout)

    def ours(self, *arguments, parts=("kernel", "overhead"), repeat=5, verified=True):
        """The median of the named parts of a run, and the mean over searches where there are several."""
        answer = self.json(*arguments, *([] if repeat is None else ["--repeat", repeat]))
        runs = [search["runs"] for search in answer.get("searches", [])] or [answer["runs"]]
        for run in runs:
            verdict = (run.get("verification") or {}).get("verdict")
            if verified and verdict not in ("proved", "sampled"):
                sys.exit(f"{arguments}: not verified, but {verdict}")
        times = [sum(run["median_seconds"].get(part, 0.0) for part in parts) for run in runs]
        return 1e3 * statistics.mean(times), runs[0]["count"] * len(runs)

    def has_cuda(self):
        command = [self.program, "bfs", "path:n=2", "--device", "cuda", "--quiet"]
        return subprocess.run(command, capture_output=True).returncode == 0

    def gap_run(self, name, *arguments):
        """The median trial of a program of GAP."""
        if not self.gap or not (self.gap / name).exists():
            return None
        command = [str(self.gap / name), *map(str, arguments)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        times = [float(found) for found in re.findall(r"Trial Time:\s+([\d.]+)", ran.stdout)]
        return 1e3 * statistics.median(times), len(times)


WHOLE = ("kernel", "overhead", "prepare", "download")
SEARCH = ("kernel", "overhead", "tree")


def gpu_rows(bench):
    """What runs on a graph that is on the GPU."""
    cuda = ["--device", "cuda"]
    for graph, spec in GRAPHS.items():
        path = bench.file(graph, spec)
        searches = ["bfs", path, *cuda, "--random-sources", 8]
        bench.row("bfs", graph, "equipoise cuda", lambda: bench.ours(*searches, parts=SEARCH))
        bench.row("bfs download", graph, "equipoise cuda", lambda: bench.ours("bfs", path, *cuda, parts=("download",)))
        bench.row("color download", graph, "equipoise cuda", lambda: bench.ours("color", path, *cuda, parts=("download",)))
        bench.row("mis", graph, "equipoise cuda", lambda: bench.ours("mis", path, *cuda, repeat=15))
        bench.row("triangles", graph, "equipoise cuda", lambda: bench.ours("triangles", path, *cuda, parts=WHOLE))
        bench.row("spmv", graph, "equipoise cuda", lambda: bench.ours("spmv", path, *cuda, repeat=15))
        bench.row("spmv", graph, "cusparse", lambda: cusparse(bench, graph, spec))
        betweenness = ["betweenness", path, *cuda, "--random-sources"]
        bench.row("betweenness 4", graph, "equipoise cuda", lambda: bench.ours(*betweenness, 4, parts=WHOLE, repeat=3))
        heavy = bench.file(f"{graph}-weighted", WEIGHTED[graph])
        heavy_searches = ["sssp", heavy, *cuda, "--random-sources", 8]
        bench.row("sssp", graph, "equipoise cuda", lambda: bench.ours(*heavy_searches, parts=SEARCH))
    for graph in ["rmat20", "rmat22"]:
        path = bench.file(graph, GRAPHS[graph])
        for sources in [1, 64, 640]:
            bench.row(f"paths {sources}", graph, "equipoise cuda", lambda: paths(bench, path, sources))
    path = bench.file("rmat20", GRAPHS["rmat20"])
    betweenness = ["betweenness", path, *cuda, "--random-sources", 64]
    bench.row("betweenness 64", "rmat20", "equipoise cuda", lambda: bench.ours(*betweenness, parts=WHOLE, repeat=2))
    searches = ["bfs", path, *cuda, "--random-sources", 500]
    bench.row("500 searches, each", "rmat20", "equipoise cuda", lambda: bench.ours(*searches, parts=SEARCH, repeat=None))
    bench.row("first compile", "er10", "equipoise cuda", lambda: first_compile(bench))


def paths(bench, path, sources):
    """The time per source, with centralities on the host."""
    command = ["paths", path, "--device", "cuda", "--random-sources", sources]
    whole, runs = bench.ours(*command, parts=WHOLE, repeat=3)
    return whole / sources, runs


def first_compile(bench):
    """The wall clock of a search on a small graph with nothing compiled."""
    times = []
    for _ in range(3):
        cache = bench.folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        start = time.perf_counter()
        bench.json("bfs", "er:n=1024,m=8000", "--device", "cuda", environment={"EQUIPOISE_CACHE": str(cache)})
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times), len(times)


def cpu_rows(bench):
    """What runs on all cores, beside GAP and SciPy."""
    cpu = ["--device", "cpu"]
    for graph, spec in GRAPHS.items():
        path, of_gap = bench.file(graph, spec), bench.file(graph, spec, "sg")
        bench.row("pagerank", graph, "equipoise cpu", lambda: bench.ours("pagerank", path, *cpu, "--tolerance", "1e-4"))
        bench.row("pagerank", graph, "gap", lambda: bench.gap_run("pr", "-f", of_gap, "-n", 5, "-t", "1e-4", "-i", 1000))
        bench.row("components", graph, "equipoise cpu", lambda: bench.ours("components", path, *cpu, repeat=9))
        bench.row("components", graph, "gap", lambda: bench.gap_run("cc", "-f", of_gap, "-n", 9))
        bench.row("spmv", graph, "equipoise cpu", lambda: bench.ours("spmv", path, *cpu, repeat=9))
        bench.row("spmv", graph, "scipy", lambda: scipy_spmv(bench, graph, spec))
        source = source_of(bench, path)
        bench.row("bfs", graph, "equipoise cpu", lambda: bench.ours("bfs", path, *cpu, "--source", source, repeat=9))
        bench.row("bfs", graph, "gap", lambda: bench.gap_run("bfs", "-f", of_gap, "-n", 9, "-r", source))
        heavy = bench.file(f"{graph}-weighted", WEIGHTED[graph])
        of_gap = bench.file(f"{graph}-weighted", WEIGHTED[graph], "wsg")
        bench.row("sssp", graph, "equipoise cpu", lambda: bench.ours("sssp", heavy, *cpu, "--source", source))
        bench.row("sssp", graph, "gap", lambda: best_width(bench, of_gap, source))
    small = bench.file("rmat14", "rmat:scale=14")
    product = ["spgemm", small, *cpu, "--threads", 2]
    bench.row("spgemm, two threads", "rmat14", "equipoise cpu", lambda: bench.ours(*product, repeat=3))
    bench.row("spgemm, two threads", "rmat14", "scipy", lambda: scipy_spgemm(bench, "rmat14", "rmat:scale=14"))
    diameter_rows(bench)
    host_copy = lambda: (copy_time(), 9)
    bench.row("copy of 1 GB", "", "numpy, all cores", host_copy)
    for kind in ["names", "numbers"]:
        bench.row("csv, one thread", kind, "equipoise cpu", lambda: csv_time(bench, kind))


def diameter_rows(bench):
    """The exact diameter of a random hyperbolic graph of 100,000 vertices, which NetworKit generates."""
    if bench.only and "diameter" not in bench.only:
        return
    try:
        import networkit
    except ImportError:
        return
    networkit.engineering.setSeed(SOURCE_SEED, False)
    graph = networkit.generators.HyperbolicGenerator(100_000, 10, 3).generate()
    path = bench.folder / "hyperbolic.edges"
    if not path.exists():
        networkit.writeGraph(graph, str(path), networkit.Format.EdgeListTabZero)
    exact = networkit.distance.DiameterAlgo.EXACT

    def run():
        found.append(networkit.distance.Diameter(graph, algo=exact).run().getDiameter()[0])

    found = []
    bench.row("diameter", "hyperbolic", "networkit", lambda: repeated(run, 5))
    for device in ["cpu", "cuda"] if bench.has_cuda() else ["cpu"]:
        command = ["paths", path, "--undirected", "--diameter", "--device", device]
        ours = lambda: bench.ours(*command, parts=WHOLE)
        bench.row("diameter", "hyperbolic", f"equipoise {device}", ours)
        answer = bench.json(*command)["diameter"]
        if found and answer != found[0]:
            sys.exit(f"the diameter is {answer}, and {found[0]} by NetworKit")


def source_of(bench, path):
    """The vertex from which both programs search: a random one with edges."""
    answer = bench.json("bfs", path, "--device", "cpu", "--random-sources", 1, "--seed", SOURCE_SEED)
    return answer["searches"][0]["source"]


def best_width(bench, path, source):
    """GAP's time with the bucket width that suits it best."""
    run = lambda width: bench.gap_run("sssp", "-f", path, "-n", 3, "-r", source, "-d", width)
    times = [run(width) for width in [1, 2, 4, 16, 64, 200, 400]]
    return None if None in times else min(times)


def as_scipy(bench, name, spec):
    """The matrix of a graph, of ones of 32 bits as ours, from GAP's format: a byte, two counts, offsets and neighbours."""
    import numpy, scipy.sparse

    path = bench.file(name, spec, "sg")
    edges, vertices = numpy.fromfile(path, dtype="<i8", count=2, offset=1)
    offsets = numpy.fromfile(path, dtype="<i8", count=vertices + 1, offset=17).astype(numpy.int32)
    targets = numpy.fromfile(path, dtype="<i4", count=offsets[-1], offset=17 + 8 * (vertices + 1))
    ones = numpy.ones(len(targets), dtype=numpy.float32)
    return scipy.sparse.csr_matrix((ones, targets, offsets), shape=(vertices, vertices))


def repeated(run, repeats):
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times), repeats


def scipy_spmv(bench, name, spec):
    try:
        import numpy

        matrix = as_scipy(bench, name, spec)
    except ImportError:
        return None
    x = numpy.ones(matrix.shape[1], dtype=numpy.float32)
    return repeated(lambda: matrix @ x, 9)


def scipy_spgemm(bench, name, spec):
    try:
        matrix = as_scipy(bench, name, spec)
    except ImportError:
        return None
    return repeated(lambda: matrix @ matrix, 3)


def cusparse(bench, name, spec):
    try:
        import cupy, cupyx.scipy.sparse

        matrix = cupyx.scipy.sparse.csr_matrix(as_scipy(bench, name, spec))
    except ImportError:
        return None
    x = cupy.ones(matrix.shape[1], dtype=cupy.float32)

    def run():
        for _ in range(20):
            matrix @ x
        cupy.cuda.Device().synchronize()

    milliseconds, repeats = repeated(run, 9)
    return milliseconds / 20, repeats


def copy_time():
    """The time of copying a gigabyte by all cores."""
    import numpy
    from concurrent.futures import ThreadPoolExecutor

    cores = os.cpu_count()
    source, target = numpy.ones(1 << 27), numpy.zeros(1 << 27)
    parts = list(zip(numpy.array_split(target, cores), numpy.array_split(source, cores)))
    with ThreadPoolExecutor(cores) as pool:
        return repeated(lambda: list(pool.map(lambda part: numpy.copyto(*part), parts)), 9)[0]


def csv_time(bench, kind):
    """The processor time of reading a million rows, by names or by numbers."""
    path = bench.folder / f"{kind}.csv"
    if not path.exists():
        prefix = "account-" if kind == "names" else ""
        state = 88172645463325252
        with path.open("w") as rows:
            for _ in range(1_000_000):
                ends = []
                for _ in range(2):
                    state ^= state << 13 & (1 << 64) - 1
                    state ^= state >> 7
                    state ^= state << 17 & (1 << 64) - 1
                    ends.append(f"{prefix}{state % 200_000}")
                rows.write(",".join(ends) + "\n")
    answers = [bench.json("info", path, "--threads", 1) for _ in range(3)]
    times = [answer.get("graph", answer)["load_seconds"] for answer in answers]
    return 1e3 * statistics.median(times), len(times)


def growth_rows(bench):
    """How times grow with the graph."""
    cuda = ["--device", "cuda"]
    for scale in bench.scales:
        path = bench.file(f"rmat{scale}-weighted", f"rmat:scale={scale},weights=1..255")
        graph = f"rmat{scale}"
        for name, more, parts in [
            ("bfs", [], SEARCH),
            ("sssp", [], SEARCH),
            ("components", [], ("kernel", "overhead")),
            ("pagerank", ["--iterations", 20], ("kernel", "overhead")),
            ("kcore", [], ("kernel", "overhead")),
        ]:
            measure = lambda: bench.ours(name, path, *cuda, *more, parts=parts, repeat=3)
            bench.row(f"growth {name}", graph, "equipoise cuda", measure)
        if scale > 22:
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--gap", help="the folder of GAP's programs")
    parser.add_argument("--only", help="cases, separated by commas")
    parser.add_argument("--scales", default="20-26", help="of the graphs that show growth")
    parser.add_argument("--parts", default="gpu,cpu,growth", help="which of gpu, cpu and growth")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    rows = {"gpu": gpu_rows, "cpu": cpu_rows, "growth": growth_rows}
    for part in arguments.parts.split(","):
        rows[part](bench)


if __name__ == "__main__":
    main()
