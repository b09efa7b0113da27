#!/usr/bin/env python3
"""Prints the licences of all crates that the program for a target is built of: they ask to be handed out with it.

    release/licences.py TARGET > licences.txt
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def main(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.check_output(command))
    packages = {package["id"]: package for package in metadata["packages"]}
    inside = set(metadata["workspace_members"])
    others = [packages[id] for id in linked(metadata) if id not in inside]
    for package in sorted(others, key=lambda package: (package["name"], package["version"])):
        print_licences(package)


def linked(metadata):
    """The ids of the packages in the program: neither tests nor builds need to be told of."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    waiting = [id for id in metadata["workspace_members"] if names[id] == "equipoise-cli"]
    found = set()
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            waiting += [d["pkg"] for d in nodes[id]["deps"] if any(kind["kind"] is None for kind in d["dep_kinds"])]
    return found


def print_licences(package):
    print(f"{'=' * 100}\n{package['name']} {package['version']}: {package['license']}")
    if package["authors"]:
        print(f"by {', '.join(package['authors'])}")
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name.upper().startswith(NAMES))
    for file in files:
        print(f"{'-' * 100}\n{file.read_text(encoding='utf-8', errors='replace').strip()}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding="utf-8")
    main(sys.argv[1])
