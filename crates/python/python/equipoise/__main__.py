"""The program `equipoise`: `equipoise bfs graph.csv`, or `python -m equipoise bfs graph.csv`."""

import sys
from typing import NoReturn

from equipoise import _native
from equipoise._devices import quiet_drivers


def main() -> NoReturn:
    """Runs the program with the arguments of this process, and ends the process with its exit code."""
    quiet_drivers()
    launcher = [sys.executable, "-m", "equipoise"] if sys.executable else []
    sys.exit(_native.program(["equipoise", *sys.argv[1:]], launcher))


if __name__ == "__main__":
    main()
