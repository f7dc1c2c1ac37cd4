"""`handledger rates`: how often something was found, never without the number of hands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli import days, opening, options, output
from cli.days import DayBegins
from cli.query_documents import RatesDocument, RateTold
from cli.results import joined, table
from cli.where import Where
from ledger import safe
from ledger.errors import NothingFoundError
from projections.queries.ledger_query import choose_books, select_hands
from projections.queries.result_query import display_name

if TYPE_CHECKING:
    from projections.queries.sums import FindingRate

Grouping = Annotated[
    Literal["clause", "table", "venue", "game", "format", "day", "dealer", "player"],
    typer.Option("--by", help="A row for each of what."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="Which hands; none = all. --where help lists all words."),
    ] = None,
    *,
    books: options.Books = None,
    by: Grouping = "clause",
    where: Where = None,
    day_begins: DayBegins = days.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most so many rows; 0 = all.")] = 50,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say how often something was found in a thousand hands: by clause, table, day, player, game.

    Beside each rate stand that of all hands and the number of hands. Where the rate of all hands would
    let one expect less than five findings, the row says so: such a rate tells nothing. A player's
    findings are those that name the player's seat.

    \b
    handledger rates -r hilton
    handledger rates -r hilton --by table 'since:2026-01-01 severity:error'
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.addresses.room_days import parse_day_start as since_midnight
    from projections.books.shelf import load_books
    from projections.queries.sums import count_findings

    text = joined(query, where)
    with opening.opened(url, as_of=as_of) as ledger, output.working("counting") as progress:
        said = load_books(ledger, books)
        under = choose_books(ledger, text, said)
        with select_hands(
            ledger,
            text,
            day_begins,
            said,
            judge=True,
            group_fields=[by],
            progress=progress.judged,
            followed=progress.followed,
        ) as found:
            each, whole = count_findings(found, by, since_midnight(day_begins))
            if not whole.hands:
                raise NothingFoundError("no hands match", "handledger log lists the hands.")
            rows = [_told(display_name(ledger.people.name, by, name), rate, whole) for name, rate in each.items()]
    rows.sort(key=lambda row: (row.few, row.name if by == "day" else "", -row.per_thousand, -row.hands, row.name))
    document = RatesDocument(
        by=by, query=text or "", books=[one.name for one in under], whole=_told("all hands", whole, whole), rates=rows
    )
    if format_ == "json":
        output.document(document, file)
    else:
        output.put(_text(document, limit), file)


def _told(name: str, rate: FindingRate, whole: FindingRate) -> RateTold:
    return RateTold(name, rate.findings, rate.hands, round(rate.per_thousand, 2), rate.has_too_few_hands(whole))


def _text(found: RatesDocument, limit: int) -> str:
    rows = found.rates[: limit or None]
    cells = [[found.by, "findings", "hands", "in 1,000 hands", ""]]
    cells += [
        [safe.terminal(row.name, 40), f"{row.findings:,}", f"{row.hands:,}", f"{row.per_thousand:.2f}", _few(row)]
        for row in (found.whole, *rows)
    ]
    lines = [f"Findings under {', '.join(found.books)}", "", *(line.rstrip() for line in table(cells))]
    if len(found.rates) > len(rows):
        lines.append(f"({len(found.rates) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines)


def _few(row: RateTold) -> str:
    return "too few hands to tell" if row.few else ""
