"""Find the devices that may record, from the house's stream: their scope, their rights, and the digest of their key."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from ledger.entry import Entry
from ledger.house.events import DeviceEnrolled, DeviceRetired

ENROLMENTS: Final = (DeviceEnrolled, DeviceRetired)
"""The house's events about devices."""


def list_enrolled_devices(
    entries: Iterable[Entry], earlier: Mapping[str, DeviceEnrolled] | None = None
) -> dict[str, DeviceEnrolled]:
    """Return the devices that may record or ask now, by name. `earlier`: those before these entries."""
    devices = dict(earlier or {})
    for event in (entry.event for entry in entries):
        if isinstance(event, DeviceEnrolled):
            devices[event.device] = event
        elif isinstance(event, DeviceRetired):
            devices.pop(event.device, None)
    return devices


def digest_of(key: str) -> str:
    """Return the stored digest of a device's key: its SHA-256, hex."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def find_device(devices: Iterable[DeviceEnrolled], key: str) -> DeviceEnrolled | None:
    """Return the device with this key, or None, in constant time."""
    key_digest, match = digest_of(key), None
    for device in devices:
        if hmac.compare_digest(device.digest, key_digest):
            match = device
    return match


def may_use_table(device: DeviceEnrolled, venue: str, table: str) -> bool:
    """Whether a device may record or ask at a table."""
    return device.venue in ("", venue) and device.table in ("", table)


def may_append(device: DeviceEnrolled, kind: str) -> bool:
    """Whether a device may append events of a kind of stream: "hand" or "table"."""
    return device.may in ("all", kind)
