"""`handledger correct TABLE@EVENT`: replace, remove or add a fact between hands, such as a count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.documents.command_documents import CorrectTableDocument
from ledger import safe
from ledger.entry import NO_ORIGIN, Entry, Provenance
from ledger.errors import AddressError, NothingFoundError
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from projections.addresses import hand_address
from projections.addresses.address_grammar import split_event
from projections.addresses.hand_moments import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.vocabulary import Role
    from projections.reports.event_text import EventDescriber
    from projections.reports.hand_documents import EventDocument


class TableFactAddress(NamedTuple):
    """A table, and the number of an event in its stream."""

    table_key: TableKey
    name: str  # as it was typed
    version: int


class StatedCorrection(NamedTuple):
    """A correction as typed."""

    lines: tuple[str, ...]
    role: Role
    person: str
    reason: str
    is_insertion: bool
    is_dry_run: bool


def find_table_fact(ledger: Ledger, address: str) -> TableFactAddress | None:
    """Return the table's event at an address such as `T7@31`; None if it's the address of a hand, or unknown."""
    name, moment = split_event(address)
    version = parse_number(moment)
    if version is None or hand_address.is_hand(ledger, name):
        return None
    table_key = _find_table_key(ledger, name)
    return None if table_key is None else TableFactAddress(table_key, name, version)


def _find_table_key(ledger: Ledger, name: str) -> TableKey | None:
    """Return the key of a table, or of the own stream of a tournament."""
    try:
        table_row = hand_address.find_table_or_none(ledger, name)
    except (AddressError, NothingFoundError):
        return None
    if table_row is not None:
        return TableKey(table_row.venue, table_row.tournament, table_row.table)
    tournaments = {TableKey(row.venue, row.tournament, "") for row in ledger.tables() if row.tournament == name}
    return tournaments.pop() if len(tournaments) == 1 else None


def correct_table_fact(ledger: Ledger, address: TableFactAddress, stated: StatedCorrection) -> CorrectTableDocument:
    """Correct a fact of a table, or in a dry run only plan it; return the correction."""
    from ledger.recording.fact_correction import CorrectionAuthor, append_fact_correction, plan_fact_correction
    from projections.cases.case_people import resolve_person

    key, version = address.table_key, address.version
    person = resolve_person(ledger, stated.person, key.venue, [])[0]
    author = CorrectionAuthor(stated.role, person, ledger.people.text(stated.reason))
    plan = plan_fact_correction(ledger, key, version, stated.lines, author, is_insertion=stated.is_insertion)
    entries = ledger.entries(table_stream(*key))
    recorded = Provenance(ledger.now(), writer="correct")
    if not stated.is_dry_run:
        append_fact_correction(ledger, key, plan, recorded)
    describer = _make_describer(ledger, entries)
    new_events: list[Event] = [plan.correction, *plan.events]
    return CorrectTableDocument(
        venue=key.venue,
        tournament=key.tournament,
        table=key.table,
        address=f"{address.name}@{version}",
        was=next(describer.describe(entry.event) for entry in entries if entry.version == version),
        voids=list(plan.correction.voids),
        events=_describe_events(entries, new_events, recorded, describer),
        dry_run=stated.is_dry_run,
    )


def _make_describer(ledger: Ledger, entries: Sequence[Entry]) -> EventDescriber:
    """Return a describer that knows the table's unit and players."""
    from ledger.table.fold import fold
    from projections.reports.event_text import EventDescriber

    table, describer = fold(entries), EventDescriber(ledger.people)
    describer.money.unit, describer.money.exponent = table.unit, table.exponent
    describer.players.update({seat: seat_state.player for seat, seat_state in table.seats.items()})
    return describer


def _describe_events(
    entries: Sequence[Entry], events: Sequence[Event], recorded: Provenance, describer: EventDescriber
) -> list[EventDocument]:
    """Return the events of a correction, numbered from the end of the table's stream."""
    from projections.reports.states import build_event

    stream, last_version = entries[0].stream, entries[-1].version
    return [
        build_event(Entry(stream, last_version + number, 0, event, NO_ORIGIN, recorded), describer, None, 0)
        for number, event in enumerate(events, 1)
    ]


def format_table_correction(document: CorrectTableDocument) -> str:
    """Return a correction of a table for people."""
    table = safe.terminal(document.address.rpartition("@")[0], 80)
    if document.dry_run:
        headline = f"Table {table} would be corrected. Nothing was written."
    else:
        headline = f"Table {table} is corrected. The old event stays in the record."
    was = [f"  event {document.voids[0]} was: {document.was}"] if document.voids else []
    return "\n".join(
        [headline, *was, *(f"  event {new_event.version}: {new_event.told}" for new_event in document.events)]
    )
