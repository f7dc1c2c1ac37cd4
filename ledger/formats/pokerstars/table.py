"""The list of seats, and the headings between stars: the deal, streets, draws, runs and the showdown."""

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
from ledger.readers.cards import build_card_reader, read_groups
from ledger.readers.games import STUD
from ledger.readers.incomplete import no_players
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import parse_small_number
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


_STREETS_BY_HEADING: Final[dict[str, Street]] = {"*** TURN *** ": "turn", "*** RIVER *** ": "river"}
_DEAL_COMPLETED: Final = DealCompleted()
_SKIPPED_STREETS: Final[dict[tuple[Street, int, int], Street]] = {("turn", 0, 6): "flop", ("river", 3, 8): "turn"}
"""A street, the number of board cards before it, the letters of the cards it repeats → the skipped street between."""
_EVERY_HAND_SHOWDOWN: Final = "SHOWDOWN"
"""GGPoker's heading, and that of its imitators, at the end of every hand. PokerStars writes two words."""
_MAX_BOARD_LETTERS: Final = 20
"""More letters than any board has."""
_read_cards: Final = build_card_reader(CARDS)


def _split_heading(line: str) -> tuple[str, int, str]:
    """Return a heading's title, the number of its board or run (0 without one), and the text after it."""
    end = line.find(" ***", 4)
    title, text_after = line[4:end] if end > 0 else "", line[end + 4 :]
    first_word, _, later_words = title.partition(" ")
    if first_word in NUMBERS_BY_ORDINAL and not title.endswith("DRAW"):
        return later_words, NUMBERS_BY_ORDINAL[first_word], text_after
    if title[-2:-1] == " " and title[-1].isdigit():  # `FLOP 2`, of programs that imitate the room
        return title[:-2], int(title[-1]), text_after
    if "PRE-FLOP *** [" in text_after:  # as the room wrote it for some time: `*** HOLE CARDSPRE-FLOP *** [2s]`
        return "PRE-FLOP", 0, text_after.rpartition("PRE-FLOP ***")[2]
    return title, 0, text_after


def _read_glued_cards(card_text: str) -> Cards | None:
    """Return `2s3d 3c` as cards."""
    glued_cards = card_text.replace(" ", "")
    length = min(len(glued_cards), _MAX_BOARD_LETTERS)
    return _read_cards(" ".join(glued_cards[index : index + 2] for index in range(0, length, 2)))


