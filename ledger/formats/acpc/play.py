"""A hand that is built from its betting, and a hand in one line: `STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HowKnown
from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import Betting, ButtonPlaced, GameSet, HandOpened
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import HandBuilder
from ledger.readers.lines import SourceLines
from ledger.readers.spans import Spans
from ledger.readers.text_format import HandLines
from ledger.vocabulary import DECK, Cards, Chips, Seat, Street, Witness

VENUE: Final = "ACPC"
STATE: Final = "STATE:"
MESSAGE: Final = "MATCHSTATE:"
WITNESSES: Final = Witness.from_names("BUTTON BLIND_POSITIONS ACTS BOARD ALL_CARDS")
"""What a STATE line always records. Blinds and stacks come from the game, not from the line."""

MESSAGE_WITNESSES: Final = Witness.from_names("BUTTON BLIND_POSITIONS ACTS BOARD ALL_CARDS SHOWDOWN TIMES")
"""What messages between dealer and players always record. The messages of one side don't have `ALL_CARDS`."""

STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
BOARD_SIZES: Final = (0, 6, 2, 2)
"""Characters of the cards that each street brings."""

MAX_PLAYERS: Final = 10
_DECK_CARDS: Final = frozenset(DECK)
_MAX_AMOUNT_DIGITS: Final = 12
_MESSAGE_BEGINNINGS: Final = ("TO ", "FROM ", "S->", "<-C", MESSAGE)


def is_state(line: str) -> bool:
    """Whether a line contains a whole hand: `STATE:7:`."""
    return line.startswith(STATE) and line[6:7].isdecimal() and line.count(":") >= 3


def is_message(line: str) -> bool:
    """Whether a line is a message between dealer and player."""
    return line.startswith(_MESSAGE_BEGINNINGS) and MESSAGE in line[:64]


class AcpcMatch:
    """The log's facts about the match that the next hands belong to."""

    def __init__(self, name: str, *, no_limit: bool | None = None, likely_no_limit: bool | None = None) -> None:
        """Begin a match.

        `no_limit` comes from the log's name of the game, `likely_no_limit` from the other hands; None = unknown.
        """
        self.name = name
        self.no_limit, self.likely_no_limit = no_limit, likely_no_limit
        self.reverse_blinds = True
        self.player_count = 0


class AcpcStructure(NamedTuple):
    """A game as its definition file has it: players are listed by position, and the last one has the button."""

    betting: Betting
    blinds: tuple[Chips, ...]  # by position
    limit_bets: tuple[Chips, ...]  # limit: small and big bet
    starting_stack: Chips | None  # in every hand; None = as many chips as are needed


@lru_cache(maxsize=64)
def build_structure(player_count: int, *, no_limit: bool, reverse_blinds: bool = True) -> AcpcStructure:
    """Return the competition's game for so many players.

    `reverse_blinds`: heads-up, the button posts the small blind, as in every year since 2008.
    """
    small_blind, big_blind = (50, 100) if no_limit else (5, 10)
    blinds = (
        (big_blind, small_blind)
        if player_count == 2 and reverse_blinds
        else (small_blind, big_blind, *(0,) * (player_count - 2))
    )
    if not no_limit:
        return AcpcStructure("limit", blinds, (10, 20), None)
    # Pluribus' six players had a hundred big blinds.
    return AcpcStructure("no-limit", blinds, (), 20_000 if player_count <= 3 else 10_000)


@lru_cache(maxsize=256)
def build_game_set(structure: AcpcStructure, exponent: int) -> GameSet:
    """Return the game with amounts in units of 10^-exponent."""
    chip_unit = 10**exponent
    blinds = tuple(blind * chip_unit for blind in sorted(filter(None, structure.blinds)))
    limit_bets = tuple(limit_bet * chip_unit for limit_bet in structure.limit_bets)
    return GameSet("holdem", structure.betting, "unknown", "chips", exponent, blinds, 0, limit_bets)


@lru_cache(maxsize=4096)
def parse_cards(text: str, letter_count: int) -> Cards:
    """Return the cards. Anything else, or another number of cards, raises `UnreadableHandError`."""
    if len(text) != letter_count or any(
        text[card_index : card_index + 2] not in _DECK_CARDS for card_index in range(0, letter_count, 2)
    ):
        raise UnreadableHandError(
            f"{text[:40]!r} is not {letter_count // 2} cards of hold'em",
            kind="cards",
            hint="Other games of the competition (Kuhn, Leduc) are not read.",
        )
    return text


@lru_cache(maxsize=50_000)
def _build_hole_cards(seat: Seat, text: str, card_source: HowKnown) -> HoleCardsDealt:
    return HoleCardsDealt(seat, parse_cards(text, 4), "", card_source)


