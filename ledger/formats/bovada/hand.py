"""The players of a Bovada hand by position, and the streets that the text leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.formats.bovada.header import BovadaSeating, BovadaSeatRow, strip_owner_mark
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, StreetDealt
from ledger.hand.ending import DropTaken, ResultDeclared
from ledger.hand.opening import BlindPositionPlaced, ButtonPlaced, GameSet, NotDealtIn
from ledger.people import HERO, format_chair_name
from ledger.readers import stud
from ledger.readers.currencies import SYMBOLS
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import parse_small_number
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street, split_cards

DEAL_WORDS: Final = "Card dealt to a spot ["
_BUTTON_WORDS: Final = "Set dealer"
_DEAL_HEADING: Final = "*** HOLE"
_ABSENT_WORDS: Final = (
    _BUTTON_WORDS,
    "Sitout",
    "Seat ",
    "Sit out",
    "Re-join",
    "Stand",
    "Table ",
    "Leave",
    "Enter",
    "Draw for",
)
"""The beginnings of lines about a position that needn't be in the hand."""

WORDS_WITHOUT_CHIPS: Final = ("Folded", "lost with", "lose with", "lost", "lose", "[Mucked]", "[Does not show]", "with")
NEXT_STREETS: Final[Mapping[Street, tuple[Street, int, int]]] = {
    "preflop": ("flop", 0, 3),
    "flop": ("turn", 3, 4),
    "turn": ("river", 4, 5),
}
"""The street that follows, and which cards of the board it brings."""
NEXT_STUD_STREETS: Final[Mapping[Street, Street]] = {
    "third": "fourth",
    "fourth": "fifth",
    "fifth": "sixth",
    "sixth": "seventh",
}


