"""The same results on every device that can be used here, a GPU in software among them."""

import numpy as np
import pytest
import scipy.sparse as sp

import equipoise as eq

DEVICES = [device.name for device in eq.devices() if device.problem is None]


def test_the_cpu_is_always_there_and_auto_is_one_of_them():
    assert DEVICES[0] == "cpu"
    assert eq.generate("path:n=3").to("auto").device in DEVICES
    assert all(device.problem is None or device.problem for device in eq.devices())


@pytest.mark.parametrize("device", DEVICES)
def test_searches_and_products_are_those_of_the_cpu(device):
    graph = eq.generate("rmat:scale=8,edge-factor=4,seed=3,weights=1..100")
    there = graph.to(device)
    assert there.device == device and there.vertices == graph.vertices
    found = there.bfs(0)
    np.testing.assert_array_equal(found.levels, graph.bfs(0).levels)
    found.verify()
    np.testing.assert_array_equal(there.sssp(0).distances, graph.sssp(0).distances)
    matrix = sp.random_array((50, 40), density=0.1, dtype="float32", rng=1)
    x = np.linspace(0, 1, 40, dtype="float32")
    product = eq.Matrix.from_scipy(matrix).to(device) @ x
    np.testing.assert_allclose(product, matrix @ x, rtol=1e-5, atol=1e-6)
