"""From an element's name to how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.everest.parts import Element
from ledger.formats.everest.words import BOARDS, VENUE, cards, chips
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, RemarkNoted
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.presence import WordsSaid
from ledger.readers.marked import Source, Tag
from ledger.readers.markup import XmlHandBuilder
from ledger.vocabulary import Chips, Seat

_WORDS_MOST: Final = 2000
_SECONDS_MOST: Final = 11


class Game(XmlHandBuilder):
    """The hand being told."""

    __slots__ = ("dealt", "own", "small", "streets", "total")

    def __init__(self, source: Source, people: People, game: GameSet, begins: Tag) -> None:
        super().__init__(source, people, VENUE, game, begins)
        self.small: Seat = 0  # who posted it
        self.streets = 0  # how many of the board's were dealt
        self.dealt = False  # every seat has its cards
        self.own = False  # the file's owner has cards
        self.total: tuple[Tag, Chips, Chips, Chips] | None = None  # the last pot, its rake, its tax

    def deal_complete(self) -> None:
        """Say that every seat has its cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())


Make: TypeAlias = Callable[[Game, Element], bool]
"""Tells an element; False where it says nothing that can be."""


def _known(told: Game, one: Element) -> Seat:
    """Return the seat of an element, 0 if it is not in the hand."""
    seat = one.seat
    return seat if seat is not None and seat in told.stacks else 0


def _seen(_told: Game, _one: Element) -> bool:
    """Tell nothing: seats and the button are told before."""
    return True


def _blind(told: Game, one: Element) -> bool:
    """Post: by its amount the small or the big blind, an entry if that was posted; a penalty is dead."""
    seat, amount, penalty = _known(told, one), chips(one.get("amount")), chips(one.get("penalty"))
    if not seat or amount is None:
        return False
    if penalty:
        told.post(seat, "makeup-small", 0, penalty)
    small = told.game.blinds[0] if len(told.game.blinds) == 2 else 0
    first = not told.small and not told.big
    if not amount:
        return bool(penalty)
    if first and (amount <= small if small else len(told.stacks) > 1):
        told.small = seat
        told.post(seat, "small", amount)
    elif not told.big:
        told.post(seat, "big", amount)
    elif small and amount <= small:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.post(seat, "entry", amount)
    return True


def _ante(told: Game, one: Element) -> bool:
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or not amount:
        return False
    told.ante(seat, amount)
    return True


def _no_blind(told: Game, one: Element) -> bool:
    """Note that a seat does not post; which blind was due is not said."""
    told.put(RemarkNoted(told.people.text(told.source.words(one.tag.start, one.tag.stop))))
    return one.seat is not None


def _hole(told: Game, one: Element) -> bool:
    seat, card = _known(told, one), cards(one.text)
    if not seat or card is None:
        return False
    if card != "??":
        told.own = True
        told.put(HoleCardsDealt(seat, card))
    return True


def _fold(told: Game, one: Element) -> bool:
    seat = _known(told, one)
    if not seat or seat in told.folded:
        return False
    told.deal_complete()
    told.fold(seat)
    return True


def _bet(told: Game, one: Element) -> bool:
    """Check, bet, call or raise: the amount is the chips added, and the bet before shows which."""
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or amount is None or seat in told.folded:
        return False
    told.deal_complete()
    if amount:
        told.wager(seat, told.bets[seat] + amount)
    else:
        told.check(seat)
    return True


def _push(told: Game, one: Element) -> bool:
    seat, amount = _known(told, one), chips(one.get("amount"))
    if not seat or amount is None:
        return False
    told.give_back(seat, amount)
    return True


def _sweep(told: Game, one: Element) -> bool:
    """Keep the pot after a street, with what was taken of it so far: the last one is declared."""
    pot, rake, tax = chips(one.text), chips(one.get("rake") or "0"), chips(one.get("tax") or "0")
    if pot is None or rake is None or tax is None:
        return False
    told.total = one.tag, pot, rake, tax
    return True


def _community(told: Game, one: Element) -> bool:
    """Deal a street, or all that are left: nobody acts between them then."""
    found, left = cards(one.text) or "", BOARDS[told.streets :]
    if not left or len(found) not in (2 * left[0][1], 2 * sum(count for _, count in left)):
        return False
    told.deal_complete()
    while found:
        street, count = BOARDS[told.streets]
        told.streets += 1
        told.board(street, found[: 2 * count])
        found = found[2 * count :]
    return True


def _show(told: Game, one: Element) -> bool:
    seat, found = _known(told, one), cards(one.text)
    if not seat or found is None:
        return False
    told.put(CardsShown(seat, found))
    return True


def _no_show(told: Game, one: Element) -> bool:
    seat = _known(told, one)
    if seat:
        told.put(CardsMucked(seat, declined=True))
    return bool(seat)


def _win(told: Game, one: Element) -> bool:
    seat, amount, pot = _known(told, one), chips(one.get("amount")), chips(one.get("pot"))
    if not seat or amount is None:
        return False
    told.award(seat, amount, pot if pot is None or pot < 20 else None)
    return True


def _chat(told: Game, one: Element) -> bool:
    name, time = one.get("name"), one.get("time")
    if time.isascii() and time.isdecimal() and len(time) < _SECONDS_MOST:
        told.times[len(told.events)] = int(time) * 1000
    words = told.people.text(one.text[:_WORDS_MOST])
    told.put(WordsSaid(words, told.seats.get(name), told.player(name) if name else ""))
    return True


ACTS: Final[dict[str, Make]] = {
    "seat": _seen,
    "dealer": _seen,
    "blind": _blind,
    "ante": _ante,
    "xblind": _no_blind,
    "hole": _hole,
    "fold": _fold,
    "bet": _bet,
    "push": _push,
    "sweep": _sweep,
    "community": _community,
    "show": _show,
    "xshow": _no_show,
    "win": _win,
    "chat": _chat,
}
"""An element, small letters → how it is told."""

BUSY: Final = frozenset(("ante", "blind", "hole", "fold", "bet"))
"""Elements of who is dealt in."""
