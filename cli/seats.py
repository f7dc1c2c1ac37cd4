"""`handledger seats`: list who sat where at a table, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import select

from cli.documents.query_documents import RoomTime, SeatsDocument, SittingEntry
from cli.options import common_options, day_options, ledger_options
from cli.output import console
from cli.output.columns import explain_chair_names, format_columns
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
            help="A table: T7, tournament/table or venue/table.", autocompletion=common_options.complete_tables
        ),
    ],
    *,
    at_moment: Annotated[
        str | None,
        typer.Option("--at", metavar="MOMENT", help="Only players seated then: 2026-01-02T22:10Z, with the zone."),
    ] = None,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List who sat where at a table, and for how long."""
    moment = None if at_moment is None else _parse_moment(at_moment)
    with ledger_options.open_ledger(url, as_of=as_of) as ledger:
        table_row = hand_address.find_table(ledger, table)
        document = SeatsDocument(
            table_row.venue, table_row.tournament, table_row.table, moment, _list_sittings(ledger, table_row, moment)
        )
    if not document.sittings:
        raise NothingFoundError("nobody is known to have sat there" + ("" if at_moment is None else " then"))
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(_format_sittings(document), file)


def _parse_moment(typed_moment: str) -> Millis:
    from ledger.readers.timestamps import parse_iso
    from projections.addresses.room_days import require_zone, suggest_date

    moment = parse_iso(typed_moment)
    if moment is None or len(typed_moment) == len("2026-01-02"):
        raise UsageError(
            f"--at: I can't read {typed_moment!r} as a date with a time",
            f"Write the year first, and the zone: {suggest_date(typed_moment)}T22:10Z.",
        )
    require_zone(typed_moment, "--at")
    return moment


def _list_sittings(ledger: Ledger, table_row: TableRow, moment: Millis | None) -> list[SittingEntry]:
    from projections.addresses.room_days import RoomClock
    from projections.tables.sittings import sittings
    from projections.tables.table_set import open_tables

    columns = sittings.c
    statement = select(sittings).where(
        columns.venue == table_row.venue, columns.tournament == table_row.tournament, columns.name == table_row.table
    )
    if moment is not None:  # a sitting without a known end may have lasted until then
        statement = statement.where(
            columns.since.is_not(None), columns.since <= moment, columns.until.is_(None) | (columns.until > moment)
        )
    with open_tables(ledger, seats=True) as (keeping, _), keeping.core() as connection:
        rows = connection.execute(statement.order_by(columns.seat, columns.number)).mappings().all()
    people, clock = ledger.people, RoomClock(ledger, table_row)
    return [
        SittingEntry(
            sitting_row["seat"],
            people.name(sitting_row["player"]) or sitting_row["player"],
            sitting_row["player"],
            sitting_row["since"],
            sitting_row["began"],
            sitting_row["first"],
            sitting_row["last"],
            sitting_row["hands"],
            sitting_row["until"],
            sitting_row["ended"],
            RoomTime(*clock.format_time(sitting_row["since"], sitting_row["first"])),
            RoomTime(*clock.format_time(sitting_row["until"], sitting_row["last"])),
        )
        for sitting_row in rows
    ]


def _format_time(time: RoomTime) -> str:
    return safe.terminal(day_options.describe_local_time(time.local, time.zone), 30)


def _format_sittings(document: SeatsDocument) -> str:
    cells = [["player", "seat", "since", "until", "hands", "from", "to"]]
    for sitting in document.sittings:
        since_text = "?" if sitting.since is None else _format_time(sitting.began_at)
        until_text = "" if sitting.until is None else _format_time(sitting.ended_at)
        end_text = f"{until_text} {sitting.ended}".strip()
        hand_numbers = [safe.terminal(number, 24) for number in (sitting.first, sitting.last)]
        cells.append(
            [
                safe.terminal(sitting.player, 32),
                str(sitting.seat),
                since_text,
                end_text,
                f"{sitting.hands:,}",
                *hand_numbers,
            ]
        )
    lines = [line.rstrip() for line in format_columns(cells)]
    return "\n".join(lines + explain_chair_names(sitting.player for sitting in document.sittings))
