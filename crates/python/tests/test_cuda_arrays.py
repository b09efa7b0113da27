"""Device arrays on CUDA, next to CuPy and PyTorch."""

import gc

import numpy as np
import pytest
import scipy.sparse as sp

import equipoise as eq

GPU = next((device.name for device in eq.devices() if device.name.startswith("cuda") and not device.problem), None)
if GPU is None:
    pytest.skip("no GPU with CUDA", allow_module_level=True)
cupy = pytest.importorskip("cupy")
torch = pytest.importorskip("torch")

GRAPH = eq.generate("rmat:scale=12", weights="u32")
ON_GPU = GRAPH.to(GPU)
SOURCE = int(GRAPH.degrees.argmax())


def matrix(kind: str, size: int = 3000) -> sp.csr_array:
    return sp.random_array((size, size), density=0.01, dtype=kind, rng=np.random.default_rng(1)).tocsr()


def vector(kind: str, size: int = 3000) -> np.ndarray:
    return np.random.default_rng(2).random(size).astype(kind)


@pytest.mark.parametrize("search, names", [("bfs", ("levels", "parents")), ("sssp", ("distances", "predecessors"))])
def test_results_are_those_on_the_host(search, names):
    host, device = (getattr(ON_GPU, search)(SOURCE, **options) for options in ({}, {"device_arrays": True}))
    assert device.verification["verdict"] == "proved"
    assert device.reached == host.reached and device.complete and len(device.trace) == len(host.trace)
    for name in names:
        theirs, ours = getattr(host, name), getattr(device, name)
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        if name in ("levels", "distances"):
            for array in (ours.numpy(), cupy.asarray(ours).get(), cupy.from_dlpack(ours).get(), torch.from_dlpack(ours).cpu().numpy()):
                np.testing.assert_array_equal(array, theirs)
        else:
            np.testing.assert_array_equal(ours.numpy() < 0, theirs < 0)
    with pytest.raises(ValueError, match="verified when it is computed"):
        device.verify()


def test_floating_point_distances_are_those_on_the_host():
    weights = np.random.default_rng(3).random(5000).astype(np.float32)
    ends = np.random.default_rng(4).integers(0, 900, (2, 5000))
    graph = eq.Graph.from_edges(*ends, weight=weights, vertices=1000).to(GPU)
    np.testing.assert_array_equal(graph.sssp(0, device_arrays=True).distances.numpy(), graph.sssp(0).distances)
    wide = eq.Graph.from_edges(*ends, weight=weights.astype(float)).to(GPU)
    with pytest.raises(ValueError, match="float64"):
        wide.sssp(0, device_arrays=True)


def test_tensors_outlive_results_and_memory_is_shared():
    result = ON_GPU.bfs(SOURCE, device_arrays=True)
    expected = result.levels.numpy().copy()
    tensor, array = torch.from_dlpack(result.levels), cupy.from_dlpack(result.levels)
    assert tensor.data_ptr() == array.data.ptr == result.levels.__cuda_array_interface__["data"][0]
    del result
    gc.collect()
    for _ in range(20):
        ON_GPU.bfs(SOURCE, device_arrays=True)
    np.testing.assert_array_equal(tensor.cpu().numpy(), expected)
    tensor += 1
    torch.cuda.synchronize()
    np.testing.assert_array_equal(array.get(), expected + 1)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_products_of_all_libraries_are_scipys(kind):
    theirs, x = matrix(kind), vector(kind)
    ours = eq.Matrix.from_scipy(theirs).to(GPU)
    tolerance = 1e-4 if kind == "float32" else 1e-12
    for right in (cupy.asarray(x), torch.from_numpy(x).cuda(), eq.Matrix.from_scipy(sp.eye_array(3000, dtype=kind)).to(GPU) @ cupy.asarray(x)):
        product = ours @ right
        assert isinstance(product, eq.DeviceArray) and product.dtype == kind
        np.testing.assert_allclose(product.numpy(), theirs @ x, rtol=tolerance)
        np.testing.assert_allclose((ours @ product).numpy(), theirs @ (theirs @ x), rtol=tolerance)


