"""The betting and the cards of a hand as events: shared by both kinds of log.

Who acts is not written: it follows from the order of positions and from who is still in.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.acpc.words import BOARD_SIZES, PLAYERS_MOST, STREETS, VENUE, Structure
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HowKnown
from ledger.hand.opening import BlindPosted, ButtonPlaced, GameSet, SeatDealtIn
from ledger.people import People
from ledger.readers.hand import NOWHERE, SEATS, HandBuilder
from ledger.readers.spans import Spans
from ledger.vocabulary import DECK, Cards, Chips, Seat

_DECK: Final = frozenset(DECK)
_DIGITS_MOST: Final = 12
_KEPT: Final = 1000
_ACTS: Final = frozenset("fcr")
_NO_END: Final = 1 << 62
_DEALT: Final = DealCompleted()
_FOLDED: Final = [Folded(seat) for seat in range(PLAYERS_MOST + 1)]
_CHECKED: Final = [Checked(seat) for seat in range(PLAYERS_MOST + 1)]

DIGITS: Final = frozenset("0123456789")


@lru_cache(maxsize=4096)
def cards(text: str, size: int) -> Cards:
    """Return these cards; what is no card, or another number of them, raises `UnreadableHandError`."""
    if len(text) != size or any(text[at : at + 2] not in _DECK for at in range(0, size, 2)):
        raise UnreadableHandError(
            f"{text[:40]!r} is not {size // 2} cards of hold'em",
            kind="cards",
            hint="Other games of the competition (Kuhn, Leduc) are not read.",
        )
    return text


Memory: TypeAlias = dict[tuple[object, ...], tuple[list[Event], list[int]]]
"""How the hands of the same players begin: their names in order, stack and unit → events."""


class Table(NamedTuple):
    """What every hand of a game begins with, amounts in the hand's unit."""

    game: GameSet
    sizes: tuple[Chips, ...]  # limit: small and big bet
    stack: Chips | None
    posts: tuple[BlindPosted, ...]  # the smallest first
    button: ButtonPlaced
    bets: list[Chips]  # by seat, when the blinds are posted


@lru_cache(maxsize=256)
def _table(structure: Structure, exponent: int) -> Table:
    unit = 10**exponent
    blinds = [blind * unit for blind in structure.blinds]
    posts = tuple(
        BlindPosted(seat, "big" if blind == max(blinds) else "small", blind)
        for blind, seat in sorted(zip(blinds, count(1), strict=False))
        if blind
    )
    game = GameSet(
        "holdem",
        structure.betting,
        "unknown",
        "chips",
        exponent,
        tuple(post.live for post in posts),
        0,
        tuple(bet * unit for bet in structure.bets),
    )
    stack = structure.stack * unit if structure.stack else None
    bets = [0, *blinds] + [0] * (SEATS - 1 - len(blinds))
    return Table(game, game.bets, stack, posts, ButtonPlaced(structure.button + 1), bets)


@lru_cache(maxsize=50_000)
def _hole(seat: Seat, text: str, how: HowKnown) -> HoleCardsDealt:
    return HoleCardsDealt(seat, cards(text, 4), "", how)


@lru_cache(maxsize=50_000)
def _board(number: int, text: str) -> BoardDealt:
    return BoardDealt(STREETS[number], cards(text, BOARD_SIZES[number]))