class DealtHand(PhraseHand):
    """A hand with its seats, boards and cards.

    Rows of the list of seats are remembered: who sits where seldom changes from hand to hand.
    """

    __slots__ = (
        "awarded_board",
        "board_sizes",
        "board_text",
        "early_lines",
        "is_pot_awarded",
        "listed_absences",
        "runs_agreed_index",
    )

    SEATS: ClassVar[tuple[str, ...]] = ("Seat ",)
    """How rows of the list of seats begin."""
    CHIPS: ClassVar[tuple[str, ...]] = (" in chips", " in Chips")
    """The words after a stack."""
    BOUNTY: ClassVar[tuple[str, ...]] = ("bounty",)
    """The words beside a bounty."""

    stops_at: ClassVar[staticmethod[[str], bool]]
    """Whether a line begins something that isn't part of the hand."""

    SHOWDOWN_ALWAYS: ClassVar[bool] = False
    """Whether every hand has the showdown's heading, even if nobody is left to show."""

    early_lines: list[int]  # lines between the table and its seats
    listed_absences: dict[Seat, NotDealtIn]  # who is said to get no cards, and why
    board_sizes: dict[tuple[int, int], int]  # cards dealt so far, by run and board
    board_text: str  # the only board as written, while nothing about it is odd
    run: int
    awarded_board: int  # the board whose pots are awarded
    runs_agreed_index: int  # the index of RunsAgreed
    is_pot_awarded: bool  # a pot was awarded, no showdown was announced

    # -- the list of seats ------------------------------------------------------------------------

    def read_seats(self, line_number: int, end_line: int) -> int:
        """Read the list of seats from `line_number` on; return the line after it."""
        line_texts, stacks, exponent = self.lines.text, self.stacks, self.exponent
        known_rows, known_amounts, quick_amount = self.rows_read, self.chips_by_text, amounts.read_common_form
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
                self.early_lines.append(line_number)  # purchases before the deal come before the list
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
        colon_index = line.find(": ")
        opening_index = line.rfind("(", 0, max(stack_end, 0))
        closing_index = line.find(")", max(stack_end, 0))
        digits = self.strip_seat_word(line[: max(colon_index, 0)])
        if not 0 < colon_index < opening_index < closing_index or not digits.isascii() or not digits.isdigit():
            return False
        seat = parse_small_number(digits)
        row_head = line[:opening_index].removesuffix(" ")
        name = row_head[colon_index + 2 :]
        stack = self.parse_chips(line[opening_index + 1 : stack_end])
        bounty_text = line[stack_end + len(chips_words) : closing_index].strip(" ,")
        words_after = line[closing_index + 1 :].strip()
        bounty = self.parse_bounty(bounty_text) if bounty_text else 0
        if bounty is None:
            return False
        reason = self.absence_reason(seat, words_after.removesuffix("[hero]").rstrip()) if words_after else None
        if seat in self.stacks:
            self.add_unread(line)  # two players in one seat: the first one keeps it
            return True
        self.deal_in(seat, name, stack, bounty)
        self.rows_read[row_head] = seat, {"name": name}
        if reason == "sitting-out" and self.game.format == "tournament":
            # A tournament player who sits out is dealt in, posts and folds.
            self.add_event(PlayerAway(seat, self.get_player(seat), why="sits-out"))
        elif reason:
            self.listed_absences[seat] = reason
        return True

    def strip_seat_word(self, line: str) -> str:
        """Return the text after the word for a seat, or "" if the line doesn't begin with one."""
        if line[:5] == "Seat ":
            return line[5:]
        return next((line[len(seat_word) :] for seat_word in self.SEATS if line.startswith(seat_word)), "")

    def parse_bounty(self, bounty_text: str) -> Chips | None:
        """Return the amount of `$5 bounty`, 0 if it isn't an amount, or None for other words."""
        bounty_word = next((word for word in self.BOUNTY if word in bounty_text), None)
        return (
            None if bounty_word is None else amounts.read_or_none(bounty_text.replace(bounty_word, "").strip(), 2) or 0
        )

    def absence_reason(self, seat: Seat, words_after: str) -> NotDealtIn | None:
        """Return why a player gets no cards, by the words after the stack; None if there are none."""
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
        """Read the lines before the list of seats, now that the names are known; put their events at `first_event`."""
        event_count = len(self.events)
        for line_number in self.early_lines:
            self.place = line_number
            line = self.lines.text[line_number]
            if not self.read_line(line.strip()) and not self.read_player_line(line):
                self.add_unread(line)
        if len(self.events) > event_count:
            self.move_events(event_count, first_event)

    def leave_absent_out(self) -> None:
        """Leave out the players listed as sitting out, except those who play all the same."""
        if self.listed_absences:
            active_seats = {event.seat for event in self.events if isinstance(event, _ACT_EVENTS)}
            for seat, reason in self.listed_absences.items():
                if seat not in active_seats:
                    self.mark_left_out(seat, reason, is_recorded=True)

    # -- boards and cards -------------------------------------------------------------------------

    def read_cards(self, text: str) -> Cards | None:
        """Return `Ah Kd` as cards; None if there is none or one of them isn't a card."""
        return _read_cards(text)

    def read_heading_line(self, line: str) -> int:
        """Read a heading; return the next line to read."""
        if line == "*** HOLE CARDS ***":
            # One room repeats its player's hand at the end.
            if not self.board_sizes or _DEAL_COMPLETED not in self.events:
                self.add_event(_DEAL_COMPLETED)
            return self.place + 1
        if line[4:8] == "FLOP" and line[12:14] == " [" and not self.board_sizes:
            if self._deal_first_flop(line):
                return self.place + 1
        elif self.board_text and self._deal_next_card(line):
            return self.place + 1
        title, number, text_after = _split_heading(line)
        if title in BOARD_STREETS:
            return self._read_board(BOARD_STREETS[title], number, text_after)
        if title in ("SHOW DOWN", "SHOWDOWN"):
            self._begin_showdown(number, is_always_held=self.SHOWDOWN_ALWAYS or title == _EVERY_HAND_SHOWDOWN)
        elif title in ("HOLE CARDS", "DEALING HANDS"):
            self.add_event(_DEAL_COMPLETED)
        elif title in HAND_STREETS:
            self._begin_street(HAND_STREETS[title])
        else:
            self.add_unread(line)
        return self.place + 1

    def _deal_first_flop(self, line: str) -> bool:
        """Deal the flop of `*** FLOP *** [2c 7d Kc]`; False where the line holds more, or no cards."""
        cards = _read_cards(line[14:22])
        if cards is None or line[22:].rstrip() != "]":
            return False
        self.board_sizes[1, 1] = 3
        self.board_text = line[14:22] if len(cards) == 6 else ""
        self.begin_betting("flop")
        self.add_event(BoardDealt("flop", cards))
        return True

    def _deal_next_card(self, line: str) -> bool:
        """Read a heading that repeats the board as the lines before have it and adds one card."""
        heading_words, _, board_and_card = line.partition("[")
        street = _STREETS_BY_HEADING.get(heading_words)
        board_text, _, new_card = board_and_card.partition("] [")
        card = CARDS.get(new_card[:2])
        if street is None or card is None or board_text != self.board_text or new_card[2:] != "]":
            return False
        self.board_text = f"{board_text} {new_card[:2]}"
        self.board_sizes[1, 1] = (len(self.board_text) + 1) // 3
        self.begin_betting(street)
        self.add_event(BoardDealt(street, card))
        return True

    def _begin_showdown(self, number: int, *, is_always_held: bool) -> None:
        """Begin the showdown of a run, or go on to the pots of the second board."""
        if self.is_pot_awarded and not number and (1, 2) in self.board_sizes:
            self.awarded_board, self.is_pot_awarded = 2, False  # the pots of the first board are awarded
            return
        self.close_bets()
        self.showdown_run = number or 1
        self.is_pot_awarded = False
        if not is_always_held or len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun(self.showdown_run))

    def _begin_street(self, street: Street) -> None:
        """Begin a street of stud or a draw."""
        if street == "third":
            self.betting.street = street
            self.add_event(_DEAL_COMPLETED)
        else:
            self.deal_street(street)

    def read_second_board(self, _street: Street, _cards: list[Cards]) -> int:
        """Read a street repeated for a second board; return the next line to read, or 0 for other lines."""
        return 0

    def _read_board(self, street: Street, number: int, text_after: str) -> int:
        """Read `[2c 7d Kc] [9s]`, whose last bracket holds the new cards; return the next line to read."""
        board_text, _, remark = text_after.partition("{")
        board_text = board_text.strip()
        if not board_text and self.game.variant in STUD and street == "river":
            self._begin_street("seventh")
            return self.place + 1
        card_groups = read_groups(_read_cards, board_text) or read_groups(_read_glued_cards, board_text)
        if card_groups is None or not board_text.endswith("]"):  # the line breaks off within its cards
            self.add_unread(self.lines.text[self.place])
            return self.place + 1
        if not number:
            if self.board_sizes and (next_line := self.read_second_board(street, card_groups)):
                return next_line
            self._deal_skipped_street(street, card_groups)
        self._deal_board(street, number, card_groups)
        if remark:
            self.add_event(RemarkNoted(self.people.text("{" + remark.strip())))
        return self.place + 1

    def _deal_skipped_street(self, street: Street, card_groups: list[Cards]) -> None:
        """Deal the street before this street if no line has all of its cards, from the cards that this line repeats."""
        if len(card_groups) != 2:
            return
        repeated_cards = card_groups[0]
        skipped = _SKIPPED_STREETS.get((street, self.board_sizes.get((1, 1), 0), len(repeated_cards)))
        if skipped is None:
            return
        board_dealt = BoardDealt(skipped, repeated_cards[-6 if skipped == "flop" else -2 :])
        damaged_street = StreetDealt(skipped)
        if damaged_street in self.events:  # a line with its cards damaged
            self.events[self.events.index(damaged_street)] = board_dealt
        else:
            self.begin_betting(skipped)
            self.add_event(board_dealt)

    def _deal_board(self, street: Street, number: int, card_groups: list[Cards]) -> None:
        """Deal the new cards of a board or a run; `number` is the one in its heading, 0 without one."""
        # Before the flop of a bomb pot nobody can be all-in yet, so numbered boards belong to the pot.
        is_bomb_pot = number > 0 and BOMB_POT in self.events and (street == "flop" or (1, 2) in self.board_sizes)
        has_two_boards = is_bomb_pot or self.game.variant == "split-holdem"
        board, run = (number or 1, 1) if has_two_boards else (1, number or 1)
        repeated_cards = "".join(card_groups[:-1])
        new_cards = card_groups[-1].removeprefix(repeated_cards)
        size = len(repeated_cards + new_cards) // 2
        if len(card_groups) == 1:
            cards_before = self.board_sizes.get((run, board), 0)
            if not cards_before and street != "flop":
                cards_before = self.board_sizes.get((1, 1), 0)
            new_cards = new_cards[2 * cards_before :]
        if number and not has_two_boards:
            self._agree_on_runs(number)
        self.board_sizes[run, board] = size
        if run == board == 1 and street != "preflop":
            self.begin_betting(street)
        self.add_event(BoardDealt(street, new_cards, board, run))

    def agree_on_runs(self) -> None:
        """Read `Players agree to Run It Twice`."""
        self._agree_on_runs(1)

    def _agree_on_runs(self, number: int) -> None:
        """Say that the rest of the board is run twice, once it shows; a third run changes that to three times."""
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
                return True  # the list of seats says already that the seat is dealt in
            name = next((name for name in self.list_sorted_names() if name_and_cards.startswith(name + " [")), "")
            seat, card_text = self.seats.get(name), name_and_cards[len(name) + 2 :]
        bracket_end = card_text.find("]")
        only_group = _read_cards(card_text[:bracket_end]) if card_text[bracket_end + 1 :] == "" else None
        card_groups = [only_group] if only_group else read_groups(_read_cards, card_text)
        if seat is None or card_groups is None:
            return False
        if not self.board_sizes or HoleCardsDealt(seat, card_groups[0]) not in self.events:
            stud.deal_groups(self, seat, card_groups)
        return True
