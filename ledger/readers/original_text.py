"""Restore the original names and words of a hand that was read from joined text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from ledger.hand.events import HandEvent
from ledger.hand.opening import GameSet, HandOpened, OptionSet, TournamentSet
from ledger.people import People
from ledger.vocabulary import PlayerId, TextRef

_WORDS: Final[dict[type[HandEvent], tuple[str, ...]]] = {
    HandOpened: ("table", "tournament", "club"),
    GameSet: ("written",),
    OptionSet: ("value",),
    TournamentSet: ("level", "written"),
}
"""An event's type → its fields with a room's own words."""


class OriginalPeople(People):
    """The people of a ledger, under the names of the original text."""

    def __init__(self, people: People, restore: Callable[[str], str]) -> None:
        """Wrap `people`. `restore` returns the original of a text. Only the cache of texts read is separate."""
        super().__init__(None, salted=people.salted)
        self._people = people
        self._restore = restore

    def player(self, venue: str, name: str) -> PlayerId:
        """Return the id of the player."""
        return self._people.player(venue, self._restore(name))

    def text(self, words: str) -> TextRef:
        """Return the reference of the words."""
        return self._people.text(self._restore(words))

    def name(self, player: PlayerId) -> str | None:
        """Return the name behind an id."""
        return self._people.name(player)

    def words(self, ref: TextRef) -> str | None:
        """Return the text behind a reference."""
        return self._people.words(ref)

    def mark(self) -> tuple[int, int]:
        """Return how many names and texts are new."""
        return self._people.mark()

    def unlearn(self, mark: tuple[int, int]) -> None:
        """Forget the names and texts that came after a mark."""
        self._people.unlearn(mark)


def restore_words(event: HandEvent, restore: Callable[[str], str]) -> HandEvent:
    """Return an event with the room's own words in their original form."""
    words = {name: getattr(event, name) for name in _WORDS.get(type(event), ())}
    changed = {
        name: original for name, word in words.items() if isinstance(word, str) and (original := restore(word)) != word
    }
    return msgspec.structs.replace(event, **changed) if changed else event
