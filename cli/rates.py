"""`handledger rates`: count findings per 1,000 hands, always with the number of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.documents.query_documents import RateEntry, RatesDocument
from cli.options import common_options, day_options, ledger_options
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption, join_query
from cli.output import console
from cli.output.columns import format_columns
from ledger import safe
from projections.queries.ledger_query import choose_books, select_hands
from projections.queries.result_query import name_group_for_display

if TYPE_CHECKING:
    from projections.queries.sums import FindingRate

Grouping = Annotated[
    Literal["clause", "table", "venue", "game", "format", "day", "dealer", "player"],
    typer.Option("--by", help="What gets a row."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="Which hands. Default: all. `--where help` lists the words."),
    ] = None,
    *,
    books: common_options.Books = None,
    grouping: Grouping = "clause",
    where_text: QueryOption = None,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Count findings per 1,000 hands, by clause, table, day or player."""
    from projections.addresses.room_days import parse_day_start
    from projections.books.shelf import load_books
    from projections.queries.sums import count_findings

    query_text = join_query(query, where_text)
    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress("counting") as progress:
        named_books = load_books(ledger, books)
        chosen_books = choose_books(ledger, query_text, named_books)
        with select_hands(
            ledger,
            query_text,
            day_begins,
            named_books,
            judge=True,
            group_fields=[grouping],
            progress=progress.show_judged,
            on_log_progress=progress.show_followed,
        ) as selection:
            rate_by_name, overall_rate = count_findings(selection, grouping, parse_day_start(day_begins))
            if not overall_rate.hands:
                raise ledger_options.no_hands_error(ledger)
            rows = [
                _describe_rate(name_group_for_display(ledger.people.name, grouping, group_name), rate, overall_rate)
                for group_name, rate in rate_by_name.items()
            ]
    rows.sort(key=lambda row: (row.few, row.name if grouping == "day" else "", -row.per_thousand, -row.hands, row.name))
    document = RatesDocument(
        by=grouping,
        query=query_text or "",
        books=[book.name for book in chosen_books],
        whole=_describe_rate(
            "findings that name a seat" if grouping == "player" else "all hands", overall_rate, overall_rate
        ),
        rates=rows,
    )
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(_format_rates(document, limit), file)


def _describe_rate(name: str, rate: FindingRate, overall_rate: FindingRate) -> RateEntry:
    return RateEntry(name, rate.findings, rate.hands, round(rate.per_thousand, 2), rate.has_too_few_hands(overall_rate))


def _format_rates(document: RatesDocument, limit: int) -> str:
    rows = document.rates[: limit or None]
    cells = [[document.by, "findings", "hands", "in 1,000 hands", ""]]
    cells += [
        [
            safe.terminal(row.name, 40),
            f"{row.findings:,}",
            f"{row.hands:,}",
            f"{row.per_thousand:.2f}",
            _describe_few_hands(row),
        ]
        for row in (document.whole, *rows)
    ]
    lines = [f"Findings under {', '.join(document.books)}", "", *(line.rstrip() for line in format_columns(cells))]
    if len(document.rates) > len(rows):
        lines.append(f"({len(document.rates) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines)


def _describe_few_hands(row: RateEntry) -> str:
    return "too few hands to tell" if row.few else ""
