"""The devices that algorithms run on."""

import json
import os
from typing import NamedTuple

from . import _native


class DeviceInfo(NamedTuple):
    """A device.

    >>> import equipoise as eq
    >>> cpu = eq.devices()[0]
    >>> cpu.name, cpu.problem
    ('cpu', None)
    """

    name: str
    """The name for ``Graph.to``."""
    model: str
    """The model, as the device reports it."""
    software: bool
    """Whether it is a GPU simulated on the cpu; ``auto`` does not choose such a device."""
    memory: int | None
    """The size of its memory in bytes, if known."""
    problem: str | None
    """Why it cannot be used, with advice; ``None`` if it can."""


def quiet_drivers() -> None:
    """Suppresses an error message of Mesa's Vulkan drivers, printed if a variable is missing that only windows need.

    It is set to a path that no one can write to.
    """
    os.environ.setdefault("XDG_RUNTIME_DIR", os.devnull)


def devices() -> list[DeviceInfo]:
    """The devices of this machine, the cpu first; those that cannot be used have the reason.

    >>> import equipoise as eq
    >>> eq.devices()[0].name
    'cpu'
    """
    quiet_drivers()
    known = DeviceInfo._fields
    return [
        DeviceInfo(**{field: device[field] for field in known})
        for device in json.loads(_native.devices())
    ]
