"""The items that a reader yields: accounts of hands, facts about tables, rejects. Nothing here is stored or named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ledger.decoders import decode_json
from ledger.event import Event
from ledger.hand.ending import CorrectionMade
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis

CorrectionReader: TypeAlias = Callable[[Sequence[Event], Any], list[HandEvent]]
"""Reads the events that come with a correction, given the events before it and the ledger's people. Raises
`UnreadableHandError`.
"""


@dataclass(slots=True)
class Account:
    """A hand as one source records it.

    `events[0]` is its `HandOpened`. `start` and `length` are bytes of the original source. `places` holds start,
    length, start, length, ... for the events, counted from `start`; length 0 means that the event has no bytes of its
    own. `inferred` holds the indexes of events that the reader inferred. `times` has the time of an event by its index.
    """

    events: list[HandEvent]
    places: list[int]
    start: int
    length: int
    inferred: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)
    encoded: bytes | None = None  # the events as stored, if the reader has encoded them

    @property
    def opened(self) -> HandOpened:
        """The event that identifies the hand."""
        first = self.events[0]
        assert isinstance(first, HandOpened)  # noqa: S101 - every reader ensures it
        return first


@dataclass(slots=True)
class TableAccount:
    """Facts about a table between hands, from one source. Places as in `Account`."""

    venue: str
    table: str
    events: list[TableEvent]
    places: list[int]
    start: int
    length: int
    tournament: str = ""
    inferred: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)


@dataclass(slots=True)
class Amendment:
    """Corrections of a hand that is already in the ledger and not in this source.

    Each correction has a reader for the events that come with it, since a line depends on the events before it.
    """

    opened: HandOpened
    corrections: list[tuple[CorrectionMade, CorrectionReader]]
    start: int
    length: int
    line: int = 0


@dataclass(slots=True)
class SectionAccount:
    """Facts of a case (`kind` "case", `name` is its number) or of the house ("house"). Places as in `Account`."""

    kind: str
    name: str
    events: list[Event]
    places: list[int]
    start: int
    length: int
    inferred: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)


class Problem(NamedTuple):
    """A line that can't be read, and how to write it. The texts may contain player text: hostile."""

    line: int  # 1 = first line of the source
    column: int  # 1 = first character; 0 = the entire line
    reason: str
    write: str = ""  # the nearest line that can be read
    form: str = ""  # what such a line looks like
    hint: str = ""


@dataclass(slots=True)
class Reject:
    """A span of a source that can't be read as a hand, and why."""

    start: int
    length: int
    line: int  # 1 = first line of the source
    code: str  # stable: "cut-off", "no-header", "amount", "not-a-hand", ...
    reason: str  # a sentence for people; may hold player text: hostile
    hint: str = ""
    problems: tuple[Problem, ...] = ()  # all wrong lines, if the reader lists them


def write_detail(reject: Reject) -> str:
    """Return the text that the ledger stores for a rejected span: reason, hint, and each wrong line."""
    reason_and_hint = f"{reject.reason}\n{reject.hint}"
    if not reject.problems:
        return reason_and_hint
    return f"{reason_and_hint}\n{msgspec.json.encode(reject.problems).decode()}"


def read_detail(detail: str) -> tuple[str, str, tuple[Problem, ...]]:
    """Split the stored text of a rejected span into reason, hint and wrong lines."""
    reason_and_hint, _, last_line = detail.rpartition("\n")
    if last_line.startswith("[[") and "\n" in reason_and_hint:
        try:
            problems = decode_json(last_line, tuple[Problem, ...])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return reason_and_hint, last_line, ()
        reason, _, hint = reason_and_hint.rpartition("\n")
        return reason, hint, problems
    return reason_and_hint, last_line, ()
