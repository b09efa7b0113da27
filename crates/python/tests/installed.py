"""The entry points of the package, for a package that is imported from a folder and was not installed."""

import atexit
import importlib.metadata
import os
import pathlib
import shutil
import sys
import tempfile
import tomllib

PROJECT = pathlib.Path(__file__).parents[1] / "pyproject.toml"


def as_a_wheel_would_be() -> None:
    """Makes the entry points of ``pyproject.toml`` known to this process and to those that it starts."""
    if importlib.metadata.entry_points(group="networkx.backends", name="equipoise"):
        return
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    metadata = pathlib.Path(folder, "equipoise-0.dist-info")
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: equipoise\nVersion: 0\n")
    lines = []
    for group, points in tomllib.loads(PROJECT.read_text())["project"]["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    sys.path.append(folder)
    kept = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([kept, folder] if kept else [folder])
