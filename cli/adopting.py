"""`handledger rules adopt` and `rules retire`: the house says which rulebook is in force where."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import judging, opening, output
from cli.rulings import RulesDocument
from ledger import safe
from ledger.errors import HandledgerError, UsageError
from projections.reports.book_documents import BookTold, build_book

if TYPE_CHECKING:
    from ledger.house.books import Adoption
    from ledger.store import Ledger
    from projections.books.adoption import AdoptionResult, AdoptionScope

ADOPT, RETIRE = "adopt", "retire"

Venue = Annotated[str, typer.Option("--venue", help="For `adopt` and `retire`: in this room only.")]
Table = Annotated[str, typer.Option("--table", help="For `adopt` and `retire`: at this table only.")]
AdoptedSince = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TIME",
        help="For `adopt`: starting then, or from the first hand. For `retire`: ending then, or now.",
    ),
]


def record(verb: str, name: str | None, scope: AdoptionScope, url: str | None, format_: str, file: Path | None) -> None:
    """Write into the house's record that a book is adopted, or retired."""
    from projections.books import rulebook
    from projections.books.adoption import adopt_rulebook, retire_rulebook

    if not name:
        raise UsageError(
            f"the rulebook to {verb} is missing", f"For example: handledger rules {verb} hilton --table T3"
        )
    is_known = verb == ADOPT and (name.endswith(".toml") or name in rulebook.names())
    if is_known:
        rulebook.load(name)  # a book that cannot be read makes no ledger
    # Any other name is of a book that a ledger holds already.
    with opening.opened(url, create=is_known, read_only=False) as ledger:
        is_new_table = bool(scope.table) and not [
            table_row
            for table_row in ledger.tables(scope.table)
            if table_row.table == scope.table and scope.venue in ("", table_row.venue)
        ]
        if verb == ADOPT:
            adoption = adopt_rulebook(ledger, name, scope)
            book_document, lines = build_book(adoption.book), list(_format_adoption(adoption, scope))
        else:
            retirement = retire_rulebook(ledger, name, scope)
            book_document, lines = (
                _describe_retired(ledger, retirement),
                [f"{_name_book(retirement.book, retirement.edition)} is retired{_format_scope(scope)}."],
            )
        changes = judging.announce_new_findings(ledger) if verb == ADOPT else []
    lines += judging.lines(changes)
    if is_new_table:
        lines.append(f"The ledger has no hand from table {safe.terminal(scope.table, 60)}: check the spelling.")
        if verb == ADOPT:
            lines.append(f"To undo it: {_retire_command(name, scope)}")
    elif verb == ADOPT:
        lines.append("See what is on file: handledger findings")
    if format_ == "json":
        output.document(RulesDocument(books=[book_document], clauses=[], recorded=verb), file)
    else:
        output.write_text("\n".join(lines), file)


def _retire_command(name: str, scope: AdoptionScope) -> str:
    """Return the command that retires what was just adopted."""
    options = (("--venue", scope.venue), ("--table", scope.table))
    scope_text = "".join(f" {option} {shlex.quote(value)}" for option, value in options if value)
    return safe.terminal(f"handledger rules retire {shlex.quote(name)}{scope_text}", 400)


def _format_adoption(adoption: AdoptionResult, scope: AdoptionScope) -> Iterator[str]:
    """Yield what came of it, for people."""
    book_text = _name_book(adoption.name, adoption.book.edition)
    if adoption.is_recorded:
        yield f"{book_text} is adopted{_format_scope(scope)}. Commands use it when you leave out -r."
    elif adoption.stored_file_count:
        yield f"The file of {book_text} was missing here and is now in the ledger. It is in force where it was before."
    else:
        yield f"{book_text} is adopted already{_format_scope(scope)}. Nothing was written."
    if adoption.stored_file_count:
        size = sum(len(own_file.file.data) for own_file in adoption.book.own_files)
        yield (
            f"Its text is kept in the ledger: {size:,} bytes, sha256 {adoption.book.digest[:12]}. "
            "Anyone with the ledger can use it; you may delete the file."
        )
    for own_file in adoption.replaced[-1:]:
        yield (
            f"Hands played under {_name_book(own_file.book, own_file.edition)} are now judged by it, too. "
            "Add --since TIME to keep the earlier edition for them."
        )


def _name_book(name: str, edition: str) -> str:
    return f"{safe.terminal(name, 80)} ({safe.terminal(edition, 80)})"


def _format_scope(scope: AdoptionScope) -> str:
    labelled_names = (("in", scope.venue), ("at table", scope.table))
    return "".join(f" {label} {safe.terminal(value, 60)}" for label, value in labelled_names if value)


def _describe_retired(ledger: Ledger, adoption: Adoption) -> BookTold:
    """Return what is known of a book that is laid down: its file may be missing."""
    from projections.books.shelf import Shelf

    try:
        return build_book(Shelf(ledger).book(adoption))
    except HandledgerError:
        return BookTold(adoption.book, "", adoption.edition, adoption.digest, 0)
