"""Adopt or retire a rulebook for a house: append the event to its stream, and store the files of its own books."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import safe
from ledger.entry import Provenance
from ledger.errors import ConflictError, RulebookError, UsageError
from ledger.house.books import ADOPTIONS, Adoption, find_books_in_force
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.store.requests import rulebook_files
from ledger.store.requests.rulebook_files import StoredBookFile
from ledger.streams import HOUSE
from ledger.text.language import phrase
from projections.books import rulebook
from projections.books.rulebook import BOOK_SUFFIX, BUILT_IN
from projections.books.shelf import BOOK_NAME_PATTERN, MAX_NAME_LENGTH, Shelf

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import Millis
    from projections.books.book_draft import BookDraft
    from projections.books.rulebook import Rulebook

RESERVED_WORDS: Final = ("new", "adopt", "retire", "diff")
"""Subcommands of `handledger rules`, which can't be names of books."""
_COMMAND_NAME: Final = "rules"


class AdoptionScope(NamedTuple):
    """Where an adoption applies, and when it starts or ends."""

    venue: str  # "" = every room
    table: str  # "" = every table
    effective_at: Millis | None  # None = for all hands

    @property
    def is_everywhere(self) -> bool:
        """Whether it is every room and table at any time."""
        return self == AdoptionScope("", "", None)


class AdoptionResult(NamedTuple):
    """The result of adopting a book."""

    book: Rulebook
    name: str  # without edition
    is_recorded: bool  # an event was written; False = the book was adopted already
    stored_file_count: int  # files that the ledger didn't have
    replaced: list[Adoption]  # adoptions of other texts for the same room, table and start, which the new one overrides
    next_adoption: Adoption | None  # of another text for the same room and table, from a later time on


def adopt_rulebook(ledger: Ledger, name: str, scope: AdoptionScope) -> AdoptionResult:
    """Adopt a book by its name or path, and store the files of a house's own book.

    Nothing is recorded if the scope's newest adoption is of this book already. Nor is it if the house adopted the book
    for any scope and only its file was missing: adopting it everywhere then restores the file.
    """
    shelf = Shelf(ledger)
    return _adopt(ledger, shelf, shelf.load(name), scope, name if name.endswith(BOOK_SUFFIX) else "")


def adopt_written_book(ledger: Ledger, book: Rulebook, scope: AdoptionScope, seen_version: int) -> AdoptionResult:
    """Adopt a book of the house's own that was just written, as `adopt_rulebook` adopts its file.

    `seen_version`: of the adoptions that its author saw. `ConflictError` if somebody adopted or retired a book since.
    """
    file_name = f"{book.plain_name}{BOOK_SUFFIX}"
    return _adopt(ledger, Shelf(ledger), book, scope, file_name, seen_version)


def read_adoptions_version(ledger: Ledger) -> int:
    """Return the position in the log of the last adoption or retirement; 0 if there is none."""
    return max((entry.position for entry in ledger.entries_of_types(HOUSE, *ADOPTIONS)), default=0)


