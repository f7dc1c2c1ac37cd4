"""`handledger due`: the button, the blinds and other posts of the next hand, and the reasons."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import common_options, ledger_options
from cli.output import console
from ledger.errors import NothingFoundError, UsageError
from ledger.text.language import phrase
from projections.addresses import address_errors, hand_address

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow


def command(
    table: Annotated[
        str | None,
        typer.Argument(
            help="A table: T7, tournament/table or venue/table. Default: all, a line each.",
            autocompletion=common_options.complete_tables,
        ),
    ] = None,
    *,
    before_hand: Annotated[
        str | None,
        typer.Option("--before", metavar="HAND", help="What was due on this past hand, instead of the next one."),
    ] = None,
    books: common_options.Books = None,
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Show where the button goes, who posts and who may play."""
    from projections.books.shelf import load_books

    if table is None:
        from cli.output import due_everywhere

        if before_hand is not None:
            raise UsageError(phrase("--before names a hand of one table"), phrase("Name the table."))
        with ledger_options.open_ledger(url, as_of=as_of) as ledger:
            due_everywhere.write_dues(ledger, load_books(ledger, books), format_, file)
        return
    from projections.tables.owed_document import build_due_document

    with ledger_options.open_ledger(url, as_of=as_of) as ledger, console.show_progress("walking the table") as progress:
        rulebooks = load_books(ledger, books)
        table_row = hand_address.find_table(ledger, table)
        if before_hand is not None:
            _require_hand_at_table(ledger, table_row, before_hand, books or [])
        report_walked = progress.build_walk_callback(table_row.hands)
        document = build_due_document(ledger, table_row, rulebooks, before_hand, report_walked)
    if format_ == "json":
        console.write_document(document, file)
        return
    from projections.reports.owed_report import format_screen

    bold = (lambda words: console.paint(words, "bold")) if file is None else str
    console.write_text(format_screen(document, width=min(console.find_width(), 120), bold=bold), file)


def _require_hand_at_table(ledger: Ledger, table_row: TableRow, before_hand: str, books: Sequence[str]) -> None:
    """Raise an error with the command to type if a hand is from another table."""
    try:
        hand_address.find_hand_at_table(ledger, table_row, before_hand)
    except address_errors.OtherTableError as error:
        book_options = "".join(f" -r {shlex.quote(book)}" for book in books)
        raise NothingFoundError(error.message, error.hint + book_options) from None
