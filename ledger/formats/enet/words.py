"""The words of Enet's notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.opening import Betting
from ledger.telling import spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

VENUE: Final = "Enet"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.STACKS_BEFORE | Witness.ACTS | Witness.BOARD | Witness.AWARDS
    | Witness.DROP | Witness.BLIND_AMOUNTS
)  # fmt: skip
"""Not every post: some chips are in the pot of which no line tells. No returned bets for sure."""

LIMITS: Final[dict[str, Betting]] = {
    "no limit": "no-limit",
    "pot limit": "pot-limit",
    "fixed limit": "limit",
    "limit": "limit",
}
GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "texas hold'em": "holdem",
    "texas holdem": "holdem",
    "omaha": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
}
STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}

_read_cards: Final = reader(KNOWN)


def read_cards(text: str) -> Cards | None:
    """Return `[9c2cQd]` as cards; None where one of them is no card."""
    bare = text.strip(" []").replace("10", "T").replace(" ", "")
    if len(bare) > 20:
        return None
    return _read_cards(" ".join(bare[at : at + 2] for at in range(0, len(bare), 2)))


class Hand(Spoken):
    """The hand being read: `Name: act €1,50`."""

    __slots__ = ("board_told", "collected", "shown", "silent_posts", "summary")

    BEHIND = (":", "")
    ALL_IN = (" and is all-in", " and is all in", ", and is all-in")

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.board_told: Cards = ""
        self.shown: set[Seat] = set()  # who showed or mucked
        self.silent_posts: list[tuple[Seat, int]] = []  # concluded, and where they stand
        self.summary = 0  # the line with which the summary begins
        self.collected: dict[Seat, tuple[Chips, int]] = {}  # as told before the summary, and where

    def clean(self, text: str) -> str:
        """Return `(€10,57)` as an amount."""
        return text.strip("() ")


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [9dJd2dTd] (Straight, Queens high)`."""
    shown, closed, claim = rest[6:].partition("]")
    cards = read_cards(shown)
    if cards is None or not closed:
        return False
    if seat not in hand.shown:
        hand.shown.add(seat)
        hand.close_bets()
        claim = claim.strip().removeprefix("(").removesuffix(")")
        hand.put(CardsShown(seat, cards, False, hand.people.text(claim)))
    return True


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `mucked`, `mucks hand`: of one muck both are told."""
    if rest not in ("mucked", "mucks", "mucks hand", "doesn't show hand"):
        return False
    if seat not in hand.shown:
        hand.shown.add(seat)
        hand.close_bets()
        hand.put(CardsMucked(seat))
    return True


def _collects(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `collected (€10,57) from pot`; the summary's amount is the right one where they differ."""
    amount, found, pot = rest.partition("(")[2].partition(") from ")
    if not found or "pot" not in pot:
        return False
    before = hand.collected.get(seat, (0, 0))[0]
    hand.collected[seat] = before + hand.amount(amount), hand.at
    return True


def _checks(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `checks`; who had nothing in before the flop has posted a big blind of which no line tells."""
    if rest != "checks":
        return False
    if hand.street == "preflop" and hand.bets[seat] < hand.level and not hand.put_in[seat]:
        hand.silent_posts.append((seat, len(hand.events)))
        hand.derived.append(len(hand.events))
        hand.post(seat, "makeup-big", hand.level)
    hand.check(seat)
    return True


def _dead_small(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `posts small blind` without an amount: the structure's, and it is dead."""
    small = hand.game.blinds[0] if hand.game.blinds else 0
    if rest != "posts small blind" or not small:
        return False
    hand.derived.append(len(hand.events))
    hand.post(seat, "makeup-small", 0, small)
    return True


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "calls": (("calls ", spoken.calls),),
    "bets": (("bets ", spoken.bets),),
    "raises": (("raises ", spoken.raises_by),),
    "goes": (("goes all-in ", spoken.puts_all_in),),
    "posts": (
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts small & big blinds ", spoken.both_blinds),
        ("posts the ante ", spoken.antes),
    ),
}
Hand.SAYS = {
    "checks": _checks,
    "posts": _dead_small,
    "shows": _shows,
    "mucked": _mucks,
    "mucks": _mucks,
    "doesn't": _mucks,
    "collected": _collects,
}
