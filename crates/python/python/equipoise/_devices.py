"""What algorithms can run on."""

import json
import os
import tempfile
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
    """What ``Graph.to`` takes."""
    model: str
    """The make, as the device reports it."""
    software: bool
    """Whether the processor does a GPU's work; ``auto`` does not choose such a device."""
    memory: int | None
    """The bytes of memory it has, where known."""
    problem: str | None
    """Why it cannot be used, and what to do about it."""


def quiet_drivers() -> None:
    """Mesa's Vulkan drivers print an error where this variable is missing, though only windows need it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())


def devices() -> list[DeviceInfo]:
    """The devices of this machine, the cpu first, and those that cannot be used with the reason.

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
