"""The tables of a stream, and one hand: its game and seats, then its messages in the order of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.coinpoker import values
from ledger.formats.coinpoker.stream import IGNORED_MESSAGES, CoinPokerStream
from ledger.formats.coinpoker.values import (
    ABSENCE_REASONS,
    GAME_BY_CARDS,
    GAME_WORDS,
    VENUE,
    WITNESSES,
    CoinPokerHand,
    CoinPokerMessage,
    parse_amount,
    parse_clock,
    parse_seat,
)
from ledger.hand.opening import Betting, BlindPositionPlaced, ButtonPlaced, GameFormat, GameSet, OptionSet
from ledger.people import People
from ledger.readers.json_hand import keep_letters_and_digits, parse_count_below, split_names
from ledger.vocabulary import Seat, Witness

_COUNTER_DIGITS: Final = 5
"""The last digits of a hand's number count the hands of a table. The digits before them are the table's number."""

_MAX_DEPTH: Final = 12
_TABLE_MESSAGES: Final = ("game.game_alldata", "game.game_init")


@dataclass(slots=True)
class CoinPokerTable:
    """One table, as far as the stream describes it."""

    name: str = ""
    game: str = ""
    betting: Betting | None = None
    seat_count: int = 0
    hole_card_count: int = 0  # number of hole cards in one of its hands
    coin_type: int = 0  # 1 = the room's money, 2 = practice chips, 0 = unknown
    is_cash: bool = False
    all_in_or_fold: bool = False
    tournament: str = ""


class CoinPokerTables:
    """The tables of a stream, by number."""

    def __init__(self) -> None:
        self._by_number: dict[str, CoinPokerTable] = {}

    def table_of_hand(self, hand_number: str) -> CoinPokerTable:
        """Return the table of a hand, with no facts if it is unknown."""
        return self._by_number.get(parse_table_number(hand_number)) or CoinPokerTable()

    def read_table_message(self, message: CoinPokerMessage) -> None:
        """Take the facts of a message outside of hands: a joined table or a list of the lobby."""
        if message.name.startswith(("lobby.", "tournamentlobby.")) or message.name in _TABLE_MESSAGES:
            for json_object in _iter_nested_objects(message.parsed_body):
                self._add_facts(json_object, message.name)

    def read_hand_message(self, hand_number: str, message: CoinPokerMessage) -> None:
        """Take the facts about the table from a message of a hand."""
        if message.name == "game.hole_cards":
            hole_cards = message.parsed_body.get("holeCards")
            if isinstance(hole_cards, list) and hole_cards:
                self._by_number.setdefault(parse_table_number(hand_number), CoinPokerTable()).hole_card_count = len(
                    hole_cards
                )
        elif message.name in _TABLE_MESSAGES:
            self.read_table_message(message)

    def _add_facts(self, json_object: dict[str, object], message_name: str) -> None:
        table_name = json_object.get("tableName") or json_object.get("roomName")
        table_number = _find_table_number(json_object.get("tableId"), table_name)
        if not table_number:
            return
        table = self._by_number.setdefault(table_number, CoinPokerTable())
        if isinstance(table_name, str) and not table.name:
            table.name = table_name[:_MAX_TEXT_LENGTH]
        room_properties = json_object.get("roomProperties")
        table_facts = {**room_properties, **json_object} if isinstance(room_properties, dict) else json_object
        for game_words in (table_facts.get("gameVarient"), table_facts.get("gameVariant"), table.name):
            if isinstance(game_words, str):
                _set_game_from_name(table, game_words.lower())
        if message_name.startswith("tournamentlobby.") and isinstance(room_properties, dict):
            table.tournament = str(room_properties.get("id") or "")[:_MAX_TEXT_LENGTH]
        elif message_name.startswith("lobby."):
            table.is_cash = True
        table.all_in_or_fold = table.all_in_or_fold or table_facts.get("gameType") == "Allinfold"
        table.seat_count = table.seat_count or parse_count_below(table_facts.get("tableSize"), 100)
        table.coin_type = table.coin_type or parse_count_below(
            table_facts.get("coinTypeId", table_facts.get("coinType")), 100
        )


def _find_table_number(table_id: object, table_name: object) -> str:
    """Return a table's number from its id or, failing that, from the end of its name; "" = unknown."""
    if isinstance(table_id, int) and not isinstance(table_id, bool):
        return str(table_id) if table_id else ""
    last_word = table_name.rpartition(" ")[2] if isinstance(table_name, str) else ""
    return last_word if last_word.isascii() and last_word.isdigit() and len(last_word) < 20 else ""


def parse_table_number(hand_number: str) -> str:
    """Return the number of a hand's table: `70000100012` → `700001`."""
    return hand_number[:-_COUNTER_DIGITS]


