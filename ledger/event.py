"""The base class of events: small frozen structs of plain values, stored as tagged arrays.

`StraddlePosted(seat=4, amount=2000)` is stored as `["StraddlePosted",4,2000,...]`. The tag is the class name. A
released event changes only by new fields at its end, each with a default. Any other change is a new class
(`StraddlePosted2`) with an upcaster from the old one.
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


def describe_event_type(kind: type[Event]) -> str:
    """Return the name of an event type as words: `runs offered`."""
    return topic(kind).partition(".")[2].replace("-", " ")
