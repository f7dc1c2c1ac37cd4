"""The rulebooks that hands of a ledger can be judged under: those of the program, and those that its house made and adopted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from ledger import safe
from ledger.errors import HandledgerError, IntegrityError, NoBookFileError, RulebookError, UsageError
from ledger.house.books import ADOPTIONS, Adoption, adoptions
from ledger.store import rulebooks
from ledger.streams import HOUSE
from projections.books import book_file, rulebook
from projections.books.book_draft import head
from projections.books.rulebook import BUILT_IN, DEPTH_MOST, FILE

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.rulebooks import BookFile
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

NAME: Final = re.compile(r"\w[\w-]{0,59}")
"""What a book of a house's own may be called: it is typed and printed, and a point stands between a book and its clause."""
_WHOLE: Final = re.compile(r"[0-9a-f]{64}")
_SHORT: Final = 8
"""Digits of a digest that tell a book from another of the same name and edition."""


class Shelf:
    """The rulebooks of a ledger: by the name that somebody says, and by what the house's stream tells of them."""

    def __init__(self, ledger: Ledger | None) -> None:
        """Read the house's stream; without a ledger there are the program's books alone."""
        self._ledger = ledger
        self.adopted = [] if ledger is None else adoptions(ledger.told(HOUSE, *ADOPTIONS))
        self._books: dict[tuple[str, str, str], Rulebook] = {}

    def names(self) -> list[str]:
        """Return the names of all books that can be asked for; of the house's own also those of earlier editions."""
        return [*rulebook.names(), *self.own()]

    def own(self) -> list[str]:
        """Return the names of the house's own books."""
        return sorted(self._own)

    def load(self, name: str) -> Rulebook:
        """Load a book: as `rulebook.load` does, or the house's own by its name, NAME@EDITION, or NAME@ the digits of its digest.

        By its bare name the one that was adopted last.
        """
        if name.endswith(FILE):  # also where a ledger, which a stranger may have written, calls a book so
            return rulebook.load(name)
        if name in self._own:
            return self.book(self._own[name])
        stem, _, which = name.partition("@")
        if stem in self._own:
            there = [one for one in self._own.values() if one.book == stem]
            found = [one for one in there if which == one.edition or _begins(one.digest, which)]
            if len(found) == 1:
                return self.book(found[0])
            known = ", ".join(f"{stem}@{one.edition} (SHA-256 {one.digest[:_SHORT]}…)" for one in there)
            raise RulebookError(f"the house has no edition {which!r} of {stem}, or several", f"Known: {known}.")
        if stem in (*rulebook.names(), BUILT_IN):
            return rulebook.load(name)
        raise rulebook.unknown(name, self.names())

    def all(self) -> list[Rulebook]:
        """Return all books; of the house's own those that can be read here."""
        found = [rulebook.load(name) for name in rulebook.names()]
        for name in self.own():
            with suppress(HandledgerError):
                found.append(self.load(name))
        return found

    def book(self, one: Adoption) -> Rulebook:
        """Return the very book that was adopted: its edition, and its bytes where these are told."""
        key = one.book, one.edition, one.digest.lower()
        if key not in self._books:
            book = self._made(one) if self._is_own(one) else _shipped(one)
            same = next((b for b in self._books.values() if b.digest == book.digest), None)
            if same is None and book.name in {b.name for b in self._books.values()}:
                book = replace(book, name=f"{book.name}@{book.edition}")
            self._books[key] = same or book
        return self._books[key]

    def made(self, one: Adoption) -> Rulebook | None:
        """Return the book that was adopted, if it was asked for before."""
        return self._books.get((one.book, one.edition, one.digest.lower()))

    def called(self, found: Finding) -> Finding:
        """Return a finding that is kept with the name that its book has now: an earlier edition's is NAME@EDITION."""
        name = self._called.get((found.book, found.edition), found.book)
        return found if name == found.book else msgspec.structs.replace(found, book=name)

    def missing(self) -> list[Adoption]:
        """Return the house's own books of which the files are not kept here."""
        found = []
        for one in self._own.values():
            try:
                self._files(one)
            except (NoBookFileError, RulebookError):
                found.append(one)
        return found

    def told(self, digest: str) -> list[Adoption]:
        """Return where and when a book of the house's own was adopted, by its digest."""
        return [one for one in self.adopted if one.digest and digest.startswith(one.digest.lower())]

    @cached_property
    def _called(self) -> dict[tuple[str, str], str]:
        return {(one.book, one.edition): name for name, one in self._own.items()}

    @cached_property
    def _kept(self) -> dict[str, str]:
        return {} if self._ledger is None else rulebooks.kept(self._ledger)

    def _is_own(self, one: Adoption) -> bool:
        """Whether it is no book of the program's: one that this version does not know, or whose file is kept here."""
        return one.book not in rulebook.names() or (
            one.digest.lower() != rulebook.load(one.book).digest and one.digest.lower() in self._kept
        )

    @cached_property
    def _own(self) -> dict[str, Adoption]:
        """The house's own books by the names that they go by: the one that was told last has the bare name."""
        by_name: dict[str, dict[str, Adoption]] = {}
        for one in self.adopted:
            if self._is_own(one):
                of_name = by_name.setdefault(one.book, {})
                of_name.pop(one.digest.lower(), None)  # what was adopted again is told last
                of_name[one.digest.lower()] = one
        found = {}
        for name, editions in by_name.items():
            *earlier, last = editions.values()
            for one in earlier:
                alike = sum(other.edition == one.edition for other in editions.values()) > 1
                found[f"{name}@{one.digest.lower()[:_SHORT] if alike else one.edition}"] = one
            found[name] = last
        return found

    def _made(self, one: Adoption) -> Rulebook:
        """Make a book of the house's own from the bytes that are kept of it."""
        try:
            files = self._files(one)
            made = rulebook.of_house(one.book, tuple(file.data for file in files))
        except RulebookError as error:
            raise _unread(one, error) from None
        if made.digest != files[0].digest:
            raise IntegrityError(
                f"the house's rulebook {_called(one)} is kept in this ledger with other bytes than the house adopted",
                "handledger verify says what else does not hold; handledger rules adopt FILE puts the right ones in.",
            )
        name = next(name for name, other in self._own.items() if other.digest.lower() == one.digest.lower())
        return made if name == made.name else replace(made, name=name)

    def _files(self, one: Adoption) -> list[BookFile]:
        """Return the file of a book and those that it extends; `NoBookFileError` where one is not kept here."""
        digest = one.digest.lower() if NAME.fullmatch(one.book) and one.book != BUILT_IN else ""
        whole = [name for name in self._kept if _begins(name, digest)] if not _WHOLE.fullmatch(digest) else [digest]
        found: list[BookFile] = []
        following = whole[0] if len(whole) == 1 else ""
        while self._ledger is not None and following in self._kept and len(found) <= DEPTH_MOST:
            found.append(rulebooks.read(self._ledger, following))
            following = found[-1].base
        if not found or _wants_more(one.book, found[-1]):
            raise _not_here(one)
        return found


