"""A hand of partypoker while it is read: who sits where, and the posts that no line tells."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.formats.partypoker.header import Head, clean
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.opening import (
    AntePosted,
    BlindPosted,
    BringInPosted,
    ButtonPlaced,
    GameSet,
    SeatDealtIn,
    StraddlePosted,
)
from ledger.people import People
from ledger.readers import stud
from ledger.readers.cards import KNOWN, reader, unknown
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.readers.room import Room
from ledger.vocabulary import DECK, Cards, Chips, Seat, Street

BOARD: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
STREETS: Final[dict[str, Street]] = {
    "third street": "third",
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
DEALS: Final = frozenset(("", "down cards", "third street"))
"""What is dealt first, as its heading names it."""
FIRST_ACTS: Final = ("folds", "calls", "raises", "is all-In", "is all-in", "checks", "bets")
_ACTED: Final = (
    Bet,
    Called,
    Checked,
    Completed,
    Folded,
    Raised,
    AntePosted,
    BlindPosted,
    BringInPosted,
    StraddlePosted,
)
_LONGEST_NAME: Final = 40
_read_cards: Final = reader(
    {
        **KNOWN,
        **{card.lower(): card for card in DECK},
        **{card.upper(): card for card in DECK},
        **unknown("XX", "xx", "??", "X"),
    }
)


class Seated(Room):
    """A hand whose list of seats may lack who plays, and whose lines may lack posts."""

    __slots__ = (
        "after",
        "chairs",
        "claimed",
        "dealt_at",
        "ended",
        "hero",
        "odd",
        "raises_tell",
        "second",
        "small",
        "summary",
        "unmasked",
    )
    BEHIND = ("",)

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int, head: Head) -> None:
        super().__init__(lines, people, venue, game, at)
        self.chairs = head.chairs

    def begin(self) -> None:
        """Know of nobody who posted yet."""
        self.after = 0  # the line behind the hand
        self.small: Seat = 0  # who posted the small blind
        self.second: set[Seat] = set()  # further small blinds: live, unless a call shows otherwise
        self.hero: Seat = 0
        self.ended = -1  # the last line that tells the hand's end
        self.summary = False
        self.dealt_at = 0  # where the deal stands among the events, 0 = not yet
        self.raises_tell = "added"  # what the number behind `raises` is
        self.claimed: set[Seat] = set()  # of whom the text says what hand they had
        self.odd = 0  # calls that do not match the bet
        self.unmasked: set[Seat] = set()  # whose name an act told, for the list had `Player4`

    def clean(self, text: str) -> str:
        """Return `[$5 USD]` as an amount."""
        return clean(text.strip("[]() "))

    def cards(self, text: str) -> Cards | None:
        """Return ` 4h, 4s, Jh ` or `[ Kh 4c ]` as cards; None where one of them is no card."""
        return _read_cards(text.strip(" :[]"))

    def take_seats(self, head: Head) -> None:
        """Deal the listed seats in; who turns out not to play is left out in the end."""
        for line, seat, name, stack in head.seats:
            self.at = line
            self.take(seat, name, self.amount(stack))
        self.listen()
        if head.button is not None and (head.button or not stud.is_stud(self)):
            self.at = head.button_line
            self.put(ButtonPlaced(head.button or None))

    # -- whose seat -------------------------------------------------------------------------------

    def who(self, name: str) -> Seat:
        """Return the seat of somebody who acts; 0 = that cannot be."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or ":" in name or name in self.same:
            return 0
        seat = self.seats.get(name) or self.masked(name) or self.new_seat(name)
        if seat:
            self.listen()
        return seat

    def behind_last(self) -> list[Seat]:
        """Return all chairs, beginning behind who posted or acted last; behind the deal that is the big blind."""
        last: Seat = 0
        straddled = any(isinstance(event, StraddlePosted) for event in self.events)
        for event in reversed(self.events):
            if isinstance(event, _ACTED):
                last = event.seat
                break
            if isinstance(event, DealCompleted) and self.big and not straddled:
                last = self.big
                break
        chairs = max(self.chairs, *self.stacks) if self.stacks else self.chairs
        return [(last + step - 1) % chairs + 1 for step in range(1, chairs + 1)]

    def masked(self, name: str) -> Seat:
        """Find who acts in the seat that the list calls `Player4` until the client knows better.

        It is the next such seat behind who acted before. 0 = no seat of the list is called so.
        """
        masks = {seat for shown, seat in self.seats.items() if shown == f"Player{seat}"}
        masks -= self.unmasked | self.folded
        seat = next((one for one in self.behind_last() if one in masks), 0) if masks else 0
        if seat:
            self.unmasked.add(seat)
            self.seats[name] = seat
            at = self.index[seat]
            self.events[at] = SeatDealtIn(seat, self.player(name), self.stacks[seat])
            self.derived.append(at)
        return seat

    def new_seat(self, name: str) -> Seat:
        """Sit somebody down whom the list leaves out: behind who acted before. 0 = that cannot be."""
        free = (seat for seat in (*self.behind_last(), *range(1, SEATS)) if seat not in self.stacks)
        seat = next(free, 0)
        if seat:
            self.seats[name] = seat
            self.stacks[seat] = None
            at = max(self.index.values(), default=0) + 1
            self.place(at, SeatDealtIn(seat, self.player(name), None))
            self.index[seat] = at
        return seat

    def place(self, index: int, event: Event) -> None:
        """Insert a concluded event; what stands behind it moves on."""
        super().place(index, event)
        if self.dealt_at >= index:
            self.dealt_at += 1

    # -- posts and acts ---------------------------------------------------------------------------

    def small_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the small blind; a second one counts toward calling here, until a call shows otherwise."""
        if self.small and self.small != seat:
            self.second.add(seat)
            self.post(seat, "makeup-small", amount)
        else:
            self.small = seat
            self.post(seat, "small", amount)

    def button_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post the blind of the button, the only one of short deck."""
        self.post(seat, "button", amount)

    def dead_blind(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post a dead blind alone."""
        self.post(seat, "makeup", 0, amount)

    def raises(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Raise; what the number is, partypoker and its imitators do not agree on."""
        if self.raises_tell == "to":
            self.raise_to(seat, amount)
        elif self.raises_tell == "over":
            self.raise_over(seat, amount)
        else:
            self.raise_by(seat, amount)

    def checks(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Check; who checks a bet must have posted it without a line."""
        if self.bets[seat] != self.level:
            self.missing_post(seat, self.bets[seat])
        self.check(seat)

    def calls(self, seat: Seat, added: Chips, _all_in: bool | None) -> None:
        """Call, and settle what it shows of posts before it."""
        to = self.bets[seat] + added
        if to != self.level:
            to = self.odd_call(seat, to)
        self.put_in[seat] += added
        self.bets[seat] = to
        if to == self.level and seat != self.alone:
            self.alone = 0
        elif to > self.level:
            self.level, self.alone = to, seat
        self.put(Called(seat, added, to))

    def odd_call(self, seat: Seat, to: Chips) -> Chips:
        """Look at a call that does not match the bet; return the seat's street total with it."""
        if seat in self.second and to > self.level:
            return to - self.second_is_dead(seat)
        before = self.bets[seat]
        if self.missing_post(seat, to):
            return to + self.bets[seat] - before
        stack = self.stacks.get(seat)
        if to > self.level or stack is None or stack > self.put_in[seat] + to - before:
            self.odd += 1
        return to

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

    def second_is_dead(self, seat: Seat) -> Chips:
        """Make a second small blind dead, as the seat's first call shows it to be."""
        self.second.discard(seat)
        for index, event in enumerate(self.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.live:
                self.events[index] = BlindPosted(seat, event.role, 0, event.live, event.all_in)
                self.bets[seat] -= event.live
                return event.live
        return 0

    def went_all_in(self, seat: Seat) -> None:
        """Take note that the act before was all-in."""
        for index in range(len(self.events) - 1, -1, -1):
            event = self.events[index]
            if getattr(event, "seat", 0) != seat:
                continue
            if isinstance(event, Bet | Called | Raised | Completed):
                self.events[index] = type(event)(seat, event.added, event.to, True)
            elif isinstance(event, BlindPosted):
                self.events[index] = BlindPosted(seat, event.role, event.live, event.dead, True)
            elif isinstance(event, BringInPosted):
                self.events[index] = BringInPosted(seat, event.amount, True)
            else:
                continue
            return
        self.remark()

    # -- the deal ---------------------------------------------------------------------------------

    def heading(self, title: str, rest: str) -> bool:
        """Read `** Dealing Flop ** [ 4h, 4s, Jh ]`, `** Dealing down cards **`, `** Summary **`."""
        what = title.strip().lower().removeprefix("dealing").lstrip()
        board = self.cards(rest) if "[" in rest else None
        if what in BOARD and board:
            self.board(BOARD[what], board)
        elif what in DEALS and not rest.strip(" :"):
            self.deal()
        elif what == "summary":
            self.close_bets()
            self.summary, self.ended = True, self.at
        else:
            return what in STREETS and stud.begins_street(self, STREETS[what])
        return True

    def deal(self) -> None:
        """Read the first deal, and conclude the blinds that tournaments leave out."""
        if stud.is_stud(self):
            self.street = "third"
        elif len(self.game.blinds) > 1 and not self.small and not self.big:
            self.silent_blinds()
        self.dealt_at = len(self.events)
        self.put(DealCompleted())

    def silent_blinds(self) -> None:
        """Conclude both blinds from who acts first: the big blind sits before, the small one before that."""
        playing: set[Seat] = set()
        first: Seat = 0
        for line in self.lines.text[self.at + 1 : self.after]:
            for seat, rest in self.speaker(line):
                playing.add(seat)
                first = first or (seat if rest.startswith(FIRST_ACTS) else 0)
        if len(playing) < 2 or not first:
            return
        ring = sorted(playing)
        at = ring.index(first)
        small, big = ring[at - 2], ring[at - 1]
        for seat, role, blind in ((small, "small", self.game.blinds[0]), (big, "big", self.game.blinds[-1])):
            live = min(blind, max(0, (self.stacks[seat] or blind) - self.put_in[seat]))
            self.derived.append(len(self.events))
            self.post(seat, role, live)  # type: ignore[arg-type]  # both are roles
        self.level = self.blind = self.game.blinds[-1]  # a short blind is called as a whole one
        self.small = small

    def deals(self, name: Seat, cards: Cards) -> bool:
        """Read `Dealt to Name [  Kh 4c ]`: hole cards, or a street's card of stud."""
        up = ""
        if stud.is_stud(self):
            up = {"third": "ddu", "seventh": "d"}.get(self.street, "u")
            if len(up) != len(cards) // 2:
                return False
        self.own, self.hero = True, name
        self.dealt(HoleCardsDealt(name, cards, up))
        return True
