"""The words of Poker Mavens' notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.betting import ClockExpired
from ledger.hand.ending import CardsMucked, CardsShown, Half
from ledger.hand.opening import Betting, NotDealtIn
from ledger.presence import ChipsAdded
from ledger.telling import spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Seat, Street, Witness

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.AWARDS | Witness.POTS | Witness.DROP | Witness.RETURNED_BETS
    | Witness.BLIND_AMOUNTS | Witness.CHIP_PURCHASES
)  # fmt: skip
"""Not what of a post is live, no order of the showdown, not who came or went during the hand."""

LIMITS: Final[dict[str, Betting]] = {
    "NL": "no-limit",
    "No Limit": "no-limit",
    "PL": "pot-limit",
    "Pot Limit": "pot-limit",
    "Limit": "limit",
    "FL": "limit",
    "Fixed Limit": "limit",
}
GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha hi-lo": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha-5": "omaha5",
    "omaha-5 hi-lo": "omaha5-8",
    "omaha-6": "omaha6",
    "omaha-6 hi-lo": "omaha6-8",
}
STREETS: Final[dict[str, Street]] = {"Flop": "flop", "Turn": "turn", "River": "river"}

read_cards: Final = reader(KNOWN)


class Hand(Spoken):
    """The hand being read: `Name act 5 (All-in)`, no colon."""

    __slots__ = ("waits",)

    BEHIND = ("",)
    ALL_IN = (" (All-in)", " (all-in)", " (All-In)")

    def begin(self) -> None:
        """Know of nobody yet who waits."""
        self.waits: dict[Seat, NotDealtIn] = {}  # who is said not to play, and why

    def clean(self, text: str) -> str:
        """Return `(12.50)` as an amount."""
        return text.strip("() ")


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [5s Ts] (a Pair of Deuces +QT6)`."""
    left, right = rest.find("["), rest.find("]")
    cards = read_cards(rest[left + 1 : right]) if 0 < left < right else None
    if cards is None:
        return False
    claim = rest[right + 1 :].strip().removeprefix("(").removesuffix(")")
    hand.close_bets()
    uncontested = len(hand.stacks) - len(hand.folded) < 2
    hand.put(CardsShown(seat, cards, uncontested, hand.people.text(claim)))
    return True


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("mucks", "mucks hand"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat))
    return True


_POTS: Final[dict[str, tuple[int | None, Half]]] = {
    "Pot": (None, ""),
    "Main Pot": (0, ""),
    "Hi Pot": (None, "high"),
    "High Pot": (None, "high"),
    "Lo Pot": (None, "low"),
    "Low Pot": (None, "low"),
    "Main Hi Pot": (0, "high"),
    "Main Lo Pot": (0, "low"),
    "Main Pot Hi": (0, "high"),
    "Main Pot Lo": (0, "low"),
    "Pot Hi": (None, "high"),
    "Pot Lo": (None, "low"),
}


def pot(words: str) -> tuple[int | None, Half] | None:
    """Return number and half of `Main Pot`, `Side Pot 2`, `Hi Pot`; None for other words."""
    found = _POTS.get(words)
    if found is None and words.startswith("Side Pot"):
        number, half = words[8:].strip(), ""
        for side in ("Hi", "Lo"):
            if number.endswith(side):
                number, half = number[: -len(side)].strip(), side
        if not number or (number.isascii() and number.isdigit() and len(number) < 3):
            return int(number or 1), {"Hi": "high", "Lo": "low"}.get(half, "")  # type: ignore[return-value]  # one of three
    return found


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins Side Pot 1 (2)`, `splits Pot (2.03) with a Full House`."""
    words, found, amount = rest.partition(" ")[2].partition(" (")
    which = pot(words)
    if which is None or not found:
        return False
    hand.award(seat, hand.amount(amount.partition(")")[0]), which[0], half=which[1])
    return True


def _adds(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `adds 3 chips`."""
    amount, found, behind = rest[5:].partition(" chip")
    if not found or behind not in ("", "s"):
        return False
    chips = hand.amount(amount)
    hand.put(ChipsAdded(seat, chips, "top-up", "player", hand.player_in(seat)))
    return True


def _has(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `has timed out`."""
    if rest != "has timed out":
        return False
    hand.put(ClockExpired(seat))
    return True


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "checks": (("checks", spoken.checks),),
    "calls": (("calls ", spoken.calls),),
    "bets": (("bets ", spoken.bets),),
    "raises": (("raises to ", spoken.raises_to),),
    "posts": (
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts small & big blind ", spoken.both_blinds),
        ("posts small and big blind ", spoken.both_blinds),
        ("posts small & big blinds ", spoken.both_blinds),
        ("posts both blinds ", spoken.both_blinds),
        ("posts dead small blind ", spoken.dead_blind),
        ("posts dead blind ", spoken.dead_blind),
        ("posts straddle ", spoken.straddles),
        ("posts ante ", spoken.antes),
    ),
    "straddles": (("straddles ", spoken.straddles),),
    "refunded": (("refunded ", spoken.refunded),),
}
Hand.SAYS = {
    "shows": _shows,
    "mucks": _mucks,
    "wins": _wins,
    "splits": _wins,
    "adds": _adds,
    "has": _has,
}