class AcpcHand(HandBuilder):
    """A hand that is built from its betting. Positions count from 0; the seat is one more."""

    def __init__(
        self, places: Spans, people: People, structure: AcpcStructure, first_place: int, exponent: int = 0
    ) -> None:
        """Begin a hand whose first part is `first_place`."""
        super().__init__(places, people, VENUE, build_game_set(structure, exponent), first_place)
        self.chip_unit = 10**exponent
        self.blinds = structure.blinds
        self.player_count = len(structure.blinds)
        self.starting_stack = structure.starting_stack * self.chip_unit if structure.starting_stack else None
        self.street_index = 0
        self.acting_seat = structure.blinds.index(max(structure.blinds)) + 1  # the big blind acts last

    def seat_all(self, player_names: list[str], name_places: list[int]) -> None:
        """Seat the players by position and post the blinds. `name_places` are the places of their names."""
        self.add_inferred(self.game, place=self.place)
        for seat, (player_name, self.place) in enumerate(zip(player_names, name_places, strict=True), 1):
            if self.starting_stack:  # stacks come from the game, not from the line
                self.inferred.append(len(self.events))
            self.seat_player(seat, player_name, self.starting_stack)
        self.add_inferred(ButtonPlaced(self.player_count))
        for blind, seat in sorted(zip(self.blinds, range(1, self.player_count + 1), strict=True)):
            if blind:
                self.place = name_places[seat - 1]
                self.inferred.append(len(self.events))
                self.post_blind(seat, "big" if blind == max(self.blinds) else "small", blind * self.chip_unit)

    def deal_hole_cards(self, position: int, hole_cards: str, place_number: int, card_source: HowKnown) -> None:
        """Deal a seat its hole cards, if they are known."""
        if hole_cards:
            self.place = place_number
            self.add_event(_build_hole_cards(position + 1, hole_cards, card_source))

    def complete_deal(self) -> None:
        """Record that every seat has its cards."""
        self.add_event(DealCompleted())

    def apply_betting(
        self, betting: str, first_place: int, place_step: int, boards: list[str], board_places: list[int]
    ) -> None:
        """Add betting: `c` and `f`, `r` with or without an amount, `/` for the next street.

        The first letter has place `first_place`, and each letter after it `place_step` more. `boards` are the
        cards of the streets, `board_places` their places. Impossible betting raises `UnreadableHandError`.
        """
        position, letter_count = 0, len(betting)
        while position < letter_count:
            letter, act_start = betting[position], position
            position += 1
            if letter == "/":
                self.deal_next_street(boards, board_places)
                continue
            if letter not in "fcr":
                raise UnreadableHandError(f"the betting holds {letter!r}, which is no act", kind="betting")
            seat = self.acting_seat = self.next_to_act(self.acting_seat)
            self.place = first_place + act_start * place_step
            if letter == "c":
                self.check_or_call(seat)
            elif letter == "f":
                self.fold(seat)
            else:
                while position < letter_count and betting[position] in "0123456789":
                    position += 1
                self.wager(seat, self.raise_total(seat, betting[act_start + 1 : position]))
                if place_step:
                    self.places.lengths[self.place] *= position - act_start

    def raise_total(self, seat: Seat, number_text: str) -> Chips:
        """Return the seat's total on this street. `number_text`, if any, is its total in the whole hand."""
        if not number_text:
            if not self.game.bets:
                raise UnreadableHandError("a raise at no limit has no amount", kind="betting")
            return self.betting.bet_to_call + self.game.bets[self.street_index // 2]
        if len(number_text) > _MAX_AMOUNT_DIGITS:
            raise UnreadableHandError(f"the amount {number_text[:40]!r} is too large", kind="amount")
        street_total: Chips = int(number_text) * self.chip_unit - self.get_chips_put_in(seat) + self.get_bet(seat)
        if street_total <= self.betting.bet_to_call:
            raise UnreadableHandError(
                f"a raise to {number_text} in all is no raise: the bet is larger already", kind="betting"
            )
        return street_total

    def next_to_act(self, seat: Seat) -> Seat:
        """Return the next seat that has neither folded nor gone all-in."""
        for distance in range(self.player_count):
            candidate = (seat + distance) % self.player_count + 1
            if candidate not in self.folded and (
                self.starting_stack is None or self.get_chips_put_in(candidate) < self.starting_stack
            ):
                return candidate
        raise UnreadableHandError("more acts than players can make", kind="betting")

    def deal_next_street(self, boards: list[str], board_places: list[int]) -> None:
        """Deal the board's cards of the next street."""
        self.street_index += 1
        if self.street_index > len(boards):
            raise UnreadableHandError("a street has no cards", kind="cut-off")
        if self.street_index >= len(STREETS):
            raise UnreadableHandError("more streets than hold'em has", kind="betting")
        self.acting_seat = 0
        self.place = board_places[self.street_index - 1]
        self.deal_board(
            STREETS[self.street_index], parse_cards(boards[self.street_index - 1], BOARD_SIZES[self.street_index])
        )

    @property
    def is_over(self) -> bool:
        """Whether only one seat is left or the river's betting is done."""
        if len(self.list_seats_in_hand()) == 1:
            return True
        if self.street_index < len(STREETS) - 1:
            return False
        able_seats = self.list_seats_able_to_bet()
        return len(able_seats) < 2 or self._is_round_closed()

    def _is_round_closed(self) -> bool:
        """Whether everyone who can act has acted on this street and matched its bet."""
        acted_seats = set()
        for event in reversed(self.events):
            if isinstance(event, BoardDealt):
                break
            acted_seats.add(getattr(event, "seat", 0))
        return self.is_round_over(acted_seats)


def count_players(hole_cards: list[str]) -> int:
    """Return how many players these hole cards belong to. Too few or too many raise `UnreadableHandError`."""
    if not 2 <= len(hole_cards) <= MAX_PLAYERS:
        raise UnreadableHandError(f"{len(hole_cards)} players: the competition has 2 to {MAX_PLAYERS}", kind="seat")
    return len(hole_cards)


_MAX_NUMBER_DIGITS: Final = 20
_LARGE_AMOUNT: Final = re.compile(r"[0-9]{5,}+")
"""Amounts with fewer digits are within every game's stacks."""
WHOLE_LINE: Final = 0
"""The place of the whole line."""
_MAX_LINE_LENGTH: Final = 20_000
_SMALL_BLIND: Final = 50
"""The least that anybody loses in a hand of no limit."""


def read_state_line(page: HandLines, match: AcpcMatch) -> AcpcHand:
    """Read a hand's line. A damaged one raises `UnreadableHandError`."""
    lines, line_number = page.lines, page.first_line
    line = lines.text[line_number].rstrip()
    if len(line) > _MAX_LINE_LENGTH:
        raise UnreadableHandError("the line is too long for a hand", kind="too-long")
    fields = line.split(":", 5)
    if len(fields) < 6:
        raise UnreadableHandError(
            "the line breaks off: it has no payoffs or no players",
            kind="cut-off",
            hint="A line holds number, betting, cards, payoffs and players.",
        )
    _, hand_number, betting, cards_field, payoffs_field, names_field = fields
    if not (hand_number.isascii() and hand_number.isdecimal() and len(hand_number) <= _MAX_NUMBER_DIGITS):
        raise UnreadableHandError(f"{hand_number[:40]!r} is no number of a hand", kind="header")
    letter_spans = LetterSpans(lines, line_number, page.encoding)
    holes_field, *boards = cards_field.split("/")
    hole_cards, payoffs, player_names = holes_field.split("|"), payoffs_field.split("|"), names_field.split("|")
    if not len(hole_cards) == len(payoffs) == len(player_names) == count_players(hole_cards):
        raise UnreadableHandError(
            f"cards of {len(hole_cards)}, payoffs of {len(payoffs)} and names of {len(player_names)} players",
            kind="seat",
        )
    betting_start = len(STATE) + len(hand_number) + 1
    no_limit = _is_no_limit(betting, payoffs_field, match)
    structure = build_structure(len(player_names), no_limit=no_limit, reverse_blinds=match.reverse_blinds)
    exponent = page.exponent or 0
    acpc_hand = AcpcHand(letter_spans, page.people, structure, WHOLE_LINE, exponent)
    if acpc_hand.starting_stack and _exceeds_stacks(betting, payoffs_field, acpc_hand.starting_stack, exponent):
        acpc_hand.starting_stack = None  # it isn't the game that it seemed to be
    cards_start = betting_start + len(betting) + 1
    payoffs_start = cards_start + len(cards_field) + 1
    acpc_hand.seat_all(player_names, letter_spans.place_parts(player_names, payoffs_start + len(payoffs_field) + 1))
    for position, (hole_text, hole_place) in enumerate(
        zip(hole_cards, letter_spans.place_parts(hole_cards, cards_start), strict=True)
    ):
        acpc_hand.deal_hole_cards(position, hole_text, hole_place, "unknown")
    acpc_hand.complete_deal()
    acpc_hand.apply_betting(
        betting, betting_start, 1, boards, letter_spans.place_parts(boards, cards_start + len(holes_field) + 1)
    )
    if any(boards[acpc_hand.street_index :]):
        raise UnreadableHandError("the cards of a street have no betting", kind="betting")
    if not acpc_hand.is_over:
        raise UnreadableHandError(
            "the betting breaks off before the hand ends",
            kind="cut-off",
            hint="A hand ends with all but one folded, or with the river's betting.",
        )
    _declare_results(acpc_hand, payoffs, letter_spans.place_parts(payoffs, payoffs_start))
    acpc_hand.place = WHOLE_LINE
    acpc_hand.add_event(HandCompleted())
    acpc_hand.set_opening(HandOpened(VENUE, match.name, hand_number, WITNESSES, None, "", len(player_names)))
    return acpc_hand


class LetterSpans(Spans):
    """Places within one line: a part has the number of its first letter, the whole line 0."""

    def __init__(self, lines: SourceLines, line_number: int, encoding: str) -> None:
        line, line_start = lines.text[line_number], lines.starts[line_number]
        letter_count = len(line) + 1
        self.starts = list(range(line_start, line_start + letter_count))
        self.lengths = [1] * letter_count
        self.lengths[WHOLE_LINE] = lines.lengths[line_number]
        self.has_exact_places = encoding == "cp1252" or line.isascii()

    def place_parts(self, texts: list[str], part_start: int) -> list[int]:
        """Return the places of consecutive texts with one character between them.

        From the first text that isn't ASCII on, the place is the whole line. Only names can contain other letters.
        """
        part_places = []
        for part_text in texts:
            length = len(part_text)
            self.lengths[part_start] = length
            part_places.append(part_start)
            part_start += length + 1
        if not self.has_exact_places and not "".join(texts).isascii():
            first_inexact = next(part_number for part_number, part_text in enumerate(texts) if not part_text.isascii())
            part_places[first_inexact:] = [WHOLE_LINE] * (len(texts) - first_inexact)
        return part_places


def _is_no_limit(betting: str, payoffs_field: str, match: AcpcMatch) -> bool:
    """Whether the game is no limit, judged by raises, the match, payoffs or other hands, in this order."""
    raise_index = betting.find("r")
    if raise_index >= 0:
        return betting[raise_index + 1 : raise_index + 2].isdecimal()
    if match.no_limit is not None:
        return match.no_limit
    chips_lost = [
        _parse_number(payoff[1:].partition(".")[0]) for payoff in payoffs_field.split("|") if payoff.startswith("-")
    ]
    if chips_lost:
        return min(chips_lost) >= _SMALL_BLIND
    return match.likely_no_limit is not False


def _exceeds_stacks(betting: str, payoffs_field: str, stack: Chips, exponent: int) -> bool:
    """Whether anybody puts in more chips than the game's stacks have."""
    max_chips = stack // 10**exponent
    max_text = str(max_chips)
    digit_runs = _LARGE_AMOUNT.findall(betting) + _LARGE_AMOUNT.findall(payoffs_field)
    if not any(len(digit_run) != len(max_text) or digit_run > max_text for digit_run in digit_runs):
        return False
    raise_texts = (
        raise_part.partition("c")[0].partition("f")[0] for raise_part in betting.replace("/", "c").split("r")[1:]
    )
    loss_texts = (loss[1:].partition(".")[0] for loss in payoffs_field.split("|") if loss.startswith("-"))
    return any(
        len(loss) < 13 and _parse_number(loss) > max_chips
        for amount_texts in (raise_texts, loss_texts)
        for loss in amount_texts
    )


def _parse_number(text: str) -> int:
    return int(text) if len(text) < 13 and text.isascii() and text.isdecimal() else 0


def _declare_results(acpc_hand: AcpcHand, payoffs: list[str], payoff_places: list[int]) -> None:
    """Declare the payoffs. What a live seat won follows from its payoff and what it put in."""
    net_results = [_parse_net(payoff, acpc_hand.exponent) for payoff in payoffs]
    acpc_hand.infer_returns()
    for seat, net_result in enumerate(net_results, 1):
        chips_won = net_result + acpc_hand.get_chips_put_in(seat)
        if chips_won > 0 and seat not in acpc_hand.folded:
            acpc_hand.add_inferred(PotAwarded(seat, chips_won))
    for seat, (net_result, acpc_hand.place) in enumerate(zip(net_results, payoff_places, strict=True), 1):
        acpc_hand.add_event(ResultDeclared("net", seat, net_result))


def _parse_net(text: str, exponent: int) -> Chips:
    if text.startswith("-"):
        return -amounts.read(text.removeprefix("-"), exponent)
    return amounts.read(text, exponent)