class Play:
    """A hand while its betting is told. Positions count from 0; the seat is one more."""

    __slots__ = ("players", "round", "stack", "table", "told", "turn", "unit")

    def __init__(self, places: Spans, people: People, structure: Structure, at: int, exponent: int = 0) -> None:
        """Begin a hand: its first part is place `at`."""
        self.table = _table(structure, exponent)
        self.unit = 10**exponent
        self.players = len(structure.blinds)
        self.stack = self.table.stack
        self.told = HandBuilder(places, people, VENUE, self.table.game, at)
        self.round = 0
        self.turn = structure.first

    def seat(self, names: list[str], at: list[int], memory: Memory) -> None:
        """Seat the players by position, put the blinds down; `at` are the places of their names."""
        told, table = self.told, self.table
        key = (*names, self.stack, self.unit)
        begun = memory.get(key)
        if begun is None:
            if len(memory) > _KEPT:
                memory.clear()
            begun = memory[key] = self._begun(names)
        told.events += begun[0]
        told.derived += begun[1]
        spots = [at[post.seat - 1] for post in table.posts]
        told.marks += (told.at, *at, NOWHERE, *spots)
        told.bets, told.put_in = table.bets.copy(), table.bets.copy()
        told.level, told.alone, told.at = table.posts[-1].live, table.posts[-1].seat, spots[-1]

    def _begun(self, names: list[str]) -> tuple[list[Event], list[int]]:
        """Return the events with which hands of these players begin, and which of them are concluded."""
        table, player = self.table, self.told.people.player
        seats = [SeatDealtIn(at, player(VENUE, name), self.stack) for at, name in enumerate(names, 1)]
        behind = 2 + len(seats)
        derived = [1, *range(behind, behind + 1 + len(table.posts))]
        if self.stack:  # the stacks are the game's, not the line's
            derived[1:1] = range(2, behind)
        return [table.game, *seats, table.button, *table.posts], derived

    def deal(self, position: int, hole: str, at: int, how: HowKnown) -> None:
        """Deal a seat its cards; none is told of unknown ones."""
        if hole:
            self.told.at = at
            self.told.put(_hole(position + 1, hole, how))

    def dealt(self) -> None:
        """Say that every seat has its cards."""
        self.told.put(_DEALT)

    def bet(self, betting: str, first: int, step: int, boards: list[str], spots: list[int]) -> None:
        """Tell betting: `c` and `f`, `r` with or without an amount, `/` for the next street.

        Its first letter has place `first`, the others `step` more each. `boards` are the cards of
        the streets, `spots` their places. What cannot be raises `UnreadableHandError`.
        """
        told, players, most, turn = self.told, self.players, self.stack or _NO_END, self.turn
        bets, put_in, folded = told.bets, told.put_in, told.folded
        put, mark = told.events.append, told.marks.append
        k, count = 0, len(betting)
        while k < count:
            letter, end = betting[k], k + 1
            if letter == "/":
                self.street(boards, spots)
                bets, turn = told.bets, 0
                k = end
                continue
            seat = turn % players + 1
            if (seat in folded or put_in[seat] >= most) and letter in _ACTS:
                seat = self.following(seat)
            turn = seat
            if letter == "c":
                own, to = bets[seat], told.level
                if put_in[seat] + to - own > most:
                    to = most - put_in[seat] + own
                if to > own:
                    bets[seat] = to
                    put_in[seat] += to - own
                    if to == told.level:
                        told.alone = 0
                    put(Called(seat, to - own, to))
                else:
                    put(_CHECKED[seat])
            elif letter == "f":
                folded.add(seat)
                put(_FOLDED[seat])
            elif letter == "r":
                while end < count and betting[end] in DIGITS:
                    end += 1
                own, level = bets[seat], told.level
                to = self._raise(seat, betting[k + 1 : end])
                bets[seat] = told.level = to
                put_in[seat] += to - own
                told.alone = seat
                put((Raised if level else Bet)(seat, to - own, to))
                if step:
                    told.places.lengths[first + k] *= end - k
            else:
                raise UnreadableHandError(f"the betting holds {letter!r}, which is no act", kind="betting")
            mark(first + k * step)
            k = end
        self.turn = turn % players

    def _raise(self, seat: Seat, number: str) -> Chips:
        """Return the seat's total on this street: with a number, that is its total of the whole hand."""
        told = self.told
        if not number:
            if not self.table.sizes:
                raise UnreadableHandError("a raise at no limit has no amount", kind="betting")
            return told.level + self.table.sizes[0 if self.round < 2 else 1]
        if len(number) > _DIGITS_MOST:
            raise UnreadableHandError(f"the amount {number[:40]!r} is too large", kind="amount")
        to: Chips = int(number) * self.unit - told.put_in[seat] + told.bets[seat]
        if to <= told.level:
            raise UnreadableHandError(
                f"a raise to {number} in all is no raise: the bet is larger already", kind="betting"
            )
        return to

    def following(self, seat: Seat) -> Seat:
        """Return the next seat that has neither folded nor all chips in."""
        told, most = self.told, self.stack or _NO_END
        for step in range(1, self.players):
            after = (seat - 1 + step) % self.players + 1
            if after not in told.folded and told.put_in[after] < most:
                return after
        raise UnreadableHandError("more acts than players can make", kind="betting")

    def street(self, boards: list[str], spots: list[int]) -> None:
        """Begin the next street with its cards."""
        self.round += 1
        if self.round > len(boards):
            raise UnreadableHandError("a street has no cards", kind="cut-off")
        if self.round >= len(STREETS):
            raise UnreadableHandError("more streets than hold'em has", kind="betting")
        self.turn = 0
        told = self.told
        told.next_street(STREETS[self.round])
        told.at = spots[self.round - 1]
        told.put(_board(self.round, boards[self.round - 1]))

    @property
    def live(self) -> list[Seat]:
        """Seats that have not folded."""
        return [seat for seat in range(1, self.players + 1) if seat not in self.told.folded]

    @property
    def over(self) -> bool:
        """Whether everything has happened: one is left, or the river's betting is done."""
        told = self.told
        live = self.live
        if len(live) == 1:
            return True
        if self.round < len(STREETS) - 1:
            return False
        able = [seat for seat in live if not self.stack or told.put_in[seat] < self.stack]
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
        raise UnreadableHandError(f"{len(hole)} players: the competition has 2 to {PLAYERS_MOST}", kind="seat")
    return len(hole)