def _set_game_from_name(table: CoinPokerTable, words: str) -> None:
    """Set the table's game from a name: `12th-NLHE 0.10-0.20 702119`."""
    for name_part in words.replace("-", " ").replace("_", " ").split():
        for game_word, game, betting in GAME_WORDS:
            if name_part == game_word or (len(game_word) > 2 and name_part.startswith(game_word)):
                table.game = table.game or game
                if betting is not None and game == table.game:
                    table.betting = table.betting or betting
                return


def _iter_nested_objects(value: object, depth: int = 0) -> Iterator[dict[str, object]]:
    if depth > _MAX_DEPTH:
        return
    nested_values: Iterable[object] = ()
    if isinstance(value, dict):
        yield value
        nested_values = value.values()
    elif isinstance(value, list):
        nested_values = value
    for nested_value in nested_values:
        yield from _iter_nested_objects(nested_value, depth + 1)


_MAX_TEXT_LENGTH: Final = 200
_UNITS: Final = {0: "chips", 1: "USDT", 2: "play"}
_FIRST_MESSAGE: Final = "game.pre_hand_start_info"
_KNOWN_MEMBERS: Final = split_names(
    "gameId dealerSeatId sbSeatId bbSeatId anteAmount sbAmount bbAmount initTimeStamp tableId tableSize maxSeats gameHandId"
)


def read_hand(
    data: bytes,
    hand_span: tuple[int, int],
    hand_number: str,
    messages: list[CoinPokerMessage],
    tables: CoinPokerTables,
    people: People,
    exponent: int | None,
) -> CoinPokerHand:
    """Read the hand with that number. One that can't be read raises `UnreadableHandError`."""
    hand_messages = [
        message for message in messages if message.name not in IGNORED_MESSAGES and message.parsed_body is not None
    ]
    if any(b"\\u0000" in message.body or b"\0" in message.body for message in hand_messages):
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    opening = next(message for message in hand_messages if message.name == _FIRST_MESSAGE)
    start_info, table = opening.parsed_body, tables.table_of_hand(hand_number)
    hand = CoinPokerHand(data, hand_span, people, VENUE, _build_game_set(start_info, table, hand_messages, exponent))
    hand.place = first_place = hand.add_message_place(opening)
    if table.game and table.betting:
        hand.add_event(hand.game)
    else:
        hand.add_inferred(hand.game, place=first_place)
    if table.all_in_or_fold:
        hand.add_event(OptionSet("other", "all-in-or-fold"))
    stream = CoinPokerStream(hand, hand_messages)
    _seat_players(hand, stream)
    hand.place = first_place
    _place_button_and_blinds(hand, start_info)
    hand.owner_seat = hand.seats.get(stream.owner_name, 0)
    hand.run_steps()
    values.complete_hand(hand, stream.end_place)
    _keep_unknown_members(hand, opening)
    hand.has_own_cards = bool(hand.owner_cards)
    witnesses = WITNESSES | (int(Witness.STACKS_AFTER) if stream.stacks_message else 0)
    start_text = start_info.get("initTimeStamp", "")
    started_at = parse_clock(start_text) or None
    hand.open_hand(
        parse_table_number(hand_number),
        hand_number,
        witnesses,
        started_at,
        str(start_text)[:_MAX_TEXT_LENGTH],
        table.seat_count,
        table.tournament,
    )
    return hand


def _keep_unknown_members(hand: CoinPokerHand, opening: CoinPokerMessage) -> None:
    """Keep members of the first message that nobody knows as unread."""
    start_info = opening.parsed_body
    for member_name in start_info:
        if member_name not in _KNOWN_MEMBERS and start_info[member_name]:
            member_span = hand.span_in_body(opening, member_name) or (opening.start_byte, opening.byte_length)
            hand.add_unread_place(f"{_FIRST_MESSAGE}.{member_name}", hand.spans.add(*member_span))


# -- the game -----------------------------------------------------------------------------------


def _build_game_set(
    start_info: dict[str, object], table: CoinPokerTable, hand_messages: list[CoinPokerMessage], exponent: int | None
) -> GameSet:
    """Return the game from the table's name, or else from cards and offers."""
    variant = table.game or GAME_BY_CARDS.get(_count_hole_cards(hand_messages) or table.hole_card_count, "")
    if not variant:
        raise UnreadableHandError(
            "no name and no hole cards tell which game this is",
            kind="unknown-game",
            hint="Messages of the lobby, or a hand of the same table with cards, would tell it.",
        )
    stakes = [start_info.get(member_name) or 0 for member_name in ("sbAmount", "bbAmount", "anteAmount")]
    game_format = _format_of(table, stakes)
    if exponent is None:
        exponent = 2 if game_format == "cash" else 0
    small_blind, big_blind, ante = (parse_amount(stake, exponent) for stake in stakes)
    betting = table.betting or _infer_betting(hand_messages)
    if betting is None:
        betting = "pot-limit" if variant.startswith("omaha") else "no-limit"
    unit = "chips" if table.tournament else _UNITS.get(table.coin_type, "chips")
    blinds = tuple(blind for blind in (small_blind, big_blind) if blind > 0)
    return GameSet(variant, betting, game_format, unit, exponent, blinds, max(ante, 0), written=table.name)


