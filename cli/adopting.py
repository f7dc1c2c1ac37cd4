"""`handledger rules adopt` and `rules retire`: the house says which rulebook is in force where."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cli import opening, output
from cli.rulings import RulesDocument
from ledger import safe
from ledger.entry import Recorded
from ledger.errors import UsageError
from ledger.house.books import ADOPTIONS, adoptions
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.streams import HOUSE
from ledger.vocabulary import Millis
from projections.reports.books import BookTold
from projections.rulebook import load

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


class Where(NamedTuple):
    """For which room and table, from or until when."""

    venue: str
    table: str
    at: Millis | None


def record(verb: str, name: str | None, where: Where, url: str | None, format_: str, file: Path | None) -> None:
    """Write into the house's record that a book is adopted, or retired."""
    if not name:
        raise UsageError("which rulebook?", f"handledger rules {verb} hilton --table T3 --since 2026-01-02")
    book = load(name)
    if verb == ADOPT and name.endswith(".toml"):
        raise UsageError(
            "a book of your own cannot be adopted: the ledger names a book, and its file need not be where the ledger is read",
            f"Say it with each command: -r {shlex.quote(name)}; handledger serve takes it, too.",
        )
    with opening.opened(url, read_only=False) as ledger:
        if verb == ADOPT:
            event: RulebookAdopted | RulebookRetired = RulebookAdopted(
                name, book.edition, book.digest, where.venue, where.table, where.at, "house"
            )
        else:
            here = [
                one
                for one in adoptions(ledger.told(HOUSE, *ADOPTIONS))
                if (one.book, one.venue, one.table) == (name, where.venue, where.table) and one.until is None
            ]
            if not here:
                raise UsageError(f"{name} is not in force there", "handledger rules adopt says where it is to be.")
            event = RulebookRetired(name, here[-1].edition, where.venue, where.table, where.at)
        new = bool(where.table) and not [
            row for row in ledger.tables(where.table) if row.table == where.table and where.venue in ("", row.venue)
        ]
        ledger.append("house", HOUSE, [event], recorded=Recorded(ledger.now(), by="rules"))
    if format_ == "json":
        told = BookTold(book.name, book.title, book.edition, book.digest, len(book.clauses), book.extends)
        output.document(RulesDocument(books=[told], clauses=[], recorded=verb), file)
        return
    place = " ".join(
        f"{word} {safe.terminal(value, 60)}"
        for word, value in (("in", where.venue), ("at table", where.table))
        if value
    )
    done = "is adopted" if verb == ADOPT else "is retired"
    output.put(
        f"{safe.terminal(name)} ({safe.terminal(book.edition)}) {done}{' ' + place if place else ''}. "
        "Without -r, audit and owed go by what is adopted."
        + ("\nNo hand was played there yet, as far as this ledger knows: look at the spelling." if new else ""),
        file,
    )