class BovadaPositions(PhraseHand):
    """A hand whose lines name positions, and whose players get the names of their chairs."""

    def __init__(self, page: HandLines, room: str, game: GameSet, chair_scope: str) -> None:
        """Begin the hand. `chair_scope` is the table, or the hand alone in a pool of players who meet for one."""
        super().__init__(page.lines, page.people, room, game, page.first_line)
        self.chair_scope = chair_scope
        self.player_by_position: dict[str, PlayerId] = {}  # position → player
        self.end_line = page.end_line
        self.seat_by_position: dict[str, Seat] = {}  # position as lines write it → seat
        self.seat_by_number: dict[int, Seat] = {}
        self.player_of: dict[Seat, PlayerId] = {}
        self.owner_seat: Seat = 0
        self.first_line = 0  # the line after the list of seats
        self.is_dealing = False  # the hole cards are being dealt
        self.is_deal_complete = False  # every seat has its first cards
        self.all_cards_known = False
        self.hole_cards: dict[Seat, Cards] = {}
        self.dealt_cards: set[str] = set()  # stud: all cards dealt so far
        self.seats_with_card: set[Seat] = set()  # stud: the seats that have the street's card
        self.ante_positions: set[str] = set()
        self.hidden_board = ""  # the summary's board, if the text leaves the streets out
        self.acted_seats: set[Seat] = set()
        self.side_pot_count = 0
        self.is_button_known = True  # False: the dead button has one of several empty chairs
        self.is_showdown = False  # the showdown has begun
        self.summary_line = 0  # the line with which the summary begins
        self.is_rake_known = False
        self.declared_pot: Chips | None = None
        if stud.is_stud(self):
            self.betting.street = "third"

    # -- before the first line is read --------------------------------------------------------

    def read_ahead(self, first_line: int) -> None:
        """Read ahead from `first_line` for facts of later lines: the positions with cards, and the missing streets."""
        has_streets, self.first_line = False, first_line
        for line in self.lines.text[first_line : self.end_line]:
            position, colon, act_text = line.partition(" : ")
            if colon:
                first_letter = act_text[:1]
                if first_letter == "C" and act_text.startswith(DEAL_WORDS):
                    known_position = strip_owner_mark(position) if "[" in position else position.strip()
                    self.seat_by_position[known_position] = 0  # it gets cards; the seat follows
                elif first_letter == "A" and act_text.startswith("Ante chip"):
                    self.ante_positions.add(strip_owner_mark(position))
                elif first_letter == "H" and act_text[:20].lower() == "hand result-side pot":
                    self.side_pot_count += 1
            elif line.startswith(("*** FLOP", "Card dealt to table", "Card to the table")):
                has_streets = True
            elif line.startswith("Board [") and not has_streets:
                self.hidden_board = self.read_cards(line.partition("[")[2].partition("]")[0]) or ""

    def position_lines(self) -> Iterator[tuple[int, str, str]]:
        """Yield number, position and text of lines with a position, and of the button and the deal without one."""
        for line_number in range(self.first_line, self.end_line):
            line = self.lines.text[line_number]
            position, colon, act_text = line.partition(" : ")
            if colon:
                yield line_number, strip_owner_mark(position), act_text
            elif line.startswith((_BUTTON_WORDS, _DEAL_HEADING)):
                yield line_number, "", line

    def seat_players(self, seating: BovadaSeating) -> None:
        """Seat the players, and place the button and the blinds."""
        positions_with_cards = set(self.seat_by_position)
        playing_positions = positions_with_cards.copy()
        self.seat_by_position = {}
        button = self._find_button()
        has_chair_numbers = seating.has_chair_numbers
        assigned_seats = seating.assign_seats(button[1:3] if button and button[1] else None)
        seated_rows = sorted(zip(assigned_seats, seating.seat_rows, strict=True), key=_get_pair_seat)
        if len(positions_with_cards) < len(seating.seat_rows):
            # Some texts hide others' cards, but a position that acts is in the hand.
            playing_positions |= {
                position for _, position, act_text in self.position_lines() if not act_text.startswith(_ABSENT_WORDS)
            }
        for seat, seat_row in seated_rows:
            self.place = seat_row.line_number
            self._seat_player(
                seat, seat_row, is_dealt_in=seat_row.name in playing_positions, is_inferred=not has_chair_numbers
            )
        self.all_cards_known = positions_with_cards.issuperset(
            seat_row.name for seat, seat_row in seated_rows if seat in self.stacks
        )
        self.place = self._place_button(button, has_chair_numbers=has_chair_numbers)
        for role, position_name in (("small", "Small Blind"), ("big", "Big Blind")):
            seat = self.seat_by_position.get(position_name, 0)
            if seat:
                self.add_event(BlindPositionPlaced(role, seat))  # type: ignore[arg-type]  # both are named there

    def get_player_id(self, name: str) -> PlayerId:
        """Return the id of the player who has a position."""
        return self.player_by_position[name]

    def get_player(self, seat: Seat) -> PlayerId:
        """Return the id of the player in a seat."""
        return self.player_of[seat]

    def _seat_player(self, seat: Seat, seat_row: BovadaSeatRow, *, is_dealt_in: bool, is_inferred: bool) -> None:
        position = seat_row.name
        player_name = HERO if seat_row.is_owner else format_chair_name(seat_row.written_number, self.chair_scope)
        self.player_of[seat] = self.player_by_position[position] = super().get_player_id(player_name)
        stack = self.parse_chips(seat_row.stack)
        if is_inferred:
            self.inferred.append(len(self.events))  # the seat's number follows from the order
        if is_dealt_in:
            self.seat_player(seat, position, stack)
        else:
            self.leave_seat_out(seat, position, stack, self._absence_reason(position))
        self.seat_by_number.setdefault(seat_row.written_number, seat)
        self.seat_by_position.setdefault(position, seat)
        if seat_row.is_owner:
            self.owner_seat = seat
            for spelling in (position + " [ME]", position + "  [ME]"):
                self.seat_by_position.setdefault(spelling, seat)

    def _absence_reason(self, absent_position: str) -> NotDealtIn:
        for _, position, act_text in self.position_lines():
            if position == absent_position and act_text.startswith("Sitout"):
                return "waiting-for-big-blind"
            if position == absent_position and act_text.startswith(("Seat sit out", "Sit out")):
                return "sitting-out"
        return "unknown"

    def _find_button(self) -> tuple[int, str, int] | None:
        """Return line, position and chair of the line that sets the button, or None if there is none."""
        for line_number, position, act_text in self.position_lines():
            if act_text.startswith(_BUTTON_WORDS):
                line_text = self.lines.text[line_number].replace("[ME]", "")
                return line_number, position, parse_small_number(line_text.partition("[")[2].partition("]")[0])
            if act_text.startswith(_DEAL_HEADING):
                break
        return None

    def _place_button(self, button: tuple[int, str, int] | None, *, has_chair_numbers: bool) -> int:
        """Place the button. Return the line that shows it."""
        if button is None:
            seat = self.seat_by_position.get("Dealer") or self._find_dead_button()
            if seat and not stud.is_stud(self):
                self.add_inferred(ButtonPlaced(seat))
            return self.place
        line_number, position, button_chair = button
        self.place = line_number
        if not position:
            dead_button = self._find_dead_button()
            if dead_button:
                self.add_inferred(ButtonPlaced(dead_button), place=line_number)
            else:
                self.add_remark()
        elif has_chair_numbers and 0 < button_chair <= 10:
            self.add_event(ButtonPlaced(button_chair))
        else:
            self.add_event(ButtonPlaced(self.seat_by_position.get(position)))
        return line_number

    def _find_dead_button(self) -> Seat | None:
        """Return the chair of a dead button, which is the nearest empty one before the blinds.

        With several empty chairs the order of acts is the same for each.
        """
        first_blind = self.seat_by_position.get("Small Blind") or self.seat_by_position.get("Big Blind")
        if not first_blind:
            return None
        chair_before = first_blind - 1 or max(self.player_of) + 1
        self.is_button_known = first_blind - 2 in self.player_of  # the number of chairs at the table is unknown
        return None if chair_before in self.player_of else chair_before

    # -- line by line ---------------------------------------------------------------------------

    def find_seat(self, position_text: str) -> Seat | None:
        """Return the seat of a position with a new spelling, and remember the spelling."""
        seat = self.seat_by_position.get(strip_owner_mark(position_text))
        if seat is not None:
            self.seat_by_position[position_text] = seat
        return seat

    def deal_cards(self, seat: Seat, new_cards: Cards) -> bool:
        """Deal a seat its first cards, or the next one in stud. Return False if such a deal is impossible."""
        how_dealt, upcards = "owner" if seat == self.owner_seat else "after", ""
        if not stud.is_stud(self):
            if seat in self.hole_cards:
                return False
        else:
            card_list = split_cards(new_cards)
            if not self.dealt_cards.isdisjoint(card_list):
                return False
            self.dealt_cards.update(card_list)
            if seat in self.seats_with_card:
                self.begin_stud_street()
            self.seats_with_card.add(seat)
            upcards = {"third": "ddu", "seventh": "d"}.get(self.street, "u")
            upcards = upcards if len(upcards) * 2 == len(new_cards) else ""
        self.hole_cards[seat] = self.hole_cards.get(seat, "") + new_cards
        self.add_event(HoleCardsDealt(seat, new_cards, upcards, how_dealt))  # type: ignore[arg-type]  # both are named there
        return True

    def begin_stud_street(self) -> None:
        """Begin stud's next street."""
        self.complete_deal()
        street = NEXT_STUD_STREETS.get(self.street)
        if street:
            self.begin_betting(street)
            self.add_event(StreetDealt(street))
            self.seats_with_card.clear()

    def complete_deal(self) -> None:
        """Record once that all seats have their first cards, right after the last of them."""
        if not self.is_deal_complete:
            self.is_deal_complete = True
            last_deal = max(
                (event_index for event_index, event in enumerate(self.events) if isinstance(event, HoleCardsDealt)),
                default=-1,
            )
            if last_deal < 0:
                self.add_event(DealCompleted())
            elif last_deal == len(self.events) - 1:
                self.events.append(DealCompleted())
                self.event_places.append(self.event_places[last_deal])
            else:
                self.add_event(DealCompleted())

    def prepare_act(self) -> None:
        """Complete the deal, and deal the next street if the text leaves it out and the betting is closed."""
        if not self.is_deal_complete:
            self.complete_deal()
        if self.hidden_board and self._is_round_closed():
            self.infer_hidden_street()

    def infer_hidden_street(self) -> bool:
        """Infer the next street from the summary's board. Return whether there was one."""
        next_street = NEXT_STREETS.get(self.street)
        if next_street is None:
            return False
        street, first_card, end_card = next_street
        new_cards = self.hidden_board[2 * first_card : 2 * end_card]
        if len(new_cards) != 2 * (end_card - first_card):
            return False
        self.begin_betting(street)
        self.acted_seats.clear()
        self.add_inferred(BoardDealt(street, new_cards))
        return True

    def infer_run_out(self) -> None:
        """Infer the remaining streets of a hand without further betting."""
        while self.hidden_board and self.infer_hidden_street():
            pass

    def _is_round_closed(self) -> bool:
        """Whether everyone who can act has acted on this street and matched its bet."""
        return bool(self.acted_seats) and self.is_round_over(self.acted_seats)

    def note_act(self, seat: Seat, *, raises: bool = False) -> None:
        """Remember the seats that acted since the last raise."""
        if raises:
            self.acted_seats.clear()
        self.acted_seats.add(seat)

    def complete_open_deal(self) -> None:
        """Complete a deal that no act followed."""
        if self.is_dealing and not self.is_deal_complete:
            self.place = max(self.event_places)  # there may have been blank lines since
            self.complete_deal()

    def infer_settlement(self) -> None:
        """Infer returned bets and an unwritten rake from the declared total."""
        if len(self.ante_positions) == 1:
            self.mark_table_ante()
        self.infer_returns(self.total_awarded if self.declared_pot is None else self.declared_pot)
        missing_chips = (
            (self.get_total_put_in() if self.declared_pot is None else self.declared_pot)
            - self.total_awarded
            - self.total_drop
        )
        if (
            missing_chips > 0
            and not self.is_rake_known
            and self.game.format == "cash"
            and 4 * missing_chips <= self.total_awarded
        ):
            self.add_inferred(DropTaken("rake", missing_chips), place=self.place)

    # -- the summary, against which the hand is checked ---------------------------------------------

    def start_summary(self) -> None:
        """Begin the summary."""
        self.complete_open_deal()
        self.summary_line = self.summary_line or self.place

    def declare_totals(self, totals_text: str) -> bool:
        """Read `Total Pot($112) | Rake ($1)`."""
        if not self.summary_line:
            return False
        self.infer_run_out()
        all_known = True
        for total_part in f"Total Pot({totals_text}".split("|"):
            words, _, amount = total_part.strip().partition("(")
            chips, words = self.parse_amount(amount.rstrip(") ")), words.strip()
            if words == "Total Pot":
                self.declared_pot = chips
                self.add_event(ResultDeclared("total-pot", amount=chips))
            elif words == "Rake":
                self.is_rake_known = True
                self.take_drop("rake", chips)
                self.add_event(ResultDeclared("rake", amount=chips))
            elif "jackpot" in words.lower():
                self.take_drop("jackpot", chips)
                self.add_event(ResultDeclared("jackpot", amount=chips))
            else:
                all_known = False
        return all_known

    def declare_board(self, board_text: str) -> bool:
        """Read `Board [..]`, which is empty if no flop was dealt."""
        cards_text = board_text.partition("[")[2].partition("]")[0]
        board = self.read_cards(cards_text)
        if board and self.summary_line:
            self.add_event(ResultDeclared("board", cards=board))
        return bool(self.summary_line) and (board is not None or not cards_text.strip())

    def declare_collected(self, seat_text: str) -> bool:
        """Read `Seat+3: UTG+1 $3.10 with …`: the chips that the seat collected, high and low together."""
        digits, _, result_text = seat_text[1:].partition(":")
        result_text = result_text.strip()
        if not self.summary_line:
            return False
        if "Folded" in result_text and result_text.rpartition(" Folded ")[0].replace(" [ME]", "") in self.seats:
            return True
        position = next(
            (
                known_position
                for known_position in self.sort_names()
                if result_text.startswith(known_position) and result_text[len(known_position) :][:1] in ("", " ")
            ),
            "",
        )
        seat = self.seats[position] if position else self.seat_by_number.get(parse_small_number(digits.strip(), 6))
        collected_chips = self.parse_winnings(
            result_text[len(position) :].strip().removeprefix("[ME]").strip().partition("BOUNTY awarded")[0].strip()
        )
        if seat and collected_chips:
            self.add_event(ResultDeclared("collected", seat, collected_chips))
        return bool(seat) and collected_chips is not None

    def parse_winnings(self, winnings_text: str) -> Chips | None:
        """Return the chips collected, or None if the words are unknown."""
        first_word = winnings_text.partition(" ")[0]
        if first_word[:1] in SYMBOLS or first_word[:1].isdecimal():
            return self.parse_amount_or_none(first_word)
        total = 0
        for half in ("HI ", "LO "):
            _, half_word, text_after = f" {winnings_text}".partition(f" {half}")
            chips = self.parse_amount_or_none(text_after.partition(" ")[0]) if half_word else 0
            if chips is None:
                return None
            total += chips
        return total if total or not winnings_text or winnings_text.startswith(WORDS_WITHOUT_CHIPS) else None

    @property
    def is_hi_lo(self) -> bool:
        """Whether pots are shared between high and low hands."""
        return self.game.variant.endswith("8")


def _get_pair_seat(seat_and_row: tuple[Seat, BovadaSeatRow]) -> Seat:
    return seat_and_row[0]
