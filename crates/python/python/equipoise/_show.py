"""The display of a graph in a notebook."""

import html

import numpy as np

_WIDTH, _HEIGHT, _GAP = 200, 48, 1


def degree_histogram(degrees: np.ndarray) -> str:
    """A histogram of degrees as SVG, with powers of two as classes.

    >>> degree_histogram(np.array([1, 1, 2])).count("<rect")
    3
    """
    classes = np.frexp(degrees.astype(np.float64))[1]
    counts = np.bincount(classes) if classes.size else np.zeros(1, dtype=np.int64)
    width = _WIDTH / len(counts)
    most = max(int(counts.max()), 1)
    bars = []
    for index, count in enumerate(counts):
        # Non-empty classes stay visible.
        height = 0.0 if count == 0 else max(_HEIGHT * float(count) / most, 1.0)
        bars.append(
            f'<rect x="{index * width:.1f}" y="{_HEIGHT - height:.1f}" width="{width - _GAP:.1f}" '
            f'height="{height:.1f}"><title>{_class_name(index)}: {count} vertices</title></rect>'
        )
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" fill="currentColor" '
        f'aria-label="degrees of vertices">{"".join(bars)}</svg>'
    )


def _class_name(index: int) -> str:
    if index < 2:
        return f"degree {index}"
    return f"degree {2 ** (index - 1)} to {2**index - 1}"


def graph_html(facts: dict[str, str], degrees: np.ndarray) -> str:
    """An HTML table of facts, with a histogram of the degrees.

    >>> graph_html({"vertices": "<3>"}, np.array([1])).startswith("<table><tr><th>vertices</th><td>&lt;3&gt;")
    True
    """
    rows = [f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in facts.items()]
    rows.append(f"<tr><th>degrees</th><td>{degree_histogram(degrees)}</td></tr>")
    return f"<table>{''.join(rows)}</table>"
