"""Decimal weights have 64 bits, in files and generators too, and sums of them."""

import numpy as np
import pytest

import equipoise as eq

GPUS = [device.name for device in eq.devices() if device.problem is None and device.name.startswith("wgpu")]


def kind(graph):
    return np.asarray(graph._native.rows()[2]).dtype


def test_a_path_of_tenths_is_as_long_as_it_has_tenths(tmp_path):
    path = tmp_path / "tenths.wel"
    path.write_text("".join(f"{edge} {edge + 1} 0.1\n" for edge in range(5000)))
    for graph in [eq.read(path), eq.generate("path:n=5001,weights=0.1..0.1")]:
        assert kind(graph) == np.float64
        np.testing.assert_allclose(graph.sssp(0).distances, np.arange(5001) / 10, rtol=1e-12)


def test_the_type_of_weights_can_be_said(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text("from,to,km\nUlm,Bonn,0.1\n")
    for weights, expected in [("auto", np.float64), ("f32", np.float32), ("f64", np.float64)]:
        assert kind(eq.read(path, weights=weights)) == expected
        assert kind(eq.generate("path:n=3,weights=0.1..0.1", weights=weights)) == expected
    assert kind(eq.generate("path:n=3,weights=7..7", weights="f64")) == np.float64
    with pytest.raises(ValueError, match="from 0 to 4294967295"):
        eq.read(path, weights="u32")
    with pytest.raises(ValueError, match="unknown type of weights `float32`"):
        eq.read(path, weights="float32")


@pytest.mark.parametrize("device", GPUS)
def test_a_gpu_that_does_not_add_up_64_bits_says_so_and_auto_is_another(device):
    graph = eq.generate("path:n=9,weights=0.1..0.1")
    with pytest.raises(ValueError, match="use the cpu, or weights of type f32"):
        graph.to(device).sssp(0)
    assert graph.to("auto").sssp(0).distances[8] == graph.sssp(0).distances[8]
    narrow = eq.generate("path:n=9,weights=0.1..0.1", weights="f32").to(device)
    np.testing.assert_allclose(narrow.sssp(0).distances, np.arange(9) / 10, rtol=1e-6)
    ranks = graph.to(device).pagerank().ranks
    np.testing.assert_allclose(ranks, graph.pagerank().ranks, rtol=1e-4)
