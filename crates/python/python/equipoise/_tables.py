"""Columns of tables, whoever made them: pandas, polars, Arrow, or a dict."""

import sys
from collections.abc import Hashable
from typing import Any

import numpy as np


def column(table: Any, name: Hashable) -> Any:
    """A column by its name. An unknown one is answered with those there are.

    >>> column({"from": [1], "to": [2]}, "form")
    Traceback (most recent call last):
    KeyError: "there is no column 'form': expected one of 'from', 'to'"
    """
    try:
        return table[name]
    except KeyError:
        # A table of Arrow lists its columns elsewhere.
        known = ", ".join(repr(known) for known in getattr(table, "column_names", table))
        raise KeyError(f"there is no column {name!r}: expected one of {known}") from None


def numbered(source: Any, target: Any) -> tuple[np.ndarray, list[Hashable]]:
    """The values of both columns, one after the other, as numbers from 0 on, −1 where one is missing; and what each
    number stands for.

    >>> numbered(["Ulm", "Bonn"], ["Bonn", None])
    (array([ 0,  1,  1, -1]), ['Ulm', 'Bonn'])
    """
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(source, pandas.Series):
        codes, names = pandas.factorize(pandas.concat([source, target], ignore_index=True))
        return codes, list(names)
    places: dict[Hashable, int] = {}
    codes = np.array(
        [
            # Nothing but a number that is none differs from itself.
            -1 if value is None or value != value else places.setdefault(value, len(places))
            for values in (source, target)
            for value in np.asarray(values, dtype=object).tolist()
        ],
        dtype=np.int64,
    )
    return codes, list(places)
