"""The words of BetOnline's notation: rooms, games, limits, zones, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.betting import ClockExpired
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.opening import Betting
from ledger.presence import ConnectionLost, ConnectionRestored, SeatLeft, WordsSaid
from ledger.telling import spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

ROOMS: Final = {
    "BetOnline Poker": "BetOnline",
    "PayNoRake": "PayNoRake",
    "ActionPoker.com": "ActionPoker",
    "Gear Poker": "Gear Poker",
    "SportsBetting.ag Poker": "SportsBetting",
    "Tiger Gaming": "TigerGaming",
}
"""What stands before `Game #` → the venue."""

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.AWARDS | Witness.DROP | Witness.RETURNED_BETS | Witness.BLIND_AMOUNTS
    | Witness.CHAT
)  # fmt: skip
"""Not what of a post is live, not all pots, no order of the showdown."""

LIMITS: Final[dict[str, Betting]] = {
    "No Limit": "no-limit",
    "Pot Limit": "pot-limit",
    "Fixed Limit": "limit",
    "Limit": "limit",
}
GAMES: Final[dict[str, tuple[str, Betting]]] = {
    "hold'em": ("holdem", "no-limit"),
    "omaha": ("omaha", "pot-limit"),
    "omaha hi/lo": ("omaha8", "pot-limit"),
    "omaha hi-lo": ("omaha8", "pot-limit"),
}
"""A game → its id, and how it is bet where the line does not say."""

STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}

_DAYLIGHT: Final = {"Eastern": -240, "Central": -300, "Mountain": -360, "Pacific": -420, "GMT": 60}
ZONES: Final[dict[str, int]] = {
    **{f"{name} Daylight Time": minutes for name, minutes in _DAYLIGHT.items()},
    **{f"{name} Standard Time": minutes - 60 for name, minutes in _DAYLIGHT.items()},
    "W. Europe Daylight Time": 120,
    "W. Europe Standard Time": 60,
    "UTC": 0,
}
"""Minutes east of Greenwich, for the names that Windows gives."""

_UPPER: Final = {card[:-1] + card[-1].upper(): known for card, known in KNOWN.items()}
read_cards: Final = reader({**KNOWN, **_UPPER})


class Hand(Spoken):
    """The hand being read: `Name: act 1.50`."""

    __slots__ = ("board_told", "dead_posts", "shown", "sides")

    BEHIND = (":", "")
    ALL_IN = (" and is all in", " and is all-in")

    def begin(self) -> None:
        """Know nothing of the showdown yet."""
        self.board_told: Cards = ""
        self.dead_posts: list[tuple[Seat, int]] = []  # `post dead`, and where it stands
        self.shown: set[Seat] = set()
        self.sides: list[tuple[Chips, int]] = []  # pots that are told before the showdown

    def act(self, seat: Seat, rest: str) -> bool:
        """Read `folds`; ActionPoker writes `Folds.`."""
        return super().act(seat, rest[:1].lower() + rest[1:].rstrip("."))

    def clean(self, text: str) -> str:
        """Return an amount as it is."""
        return text.strip("() ")

    def show(self, seat: Seat, cards: Cards, *, after: bool) -> None:
        """Show a hand once."""
        if seat not in self.shown:
            self.shown.add(seat)
            self.close_bets()
            self.put(CardsShown(seat, cards, after))


def _dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell `post dead 0.50`: that much is live, and what is dead goes in without a word."""
    hand.dead_posts.append((seat, len(hand.events)))
    if amount:
        hand.post(seat, "makeup-big", amount, all_in=all_in)


def _entry(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "entry", amount, all_in=all_in)


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows Jc Jd`."""
    cards = read_cards(rest[6:].partition("(")[0].strip(" []"))
    if cards is not None:
        hand.show(seat, cards, after=False)
    return cards is not None


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("mucks", "mucks hand", "mucked hand", "does not show", "doesn't show hand"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest.startswith("do")))
    return True


def _said(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `said "nh"`."""
    if not rest.startswith('said "'):
        return False
    words = hand.people.text(rest[6:].removesuffix('"'))
    if words:
        hand.put(WordsSaid(words, seat, hand.player_in(seat)))
    return True


def _has(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what becomes of a player besides the cards."""
    player = hand.player_in(seat)
    news = {
        "has left the table": SeatLeft(seat, player, "left"),
        "has timed out": ClockExpired(seat),
        "has disconnected": ConnectionLost(seat, player),
        "is disconnected": ConnectionLost(seat, player),
        "has reconnected": ConnectionRestored(seat, player),
    }
    event = news.get(rest)
    if event is not None:
        hand.put(event)
    return event is not None


Hand.ACTS = {
    "folds": (("folds", spoken.folds),),
    "checks": (("checks", spoken.checks),),
    "calls": (("calls ", spoken.calls),),
    "bets": (("bets ", spoken.bets),),
    "raises": (("raises ", spoken.raises_to),),
    "ante": (("ante processed ", spoken.antes),),
    "posts": (
        ("posts small blind ", spoken.small_blind),
        ("posts big blind ", spoken.big_blind),
        ("posts ante ", spoken.antes),
    ),
    "post": (("post dead ", _dead), ("post now ", _entry)),
}
Hand.SAYS = {
    "shows": _shows,
    "mucks": _mucks,
    "mucked": _mucks,
    "does": _mucks,
    "doesn't": _mucks,
    "said": _said,
    "has": _has,
    "is": _has,
}
