"""`handledger seats`: who sat where, from when to when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import select

from cli import days, opening, options, output
from cli.query_documents import RoomTime, SeatsDocument, SittingTold
from cli.results import chairs_told
from cli.results import table as columned
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from projections.addresses import hand_address

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from ledger.vocabulary import Millis


def command(
    table: Annotated[
        str,
        typer.Argument(
            help="A table: its name, tournament/name, or venue/name.", autocompletion=options.complete_tables
        ),
    ],
    *,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="MOMENT", help="Only who sat there then: 2026-01-02T22:10Z, with its zone."),
    ] = None,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say who sat where at a table, from when to when, and in how many hands.

    A player sits in a seat from when it is told, or from the first hand that names the player there, until
    somebody tells that it ended, another player is in the seat, or the player in another. Times are those of the
    room's clock, as everywhere.

    \b
    handledger seats T7
    handledger seats T7 --at 2026-11-21T01:10Z
    """  # noqa: D301 - \b keeps the lines of the examples
    moment = None if at is None else _moment(at)
    with opening.opened(url, as_of=as_of) as ledger:
        row = hand_address.find_table(ledger, table)
        found = SeatsDocument(row.venue, row.tournament, row.table, moment, _sittings(ledger, row, moment))
    if not found.sittings:
        raise NothingFoundError("nobody is known to have sat there" + ("" if at is None else " then"))
    if format_ == "json":
        output.document(found, file)
    else:
        output.put(_text(found), file)


def _moment(told: str) -> Millis:
    from ledger.readers.timestamps import iso
    from projections.addresses.room_days import require_zone

    found = iso(told)
    if found is None or len(told) == len("2026-01-02"):
        raise UsageError(f"--at: {told!r} is no moment", "Say 2026-01-02T22:10Z.")
    require_zone(told, "--at")
    return found


def _sittings(ledger: Ledger, row: TableRow, at: Millis | None) -> list[SittingTold]:
    from projections.addresses.room_days import RoomClock
    from projections.tables.sittings import sittings
    from projections.tables.table_set import open_tables

    c = sittings.c
    asked = select(sittings).where(c.venue == row.venue, c.tournament == row.tournament, c.name == row.table)
    if at is not None:  # who ended and nothing tells when may have sat there
        asked = asked.where(c.since.is_not(None), c.since <= at, c.until.is_(None) | (c.until > at))
    with open_tables(ledger, seats=True) as (keeping, _), keeping.core() as connection:
        rows = connection.execute(asked.order_by(c.seat, c.number)).mappings().all()
    people, clock = ledger.people, RoomClock(ledger, row)
    return [
        SittingTold(
            one["seat"],
            people.name(one["player"]) or one["player"],
            one["player"],
            one["since"],
            one["began"],
            one["first"],
            one["last"],
            one["hands"],
            one["until"],
            one["ended"],
            RoomTime(*clock.format_time(one["since"], one["first"])),
            RoomTime(*clock.format_time(one["until"], one["last"])),
        )
        for one in rows
    ]


def _text(found: SeatsDocument) -> str:
    cells = [["player", "seat", "since", "until", "hands", "from", "to"]]
    for one in found.sittings:
        since = "?" if one.since is None else safe.terminal(days.when(one.began_at.local, one.began_at.zone), 30)
        until = "" if one.until is None else safe.terminal(days.when(one.ended_at.local, one.ended_at.zone), 30)
        ended = f"{until} {one.ended}".strip()
        hands = [safe.terminal(number, 24) for number in (one.first, one.last)]
        cells.append([safe.terminal(one.player, 32), str(one.seat), since, ended, f"{one.hands:,}", *hands])
    lines = [line.rstrip() for line in columned(cells)]
    return "\n".join(lines + chairs_told(one.player for one in found.sittings))
