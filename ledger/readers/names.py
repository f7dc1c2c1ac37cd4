"""Whose line it is: names are matched as a whole, the longest first, for they may hold anything."""

from __future__ import annotations

from ledger.vocabulary import Seat


class Names:
    """The names of a hand's seats, in a text that puts a blank behind them."""

    __slots__ = ("by_word", "plain")

    def __init__(self, seats: dict[str, Seat]) -> None:
        """Take the seats by name."""
        self.by_word: dict[str, list[str]] = {}  # names by their first word, longest first
        for name in sorted(seats, key=len, reverse=True):
            self.by_word.setdefault(name.partition(" ")[0], []).append(name)
        self.plain: dict[str, Seat] = {name: seat for name, seat in seats.items() if self.by_word.get(name) == [name]}
        """Seats of names of one word that begins no other name: the fast way."""

    def all_of(self, text: str) -> list[str]:
        """Return the names with which the text may begin, the longest first."""
        return [
            name
            for name in self.by_word.get(text.partition(" ")[0], ())
            if text.startswith(" ", len(name)) and text.startswith(name)
        ]

    def part(self, text: str) -> tuple[str, str] | None:
        """Part `Name rest`; None if no seat's name stands there."""
        found = self.all_of(text)
        return (found[0], text[len(found[0]) + 1 :]) if found else None
