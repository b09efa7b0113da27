"""Progress of long calls."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def groups(items: Sequence[Item], at_once: int, shown: bool) -> Iterator[Sequence[Item]]:
    """Yields groups of ``at_once`` items. If ``shown``, progress is displayed with tqdm if it is installed, and otherwise
    as a line on standard error."""
    parts = [items[start : start + at_once] for start in range(0, len(items), at_once)]
    if not shown:
        yield from parts
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _reported(parts, len(items))
        return
    with tqdm(total=len(items)) as bar:
        for part in parts:
            yield part
            bar.update(len(part))


def _reported(parts: list[Sequence[Item]], count: int) -> Iterator[Sequence[Item]]:
    done = 0
    for part in parts:
        yield part
        done += len(part)
        print(f"\r{done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)
