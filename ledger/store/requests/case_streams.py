"""The cases of a ledger: found, opened, added to. Who adds decides upon what is there at that moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger.case.events import CaseOpened
from ledger.case.fold import fold
from ledger.case.rules import added
from ledger.case.state import CaseState
from ledger.entry import Entry, Recorded
from ledger.errors import CaseError, ConflictError, NothingFoundError
from ledger.event import Event
from ledger.store.log.log_reader import entries
from ledger.streams import case_stream

if TYPE_CHECKING:
    from ledger.store.ledger import Ledger

_TRIES: Final = 20
"""How often an addition is decided anew when others were first. Each time one of them got through."""


class Case(NamedTuple):
    """A case with its events, each in its place."""

    number: str
    entries: list[Entry]
    state: CaseState

    @property
    def events(self) -> list[Event]:
        """Its events, corrections among them."""
        return [entry.event for entry in self.entries]

    @property
    def at(self) -> int:
        """When it was opened: when that happened if it is told, else when it was recorded."""
        first = self.entries[0]
        return first.mark.at if first.mark.at is not None else first.recorded.at


def cases(ledger: Ledger) -> Iterator[Case]:
    """Yield every case, in the order in which they were opened."""
    found: dict[UUID, list[Entry]] = {}
    for commit in ledger.commits(kind="case"):
        found.setdefault(commit.stream, []).extend(entries(commit, ledger.mapper))
    for told in found.values():
        state = fold(entry.event for entry in told)
        yield Case(state.opening.number if state.opening else "", told, state)


def find(ledger: Ledger, number: str) -> Case:
    """Return the case of that number; `NothingFoundError` if there is none."""
    told = ledger.entries(case_stream(number))
    if not told:
        raise NothingFoundError(f"no case {number!r} in this ledger", "handledger case list shows all.")
    return Case(number, told, fold(entry.event for entry in told))


def open_case(ledger: Ledger, opening: CaseOpened, more: Sequence[Event], number: str = "") -> Case:
    """Open a case, with what is known at once, under `number` or the next free one of this year.

    `CaseError` if the number is taken.
    """
    for _ in range(_TRIES):
        taken = number or _next(ledger)
        stream = case_stream(taken)
        new = [msgspec.structs.replace(opening, number=taken), *more]
        added(ledger.events(stream), new)
        try:
            ledger.append("case", stream, new, version=1, recorded=Recorded(ledger.now(), by="case"))
        except ConflictError:
            continue  # somebody opened one at the same moment: the next number, or an error
        return find(ledger, taken)
    raise _crowded(number or "a new one")


def add(ledger: Ledger, number: str, decide: Callable[[Case], Sequence[Event]]) -> Case:
    """Add to a case what `decide` says in view of it; return the case as it stands then.

    If another program was first, the case is read again and `decide` asked again: nothing is ever
    added to a case that had just been closed. `CaseError` if it contradicts what is there.
    """
    for _ in range(_TRIES):
        case = find(ledger, number)
        new = decide(case)
        added(case.events, new)
        try:
            ledger.append(
                "case",
                case_stream(number),
                new,
                version=len(case.entries) + 1,
                recorded=Recorded(ledger.now(), by="case"),
            )
        except ConflictError:
            continue
        return find(ledger, number)
    raise _crowded(number)


_OURS: Final = re.compile(r"([0-9]{4})-([0-9]{1,9})")


def _next(ledger: Ledger) -> str:
    """Return the number behind the highest of this year: `2026-7`."""
    year = f"{datetime.fromtimestamp(ledger.now() / 1000, UTC):%Y}"
    numbers = [found for case in cases(ledger) if (found := _OURS.fullmatch(case.number))]
    run = [int(found[2]) for found in numbers if found[1] == year]
    return f"{year}-{max(run, default=0) + 1}"


def _crowded(number: str) -> CaseError:
    return CaseError(
        f"other programs write to case {number!r} without a pause: this was not added",
        "Nothing was written. Look at the case and say it again: handledger case show.",
    )
