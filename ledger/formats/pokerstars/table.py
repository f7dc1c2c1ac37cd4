"""The table: who sits there with what, and headings between three stars: the deal, streets, draws, runs, the showdown."""

from __future__ import annotations

from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars.words import BOARD_STREETS, CARDS, HAND_STREETS, NUMBERS_BY_ORDINAL
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised, RunsAgreed
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import RemarkNoted, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, NotDealtIn, StraddlePosted
from ledger.presence import PlayerAway
from ledger.readers import amounts, stud
from ledger.readers.bomb_pots import BOMB_POT
from ledger.readers.cards import card_reader, read_groups
from ledger.readers.games import STUD
from ledger.readers.incomplete import no_players
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import small_number
from ledger.vocabulary import Cards, Chips, Seat, Street

_ACT_EVENTS: Final = (
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
_CHIPS_ENDINGS: Final = ("in chips) ", "in chips)")


class Seated(PhraseHand):
    """A hand whose seats are known: the part of a line that names who sits where seldom changes."""

    __slots__ = ("early_lines", "listed_absences")

    SEATS: ClassVar[tuple[str, ...]] = ("Seat ",)
    """How rows of the list of seats begin."""
    CHIPS: ClassVar[tuple[str, ...]] = (" in chips", " in Chips")
    """What stands behind a stack."""
    BOUNTY: ClassVar[tuple[str, ...]] = ("bounty",)
    """What stands beside a bounty."""

    stops_at: ClassVar[staticmethod[[str], bool]]
    """Tells whether something else than a line of a hand begins with a line."""

    early_lines: list[int]  # lines between the table and its seats
    listed_absences: dict[Seat, NotDealtIn]  # who is said to get no cards, and why

    def read_seats(self, line_number: int, end_line: int) -> int:
        """Read the seat list that begins at line `k`; return the line behind it."""
        line_texts, known_rows, stacks, known_amounts, exponent = (
            self.lines.text,
            self.rows_read,
            self.stacks,
            self.chips_by_text,
            self.exponent,
        )
        quick_amount = amounts.quick
        while line_number < end_line:
            line = line_texts[line_number]
            self.place = line_number
            row_head, _, stack_and_rest = line.rpartition(" (")
            known_row = known_rows.get(row_head)
            stack_text, _, words_after = stack_and_rest.partition(" ")
            if (
                known_row is not None  # a player seen before, dealt in
                and words_after in _CHIPS_ENDINGS
                and (
                    (stack := known_amounts.get(stack_text)) is not None
                    or (stack := quick_amount(stack_text, exponent)) is not None
                )
                and known_row[0] not in stacks
            ):
                self.deal_in_known_row(known_row[0], known_row[1]["name"], stack)
            elif line.startswith(self.SEATS):
                if not self.read_seat_row(line):
                    break
            elif line.strip():
                if self.stacks or line[:4] == "*** " or self.stops_at(line):
                    break
                self.early_lines.append(line_number)  # who bought chips before the deal stands before the list
            line_number += 1
        if not self.stacks:
            raise no_players()
        return line_number

    def read_seat_row(self, line: str) -> bool:
        """Read `Seat 3: Name ($5 in chips) is sitting out`; False if it is no line of the list."""
        stack_end = -1
        for chips_words in self.CHIPS:
            stack_end = line.rfind(chips_words)
            if stack_end >= 0:
                break
        colon_index, opening_index, closing_index = (
            line.find(": "),
            line.rfind("(", 0, max(stack_end, 0)),
            line.find(")", max(stack_end, 0)),
        )
        digits = self.strip_seat_word(line[: max(colon_index, 0)])
        if not 0 < colon_index < opening_index < closing_index or not digits.isascii() or not digits.isdigit():
            return False
        seat, row_head = small_number(digits), line[:opening_index].removesuffix(" ")
        stack, name = self.parse_chips(line[opening_index + 1 : stack_end]), row_head[colon_index + 2 :]
        bounty_text, words_after = (
            line[stack_end + len(chips_words) : closing_index].strip(" ,"),
            line[closing_index + 1 :].strip(),
        )
        bounty = self.parse_bounty(bounty_text) if bounty_text else 0
        if bounty is None:
            return False
        reason = self.absence_reason(seat, words_after.removesuffix("[hero]").rstrip()) if words_after else None
        if seat in self.stacks:
            self.add_unread(line)  # one chair, two players: the first one stays
            return True
        self.deal_in(seat, name, stack, bounty)
        self.rows_read[row_head] = seat, {"name": name}
        if reason == "sitting-out" and self.game.format == "tournament":
            # In a tournament who sits out is dealt in, pays and folds.
            self.add_event(PlayerAway(seat, self.player_at(seat), why="sits-out"))
        elif reason:
            self.listed_absences[seat] = reason
        return True

    def strip_seat_word(self, line: str) -> str:
        """Return what stands behind the word for a seat; "" where there is none."""
        if line[:5] == "Seat ":
            return line[5:]
        return next((line[len(seat_word) :] for seat_word in self.SEATS if line.startswith(seat_word)), "")

    def parse_bounty(self, bounty_text: str) -> Chips | None:
        """Return how much `$5 bounty` is, 0 where that is no amount; None of other words."""
        bounty_word = next((bounty_word for bounty_word in self.BOUNTY if bounty_word in bounty_text), None)
        return (
            None if bounty_word is None else amounts.read_or_none(bounty_text.replace(bounty_word, "").strip(), 2) or 0
        )

    def absence_reason(self, seat: Seat, words_after: str) -> NotDealtIn | None:
        """Return why somebody gets no cards, as it stands behind the stack; None where nothing does."""
        if words_after.startswith("is sitting out"):
            return "sitting-out"
        if words_after.startswith("out of hand"):
            return "moved" if "moved" in words_after else "unknown"
        if words_after:
            raise UnreadableHandError(
                f"seat {seat} is followed by words nobody knows: {words_after[:60]!r}", kind="seat"
            )
        return None

    def read_early_lines(self, first_event: int) -> None:
        """Read what stands before the seats, now that their names are known, and tell it from event `first` on."""
        event_count = len(self.events)
        for line_number in self.early_lines:
            self.place = line_number
            line = self.lines.text[line_number]
            if not self.read_line(line.strip()) and not self.read_player_line(line):
                self.add_unread(line)
        if len(self.events) > event_count:
            self.move_events(event_count, first_event)

    def leave_absent_out(self) -> None:
        """Leave out who was said to sit out; some of them play all the same."""
        if self.listed_absences:
            active_seats = {event.seat for event in self.events if isinstance(event, _ACT_EVENTS)}
            for seat, reason in self.listed_absences.items():
                if seat not in active_seats:
                    self.mark_left_out(seat, reason, told=True)


_STREETS_BY_HEADING: Final[dict[str, Street]] = {"*** TURN *** ": "turn", "*** RIVER *** ": "river"}
_DEAL_COMPLETED: Final = DealCompleted()
_SKIPPED_STREETS: Final[dict[tuple[Street, int, int], Street]] = {("turn", 0, 6): "flop", ("river", 3, 8): "turn"}
"""A street, the cards that lay before it was told, and the letters of those it repeats → the street between, which no line told whole."""
_EVERY_HAND_SHOWDOWN: Final = "SHOWDOWN"
"""So GGPoker heads the end of every hand, and those who copy its hands; PokerStars writes two words."""
_MAX_BOARD_LETTERS: Final = 20
"""A board has fewer letters."""
_read_cards: Final = card_reader(CARDS)


def _read_glued_cards(card_text: str) -> Cards | None:
    """Return `2s3d 3c` as cards."""
    glued_cards = card_text.replace(" ", "")
    return _read_cards(
        " ".join(
            glued_cards[card_index : card_index + 2]
            for card_index in range(0, min(len(glued_cards), _MAX_BOARD_LETTERS), 2)
        )
    )


class Dealt(Seated):
    """A hand with its boards and cards."""

    __slots__ = ("awarded_board", "board_sizes", "board_text", "is_pot_awarded", "runs_agreed_index")

    SHOWDOWN_ALWAYS: ClassVar[bool] = False
    """A showdown's heading stands in every hand, also where nobody is left to show."""

    board_sizes: dict[tuple[int, int], int]  # cards dealt so far, by run and board
    board_text: str  # the only board as written, while nothing about it is odd
    showdown_run: int
    awarded_board: int  # the board whose pots are awarded
    runs_agreed_index: int  # where RunsAgreed stands
    is_pot_awarded: bool  # a pot was awarded, no showdown was announced

    def read_cards(self, text: str) -> Cards | None:
        """Return `Ah Kd` as cards; None where one of them is no card, or there is none."""
        return _read_cards(text)

    def heading(self, line: str) -> int:
        """Read a heading; return the next line to read."""
        if line == "*** HOLE CARDS ***":
            if (
                not self.board_sizes or _DEAL_COMPLETED not in self.events
            ):  # one room tells its player's hand again at the end
                self.add_event(_DEAL_COMPLETED)
            return self.place + 1
        if line[4:8] == "FLOP" and line[12:14] == " [" and not self.board_sizes:
            cards = _read_cards(line[14:22])
            if cards is not None and line[22:].rstrip() == "]":
                self.board_sizes[1, 1] = 3
                self.board_text = line[14:22] if len(cards) == 6 else ""
                self.next_street("flop")
                self.add_event(BoardDealt("flop", cards))
                return self.place + 1
        elif self.board_text and self._deal_next_card(line):
            return self.place + 1
        end = line.find(" ***", 4)
        title, rest = line[4:end] if end > 0 else "", line[end + 4 :]
        first, _, after = title.partition(" ")
        number = 0
        if first in NUMBERS_BY_ORDINAL and not title.endswith("DRAW"):
            number, title = NUMBERS_BY_ORDINAL[first], after
        elif title[-2:-1] == " " and title[-1].isdigit():  # `FLOP 2`, of programs that imitate the room
            number, title = int(title[-1]), title[:-2]
        elif "PRE-FLOP *** [" in rest:  # as the room wrote it for some time: `*** HOLE CARDSPRE-FLOP *** [2s]`
            title, rest = "PRE-FLOP", rest.rpartition("PRE-FLOP ***")[2]
        if title in BOARD_STREETS:
            return self._read_board(BOARD_STREETS[title], number, rest)
        if title in ("SHOW DOWN", "SHOWDOWN"):
            self._begin_showdown(number, is_always_held=self.SHOWDOWN_ALWAYS or title == _EVERY_HAND_SHOWDOWN)
        elif title in ("HOLE CARDS", "DEALING HANDS"):
            self.add_event(_DEAL_COMPLETED)
        elif title in HAND_STREETS:
            self._begin_street(HAND_STREETS[title])
        else:
            self.add_unread(line)
        return self.place + 1

    def _deal_next_card(self, line: str) -> bool:
        """Read a heading that repeats the board as this hand told it and adds one card."""
        heading_words, _, board_and_card = line.partition("[")
        street = _STREETS_BY_HEADING.get(heading_words)
        board_text, _, new_card = board_and_card.partition("] [")
        card = CARDS.get(new_card[:2])
        if street is None or card is None or board_text != self.board_text or new_card[2:] != "]":
            return False
        self.board_text = f"{board_text} {new_card[:2]}"
        self.board_sizes[1, 1] = (len(self.board_text) + 1) // 3
        self.next_street(street)
        self.add_event(BoardDealt(street, card))
        return True

    def _begin_showdown(self, number: int, *, is_always_held: bool) -> None:
        if self.is_pot_awarded and not number and (1, 2) in self.board_sizes:
            self.awarded_board, self.is_pot_awarded = 2, False  # the pots of the first board are awarded
            return
        self.close_bets()
        self.showdown_run = number or 1
        self.is_pot_awarded = False
        if not is_always_held or len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun(self.showdown_run))

    def _begin_street(self, street: Street) -> None:
        if street == "third":
            self.betting.street = street
            self.add_event(_DEAL_COMPLETED)
        else:
            self.deal_street(street)

    def read_second_board(self, _street: Street, _cards: list[Cards]) -> int:
        """Read a street that is told once more, for a second board; 0 where it is none, or the next line to read."""
        return 0

    def _read_board(self, street: Street, number: int, rest: str) -> int:
        """Read `[2c 7d Kc] [9s]`: what is new stands in the last bracket."""
        rest, _, remark = rest.partition("{")
        rest = rest.strip()
        if not rest and self.game.variant in STUD and street == "river":
            self._begin_street("seventh")
            return self.place + 1
        told = read_groups(_read_cards, rest) or read_groups(_read_glued_cards, rest)
        if told is None or not rest.endswith("]"):  # the line breaks off within its cards
            self.add_unread(self.lines.text[self.place])
            return self.place + 1
        if not number and self.board_sizes and (after := self.read_second_board(street, told)):
            return after
        # Numbered boards are those of one bomb pot where nobody can be all-in yet: before its flop.
        bomb = number > 0 and BOMB_POT in self.events and (street == "flop" or (1, 2) in self.board_sizes)
        split = bomb or self.game.variant == "split-holdem"
        board, run = (number or 1, 1) if split else (1, number or 1)
        new = told[-1].removeprefix("".join(told[:-1]))
        if (
            not number
            and len(told) == 2
            and (lost := _SKIPPED_STREETS.get((street, self.board_sizes.get((1, 1), 0), len(told[0]))))
        ):
            dealt, begun = BoardDealt(lost, told[0][-6 if lost == "flop" else -2 :]), StreetDealt(lost)
            if begun in self.events:  # a line with its cards damaged
                self.events[self.events.index(begun)] = dealt
            else:
                self.next_street(lost)
                self.add_event(dealt)
        if len(told) == 1:
            known = self.board_sizes.get((run, board), 0) or self.board_sizes.get((1, 1), 0) * (street != "flop")
            new = new[2 * known :]
        if number and not split:
            self._agree_on_runs(number)
        self.board_sizes[run, board] = len("".join(told[:-1]) + new) // 2 if len(told) > 1 else len(told[0]) // 2
        if run == board == 1 and street != "preflop":
            self.next_street(street)
        self.add_event(BoardDealt(street, new, board, run))
        if remark:
            self.add_event(RemarkNoted(self.people.text("{" + remark.strip())))
        return self.place + 1

    def agree_on_runs(self) -> None:
        """Read `Players agree to Run It Twice`."""
        self._agree_on_runs(1)

    def _agree_on_runs(self, number: int) -> None:
        """Say that the rest is run several times, as soon as it shows and as often as it will."""
        if self.runs_agreed_index < 0:
            self.close_bets()
            self.runs_agreed_index = len(self.events)
            self.add_event(RunsAgreed(2))
        elif number > 2:
            self.events[self.runs_agreed_index] = RunsAgreed(number)

    def read_dealt_cards(self, name_and_cards: str) -> bool:
        """Read `Dealt to Name [kept] [new]`: hole cards, a stud street or a draw."""
        name, bracket, card_text = name_and_cards.partition(" [")
        seat = self.seats.get(name)
        if seat is None or not bracket:
            if name_and_cards.strip() in self.seats:
                return True  # that a seat is dealt in says the list of seats
            name = next((name for name in self.names_longest_first() if name_and_cards.startswith(name + " [")), "")
            seat, card_text = self.seats.get(name), name_and_cards[len(name) + 2 :]
        bracket_end = card_text.find("]")
        card_groups = (
            [cards]
            if card_text[bracket_end + 1 :] == "" and (cards := _read_cards(card_text[:bracket_end]))
            else read_groups(_read_cards, card_text)
        )
        if seat is None or card_groups is None:
            return False
        if not self.board_sizes or HoleCardsDealt(seat, card_groups[0]) not in self.events:
            stud.deals_groups(self, seat, card_groups)
        return True
