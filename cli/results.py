"""`handledger results`: what players won and lost."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli import days, opening, options, output
from cli.days import DayBegins
from cli.query_documents import ResultsDocument
from cli.where import QueryOption
from ledger import safe
from ledger.people import CHAIR_NAMES_NOTE, has_chair_name
from projections.amount_text import amount
from projections.queries.result_row import ResultTold

if TYPE_CHECKING:
    from collections.abc import Iterable

_DOUBTS: Final = {
    "unsure": "hands whose record is cut off, does not add up, or has lines that nobody could read: what was won and "
    "lost in them is not known. -note:cut-off,unbalanced,unread-lines leaves them out.",
    "no rake": "money hands with a flop of which no rake is on record: if the room took one, net is what it was before.",
}
"""What makes sums unsure: a column each, where there is any such hand."""
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
    day_begins: DayBegins = days.DEFAULT_DAY_START,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The number of rows at most; 0 = all.")] = 50,
    as_of: options.AsOf = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Add up what players won and lost."""
    query_text = joined(query, where_text)
    from projections.queries.result_query import sum_matching_results

    with opening.opened(url, as_of=as_of) as ledger, output.working("summing up") as progress:
        rows = sum_matching_results(
            ledger,
            query_text,
            grouping,
            one_person or [],
            day_begins,
            progress=progress.judged,
            on_log_progress=progress.followed,
        )
    document = ResultsDocument(by=grouping, query=query_text or "", results=rows)
    if not document.results:
        raise opening.no_hands_error(ledger)
    if format_ == "json":
        output.document(document, file)
    else:
        output.write_text(summary(document, limit), file)


def joined(query: list[str] | None, query_text: str | None) -> str | None:
    """Return the query that the words beside a command make, with `--where`."""
    parts = [f"({part})" for part in (" ".join(query or ()), query_text or "") if part.strip()]
    return " ".join(parts) if len(parts) > 1 else (" ".join(query or ()) or query_text)


def summary(document: ResultsDocument, limit: int) -> str:
    """Return sums as a table for people, at most `limit` rows; 0 = all."""
    rows = document.results[: limit or None]
    hands_heading = (
        "hands" if document.by in ("player", "position", "seat") else "dealt in"
    )  # of a table each seat counts
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
    for doubt_index, (doubt_name, explanation) in enumerate(_DOUBTS.items()):
        counts = [(row.unsure, row.unraked)[doubt_index] for row in rows]
        if any(counts):
            for line, count in zip(cells, [doubt_name, *map("{:,}".format, counts)], strict=True):
                line.append(count)
            notes += ["", *textwrap.wrap(f"{doubt_name}: {explanation}", 100, subsequent_indent="  ")]
    lines = table(cells)
    if len(document.results) > len(rows):
        lines.append(f"({len(document.results) - len(rows):,} more; --limit 0 shows all)")
    return "\n".join(lines + notes + chairs_told(row.name for row in rows if document.by == "player"))


def chairs_told(names: Iterable[str]) -> list[str]:
    """Return what is to be said where some of these names are those of chairs."""
    return ["", *textwrap.wrap(CHAIR_NAMES_NOTE, 100)] if has_chair_name(names) else []


def _format_money(chips: int, row: ResultTold) -> str:
    amount_text = amount(chips, row.unit, row.exponent)
    return f"{amount_text} chips" if row.format == "tournament" else amount_text


def _format_share(part: int, total: int) -> str:
    return f"{part:,} ({100 * part / total:.0f} %)"


def table(cells: list[list[str]]) -> list[str]:
    """Return rows with the first column to the left and the others to the right, each as wide as it needs."""
    widths = [max(safe.columns(row[column_index]) for row in cells) for column_index in range(len(cells[0]))]
    lines = []
    for row in cells:
        paddings = [" " * (width - safe.columns(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append(
            "  ".join(
                [row[0] + paddings[0], *(padding + cell for padding, cell in zip(paddings[1:], row[1:], strict=True))]
            )
        )
    return lines
