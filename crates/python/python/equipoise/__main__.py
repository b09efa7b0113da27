"""The program `equipoise`: `equipoise bfs graph.csv`, or `python -m equipoise bfs graph.csv`."""

import os
import sys
import tempfile
from typing import NoReturn


def main() -> NoReturn:
    """Runs the program with the arguments of this process, and ends the process with its exit code."""
    # Mesa's Vulkan drivers print an error where this variable is missing, though only windows need it.
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    from equipoise import _native

    sys.exit(_native.program(["equipoise", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