def _adopt(
    ledger: Ledger,
    shelf: Shelf,
    book: Rulebook,
    scope: AdoptionScope,
    own_file_name: str,
    seen_version: int | None = None,
) -> AdoptionResult:
    """Adopt a book. `own_file_name`: "" for a book that the program or the ledger has."""
    book_name = book.plain_name.partition("@")[0]
    if own_file_name:
        _require_valid_name(book, own_file_name)
        _require_free_name(shelf, book, own_file_name)
    own_files = [_make_stored_file(book_draft) for book_draft in book.own_files] if own_file_name else []
    adoption = Adoption(
        book=book_name,
        edition=book.edition,
        digest=book.digest,
        venue=scope.venue,
        table=scope.table,
        since=scope.effective_at,
    )
    earlier_adoptions = _list_current_adoptions(shelf, scope)
    is_adopted = bool(earlier_adoptions) and earlier_adoptions[-1] == adoption
    if own_file_name:
        rulebook_files.create_table(ledger)
    with ledger.writing() as link:
        if seen_version is not None and not is_adopted:
            _require_unchanged(ledger, seen_version)
        stored_file_count = rulebook_files.store_files(link, own_files) if own_files else 0
        is_restoring_file = stored_file_count > 0 and bool(shelf.list_adoptions(book.digest)) and scope.is_everywhere
        is_recorded = not is_adopted and not is_restoring_file
        if is_recorded:
            event = _build_adoption_event(adoption)
            ledger.append_within(link, "house", HOUSE, [event], Provenance(ledger.now(), writer=_COMMAND_NAME))
    replaced = [
        earlier_adoption
        for earlier_adoption in earlier_adoptions
        if earlier_adoption.digest != book.digest and earlier_adoption.since == scope.effective_at
    ]
    return AdoptionResult(
        book,
        book_name,
        is_recorded,
        stored_file_count,
        replaced if is_recorded else [],
        _find_next_adoption(earlier_adoptions, adoption),
    )


def _require_unchanged(ledger: Ledger, seen_version: int) -> None:
    """Raise `ConflictError` if a book was adopted or retired since."""
    if read_adoptions_version(ledger) != seen_version:
        raise ConflictError(
            phrase("Somebody adopted or retired a rulebook since you opened the page."),
            phrase("Look at the books in force. If your answers still fit, adopt them again."),
        )


def _find_next_adoption(current_adoptions: list[Adoption], adoption: Adoption) -> Adoption | None:
    """Return what ends an adoption for the same room and table: the first that starts later, if of another text."""
    later_adoptions = [
        later_adoption
        for later_adoption in current_adoptions
        if later_adoption.since is not None and (adoption.since is None or later_adoption.since > adoption.since)
    ]
    next_adoption = min(later_adoptions, key=lambda later_adoption: later_adoption.since or 0, default=None)
    return next_adoption if next_adoption is not None and next_adoption.digest != adoption.digest else None


def _build_adoption_event(adoption: Adoption) -> RulebookAdopted:
    return RulebookAdopted(
        book=adoption.book,
        edition=adoption.edition,
        digest=adoption.digest,
        venue=adoption.venue,
        table=adoption.table,
        since=adoption.since,
        by="house",
    )


def _require_valid_name(book: Rulebook, path: str) -> None:
    """Raise an error if a file can't have this name or this edition."""
    name, edition = book.plain_name, book.edition
    if name in (*rulebook.list_names(), BUILT_IN, *RESERVED_WORDS):
        owner = "a word of handledger rules" if name in RESERVED_WORDS else "a built-in rulebook"
        raise UsageError(
            f"{name} is {owner}", f"Rename your file, for example to our-{name}{BOOK_SUFFIX}. Nothing was adopted."
        )
    if not BOOK_NAME_PATTERN.fullmatch(name):
        raise UsageError(
            f"{name!r} can't be the name of a rulebook: people type it, and it is printed before each clause",
            f"Name the file with up to {MAX_NAME_LENGTH} letters, digits, - and _, for example my-room.toml. Nothing was adopted.",
        )
    if not edition.isprintable() or not 0 < len(edition) <= MAX_NAME_LENGTH or edition != edition.strip():
        raise RulebookError(
            f"{path}: edition = {edition[:MAX_NAME_LENGTH]!r} can't name an edition",
            f'Use up to {MAX_NAME_LENGTH} printable characters, for example edition = "1". Nothing was adopted.',
        )


def _require_free_name(shelf: Shelf, book: Rulebook, path: str) -> None:
    """Raise an error if the house adopted this file under another name, or this name and edition with another text."""
    name, edition = book.plain_name, book.edition
    for adoption in shelf.adopted:
        has_same_bytes = bool(adoption.digest) and book.digest.startswith(adoption.digest.lower())
        if has_same_bytes and adoption.book != name:
            raise UsageError(
                f"the same file is already adopted as {adoption.book}",
                f"To adopt it for another place or time: handledger rules adopt {adoption.book}. Nothing was adopted.",
            )
        if adoption.book == name and adoption.edition == edition and adoption.digest and not has_same_bytes:
            raise UsageError(
                f"edition {edition!r} of {name} is already adopted with a different text",
                f'Raise the edition in {path}, for example edition = "2". '
                "Findings then show which text they were judged by. Nothing was adopted.",
            )


