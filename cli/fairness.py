"""`handledger fairness`: compare the blinds each player paid with the blinds due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.documents.query_documents import FairnessDocument, FairShare
from cli.options import common_options, day_options, ledger_options
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption, join_query
from cli.output import console
from cli.output.columns import format_columns
from ledger import safe
from ledger.errors import UsageError
from projections.amount_text import amount
from projections.queries.ledger_query import select_hands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger
    from projections.audit.blind_fairness import BlindShare
    from projections.books.rulebook import Rulebook
    from projections.queries.query_run import HandSelection

Period = Annotated[
    Literal["whole", "orbit", "night", "month"],
    typer.Option("--by", help="A row per player: one in all, or one per orbit, night or month."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="Which hands. Default: all. `--where help` lists the words."),
    ] = None,
    *,
    books: common_options.Books = None,
    period: Period = "whole",
    where_text: QueryOption = None,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Compare the blinds each player paid with the blinds due."""
    query_text = join_query(query, where_text)
    with ledger_options.open_ledger(url, as_of=as_of) as ledger:
        rulebook = _choose_book(ledger, books or [])
        with (
            console.show_progress("walking the tables") as progress,
            select_hands(ledger, query_text, day_begins) as selection,
        ):
            rows = _sum_shares(ledger, selection, rulebook, period, day_begins, progress)
    if not rows:
        raise ledger_options.no_hands_error(ledger)
    document = FairnessDocument(
        by=period, query=query_text or "", book=rulebook.name, edition=rulebook.edition, shares=rows
    )
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(_format_document(document, limit), file)


def _choose_book(ledger: Ledger, book_names: list[str]) -> Rulebook:
    from projections.audit.house_audit import House
    from projections.books.shelf import Shelf, load_books, suggest_books

    books = load_books(ledger, book_names) or House(ledger).list_books()
    if len(books) != 1:
        raise UsageError("blinds are compared under one rulebook", suggest_books(Shelf(ledger).list_names()))
    return books[0]


@dataclass
class _PlayerSum:
    """A player's blinds in a period."""

    hands: int = 0
    due: int = 0
    paid: int = 0
    unknown: int = 0  # hands without a known due or payment; neither is added


def _sum_shares(
    ledger: Ledger,
    selection: HandSelection,
    book: Rulebook,
    grouping: str,
    day_begins: str,
    progress: console.ProgressLine,
) -> list[FairShare]:
    from projections.addresses.room_days import parse_day_start

    sums: dict[tuple[str, str, str, int, str], _PlayerSum] = {}
    periods = _Periods(grouping, parse_day_start(day_begins), selection)
    for count, (table_name, share) in enumerate(_list_shares(ledger, selection.iter_rows(), book), 1):
        if not count % 1000:
            progress(f"{count:,} shares of hands")
        hand = share.hand
        sum_key = (share.player, periods.find_period(table_name, share), hand.unit, hand.exponent, hand.format)
        player_sum = sums.setdefault(sum_key, _PlayerSum())
        player_sum.hands += 1
        if share.due is None or share.paid is None:
            player_sum.unknown += 1
        else:
            player_sum.due += share.due
            player_sum.paid += share.paid
    name_of = ledger.people.name
    rows = [
        FairShare(
            name_of(player) or player,
            player,
            period_name,
            total.hands,
            total.due,
            total.paid,
            total.unknown,
            unit,
            exponent,
            format_name,
        )
        for (player, period_name, unit, exponent, format_name), total in sums.items()
    ]
    return sorted(rows, key=lambda row: (_build_sort_key(row.period), row.unit, row.paid - row.due, row.player))


def _build_sort_key(period: str) -> tuple[str, int]:
    """Return a sort key that puts `T7 orbit 9` before `T7 orbit 10`."""
    prefix, _, number = period.rpartition(" ")
    return (prefix, int(number)) if number.isdigit() else (period, 0)


def _list_shares(ledger: Ledger, rows: Iterator[HandRow], book: Rulebook) -> Iterator[tuple[str, BlindShare]]:
    """Yield the shares of the selected hands, table by table, each with the name of its table."""
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.hands.table_streams import table_entries
    from projections.audit.blind_fairness import iter_blind_shares
    from projections.table_walk.replay import make_first_checkpoint, replay_from
    from projections.table_walk.unread_lines import find_unread_lines, group_by_table

    unread_lines = group_by_table(ledger, find_unread_lines(ledger))
    streams_by_place: dict[TableKey, set[bytes]] = {}  # only the stream ids: a ledger may have millions of hands
    for row in rows:
        streams_by_place.setdefault(TableKey(row.venue, row.tournament, row.table), set()).add(row.stream.bytes)
    for place in sorted(streams_by_place):
        streams = streams_by_place.pop(place)
        table = make_first_checkpoint(table_entries(ledger, place), unread_lines.get(place, {}))
        for share in iter_blind_shares(replay_from(table, [book]), book):
            if bytes.fromhex(share.hand.hand) in streams:
                yield "/".join(filter(None, (place.tournament, place.table))), share


class _Periods:
    """Finds the orbit, night or month that a hand belongs to."""

    def __init__(self, period: str, day_start: int, selection: HandSelection) -> None:
        from projections.queries.sums import build_group_name
        from projections.tables.result_tables import hand_results

        self._period = period
        self._days: dict[str, str] = {}
        if period in ("night", "month"):
            columns = hand_results.c
            for stream, wall, zone in selection.iter_hand_values(columns.stream, columns.wall, columns.zone):
                day_name = build_group_name("day", (wall, zone), day_start)[0] or "no time"
                self._days[bytes(stream).hex()] = (
                    day_name if period == "night" or day_name == "no time" else day_name[:7]
                )

    def find_period(self, table_name: str, share: BlindShare) -> str:
        """Return the name of the period: `T7 orbit 3`, a day, a month, or "" for all hands."""
        if self._period == "orbit":
            return f"{table_name} orbit {share.orbit}"
        return self._days.get(share.hand.hand, "")


def _format_document(document: FairnessDocument, limit: int) -> str:
    rows = document.shares[: limit or None]
    headings = ["player", "hands", "due", "paid", "difference", "not judged"]
    cells = [headings if document.by == "whole" else ["player", document.by, *headings[1:]]]
    for row in rows:
        amounts = [_format_amount(chips, row) for chips in (row.due, row.paid, row.paid - row.due)]
        period_cells = [] if document.by == "whole" else [safe.terminal(row.period, 40)]
        unknown_text = f"{row.untold:,}" if row.untold else ""
        cells.append([safe.terminal(row.player, 32), *period_cells, f"{row.hands:,}", *amounts, unknown_text])
    lines = [
        f"Blinds under {document.book} ({document.edition})",
        "",
        *(line.rstrip() for line in format_columns(cells)),
    ]
    if len(document.shares) > len(rows):
        lines.append(f"({len(document.shares) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines)


def _format_amount(chips: int, row: FairShare) -> str:
    amount_text = amount(chips, row.unit, row.exponent)
    return f"{amount_text} chips" if row.format == "tournament" else amount_text
