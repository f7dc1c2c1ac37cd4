"""The closed lists of a PokerGFX export, and a hand's values with their places while it is told."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.documented import Record, Recorded, count, objects
from ledger.readers.hand import SEATS
from ledger.vocabulary import DECK, Cards, Chips, Seat, Witness

VENUE: Final = "PokerGFX"
"""The export names no room; the program that wrote it stands for one."""

WITNESSES: Final = Witness.of(
    "BUTTON BLIND_POSITIONS POSTS ANTES BLIND_AMOUNTS STACKS_BEFORE STACKS_AFTER ACTS BOARD RUNS"
)
"""What every export tells. `ALL_CARDS` is added to a hand in which no seat's cards are missing."""

GAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("holdem", "texasholdem"), "holdem"),
    **dict.fromkeys(
        (
            "holdemsixplus",
            "holdemsixplusstraightbeatstrips",
            "holdemsixplustripsbeatsstraight",
            "6plusholdem",
            "6tholdem",
            "6pholdem",
            "shortdeck",
        ),
        "short-deck",
    ),
    **dict.fromkeys(("omaha", "omaha4"), "omaha"),
    **dict.fromkeys(("omahahilo", "omaha8", "omahahl"), "omaha8"),
    "omaha5": "omaha5",
    "omaha5hilo": "omaha5-8",
    "omaha6": "omaha6",
    "omaha6hilo": "omaha6-8",
    **dict.fromkeys(("courchevel", "cour"), "courchevel"),
    "courchevelhilo": "courchevel8",
    **dict.fromkeys(("draw5", "5draw"), "draw5"),
    **dict.fromkeys(("deuce7draw", "27draw"), "single-27"),
    **dict.fromkeys(("deuce7triple", "27triple"), "triple-27"),
    "a5triple": "triple-a5",
    "badugi": "badugi",
    **dict.fromkeys(("badeucy", "badeucey"), "badeucey"),
    "badacey": "badacey",
    **dict.fromkeys(("stud", "stud7", "7stud"), "stud"),
    **dict.fromkeys(("stud7hilo8", "stud7hilo", "7studhl"), "stud8"),
    "razz": "razz",
}
"""`GameVariant`, small letters without marks → the game. Pineapple has no rules here: it is rejected."""

TRIPS_FIRST: Final = frozenset(("holdemsixplustripsbeatsstraight", "6tholdem"))
"""The games of `GAMES` in which three of a kind beat a straight."""

CARDS: Final[dict[str, str]] = {
    **{card.lower(): card for card in DECK},
    **{"10" + card[1]: card for card in DECK if card[0] == "T"},
}
"""A card in small letters → the card."""


def read_cards(text: str) -> Cards | None:
    """Return `10s 10h` as cards; None where one of them is no card."""
    found = [CARDS.get(one) for one in text.lower().replace(",", " ").split()]
    return None if None in found else "".join(one for one in found if one)


class Gfx(Recorded):
    """The hand being told."""

    __slots__ = ("_counts", "boards", "dealt", "flop", "players")

    def __init__(self, record: Record, people: People, game: GameSet) -> None:
        """Begin the hand of this record."""
        super().__init__(record, people, VENUE, game)
        self.flop = flop_of(record)
        self.players: dict[Seat, dict[str, Any]] = {}
        self.dealt: dict[Seat, int] = {}  # seats that are dealt in → places of their players
        self.boards = count(self.value.get("NumBoards"), 10) or 1
        self._counts: dict[int, int] | None = None

    def member(self, name: str) -> int:
        """Return the place of a member of the hand, of the hand itself where it is missing."""
        return self.where.get(name, self.where[""])

    def chips_of(self, value: object) -> Chips:
        """Return an amount; what is missing is nothing."""
        return 0 if value is None else amounts.number(value, self.exponent)

    def encoded(self, value: object, name: str = "") -> None:
        """Keep a value that nobody knows."""
        self.unread(name + msgspec.json.encode(value).decode()[:2000])

    def others(self, value: dict[str, Any], known: frozenset[str]) -> None:
        """Keep the members of an object that nobody knows."""
        for name in sorted(value.keys() - known):
            self.encoded(value[name], f"{name}: ")

    def spanning(self, first: int, last: int) -> int:
        """Return a place that reaches from one place to the end of another."""
        start = self.spans.starts[first]
        end = self.spans.starts[last] + self.spans.lengths[last]
        return self.spans.add(start, max(end - start, 0))

    def on_board(self, number: int) -> int:
        """Return how many cards the acts put on this board."""
        if self._counts is None:
            self._counts = {}
            for event in objects(self.value, "Events"):
                board = event.get("BoardNum") or 1
                if event.get("BoardCards") and type(board) is int:
                    self._counts[board] = self._counts.get(board, 0) + 1
        return self._counts.get(number, 0)


def flop_of(record: Record) -> dict[str, Any]:
    """Return the blinds and positions of a hand."""
    found = record.value.get("FlopDrawBlinds")
    return found if isinstance(found, dict) else {}


def seat_of(value: object) -> Seat:
    """Return a `PlayerNum` as a seat, 0 where it is none."""
    return count(value, SEATS)
