"""Reader of Global Poker's JSON records: timed acts, balances, transfers, rake.

`docs/formats/globalpoker.md` has the table from member to event, and what the format cannot say. A file has
an object for each hand, one after the other or in an array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Final, Literal

import msgspec

from ledger.errors import UnreadableHandError
from ledger.hand.betting import ClockExpired, TimeBankUsed
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, RemarkNoted, ResultDeclared
from ledger.hand.opening import GameSet, NotDealtIn, OptionSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.presence import WaitDeclared
from ledger.readers import acts, amounts
from ledger.readers.cards import find_card_by_names
from ledger.readers.document_hand import DocumentChair, DocumentHeader, Members, parse_pot_number
from ledger.readers.documents import BLANK, BYTE_ORDER_MARK, build_json_format, build_sniffer, read_hand, reject_bytes
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.json_hand import (
    LIMITS,
    TIME_END,
    Element,
    JsonRecord,
    RecordHand,
    keep_letters_and_digits,
    list_objects,
    parse_count_below,
    split_names,
)
from ledger.readers.payouts import declare_rake
from ledger.readers.phrases import build_rows
from ledger.readers.spans import find_whole_elements, iter_whole_values
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Witness

GAMES: Final = {
    **dict.fromkeys(("TEXAS_HOLDEM", "HOLDEM"), "holdem"),
    **dict.fromkeys(("OMAHA", "OMAHA_HI"), "omaha"),
    **dict.fromkeys(("OMAHA_HI_LO", "OMAHA_HILO", "OMAHA_EIGHT_OR_BETTER"), "omaha8"),
}
"""`variant` → our variant. Known records contain the first and `OMAHA`; the others are likely names."""

OF_HAND: Final = split_names("id table startTime endTime results events seats settings")
OF_SETTINGS: Final = split_names(
    "variant currencyCode betStrategyType capacity bigBlind smallBlind ante attributes",
    "broadcast winPercentage rabbitHunting",  # shown to spectators
)
OF_RESULTS: Final = split_names("totalRake results transfers")
OF_PLAYER: Final = split_names("playerId netWin totalWin rake totalBet transactionIds timeBank")
DEALT: Final = frozenset(("PlayerCardsDealt", "TIME_BANK", "MUCK_CARDS"))
"""Events, in addition to posts and acts, that show that a player is dealt in."""

_SEPARATORS: Final = BLANK + b",[]"
_MAX_TEXT: Final = 200
_DECLARED: Final[tuple[tuple[Literal["collected", "net"], str], ...]] = (("collected", "totalWin"), ("net", "netWin"))


def parse_cards(value: object) -> Cards | None:
    """Parse `[{"id": 0, "suit": "CLUBS", "rank": "FOUR"}, {"id": 1}]`.

    A card without rank and suit is face down. Return None if one of them isn't a card.
    """
    if not isinstance(value, list):
        return None
    pairs = [(card.get("rank"), card.get("suit")) if isinstance(card, dict) else ("", "") for card in value]
    card_codes = [UNKNOWN_CARD if pair == (None, None) else find_card_by_names(*pair) for pair in pairs]
    return None if None in card_codes else "".join(filter(None, card_codes))


class GlobalPokerHand(RecordHand):
    """Reads a hand."""

    VENUE = "Global Poker"
    WITNESSES = Witness.from_names(
        "POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS TIMES CLOCKS",
        "BLIND_AMOUNTS",
    )
    """The record lacks the button."""

    KINDS_MEMBERS: ClassVar = {"PlayerAction": "action"}
    PLAYER_MEMBER, AMOUNT_MEMBER, BALANCE_MEMBER, CHAIR = "playerId", "amount", "balanceAfterAction", "seat"
    FIELDS: ClassVar = {
        "potId": lambda _hand, value: parse_pot_number(value.get("potId")) if isinstance(value, dict) else None
    }

    def read_cards(self, value: object) -> Cards | None:
        """Parse the cards of a member; return None if one isn't a card."""
        return parse_cards(value)

    def begin(self) -> None:
        """Collect the players who act, and those who wait."""
        self.seat_by_id: dict[int, Seat] = {}  # of dealt-in players
        self.busy: set[int] = set()
        self.waiting: set[int] = set()
        self.has_dealt_cards = False
        for event in list_objects(self.value, "events"):
            player_number, kind = event.get("playerId"), self.get_kind(event)
            self.has_dealt_cards = self.has_dealt_cards or kind == "PlayerCardsDealt"
            if isinstance(player_number, int) and kind == "WAIT_FOR_BIG_BLIND":
                self.waiting.add(player_number)
            elif isinstance(player_number, int) and (kind in DEALT or kind in self._actions):
                self.busy.add(player_number)

    def read_parts(self, settings: dict[str, object]) -> None:
        """Add the events of all parts, in the hand's order."""
        self.place = self.find_member_place("settings")
        self.add_event(self.game)
        if settings.get("attributes"):  # the room's own, kept as written
            self.add_event(OptionSet("other", msgspec.json.encode(settings["attributes"]).decode()[:1000]))
        self.add_unknown_members("settings", settings, OF_SETTINGS, self.place)
        self.take_seats(sorted(self.list_member_elements("seats"), key=_get_order))
        self.read_elements("events", "time")
        self.settle()
        self.add_unread_places(OF_HAND)

    def find_seat(self, player_number: object) -> Seat | None:
        """Return the seat of a `playerId`, or None if the player isn't in the hand."""
        return self.seat_by_id.get(player_number) if isinstance(player_number, int) else None

    def parse_amount(self, value: object) -> Chips | None:
        """Parse `{"type": "BET", "amount": 0.04}`; return None if there is no amount."""
        return self.parse_chips_or_none(value["amount"]) if isinstance(value, dict) and "amount" in value else None

    def parse_number(self, value: object) -> Chips | None:
        """Parse an amount that may be negative; return None if there is none."""
        return None if value is None else amounts.read_number(value, self.exponent)

    # -- seats ----------------------------------------------------------------------------------

    def read_chair(self, part: Element) -> DocumentChair | None:
        """Read a seat. A player who gets no cards and only waits is left out."""
        _, player = part
        if not isinstance(player, dict):
            return None
        seat, player_number, name = _parse_chair(player.get("seatId")), player.get("playerId"), player.get("name")
        if not isinstance(player_number, int) or isinstance(player_number, bool):
            raise UnreadableHandError("a seat has no playerId", kind="seat")
        absence: NotDealtIn | None = "waiting-for-big-blind" if player_number in self.waiting else "unknown"
        if player_number in self.busy or (not self.has_dealt_cards and player_number not in self.waiting):
            absence = None
            self.seat_by_id[player_number] = seat
        name = name[:_MAX_TEXT] if isinstance(name, str) else str(player_number)
        return DocumentChair(seat, name, self.parse_number(player.get("initialBalance")), absence)

    # -- events ---------------------------------------------------------------------------------

    def read_part(self, members: Members, part: object) -> bool:
        """Read an event. An act that timed out, such as a fold, comes after the clock."""
        if members.get("timeout") is True and (seat := self.find_seat(members.get("playerId"))):
            action = self._actions.get(kind := self.get_kind(members) or "")
            if kind in DEALT or (action and action.in_turn):
                self.complete_deal()
            if kind in DEALT or action:
                self.add_event(ClockExpired(seat))
        return super().read_part(members, part)

    def parse_balance(self, value: object) -> Chips | None:
        """Parse the stack after an act."""
        return self.parse_number(value)

    def read_dealt_cards(self, seat: Seat, cards: Cards, exposed: object) -> bool:
        """Deal a seat its cards."""
        are_known = bool(cards.strip("?"))
        self.has_own_cards |= are_known
        faces = "u" * (len(cards) // 2) if exposed is True else ""
        if cards:
            self.add_event(HoleCardsDealt(seat, cards, faces, "owner" if are_known else "unknown"))
        return bool(cards)

    def read_board_cards(self, cards: Cards, stack: object) -> bool:
        """Deal to the board. A `stackId` other than 0 is a second board or run; the record doesn't show which."""
        return stack in (None, 0) and self.deal_next_cards(cards)

    def show_cards(self, seat: Seat, cards: Cards) -> bool:
        """Show a hand."""
        if cards:
            self.add_event(CardsShown(seat, cards))
        return bool(cards)

    def return_uncalled_bets(self, pot_update: dict[str, object]) -> bool:
        """Return uncalled bets. The moves from bets to pots follow from the acts."""
        if not isinstance(pot_update.get("potTransitions", []), list):
            return False
        for move in list_objects(pot_update, "potTransitions"):
            if move.get("fromChipStackToPlayer") is True:
                seat, amount = self.find_seat(move.get("playerId")), self.parse_amount(move)
                if not seat or amount is None:
                    return False
                self.return_uncalled(seat, amount)
        return True

    def read_wait(self, player_number: object) -> bool:
        """Read that a player waits for the big blind."""
        matching_seats = [seat for seat in list_objects(self.value, "seats") if seat.get("playerId") == player_number]
        if matching_seats:
            self.add_event(WaitDeclared(_parse_chair(matching_seats[0].get("seatId"))))
        return bool(matching_seats)

    def muck_cards(self, seat: Seat) -> None:
        """Muck a hand."""
        self.complete_deal()
        self.add_event(CardsMucked(seat))

    def read_time_bank(self, seat: Seat, amount: Chips | None) -> None:
        """Read that a player uses the time bank; newer records have the number of seconds."""
        self.complete_deal()
        self.add_event(TimeBankUsed(seat, None if amount is None else amount // 10**self.exponent))

    # -- results --------------------------------------------------------------------------------

    def settle(self) -> None:
        """Add the awards, the rake and each seat's result. A hand without them isn't over."""
        results = self.value.get("results")
        self.close_bets()
        if not isinstance(results, dict):
            return
        results_place, inside = self.member_places["results"], self.add_member_places(self.member_places["results"])
        self.read_or_keep("transfer", self.list_elements(inside.get("transfers", -1), results.get("transfers")))
        self.infer_returns()
        self.place = inside.get("totalRake", results_place)
        if (rake := self.parse_number(results.get("totalRake"))) is not None:
            declare_rake(self, rake)
        if isinstance(players := results.get("results"), dict):
            self.read_or_keep(
                "result",
                [
                    (results_place, players[key])
                    for key, results_place in self.add_member_places(inside["results"]).items()
                ],
            )
        self.add_unknown_members("results", results, OF_RESULTS, results_place)
        self.place = self.find_member_place("endTime")
        event_count = len(self.events)
        self.add_event(HandCompleted())
        self.stamp_events(event_count, self.value.get("endTime"))

    def declare_result(self, seat: Seat, result: dict[str, object]) -> None:
        """Declare a seat's result. Keep the operator's accounting words as a remark."""
        for result_kind, name in _DECLARED:
            if (amount := self.parse_number(result.get(name))) is not None:
                self.add_event(ResultDeclared(result_kind, seat, amount))
        if books := {name: result[name] for name in ("transactionIds", "timeBank") if name in result}:
            books_text = msgspec.json.encode(books).decode("utf-8", "replace")[:500]
            self.add_event(RemarkNoted(self.people.text(books_text)))
        self.add_unknown_members("result", result, OF_PLAYER, self.place)

    POSTS = (
        ("ANTE {amount}", acts.post_ante),
        ("SMALL_BLIND {amount}", acts.post_small_blind),
        ("BIG_BLIND {amount}", acts.post_big_blind),
        ("DEAD_SMALL_BLIND {amount}", acts.make_up_small_blind),
        ("BIG_BLIND_PLUS_DEAD_SMALL_BLIND {amount}", acts.post_both_blinds),
        ("ENTRY_BET {amount}", acts.post_to_enter),
        ("STRADDLE {amount}", acts.post_straddle),
    )
    ACTIONS = (
        ("FOLD", acts.fold),
        ("CHECK", acts.check),
        ("CALL {amount}", acts.call),
        ("BET {amount}", acts.wager_by),
        ("RAISE {amount}", acts.wager_to),
    )
    ROWS = (
        ("TIME_BANK playerId={name} amount={amount?}", read_time_bank),
        ("MUCK_CARDS playerId={name}", muck_cards),
        ("WAIT_FOR_BIG_BLIND playerId={who}", read_wait),
        ("PlayerCardsDealt playerId={name} cards={cards} exposed={exposed?}", read_dealt_cards),
        ("TableCardsDealt cards={cards} stackId={stack?}", read_board_cards),
        ("PlayerCardsExposed playerId={name} cards={cards}", show_cards),
        ("PotUpdate {moves}", return_uncalled_bets),
        ("transfer playerId={name} {amount} pot={potId?}", HandBuilder.award),
        ("result playerId={name} {result}", declare_result),
        ("result {result}", lambda _hand, result: not result.get("totalBet") and not result.get("totalWin")),
        *build_rows(RecordHand.ignore_part, "PlayerBalances", "PlayerBestHand", "ShowDownSummary"),
    )


def _get_order(part: tuple[int, object]) -> int:
    seat_number = part[1].get("seatId") if isinstance(part[1], dict) else None
    return seat_number if isinstance(seat_number, int) else -1


def _parse_chair(value: object) -> Seat:
    """Return the seat of a `seatId`, which counts from 0. Raise `UnreadableHandError` if it isn't one."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SEATS - 1:
        return value + 1
    raise UnreadableHandError(f"there is no seat {str(value)[:20]}", kind="seat")


def _parse_table(value: object) -> str:
    """Return a table as `Irving (47978)`: the room reuses names, but not numbers."""
    table = value if isinstance(value, dict) else {}
    name, number = table.get("tableName"), table.get("tableId")
    parts = [name[:_MAX_TEXT].strip()] if isinstance(name, str) else []
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 10**15:
        parts.append(f"({number})" if parts else str(number))
    if not parts:
        raise UnreadableHandError("the record names no table", kind="no-header")
    return " ".join(parts)


def parse_game(settings: dict[str, object], exponent: int) -> GameSet:
    """Return the game. Raise `UnreadableHandError` if it is unknown."""
    name, limit = str(settings.get("variant"))[:_MAX_TEXT], str(settings.get("betStrategyType"))[:_MAX_TEXT]
    variant, betting = GAMES.get(name), LIMITS.get(keep_letters_and_digits(limit))
    if variant is None or betting is None:
        raise unknown_game(limit, name)
    blinds = tuple(
        amounts.read_number(settings[blind_name], exponent)
        for blind_name in ("smallBlind", "bigBlind")
        if settings.get(blind_name)
    )
    unit = settings.get("currencyCode")
    return GameSet(
        variant,
        betting,
        "cash",
        unit[:10] if isinstance(unit, str) and unit else "chips",
        exponent,
        blinds,
        amounts.read_number(settings.get("ante") or 0, exponent),
        (),
        0,
        f"{name} {limit}",  # the settings don't contain a limit game's bets
    )


def read_record(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> GlobalPokerHand:
    """Read the record at `place`. Raise `UnreadableHandError` if it can't be read."""
    record = JsonRecord(data, place)
    value = record.value
    if not isinstance(value.get("events"), list) or not isinstance(value.get("seats"), list):
        raise UnreadableHandError("no record of a hand: no events or no seats", kind="not-a-hand")
    number, settings, began = value.get("id"), value.get("settings"), value.get("startTime")
    if not isinstance(number, str) or not number or not isinstance(settings, dict):
        raise UnreadableHandError("the record has no id or no settings", kind="no-header")
    hand = GlobalPokerHand(
        record, people, GlobalPokerHand.VENUE, parse_game(settings, 2 if exponent is None else exponent)
    )
    hand.read_parts(settings)
    hand.open_with(
        DocumentHeader(
            number[:_MAX_TEXT],
            _parse_table(value.get("table")),
            hand.game,
            written=str("" if "startTime" not in value else began)[:_MAX_TEXT],
            started=parse_count_below(began, TIME_END) or None,
            chairs=parse_count_below(settings.get("capacity"), 100),
        )
    )
    return hand


def read_records(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for all other bytes."""
    data = chunk.data
    first = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    end = len(data.rstrip(BLANK))
    if end <= first:
        return
    try:
        places = list(_iter_places(data, first, end))
    except UnreadableHandError as error:
        yield reject_bytes(chunk, first, end, error)
        return
    read_up_to = first
    nexts = [start for start, _ in [*places, (end, 0)]][1:]
    for (start, length), next_start in zip(places, nexts, strict=True):
        if data[read_up_to:start].strip(_SEPARATORS):
            yield reject_bytes(chunk, read_up_to, start, _build_no_hand_error(data[read_up_to:start]))
            read_up_to = start
        stop = start + length
        if not data[stop:next_start].strip(_SEPARATORS):
            stop += len(data[stop:next_start].rstrip(BLANK))
        yield read_hand(chunk, (read_up_to, stop), partial(read_record, data, (start, length), people))
        read_up_to = stop
    if data[read_up_to:end].strip(_SEPARATORS) or not places:
        yield reject_bytes(chunk, read_up_to, end, _build_no_hand_error(data[read_up_to:end]))


def _iter_places(data: bytes, start_offset: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of a source's objects, including those in arrays.

    What nests too deep raises `UnreadableHandError`.
    """
    for start, length in iter_whole_values(data, start_offset, end, b"["):
        if data[start : start + 1] == b"{":
            yield start, length
        else:
            yield from find_whole_elements(data, start + 1)[0]


def _build_no_hand_error(data: bytes) -> UnreadableHandError:
    if data.lstrip(_SEPARATORS).startswith(b"{"):
        return UnreadableHandError("the record breaks off", kind="cut-off")
    return UnreadableHandError("no record of a hand begins here", kind="not-a-hand")


_OPENING: Final = re.compile(rb'(?:\[\s{0,9}+)?+\{\s{0,9}+"id"\s{0,9}+:\s{0,9}+"[^"]{0,99}+",\s{0,9}+"table"')
FORMAT: Final = build_json_format(
    "globalpoker",
    "Global Poker JSON",
    build_sniffer(
        (),
        (b'"tableIntegrationId"', b'"handIndex"', b'"balanceAfterAction"', b'"transactionIds"'),
        (0, 0, 90, 95, 98),
        b"[",
    ),
    read_records,
    _OPENING,
)
