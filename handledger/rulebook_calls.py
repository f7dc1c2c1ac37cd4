"""The rulebooks that come with handledger: their names, and the text of their clauses."""

from __future__ import annotations

from typing import Literal

import msgspec

from handledger import door_errors
from ledger.errors import NothingFoundError
from ledger.text.language import phrase
from projections.addresses.suggestions import suggest_names
from projections.books import rulebook
from projections.books.rulebook import Rulebook


class ClauseText(msgspec.Struct, frozen=True):
    """A clause of a rulebook, in our words; `place` is where it is in the printed book.

    `is_checked`: whether `audit` and `check` can find a breach of it. `reason`: why not, "" if they can.
    """

    book: str
    edition: str
    clause: str
    text: str
    place: str
    topic: str
    severity: Literal["error", "warning", "info"]
    is_checked: bool
    reason: str


def rulebooks() -> list[str]:
    """Return the names of the built-in rulebooks.

    >>> rulebooks()
    ['bicycle', 'hilton', 'house-burn', 'rrop4', 'tda2024']
    """
    return rulebook.list_names()


def load_rulebook(name: str) -> Rulebook:
    """Load a built-in rulebook by NAME or NAME@EDITION, or the house's own by the path of its `.toml` file.

    `RulebookError` lists all problems of a file, each with its line.

    >>> load_rulebook("hilton").title
    "Las Vegas Hilton poker room, section B: hold'em and games with blinds"
    """
    if not isinstance(name, str):
        raise door_errors.not_text("name", name)
    return rulebook.load(name)


def clause(book: str | Rulebook, number: str) -> ClauseText:
    """Return a clause of a rulebook. If the book lacks it, `NothingFoundError` names the nearest.

    >>> clause("hilton", "B12a.3").text
    'If the seat due a blind is empty that blind is dead: nobody posts it.'
    """
    loaded_book = book if isinstance(book, Rulebook) else load_rulebook(book)
    if not isinstance(number, str):
        raise door_errors.not_text("number", number)
    entry = loaded_book.draft.entries.get(number)
    if entry is None:
        suggestion = suggest_names(number[:80], list(loaded_book.draft.entries), "")
        raise NothingFoundError(
            phrase("{book} has no clause {number}.", book=loaded_book.name, number=repr(number[:80])), suggestion
        )
    unchecked_reason = entry.off
    if not entry.detector:
        unchecked_reason = entry.off or entry.defines or entry.permits or entry.undetectable or entry.not_built
    return ClauseText(
        loaded_book.name,
        loaded_book.edition,
        number,
        entry.says,
        entry.place,
        entry.topic,
        entry.severity,
        not unchecked_reason,
        unchecked_reason,
    )
