"""What models choose, told before it is done."""

import pytest

import equipoise as eq

DEVICES = [device.name for device in eq.devices() if device.problem is None]


@pytest.mark.parametrize("device", [device for device in DEVICES if device != "cpu"])
@pytest.mark.parametrize("algorithm", ["sssp", "color"])
def test_one_choice_for_a_graph(device, algorithm):
    graph = eq.generate("grid:width=30,height=20,weights=1..9").to(device)
    (choice,) = eq.explain(graph, algorithm)
    assert choice.strategy in choice.sentence and choice.frontier is None
    assert choice.reason in ("predicted", "kept", "first", "substituted")


@pytest.mark.parametrize("device", DEVICES)
def test_a_choice_for_each_level(device):
    roads = {"from": ["a", "b", "c"], "to": ["b", "c", "d"]}
    graph = eq.Graph.from_pandas(roads, "from", "to").to(device)
    assert [choice.frontier for choice in eq.explain(graph, "bfs", "b")] == [1, 2, 1]
    assert [choice.frontier for choice in eq.explain(graph, "bfs")] == [1, 1, 1, 1]


def test_what_cannot_be_explained_is_refused():
    graph = eq.generate("path:n=3")
    with pytest.raises(ValueError, match="known are: `bfs`"):
        eq.explain(graph, "bsf")
    with pytest.raises(ValueError, match="spmv"):
        eq.explain(graph, "spmv")
    with pytest.raises(ValueError, match="no model for `sssp` on a cpu"):
        eq.explain(graph, "sssp")
    with pytest.raises(IndexError):
        eq.explain(graph, "bfs", 3)
