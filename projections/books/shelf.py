"""Look up the rulebooks of a ledger: the built-in books and the house's own."""

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
from ledger.house.books import ADOPTIONS, Adoption, read_adoptions
from ledger.store.requests import rulebook_files
from ledger.streams import HOUSE
from ledger.text.language import join_list, join_sentences, phrase
from projections.books import book_file, rulebook
from projections.books.book_draft import read_header
from projections.books.rulebook import BOOK_SUFFIX, BUILT_IN, MAX_EXTENDS_DEPTH

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.requests.rulebook_files import StoredBookFile
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

MAX_NAME_LENGTH: Final = 60
"""The most characters that the name of a house book may have, or its edition."""
BOOK_NAME_PATTERN: Final = re.compile(rf"\w[\w-]{{0,{MAX_NAME_LENGTH - 1}}}")
"""Allowed names of a house book. A name has no dot, because a dot separates book and clause."""
_FULL_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_MIN_DIGEST_DIGITS: Final = 8
"""Least number of hex digits that can stand for a book's digest."""


class Shelf:
    """Looks up the rulebooks of a ledger by name or by adoption."""

    def __init__(self, ledger: Ledger | None) -> None:
        """Read the adoptions in the house's stream. Without a ledger there are only built-in books."""
        self._ledger = ledger
        self.adopted = [] if ledger is None else read_adoptions(ledger.entries_of_types(HOUSE, *ADOPTIONS))
        self._books: dict[tuple[str, str, str], Rulebook] = {}

    def list_names(self) -> list[str]:
        """Return the names of all books, including earlier editions of the house's own."""
        return [*rulebook.list_names(), *self.list_own_names()]

    def list_own_names(self) -> list[str]:
        """Return the names of the house's own books."""
        return sorted(self._own_adoptions)

    def load(self, name: str) -> Rulebook:
        """Load a built-in book, as `rulebook.load` does, or one of the house's own.

        A house book is NAME (the edition adopted last), NAME@EDITION, or NAME@DIGEST with 8 or more digits.
        """
        if name.endswith(BOOK_SUFFIX):  # always a path: a ledger from a stranger may have a book of that name
            return rulebook.load(name)
        if name in self._own_adoptions:
            return self.load_adopted(self._own_adoptions[name])
        book_name, _, edition = name.partition("@")
        if book_name in self._own_adoptions:
            adoptions_of_book = [adoption for adoption in self._own_adoptions.values() if adoption.book == book_name]
            matches = [
                adoption
                for adoption in adoptions_of_book
                if edition == adoption.edition or _is_digest_prefix(adoption.digest, edition)
            ]
            if len(matches) == 1:
                return replace(self.load_adopted(matches[0]), argument=name)
            known_editions = ", ".join(
                f"{book_name}@{adoption.edition} (SHA-256 {adoption.digest[:_MIN_DIGEST_DIGITS]}…)"
                for adoption in adoptions_of_book
            )
            if matches:
                message = phrase(
                    "the house has {number} editions {edition} of {book}",
                    number=len(matches),
                    edition=repr(edition),
                    book=book_name,
                )
            else:
                message = phrase("the house has no edition {edition} of {book}", edition=repr(edition), book=book_name)
            raise RulebookError(message, phrase("Choose one of: {choices}.", choices=known_editions))
        if book_name in (*rulebook.list_names(), BUILT_IN):
            return rulebook.load(name)
        raise rulebook.unknown_book_error(name, self.list_names())

    def load_all(self) -> list[Rulebook]:
        """Return all books whose files can be read."""
        books = [rulebook.load(name) for name in rulebook.list_names()]
        for name in self.list_own_names():
            with suppress(HandledgerError):
                books.append(self.load(name))
        return books

    def load_adopted(self, adoption: Adoption) -> Rulebook:
        """Return the adopted book: that edition, with exactly those bytes if the adoption has a digest."""
        key = adoption.book, adoption.edition, adoption.digest.lower()
        if key not in self._books:
            book = self._build_own_book(adoption) if self._is_own(adoption) else _load_shipped(adoption)
            equal_book = next((loaded for loaded in self._books.values() if loaded.digest == book.digest), None)
            if equal_book is None and book.name in {loaded.name for loaded in self._books.values()}:
                book = replace(book, name=f"{book.name}@{book.edition}")
            self._books[key] = equal_book or book
        return self._books[key]

    def find_loaded(self, adoption: Adoption) -> Rulebook | None:
        """Return the adopted book if `book` has loaded it; otherwise None."""
        return self._books.get((adoption.book, adoption.edition, adoption.digest.lower()))

    def update_book_name(self, finding: Finding) -> Finding:
        """Return a stored finding under its book's current name: an earlier edition is now called NAME@EDITION."""
        name = self._current_names.get((finding.book, finding.edition), finding.book)
        return finding if name == finding.book else msgspec.structs.replace(finding, book=name)

    def list_missing(self) -> list[Adoption]:
        """Return the adoptions of house books whose files aren't stored in this ledger."""
        missing_books = []
        for adoption in self._own_adoptions.values():
            try:
                self._read_files(adoption)
            except (NoBookFileError, RulebookError):
                missing_books.append(adoption)
        return missing_books

    def list_adoptions(self, digest: str) -> list[Adoption]:
        """Return the adoptions of the book with a digest."""
        return [adoption for adoption in self.adopted if adoption.digest and digest.startswith(adoption.digest.lower())]

    @cached_property
    def _current_names(self) -> dict[tuple[str, str], str]:
        """The current names of the house's own books, by name and edition."""
        return {(adoption.book, adoption.edition): name for name, adoption in self._own_adoptions.items()}

    @cached_property
    def _stored_files(self) -> dict[str, str]:
        """The stored book files by digest, each with the digest of the file that it extends."""
        return {} if self._ledger is None else rulebook_files.list_kept_books(self._ledger)

    def _is_own(self, adoption: Adoption) -> bool:
        """Whether an adopted book is the house's own: not built in, or different from the built-in one and stored."""
        return adoption.book not in rulebook.list_names() or (
            adoption.digest.lower() != rulebook.load(adoption.book).digest
            and adoption.digest.lower() in self._stored_files
        )

    @cached_property
    def _own_adoptions(self) -> dict[str, Adoption]:
        """The adoptions of house books by current name: the last adopted edition has the plain name."""
        by_name: dict[str, dict[str, Adoption]] = {}
        for adoption in self.adopted:
            if self._is_own(adoption):
                by_digest = by_name.setdefault(adoption.book, {})
                by_digest.pop(adoption.digest.lower(), None)  # a repeated adoption moves to the end
                by_digest[adoption.digest.lower()] = adoption
        books = {}
        for name, editions in by_name.items():
            *earlier, last = editions.values()
            for adoption in earlier:
                shares_edition = sum(same_name.edition == adoption.edition for same_name in editions.values()) > 1
                suffix = adoption.digest.lower()[:_MIN_DIGEST_DIGITS] if shares_edition else adoption.edition
                books[f"{name}@{suffix}"] = adoption
            books[name] = last
        return books

    def _build_own_book(self, adoption: Adoption) -> Rulebook:
        """Build a house book from its stored bytes; `IntegrityError` if they aren't those that were adopted."""
        try:
            files = self._read_files(adoption)
            house_book = rulebook.read_house_book(adoption.book, tuple(file.data for file in files))
        except RulebookError as error:
            raise _unreadable_error(adoption, error) from None
        if house_book.digest != files[0].digest:
            raise IntegrityError(
                f"the stored file of the house's rulebook {_name_edition(adoption)} differs from the one the house adopted",
                "Store the right one: handledger rules adopt FILE. Then look for more damage: handledger verify.",
            )
        name = next(
            name
            for name, own_adoption in self._own_adoptions.items()
            if own_adoption.digest.lower() == adoption.digest.lower()
        )
        return house_book if name == house_book.name else replace(house_book, name=name)

    def _read_files(self, adoption: Adoption) -> list[StoredBookFile]:
        """Return a book's stored file and those that it extends; `NoBookFileError` if one of them is missing."""
        digest = (
            adoption.digest.lower() if BOOK_NAME_PATTERN.fullmatch(adoption.book) and adoption.book != BUILT_IN else ""
        )
        if _FULL_DIGEST.fullmatch(digest):
            full_digests = [digest]
        else:
            full_digests = [stored for stored in self._stored_files if _is_digest_prefix(stored, digest)]
        files: list[StoredBookFile] = []
        next_digest = full_digests[0] if len(full_digests) == 1 else ""
        while self._ledger is not None and next_digest in self._stored_files and len(files) <= MAX_EXTENDS_DEPTH:
            files.append(rulebook_files.read_file(self._ledger, next_digest))
            next_digest = files[-1].base
        if not files or _lacks_base_file(adoption.book, files[-1]):
            raise _missing_file_error(adoption)
        return files


