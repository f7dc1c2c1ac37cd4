"""The words of a PokerNow log (games, cards, what it witnesses), and who sits where: only its lists of stacks tell."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokernow.rows import Row
from ledger.hand.opening import Betting
from ledger.readers.cards import reader
from ledger.readers.hand import SEATS
from ledger.vocabulary import DECK, UNKNOWN_CARD, Seat, Witness

VENUE: Final = "PokerNow"

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS RETURNED_BETS TIMES PRESENCE SEATING",
    "CHIP_PURCHASES RUNS MISSING_HANDS",
)
"""What every log tells. `OWN_CARDS` is added to a hand in which its owner's cards are told, and
`BUTTON` is taken from one whose button is dead: the log does not say where it lies."""

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
CARDS: Final[dict[str, str]] = {
    rank + suit: card
    for card in DECK
    for rank in (card[0], "10")
    if rank == card[0] or card[0] == "T"
    for suit in (card[1], _SUITS[card[1]], _SUITS[card[1]] + "\ufe0f")
}
"""A card as the log and the export write it → the card."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit", "no-limit"),
    ("pot limit", "pot-limit"),
    ("fixed limit", "limit"),
    ("limit", "limit"),
)
"""How a game's name begins, in small letters → its limit."""

ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4}

cards: Final = reader(CARDS)


def game(name: str) -> tuple[str, Betting] | None:
    """Return game and limit of `Pot Limit Omaha Hi/Lo 8 or Better`; None for an unknown one.

    >>> game("Pot Limit Omaha 5 Hi")
    ('omaha5', 'pot-limit')
    """
    plain = " ".join(name.lower().replace("\u2019", "'").split())
    word, betting = next((one for one in LIMITS if plain.startswith(one[0])), ("", "no-limit"))
    plain = plain[len(word) :].strip()
    if not word and "omaha" in plain:
        betting = "pot-limit"
    if "hold'em" in plain or "holdem" in plain:
        if "pineapple" in plain:
            return None
        short = "6+" in plain or "short" in plain
        return ("short-deck" if short else "holdem"), betting
    if "omaha" not in plain:
        return None
    number = next((one for one in ("5", "6") if one in plain.replace("8 or better", "").split()), "")
    low = "hi/lo" in plain or "8 or better" in plain
    return f"omaha{number}" + (("-8" if number else "8") if low else ""), betting


def padded(found: str, count: int) -> str:
    """Return cards that were shown with `??` for those of the hand that stayed face down."""
    return found + UNKNOWN_CARD * max(0, count - len(found) // 2)


STACKS: Final = ("Player stacks: ", "Players stacks: ")
"""How a list of stacks begins; the second one, of spring 2020, does not number the seats."""
OWN: Final = "Your hand is "
SHOWS: Final = '" shows a '
_JOINED_MOST: Final = 64
"""Parts that a hostile name may look like; more of them are no list of stacks."""


@lru_cache(maxsize=4096)
def split_stacks(text: str) -> tuple[tuple[Seat, str, str], ...]:
    """Return seat, player and stack of each part of `Player stacks: #1 "Ada @ a" (20) | #4 "Bo @ b" (30)`.

    Where no part has a number, they count as listed. A name may hold the signs between two parts: a part that is none goes on with the next one.
    """
    found: list[tuple[Seat, str, str]] = []
    whole, joined = "", 0
    words, _, listed = text.partition(": ")
    parts = listed.split(" | ")
    if words == "Players stacks":
        parts = [part if part[:1] == "#" else f"#{seat} {part}" for seat, part in enumerate(parts, 1)]
    for part in parts:
        whole, joined = (f"{whole} | {part}", joined + 1) if whole else (part, 0)
        if joined > _JOINED_MOST:
            break
        one = _stack(whole)
        if one is not None:
            found.append(one)
            whole = ""
    if whole or not found:
        raise UnreadableHandError(
            f"the list of stacks cannot be read: {whole[:60]!r}", kind="seat", hint="Look at the row: is it damaged?"
        )
    return tuple(found)


def _stack(part: str) -> tuple[Seat, str, str] | None:
    number, quote, rest = part.partition(' "')
    token, found, stack = rest.rpartition('" (')
    digits = number[1:]
    if not quote or not found or number[:1] != "#" or stack[-1:] != ")":
        return None
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        return None
    return int(digits), token, stack[:-1]


class Sitting:
    """Where players sit in the course of a log, by the lists of stacks before and behind a row."""

    def __init__(self, log: Sequence[Row]) -> None:
        """Take the rows of a log as they happened."""
        self._lists: dict[str, list[tuple[int, Seat]]] | None = None
        self._log = log

    def text(self, index: int) -> str:
        """Return the words of a row, "" behind the last one."""
        return self._log[index].text if index < len(self._log) else ""

    def _all(self) -> dict[str, list[tuple[int, Seat]]]:
        if self._lists is None:
            self._lists = {}
            for index, row in enumerate(self._log):
                if row.text.startswith(STACKS):
                    try:
                        parts = split_stacks(row.text)
                    except UnreadableHandError:
                        continue
                    for seat, token, _ in parts:
                        if 0 < seat < SEATS:
                            self._lists.setdefault(token, []).append((index, seat))
        return self._lists

    def before(self, index: int, token: str) -> Seat | None:
        """Return where the player sat last when row `index` was written."""
        found = self._all().get(token, [])
        at = bisect_left(found, (index, 0))
        return found[at - 1][1] if at else None

    def after(self, index: int, token: str) -> Seat | None:
        """Return where the player sits in the next hand that is dealt to him."""
        found = self._all().get(token, [])
        at = bisect_left(found, (index, 0))
        return found[at][1] if at < len(found) else None


def owner(hands: Sequence[Sequence[Row]]) -> str:
    """Return whose log this is: the one player whose shown hands are always those told as `Your hand`.

    "" where nobody showed such a hand, or several did.
    """
    for_: set[str] = set()
    against: set[str] = set()
    for rows in hands:
        own = next((cards(row.text[len(OWN) :]) for row in rows if row.text.startswith(OWN)), None)
        if not own:
            continue
        mine = {own[at : at + 2] for at in range(0, len(own), 2)}
        for row in rows:
            token, found, shown = row.text[1:].rpartition(SHOWS)
            told = cards(shown.rstrip(".")) if found else None
            if not told or len(told) != len(own):
                continue
            same = {told[at : at + 2] for at in range(0, len(told), 2)} == mine
            (for_ if same else against).add(token)
    left = for_ - against
    return left.pop() if len(left) == 1 else ""
