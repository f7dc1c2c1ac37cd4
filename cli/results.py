"""`handledger results`: what players won and lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli import days, opening, options, output
from cli.days import DayBegins
from cli.query_documents import ResultsDocument, ResultTold
from cli.where import Where
from ledger import safe
from ledger.errors import NothingFoundError
from projections.amounts import amount

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.queries.summing import By

Grouping = Annotated[
    Literal["player", "position", "seat", "table", "venue", "game", "format", "day", "dealer"],
    typer.Option("--by", help="A row for each of what."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="Which hands and seats; none = all. --where help lists all words."),
    ] = None,
    *,
    by: Grouping = "player",
    one_person: Annotated[
        list[str] | None,
        typer.Option("--one", metavar="NAME", help="Count these names as one person, the first one said; repeat it."),
    ] = None,
    where: Where = None,
    day_begins: DayBegins = days.BEGINS,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most so many rows; 0 = all.")] = 50,
    as_of: options.AsOf = None,
    ledger: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Sum up what players won and lost: by player, position, table, day, game.

    What the query says of a seat says whose results are summed up: position:BTN sums up the buttons.
    Money and tournament chips, and different currencies, never stand in one sum. The rake of a row is
    its share by what it put in. bb/100 is what was won in a hundred hands, in big blinds.

    \b
    handledger results
    handledger results 'player:Anna' --by position
    handledger results --one Anna --one anna88 'since:2026-01-01' --by day
    """  # noqa: D301 - \b keeps the lines of the examples
    text = joined(query, where)
    with opening.opened(ledger, as_of=as_of) as book:
        found = ResultsDocument(by=by, query=text or "", results=_told(book, text, by, one_person or [], day_begins))
    if not found.results:
        raise NothingFoundError("no hands match", "handledger log lists the hands.")
    if format_ == "json":
        output.document(found, file)
    else:
        output.put(_text(found, limit), file)


def joined(query: list[str] | None, where: str | None) -> str | None:
    """Return the query that the words beside a command make, with `--where`."""
    parts = [f"({part})" for part in (" ".join(query or ()), where or "") if part.strip()]
    return " ".join(parts) if len(parts) > 1 else (" ".join(query or ()) or where)


def _told(ledger: Ledger, text: str | None, by: str, one: list[str], day_begins: str) -> list[ResultTold]:
    from projections.queries.asked import InLedger, asked
    from projections.queries.days import day_begins as since_midnight
    from projections.queries.summing import results
    from projections.tables.results import seat_results

    known = InLedger(ledger)
    people = [person for name in one for person in known.people(name)]
    first = dict.fromkeys(people, people[0] if people else "")
    rows = []
    with asked(ledger, text, day_begins, by=[by]) as found:
        of = found.meant.seats
        if people:
            mine = seat_results.c.player.in_(people)
            of = mine if of is None else of & mine
        for (name, purse), result in results(found, by, of, since_midnight(day_begins), first).items():
            rows.append(
                ResultTold(
                    name=named(ledger, by, name),
                    hands=result.hands,
                    net=result.net,
                    rake=result.rake,
                    won=result.won,
                    showdowns=result.showdowns,
                    all_ins=result.all_ins,
                    unit=purse.unit,
                    exponent=len(str(purse.scale)) - 1,
                    format=purse.format,
                    per_hundred=None if result.per_hundred is None else round(result.per_hundred, 1),
                    ids=(people or [name[0]]) if by == "player" else [],
                )
            )
    hands = Counter[tuple[str, str]]()
    for row in rows:
        hands[row.format, row.unit] += row.hands
    day = by == "day"
    return sorted(rows, key=lambda r: (-hands[r.format, r.unit], r.unit, r.name if day else "", -r.net, r.name))


def named(ledger: Ledger, by: str, name: By) -> str:
    """Return what a group is called, for people and programs."""
    if by in ("player", "dealer"):
        return ledger.people.name(name[0]) or name[0] or "?"
    return " ".join(part for part in name if part) or "?"


def _text(found: ResultsDocument, limit: int) -> str:
    rows = found.results[: limit or None]
    dealt = "hands" if found.by in ("player", "position", "seat") else "dealt in"  # of a table each seat counts
    cells = [[found.by, dealt, "net", "bb/100", "rake", "won", "showdown", "all-in"]]
    cells += [
        [
            safe.terminal(row.name, 32),
            f"{row.hands:,}",
            _money(row.net, row),
            "" if row.per_hundred is None else f"{row.per_hundred:+.1f}",
            _money(row.rake, row),
            _share(row.won, row.hands),
            _share(row.showdowns, row.hands),
            _share(row.all_ins, row.hands),
        ]
        for row in rows
    ]
    lines = table(cells)
    if len(found.results) > len(rows):
        lines.append(f"({len(found.results) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines)


def _money(chips: int, row: ResultTold) -> str:
    shown = amount(chips, row.unit, row.exponent)
    return f"{shown} chips" if row.format == "tournament" else shown


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.0f} %)"


def table(cells: list[list[str]]) -> list[str]:
    """Return rows with the first column to the left and the others to the right, each as wide as it needs."""
    widths = [max(safe.columns(row[at]) for row in cells) for at in range(len(cells[0]))]
    lines = []
    for row in cells:
        pads = [" " * (width - safe.columns(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([row[0] + pads[0], *(pad + cell for pad, cell in zip(pads[1:], row[1:], strict=True))]))
    return lines
