"""NetworkX's own tests with the backend, and how many calls reached it.

``python own_tests.py networkx.algorithms`` runs all tests of algorithms, which takes several minutes.
"""

import os
import pathlib
import subprocess
import sys

import installed


def command(*arguments: str) -> tuple[list[str], dict[str, str]]:
    """What runs pytest with these arguments, and its environment."""
    path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(pathlib.Path(__file__).parent)])
    # Without the fallback, what the backend does not have would be expected to fail, and nothing be tested.
    backend = {"NETWORKX_TEST_BACKEND": "equipoise", "NETWORKX_FALLBACK_TO_NX": "True"}
    options = ["-q", "-p", "no:cacheprovider", "-p", "count_calls", *arguments]
    return [sys.executable, "-m", "pytest", *options], os.environ | backend | {"PYTHONPATH": path}


if __name__ == "__main__":
    installed.as_a_wheel_would_be()
    arguments, environment = command("--pyargs", *sys.argv[1:])
    sys.exit(subprocess.run(arguments, env=environment).returncode)
