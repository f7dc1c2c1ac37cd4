"""The acts and cards of a hand: a table from `EventType` to what is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.formats.pokergfx.seating import Gfx, read_cards, seat_of
from ledger.hand.dealing import CardsDiscarded, StoodPat
from ledger.hand.opening import BlindPosted, BringInPosted, StraddlePosted
from ledger.hand.variants import VARIANTS, Variant
from ledger.vocabulary import Cards, Chips, Seat, Street

Act: TypeAlias = Callable[["Streets", dict[str, object]], bool]
"""Tells an act; False where one of its values makes no sense."""


def _by_cards(plan: Variant) -> dict[int, Street]:
    """Return how many cards lie on a whole board → the street that the last of them began."""
    found: dict[int, Street] = {}
    lying = 0
    for street in plan.streets:
        lying += street.board
        if street.board:
            found[lying] = street.name
    return found


class Streets:
    """Where the hand is: boards of cards that come one by one, and betting rounds that nobody ends."""

    def __init__(self, gfx: Gfx) -> None:
        """Begin before the first act; the posts are told."""
        self.gfx = gfx
        self.cards = ""  # of the board that is being dealt, since the last act
        self.number = 1  # which board
        self.start = 0  # place of the first of these cards
        self.lying: dict[int, int] = {}  # board → cards on it that are told
        self.acted: set[Seat] = set()  # since the last bet or raise
        self.behind: list[Street] = []  # streets to come that no card announces
        self.drawing: set[Seat] = set()  # who changed cards since the last bet, check or fold
        posts = [post.seat for post in gfx.events if isinstance(post, BlindPosted | StraddlePosted)]
        self.last: Seat = posts[-1] if posts else 0  # whose turn was last, 0 = not known
        self.early = False  # another had the turn when somebody acted
        self.astray = False  # a hand was folded so
        plan = VARIANTS[gfx.game.variant]
        self.by_cards = _by_cards(plan)
        if not plan.board_cards:
            self.gfx.betting.street = plan.streets[0].name
            self.behind = [street.name for street in plan.streets[1:]]

    # -- boards ---------------------------------------------------------------------------------

    def card(self, text: str, number: int) -> bool:
        """Take one or more cards of a board; False where they are none."""
        found = read_cards(text)
        if not found or not 0 < number < 10:
            return False
        if not self.by_cards:
            return self._for_all(found)
        if self.cards and number != self.number:
            self.flush()
        if not self.cards:
            self.start, self.number = self.gfx.at, number
        self.cards += found
        lying = self.lying.get(number, self._shared(number)) + len(self.cards) // 2
        if lying in self.by_cards or lying > max(self.by_cards):  # the flop comes card by card
            self.flush()
        return True

    def _for_all(self, found: Cards) -> bool:
        """Tell the one card that stands for everybody's last in stud, where the deck runs out."""
        plan = VARIANTS[self.gfx.game.variant]
        if plan.opening == "blinds" or len(found) != 2:
            return False
        self.behind.clear()
        self.gfx.board(plan.streets[-1].name, found)
        self.acted.clear()
        return True

    def flush(self) -> None:
        """Tell the cards that came since the last act as one street."""
        if not self.cards:
            return
        told, number = self.gfx, self.number
        lying = self.lying.get(number, self._shared(number)) + len(self.cards) // 2
        self.lying[number] = lying
        names = [name for count, name in self.by_cards.items() if lying <= count]
        street = names[0] if names else self.by_cards[max(self.by_cards)]
        at, told.at = told.at, self.gfx.spanning(self.start, told.at)
        run = self.gfx.value.get("RunItNumTimes")
        several = type(run) is int and run > 1 and self.gfx.boards == 1
        if several:
            told.board(street, self.cards, run=number)
        else:
            told.board(street, self.cards, board=number)
        told.at = at
        self.cards = ""
        self.acted.clear()
        self.last = seat_of(self.gfx.flop.get("ButtonPlayerNum"))

    def _shared(self, number: int) -> int:
        """Return how many cards a later run shares with the first: those before the money was in."""
        if number == 1 or self.gfx.boards > 1:
            return 0
        return max(0, 5 - self.gfx.on_board(number))

    # -- acts -----------------------------------------------------------------------------------

    def begin(self, seat: Seat) -> None:
        """Make ready for a seat to bet, check or fold; it begins a street where no card does and all have acted."""
        self.flush()
        if self.drawing:
            self.drawing.clear()
        elif self._over():
            self._next()
        self.acted.add(seat)
        self.early, self.last = self._before(seat), seat

    def _before(self, seat: Seat) -> bool:
        """Say whether another had the turn before this seat."""
        able = sorted(self.gfx.able(), key=lambda one: (one <= self.last, one))
        return bool(self.last and able and able[0] != seat)

    def draw(self, seat: Seat) -> None:
        """Make ready for a seat to change cards; the first that does begins a street, and who does again."""
        if not self.drawing or seat in self.drawing:
            self._next()
            self.drawing.clear()
        self.drawing.add(seat)

    def _next(self) -> None:
        if self.behind:
            self.gfx.infer_street(self.behind.pop(0))
            self.acted.clear()
            self.last = 0

    def _over(self) -> bool:
        return self.gfx.round_is_over(self.acted)


