"""Find, open and extend the cases of a ledger. An addition is decided on the case's current state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger.case import case_errors
from ledger.case.events import CaseOpened
from ledger.case.fold import fold_case
from ledger.case.rules import add_events
from ledger.case.state import CaseState
from ledger.entry import Entry, Provenance
from ledger.errors import CaseError, ConflictError
from ledger.event import Event
from ledger.store.log.log_reader import entries
from ledger.streams import case_stream

if TYPE_CHECKING:
    from ledger.store.ledger import Ledger

_MAX_TRIES: Final = 20
"""How often an addition is tried again after a conflict. Each conflict means that another one succeeded."""


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
        """When the case was opened, if recorded; else when it was entered."""
        first = self.entries[0]
        return first.mark.time if first.mark.time is not None else first.recorded.time


def all_cases(ledger: Ledger) -> Iterator[Case]:
    """Yield every case, in the order of opening."""
    entries_by_stream: dict[UUID, list[Entry]] = {}
    for commit in ledger.commits(kind="case"):
        entries_by_stream.setdefault(commit.stream, []).extend(entries(commit, ledger.mapper))
    for case_entries in entries_by_stream.values():
        state = fold_case(entry.event for entry in case_entries)
        yield Case(state.opening.number if state.opening else "", case_entries, state)


def find_case(ledger: Ledger, number: str) -> Case:
    """Return the case of this number; `NothingFoundError` if there is none."""
    case_entries = ledger.entries(case_stream(number))
    if not case_entries:
        raise case_errors.unknown_case(number)
    return Case(number, case_entries, fold_case(entry.event for entry in case_entries))


def open_case(ledger: Ledger, opening: CaseOpened, added_events: Sequence[Event], number: str = "") -> Case:
    """Open a case with its first events, under `number` or the next free one of this year.

    `CaseError` if the number is taken.
    """
    for _ in range(_MAX_TRIES):
        case_number = number or _find_next_number(ledger)
        stream = case_stream(case_number)
        new_events = [msgspec.structs.replace(opening, number=case_number), *added_events]
        add_events(ledger.events(stream), new_events)
        try:
            ledger.append("case", stream, new_events, version=1, recorded=Provenance(ledger.now(), writer="case"))
        except ConflictError:
            continue  # another case was opened at the same moment: take the next number, or fail
        return find_case(ledger, case_number)
    raise _build_crowded_error(number or "a new one")


def add_to_case(ledger: Ledger, number: str, decide: Callable[[Case], Sequence[Event]]) -> Case:
    """Add the events that `decide` returns for the case's state; return the new state.

    After a conflict, the case is read and `decide` called again: nothing is ever added to a case that was
    just closed. Raises `CaseError` if the events contradict the case.
    """
    for _ in range(_MAX_TRIES):
        case = find_case(ledger, number)
        new_events = decide(case)
        add_events(case.events, new_events)
        try:
            ledger.append(
                "case",
                case_stream(number),
                new_events,
                version=len(case.entries) + 1,
                recorded=Provenance(ledger.now(), writer="case"),
            )
        except ConflictError:
            continue
        return find_case(ledger, number)
    raise _build_crowded_error(number)


_CASE_NUMBER: Final = re.compile(r"([0-9]{4})-([0-9]{1,9})")


def _find_next_number(ledger: Ledger) -> str:
    """Return the number after the highest of this year: `2026-7`."""
    year = f"{datetime.fromtimestamp(ledger.now() / 1000, UTC):%Y}"
    numbers = [match for case in all_cases(ledger) if (match := _CASE_NUMBER.fullmatch(case.number))]
    this_year = [int(match[2]) for match in numbers if match[1] == year]
    return f"{year}-{max(this_year, default=0) + 1}"


def _build_crowded_error(number: str) -> CaseError:
    return case_errors.too_many_writers(number)
