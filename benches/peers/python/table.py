"""Measurements as text and as JSON."""

import dataclasses
import json

from libraries import LIBRARIES
from measure import Cell, Row

OURS = "Equipoise"


def text(rows: list[Row], algorithms: list[str], missing: dict[str, str]) -> str:
    """Milliseconds, then how many times as fast Equipoise is, then all that a reader has to know about them."""
    head = ["", "build", *algorithms]
    times = [[f"{row.name} {row.version}".strip(), *map(_milliseconds, _cells(row, algorithms))] for row in rows]
    parts = ["Milliseconds: algorithm + result to Python", _aligned([head, *times])]
    ours = next((row for row in rows if row.name == OURS), None)
    if ours is not None and len(rows) > 1:
        ratios = [
            [row.name, *map(_ratio, _cells(row, algorithms), _cells(ours, algorithms))] for row in rows if row is not ours
        ]
        title = f"Time (algorithm and result) divided by {OURS}'s: above 1, {OURS} is faster"
        parts += ["", title, _aligned([head, *ratios])]
    return "\n".join([*parts, "", *_footer(rows, algorithms, missing)])


def _cells(row: Row, algorithms: list[str]) -> list[Cell | None]:
    return [row.build, *(row.cells.get(algorithm) for algorithm in algorithms)]


def _milliseconds(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    if cell.problem is not None:
        return cell.problem.split(":")[0].upper()
    parts = [f"{1000 * seconds:,.1f}" for seconds in (cell.algorithm, cell.result) if seconds is not None]
    return " + ".join(parts) + ("*" if cell.once else "") + ("" if cell.compared else "~")


def _ratio(cell: Cell | None, ours: Cell | None) -> str:
    if cell is None or ours is None or cell.total is None or not ours.total:
        return "-"
    return f"{cell.total / ours.total:,.2f}"


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]).rstrip()
        for line in lines
    )


def _footer(rows: list[Row], algorithms: list[str], missing: dict[str, str]) -> list[str]:
    lines = []
    cells = [(row, name, cell) for row in rows for name, cell in [("build", row.build), *row.cells.items()]]
    if any(cell.once for _, _, cell in cells):
        lines.append("* one turn, as it takes so long")
    for row, algorithm, cell in cells:
        if not cell.compared:
            lines.append(f"~ {row.name}, {algorithm}: not compared, as {LIBRARIES[row.name].not_compared[algorithm]}")
        if cell.problem is not None:
            lines.append(f"{row.name}, {algorithm}: {cell.problem}")
    for row in rows:
        lacks = [algorithm for algorithm in algorithms if not hasattr(LIBRARIES[row.name], algorithm)]
        if lacks:
            lines.append(f"- {row.name} has no {', '.join(lacks)} that could be asked the same")
    lines += [f"{name} is not in the table: {reason}" for name, reason in missing.items()]
    return lines


def as_json(rows: list[Row], about: dict[str, object], missing: dict[str, str]) -> str:
    """All of it, in seconds."""
    libraries = [dataclasses.asdict(row) for row in rows]
    return json.dumps({**about, "libraries": libraries, "missing": missing}, indent=1) + "\n"
