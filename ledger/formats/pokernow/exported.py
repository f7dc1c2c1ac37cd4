"""One hand of PokerNow's JSON export: a table from the number of an action to its reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokernow.hand import post_bomb_pot
from ledger.formats.pokernow.rows import CARDS, VENUE, WITNESSES, pad_cards
from ledger.hand.betting import RunsAgreed, RunsAnswered
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import BountyWon, CardsShown, Half, HandCompleted, RemarkNoted
from ledger.hand.opening import AntePosted, Betting, ButtonPlaced, GameSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers import acts, amounts
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.json_hand import JsonRecord, RecordHand, list_objects, parse_count_below, split_names
from ledger.readers.phrases import parse_small_number as digits
from ledger.vocabulary import Chips, Seat, Street, Witness

_WITNESSES: Final = int(
    WITNESSES & ~int(Witness.PRESENCE | Witness.SEATING | Witness.CHIP_PURCHASES) | Witness.BLIND_AMOUNTS
)
"""The export has only the hands; the log also has what happens between them."""

_HAND_MEMBERS: Final = split_names(
    "ante bigBlind bombPot cents dealerSeat doubleBoard events gameType handVersion id number players",
    "sevenDeuceBounty smallBlind startedAt straddleSeat",
)

GAMES: Final[dict[str, tuple[str, Betting]]] = {"th": ("holdem", "no-limit"), "holdem": ("holdem", "no-limit")}
"""`gameType` → game and limit. Other games are recognized by the number of hole cards."""

_BY_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}

_STREETS: Final[dict[int, Street]] = {1: "flop", 2: "turn", 3: "river"}

Payload: TypeAlias = dict[str, object]
_TIME_END: Final = 10**13


class ExportedHand(RecordHand):
    """A hand of the export, with its values."""

    def begin(self) -> None:
        """Set up what only an export has."""
        self.has_two_boards = bool(self.value.get("doubleBoard"))  # then `run` is the board's number
        self.is_bomb_pot = bool(self.value.get("bombPot"))
        self.is_paid_out = False  # a player has been paid
        self.end_place = -1  # the place of the action that ends the hand

    def parse_amount(self, value: object) -> Chips:
        """Return an amount; games with cents have whole cents."""
        return _parse_chips(value, self.exponent)

    def complete_deal(self) -> None:
        """Infer the end of the deal, before the first action."""
        if not self.is_deal_complete:
            self.is_deal_complete = True
            self.add_inferred(DealCompleted())


def read_exported_hand(
    data: bytes, place: tuple[int, int], table: str, owner: str, people: People, exponent: int | None
) -> HandBuilder:
    """Read the hand at `place`: `table` is the game's id, `owner` the player whose export it is."""
    record = JsonRecord(data, place)
    value, places = record.value, record.member_places
    hand_number = value.get("number")
    if not isinstance(hand_number, str | int) or isinstance(hand_number, bool) or not str(hand_number).strip():
        raise UnreadableHandError("the hand has no number", kind="no-header")
    hand = ExportedHand(record, people, VENUE, _build_game_set(value, exponent))
    hand.place = places.get("gameType", places[""])
    hand.add_event(hand.game)
    cards_by_id = _seat_players(hand, owner)
    hand.place = places.get("dealerSeat", places[""])
    button = parse_count_below(value.get("dealerSeat"), SEATS)
    hand.add_event(ButtonPlaced(button or None))
    for event_place, event in hand.list_member_elements("events"):
        hand.place = event_place
        _read_event(hand, event)
    hand.add_unknown_values(_HAND_MEMBERS)
    _finish_hand(hand, cards_by_id)
    witnesses = _WITNESSES if button else _WITNESSES & ~int(Witness.BUTTON)
    hand.has_own_cards = owner in cards_by_id
    started_at = value.get("startedAt")
    hand.open_hand(
        table,
        str(hand_number).strip()[:40],
        witnesses,
        parse_count_below(started_at, _TIME_END) or None,
        str(started_at or "")[:40],
    )
    return hand


def _build_game_set(value: Payload, exponent: int | None) -> GameSet:
    unit_exponent = (2 if value.get("cents") else 0) if exponent is None else exponent
    game_type = value.get("gameType")
    known_game = GAMES.get(game_type.lower()) if isinstance(game_type, str) else None
    if known_game is None:
        known_game = _find_game_by_cards(value)
    if known_game is None:
        raise unknown_game(str(game_type))

    amount_values = (value.get(member) for member in ("smallBlind", "bigBlind", "ante"))
    small_blind, big_blind, ante = (
        0 if amount is None else _parse_chips(amount, unit_exponent) for amount in amount_values
    )
    blinds = tuple(amount for amount in (small_blind, big_blind) if amount)
    source_name = game_type if isinstance(game_type, str) and game_type.lower() not in GAMES else ""
    return GameSet(*known_game, "cash", "chips", unit_exponent, blinds, ante, written=source_name[:40])


