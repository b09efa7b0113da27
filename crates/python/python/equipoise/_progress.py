"""How far a long call is."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def groups(items: Sequence[Item], at_once: int, shown: bool) -> Iterator[Sequence[Item]]:
    """So many of the items at a time. Where it is shown how far that is, by tqdm's bar if tqdm is installed, and
    otherwise by a line on standard error."""
    parts = [items[start : start + at_once] for start in range(0, len(items), at_once)]
    if not shown:
        yield from parts
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _told(parts, len(items))
        return
    with tqdm(total=len(items)) as bar:
        for part in parts:
            yield part
            bar.update(len(part))


def _told(parts: list[Sequence[Item]], count: int) -> Iterator[Sequence[Item]]:
    done = 0
    for part in parts:
        yield part
        done += len(part)
        print(f"\r{done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)
