"""A hand's messages while it is told, with their places in the bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.spans import Spans, elements, members
from ledger.vocabulary import Cards, Chips, Millis, Seat

_WORDS_MOST: Final = 500
_SECONDS: Final = 1 << 37  # a clock below counts seconds, one above milliseconds
_NOISE: Final = 9
"""A number with more decimals is a sum of binary fractions: 0.30000000000000004."""

_decoder: Final = msgspec.json.Decoder(float_hook=str)


@dataclass(slots=True)
class Message:
    """One `[name, game id, body]`: where it stands, and its body as it is written."""

    name: str
    start: int
    length: int
    body: bytes

    def value(self) -> dict[str, Any]:
        """Return the body; what is no object is an empty one. Damage raises `UnreadableHandError`."""
        try:
            found = _decoder.decode(self.body) if self.body else {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise UnreadableHandError(f"a message cannot be read: {error}", kind="damaged") from None
        return found if isinstance(found, dict) else {}


class Hand(HandBuilder):
    """The hand being told."""

    __slots__ = (
        "all_in",
        "antes",
        "boards",
        "callers",
        "carried",
        "data",
        "dealt",
        "heard",
        "hero",
        "nets",
        "own",
        "posted",
        "posts",
        "pots",
        "runs",
        "said",
        "settled",
        "shown",
        "spans",
        "steps",
    )

    def __init__(self, data: bytes, place: tuple[int, int], people: People, venue: str, game: GameSet) -> None:
        """Begin the hand whose bytes are at `place`: start and length."""
        self.spans = Spans()
        whole = self.spans.add(*place)
        super().__init__(self.spans, people, venue, game, whole)
        self.data = data
        self.steps: list[tuple[int, int, Millis, Callable[..., None], tuple[Any, ...]]] = []
        self.heard: dict[Seat, list[tuple[str, str, Chips, Chips]]] = {}  # by seat: acts told once
        self.said: dict[Seat, Chips] = {}  # what a seat put in with its last act
        self.posted: set[tuple[Seat, str]] = set()
        self.posts: dict[tuple[Seat, str], Chips] = {}
        self.antes: dict[Seat, Chips] = {}
        self.callers: list[str] = []  # names, longest first
        self.nets: dict[Seat, list[Chips]] = {}  # what winners are said to have won, pot by pot
        self.pots = 0  # what all pots are said to hold, where nothing tells it later
        self.shown: dict[Seat, Cards] = {}
        self.hero: Seat = 0
        self.own: Cards = ""
        self.all_in: bool | None = None
        self.dealt = False  # every seat has its cards
        self.carried = False  # the blinds are bets of the first round, which comes after the flop
        self.runs = self.boards = 1
        self.settled = 0  # how often the pots were paid out

    # -- what is told, and when -------------------------------------------------------------------

    def later(self, phase: int, at: int, time: Millis, make: Callable[..., None], *told: object) -> None:
        """Tell this when its phase of the hand has come; within a phase the stream's order rules."""
        self.steps.append((phase, at, time, make, told))

    def tell(self) -> None:
        """Tell what was put by, phase by phase."""
        for _, at, time, make, told in sorted(self.steps, key=_phase):
            self.at = at
            before = len(self.events)
            make(self, *told)
            if time:
                for index in range(before, len(self.events)):
                    self.times[index] = time

    # -- values -----------------------------------------------------------------------------------

    def sum(self, value: object) -> Chips:
        """Return a number as an amount; what is none raises `UnreadableHandError`."""
        return number(value, self.exponent)

    def maybe(self, value: object) -> Chips | None:
        """Return a number as an amount, None where there is none."""
        return None if value is None or value == "" else number(value, self.exponent)

    def strange(self, name: str, at: int) -> None:
        """Keep the value at that place, which nobody knows, as it is written."""
        self.at = at
        start = self.spans.starts[at]
        words = self.data[start : start + self.spans.lengths[at]].decode("utf-8", "replace")
        self.unread(f"{name[:100]}: {' '.join(words.split())[:_WORDS_MOST]}")

    def inside(self, message: Message, *path: str | int) -> tuple[int, int] | None:
        """Return start and length of what stands in a message's body under these names and indexes."""
        try:
            start, length = message.start, message.length
            if self.data[start : start + 1] == b"{":
                start, length = members(self.data, start, length)["payload"]
            else:
                start, length = elements(self.data, start, length)[2]
            for step in path:
                if isinstance(step, str):
                    start, length = members(self.data, start, length)[step]
                else:
                    start, length = elements(self.data, start, length)[step]
        except (KeyError, IndexError, UnreadableHandError):
            return None
        return start, length

    def parts(self, message: Message, name: str, many: int) -> list[int]:
        """Return the places of the elements of a member that is a list of so many."""
        whole = self.inside(message, name) if many > 1 else None
        if whole is None:
            return [self.spans.add(message.start, message.length)] * many
        return [self.spans.add(*place) for place in elements(self.data, *whole)]


def _phase(step: tuple[int, int, Millis, Callable[..., None], tuple[Any, ...]]) -> int:
    return step[0]


def number(value: object, exponent: int) -> Chips:
    """Return a number as an amount; a sum of binary fractions as the decimal it stands for."""
    if isinstance(value, str):
        whole, _, fraction = value.partition(".")
        if len(fraction) > _NOISE and fraction.isascii() and fraction.isdigit() and len(value) < 40:
            value = f"{float(value):.6f}" if whole.removeprefix("-").isdigit() else value
    return amounts.number(value, exponent)


def clock(value: object) -> Millis:
    """Return a `initTimeStamp`, in milliseconds or seconds, as a moment; 0 where it is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 15:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 47:
        return 0
    return value if value > _SECONDS else value * 1000


def chair(value: object) -> Seat:
    """Return a `seatId` as a seat, 0 where it is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SEATS:
        return value
    return 0