def _parse_chips(value: object, exponent: int) -> Chips:
    """Return an amount; a whole number is in the smallest unit."""
    return amounts.read_number(value, 0 if type(value) is int else exponent)


def _find_game_by_cards(value: Payload) -> tuple[str, Betting] | None:
    """Recognize an unnamed game by the number of hole cards, and by awards for a low hand."""
    hand_values = [player.get("hand") for player in list_objects(value, "players")]
    counts = {len(hand) for hand in hand_values if isinstance(hand, list) and hand}
    variant = _BY_CARDS.get(counts.pop()) if len(counts) == 1 else None
    if variant is None:
        return None
    if variant == "holdem":
        return variant, "no-limit"
    has_low = b'"hilo":"lo' in msgspec.json.encode(value.get("events")).lower()
    return variant + (("8" if variant == "omaha" else "-8") if has_low else ""), "pot-limit"


def _parse_cards(value: object) -> str:
    """Return a list of cards in one text, unknown ones as `??`; "" if one of them isn't a card."""
    if not isinstance(value, list) or not value:
        return ""
    known_cards = ["??" if card is None else CARDS.get(card) if isinstance(card, str) else None for card in value]
    return "" if None in known_cards else "".join(card for card in known_cards if card)


def _seat_players(hand: ExportedHand, owner: str) -> dict[str, tuple[Seat, str, int]]:
    """Seat the players; return seat, cards and place of those with known cards, by their id."""
    player_parts = hand.list_member_elements("players")
    if not player_parts:
        raise UnreadableHandError("the hand has no players", kind="cut-off")
    cards_by_id: dict[str, tuple[Seat, str, int]] = {}
    for hand.place, player in player_parts:
        seat = parse_count_below(player.get("seat"), SEATS) if isinstance(player, dict) else 0
        if not seat or not isinstance(player.get("id"), str):
            hand.add_unread_value(player)
            continue
        stack = player.get("stack")
        hand.seat_player(
            seat, f"{player.get('name')} @ {player['id']}", None if stack is None else hand.parse_amount(stack)
        )
        hole_cards = _parse_cards(player.get("hand"))
        if hole_cards:
            cards_by_id[player["id"]] = (seat, hole_cards, hand.place)
    if not hand.stacks:
        raise UnreadableHandError("nobody is dealt in", kind="cut-off")
    if owner in cards_by_id:
        seat, hole_cards, hand.place = cards_by_id[owner]
        hand.add_event(HoleCardsDealt(seat, hole_cards))
    return cards_by_id


def _finish_hand(hand: ExportedHand, cards_by_id: dict[str, tuple[Seat, str, int]]) -> None:
    """Put the cards that weren't shown, and end the hand."""
    hand.complete_deal()
    seats_seen = {event.seat for event in hand.events if isinstance(event, HoleCardsDealt | CardsShown)}
    for seat, hole_cards, cards_place in cards_by_id.values():
        if seat not in seats_seen:
            hand.place = cards_place
            hand.add_event(HoleCardsLearned(seat, hole_cards))
    if hand.end_place >= 0:
        hand.infer_returns()
        hand.place = hand.end_place
        hand.add_event(HandCompleted())


# -- acts -----------------------------------------------------------------------------------------


def _read_event(hand: ExportedHand, event: object) -> None:
    """Read one element of `events`, with its time."""
    payload = event.get("payload") if isinstance(event, dict) else None
    first_event = len(hand.events)
    if not isinstance(payload, dict) or not _read_act(hand, payload):
        hand.add_unread_value(event)
    if isinstance(event, dict):
        hand.stamp_events(first_event, parse_count_below(event.get("at"), _TIME_END))


def _read_act(hand: ExportedHand, payload: Payload) -> bool:
    act_number, seat = payload.get("type"), parse_count_below(payload.get("seat"), SEATS)
    all_in = True if payload.get("allIn") is True else None
    if not isinstance(act_number, int):
        return False
    if act_number in TABLE_ACTS:
        return TABLE_ACTS[act_number](hand, payload) is not False
    if seat not in hand.stacks:
        return False
    if act_number in _VOLUNTARY and not (hand.is_bomb_pot and hand.street == "preflop"):
        hand.complete_deal()
    if act_number in CHIP_ACTS:
        amount = 0 if act_number in _WITHOUT_CHIPS else hand.parse_amount(payload.get("value"))
        return CHIP_ACTS[act_number](hand, seat, amount, all_in) is not False
    if act_number in NON_CHIP_ACTS:
        return NON_CHIP_ACTS[act_number](hand, seat, payload) is not False
    return not hand.is_deal_complete and _infer_post(hand, seat, payload, all_in)


