"""`handledger rules adopt` and `rules retire`: record which rulebook is in force where."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.documents.rulebook_documents import RulesDocument
from cli.options import ledger_options
from cli.output import console, judgement_output
from ledger import safe
from ledger.clocks import format_minute, format_moment
from ledger.errors import HandledgerError, UsageError
from projections.reports.book_documents import BookDocument, build_book

if TYPE_CHECKING:
    from ledger.house.books import Adoption
    from ledger.store import Ledger, TableRow
    from ledger.vocabulary import Millis
    from projections.books.adoption import AdoptionResult, AdoptionScope

ADOPT, RETIRE = "adopt", "retire"

Venue = Annotated[str, typer.Option("--venue", help="For `adopt` and `retire`: in this room only.")]
Table = Annotated[str, typer.Option("--table", help="For `adopt` and `retire`: at this table only.")]
AdoptedSince = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TIME",
        help="When `adopt` starts (else from the first hand), or `retire` ends (else now). A date is 00:00 UTC.",
    ),
]


def record(verb: str, name: str | None, scope: AdoptionScope, url: str | None, format_: str, file: Path | None) -> None:
    """Record in the house's stream that a book is adopted, or retired."""
    from projections.books import rulebook
    from projections.books.adoption import adopt_rulebook, retire_rulebook

    if not name:
        raise UsageError(
            f"the rulebook to {verb} is missing", f"For example: handledger rules {verb} hilton --table T3"
        )
    is_known = verb == ADOPT and (name.endswith(".toml") or name in rulebook.list_names())
    if is_known:
        rulebook.load(name)  # before a ledger is created: the book may be unreadable
    # Any other name is that of a book in an existing ledger.
    with ledger_options.open_ledger(url, create=is_known, read_only=False) as ledger:
        is_new_table = bool(scope.table) and not _list_tables(ledger, scope)
        if verb == ADOPT:
            adoption = adopt_rulebook(ledger, name, scope)
            book_document = build_book(adoption.book)
            lines = list(_format_adoption(adoption, scope, partial(_describe_time, ledger, scope)))
            lines += judgement_output.format_changes(judgement_output.announce_new_findings(ledger))
        else:
            retirement = retire_rulebook(ledger, name, scope)
            book_document = _describe_retired(ledger, retirement)
            lines = list(_format_retirement(ledger, retirement, scope))
    if is_new_table:
        lines.append(f"The ledger has no hand from table {safe.terminal(scope.table, 60)}: check the spelling.")
        if verb == ADOPT:
            lines.append(f"To undo it: {_write_retire_command(name, scope, None)}")
    elif verb == ADOPT:
        lines.append("See what is on file: handledger findings")
    if format_ == "json":
        console.write_document(RulesDocument(books=[book_document], clauses=[], recorded=verb), file)
    else:
        console.write_text("\n".join(lines), file)


def _write_retire_command(name: str, scope: AdoptionScope, moment: Millis | None) -> str:
    """Return the command that retires a book for this room and table, from a time on or from now on."""
    options = (("--venue", scope.venue), ("--table", scope.table), ("--since", format_moment(moment)))
    scope_text = "".join(f" {option} {shlex.quote(value)}" for option, value in options if value)
    return safe.terminal(f"handledger rules retire {shlex.quote(name)}{scope_text}", 400)


def _describe_time(ledger: Ledger, scope: AdoptionScope, moment: Millis) -> str:
    """Return a time in UTC and, if the adoption is for one table, by the clock of its room."""
    from projections.addresses.room_days import RoomClock

    utc_text = f"{format_minute(moment).removesuffix('Z')} UTC"
    table_rows = _list_tables(ledger, scope)
    if not scope.table or len({row.venue for row in table_rows}) != 1:
        return utc_text
    room_time, zone_name = RoomClock(ledger, table_rows[0]).format_time(moment, "")
    room_text = room_time[:16].replace("T", " ")
    if zone_name == "UTC" or not room_text:
        return utc_text
    return f"{utc_text} ({safe.terminal(room_text, 16)} in the room)"


def _list_tables(ledger: Ledger, scope: AdoptionScope) -> list[TableRow]:
    """Return the tables of a scope that names a table."""
    rows = ledger.tables(scope.table)
    return [row for row in rows if row.table == scope.table and scope.venue in ("", row.venue)]


def _format_adoption(
    adoption: AdoptionResult, scope: AdoptionScope, describe_time: Callable[[Millis], str]
) -> Iterator[str]:
    """Yield the result of an adoption as sentences."""
    from projections.books.adoption import describe_scope

    book_text = _name_book(adoption.name, adoption.book.edition)
    next_adoption = adoption.next_adoption
    next_time = None if next_adoption is None else next_adoption.since
    place_text = describe_scope(scope.venue, scope.table)
    start_text = "" if scope.effective_at is None else f" from {describe_time(scope.effective_at)}"
    end_text = "" if next_time is None else f" up to {describe_time(next_time)}"
    if adoption.is_recorded:
        yield f"{book_text} is adopted{place_text}{start_text}{end_text}. Commands use it when you leave out -r."
    elif adoption.stored_file_count:
        yield f"The text of {book_text} was missing and is now in the ledger. The book is in force where it was before."
    else:
        yield f"{book_text} is adopted already{place_text}{start_text}{end_text}. Nothing was written."
    if next_adoption is not None:
        yield (
            f"From then on {_name_book(next_adoption.book, next_adoption.edition)} stays in force. "
            f"To end that: {_write_retire_command(next_adoption.book, scope, next_time)}"
        )
    if adoption.stored_file_count:
        size = sum(len(own_file.file.data) for own_file in adoption.book.own_files)
        yield (
            f"Its text is kept in the ledger: {size:,} bytes, sha256 {adoption.book.digest[:12]}. "
            "Anyone with the ledger can use it; you may delete the file."
        )
    for own_file in adoption.replaced[-1:]:
        yield (
            f"{book_text} now replaces {_name_book(own_file.book, own_file.edition)} for past hands{place_text}. "
            f"To keep the earlier book for them, adopt it again, then {safe.terminal(adoption.name, 80)} with --since TIME."
        )


def _format_retirement(ledger: Ledger, retirement: Adoption, scope: AdoptionScope) -> Iterator[str]:
    """Yield which book was retired, and which one is in force now."""
    from projections.books.adoption import describe_scope, find_book_in_force

    place_text = describe_scope(scope.venue, scope.table)
    end_text = f" from {_describe_time(ledger, scope, scope.effective_at)}" if scope.effective_at is not None else ""
    yield f"{_name_book(retirement.book, retirement.edition)} is retired{place_text}{end_text}."
    remaining = find_book_in_force(ledger, scope)
    if remaining is not None:
        start_text = (
            "" if remaining.since is None else f", adopted from {_describe_time(ledger, scope, remaining.since)}"
        )
        yield f"In force there now: {_name_book(remaining.book, remaining.edition)}{start_text}."


def _name_book(name: str, edition: str) -> str:
    return f"{safe.terminal(name, 80)} ({safe.terminal(edition, 80)})"


def _describe_retired(ledger: Ledger, adoption: Adoption) -> BookDocument:
    """Return the document of a retired book; without its title and clauses if its file is missing."""
    from projections.books.shelf import Shelf

    try:
        return build_book(Shelf(ledger).load_adopted(adoption))
    except HandledgerError:
        return BookDocument(adoption.book, "", adoption.edition, adoption.digest, 0)
