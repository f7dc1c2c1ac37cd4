"""The words of Cake's notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, Half, PlayerFinished
from ledger.hand.opening import Betting
from ledger.presence import ChipsAdded
from ledger.telling import spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Cards, Seat, Street, Witness

VENUE: Final = "Cake"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.AWARDS | Witness.RETURNED_BETS | Witness.BLIND_AMOUNTS
)  # fmt: skip
"""No rake, no pots, not what of a post is live, nobody's coming and going."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}
GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "omaha": "omaha",
    "omahahilo": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    "omaha hilo": "omaha8",
}
STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}

read_cards: Final = reader(KNOWN)


class Hand(Spoken):
    """The hand being read: `Name: act $1,50`."""

    __slots__ = ("let_go", "showdowns")

    BEHIND = (":", "")

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.let_go: set[Seat] = set()  # who mucked
        self.showdowns: list[int] = []  # the events with which they begin, one for each pot

    def clean(self, text: str) -> str:
        """Return `$0.25 (EUR €0.20)`, `2 477` as an amount."""
        return text.partition(" (")[0].replace(" ", "").replace("\xa0", "")


def bracketed(text: str) -> tuple[Cards | None, str]:
    """Part `[9h,As] (TwoPair) .` into cards and what is said of them."""
    left, right = text.find("["), text.find("]")
    if not 0 <= left < right:
        return None, ""
    return read_cards(text[left + 1 : right]), text[right + 1 :].strip(" .").removeprefix(
        "("
    ).removesuffix(")").strip()


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    cards, claim = bracketed(rest)
    if cards is None:
        return False
    hand.close_bets()
    hand.put(CardsShown(seat, cards, bool(hand.paid), hand.people.text(claim)))
    return True


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `mucks`; behind the award it is told again, with the cards."""
    cards, _ = bracketed(rest)
    if cards is None and rest != "mucks":
        return False
    hand.close_bets()
    if seat in hand.let_go:
        hand.put(HoleCardsLearned(seat, cards or ""))
    else:
        hand.let_go.add(seat)
        hand.put(CardsMucked(seat, cards or ""))
    return True


_HALVES: Final[dict[str, Half]] = {"high pot ": "high", "low pot ": "low"}


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins $24,50`, `wins low pot 327 with a pair`."""
    bare, half = rest[5:], next((one for one in _HALVES if rest.startswith(one, 5)), "")
    amount = bare[len(half) :].partition(" with")[0].strip()
    hand.award(seat, hand.amount(amount), half=_HALVES.get(half, ""))
    return True


def _finished(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `finished 1 out of 10 players.`."""
    rank, found, _ = rest[9:].partition(" out of ")
    if not found or not rank.isascii() or not rank.isdigit() or len(rank) > 7:
        return False
    hand.put(PlayerFinished(seat, int(rank)))
    return True


def _rebuys(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `rebuys 3000 chips`."""
    amount, found, _ = rest[7:].partition(" chips")
    if found:
        chips = hand.amount(amount)
        hand.put(ChipsAdded(seat, chips, "rebuy", "player", hand.player_in(seat)))
    return bool(found)


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "checks": (("checks", spoken.checks),),
    "calls": (("calls ", spoken.calls),),
    "bets": (("bets ", spoken.bets),),
    "raises": (("raises to ", spoken.raises_to),),
    "is": (("is all in ", spoken.puts_all_in),),
    "posts": (
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts dead blind ", spoken.dead_blind),
        ("posts dead ", spoken.dead_blind),
        ("posts ante of ", spoken.antes),
        ("posts ante ", spoken.antes),
    ),
    "returns": (("returns uncalled bet ", spoken.refunded),),
}
Hand.SAYS = {
    "shows": _shows,
    "mucks": _mucks,
    "wins": _wins,
    "finished": _finished,
    "rebuys": _rebuys,
}
