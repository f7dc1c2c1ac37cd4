"""`handledger fairness`: what each player paid in blinds, beside what was due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli import days, opening, options, output
from cli.days import DayBegins
from cli.query_documents import FairnessDocument, FairShare
from cli.results import joined, table
from cli.where import Where
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from projections.amount_text import amount
from projections.queries.ledger_query import select_hands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger
    from projections.audit.blind_fairness import Share
    from projections.books.rulebook import Rulebook
    from projections.queries.query_run import HandSelection

Period = Annotated[
    Literal["whole", "orbit", "night", "month"],
    typer.Option("--by", help="A row for each player and: nothing else, round of the button, gaming day, month."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="Which hands; none = all. --where help lists all words."),
    ] = None,
    *,
    books: options.Books = None,
    by: Period = "whole",
    where: Where = None,
    day_begins: DayBegins = days.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most so many rows; 0 = all.")] = 50,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say what each player paid in blinds, beside what was due under a rulebook: by orbit, night, month.

    Tables are walked from their first hand, whatever the query asks: what is owed comes from before. Hands of
    which the record does not tell what was due are counted apart, and nothing of them on either side.
    Without -r it is said under the rulebook that the house adopted, if it adopted one alone.

    \b
    handledger fairness -r hilton
    handledger fairness -r hilton 'table:T7' --by night
    """  # noqa: D301 - \b keeps the lines of the examples
    text = joined(query, where)
    with opening.opened(url, as_of=as_of) as ledger:
        rules = _book(ledger, books or [])
        with output.working("walking the tables") as progress, select_hands(ledger, text, day_begins) as found:
            rows = _rows(ledger, found, rules, by, day_begins, progress)
    if not rows:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")
    document = FairnessDocument(by=by, query=text or "", book=rules.name, edition=rules.edition, shares=rows)
    if format_ == "json":
        output.document(document, file)
    else:
        output.put(_text(document, limit), file)


def _book(ledger: Ledger, named: list[str]) -> Rulebook:
    from projections.audit.house_audit import House
    from projections.books.shelf import Shelf, choice_hint, load_books

    found = load_books(ledger, named) or House(ledger).books()
    if len(found) != 1:
        raise UsageError("under which rulebook?", choice_hint(Shelf(ledger).names()))
    return found[0]


@dataclass
class _Sum:
    hands: int = 0
    due: int = 0
    paid: int = 0
    untold: int = 0


def _rows(
    ledger: Ledger, found: HandSelection, book: Rulebook, by: str, day_begins: str, progress: output.Progress
) -> list[FairShare]:
    from projections.addresses.room_days import parse_day_start as since_midnight

    sums: dict[tuple[str, str, str, int, str], _Sum] = {}
    period = _Periods(by, since_midnight(day_begins), found)
    for count, (where, share) in enumerate(_shares(ledger, found.rows(), book), 1):
        if not count % 1000:
            progress(f"{count:,} shares of hands")
        hand = share.hand
        key = (share.player, period.of(where, share), hand.unit, hand.exponent, hand.format)
        some = sums.setdefault(key, _Sum())
        some.hands += 1
        if share.due is None or share.paid is None:
            some.untold += 1
        else:
            some.due += share.due
            some.paid += share.paid
    name = ledger.people.name
    rows = [
        FairShare(name(who) or who, who, when, one.hands, one.due, one.paid, one.untold, unit, exponent, form)
        for (who, when, unit, exponent, form), one in sums.items()
    ]
    return sorted(rows, key=lambda row: (_natural(row.period), row.unit, row.paid - row.due, row.player))


def _natural(period: str) -> tuple[str, int]:
    head, _, number = period.rpartition(" ")
    return (head, int(number)) if number.isdigit() else (period, 0)


def _shares(ledger: Ledger, rows: Iterator[HandRow], book: Rulebook) -> Iterator[tuple[str, Share]]:
    """Yield the shares of the wanted hands, table by table, each with what to call its table."""
    from ledger.store.accounts import Place
    from ledger.store.table_streams import told as told_to
    from projections.audit.blind_fairness import shares
    from projections.table_walk.table_context import Table
    from projections.table_walk.unread_lines import by_place as unread_of
    from projections.table_walk.unread_lines import spoiled

    unread = unread_of(ledger, spoiled(ledger))
    wanted: dict[Place, set[bytes]] = {}  # of a hand only this: there may be very many
    for row in rows:
        wanted.setdefault(Place(row.venue, row.tournament, row.table), set()).add(row.stream.bytes)
    for place in sorted(wanted):
        streams = wanted.pop(place)
        walked = Table([book], unread.get(place, {}))
        for share in shares(told_to(ledger, place), walked, book):
            if bytes.fromhex(share.hand.hand) in streams:
                yield "/".join(filter(None, (place.tournament, place.table))), share


class _Periods:
    """What a hand is counted under besides its players."""

    def __init__(self, by: str, day: int, found: HandSelection) -> None:
        from projections.queries.sums import name_group
        from projections.tables.kept_results import hand_results

        self._by = by
        self._days: dict[str, str] = {}
        if by in ("night", "month"):
            c = hand_results.c
            for stream, wall, zone in found.hands(c.stream, c.wall, c.zone):
                shown = name_group("day", (wall, zone), day)[0] or "no time"
                self._days[bytes(stream).hex()] = shown if by == "night" or shown == "no time" else shown[:7]

    def of(self, where: str, share: Share) -> str:
        if self._by == "orbit":
            return f"{where} orbit {share.orbit}"
        return self._days.get(share.hand.hand, "")


def _text(found: FairnessDocument, limit: int) -> str:
    rows = found.shares[: limit or None]
    head = ["player", "hands", "due", "paid", "difference", "cannot tell"]
    cells = [head if found.by == "whole" else ["player", found.by, *head[1:]]]
    for row in rows:
        money = [_money(chips, row) for chips in (row.due, row.paid, row.paid - row.due)]
        period = [] if found.by == "whole" else [safe.terminal(row.period, 40)]
        untold = f"{row.untold:,}" if row.untold else ""
        cells.append([safe.terminal(row.player, 32), *period, f"{row.hands:,}", *money, untold])
    lines = [f"Blinds under {found.book} ({found.edition})", "", *(line.rstrip() for line in table(cells))]
    if len(found.shares) > len(rows):
        lines.append(f"({len(found.shares) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines)


def _money(chips: int, row: FairShare) -> str:
    shown = amount(chips, row.unit, row.exponent)
    return f"{shown} chips" if row.format == "tournament" else shown
