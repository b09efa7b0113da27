"""The program that comes with the package."""

import pathlib
import subprocess
import sys
import tomllib

PROJECT = pathlib.Path(__file__).parents[1] / "pyproject.toml"


def program(*arguments: str, folder: pathlib.Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "equipoise", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)


def test_it_answers_in_the_names_of_a_file(tmp_path):
    (tmp_path / "roads.csv").write_text("from,to,km\nUlm,Bonn,431\nBonn,Kiel,502\n")
    ended = program("sssp", "roads.csv", "--source", "Ulm", "--target", "Kiel", "--device", "cpu", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "933" in ended.stdout and "Kiel" in ended.stdout


def test_it_fails_as_the_program_does():
    ended = program("bfss", "path:n=3")
    assert ended.returncode == 2
    assert ended.stderr.startswith("error:") and "bfs" in ended.stderr
    assert "Traceback" not in ended.stderr
    missing = program("info", "no-such-file.csv")
    assert (missing.returncode, missing.stdout) == (1, "") and "no-such-file.csv" in missing.stderr


def test_it_starts_itself_again(tmp_path):
    (tmp_path / "suite.txt").write_text("tiny paths path:n=20,weights=1..9\n")
    ended = program("headline", "suite.txt", "--device", "cpu", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert all(algorithm in ended.stdout for algorithm in ("bfs", "sssp", "color", "spmv"))


def test_it_is_installed_under_its_name():
    scripts = tomllib.loads(PROJECT.read_text())["project"]["scripts"]
    assert scripts == {"equipoise": "equipoise.__main__:main"}
    from equipoise.__main__ import main

    assert callable(main)