def _format_of(table: CoinPokerTable, stakes: list[object]) -> GameFormat:
    """Return the format: a table of the lobby, or stakes with a fraction, are a cash game."""
    if table.tournament:
        return "tournament"
    has_fraction = any(isinstance(stake, str) and stake.rpartition(".")[2].strip("0") for stake in stakes)
    return "cash" if table.is_cash or has_fraction else "unknown"


def _count_hole_cards(hand_messages: list[CoinPokerMessage]) -> int:
    """Return how many hole cards a seat of this hand got, or 0 if none are known."""
    for message in hand_messages:
        for member_name in ("holeCards", "playerCards"):
            if message.name in ("game.hole_cards", "game.player_info") and (
                hole_cards := message.parsed_body.get(member_name)
            ):
                return len(hole_cards) if isinstance(hole_cards, list) else 0
    for message in hand_messages:
        if message.name in ("game.show_hole_cards", "game.reveal_cards"):
            shown_hands = message.parsed_body.get("userCardListMap")
            card_counts = (
                [len(shown_cards) for shown_cards in shown_hands.values() if isinstance(shown_cards, list)]
                if isinstance(shown_hands, dict)
                else []
            )
            if any(card_counts):
                return max(card_counts)
    return 0


def _infer_betting(hand_messages: list[CoinPokerMessage]) -> Betting | None:
    """Return the betting that an offer to raise shows, up to the pot or beyond it, or None if there is none."""
    for message in hand_messages:
        message_body = message.parsed_body
        options = message_body.get("userTurnOptions") if message.name == "game.user_turn" else None
        raise_bounds = options.get("5") if isinstance(options, dict) else None
        pot_raise = message_body.get("potRaiseValue")
        if not isinstance(raise_bounds, list) or len(raise_bounds) != 2 or not pot_raise:
            continue
        try:
            max_raise, pot_raise = parse_amount(raise_bounds[1], 6), parse_amount(pot_raise, 6)
        except UnreadableHandError:
            continue
        if max_raise >= pot_raise > 0:
            return "pot-limit" if max_raise == pot_raise else "no-limit"
    return None


# -- the seats ----------------------------------------------------------------------------------


def _seat_players(hand: CoinPokerHand, stream: CoinPokerStream) -> None:
    """Seat the players. One who isn't in play and does nothing is left out."""
    for seat, seat_chair in sorted(stream.chairs.items()):
        snapshot = seat_chair.snapshot
        chair_span = (
            hand.span_in_body(seat_chair.message, "seatResponseDataList", seat_chair.list_index)
            if seat_chair.list_index >= 0
            else None
        )
        hand.place = hand.spans.add(*chair_span) if chair_span else hand.add_message_place(seat_chair.message)
        player_name, chips_left, stack = seat_chair.name, snapshot.get("userChips"), None
        if not seat_chair.is_late and chips_left is not None:  # the stack before the seat put anything in
            stack = hand.amount_of(chips_left) + hand.amount_of(snapshot.get("betAmout") or 0)
        if snapshot.get("isPlaying") is not False or seat in stream.acting_seats or player_name in stream.acting_names:
            hand.seat_player(seat, player_name, stack)
        else:
            caption = keep_letters_and_digits(snapshot.get("newCaption") or snapshot.get("caption"))
            hand.leave_seat_out(seat, player_name, stack, ABSENCE_REASONS.get(caption, "unknown"))
    if not hand.stacks:
        raise UnreadableHandError("nobody of the hand is dealt in", kind="seat")
    hand.caller_names = hand.sort_names()


def _place_button_and_blinds(hand: CoinPokerHand, start_info: dict[str, object]) -> None:
    button: Seat = parse_seat(start_info.get("dealerSeatId"))
    if button:
        hand.add_event(ButtonPlaced(button))
    for role, member_name in (("small", "sbSeatId"), ("big", "bbSeatId")):
        blind_seat = start_info.get(member_name)
        if isinstance(blind_seat, int) and not isinstance(blind_seat, bool):
            hand.add_event(BlindPositionPlaced(role, parse_seat(blind_seat) or None))  # type: ignore[arg-type]  # both are roles