def _infer_post(hand: ExportedHand, seat: Seat, payload: Payload, all_in: bool | None) -> bool:
    """Infer a post from an unknown number, if the amount or the seat shows what it is."""
    amount, ante = payload.get("value"), hand.value.get("ante")
    if not isinstance(amount, int) or isinstance(amount, bool):
        return False
    has_paid_ante = any(isinstance(event, AntePosted) and event.seat == seat for event in hand.events)
    if ante and amount == ante and not has_paid_ante:
        hand.post_ante(seat, hand.parse_amount(amount), all_in=all_in)
    elif seat == hand.value.get("straddleSeat") and amount > hand.big_blind:
        hand.post_straddle(seat, hand.parse_amount(amount), all_in=all_in)
    else:
        return False
    hand.inferred.append(len(hand.events) - 1)
    return True


def _read_wager(
    hand: ExportedHand, seat: Seat, street_total: Chips, all_in: bool | None, *, is_call: bool = False
) -> bool:
    """Read a bet, raise or call, whose amount is the street's total; before a bomb pot's flop it is an ante."""
    if hand.is_bomb_pot and hand.street == "preflop":
        post_bomb_pot(hand, seat, street_total, all_in)
        return True
    if street_total >= hand.get_bet(seat):
        (hand.call_to if is_call else hand.wager)(seat, street_total, all_in=all_in)
    return street_total >= hand.get_bet(seat)


def _read_award(hand: ExportedHand, seat: Seat, payload: Payload) -> None:
    run_number = _run_number(payload.get("runNumber"))
    half: Half = ""
    half_word = payload.get("hiLo")
    if isinstance(half_word, str):
        half = "low" if half_word.lower().startswith("lo") else "high" if half_word.lower().startswith("hi") else ""
    hand.is_paid_out = True
    run, board = (1, run_number) if hand.has_two_boards else (run_number, 1)
    hand.award(seat, hand.parse_amount(payload.get("value")), run=run, board=board, half=half)
    claim, best_cards = payload.get("handDescription"), payload.get("combination")
    if isinstance(claim, str) and claim:
        combination = ", ".join(map(str, best_cards)) if isinstance(best_cards, list) else ""
        hand.add_event(RemarkNoted(hand.people.text(f"{claim} (combination: {combination})" if combination else claim)))


def _run_number(value: object) -> int:
    return digits(str(value), 1) or 1


def _read_show(hand: ExportedHand, seat: Seat, payload: Payload) -> bool:
    shown_cards = _parse_cards(payload.get("cards"))
    if shown_cards:
        hand.add_event(
            CardsShown(seat, pad_cards(shown_cards, VARIANTS[hand.game.variant].hole_cards), hand.is_paid_out)
        )
    return bool(shown_cards)


def _read_board(hand: ExportedHand, payload: Payload) -> bool:
    street_number, board_cards = payload.get("turn"), _parse_cards(payload.get("cards"))
    street = _STREETS.get(street_number) if isinstance(street_number, int) else None
    if street is None or not board_cards:
        return False
    run_number = _run_number(payload.get("run", 1))
    new_cards = board_cards[-2:] if street != "flop" else board_cards
    hand.complete_deal()
    hand.deal_board(
        street, new_cards, run=1 if hand.has_two_boards else run_number, board=run_number if hand.has_two_boards else 1
    )
    return True


def _read_run_vote(hand: ExportedHand, payload: Payload) -> None:
    hand.complete_deal()
    for member, runs in (("approvedSeats", 2), ("deniedSeats", 1)):
        seats = payload.get(member)
        for seat_value in seats if isinstance(seats, list) else ():
            if (seat := parse_count_below(seat_value, SEATS)) in hand.stacks:
                hand.add_event(RunsAnswered(seat, runs))
    hand.add_event(RunsAgreed(2 if payload.get("approved") is True else 1))


def _read_end(hand: ExportedHand, _payload: Payload) -> None:
    hand.end_place = hand.place


_WITHOUT_CHIPS: Final = frozenset((0, 11))
_VOLUNTARY: Final = frozenset((0, 7, 8, 11))

CHIP_ACTS: Final[dict[int, Callable[[ExportedHand, Seat, Chips, bool | None], bool | None]]] = {
    0: acts.check,
    2: acts.post_big_blind,
    3: acts.post_small_blind,
    4: acts.make_up_big_blind,
    5: acts.make_up_small_blind,
    7: partial(_read_wager, is_call=True),
    8: _read_wager,
    11: acts.fold,
    16: lambda hand, seat, amount, _all_in: hand.return_uncalled(seat, amount),
    18: lambda hand, seat, amount, _all_in: hand.add_event(BountyWon(seat, amount, kind="seven-deuce")),
}
"""The number of an action with chips, a check or a fold → its reader."""

NON_CHIP_ACTS: Final[dict[int, Callable[[ExportedHand, Seat, Payload], bool | None]]] = {
    10: _read_award,
    12: _read_show,
}
TABLE_ACTS: Final[dict[int, Callable[[ExportedHand, Payload], bool | None]]] = {
    9: _read_board,
    14: _read_run_vote,
    15: _read_end,
}
"""The number of an event without a seat → its reader."""
