"""The words of Unibet's notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.betting import CashOutTaken, ClockExpired
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, PlayerFinished
from ledger.hand.opening import Betting
from ledger.presence import ConnectionLost
from ledger.telling import amounts, spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

VENUE: Final = "Unibet"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.DROP | Witness.BLIND_AMOUNTS
)  # fmt: skip
"""Not every award and returned bet, not what of a post is live, no order of the showdown, not who came or went."""

LIMITS: Final[dict[str, Betting]] = {
    "no limit ": "no-limit",
    "pot limit ": "pot-limit",
    "fixed limit ": "limit",
    "limit ": "limit",
}
GAMES: Final[dict[str, str]] = {
    "hold'em": "holdem",
    "holdem": "holdem",
    "texas hold'em": "holdem",
    "omaha": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha hi-lo": "omaha8",
    **{f"{words}omaha": "omaha5" for words in ("5 card ", "5-card ", "five card ")},
    **{f"omaha {words}": "omaha5" for words in ("5", "5 card", "five card")},
}
BRANDS: Final = (" banzai", " hexapro", " fast fold")
"""What may stand behind a game without being another one."""

STREETS: Final[dict[str, Street]] = {"Flop": "flop", "Turn": "turn", "River": "river"}

read_cards: Final = reader(KNOWN)


class Hand(Spoken):
    """The hand being read: `Name act €5, and is all-in`, no colon."""

    __slots__ = ("dealt_in", "open_hands", "owner", "summary", "total")

    BEHIND = ("",)
    ALL_IN = (", and is all-in", " and is all-in", ", and is all in")

    def begin(self) -> None:
        """Know of nobody's cards yet."""
        self.dealt_in: set[Seat] = set()
        self.open_hands: dict[Seat, int] = {}  # where cards that the record knows are dealt
        self.summary = 0  # the line with which the summary begins
        self.total: tuple[Chips, int] | None = None  # the declared pot, and its line
        self.owner: Seat = 0  # whose record it is, where a token says so

    def act(self, seat: Seat, rest: str) -> bool:
        """Read an act; `folds  (timed out)` says why it was made."""
        for words, event in _WHY:
            if rest.endswith(words):
                self.put(event(self, seat))
                return super().act(seat, rest[: -len(words)].rstrip())
        return super().act(seat, rest)


_WHY: Final = (
    ("(timed out)", lambda _hand, seat: ClockExpired(seat)),
    ("(disconnect)", lambda hand, seat: ConnectionLost(seat, hand.player_in(seat))),
    ("(disconnected)", lambda hand, seat: ConnectionLost(seat, hand.player_in(seat))),
)
"""What may stand behind an act → why it was made."""


def without_token(name: str) -> str:
    """Return `Hero[Unibet_28204e083c0fb55a]` without the token, which changes from file to file."""
    bare, found, token = name.rpartition("[Unibet_")
    return bare if found and token.endswith("]") and token[:-1].isalnum() else name


def _missed_small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a missed small blind, which is dead."""
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _missed_big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "makeup-big", amount, all_in=all_in)


def _entry(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "entry", amount, all_in=all_in)


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [9h 8d 2s Tc], A Pair of Deuces`."""
    shown, closed, claim = rest[6:].strip().removeprefix("[").partition("]")
    cards: Cards | None = read_cards(shown)
    if cards is None or not closed:
        return False
    hand.close_bets()
    hand.put(CardsShown(seat, cards, False, hand.people.text(claim.strip(" ,"))))
    return True


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("mucks", "mucks hand", "does not show", "doesn't show hand"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest.startswith("do")))
    return True


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins €5`, `wins €5 from main pot`, `wins side pot #1, €5`, and what a tournament gives."""
    bare = rest[5:]
    if bare.startswith("the tournament"):
        hand.put(PlayerFinished(seat, 1))
        return True
    if " bounty for eliminating " in bare:
        amount, _, over = bare.removeprefix("the ").partition(" bounty for eliminating ")
        prize = amounts.maybe(amount, 2)
        if prize is not None:
            hand.put(BountyWon(seat, prize, hand.seat_of(over.rstrip(".")) or None))
        return prize is not None
    if bare.startswith(("side pot", "main pot")):
        pot, _, amount = bare.partition(", ")
    else:
        amount, _, pot = bare.partition(" from ")
    number: int | None = 0 if pot == "main pot" else None
    if pot.startswith("side pot"):
        digits = pot[8:].strip(" #") or "1"
        if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
            return False
        number = int(digits)
    elif pot not in ("", "pot", "main pot"):
        return False
    hand.award(seat, hand.amount(amount), number)
    return True


def _finished(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `finished the tournament in 3rd place and received €5.`."""
    if not rest.startswith("finished the tournament in "):
        return False
    digits = rest[27:].partition(" place")[0].rstrip("stndrh")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 7:
        return False
    prize = amounts.maybe(rest.partition(" received ")[2].rstrip("."), 2)
    hand.put(PlayerFinished(seat, int(digits), prize))
    return True


def _cashed_out(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `cashed out the hand for €5`."""
    amount, found = rest.removeprefix("cashed out the hand for "), "cashed out the hand for "
    if not rest.startswith(found):
        return False
    hand.put(CashOutTaken(seat, hand.amount(amount.partition(" ")[0].rstrip(","))))
    return True


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "checks": (("checks", spoken.checks),),
    "calls": (("calls ", spoken.calls),),
    "bets": (("bets ", spoken.bets),),
    "raises": (("raises ", spoken.raises_to),),
    "posts": (
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts missed small blind ", _missed_small),
        ("posts missed big blind ", _missed_big),
        ("posts new player's blind ", _entry),
        ("posts small & big blinds ", spoken.both_blinds),
        ("posts ante ", spoken.antes),
        ("posts the ante ", spoken.antes),
        ("posts straddle ", spoken.straddles),
    ),
}
Hand.SAYS = {
    "shows": _shows,
    "mucks": _mucks,
    "does": _mucks,
    "doesn't": _mucks,
    "wins": _wins,
    "finished": _finished,
    "cashed": _cashed_out,
}
