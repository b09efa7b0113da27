"""Columns of tables: pandas, polars, Arrow, or a dict."""

import sys
from collections.abc import Hashable
from typing import Any

import numpy as np


def column(table: Any, name: Hashable) -> Any:
    """A column by name. The error for an unknown name lists the known ones.

    >>> column({"from": [1], "to": [2]}, "form")
    Traceback (most recent call last):
    KeyError: "there is no column 'form': expected one of 'from', 'to'"
    """
    try:
        return table[name]
    except KeyError:
        # Arrow tables list their columns in another attribute.
        known = ", ".join(repr(known) for known in getattr(table, "column_names", table))
        raise KeyError(f"there is no column {name!r}: expected one of {known}") from None


def numbered(source: Any, target: Any) -> tuple[np.ndarray, list[Hashable]]:
    """The concatenated values of both columns as codes from 0 on, −1 for missing ones; and the value of each code.

    >>> numbered(["Ulm", "Bonn"], ["Bonn", None])
    (array([ 0,  1,  1, -1]), ['Ulm', 'Bonn'])
    >>> numbered(["Ulm", "Bonn"], ["Bonn"])
    Traceback (most recent call last):
    ValueError: the columns of an edge's ends have 2 and 1 rows
    """
    if len(source) != len(target):
        raise ValueError(f"the columns of an edge's ends have {len(source)} and {len(target)} rows")
    pandas = sys.modules.get("pandas")
    if pandas is not None and all(isinstance(column, pandas.Series) for column in (source, target)):
        if source.dtype != target.dtype:
            # Concatenating different types could convert whole numbers to floating-point numbers, which rounds them.
            source, target = source.astype(object), target.astype(object)
        codes, names = pandas.factorize(pandas.concat([source, target], ignore_index=True))
        return codes, list(names)
    code_of: dict[Hashable, int] = {}
    codes = np.array(
        [
            # Only NaN differs from itself.
            -1 if value is None or value != value else code_of.setdefault(value, len(code_of))
            for values in (source, target)
            for value in _values(values)
        ],
        dtype=np.int64,
    )
    return codes, list(code_of)


def _values(column: Any) -> list[Any]:
    """The values of a column; masked ones are ``None``."""
    if np.ma.isMaskedArray(column):
        return column.tolist()
    return np.asarray(column, dtype=object).tolist()