def _lacks_base_file(name: str, last_file: StoredBookFile) -> bool:
    """Whether a file extends another file that isn't stored. A built-in base needs no file."""
    if not last_file.base:
        return False
    header, _ = read_header(book_file.BookFile(name + BOOK_SUFFIX, last_file.data))
    return header.extends.endswith(BOOK_SUFFIX)


def _is_digest_prefix(digest: str, prefix: str) -> bool:
    """Whether a digest begins with a prefix of enough digits."""
    return len(prefix) >= _MIN_DIGEST_DIGITS and digest.lower().startswith(prefix.lower())


def load_books(ledger: Ledger | None, book_names: Iterable[str] | None) -> list[Rulebook]:
    """Load the named books, each once; [] for no names."""
    unique_names = list(dict.fromkeys(book_names or ()))
    return list(map(Shelf(ledger).load, unique_names)) if unique_names else []


def name_editions_apart(books: Iterable[Rulebook]) -> list[Rulebook]:
    """Return the books, a second edition of one under a name of its own: `hilton@1999`."""
    books_by_name: dict[str, Rulebook] = {}
    for book in books:
        name = book.name if book.name not in books_by_name else f"{book.name}@{book.edition}"
        books_by_name[name] = replace(book, name=name) if name != book.name else book
    return list(books_by_name.values())


