"""cuSPARSE's SpMV and SpMM, and CuPy's SpGEMM, on a matrix in raw files; times by CUDA events.

Reads a folder per line from standard input: offsets.u32, indices.u32, values.f32, shape.txt (rows,
columns). Answers with a line: the best milliseconds of SpMV, of SpMM with 32 columns row after
row, and of A·A (or - where it was not asked for).
"""

import ctypes
import ctypes.util
import glob
import sys

import cupy
import cupyx.scipy.sparse
import numpy

R_32F, INDEX_32, ROW_ORDER = 0, 2, 2
SPMV_ALGORITHMS = (0, 2, 3)
SPMM_ALGORITHMS = (0, 4, 6, 12)
REPEATS, RUNS = 7, 50


def load_cusparse():
    names = ["libcusparse.so.12", "libcusparse.so"]
    folders = [""] + [folder + "/" for folder in glob.glob("/usr/local/cuda*/lib64")]
    for name in names:
        for folder in folders:
            try:
                return ctypes.CDLL(folder + name)
            except OSError:
                continue
    sys.exit("libcusparse was not found: install the CUDA toolkit")


LIBRARY = load_cusparse()
POINTER = ctypes.c_void_p


def call(name, *arguments):
    status = getattr(LIBRARY, name)(*arguments)
    if status:
        raise RuntimeError(f"{name} failed with {status}")


def long(number):
    return ctypes.c_int64(int(number))


def device(array):
    return POINTER(array.data.ptr)


def median_ms(run):
    for _ in range(5):
        run()
    times = []
    for _ in range(REPEATS):
        start, stop = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        for _ in range(RUNS):
            run()
        stop.record()
        stop.synchronize()
        times.append(cupy.cuda.get_elapsed_time(start, stop) / RUNS)
    return sorted(times)[REPEATS // 2]


class Matrix:
    def __init__(self, folder):
        self.rows, self.columns = (int(n) for n in open(f"{folder}/shape.txt").read().split())
        self.offsets = cupy.asarray(numpy.fromfile(f"{folder}/offsets.u32", numpy.int32))
        self.indices = cupy.asarray(numpy.fromfile(f"{folder}/indices.u32", numpy.int32))
        self.values = cupy.asarray(numpy.fromfile(f"{folder}/values.f32", numpy.float32))
        self.handle, self.descriptor = POINTER(), POINTER()
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)
        call("cusparseCreate", ctypes.byref(self.handle))
        call("cusparseCreateCsr", ctypes.byref(self.descriptor), long(self.rows),
             long(self.columns), long(len(self.indices)), device(self.offsets),
             device(self.indices), device(self.values), INDEX_32, INDEX_32, 0, R_32F)

    def best(self, function, x, y, algorithms):
        """The fastest algorithm that works on it, after its own preprocessing."""
        one, zero = ctypes.byref(self.one), ctypes.byref(self.zero)
        transposes = (0, 0) if function == "cusparseSpMM" else (0,)
        times = []
        for algorithm in algorithms:
            size = ctypes.c_size_t(0)
            common = (self.handle, *transposes, one, self.descriptor, x, zero, y, R_32F, algorithm)
            try:
                call(function + "_bufferSize", *common, ctypes.byref(size))
                room = cupy.zeros(max(size.value, 8), cupy.uint8)
                call(function + "_preprocess", *common, device(room))
                times.append(median_ms(lambda: call(function, *common, device(room))))
            except RuntimeError:
                continue
        return min(times)

    def spmv(self):
        x, y = cupy.random.rand(self.columns, dtype=cupy.float32), cupy.zeros(self.rows, "f4")
        dx, dy = POINTER(), POINTER()
        call("cusparseCreateDnVec", ctypes.byref(dx), long(self.columns), device(x), R_32F)
        call("cusparseCreateDnVec", ctypes.byref(dy), long(self.rows), device(y), R_32F)
        return self.best("cusparseSpMV", dx, dy, SPMV_ALGORITHMS)

    def spmm(self, width=32):
        x = cupy.random.rand(self.columns, width, dtype=cupy.float32)
        y = cupy.zeros((self.rows, width), "f4")
        dx, dy = POINTER(), POINTER()
        for descriptor, rows, array in ((dx, self.columns, x), (dy, self.rows, y)):
            call("cusparseCreateDnMat", ctypes.byref(descriptor), long(rows), long(width),
                 long(width), device(array), R_32F, ROW_ORDER)
        return self.best("cusparseSpMM", dx, dy, SPMM_ALGORITHMS)

    def spgemm(self):
        a = cupyx.scipy.sparse.csr_matrix((self.values, self.indices, self.offsets),
                                          shape=(self.rows, self.columns))
        times = []
        for _ in range(5):
            start, stop = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            a @ a
            stop.record()
            stop.synchronize()
            times.append(cupy.cuda.get_elapsed_time(start, stop))
        return sorted(times)[2]


print("ready", flush=True)
for line in sys.stdin:
    folder, *wanted = line.split()
    matrix = Matrix(folder)
    answers = [f"{getattr(matrix, what)():.6f}" if what in wanted else "-"
               for what in ("spmv", "spmm", "spgemm")]
    print(*answers, flush=True)
    del matrix
    cupy.get_default_memory_pool().free_all_blocks()
