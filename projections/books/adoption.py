"""A house takes up a rulebook, or lays one down: what is written into its stream, and the files of a book of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.entry import Recorded
from ledger.errors import RulebookError, UsageError
from ledger.house.books import Adoption
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.store import rulebooks
from ledger.store.rulebooks import BookFile
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.books.rulebook import BUILT_IN, FILE
from projections.books.shelf import NAME, Shelf

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import Millis
    from projections.books.book_draft import Draft
    from projections.books.rulebook import Rulebook

WORDS: Final = ("new", "adopt", "retire", "diff")
"""What stands where the name of a book may stand."""
_EDITION_MOST: Final = 60
_BY: Final = "rules"


class Where(NamedTuple):
    """For which room and table, from or until when."""

    venue: str
    table: str
    at: Millis | None


class Adopted(NamedTuple):
    """What came of it. `said`: it was written into the house's stream; else the stream says so already."""

    book: Rulebook
    name: str
    said: bool
    files: int  # that were put into the ledger
    instead: list[Adoption]  # what was in force there for hands that it is in force for, too


def adopt(ledger: Ledger, name: str, where: Where) -> Adopted:
    """Write down that a book is in force; of a book of the house's own keep the files, too.

    A book that was adopted and whose file was missing is only put in where no place and no time is told.
    """
    shelf = Shelf(ledger)
    book = shelf.load(name)
    of_file = name.endswith(FILE)
    called = book.plain_name.partition("@")[0]
    if of_file:
        _fit(shelf, book, name)
    files = [_file(one) for one in book.own_files] if of_file else []
    event = RulebookAdopted(called, book.edition, book.digest, where.venue, where.table, where.at, "house")
    told = [one for one in shelf.adopted if (one.venue, one.table, one.until) == (where.venue, where.table, None)]
    there = bool(told) and told[-1] == Adoption(called, book.edition, book.digest, where.venue, where.table, where.at)
    if of_file:
        rulebooks.prepare(ledger)
    with ledger.writing() as link:
        new = rulebooks.keep(link, files) if files else 0
        mended = bool(new) and bool(shelf.told(book.digest)) and where == Where("", "", None)
        said = not there and not mended
        if said:
            ledger.append_within(link, "house", HOUSE, [event], Recorded(ledger.now(), by=_BY))
    instead = [one for one in told if one.digest != book.digest and one.since == where.at] if said else []
    return Adopted(book, called, said, new, instead)


def _file(made: Draft) -> BookFile:
    return BookFile(made.digest, "" if made.base is None else made.base.digest, made.file.data)


def retire(ledger: Ledger, name: str, where: Where) -> Adoption:
    """Write down that a book is no longer in force; return what is laid down. Its file need not be here."""
    called, _, edition = (Path(name).stem if name.endswith(FILE) else name).partition("@")
    shelf = Shelf(ledger)
    here = [
        one
        for one in shelf.adopted
        if (one.book, one.venue, one.table, one.until) == (called, where.venue, where.table, None)
        and edition in ("", one.edition)
    ]
    if not here:
        if called not in {one.book for one in shelf.adopted}:
            shelf.load(name)  # a name that nothing has is said to be one
        raise UsageError(f"{name} is not in force there", "handledger rules adopt says where it is to be.")
    event = RulebookRetired(called, here[-1].edition, where.venue, where.table, where.at)
    ledger.append("house", HOUSE, [event], recorded=Recorded(ledger.now(), by=_BY))
    return here[-1]


def _fit(shelf: Shelf, book: Rulebook, path: str) -> None:
    """Refuse a file that could not be told from another book afterwards; say how it can."""
    name, edition = book.plain_name, book.edition
    if name in (*rulebook.names(), BUILT_IN, *WORDS):
        what = "a word of handledger rules" if name in WORDS else "a rulebook of this program's"
        raise UsageError(f"{name} is {what}", f"Call your file otherwise, as our-{name}{FILE}; nothing was adopted.")
    if not NAME.fullmatch(name):
        raise UsageError(
            f"a rulebook cannot be adopted as {name!r}: its name is typed, and printed before its clauses",
            "Call the file with up to 60 letters, digits, - and _, as my-room.toml; nothing was adopted.",
        )
    if not edition.isprintable() or not 0 < len(edition) <= _EDITION_MOST or edition != edition.strip():
        raise RulebookError(
            f"{path}: edition = {edition[:_EDITION_MOST]!r} is nothing to call a book by",
            f'Up to {_EDITION_MOST} characters that can be printed, as edition = "1"; nothing was adopted.',
        )
    for one in shelf.adopted:
        same = bool(one.digest) and book.digest.startswith(one.digest.lower())
        if same and one.book != name:
            raise UsageError(
                f"these very bytes are adopted as {one.book}",
                f"handledger rules adopt {one.book} takes them for another place or time; nothing was adopted.",
            )
        if one.book == name and one.edition == edition and one.digest and not same:
            raise UsageError(
                f"edition {edition!r} of {name} is adopted, and this is another text",
                f'Raise the edition in {path}, as its text changed: edition = "2", and so on. '
                "What was judged by the earlier one can so be told apart; nothing was adopted.",
            )
