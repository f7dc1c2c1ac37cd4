"""A hand of partypoker while it is read: who sits where, and seats that no line names."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.formats.partypoker.header import Head, clean
from ledger.formats.partypoker.words import CARDS, STUD
from ledger.hand.betting import Called
from ledger.hand.opening import BlindPosted, ButtonPlaced, GameSet, SeatDealtIn
from ledger.people import People
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.vocabulary import Cards, Chips, Seat

_KEPT: Final = 50_000
_LONGEST_NAME: Final = 40

_cards: Final[dict[str, Cards | None]] = {}


def cards(text: str) -> Cards | None:
    """Return ` 4h, 4s, Jh ` or ` Kh 4c ` as cards; None where one of them is no card."""
    if text in _cards:
        return _cards[text]
    found = [CARDS.get(word) for word in text.replace(",", " ").split()]
    joined = None if None in found else "".join(filter(None, found))
    if len(_cards) > _KEPT:
        _cards.clear()
    if len(text) < 100:
        _cards[text] = joined
    return joined


def _is_name(name: str) -> bool:
    return bool(name) and len(name) <= _LONGEST_NAME and ":" not in name


class Hand(Listed):
    """The hand being read."""

    __slots__ = (
        "chairs",
        "claimed",
        "dealt_at",
        "ended",
        "hero",
        "last",
        "odd",
        "own",
        "raises",
        "read_up_to",
        "second",
        "small",
        "strangers",
        "summary",
        "told_drop",
        "unmasked",
    )

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int, chairs: int) -> None:
        super().__init__(lines, people, venue, game, at)
        self.chairs = chairs
        self.last: Seat = 0  # who posted or acted last
        self.small: Seat = 0  # who posted the small blind
        self.second: set[Seat] = set()  # further small blinds: live, unless a call shows otherwise
        self.hero: Seat = 0
        self.own = False  # somebody's own cards are told
        self.ended = -1  # the last line that tells the hand's end
        self.summary = False
        self.dealt_at = 0  # where the deal stands among the events, 0 = not yet
        self.read_up_to = 0  # lines before this one are read
        self.raises = "added"  # what the number behind `raises` is
        self.told_drop = False  # the source tells what the house took
        self.claimed: set[Seat] = set()  # of whom the text says what hand they had
        self.odd = 0  # calls that do not match the bet
        self.strangers: list[str] = []  # players without a seat line who act
        self.unmasked: set[Seat] = set()  # whose name an act told, for the list had `Player4`

    def clean(self, text: str) -> str:
        """Return an amount without currency code, inner blanks and what stands around it."""
        return clean(text)

    # -- seats ----------------------------------------------------------------------------------

    def take_seats(self, head: Head) -> None:
        """Deal the listed seats in; who turns out not to play is left out in the end."""
        for line, seat, name, stack in head.seats:
            self.at = line
            self.take(seat, name, self.amount(stack))
        if head.button is not None and (head.button or self.game.variant not in STUD):
            self.at = head.button_line
            self.put(ButtonPlaced(head.button or None))

    def who(self, name: str) -> Seat:
        """Return the seat of somebody who acts; who is not listed gets the chair that fits."""
        found = self.seats.get(name)
        if found is None:
            found = self.seats.get(name.strip())
        if found is None:
            found = self._masked(name.strip()) or self._stranger(name.strip())
        return found

    def _masked(self, name: str) -> Seat:
        """Find who acts in the seat that the list calls `Player4` until the client knows better.

        It is the next such seat behind who acted before. 0 = no seat of the list is called so.
        """
        masks = {seat for shown, seat in self.seats.items() if shown == f"Player{seat}"}
        masks -= self.unmasked | self.folded
        if not masks or not _is_name(name) or name in self.same:
            return 0
        chairs = max(self.chairs, *self.stacks)
        order = [(self.last + step - 1) % chairs + 1 for step in range(1, chairs + 1)]
        seat = next((one for one in order if one in masks), 0)
        if seat:
            self.unmasked.add(seat)
            self.seats[name] = seat
            at = self.index[seat]
            self.events[at] = SeatDealtIn(seat, self.player(name), self.stacks[seat])
            self.derived.append(at)
        return seat

    def _stranger(self, name: str) -> Seat:
        """Sit somebody down whom the list leaves out: behind who acted before. 0 = that cannot be."""
        if not _is_name(name) or name in self.same:
            return 0
        chairs = max(self.chairs, *self.stacks) if self.stacks else self.chairs
        order = [(self.last + step - 1) % chairs + 1 for step in range(1, chairs + 1)]
        free = next((seat for seat in order if seat not in self.stacks), 0)
        seat = free or next((n for n in range(1, SEATS) if n not in self.stacks), 0)
        if not seat:
            return 0
        self.seats[name] = seat
        self.stacks[seat] = None
        self.strangers.append(name)
        at = max(self.index.values(), default=0) + 1
        self.place(at, SeatDealtIn(seat, self.player(name), None))
        self.index[seat] = at
        return seat

    def place(self, index: int, event: Event) -> None:
        """Insert a concluded event; what stands behind it moves on."""
        super().place(index, event)
        if self.dealt_at >= index:
            self.dealt_at += 1

    # -- posts and calls ------------------------------------------------------------------------

    def missing_post(self, seat: Seat, to: Chips) -> bool:
        """Conclude the big blind of somebody who came in without a line for it.

        `to` is the street total with which that seat checks or calls; a big blind more is what
        the others put in.
        """
        short = self.level - to
        if self.street != "preflop" or not self.blind or short != self.blind or self.bets[seat]:
            return False
        stack = self.stacks.get(seat)
        if stack is not None and stack < to + short:
            return False
        self.bets[seat] += short
        self.put_in[seat] += short
        self.place(self.dealt_at or len(self.events), BlindPosted(seat, "entry", short))
        if self.level == self.bets[seat] and seat != self.alone:
            self.alone = 0
        return True

    def called(self, seat: Seat, added: Chips) -> None:
        """Tell a call, and settle what it shows of posts before it."""
        to = self.bets[seat] + added
        if to != self.level:
            to = self._odd_call(seat, to)
        self.put_in[seat] += added
        self.bets[seat] = to
        if to == self.level and seat != self.alone:
            self.alone = 0
        elif to > self.level:
            self.level, self.alone = to, seat
        self.put(Called(seat, added, to))

    def _odd_call(self, seat: Seat, to: Chips) -> Chips:
        """Look at a call that does not match the bet; return the seat's street total with it."""
        if seat in self.second and to > self.level:
            return to - self._second_is_dead(seat)
        before = self.bets[seat]
        if self.missing_post(seat, to):
            return to + self.bets[seat] - before
        stack = self.stacks.get(seat)
        if to > self.level or stack is None or stack > self.put_in[seat] + to - before:
            self.odd += 1
        return to

    def _second_is_dead(self, seat: Seat) -> Chips:
        """Make a second small blind dead, as the seat's first call shows it to be."""
        self.second.discard(seat)
        for index, event in enumerate(self.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.live:
                self.events[index] = BlindPosted(seat, event.role, 0, event.live, event.all_in)
                self.bets[seat] -= event.live
                return event.live
        return 0
