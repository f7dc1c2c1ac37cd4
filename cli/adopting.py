"""`handledger rules adopt` and `rules retire`: the house says which rulebook is in force where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import opening, output
from cli.rulings import RulesDocument
from ledger import safe
from ledger.errors import HandledgerError, UsageError
from projections.reports.books import BookTold, build_book

if TYPE_CHECKING:
    from ledger.house.books import Adoption
    from ledger.store import Ledger
    from projections.books.adoption import AdoptionResult, AdoptionScope

ADOPT, RETIRE = "adopt", "retire"

Venue = Annotated[str, typer.Option("--venue", help="With `adopt` and `retire`: in this room only.")]
Table = Annotated[str, typer.Option("--table", help="With `adopt` and `retire`: at this table only.")]
Since = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TIME",
        help="With `adopt`: from then on. With `retire`: until then. Without it: from the beginning, until now.",
    ),
]


def record(verb: str, name: str | None, where: AdoptionScope, url: str | None, format_: str, file: Path | None) -> None:
    """Write into the house's record that a book is adopted, or retired."""
    from projections.books import rulebook
    from projections.books.adoption import adopt_rulebook, retire_rulebook

    if not name:
        raise UsageError("which rulebook?", f"handledger rules {verb} hilton --table T3 --since 2026-01-02")
    known = verb == ADOPT and (name.endswith(".toml") or name in rulebook.names())
    if known:
        rulebook.load(name)  # a book that cannot be read makes no ledger
    # Any other name is of a book that a ledger holds already.
    with opening.opened(url, create=known, read_only=False) as ledger:
        new = bool(where.table) and not [
            row for row in ledger.tables(where.table) if row.table == where.table and where.venue in ("", row.venue)
        ]
        if verb == ADOPT:
            adopted = adopt_rulebook(ledger, name, where)
            told, lines = build_book(adopted.book), list(_adopted(adopted, where))
        else:
            retired = retire_rulebook(ledger, name, where)
            told, lines = (
                _retired(ledger, retired),
                [f"{_called(retired.book, retired.edition)} is retired{_at(where)}."],
            )
    if new:
        lines.append("No hand was played there yet, as far as this ledger knows: look at the spelling.")
    if format_ == "json":
        output.document(RulesDocument(books=[told], clauses=[], recorded=verb), file)
    else:
        output.put("\n".join(lines), file)


def _adopted(found: AdoptionResult, where: AdoptionScope) -> Iterator[str]:
    """Yield what came of it, for people."""
    called = _called(found.name, found.book.edition)
    if found.is_recorded:
        yield f"{called} is adopted{_at(where)}. Without -r, audit and owed go by what is adopted."
    elif found.files:
        yield f"The file of {called} was missing here and is now in the ledger; where it is in force stays as it was told."
    else:
        yield f"{called} is adopted already{_at(where)}. Nothing was written."
    if found.files:
        size = sum(len(one.file.data) for one in found.book.own_files)
        yield (
            f"Its text is kept in the ledger, {size:,} bytes, sha256 {found.book.digest[:12]}: whoever has the ledger "
            "judges by it, and the file may go."
        )
    for one in found.replaced[-1:]:
        yield (
            f"Hands that were played under {_called(one.book, one.edition)} are judged by it, too. "
            "With --since TIME they stay under that one."
        )


def _called(name: str, edition: str) -> str:
    return f"{safe.terminal(name, 80)} ({safe.terminal(edition, 80)})"


def _at(where: AdoptionScope) -> str:
    told = (("in", where.venue), ("at table", where.table))
    return "".join(f" {word} {safe.terminal(value, 60)}" for word, value in told if value)


def _retired(ledger: Ledger, one: Adoption) -> BookTold:
    """Return what is known of a book that is laid down: its file may be missing."""
    from projections.books.shelf import Shelf

    try:
        return build_book(Shelf(ledger).book(one))
    except HandledgerError:
        return BookTold(one.book, "", one.edition, one.digest, 0)
