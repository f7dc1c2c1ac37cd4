"""The actions and cards of a hand: a table from `EventType` to its reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.formats.pokergfx.players import PokerGfxHand, parse_seat, read_cards
from ledger.hand.dealing import CardsDiscarded, StoodPat
from ledger.hand.opening import BlindPosted, BringInPosted, StraddlePosted
from ledger.hand.variants import VARIANTS, Variant
from ledger.vocabulary import Cards, Chips, Seat, Street

ActionReader: TypeAlias = Callable[["StreetTracker", dict[str, object]], bool]
"""Reads an action; False if one of its values makes no sense."""


def _index_streets_by_card_count(game_plan: Variant) -> dict[int, Street]:
    """Return the number of cards on the board → the street that begins with the last of them."""
    streets_by_cards: dict[int, Street] = {}
    card_count = 0
    for street in game_plan.streets:
        card_count += street.board
        if street.board:
            streets_by_cards[card_count] = street.name
    return streets_by_cards


class StreetTracker:
    """Keeps track of streets: board cards come one by one, and no line ends a betting round."""

    def __init__(self, hand: PokerGfxHand) -> None:
        """Begin before the first action; the posts have been read."""
        self.hand = hand
        self.pending_cards = ""  # cards of a board since the last action
        self.board_number = 1  # the board of these cards
        self.first_place = 0  # place of the first of these cards
        self.cards_by_board: dict[int, int] = {}  # board → cards dealt to it so far
        self.acted_seats: set[Seat] = set()  # seats that acted since the last bet or raise
        self.streets_ahead: list[Street] = []  # later streets that no board card begins
        self.drawing_seats: set[Seat] = set()  # seats that drew since the last bet, check or fold
        posts = [post.seat for post in hand.events if isinstance(post, BlindPosted | StraddlePosted)]
        self.last_seat: Seat = posts[-1] if posts else 0  # the last seat to act, 0 if unknown
        self.is_out_of_turn = False  # the last action was out of turn
        self.has_fold_out_of_turn = False  # a fold was out of turn
        game_plan = VARIANTS[hand.game.variant]
        self.streets_by_cards = _index_streets_by_card_count(game_plan)
        if not game_plan.board_cards:
            self.hand.betting.street = game_plan.streets[0].name
            self.streets_ahead = [street.name for street in game_plan.streets[1:]]

    # -- boards ---------------------------------------------------------------------------------

    def add_card(self, card_text: str, board_number: int) -> bool:
        """Add one or more cards of a board; False if they aren't cards."""
        new_cards = read_cards(card_text)
        if not new_cards or not 0 < board_number < 10:
            return False
        if not self.streets_by_cards:
            return self._deal_shared_card(new_cards)
        if self.pending_cards and board_number != self.board_number:
            self.deal_pending_cards()
        if not self.pending_cards:
            self.first_place, self.board_number = self.hand.place, board_number
        self.pending_cards += new_cards
        card_count = (
            self.cards_by_board.get(board_number, self._count_shared_cards(board_number)) + len(self.pending_cards) // 2
        )
        if card_count in self.streets_by_cards or card_count > max(
            self.streets_by_cards
        ):  # the flop comes card by card
            self.deal_pending_cards()
        return True

    def _deal_shared_card(self, new_cards: Cards) -> bool:
        """Deal stud's common last card, for a deck that runs out; False in other games."""
        game_plan = VARIANTS[self.hand.game.variant]
        if game_plan.opening == "blinds" or len(new_cards) != 2:
            return False
        self.streets_ahead.clear()
        self.hand.deal_board(game_plan.streets[-1].name, new_cards)
        self.acted_seats.clear()
        return True

    def deal_pending_cards(self) -> None:
        """Deal the cards since the last action as one street."""
        if not self.pending_cards:
            return
        hand, board_number = self.hand, self.board_number
        card_count = (
            self.cards_by_board.get(board_number, self._count_shared_cards(board_number)) + len(self.pending_cards) // 2
        )
        self.cards_by_board[board_number] = card_count
        street_names = [name for count, name in self.streets_by_cards.items() if card_count <= count]
        street = street_names[0] if street_names else self.streets_by_cards[max(self.streets_by_cards)]
        current_place, hand.place = hand.place, self.hand.span_places(self.first_place, hand.place)
        run_count = self.hand.value.get("RunItNumTimes")
        is_run_several_times = type(run_count) is int and run_count > 1 and self.hand.board_count == 1
        if is_run_several_times:
            hand.deal_board(street, self.pending_cards, run=board_number)
        else:
            hand.deal_board(street, self.pending_cards, board=board_number)
        hand.place = current_place
        self.pending_cards = ""
        self.acted_seats.clear()
        self.last_seat = parse_seat(self.hand.structure.get("ButtonPlayerNum"))

    def _count_shared_cards(self, board_number: int) -> int:
        """Return how many cards a later run shares with the first: those dealt before all were all-in."""
        if board_number == 1 or self.hand.board_count > 1:
            return 0
        return max(0, 5 - self.hand.count_board_cards(board_number))

    # -- acts -----------------------------------------------------------------------------------

    def begin_action(self, seat: Seat) -> None:
        """Prepare for a bet, check or fold; if all have acted, it begins a street that no card begins."""
        self.deal_pending_cards()
        if self.drawing_seats:
            self.drawing_seats.clear()
        elif self._is_round_over():
            self._begin_next_street()
        self.acted_seats.add(seat)
        self.is_out_of_turn, self.last_seat = self._acts_out_of_turn(seat), seat

    def _acts_out_of_turn(self, seat: Seat) -> bool:
        """Whether it was another seat's turn."""
        able_seats = sorted(
            self.hand.list_seats_able_to_bet(), key=lambda able_seat: (able_seat <= self.last_seat, able_seat)
        )
        return bool(self.last_seat and able_seats and able_seats[0] != seat)

    def begin_draw(self, seat: Seat) -> None:
        """Prepare for a seat to draw; the first to draw begins a street, and so does a seat that draws again."""
        if not self.drawing_seats or seat in self.drawing_seats:
            self._begin_next_street()
            self.drawing_seats.clear()
        self.drawing_seats.add(seat)

    def _begin_next_street(self) -> None:
        if self.streets_ahead:
            self.hand.infer_street(self.streets_ahead.pop(0))
            self.acted_seats.clear()
            self.last_seat = 0

    def _is_round_over(self) -> bool:
        return self.hand.is_round_over(self.acted_seats)


