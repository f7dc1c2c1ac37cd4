"""The betting and the cards of a hand as events: shared by both kinds of log.

Who acts is not written: it follows from the order of positions and from who is still in.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.acpc.words import BOARD_SIZES, PLAYERS_MOST, STREETS, VENUE, Structure
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HowKnown
from ledger.hand.opening import ButtonPlaced, GameSet
from ledger.people import People
from ledger.telling.hand import Telling
from ledger.telling.spans import Spans
from ledger.vocabulary import DECK, Cards, Chips, Seat

_DECK: Final = frozenset(DECK)
_DIGITS_MOST: Final = 12


@lru_cache(maxsize=4096)
def cards(text: str, size: int) -> Cards:
    """Return these cards; what is no card, or another number of them, raises `UnreadableHandError`."""
    if len(text) != size or any(text[at : at + 2] not in _DECK for at in range(0, size, 2)):
        raise UnreadableHandError(
            f"{text[:40]!r} is not {size // 2} cards of hold'em", kind="cards",
            hint="Other games of the competition (Kuhn, Leduc) are not read.",
        )  # fmt: skip
    return text


class Play:
    """A hand while its betting is told. Positions count from 0; the seat is one more."""

    def __init__(
        self, places: Spans, people: People, structure: Structure, at: int, exponent: int = 0
    ) -> None:
        """Begin a hand: its first part is place `at`."""
        unit = 10**exponent
        self.structure = structure
        self.players = len(structure.blinds)
        self.blinds: tuple[Chips, ...] = tuple(blind * unit for blind in structure.blinds)
        self.sizes: tuple[Chips, ...] = tuple(bet * unit for bet in structure.bets)
        self.stack = structure.stack * unit if structure.stack else None
        self.exponent = exponent
        self.game = GameSet(
            "holdem", structure.betting, "unknown", "chips", exponent,
            tuple(sorted(blind for blind in self.blinds if blind)), 0, self.sizes,
        )  # fmt: skip
        self.told = Telling(places, people, VENUE, self.game, at)
        self.round = 0
        self.turn = structure.first
        self.order = range(self.players)

    def seat(self, names: list[str], at: list[int]) -> None:
        """Seat the players by position, put the blinds down; `at` are the places of their names."""
        told = self.told
        told.conclude(self.game, at=told.at)
        for position, name in enumerate(names):
            told.at = at[position]
            if self.stack:
                told.derived.append(len(told.events))  # the stack is the game's, not the line's
            told.sit(position + 1, name, self.stack)
        told.conclude(ButtonPlaced(self.structure.button + 1))
        for position in sorted(self.order, key=lambda one: self.blinds[one] or 1 << 60):
            blind = self.blinds[position]
            if blind:
                told.derived.append(len(told.events))
                told.at = at[position]
                told.post(position + 1, "big" if blind == max(self.blinds) else "small", blind)

    def deal(self, position: int, hole: str, at: int, how: HowKnown) -> None:
        """Deal a seat its cards; none is told of unknown ones."""
        if hole:
            self.told.at = at
            self.told.put(HoleCardsDealt(position + 1, cards(hole, 4), "", how))

    def dealt(self) -> None:
        """Say that every seat has its cards."""
        self.told.put(DealCompleted())

    def act(self, letter: str, number: str, at: int) -> Seat:
        """Tell the act of whose turn it is; return who that was. `number` is what stands after `r`."""
        told = self.told
        told.at = at
        position = self._next()
        seat = position + 1
        self.turn = (position + 1) % self.players
        if letter == "f":
            told.fold(seat)
        elif letter == "c":
            to = told.level
            if self.stack:
                to = min(to, self.stack - told.put_in[seat] + told.bets[seat])
            if to > told.bets[seat]:
                told.call_to(seat, to)
            else:
                told.check(seat)
        else:
            told.wager(seat, self._raise(seat, number))
        return seat

    def _raise(self, seat: Seat, number: str) -> Chips:
        """Return the seat's total on this street: with a number, that is its total of the whole hand."""
        told = self.told
        if not number:
            if not self.sizes:
                raise UnreadableHandError("a raise at no limit has no amount", kind="betting")
            size: Chips = self.sizes[0 if self.round < 2 else 1]
            return told.level + size
        if len(number) > _DIGITS_MOST:
            raise UnreadableHandError(f"the amount {number[:40]!r} is too large", kind="amount")
        to = told.chips(number) - told.put_in[seat] + told.bets[seat]
        if to <= told.level:
            raise UnreadableHandError(
                f"a raise to {number} in all is no raise: the bet is larger already", kind="betting",
            )  # fmt: skip
        return to

    def _next(self) -> int:
        """Return the position whose turn it is: the next that has neither folded nor all chips in."""
        told, stack = self.told, self.stack
        for step in self.order:
            position = (self.turn + step) % self.players
            seat = position + 1
            if seat not in told.folded and (not stack or told.put_in[seat] < stack):
                return position
        raise UnreadableHandError("more acts than players can make", kind="betting")

    def board(self, new: str, at: int) -> None:
        """Begin the next street with its cards."""
        self.round += 1
        if self.round >= len(STREETS):
            raise UnreadableHandError("more streets than hold'em has", kind="betting")
        self.turn = 0
        self.told.at = at
        self.told.board(STREETS[self.round], cards(new, BOARD_SIZES[self.round]))

    @property
    def live(self) -> list[Seat]:
        """Seats that have not folded."""
        return [seat for seat in range(1, self.players + 1) if seat not in self.told.folded]

    @property
    def over(self) -> bool:
        """Whether everything has happened: one is left, or the river's betting is done."""
        told = self.told
        if len(self.live) == 1:
            return True
        if self.round < len(STREETS) - 1:
            return False
        able = [seat for seat in self.live if not self.stack or told.put_in[seat] < self.stack]
        return len(able) < 2 or self._closed(able)

    def _closed(self, able: list[Seat]) -> bool:
        """Whether all that can act have acted on this street and match its bet."""
        told = self.told
        acted = set()
        for event in reversed(told.events):
            if isinstance(event, BoardDealt):
                break
            acted.add(getattr(event, "seat", 0))
        return all(seat in acted and told.bets[seat] == told.level for seat in able)


def seats_of(hole: list[str]) -> int:
    """Return how many players these hole cards are of; too few or many raise `UnreadableHandError`."""
    if not 2 <= len(hole) <= PLAYERS_MOST:
        raise UnreadableHandError(
            f"{len(hole)} players: the competition has 2 to {PLAYERS_MOST}", kind="seat"
        )
    return len(hole)
