"""Report how an import changed the findings under the house's rulebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import typer

from cli.output import console
from ledger import safe
from ledger.errors import HandledgerError
from ledger.text.language import phrase, translatable
from projections.addresses.address_book import AddressBook
from projections.sentences.words import certainty_name, severity_name

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged
    from ledger.store import Ledger

_MAX_LINES: Final = 10
"""Tables, or findings, that a report names."""

_CHANGES: Final = {
    "found": translatable("found: {clause} ({severity}, {certainty}), {where}"),
    "gone": translatable("no longer found: {clause} ({severity}, {certainty}), {where}"),
    "other": translatable("found otherwise: {clause} ({severity}, {certainty}), {where}"),
}


def announce_new_findings(ledger: Ledger, jobs: int = 1) -> list[FindingChanged]:
    """Judge new hands under the house's books and return the changed findings; if they can't be judged, print why."""
    from projections.audit.house_audit import has_adopted_books

    if not has_adopted_books(ledger):
        return []
    from projections.tables import finding_events

    progress = console.ProgressLine()
    try:
        return finding_events.announce_new_findings(ledger, jobs=jobs, progress=progress.show_judged)
    except HandledgerError as error:  # the hands are stored; the next import judges them
        progress.clear()
        typer.echo(safe.lines(f"Not judged: {error.message}\n{error.hint}".rstrip()), err=True)
        return []
    finally:
        progress.clear()


def format_changes(changed: Sequence[FindingChanged]) -> Iterator[str]:
    """Yield a line for each table whose findings changed."""
    from projections.reports.finding_changes import count_changes

    tables = count_changes(changed)
    for table_changes in tables[:_MAX_LINES]:
        table_name = safe.terminal(table_changes.table, 60)
        change_counts = (
            (table_changes.found, "new"),
            (table_changes.gone, "no longer found"),
            (table_changes.other, "changed"),
        )
        change_text = ", ".join(
            f"{finding_count:,} {change_kind}" for finding_count, change_kind in change_counts if finding_count
        )
        yield f"Findings under {table_changes.book} {table_changes.edition} at table {table_name}: {change_text}."
    if len(tables) > _MAX_LINES:
        yield f"({len(tables) - _MAX_LINES:,} more tables; handledger audit has them all)"


def write_changes(ledger: Ledger, changed: Sequence[FindingChanged], clock_text: str) -> None:
    """Write a line for each finding that appeared, changed or disappeared."""
    book = AddressBook(ledger)
    for change in changed[:_MAX_LINES]:
        location = book.find_stream_address(change.hand, change.version) or phrase(
            "{table} hand {hand}", table=safe.terminal(change.table, 40), hand=safe.terminal(change.hand, 40)
        )
        console.write_text(f"{clock_text}  {_describe_change(change, location)}")
    if len(changed) > _MAX_LINES:
        more_text = phrase(
            "and {number} findings more: handledger audit", number=format(len(changed) - _MAX_LINES, ",")
        )
        console.write_text(f"{clock_text}  {more_text}")


def _describe_change(change: FindingChanged, location: str) -> str:
    """Return how a finding changed, its clause and its place."""
    where = location if change.seat is None else phrase("seat {seat}, {location}", seat=change.seat, location=location)
    clause = f"{change.book} {change.clause}"
    return phrase(
        _CHANGES[change.became],
        clause=clause,
        severity=severity_name(change.severity),
        certainty=certainty_name(change.certainty),
        where=where,
    )