def test_products_wait_for_their_factors_and_these_for_products():
    theirs, x = matrix("float32"), vector("float32")
    ours = eq.Matrix.from_scipy(theirs).to(GPU)
    expected = theirs @ x
    a = cupy.asarray(np.random.default_rng(5).random((4000, 4000)).astype("float32"))
    for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True)):
        for _ in range(20):
            with stream:
                y = cupy.zeros(3000, "float32")
                busy = a @ a
                y += cupy.asarray(x)
                product = ours @ y
                y.fill(np.nan)
            np.testing.assert_allclose(product.numpy(), expected, rtol=1e-4)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        b = torch.from_dlpack(a)
        for _ in range(20):
            y = torch.zeros(3000, device="cuda")
            busy = b @ b
            y += torch.from_numpy(x).cuda()
            product = ours @ y
            y.fill_(float("nan"))
            np.testing.assert_allclose(torch.from_dlpack(product).cpu().numpy(), expected, rtol=1e-4)
    del busy


def test_memory_is_reused_after_its_readers():
    theirs, x = matrix("float32"), vector("float32")
    ours, right = eq.Matrix.from_scipy(theirs).to(GPU), cupy.asarray(x)
    a = cupy.asarray(np.random.default_rng(5).random((4000, 4000)).astype("float32"))
    sums = []
    for _ in range(50):
        product = ours @ right
        busy = a @ a
        sums.append(cupy.from_dlpack(product).sum())
        del product
        ours @ cupy.zeros(3000, "float32")
    expected = float((theirs @ x).sum())
    assert all(abs(float(total) - expected) <= 1e-4 * expected for total in sums)
    del busy


def test_factors_that_do_not_fit_are_refused():
    ours = eq.Matrix.from_scipy(matrix("float32")).to(GPU)
    good = cupy.zeros(6000, "float32")
    for right, problem in (
        (good, "6000 numbers"),
        (good[::2], "not contiguous"),
        (torch.zeros(6000, device="cuda")[::2], "not contiguous"),
        (good[:3000].astype("float64"), "float64, and the matrix of float32"),
        (torch.zeros(3000, device="cuda", dtype=torch.int64), "int64, and the matrix of float32"),
        (good.reshape(3000, 2), "2 dimensions"),
        (ON_GPU.bfs(SOURCE, device_arrays=True).levels, "int32, and the matrix of float32"),
    ):
        with pytest.raises(ValueError, match=problem):
            ours @ right
    with pytest.raises(ValueError):
        ours @ (eq.Matrix.from_scipy(sp.eye_array(5, dtype="float32")).to(GPU) @ cupy.zeros(5, "float32"))
    assert (ours @ np.zeros(3000)).tolist() == [0] * 3000
    with pytest.raises(ValueError, match="is on a GPU"):
        eq.Graph.from_edges(cupy.arange(3), cupy.arange(3))


def test_factors_with_missing_values_are_refused():
    ones = cupy.ones(2)

    class Column:
        """A column with a mask, as of cuDF: neither DLPack nor a stream."""

        def __init__(self, mask):
            self.__cuda_array_interface__ = {**ones.__cuda_array_interface__, "version": 1, "mask": mask}
            del self.__cuda_array_interface__["stream"]

    ours = eq.Matrix.from_scipy(sp.eye_array(2)).to(GPU)
    assert (ours @ Column(None)).numpy().tolist() == [1, 1]
    with pytest.raises(ValueError, match="missing"):
        ours @ Column(ones)


def test_empty_vectors_have_products():
    ours = eq.Matrix.from_scipy(sp.csr_array((3, 0))).to(GPU)
    assert (ours @ cupy.zeros(0)).numpy().tolist() == [0, 0, 0]
    none = eq.Matrix.from_scipy(sp.csr_array((0, 3))).to(GPU) @ cupy.zeros(3)
    assert none.shape == (0,) and cupy.asarray(none).shape == (0,) and len(torch.from_dlpack(none)) == 0
