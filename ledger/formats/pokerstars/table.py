"""The table: who sits there with what, and headings between three stars: the deal, streets, draws, runs, the showdown."""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars.words import BOARD_STREETS, CARDS, HAND_STREETS, NUMBERS
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised, RunsAgreed
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import RemarkNoted, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, NotDealtIn, StraddlePosted
from ledger.presence import PlayerAway
from ledger.readers import amounts, stud
from ledger.readers.bomb_pots import BOMB_POT
from ledger.readers.cards import groups, reader
from ledger.readers.games import STUD
from ledger.readers.incomplete import nobody
from ledger.readers.phrases import number
from ledger.readers.room import Room
from ledger.vocabulary import Cards, Chips, Seat, Street

_ACTS: Final = (
    AntePosted,
    BlindPosted,
    BringInPosted,
    StraddlePosted,
    Bet,
    Called,
    Checked,
    Completed,
    Folded,
    HoleCardsDealt,
    Raised,
)
_IN_CHIPS: Final = ("in chips) ", "in chips)")


class Seated(Room):
    """A hand whose seats are known: the part of a line that names who sits where seldom changes."""

    __slots__ = ("early", "out")

    SEATS: ClassVar[tuple[str, ...]] = ("Seat ",)
    """How rows of the list of seats begin."""
    CHIPS: ClassVar[tuple[str, ...]] = (" in chips", " in Chips")
    """What stands behind a stack."""
    BOUNTY: ClassVar[tuple[str, ...]] = ("bounty",)
    """What stands beside a bounty."""

    stops_at: ClassVar[staticmethod[[str], bool]]
    """Tells whether something else than a line of a hand begins with a line."""

    early: list[int]  # lines between the table and its seats
    out: dict[Seat, NotDealtIn]  # who is said to get no cards, and why

    def seats_from(self, k: int, after: int) -> int:
        """Read the seat list that begins at line `k`; return the line behind it."""
        text, rows, stacks, money, exponent = self.lines.text, self.rows_read, self.stacks, self.money, self.exponent
        quick = amounts.quick
        while k < after:
            line = text[k]
            self.at = k
            head, _, tail = line.rpartition(" (")
            row = rows.get(head)
            written, _, behind = tail.partition(" ")
            if (
                row is not None  # a player seen before, dealt in
                and behind in _IN_CHIPS
                and ((stack := money.get(written)) is not None or (stack := quick(written, exponent)) is not None)
                and row[0] not in stacks
            ):
                self.take_again(row[0], row[1]["name"], stack)
            elif line.startswith(self.SEATS):
                if not self.seat(line):
                    break
            elif line.strip():
                if self.stacks or line[:4] == "*** " or self.stops_at(line):
                    break
                self.early.append(k)  # who bought chips before the deal stands before the list
            k += 1
        if not self.stacks:
            raise nobody()
        return k

    def seat(self, line: str) -> bool:
        """Read `Seat 3: Name ($5 in chips) is sitting out`; False if it is no line of the list."""
        end = -1
        for words in self.CHIPS:
            end = line.rfind(words)
            if end >= 0:
                break
        colon, opening, close = line.find(": "), line.rfind("(", 0, max(end, 0)), line.find(")", max(end, 0))
        digits = self.behind_seat(line[: max(colon, 0)])
        if not 0 < colon < opening < close or not digits.isascii() or not digits.isdigit():
            return False
        seat, head = number(digits), line[:opening].removesuffix(" ")
        stack, name = self.chips(line[opening + 1 : end]), head[colon + 2 :]
        inner, tail = line[end + len(words) : close].strip(" ,"), line[close + 1 :].strip()
        bounty = self.bounty_of(inner) if inner else 0
        if bounty is None:
            return False
        reason = self.why_out(seat, tail.removesuffix("[hero]").rstrip()) if tail else None
        if seat in self.stacks:
            self.unread(line)  # one chair, two players: the first one stays
            return True
        self.take(seat, name, stack, bounty)
        self.rows_read[head] = seat, {"name": name}
        if reason == "sitting-out" and self.game.format == "tournament":
            # In a tournament who sits out is dealt in, pays and folds.
            self.put(PlayerAway(seat, self.player_in(seat), why="sits-out"))
        elif reason:
            self.out[seat] = reason
        return True

    def behind_seat(self, line: str) -> str:
        """Return what stands behind the word for a seat; "" where there is none."""
        if line[:5] == "Seat ":
            return line[5:]
        return next((line[len(words) :] for words in self.SEATS if line.startswith(words)), "")

    def bounty_of(self, told: str) -> Chips | None:
        """Return how much `$5 bounty` is, 0 where that is no amount; None of other words."""
        words = next((words for words in self.BOUNTY if words in told), None)
        return None if words is None else amounts.maybe(told.replace(words, "").strip(), 2) or 0

    def why_out(self, seat: Seat, told: str) -> NotDealtIn | None:
        """Return why somebody gets no cards, as it stands behind the stack; None where nothing does."""
        if told.startswith("is sitting out"):
            return "sitting-out"
        if told.startswith("out of hand"):
            return "moved" if "moved" in told else "unknown"
        if told:
            raise UnreadableHandError(f"seat {seat} is followed by words nobody knows: {told[:60]!r}", kind="seat")
        return None

    def tell_early(self, first: int) -> None:
        """Read what stands before the seats, now that their names are known, and tell it from event `first` on."""
        seated = len(self.events)
        for k in self.early:
            self.at = k
            line = self.lines.text[k]
            if not self.line(line.strip()) and not self.spoken(line):
                self.unread(line)
        if len(self.events) > seated:
            self.move(seated, first)

    def leave_idle(self) -> None:
        """Leave out who was said to sit out; some of them play all the same."""
        if self.out:
            acted = {event.seat for event in self.events if isinstance(event, _ACTS)}
            for seat, reason in self.out.items():
                if seat not in acted:
                    self.left_out(seat, reason, told=True)


