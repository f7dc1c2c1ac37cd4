"""Days and times as a room counts them: what its own clock shows, and when its gaming day begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ledger.clocks import Local, local, minute, wall, when
from projections.queries.days import BEGINS, Span, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger

__all__ = ["BEGINS", "DayBegins", "Span", "clock_of", "minute", "shown", "sifted", "span", "wall", "when"]

DayBegins = Annotated[
    str,
    typer.Option(
        "--day-begins",
        metavar="HH:MM",
        envvar="HANDLEDGER_DAY_BEGINS",
        help="When a gaming day begins on the room's clock: what is dealt at 02:00 belongs to the "
        "evening before. For rooms whose zone is known; elsewhere a day begins at midnight.",
    ),
]


def sifted(ledger: Ledger, span: Span, rows: Iterator[HandRow]) -> Iterator[HandRow]:
    """Yield the hands that fit."""
    if span.since is None and span.until is None:
        yield from rows
        return
    for row in rows:
        if span.within(row.started) or span.fits(row.started, clock_of(ledger, row)):
            yield row


def clock_of(ledger: Ledger, row: HandRow) -> Local | None:
    """Return what the room's clock showed when a hand began."""
    from ledger.hand.opening import HandOpened

    commit = ledger.stream(row.stream)[0]
    opened = ledger.mapper.decode(commit.kind, commit.data)[0]
    return local(row.started, opened.written if isinstance(opened, HandOpened) else "")


def shown(ledger: Ledger, row: HandRow) -> tuple[str, str]:
    """Return date and time of a hand on its room's clock, and the zone, as documents have them."""
    shows = clock_of(ledger, row)
    return ("", "") if shows is None else (wall(shows.wall), shows.zone)
