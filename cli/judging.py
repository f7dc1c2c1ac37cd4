"""What an import changed in what the house knows: findings under the books that it adopted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import typer

from cli import output
from ledger import safe
from ledger.errors import HandledgerError
from projections.addresses.address_book import AddressBook

if TYPE_CHECKING:
    from ledger.house.events import FindingChanged
    from ledger.store import Ledger

_MOST: Final = 10
"""Tables, or findings, that are named."""


def keep_current(ledger: Ledger, jobs: int = 1) -> list[FindingChanged]:
    """Judge what is new under the house's books; what keeps them from judging is said, and ends nothing."""
    from projections.audit.house_audit import any_in

    if not any_in(ledger):
        return []
    from projections.tables import finding_events

    progress = output.Progress()
    try:
        return finding_events.keep_current(ledger, jobs=jobs, progress=progress.judged)
    except HandledgerError as error:  # the hands are stored; the next import judges them
        progress.clear()
        typer.echo(safe.lines(f"Not judged: {error.message}\n{error.hint}".rstrip()), err=True)
        return []
    finally:
        progress.clear()


def lines(changed: Sequence[FindingChanged]) -> Iterator[str]:
    """Say what an import brought and took away."""
    from projections.reports.finding_changes import count_changes

    tables = count_changes(changed)
    for one in tables[:_MOST]:
        where = safe.terminal(one.table, 60)
        said = ((one.found, "new"), (one.gone, "no longer found"), (one.other, "found otherwise than before"))
        what = ", ".join(f"{number:,} {how}" for number, how in said if number)
        yield f"Findings under {one.book} {one.edition} at table {where}: {what}."
    if len(tables) > _MOST:
        yield f"({len(tables) - _MOST:,} more tables; handledger audit has them all)"


def live(ledger: Ledger, changed: Sequence[FindingChanged], at: str) -> None:
    """Say of each finding that came or went that it did, as it happens."""
    book = AddressBook(ledger)
    for one in changed[:_MOST]:
        seat = "" if one.seat is None else f", seat {one.seat}"
        how = {"found": "found", "gone": "no longer found", "other": "found otherwise"}[one.became]
        where = (
            book.of_stream(one.hand, one.version)
            or f"{safe.terminal(one.table, 40)} hand {safe.terminal(one.hand, 40)}"
        )
        output.put(f"{at}  {how}: {one.book} {one.clause} ({one.severity}, {one.certainty}){seat}, {where}")
    if len(changed) > _MOST:
        output.put(f"{at}  and {len(changed) - _MOST:,} findings more: handledger audit")