def _list_current_adoptions(shelf: Shelf, scope: AdoptionScope) -> list[Adoption]:
    """Return the adoptions for exactly this room and table that aren't retired."""
    return [
        adoption
        for adoption in shelf.adopted
        if (adoption.venue, adoption.table, adoption.until) == (scope.venue, scope.table, None)
    ]


def _make_stored_file(book_draft: BookDraft) -> StoredBookFile:
    return StoredBookFile(
        book_draft.digest, "" if book_draft.base is None else book_draft.base.digest, book_draft.file.data
    )


def retire_rulebook(ledger: Ledger, name: str, scope: AdoptionScope) -> Adoption:
    """Retire a book and return its adoption. It works without the book's file."""
    book_name, _, edition = (Path(name).stem if name.endswith(BOOK_SUFFIX) else name).partition("@")
    shelf = Shelf(ledger)
    adoptions = [
        adoption
        for adoption in _list_current_adoptions(shelf, scope)
        if adoption.book == book_name and edition in ("", adoption.edition)
    ]
    if not adoptions:
        if book_name not in {adoption.book for adoption in shelf.adopted}:
            shelf.load(name)  # raises an error that suggests names, unless such a book exists
        raise _not_adopted_error(shelf, name, book_name, scope)
    event = RulebookRetired(book_name, adoptions[-1].edition, scope.venue, scope.table, scope.effective_at)
    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer=_COMMAND_NAME))
    return adoptions[-1]


def find_book_in_force(ledger: Ledger, scope: AdoptionScope) -> Adoption | None:
    """Return the adoption that is in force at a table or room now. None: no book is, or it differs within the scope."""
    adoptions = Shelf(ledger).adopted
    if any((adoption.venue and not scope.venue) or (adoption.table and not scope.table) for adoption in adoptions):
        return None
    return next(iter(find_books_in_force(adoptions, scope.venue, scope.table, ledger.now())), None)


def _not_adopted_error(shelf: Shelf, name: str, book_name: str, scope: AdoptionScope) -> UsageError:
    """Return the error for a book that isn't in force for exactly this room and table: it names where it is."""
    place_text = describe_scope(scope.venue, scope.table)
    current_scopes = dict.fromkeys(
        (adoption.venue, adoption.table)
        for adoption in shelf.adopted
        if adoption.book == book_name and adoption.until is None
    )
    if not current_scopes:
        return UsageError(f"{name} isn't adopted, or is retired already", "Nothing was written.")
    if (scope.venue, scope.table) in current_scopes:
        return UsageError(
            f"this edition of {name.partition('@')[0]} isn't adopted{place_text}",
            f"Leave out the edition: handledger rules retire {book_name}",
        )
    if ("", "") in current_scopes:
        return UsageError(f"{name} is adopted for all tables, not just{place_text}", "Leave out --venue and --table.")
    places_text = " and".join(describe_scope(venue, table) for venue, table in current_scopes)
    options_text = ", or ".join(
        " ".join(
            f"{option} {shlex.quote(value)}" for option, value in (("--venue", venue), ("--table", table)) if value
        )
        for venue, table in current_scopes
    )
    verb = "Write" if scope.venue or scope.table else "Add"
    return UsageError(f"{name} is adopted only{places_text}", f"{verb} {options_text}.")


def describe_scope(venue: str, table: str) -> str:
    """Return where an adoption applies, as it follows "is adopted": " in Riverside at table T3"; "" = everywhere."""
    return "".join(
        f" {label} {safe.terminal(value, 60)}" for label, value in (("in", venue), ("at table", table)) if value
    )
