"""A plugin of pytest: how many calls reach the backend, in the last line of what is printed."""

import functools

from equipoise.networkx.interface import BackendInterface
from equipoise.networkx.registry import FUNCTIONS

calls = dict.fromkeys(FUNCTIONS, 0)


def _counted(name):
    call = getattr(BackendInterface, name)

    @functools.wraps(call)
    def wrapper(*args, **kwargs):
        # A call that is declined raises, and is NetworkX's.
        answer = call(*args, **kwargs)
        calls[name] += 1
        return answer

    return staticmethod(wrapper)


for _name in FUNCTIONS:
    setattr(BackendInterface, _name, _counted(_name))


def pytest_unconfigure(config):
    print("\ncalls", *(f"{name}={count}" for name, count in sorted(calls.items())))
