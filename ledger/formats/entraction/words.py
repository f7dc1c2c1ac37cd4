"""The words of Entraction's notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.opening import Betting
from ledger.telling import spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Seat, Street, Witness

VENUE: Final = "Entraction"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.AWARDS | Witness.DROP | Witness.RETURNED_BETS | Witness.BLIND_AMOUNTS
)  # fmt: skip
"""Not what of a post is live, no order of the showdown, no pots, nobody's coming and going."""

LIMITS: Final[dict[str, Betting]] = {
    "no limit": "no-limit",
    "pot limit": "pot-limit",
    "fixed limit": "limit",
    "limit": "limit",
}
GAMES: Final[dict[str, str]] = {
    "texas hold'em": "holdem",
    "hold'em": "holdem",
    "omaha": "omaha",
    "omaha high": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    **{
        f"{count}{name}": "omaha5"
        for count in ("5 card ", "5-card ", "five card ")
        for name in ("omaha", "omaha high")
    },
    **{f"{count}omaha hi/lo": "omaha5-8" for count in ("5 card ", "5-card ", "five card ")},
}
BOARD_STREETS: Final[dict[str, Street]] = {"Flop": "flop", "Turn": "turn", "River": "river"}

ZONES: Final[dict[str, int]] = {
    "GMT": 0, "UTC": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
}  # fmt: skip
"""Minutes east of Greenwich, for names that mean one zone."""

_read_cards: Final = reader(KNOWN)


def read_cards(text: str) -> str | None:
    """Return `2h - 2s - Ah` as cards; None where one of them is no card."""
    return _read_cards(text.replace("-", " "))


class Hand(Spoken):
    """The hand being read: a name, blanks, a word, an amount in brackets."""

    __slots__ = ("claims",)

    BEHIND = ("",)

    def clean(self, text: str) -> str:
        """Return `(1,209.76)` as an amount."""
        return text.strip("() ")


def _did_not_show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `didn't show hand`, `didn't show hand (Ac - 8h)`."""
    words, found, inner = rest.partition(" (")
    cards = read_cards(inner.removesuffix(")")) if found else ""
    if words != "didn't show hand" or cards is None:
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, cards, declined=True))
    return True


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows:  2h - 2s (a pair, deuces)`."""
    shown, _, claim = rest[6:].partition("(")
    cards = read_cards(shown)
    if not rest.startswith("shows:") or cards is None:
        return False
    hand.close_bets()
    hand.put(CardsShown(seat, cards, False, hand.people.text(claim.strip().removesuffix(")"))))
    return True


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins:  EUR 98.00 (with a flush, Ace high)`."""
    if not rest.startswith("wins:"):
        return False
    amount = rest[5:].partition("(")[0].split()
    if not 0 < len(amount) < 3:
        return False
    hand.award(seat, hand.amount(amount[-1]))
    return True


Hand.ACTS = {
    "Fold": (("Fold", spoken.folds),),
    "Check": (("Check", spoken.checks),),
    "Call": (("Call", spoken.calls),),
    "Bet": (("Bet", spoken.bets),),
    "Raise": (("Raise", spoken.raises_by),),
    "All-In": (("All-In", spoken.puts_all_in),),
    "Ante": (("Ante", spoken.antes),),
    "Payback": (("Payback", spoken.refunded),),
}
Hand.SAYS = {"didn't": _did_not_show, "shows:": _shows, "wins:": _wins}

POSTS: Final[dict[str, spoken.Make]] = {
    "Small Blind": spoken.small_blind,
    "Big Blind": spoken.big_blind,
    "Blind out of turn": lambda hand, seat, amount, _all_in: out_of_turn(hand, seat, amount),
}


def out_of_turn(hand: Hand, seat: Seat, amount: int) -> None:
    """Tell a blind posted out of turn: the big blind in it is live, what is more or less than that is dead."""
    if hand.blind and amount > hand.blind:
        hand.post_both(seat, amount)
    elif amount < hand.blind:
        hand.post(seat, "makeup-small", 0, amount)
    else:
        hand.post(seat, "entry", amount)