def _wants_more(name: str, last: BookFile) -> bool:
    """Whether a file extends one that is not kept: the program's books are named by their editions."""
    return bool(last.base) and head(book_file.BookFile(name + FILE, last.data))[0].extends.endswith(FILE)


def _begins(digest: str, digits: str) -> bool:
    """Whether a digest begins with digits that are enough to mean it."""
    return len(digits) >= _SHORT and digest.lower().startswith(digits.lower())


def chosen(ledger: Ledger | None, named: Iterable[str] | None) -> list[Rulebook]:
    """Return the books of a ledger that somebody named, each once."""
    wanted = list(dict.fromkeys(named or ()))
    return list(map(Shelf(ledger).load, wanted)) if wanted else []


def _not_here(one: Adoption) -> NoBookFileError:
    file = safe.terminal(shlex.quote(one.book.removesuffix(FILE) + FILE), 80)
    digest = safe.terminal(one.digest, 64)
    return NoBookFileError(
        f"the house adopted {_called(one)}, which is no rulebook of this program's, and its text is not here",
        f"Whoever has the file puts it in: handledger rules adopt {file}"
        + (f", of SHA-256 {digest}." if digest else "; its digest is not told, so it is adopted anew.")
        + f" Or choose a rulebook with -r: {', '.join(rulebook.names())}.",
    )


def _called(one: Adoption) -> str:
    edition = f" {one.edition!r}" if one.edition else ""
    return f"{one.book!r}{edition}"


def _unread(one: Adoption, error: HandledgerError) -> RulebookError:
    return RulebookError(
        f"the house's rulebook {_called(one)} cannot be read by this version of the program: {error.message}",
        error.hint or "The version that it was adopted with can; or choose a rulebook with -r.",
    )


def _shipped(one: Adoption) -> Rulebook:
    """Load the very book of the program's that was adopted."""
    book = rulebook.load(f"{one.book}@{one.edition}" if one.edition else one.book)
    if not book.digest.startswith(one.digest.lower()):
        raise UsageError(
            f"the house adopted {one.book} {one.edition!r} with other bytes than this program's",
            f"Adopted: SHA-256 {safe.terminal(one.digest, 64)}, here: {book.digest}. {say(rulebook.names())}",
        )
    return book


def say(names: Iterable[str]) -> str:
    """Return how a book is chosen."""
    return f"Choose a rulebook with -r: {', '.join(names)}."
