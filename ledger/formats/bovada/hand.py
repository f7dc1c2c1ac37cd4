"""A hand of Bovada's text while it is told: positions, and streets that the text leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.formats.bovada.header import BovadaSeating, BovadaSeatRow, bare
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import DropTaken, ResultDeclared
from ledger.hand.opening import BlindPositionPlaced, ButtonPlaced, GameSet, NotDealtIn
from ledger.people import HERO, chair_name
from ledger.readers import stud
from ledger.readers.currencies import SYMBOLS
from ledger.readers.phrases import small_number
from ledger.readers.reading import HandPage
from ledger.readers.room import PhraseHand
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street, split_cards

DEAL: Final = "Card dealt to a spot ["
_BUTTON: Final = "Set dealer"
_DEALS: Final = "*** HOLE"
_ABSENT: Final = (_BUTTON, "Sitout", "Seat ", "Sit out", "Re-join", "Stand", "Table ", "Leave", "Enter", "Draw for")
"""How what a position does begins without its being in the hand."""


QUIET: Final = ("Folded", "lost with", "lose with", "lost", "lose", "[Mucked]", "[Does not show]", "with")
NEXT: Final[Mapping[Street, tuple[Street, int, int]]] = {
    "preflop": ("flop", 0, 3),
    "flop": ("turn", 3, 4),
    "turn": ("river", 4, 5),
}
"""The street that follows, and which cards of the board it brings."""
NEXT_OF_STUD: Final[Mapping[Street, Street]] = {
    "third": "fourth",
    "fourth": "fifth",
    "fifth": "sixth",
    "sixth": "seventh",
}


class BovadaPositions(PhraseHand):
    """A hand whose lines call the players by their positions, and whose players are named after their chairs."""

    def __init__(self, page: HandPage, room: str, game: GameSet, where: str) -> None:
        """Take what the chairs are of: the table, or the hand where players meet for one."""
        super().__init__(page.lines, page.people, room, game, page.first_line)
        self.where = where
        self.called: dict[str, PlayerId] = {}  # positions → those who have them
        self.after = page.end_line
        self.positions: dict[str, Seat] = {}  # positions as lines write them → seat
        self.numbers: dict[int, Seat] = {}
        self.player_of: dict[Seat, PlayerId] = {}
        self.me: Seat = 0
        self.first = 0  # the line behind the list of seats
        self.dealing = False  # the hole cards are being dealt
        self.dealt_in = False  # and all have them
        self.all_cards = False
        self.hole: dict[Seat, Cards] = {}
        self.out: set[str] = set()  # cards that somebody has
        self.got: set[Seat] = set()  # stud: who has the street's card
        self.antes: set[str] = set()
        self.hidden_board = ""  # the summary's board, where no street of it is told
        self.acted: set[Seat] = set()
        self.sides = 0
        self.button_told = True  # which chair has it; of several empty ones none is
        self.showing = False  # the showdown began
        self.last_summary = 0  # the line with which the summary begins
        self.rake_told = False
        self.declared_pot: Chips | None = None
        if stud.is_stud(self):
            self.betting.street = "third"

    # -- before the first line is told --------------------------------------------------------

    def look(self, k: int) -> None:
        """Look ahead from line `k` for what only later lines tell: who has cards, whether streets are told."""
        streets, self.first = False, k
        for line in self.lines.text[k : self.after]:
            who, colon, rest = line.partition(" : ")
            if colon:
                first = rest[:1]
                if first == "C" and rest.startswith(DEAL):
                    self.positions[bare(who) if "[" in who else who.strip()] = 0  # gets cards
                elif first == "A" and rest.startswith("Ante chip"):
                    self.antes.add(bare(who))
                elif first == "H" and rest[:20].lower() == "hand result-side pot":
                    self.sides += 1
            elif line.startswith(("*** FLOP", "Card dealt to table", "Card to the table")):
                streets = True
            elif line.startswith("Board [") and not streets:
                self.hidden_board = self.read_cards(line.partition("[")[2].partition("]")[0]) or ""

    def ahead(self) -> Iterator[tuple[int, str, str]]:
        """Yield the lines of positions, their number, who and what, and those of the button and above the cards."""
        for at in range(self.first, self.after):
            line = self.lines.text[at]
            who, colon, rest = line.partition(" : ")
            if colon:
                yield at, bare(who), rest
            elif line.startswith((_BUTTON, _DEALS)):
                yield at, "", line

    def take_seats(self, seating: BovadaSeating) -> None:
        """Tell who is dealt in, where button and blinds are."""
        dealt = set(self.positions)
        acting = dealt.copy()
        self.positions = {}
        button = self._button()
        ordered = seating.ordered
        found = seating.seats(button[1:3] if button and button[1] else None)
        chairs = sorted(zip(found, seating.chairs, strict=True), key=_by_seat)
        if len(dealt) < len(seating.chairs):  # some texts keep others' cards to themselves: who acts is in the hand
            acting |= {who for _, who, rest in self.ahead() if not rest.startswith(_ABSENT)}
        for seat, chair in chairs:
            self.place = chair.line
            self._sit(seat, chair, dealt=chair.name in acting, inferred=not ordered)
        self.all_cards = dealt.issuperset(chair.name for seat, chair in chairs if seat in self.stacks)
        self.place = self._place_button(button, ordered=ordered)
        for role, name in (("small", "Small Blind"), ("big", "Big Blind")):
            seat = self.positions.get(name, 0)
            if seat:
                self.add_event(BlindPositionPlaced(role, seat))  # type: ignore[arg-type]  # both are named there

    def player_id(self, name: str) -> PlayerId:
        """Return the id of who has a position."""
        return self.called[name]

    def player_at(self, seat: Seat) -> PlayerId:
        """Return who sits in a seat."""
        return self.player_of[seat]

    def _sit(self, seat: Seat, chair: BovadaSeatRow, *, dealt: bool, inferred: bool) -> None:
        name = chair.name
        called = HERO if chair.me else chair_name(chair.number, self.where)
        self.player_of[seat] = self.called[name] = super().player_id(called)
        stack = self.parse_chips(chair.stack)
        if inferred:
            self.inferred.append(len(self.events))  # the seat's number follows from the order
        if dealt:
            self.seat_player(seat, name, stack)
        else:
            self.leave_seat_out(seat, name, stack, self._reason(name))
        self.numbers.setdefault(chair.number, seat)
        self.positions.setdefault(name, seat)
        if chair.me:
            self.me = seat
            for form in (name + " [ME]", name + "  [ME]"):
                self.positions.setdefault(form, seat)

    def _reason(self, name: str) -> NotDealtIn:
        for _, who, rest in self.ahead():
            if who == name and rest.startswith("Sitout"):
                return "waiting-for-big-blind"
            if who == name and rest.startswith(("Seat sit out", "Sit out")):
                return "sitting-out"
        return "unknown"

    def _button(self) -> tuple[int, str, int] | None:
        """Return line, position and chair of the line that sets the button; None if there is none."""
        for k, who, rest in self.ahead():
            if rest.startswith(_BUTTON):
                within = self.lines.text[k].replace("[ME]", "")
                return k, who, small_number(within.partition("[")[2].partition("]")[0])
            if rest.startswith(_DEALS):
                break
        return None

    def _place_button(self, button: tuple[int, str, int] | None, *, ordered: bool) -> int:
        """Put the button down; return the place of what tells it."""
        if button is None:
            seat = self.positions.get("Dealer") or self._dead_button()
            if seat and not stud.is_stud(self):
                self.add_inferred(ButtonPlaced(seat))
            return self.place
        k, name, chair = button
        self.place = k
        if not name:
            dead = self._dead_button()
            if dead:
                self.add_inferred(ButtonPlaced(dead), at=k)
            else:
                self.add_remark()
        elif ordered and 0 < chair <= 10:
            self.add_event(ButtonPlaced(chair))
        else:
            self.add_event(ButtonPlaced(self.positions.get(name)))
        return k

    def _dead_button(self) -> Seat | None:
        """Return the chair of a button that lies before nobody: the empty one before the blinds.

        Of several empty chairs it is the nearest: who acts first is the same with each.
        """
        blind = self.positions.get("Small Blind") or self.positions.get("Big Blind")
        if not blind:
            return None
        before = blind - 1 or max(self.player_of) + 1
        self.button_told = blind - 2 in self.player_of  # how many chairs there are nobody tells
        return None if before in self.player_of else before

    # -- while it is told -----------------------------------------------------------------------

    def find(self, who: str) -> Seat | None:
        """Return the seat of a position that is written in a new way."""
        seat = self.positions.get(bare(who))
        if seat is not None:
            self.positions[who] = seat
        return seat

    def deal(self, seat: Seat, new: Cards) -> bool:
        """Deal a seat cards: its first ones, or the next in stud; False where there can be no such deal."""
        how, up = "owner" if seat == self.me else "after", ""
        if not stud.is_stud(self):
            if seat in self.hole:
                return False
        else:
            found = split_cards(new)
            if not self.out.isdisjoint(found):
                return False
            self.out.update(found)
            if seat in self.got:
                self.next_stud()
            self.got.add(seat)
            up = {"third": "ddu", "seventh": "d"}.get(self.street, "u")
            up = up if len(up) * 2 == len(new) else ""
        self.hole[seat] = self.hole.get(seat, "") + new
        self.add_event(HoleCardsDealt(seat, new, up, how))  # type: ignore[arg-type]  # both are named there
        return True

    def next_stud(self) -> None:
        """Begin stud's next street."""
        self.deal_over()
        street = NEXT_OF_STUD.get(self.street)
        if street:
            self.next_street(street)
            self.add_event(StreetDealt(street))
            self.got.clear()

    def deal_over(self) -> None:
        """Say that all have their first cards, once."""
        if not self.dealt_in:
            self.dealt_in = True
            at = max((k for k, event in enumerate(self.events) if isinstance(event, HoleCardsDealt)), default=-1)
            if at < 0:
                self.add_event(DealCompleted())
            elif at == len(self.events) - 1:
                self.events.append(DealCompleted())
                self.event_places.append(self.event_places[at])
            else:
                self.add_event(DealCompleted())

    def before_act(self) -> None:
        """Deal the street that the text leaves out, where the betting before it is closed."""
        if not self.dealt_in:
            self.deal_over()
        if self.hidden_board and self._closed():
            self.hidden_street()

    def hidden_street(self) -> bool:
        """Infer the next street from the summary's board; tell whether there was one."""
        step = NEXT.get(self.street)
        if step is None:
            return False
        street, first, last = step
        new = self.hidden_board[2 * first : 2 * last]
        if len(new) != 2 * (last - first):
            return False
        self.next_street(street)
        self.acted.clear()
        self.add_inferred(BoardDealt(street, new))
        return True

    def run_out(self) -> None:
        """Infer the streets that are left when nobody bets any more."""
        while self.hidden_board and self.hidden_street():
            pass

    def _closed(self) -> bool:
        """Whether all that can have acted on this street and none owes a chip."""
        return bool(self.acted) and self.round_is_over(self.acted)

    def acts_now(self, seat: Seat, *, raises: bool = False) -> None:
        """Remember who has acted since the last raise."""
        if raises:
            self.acted.clear()
        self.acted.add(seat)

    def close(self) -> None:
        """Do what remains when the lines of play are through."""
        if self.dealing and not self.dealt_in:
            self.place = max(self.event_places)  # blank lines may have come since
            self.deal_over()

    def settle(self) -> None:
        """Infer what follows from the declared total: a rake that is not told, bets that came back."""
        if len(self.antes) == 1:
            self.mark_table_ante()
        self.infer_returns(self.total_awarded if self.declared_pot is None else self.declared_pot)
        left = (
            (self.total_put_in() if self.declared_pot is None else self.declared_pot)
            - self.total_awarded
            - self.total_drop
        )
        if left > 0 and not self.rake_told and self.game.format == "cash" and 4 * left <= self.total_awarded:
            self.add_inferred(DropTaken("rake", left), at=self.place)

    # -- the summary, beside which the hand is checked ---------------------------------------------

    def starts_summary(self) -> None:
        """Begin the summary."""
        self.close()
        self.last_summary = self.last_summary or self.place

    def totals(self, told: str) -> bool:
        """Read `Total Pot($112) | Rake ($1)`."""
        if not self.last_summary:
            return False
        self.run_out()
        known = True
        for part in f"Total Pot({told}".split("|"):
            words, _, amount = part.strip().partition("(")
            chips, words = self.amount(amount.rstrip(") ")), words.strip()
            if words == "Total Pot":
                self.declared_pot = chips
                self.add_event(ResultDeclared("total-pot", amount=chips))
            elif words == "Rake":
                self.rake_told = True
                self.take_drop("rake", chips)
                self.add_event(ResultDeclared("rake", amount=chips))
            elif "jackpot" in words.lower():
                self.take_drop("jackpot", chips)
                self.add_event(ResultDeclared("jackpot", amount=chips))
            else:
                known = False
        return known

    def declares_board(self, told: str) -> bool:
        """Read `Board [..]`, which is empty where no flop was dealt."""
        inner = told.partition("[")[2].partition("]")[0]
        board = self.read_cards(inner)
        if board and self.last_summary:
            self.add_event(ResultDeclared("board", cards=board))
        return bool(self.last_summary) and (board is not None or not inner.strip())

    def collected(self, told: str) -> bool:
        """Read `Seat+3: UTG+1 $3.10 with …`: what the seat collected, of both halves together."""
        digits, _, rest = told[1:].partition(":")
        rest = rest.strip()
        if not self.last_summary:
            return False
        if "Folded" in rest and rest.rpartition(" Folded ")[0].replace(" [ME]", "") in self.seats:
            return True
        name = next(
            (one for one in self.sort_names() if rest.startswith(one) and rest[len(one) :][:1] in ("", " ")), ""
        )
        seat = self.seats[name] if name else self.numbers.get(small_number(digits.strip(), 6))
        got = self.winnings(
            rest[len(name) :].strip().removeprefix("[ME]").strip().partition("BOUNTY awarded")[0].strip()
        )
        if seat and got:
            self.add_event(ResultDeclared("collected", seat, got))
        return bool(seat) and got is not None

    def winnings(self, tail: str) -> Chips | None:
        """Return what was collected; None if the words are not known."""
        first = tail.partition(" ")[0]
        if first[:1] in SYMBOLS or first[:1].isdecimal():
            return self.amount_or_none(first)
        total = 0
        for half in ("HI ", "LO "):
            _, found, behind = f" {tail}".partition(f" {half}")
            chips = self.amount_or_none(behind.partition(" ")[0]) if found else 0
            if chips is None:
                return None
            total += chips
        return total if total or not tail or tail.startswith(QUIET) else None

    @property
    def hi_lo(self) -> bool:
        """Whether pots are shared between high and low hands."""
        return self.game.variant.endswith("8")


def _by_seat(pair: tuple[Seat, BovadaSeatRow]) -> Seat:
    return pair[0]
