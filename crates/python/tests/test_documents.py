"""Examples in docstrings and in the guide are run."""

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import equipoise

MODULES = [
    module.name
    for module in pkgutil.walk_packages(equipoise.__path__, "equipoise.")
    if module.name != "equipoise._native"
]
REPOSITORY = next(
    parent for parent in pathlib.Path(__file__).parents if (parent / "docs/guide/src/python.md").exists()
)
GUIDE = REPOSITORY / "docs/guide/src/python.md"
README = REPOSITORY / "README.md"


def has_cuda() -> bool:
    return any(device.name.startswith("cuda") and device.problem is None for device in equipoise.devices())


@pytest.mark.parametrize("name", ["equipoise", "_equipoise_networkx", *MODULES])
def test_docstrings_are_right(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_everything_public_has_an_example():
    for name in equipoise.__all__:
        thing = getattr(equipoise, name)
        assert ">>>" in thing.__doc__ or issubclass(thing, Exception), name
        for method, function in vars(thing).items() if isinstance(thing, type) else ():
            if callable(function) and not method.startswith("_"):
                assert ">>>" in function.__doc__, f"{name}.{method}"


def blocks_of(document: pathlib.Path, language: str) -> list[str]:
    pattern = rf"^```{language}\n(.*?)^```"
    return re.findall(pattern, document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_readme_is_right(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flights.csv").write_text(blocks_of(README, "csv")[0])
    (example,) = blocks_of(README, "python")
    exec(example, {})
    assert capsys.readouterr().out == "['Berlin', 'Lisbon', 'New York']\n"


def assert_examples(page: pathlib.Path) -> None:
    blocks = blocks_of(page, "python")
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "guide", str(page), 0)
    assert len(test.examples) > 9 and doctest.DocTestRunner().run(test).failed == 0


def test_the_guide_is_right(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert_examples(GUIDE)


@pytest.mark.skipif(not has_cuda(), reason="no GPU with CUDA")
def test_the_page_of_gpu_arrays_is_right():
    pytest.importorskip("cupy")
    pytest.importorskip("torch")
    assert_examples(GUIDE.with_name("gpu-arrays.md"))
