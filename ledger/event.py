"""What every event is: a small frozen struct of plain values, stored as a tagged array.

`StraddlePosted(seat=4, amount=2000)` is stored as `["StraddlePosted",4,2000,...]`. The tag is the
class name. A released event changes only by new fields at its end, each with a default; any other
change is a new class (`StraddlePosted2`) and an upcaster beside the old one.
"""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=True):
    """Something that was done at a table, in a case or in the house."""

    STREAM: ClassVar[str] = ""
    VERSION: ClassVar[int] = 1


def topic(kind: type[Event]) -> str:
    """Return the published name of an event type: `hand.straddle-posted`."""
    name = kind.__name__.rstrip("0123456789")
    return f"{kind.STREAM}." + re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def words(kind: type[Event]) -> str:
    """Return an event type in words, for people: `runs offered`."""
    return topic(kind).partition(".")[2].replace("-", " ")
