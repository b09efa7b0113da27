"""Searches over MPI beside the Graph500 reference and CombBLAS, on one machine.

Each program makes a Kronecker graph of its own with the same parameters (16 edges a vertex), searches it from 64 sources (ours from
as many as `--sources` says) with parents, and tells the median. Programs take turns, `--repeats` times for each number of ranks, each
rank with one thread; the table has the median of the medians. All three have to be compiled with the MPI of `--mpirun`:

- Graph500 (https://github.com/graph500/graph500): `make` in src, with `-fcommon` among the CFLAGS
- CombBLAS (https://github.com/PASSIONLab/CombBLAS): the target `dobfs`, without OpenMP; it runs on square numbers of ranks only
- `MPICC=… cargo build --release --package equipoise-mpi`

Ours are verified in every run. The others' verifiers take minutes: `--validate` runs that of Graph500 too.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys


def run(arguments, options, ranks, **environment):
    command = [*options.mpirun.split(), "-n", str(ranks), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def told(pattern, text):
    """The number in a line of a program's report."""
    found = re.search(pattern, text)
    return float(found.group(1)) if found else sys.exit(f"no `{pattern}` in:\n{text[-2000:]}")


def ours(algorithm, options, ranks):
    weights = ",weights=0.0..1.0" if algorithm == "sssp" else ""
    spec = f"kronecker:scale={options.scale}{weights}"
    arguments = [options.ours, algorithm, spec, "--random-sources", str(options.sources), "--threads", "1", "--json"]
    # Graph500's weights and sums have 32 bits.
    arguments += ["--weights", "f32"] if weights else []
    searches = json.loads(run(arguments, options, ranks).stdout)["searches"]
    assert all(search["runs"]["verification"]["verdict"] == "proved" for search in searches)
    return statistics.median(search["runs"]["median_seconds"]["run"] for search in searches)


def graph500(algorithm, options, ranks):
    program = {"bfs": "graph500_reference_bfs", "sssp": "graph500_reference_bfs_sssp"}[algorithm]
    environment = {} if options.validate else {"SKIP_VALIDATION": "1"}
    if algorithm == "sssp":
        environment["SKIP_BFS"] = "1"
    done = run([os.path.join(options.graph500, program), str(options.scale)], options, ranks, **environment)
    return told(rf"{algorithm} +median_time: +(\S+)", done.stdout)


def combblas(algorithm, options, ranks):
    if algorithm != "bfs" or math.isqrt(ranks) ** 2 != ranks:
        return None
    # It reports where others complain.
    return told(r"Median time: (\S+) seconds", run([options.combblas, str(options.scale)], options, ranks).stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, metavar="PROGRAM", help="equipoise-mpi")
    parser.add_argument("--graph500", metavar="DIR", help="the folder of its programs")
    parser.add_argument("--combblas", metavar="PROGRAM", help="dobfs")
    parser.add_argument("--mpirun", default="mpirun", help="with its options, such as 'mpirun --bind-to none'")
    parser.add_argument("--algorithms", nargs="+", choices=["bfs", "sssp"], default=["bfs", "sssp"])
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--validate", action="store_true")
    options = parser.parse_args()
    programs = {"equipoise": ours}
    if options.graph500:
        programs["Graph500"] = graph500
    if options.combblas:
        programs["CombBLAS"] = combblas
    print(f"{os.cpu_count()} cores, scale {options.scale}, milliseconds, median of {options.repeats}")
    for algorithm in options.algorithms:
        for ranks in options.ranks:
            times = {name: [] for name in programs}
            for _ in range(options.repeats):
                for name, program in programs.items():
                    time = program(algorithm, options, ranks)
                    times[name] += [] if time is None else [1e3 * time]
            medians = {name: statistics.median(all) for name, all in times.items() if all}
            mine = medians["equipoise"]
            rest = [f"{name} {time:.2f} ({time / mine:.2f} times ours)" for name, time in medians.items() if time != mine]
            print(f"{algorithm}, {ranks} ranks: equipoise {mine:.2f}", *rest, sep=", ", flush=True)


if __name__ == "__main__":
    main()
