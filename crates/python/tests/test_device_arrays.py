"""Arrays of other libraries, and what they get, as far as it can be tested without CUDA."""

import numpy as np
import pytest
import scipy.sparse as sp

import equipoise as eq
from equipoise import _device, _native

GRAPH = eq.generate("path:n=4")
MATRIX = eq.Matrix.from_scipy(sp.csr_array([[1.0, 2.0], [0.0, 3.0]]))


class Tensor:
    """An array that only DLPack describes."""

    def __init__(self, capsule, device=(1, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **_):
        return self.capsule()

    def __dlpack_device__(self):
        return self.device


class OnCuda:
    """An array that says to be on CUDA."""

    __cuda_array_interface__ = {"data": (0, False), "shape": (2,), "typestr": "<f8", "version": 3}


is_for_tests = pytest.mark.skipif(
    not hasattr(_native, "host_capsule"), reason="only a debug build makes capsules without CUDA"
)


@is_for_tests
@pytest.mark.parametrize("versioned", [False, True])
def test_capsules_are_numpys_arrays_in_place(versioned):
    before = _native.living_capsules()
    tensor = Tensor(lambda: _native.host_capsule(np.array([1.5, -2.0]), versioned))
    array = np.from_dlpack(tensor)
    assert array.dtype == np.float64 and array.tolist() == [1.5, -2.0]
    assert _native.living_capsules() == before + 1
    part = array[1:]
    del array
    assert part.tolist() == [-2.0] and _native.living_capsules() == before + 1
    del part
    assert _native.living_capsules() == before


@is_for_tests
@pytest.mark.parametrize("versioned", [False, True])
def test_a_capsule_that_no_one_takes_releases_its_numbers(versioned):
    before = _native.living_capsules()
    capsule = _native.host_capsule(np.zeros(3), versioned)
    assert _native.living_capsules() == before + 1
    del capsule
    assert _native.living_capsules() == before


@is_for_tests
def test_capsules_of_others_are_read():
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    described = _native.described_capsule(array[1:, ::2].__dlpack__())
    assert described == (array.ctypes.data + 16, (1, 0), "float32", [2, 2], [4, 2])
    for kind in ("int64", "uint8", "complex64", "bool"):
        assert _native.described_capsule(np.zeros(1, kind).__dlpack__())[2] == kind
    assert _native.described_capsule(np.array(1.0).__dlpack__())[3] == []
    with pytest.raises(ValueError, match="incorrect name"):
        _native.described_capsule(_native.host_capsule(np.zeros(1), True))
    with pytest.raises(TypeError):
        _native.described_capsule(array)


def test_results_stay_on_cuda_only():
    for graph in (GRAPH, *(GRAPH.to(device.name) for device in eq.devices() if device.name.startswith("wgpu") and not device.problem)):
        for search in (graph.bfs, graph.sssp):
            with pytest.raises(ValueError, match=rf'on {graph.device}: use `graph.to\("cuda"\)`'):
                search(0, device_arrays=True)
    assert GRAPH.bfs(0, device_arrays=False).levels.tolist() == [0, 1, 2, 3]


def test_algorithms_without_device_arrays_say_so():
    for run in (GRAPH.pagerank, GRAPH.components, lambda **options: GRAPH.run("kcore", **options)):
        with pytest.raises(ValueError, match="copies its result to the host: `device_arrays` is for `bfs` and `sssp`"):
            run(device_arrays=True)
    with pytest.raises(ValueError, match="unknown option `device_arrays`"):
        GRAPH.bfs_many([0], device_arrays=True)


def test_arrays_on_cuda_need_a_matrix_there():
    for right in (OnCuda(), Tensor(None, (2, 0))):
        with pytest.raises(ValueError, match=r'the matrix on cpu: use `matrix.to\("cuda"\)`'):
            MATRIX @ right
        with pytest.raises(ValueError, match=r"`source` is on a GPU, and is read on the host: .*`.get\(\)`"):
            eq.Graph.from_edges(right, [0])


def test_tensors_on_the_host_are_read():
    ones = Tensor(np.ones(2).__dlpack__)
    assert (MATRIX @ ones).tolist() == [3, 3]
    ends = Tensor(np.array([0, 1]).__dlpack__), Tensor(np.array([1, 2]).__dlpack__)
    assert eq.Graph.from_edges(*ends, weight=ones).edges == 2


class Native:
    """A stand-in for the compiled class."""

    dtype, length, device = "int32", 3, 1

    def download(self):
        return np.array([5, 6, 7], np.int32)

    def address(self):
        return 4096

    def dlpack(self, stream, versioned):
        return (stream, versioned)


def test_a_device_array_describes_itself():
    array = _device.DeviceArray(Native())
    assert (array.shape, array.dtype, len(array), array.device) == ((3,), np.int32, 3, "cuda:1")
    assert repr(array) == "<DeviceArray: 3 numbers of int32, on cuda:1>"
    assert array.numpy().tolist() == [5, 6, 7]
    assert np.asarray(array, dtype=float).tolist() == [5.0, 6.0, 7.0]
    with pytest.raises(ValueError, match="copied"):
        np.array(array, copy=False)
    interface = array.__cuda_array_interface__
    assert (interface["shape"], interface["typestr"], interface["data"]) == ((3,), "<i4", (4096, False))
    assert (interface["strides"], interface["stream"], interface["version"]) == (None, None, 3)


def test_streams_of_dlpack_are_passed_on():
    array = _device.DeviceArray(Native())
    assert array.__dlpack_device__() == (2, 1)
    assert array.__dlpack__() == (1, False)
    assert array.__dlpack__(stream=-1, max_version=(1, 1)) == (None, True)
    assert array.__dlpack__(stream=77, max_version=(0, 8), dl_device=(2, 1), copy=False) == (77, False)
    for stream in (0, -2):
        with pytest.raises(BufferError, match="expected −1, 1, 2"):
            array.__dlpack__(stream=stream)
    for other in ({"copy": True}, {"dl_device": (1, 0)}, {"dl_device": (2, 0)}):
        with pytest.raises(BufferError, match="in place only"):
            array.__dlpack__(**other)
