"""Phrases that several modules use: names of blinds, sums, and lists of readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BLINDS: Final = {"small": "small blind", "big": "big blind", "extra": "third blind"}


def blind_name(role: str) -> str:
    """Return what a blind is called at the table."""
    return _BLINDS.get(role, f"{role} blind")


def live_and_dead(live: str, dead: str) -> str:
    """Return a sum with its dead part; `dead` is empty if all of it is live."""
    return f"{live} live and {dead} dead" if dead else f"{live} live"


def alternatives(readings: Sequence[str], doubtful_readings: Sequence[str]) -> str:
    """Join what is right by each reading of a rule, with the doubtful readings last."""
    if not readings:
        return "; or ".join(doubtful_readings)
    return "; or, on another reading of the rule, ".join(["; or ".join(readings), *doubtful_readings])


def count_of(count: int, unit: str) -> str:
    """Return a number with its noun."""
    return f"{count} {unit}{'s' * (count != 1)}"