def _missing_file_error(adoption: Adoption) -> NoBookFileError:
    file = safe.terminal(shlex.quote(adoption.book.removesuffix(BOOK_SUFFIX) + BOOK_SUFFIX), 80)
    digest = safe.terminal(adoption.digest, 64)
    if digest:
        advice = phrase(
            "Get the file and store it: handledger rules adopt {file} (SHA-256 {digest}).", file=file, digest=digest
        )
    else:
        advice = phrase(
            "Get the file and store it: handledger rules adopt {file}. Its digest isn't recorded, so adopt it again.",
            file=file,
        )
    return NoBookFileError(
        phrase("the house adopted its own rulebook {book}, and the file is missing here", book=_name_edition(adoption)),
        join_sentences(
            [advice, phrase("Or choose a rulebook with -r: {names}.", names=join_list(rulebook.list_names()))]
        ),
    )


def _name_edition(adoption: Adoption) -> str:
    edition = f" {adoption.edition!r}" if adoption.edition else ""
    return f"{adoption.book!r}{edition}"


def _unreadable_error(adoption: Adoption, error: HandledgerError) -> RulebookError:
    return RulebookError(
        phrase(
            "the house's rulebook {book} can't be read by this version of the program: {message}",
            book=_name_edition(adoption),
            message=error.message,
        ),
        error.hint or phrase("Use the version that adopted it, or choose a rulebook with -r."),
    )


def _load_shipped(adoption: Adoption) -> Rulebook:
    """Load the built-in book that was adopted; `UsageError` if this program has other bytes for that edition."""
    book = rulebook.load(f"{adoption.book}@{adoption.edition}" if adoption.edition else adoption.book)
    if not book.digest.startswith(adoption.digest.lower()):
        raise UsageError(
            phrase(
                "the house adopted another text of {book} {edition} than this program has",
                book=adoption.book,
                edition=repr(adoption.edition),
            ),
            join_sentences(
                [
                    phrase(
                        "Adopted: SHA-256 {adopted_digest}, here: {digest}.",
                        adopted_digest=safe.terminal(adoption.digest, 64),
                        digest=book.digest,
                    ),
                    suggest_books(rulebook.list_names()),
                ]
            ),
        )
    return book


def suggest_books(names: Iterable[str]) -> str:
    """Return a hint that lists the books to choose from."""
    return phrase("Choose a rulebook with -r: {names}.", names=join_list([*names]))
