"""How far a long call is, shown and not shown."""

import sys
import types

import equipoise as eq
from equipoise._progress import groups


class Bar:
    """Stands for tqdm's."""

    updates: list[int] = []

    def __init__(self, total: int) -> None:
        Bar.updates = [total]

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def update(self, count: int) -> None:
        Bar.updates.append(count)


def test_every_item_is_in_one_group():
    assert list(groups(list(range(7)), 3, False)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(groups([], 3, True)) == []


def test_searches_are_told_of_without_tqdm(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    graph = eq.generate("path:n=70")
    found = graph.bfs_many(range(70), progress=True)
    assert [search.depth for search in found[:2]] == [69, 68] and len(found) == 70
    assert capsys.readouterr().err == "\r32 of 70\r64 of 70\r70 of 70\n"


def test_searches_are_told_of_by_tqdm(monkeypatch, capsys):
    module = types.ModuleType("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    assert len(eq.generate("path:n=40").bfs_many(range(40), progress=True)) == 40
    assert Bar.updates == [40, 32, 8]
    assert capsys.readouterr().err == ""
