"""What a reader hands over: accounts of hands, facts about tables, rejects. No storage, no names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ledger.event import Event
from ledger.hand.ending import CorrectionMade
from ledger.hand.events import HandEvent
from ledger.hand.opening import HandOpened
from ledger.table.events import TableEvent
from ledger.vocabulary import Millis

CorrectionReader: TypeAlias = Callable[[Sequence[Event], Any], list[HandEvent]]
"""Reads the events of a correction behind the events before them, with the ledger's people; `UnreadableHandError` if it cannot."""


@dataclass(slots=True)
class Account:
    """What one source tells of one hand.

    `events[0]` is its `HandOpened`. `start` and `length` are bytes of the original source;
    `places` holds start, length, start, length, ... for the events, counted from `start`
    (length 0 = no place of its own). `inferred` holds indexes of events that the source does not
    say and the reader inferred. `times` gives the time of the events at these indexes.
    """

    events: list[HandEvent]
    places: list[int]
    start: int
    length: int
    inferred: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)
    encoded: bytes | None = None  # the events as stored, if the reader already has them

    @property
    def opened(self) -> HandOpened:
        """The event that says which hand this is."""
        first = self.events[0]
        assert isinstance(first, HandOpened)  # noqa: S101 - every reader's first duty
        return first


@dataclass(slots=True)
class TableAccount:
    """Facts that a source tells about a table between hands. Places as in `Account`."""

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
    """Corrections of a hand that the source does not tell: the ledger is to hold it.

    Each correction stands with how the events that come with it are read, given those before them:
    what a line leaves unsaid follows from the hand.
    """

    opened: HandOpened
    corrections: list[tuple[CorrectionMade, CorrectionReader]]
    start: int
    length: int
    line: int = 0


@dataclass(slots=True)
class SectionAccount:
    """Facts of a case (`kind` "case", `name` its number) or of the house ("house"). Places as in `Account`."""

    kind: str
    name: str
    events: list[Event]
    places: list[int]
    start: int
    length: int
    inferred: list[int] = field(default_factory=list)
    times: dict[int, Millis] = field(default_factory=dict)


class Problem(NamedTuple):
    """A line that cannot be read, and how it should be. The texts may hold player text: hostile."""

    line: int  # 1 = first line of the source
    column: int  # 1 = first character; 0 = the line as a whole
    reason: str
    write: str = ""  # the nearest line that can be read
    form: str = ""  # what such a line looks like
    hint: str = ""


@dataclass(slots=True)
class Reject:
    """A span of a source that is no hand anybody can read, and why."""

    start: int
    length: int
    line: int  # 1 = first line of the source
    code: str  # stable: "cut-off", "no-header", "amount", "not-a-hand", ...
    reason: str  # a sentence for people; may hold player text: hostile
    hint: str = ""
    problems: tuple[Problem, ...] = ()  # all that is wrong, where its reader knows more than the first


def write_detail(reject: Reject) -> str:
    """Return what the ledger keeps of why a span was rejected: reason, hint, and each wrong line."""
    reason_and_hint = f"{reject.reason}\n{reject.hint}"
    if not reject.problems:
        return reason_and_hint
    return f"{reason_and_hint}\n{msgspec.json.encode(reject.problems).decode()}"


def read_detail(detail: str) -> tuple[str, str, tuple[Problem, ...]]:
    """Return reason, hint and wrong lines of what the ledger keeps of a rejected span."""
    reason_and_hint, _, last_line = detail.rpartition("\n")
    if last_line.startswith("[[") and "\n" in reason_and_hint:
        try:
            problems = msgspec.json.decode(last_line, type=tuple[Problem, ...])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return reason_and_hint, last_line, ()
        reason, _, hint = reason_and_hint.rpartition("\n")
        return reason, hint, problems
    return reason_and_hint, last_line, ()