_NEXT: Final[dict[str, Street]] = {"*** TURN *** ": "turn", "*** RIVER *** ": "river"}
_DEALT: Final = DealCompleted()
_LOST: Final[dict[tuple[Street, int, int], Street]] = {("turn", 0, 6): "flop", ("river", 3, 8): "turn"}
"""A street, the cards that lay before it was told, and the letters of those it repeats → the street between, which no line told whole."""
_ALWAYS: Final = "SHOWDOWN"
"""So GGPoker heads the end of every hand, and those who copy its hands; PokerStars writes two words."""
_LETTERS: Final = 20
"""A board has fewer letters."""
_read_cards: Final = reader(CARDS)


def _read_glued(text: str) -> Cards | None:
    """Return `2s3d 3c` as cards."""
    bare = text.replace(" ", "")
    return _read_cards(" ".join(bare[at : at + 2] for at in range(0, min(len(bare), _LETTERS), 2)))


class Dealt(Seated):
    """A hand with its boards and cards."""

    __slots__ = ("after", "boards", "face", "runs_agreed", "written")

    SHOWDOWN_ALWAYS: ClassVar[bool] = False
    """A showdown's heading stands in every hand, also where nobody is left to show."""

    boards: dict[tuple[int, int], int]  # cards dealt so far, by run and board
    written: str  # the only board as written, while nothing about it is odd
    run: int
    face: int  # the board whose pots are awarded
    runs_agreed: int  # where RunsAgreed stands
    after: bool  # a pot was awarded, no showdown was announced

    def cards(self, text: str) -> Cards | None:
        """Return `Ah Kd` as cards; None where one of them is no card, or there is none."""
        return _read_cards(text)

    def heading(self, line: str) -> int:
        """Read a heading; return the next line to read."""
        if line == "*** HOLE CARDS ***":
            if not self.boards or _DEALT not in self.events:  # one room tells its player's hand again at the end
                self.put(_DEALT)
            return self.at + 1
        if line[4:8] == "FLOP" and line[12:14] == " [" and not self.boards:
            cards = _read_cards(line[14:22])
            if cards is not None and line[22:].rstrip() == "]":
                self.boards[1, 1] = 3
                self.written = line[14:22] if len(cards) == 6 else ""
                self.next_street("flop")
                self.put(BoardDealt("flop", cards))
                return self.at + 1
        elif self.written and self._one_more(line):
            return self.at + 1
        end = line.find(" ***", 4)
        title, rest = line[4:end] if end > 0 else "", line[end + 4 :]
        first, _, after = title.partition(" ")
        number = 0
        if first in NUMBERS and not title.endswith("DRAW"):
            number, title = NUMBERS[first], after
        elif title[-2:-1] == " " and title[-1].isdigit():  # `FLOP 2`, of programs that imitate the room
            number, title = int(title[-1]), title[:-2]
        elif "PRE-FLOP *** [" in rest:  # as the room wrote it for some time: `*** HOLE CARDSPRE-FLOP *** [2s]`
            title, rest = "PRE-FLOP", rest.rpartition("PRE-FLOP ***")[2]
        if title in BOARD_STREETS:
            return self._street_board(BOARD_STREETS[title], number, rest)
        if title in ("SHOW DOWN", "SHOWDOWN"):
            self._showdown_of(number, always=self.SHOWDOWN_ALWAYS or title == _ALWAYS)
        elif title in ("HOLE CARDS", "DEALING HANDS"):
            self.put(_DEALT)
        elif title in HAND_STREETS:
            self._hand_street(HAND_STREETS[title])
        else:
            self.unread(line)
        return self.at + 1

    def _one_more(self, line: str) -> bool:
        """Read a heading that repeats the board as this hand told it and adds one card."""
        title, _, cards = line.partition("[")
        street = _NEXT.get(title)
        before, _, new = cards.partition("] [")
        card = CARDS.get(new[:2])
        if street is None or card is None or before != self.written or new[2:] != "]":
            return False
        self.written = f"{before} {new[:2]}"
        self.boards[1, 1] = (len(self.written) + 1) // 3
        self.next_street(street)
        self.put(BoardDealt(street, card))
        return True

    def _showdown_of(self, number: int, *, always: bool) -> None:
        if self.after and not number and (1, 2) in self.boards:
            self.face, self.after = 2, False  # the pots of the first board are awarded
            return
        self.close_bets()
        self.run = number or 1
        self.after = False
        if not always or len(self.stacks) - len(self.folded) > 1:
            self.put(ShowdownBegun(self.run))

    def _hand_street(self, street: Street) -> None:
        if street == "third":
            self.betting.street = street
            self.put(_DEALT)
        else:
            self.deal_street(street)

    def second_board(self, _street: Street, _cards: list[Cards]) -> int:
        """Read a street that is told once more, for a second board; 0 where it is none, or the next line to read."""
        return 0

    def _street_board(self, street: Street, number: int, rest: str) -> int:
        """Read `[2c 7d Kc] [9s]`: what is new stands in the last bracket."""
        rest, _, remark = rest.partition("{")
        rest = rest.strip()
        if not rest and self.game.variant in STUD and street == "river":
            self._hand_street("seventh")
            return self.at + 1
        told = groups(_read_cards, rest) or groups(_read_glued, rest)
        if told is None or not rest.endswith("]"):  # the line breaks off within its cards
            self.unread(self.lines.text[self.at])
            return self.at + 1
        if not number and self.boards and (after := self.second_board(street, told)):
            return after
        # Numbered boards are those of one bomb pot where nobody can be all-in yet: before its flop.
        bomb = number > 0 and BOMB_POT in self.events and (street == "flop" or (1, 2) in self.boards)
        split = bomb or self.game.variant == "split-holdem"
        board, run = (number or 1, 1) if split else (1, number or 1)
        new = told[-1].removeprefix("".join(told[:-1]))
        if not number and len(told) == 2 and (lost := _LOST.get((street, self.boards.get((1, 1), 0), len(told[0])))):
            dealt, begun = BoardDealt(lost, told[0][-6 if lost == "flop" else -2 :]), StreetDealt(lost)
            if begun in self.events:  # a line with its cards damaged
                self.events[self.events.index(begun)] = dealt
            else:
                self.next_street(lost)
                self.put(dealt)
        if len(told) == 1:
            known = self.boards.get((run, board), 0) or self.boards.get((1, 1), 0) * (street != "flop")
            new = new[2 * known :]
        if number and not split:
            self._runs(number)
        self.boards[run, board] = len("".join(told[:-1]) + new) // 2 if len(told) > 1 else len(told[0]) // 2
        if run == board == 1 and street != "preflop":
            self.next_street(street)
        self.put(BoardDealt(street, new, board, run))
        if remark:
            self.put(RemarkNoted(self.people.text("{" + remark.strip())))
        return self.at + 1

    def several_runs(self) -> None:
        """Read `Players agree to Run It Twice`."""
        self._runs(1)

    def _runs(self, number: int) -> None:
        """Say that the rest is run several times, as soon as it shows and as often as it will."""
        if self.runs_agreed < 0:
            self.close_bets()
            self.runs_agreed = len(self.events)
            self.put(RunsAgreed(2))
        elif number > 2:
            self.events[self.runs_agreed] = RunsAgreed(number)

    def dealt_to(self, told: str) -> bool:
        """Read `Dealt to Name [kept] [new]`: hole cards, a stud street or a draw."""
        name, bracket, rest = told.partition(" [")
        seat = self.seats.get(name)
        if seat is None or not bracket:
            if told.strip() in self.seats:
                return True  # that a seat is dealt in says the list of seats
            name = next((name for name in self.by_length() if told.startswith(name + " [")), "")
            seat, rest = self.seats.get(name), told[len(name) + 2 :]
        end = rest.find("]")
        dealt = [cards] if rest[end + 1 :] == "" and (cards := _read_cards(rest[:end])) else groups(_read_cards, rest)
        if seat is None or dealt is None:
            return False
        if not self.boards or HoleCardsDealt(seat, dealt[0]) not in self.events:
            stud.deals_told(self, seat, dealt)
        return True