def _seat(streets: Streets, event: dict[str, object]) -> Seat:
    """Return whose act this is, 0 if it is nobody's who is dealt in."""
    seat = seat_of(event.get("PlayerNum"))
    if seat not in streets.gfx.dealt:
        return 0
    streets.begin(seat)
    return seat


def _fold(streets: Streets, event: dict[str, object]) -> bool:
    seat = _seat(streets, event)
    if seat:
        streets.gfx.fold(seat)
        streets.astray = streets.astray or streets.early
    return bool(seat)


def _check(streets: Streets, event: dict[str, object]) -> bool:
    seat = _seat(streets, event)
    if seat:
        streets.gfx.check(seat)
    return bool(seat)


def _is_bring_in(streets: Streets, seat: Seat, to: Chips) -> bool:
    """Whether this is the bring-in, which stands among the posts already."""
    if streets.acted:
        return False
    posts = (event for event in streets.gfx.events if isinstance(event, BringInPosted))
    return any((post.seat, post.amount) == (seat, to) for post in posts)


def _wager(streets: Streets, event: dict[str, object], *, call: bool = False, all_in: bool | None = None) -> bool:
    """Tell a wager of so many chips on this street in all; one that takes chips back is none."""
    told = streets.gfx
    to = streets.gfx.chips_of(event.get("BetAmt"))
    if not call and _is_bring_in(streets, seat_of(event.get("PlayerNum")), to):
        return True
    seat = _seat(streets, event)
    if not seat or to < told.bet_of(seat) or not to:
        return False
    if to > told.betting.bet_to_call:
        streets.acted = {seat}
    if call:
        told.call_to(seat, to, all_in=all_in)
    else:
        told.wager(seat, to, all_in=all_in)
    return True


def _board(streets: Streets, event: dict[str, object]) -> bool:
    shown, number = event.get("BoardCards"), event.get("BoardNum") or 1  # older: not said which
    text = " ".join(map(str, shown)) if isinstance(shown, list) else shown
    if not isinstance(text, str) or type(number) is not int:
        return False
    return streets.card(text, number)


def _draw(streets: Streets, event: dict[str, object]) -> bool:
    seat, count = seat_of(event.get("PlayerNum")), event.get("NumCardsDrawn")
    if seat not in streets.gfx.dealt or type(count) is not int or not 0 <= count < 8:
        return False
    streets.draw(seat)
    streets.gfx.put(CardsDiscarded(seat, count) if count else StoodPat(seat))
    return True


ACTS: Final[dict[str, Act]] = {
    "fold": _fold,
    "check": _check,
    "call": partial(_wager, call=True),
    "bet": _wager,
    "raise": _wager,
    "raiseto": _wager,
    "allin": partial(_wager, all_in=True),
    "boardcard": _board,
    "board": _board,
    "draw": _draw,
    "discard": _draw,
    "standpat": _draw,
}
"""`EventType`, small letters without marks → how it is told."""
