"""`handledger results`: add up what players won and lost."""

from __future__ import annotations

import textwrap
from typing import Annotated, Final, Literal

import typer

from cli.documents.query_documents import ResultsDocument
from cli.options import common_options, day_options, ledger_options
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption, join_query
from cli.output import console
from cli.output.columns import explain_chair_names, format_columns
from ledger import safe
from projections.amount_text import amount
from projections.queries.result_row import ResultDocument

_DOUBTS: Final = {
    "unsure": "hands whose record is cut off, doesn't add up, or has lines that couldn't be read: nobody knows what was "
    "won and lost in them. -note:cut-off,unbalanced,unread-lines leaves them out.",
    "no rake": "cash hands with a flop and no rake on record: if the room took rake, their net is before rake.",
}
"""Column of uncertain hands → its explanation. A column is shown only if it counts any hand."""
Grouping = Annotated[
    Literal["player", "position", "seat", "table", "venue", "game", "format", "day", "dealer"],
    typer.Option("--by", help="What gets a row."),
]


def command(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]...", help="Which hands and seats. Default: all. `--where help` lists the words."
        ),
    ] = None,
    *,
    grouping: Grouping = "player",
    one_person: Annotated[
        list[str] | None,
        typer.Option("--one", metavar="NAME", help="Count these names as one person: the first one. Repeatable."),
    ] = None,
    where_text: QueryOption = None,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Add up what players won and lost."""
    query_text = join_query(query, where_text)
    from projections.queries.result_query import sum_matching_results

    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress("summing up") as progress:
        rows = sum_matching_results(
            ledger,
            query_text,
            grouping,
            one_person or [],
            day_begins,
            progress=progress.show_judged,
            on_log_progress=progress.show_followed,
        )
    document = ResultsDocument(by=grouping, query=query_text or "", results=rows)
    if not document.results:
        raise ledger_options.no_hands_error(ledger)
    if format_ == "json":
        console.write_document(document, file)
    else:
        console.write_text(format_results(document, limit), file)


def format_results(document: ResultsDocument, limit: int) -> str:
    """Return sums as a table for people, at most `limit` rows; 0 = all."""
    rows = document.results[: limit or None]
    hands_heading = "hands"
    if document.by not in ("player", "position", "seat"):
        hands_heading = "dealt in"  # a hand of such a group counts once for each seat
    cells = [[document.by, hands_heading, "net", "bb/100", "rake", "won", "showdown", "all-in"]]
    cells += [
        [
            safe.terminal(row.name, 32) + (f" @ {safe.terminal(row.room, 24)}" if row.room else ""),
            f"{row.hands:,}",
            _format_money(row.net, row),
            "" if row.per_hundred is None else f"{row.per_hundred:+.1f}",
            _format_money(row.rake, row),
            _format_share(row.won, row.hands),
            _format_share(row.showdowns, row.hands),
            _format_share(row.all_ins, row.hands),
        ]
        for row in rows
    ]
    notes = []
    columns = {"unsure": [row.unsure for row in rows], "no rake": [row.unraked for row in rows]}
    for heading, counts in columns.items():
        if any(counts):
            for line, cell in zip(cells, [heading, *map("{:,}".format, counts)], strict=True):
                line.append(cell)
            notes += ["", *textwrap.wrap(f"{heading}: {_DOUBTS[heading]}", 100, subsequent_indent="  ")]
    lines = format_columns(cells)
    if len(document.results) > len(rows):
        lines.append(f"({len(document.results) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines + notes + explain_chair_names(row.name for row in rows if document.by == "player"))


def _format_money(chips: int, row: ResultDocument) -> str:
    amount_text = amount(chips, row.unit, row.exponent)
    return f"{amount_text} chips" if row.format == "tournament" else amount_text


def _format_share(part: int, total: int) -> str:
    return f"{part:,} ({100 * part / total:.0f} %)"
