"""Reads Matrix Market files with fast_matrix_market.

Answers requests, one a line: `coo THREADS PATH` reads coordinates, `csr THREADS PATH` makes
SciPy's compressed rows of them as well. The answer is the seconds it took, the number of entries,
the sum of 2^32 * row + column of every entry modulo 2^64, and the sum of the values.
"""

import sys
import time

try:
    import fast_matrix_market
    import numpy
    import scipy.sparse
except ImportError as error:
    sys.exit(f"{error}: pip install fast_matrix_market scipy")


def read(form, path, threads):
    start = time.perf_counter()
    (values, (rows, columns)), shape = fast_matrix_market.read_coo(path, parallelism=threads)
    if form == "csr":
        matrix = scipy.sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()
    seconds = time.perf_counter() - start
    if form == "csr":
        rows = numpy.repeat(numpy.arange(shape[0]), numpy.diff(matrix.indptr))
        values, columns = matrix.data, matrix.indices
    positions = (rows.astype("uint64") << numpy.uint64(32)) + columns.astype("uint64")
    return seconds, len(values), positions.sum(dtype="uint64"), repr(float(values.sum()))


def main():
    print("ready", flush=True)
    for line in sys.stdin:
        form, threads, path = line.rstrip("\n").split(" ", 2)
        print(*read(form, path, int(threads)), flush=True)


main()