def _begin_action(streets: StreetTracker, event: dict[str, object]) -> Seat:
    """Return the acting seat, 0 if it isn't dealt in."""
    seat = parse_seat(event.get("PlayerNum"))
    if seat not in streets.hand.player_places:
        return 0
    streets.begin_action(seat)
    return seat


def _read_fold(streets: StreetTracker, event: dict[str, object]) -> bool:
    seat = _begin_action(streets, event)
    if seat:
        streets.hand.fold(seat)
        streets.has_fold_out_of_turn = streets.has_fold_out_of_turn or streets.is_out_of_turn
    return bool(seat)


def _read_check(streets: StreetTracker, event: dict[str, object]) -> bool:
    seat = _begin_action(streets, event)
    if seat:
        streets.hand.check(seat)
    return bool(seat)


def _is_bring_in(streets: StreetTracker, seat: Seat, street_total: Chips) -> bool:
    """Whether this is the bring-in, which the posts have already."""
    if streets.acted_seats:
        return False
    posts = (event for event in streets.hand.events if isinstance(event, BringInPosted))
    return any((bring_in.seat, bring_in.amount) == (seat, street_total) for bring_in in posts)


def _read_wager(
    streets: StreetTracker, event: dict[str, object], *, is_call: bool = False, all_in: bool | None = None
) -> bool:
    """Read a wager, whose amount is the street's total; False if it would take chips back."""
    hand = streets.hand
    street_total = streets.hand.chips_of(event.get("BetAmt"))
    if not is_call and _is_bring_in(streets, parse_seat(event.get("PlayerNum")), street_total):
        return True
    seat = _begin_action(streets, event)
    if not seat or street_total < hand.get_bet(seat) or not street_total:
        return False
    if street_total > hand.betting.bet_to_call:
        streets.acted_seats = {seat}
    if is_call:
        hand.call_to(seat, street_total, all_in=all_in)
    else:
        hand.wager(seat, street_total, all_in=all_in)
    return True


def _read_board_cards(streets: StreetTracker, event: dict[str, object]) -> bool:
    card_value, board_number = event.get("BoardCards"), event.get("BoardNum") or 1  # older exports have no number
    card_text = " ".join(map(str, card_value)) if isinstance(card_value, list) else card_value
    if not isinstance(card_text, str) or type(board_number) is not int:
        return False
    return streets.add_card(card_text, board_number)


def _read_draw(streets: StreetTracker, event: dict[str, object]) -> bool:
    seat, card_count = parse_seat(event.get("PlayerNum")), event.get("NumCardsDrawn")
    if seat not in streets.hand.player_places or type(card_count) is not int or not 0 <= card_count < 8:
        return False
    streets.begin_draw(seat)
    streets.hand.add_event(CardsDiscarded(seat, card_count) if card_count else StoodPat(seat))
    return True


ACTIONS: Final[dict[str, ActionReader]] = {
    "fold": _read_fold,
    "check": _read_check,
    "call": partial(_read_wager, is_call=True),
    "bet": _read_wager,
    "raise": _read_wager,
    "raiseto": _read_wager,
    "allin": partial(_read_wager, all_in=True),
    "boardcard": _read_board_cards,
    "board": _read_board_cards,
    "draw": _read_draw,
    "discard": _read_draw,
    "standpat": _read_draw,
}
"""`EventType`, in lower case without punctuation → its reader."""
