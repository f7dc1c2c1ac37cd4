"""A hand of Bovada's text while it is told: positions, and streets that the text leaves out."""

from __future__ import annotations

from typing import Final

from ledger.formats.bovada.header import Head
from ledger.formats.bovada.seating import Chair, Seating
from ledger.formats.bovada.words import HI_LO, NEXT_BOARD, STUD, STUD_STREETS, STUD_UPS
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import DropTaken, RemarkNoted
from ledger.hand.opening import BlindPositionPlaced, ButtonPlaced, GameSet, NotDealtIn
from ledger.readers.reading import Page
from ledger.readers.room import Room
from ledger.vocabulary import Cards, Chips, PlayerId, Seat

_DEAL: Final = "Card dealt to a spot ["
_BUTTON: Final = "Set dealer"
_ABSENT: Final = ("Sitout", "Seat ", "Sit out", "Re-join", "Stand", "Table ", "Leave", "Enter", "Draw for")
"""How what a position does begins without its being in the hand."""


class Positions(Room):
    """A hand whose players are known by where they sit."""

    __slots__ = (
        "acted",
        "after",
        "all_cards",
        "antes",
        "dealing",
        "dealt_in",
        "got",
        "head",
        "hidden_board",
        "hole",
        "last_summary",
        "me",
        "numbers",
        "player_of",
        "positions",
        "rake_told",
        "showing",
        "sides",
        "total",
    )

    def __init__(self, page: Page, head: Head, game: GameSet) -> None:
        super().__init__(page.lines, page.people, head.room, game, page.first)
        self.after = page.after
        self.head = head
        self.positions: dict[str, Seat] = {}  # positions as lines write them → seat
        self.numbers: dict[int, Seat] = {}
        self.player_of: dict[Seat, PlayerId] = {}
        self.me: Seat = 0
        self.dealing = False  # the hole cards are being dealt
        self.dealt_in = False  # and all have them
        self.all_cards = False
        self.hole: dict[Seat, Cards] = {}
        self.got: set[Seat] = set()  # stud: who has the street's card
        self.antes: set[str] = set()
        self.hidden_board = ""  # the summary's board, where no street of it is told
        self.acted: set[Seat] = set()
        self.sides = 0
        self.showing = False  # the showdown began
        self.last_summary = 0  # the line with which the summary begins
        self.rake_told = False
        self.total: Chips | None = None
        if head.variant in STUD:
            self.street = "third"

    # -- before the first line is told --------------------------------------------------------

    def look(self, k: int) -> None:
        """Look ahead for what only later lines tell: who has cards, whether streets are told."""
        streets = False
        for line in self.lines.text[k : self.after]:
            who, colon, rest = line.partition(" : ")
            if colon:
                first = rest[:1]
                if first == "C" and rest.startswith(_DEAL):
                    self.positions[_bare(who) if "[" in who else who] = 0  # gets cards
                elif first == "A" and rest.startswith("Ante chip"):
                    self.antes.add(_bare(who))
                elif first == "H" and rest[:20].lower() == "hand result-side pot":
                    self.sides += 1
            elif line.startswith(("*** FLOP", "Card dealt to table", "Card to the table")):
                streets = True
            elif line.startswith("Board [") and not streets:
                self.hidden_board = self.cards(line.partition("[")[2].partition("]")[0]) or ""

    def take_seats(self, seating: Seating) -> None:
        """Tell who is dealt in, where button and blinds are."""
        dealt = set(self.positions)
        self.positions = {}
        button = self._button()
        ordered = seating.ordered
        found = seating.seats(button[1:3] if button and button[1] else None)
        chairs = sorted(zip(found, seating.chairs, strict=True), key=_by_seat)
        acting = self._acting() if len(dealt) < len(chairs) else dealt
        for seat, chair in chairs:
            self.at = chair.line
            self._sit(seat, chair, dealt=chair.name in dealt or chair.name in acting, concluded=not ordered)
        self.all_cards = dealt.issuperset(chair.name for seat, chair in chairs if seat in self.stacks)
        self.at = self._place_button(button, ordered=ordered)
        for role, name in (("small", "Small Blind"), ("big", "Big Blind")):
            seat = self.positions.get(name, 0)
            if seat:
                self.put(BlindPositionPlaced(role, seat))  # type: ignore[arg-type]  # both are named there

    def player_in(self, seat: Seat) -> PlayerId:
        """Return who sits in a seat."""
        return self.player_of[seat]

    def _sit(self, seat: Seat, chair: Chair, *, dealt: bool, concluded: bool) -> None:
        name = chair.name
        stack = self.chips(chair.stack)
        if concluded:
            self.derived.append(len(self.events))  # the seat's number follows from the order
        if dealt:
            self.sit(seat, name, stack)
        else:
            self.leave_out(seat, name, stack, self._reason(name))
        self.numbers.setdefault(chair.number, seat)
        self.player_of[seat] = self.player(name)
        self.positions.setdefault(name, seat)
        if chair.me:
            self.me = seat
            for form in (name + " [ME]", name + "  [ME]"):
                self.positions.setdefault(form, seat)

    def _acting(self) -> set[str]:
        """Return the positions that post or act, for texts that keep others' cards to themselves."""
        found = set()
        for line in self.lines.text[self._first() : self.after]:
            who, colon, rest = line.partition(" : ")
            if colon and not rest.startswith((*_ABSENT, _BUTTON)):
                found.add(_bare(who))
        return found

    def _first(self) -> int:
        return self.marks[0] + 1

    def _reason(self, name: str) -> NotDealtIn:
        for line in self.lines.text[self._first() : self.after]:
            who, colon, rest = line.partition(" : ")
            if colon and _bare(who) == name:
                if rest.startswith("Sitout"):
                    return "waiting-for-big-blind"
                if rest.startswith(("Seat sit out", "Sit out")):
                    return "sitting-out"
        return "unknown"

    def _button(self) -> tuple[int, str, int] | None:
        """Return line, position and chair of the line that sets the button; None if there is none."""
        for k in range(self._first(), self.after):
            line = self.lines.text[k]
            at = line.find(_BUTTON)
            if at == 0:
                return k, "", 0
            if at > 0 and line[at - 3 : at] == " : ":
                digits = line.partition("[")[2].partition("]")[0]
                digits = line.rpartition("[")[2].partition("]")[0] if "ME" in digits else digits
                number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 4 else 0
                return k, _bare(line[: at - 3]), number
            if line.startswith("*** HOLE"):
                break
        return None

    def _place_button(self, button: tuple[int, str, int] | None, *, ordered: bool) -> int:
        """Put the button down; return the place of what tells it."""
        if button is None:
            seat = self.positions.get("Dealer") or self._dead_button()
            if seat and self.head.variant not in STUD:
                self.derive(ButtonPlaced(seat))
            return self.at
        k, name, number = button
        self.at = k
        if not name:
            dead = self._dead_button()
            if dead:
                self.derive(ButtonPlaced(dead), at=k)
            else:
                self.put(RemarkNoted(self.people.text(self.lines.text[k].strip())))
        elif ordered and 0 < number <= 10:
            self.put(ButtonPlaced(number))
        else:
            self.put(ButtonPlaced(self.positions.get(name)))
        return k

    def _dead_button(self) -> Seat | None:
        """Return the chair of a button that lies before nobody: the empty one before the blinds.

        Of several empty chairs it is the nearest: who acts first is the same with each.
        """
        blind = self.positions.get("Small Blind") or self.positions.get("Big Blind")
        if not blind:
            return None
        before = blind - 1 or max(self.player_of) + 1
        return None if before in self.player_of else before

    # -- while it is told -----------------------------------------------------------------------

    def find(self, who: str) -> Seat | None:
        """Return the seat of a position that is written in a new way."""
        seat = self.positions.get(_bare(who))
        if seat is not None:
            self.positions[who] = seat
        return seat

    def deal(self, seat: Seat, new: Cards) -> None:
        """Deal a seat cards: its first ones, or the next in stud."""
        how = "owner" if seat == self.me else "after"
        up = ""
        if self.head.variant in STUD:
            if seat in self.got:
                self.next_stud()
            self.got.add(seat)
            up = STUD_UPS.get(self.street, "")
            up = up if len(up) * 2 == len(new) else ""
        self.hole[seat] = self.hole.get(seat, "") + new
        self.put(HoleCardsDealt(seat, new, up, how))  # type: ignore[arg-type]  # both are named there

    def next_stud(self) -> None:
        """Begin stud's next street."""
        self.deal_over()
        street = STUD_STREETS.get(self.street)
        if street:
            self.next_street(street)
            self.put(StreetDealt(street))
            self.got.clear()

    def deal_over(self) -> None:
        """Say that all have their first cards, once."""
        if not self.dealt_in:
            self.dealt_in = True
            at = max((k for k, event in enumerate(self.events) if isinstance(event, HoleCardsDealt)), default=-1)
            if at < 0:
                self.put(DealCompleted())
            elif at == len(self.events) - 1:
                self.events.append(DealCompleted())
                self.marks.append(self.marks[at])
            else:
                self.put(DealCompleted())

    def before_act(self) -> None:
        """Deal the street that the text leaves out, where the betting before it is closed."""
        if not self.dealt_in:
            self.deal_over()
        if self.hidden_board and self._closed():
            self.hidden_street()

    def hidden_street(self) -> bool:
        """Conclude the next street from the summary's board; tell whether there was one."""
        step = NEXT_BOARD.get(self.street)
        if step is None:
            return False
        street, first, last = step
        new = self.hidden_board[2 * first : 2 * last]
        if len(new) != 2 * (last - first):
            return False
        self.next_street(street)
        self.acted.clear()
        self.derive(BoardDealt(street, new))
        return True

    def run_out(self) -> None:
        """Conclude the streets that are left when nobody bets any more."""
        while self.hidden_board and self.hidden_street():
            pass

    def _closed(self) -> bool:
        """Whether all that can have acted on this street and none owes a chip."""
        able = [
            seat for seat in self.seats.values() if seat not in self.folded and self.put_in[seat] != self.stacks[seat]
        ]
        return bool(self.acted) and all(seat in self.acted and self.bets[seat] >= self.level for seat in able)

    def acts_now(self, seat: Seat, *, raises: bool = False) -> None:
        """Remember who has acted since the last raise."""
        if raises:
            self.acted.clear()
        self.acted.add(seat)

    def close(self) -> None:
        """Do what remains when the lines of play are through."""
        if self.dealing and not self.dealt_in:
            self.at = max(self.marks)  # blank lines may have come since
            self.deal_over()

    def settle(self) -> None:
        """Conclude what follows from the declared total: a rake that is not told, bets that came back."""
        if len(self.antes) == 1:
            self.ante_for_all()
        self.return_bets(self.paid if self.total is None else self.total)
        left = (sum(self.put_in) if self.total is None else self.total) - self.paid - self.taken
        if left > 0 and not self.rake_told and not self.head.tournament and 4 * left <= self.paid:
            self.derive(DropTaken("rake", left), at=self.at)

    @property
    def hi_lo(self) -> bool:
        """Whether pots are shared between high and low hands."""
        return self.head.variant in HI_LO


def _bare(who: str) -> str:
    return who.replace("[ME]", "").strip()


def _by_seat(pair: tuple[Seat, Chair]) -> Seat:
    return pair[0]
