"""The first pass over a hand's messages, which finds the players and schedules steps by phase.

Most messages come in the order of play. But posts may come after the hole cards, all acts in one list
at the hand's end, and the board in one snapshot. So each step gets the phase of the hand that it
belongs to; within a phase, steps keep the stream's order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.formats.coinpoker import acts, values
from ledger.formats.coinpoker.values import (
    CoinPokerHand,
    CoinPokerMessage,
    act_of,
    parse_cards,
    parse_clock,
    parse_seat,
)
from ledger.hand.dealing import RabbitShown
from ledger.readers.json_hand import keep_letters_and_digits, list_objects, split_names
from ledger.vocabulary import Cards, Millis, Seat, Street

_ENTRY_MEMBERS: Final = ("username", "action", "roundName", "actionAmount", "initTimestamp")
"""The members that identify an entry of the history, which the room may send again."""
_POSTING, _STRADDLES, _DEAL, _SETTLING, _AFTER_SETTLING = 0, 1, 2, 10, 11

IGNORED_MESSAGES: Final = split_names(
    "game.advance_player_action game.wait_list_data game.wait_list_status game.hand_strength game.game_ready",
    "game.transaction_winnings game.mega_splash game.game_alldata game.game_init game.take_Seat",
)
"""Messages without facts of the hand: offers, the room's other tables, results of the cards."""


class CoinPokerChair(NamedTuple):
    """A seat's first snapshot."""

    snapshot: dict[str, object]
    is_late: bool  # it may have put chips in already
    message: CoinPokerMessage
    list_index: int  # its index in the snapshot's list; -1 = the message contains only this seat

    @property
    def name(self) -> str:
        """The player's name."""
        return str(self.snapshot["userName"])[: values.MAX_NAME_LENGTH]


class _StreetDeal(NamedTuple):
    """New cards of a street: when they are dealt, and on which board and run."""

    phase: int
    street: Street
    cards: Cards
    board_number: int
    run_number: int


class CoinPokerStream:
    """The facts of a hand's messages, read one by one."""

    def __init__(self, hand: CoinPokerHand, messages: Sequence[CoinPokerMessage]) -> None:
        """Read all messages of this hand."""
        self.hand = hand
        self.chairs: dict[Seat, CoinPokerChair] = {}
        self.acting_seats: set[Seat] = set()  # seats with an act or a post
        self.acting_names: set[str] = set()  # names of players with an act or a post
        self.current_phase = values.PHASE_OF_ROUND["PREFLOP"]  # the phase of acts in the current messages
        self.is_posting = True
        self.first_round = ""
        self.owner_name = ""
        self.seen_keys: set[tuple[object, ...]] = set()
        self.last_captions: dict[Seat, str] = {}  # the last caption of each seat
        self.runs_agreed = False  # the players agreed to run the board several times
        self.stacks_message: CoinPokerMessage | None = None  # the first snapshot after the pots
        self.totals_message: CoinPokerMessage | None = None
        self.end_place = -1  # the place of the message that ends the hand
        dealt_boards = {
            board_member
            for dealing in messages
            if dealing.name == "game.dealer_cards"
            for board_member, board_cards in dealing.parsed_body.items()
            if board_cards
        }
        hand.run_count = 1 + ("dealerCardsRit" in dealt_boards) + ("dealerCardsRit2" in dealt_boards)
        hand.board_count = 1 + ("dealerCardsDoubleBoard" in dealt_boards)
        for message in messages:
            read_message = _READERS.get(message.name)
            if read_message is None:
                self._schedule_unread(hand.add_message_place(message), message.name or "message")
            else:
                read_message(self, message)
        hand.first_round_on_flop = self.first_round == "FLOP"
        for last_message, declare in (
            (self.totals_message, values.declare_totals),
            (self.stacks_message, values.declare_stacks),
        ):
            if last_message is not None:
                self._schedule(_AFTER_SETTLING, last_message, declare, last_message)

    def _schedule_unread(self, place_number: int, part_name: str, sent_at: Millis = 0) -> None:
        """Keep an unknown part as unread."""
        self.hand.schedule(
            self.current_phase, place_number, sent_at, CoinPokerHand.add_unread_place, part_name, place_number
        )

    def _schedule(
        self, phase: int, message: CoinPokerMessage, apply_step: Callable[..., None], *arguments: object
    ) -> None:
        self.hand.schedule(phase, self.hand.add_message_place(message), message.sent_at, apply_step, *arguments)

    # -- seats and acts ---------------------------------------------------------------------------

    def read_seats(self, message: CoinPokerMessage) -> None:
        """Read a snapshot of all seats."""
        seat_list = message.parsed_body.get("seatResponseDataList")
        for index, snapshot in enumerate(seat_list if isinstance(seat_list, list) else []):
            if isinstance(snapshot, dict):
                self._add_chair(message, snapshot, index)
        if self.current_phase >= _SETTLING and self.stacks_message is None:
            self.stacks_message = message

    def _add_chair(self, message: CoinPokerMessage, snapshot: dict[str, object], index: int) -> Seat:
        seat, player_name = parse_seat(snapshot.get("seatId")), snapshot.get("userName")
        if seat and seat not in self.chairs and isinstance(player_name, str) and player_name:
            self.chairs[seat] = CoinPokerChair(
                snapshot, self.current_phase > values.PHASE_OF_ROUND["PREFLOP"], message, index
            )
        return seat

    def read_seat(self, message: CoinPokerMessage) -> None:
        """Read a snapshot of one seat, whose caption is the act that changed it."""
        snapshot = message.parsed_body
        seat = self._add_chair(message, snapshot, -1)
        caption = snapshot.get("caption") or snapshot.get("newCaption")
        plain_caption = keep_letters_and_digits(caption) if isinstance(caption, str) and len(caption) < 40 else ""
        act_kind = act_of(caption)
        previous_caption, self.last_captions[seat] = self.last_captions.get(seat), plain_caption
        if act_kind is None:
            if plain_caption in values.ABSENCE_REASONS and seat:
                if plain_caption != previous_caption:
                    self._schedule(self.current_phase, message, acts.add_absence, seat, plain_caption)
            elif plain_caption not in values.CAPTIONS_WITHOUT_ACT:
                self._schedule_unread(self.hand.add_message_place(message), "game.seat", message.sent_at)
            return
        chips, bet = snapshot.get("userChips"), snapshot.get("betAmout", snapshot.get("betAmount"))
        act_key = (seat, self.current_phase, act_kind, str(chips), str(bet))
        if act_key in self.seen_keys or not seat:
            return
        self.seen_keys.add(act_key)
        self.acting_seats.add(seat)
        if (
            self.is_posting
            and act_kind in values.WAGER_KINDS
            and 0 < self.hand.game.ante == self.hand.parse_amount_or_none(bet)
        ):
            act_kind = "ante"  # the caption is an old one
        self._schedule(
            _find_phase(act_kind, self.current_phase),
            message,
            acts.add_act,
            "seat",
            seat,
            act_kind,
            {"chips": chips, "bet": bet},
        )

    def read_entries(self, message: CoinPokerMessage) -> None:
        """Read the list of acts, which contains one or two of them, or all."""
        entries = list_objects(message.parsed_body, "gameActionMessagesHistory")
        for entry_place, entry in zip(
            self.hand.element_places(message, "gameActionMessagesHistory", len(entries)), entries, strict=False
        ):
            self._read_entry(entry_place, entry)

    def _read_entry(self, entry_place: int, entry: dict[str, object]) -> None:
        player_name, action, round_name = entry.get("username"), entry.get("action"), entry.get("roundName")
        if round_name in ("PREFLOP", "FLOP") and not self.first_round and self.is_posting:
            self.first_round = round_name
        if entry.get("type") == "roundStart" and round_name != "ANTE":
            self.is_posting = False
        entry_key = tuple(str(entry.get(member_name)) for member_name in _ENTRY_MEMBERS)
        if not player_name or not action or entry_key in self.seen_keys:  # a round begins, or a turn
            return
        self.seen_keys.add(entry_key)
        act_kind, sent_at, schedule = act_of(action), parse_clock(entry.get("initTimestamp")), self.hand.schedule
        phase = max(values.PHASE_OF_ROUND.get(str(round_name), self.current_phase), values.PHASE_OF_ROUND["PREFLOP"])
        if act_kind is None or not isinstance(player_name, str):
            schedule(
                phase, entry_place, sent_at, CoinPokerHand.add_unread_place, "game.dealer_chat_action", entry_place
            )
            return
        self.acting_names.add(player_name[: values.MAX_NAME_LENGTH])
        figures = {"amount": entry.get("actionAmount"), "pot": entry.get("roundTotalPot")}
        schedule(
            _find_phase(act_kind, phase),
            entry_place,
            sent_at,
            acts.add_entry,
            player_name[: values.MAX_NAME_LENGTH],
            act_kind,
            figures,
        )

    def end_posting(self, _message: CoinPokerMessage) -> None:
        """Note that all posts are made."""
        self.is_posting = False

    def read_pot(self, message: CoinPokerMessage) -> None:
        """Note the round that the posts belong to, which is the flop in games without a round before it."""
        if self.is_posting and not self.first_round and message.parsed_body.get("roundName") in ("PREFLOP", "FLOP"):
            self.first_round = str(message.parsed_body["roundName"])

    def read_turn(self, message: CoinPokerMessage) -> None:
        """Note the client's owner, and schedule a player's use of extra time."""
        self.is_posting = False
        player_name, timer_name = message.parsed_body.get("whoseTurn"), message.parsed_body.get("timerName")
        if isinstance(player_name, str) and "callAmount" in message.parsed_body and not self.owner_name:
            self.owner_name = player_name[: values.MAX_NAME_LENGTH]
        if isinstance(timer_name, str) and timer_name != "playerHandTimer":
            self._schedule(self.current_phase, message, acts.add_extra_time, message)

    def read_words(self, message: CoinPokerMessage) -> None:
        """Schedule the dealer's words, line by line."""
        dealer_message = message.parsed_body.get("dealerMessage")
        if not isinstance(dealer_message, str):
            return
        words_before, separator, _ = dealer_message.partition(" My Hole Cards")
        if separator:
            self.owner_name = words_before[: values.MAX_NAME_LENGTH]
        for line in dealer_message.split("\n"):
            self._schedule(self.current_phase, message, acts.check_words, line)

    # -- cards ------------------------------------------------------------------------------------

    def read_hole_cards(self, message: CoinPokerMessage) -> None:
        """Schedule the hole cards of the client's owner."""
        if message.parsed_body.get("holeCards") or message.parsed_body.get("playerCards"):
            self._schedule(_DEAL, message, acts.deal_owner_cards, message)

    def read_boards(self, message: CoinPokerMessage) -> None:
        """Read a snapshot of the boards, and schedule its new cards."""
        message_place = self.hand.add_message_place(message)
        new_deals = self._find_new_deals(message, message_place)
        if self.hand.run_count > 1 and any(deal.run_number > 1 for deal in new_deals) and not self.runs_agreed:
            self.runs_agreed = True
            self.hand.schedule(
                min(deal.phase for deal in new_deals), message_place, message.sent_at, acts.agree_on_runs
            )
        last_phase = max((deal.phase for deal in new_deals), default=0)
        for phase, *street_deal in new_deals:
            # A snapshot has the time of its last street, for which it is sent.
            self.hand.schedule(
                phase, message_place, message.sent_at if phase == last_phase else 0, acts.deal_board, *street_deal
            )
            self.current_phase = max(self.current_phase, phase + 1)
        self.is_posting = False
        self.read_rabbit_cards(message)

    def _find_new_deals(self, message: CoinPokerMessage, message_place: int) -> list[_StreetDeal]:
        """Return the cards of a snapshot that no earlier one has; cards that differ from those seen stay unread."""
        new_deals: list[_StreetDeal] = []
        for board_member, board_number, run_number in values.BOARD_MEMBERS:
            streets = message.parsed_body.get(board_member)
            for round_name, street, phase in values.STREETS:
                card_list = streets.get(round_name) if isinstance(streets, dict) else None
                new_cards = parse_cards(card_list) if card_list else ""
                board_key = (board_member, round_name, new_cards)
                if new_cards == "" or board_key in self.seen_keys:
                    continue
                if new_cards is None or self._has_seen_street(board_member, round_name):
                    self._schedule_unread(message_place, message.name)
                    continue
                self.seen_keys.add(board_key)
                new_deals.append(_StreetDeal(phase, street, new_cards, board_number, run_number))
        return new_deals

    def _has_seen_street(self, board_member: str, round_name: str) -> bool:
        """Whether an earlier snapshot has cards of a street."""
        return any(seen_key[:2] == (board_member, round_name) for seen_key in self.seen_keys if len(seen_key) == 3)

    def read_rabbit_cards(self, message: CoinPokerMessage) -> None:
        """Schedule rabbit cards."""
        for board_member, board_number in (("rabbitRunCards", 1), ("rabbitRunCardsDoubleBoard", 2)):
            streets = message.parsed_body.get(board_member)
            for round_name, street, _ in values.STREETS:
                rabbit_cards = parse_cards(streets.get(round_name)) if isinstance(streets, dict) else None
                if rabbit_cards and (board_member, round_name, rabbit_cards, "") not in self.seen_keys:
                    self.seen_keys.add((board_member, round_name, rabbit_cards, ""))
                    self._schedule(
                        _AFTER_SETTLING,
                        message,
                        CoinPokerHand.add_event,
                        RabbitShown(rabbit_cards, street, board_number),
                    )

    def read_shown_hands(self, message: CoinPokerMessage) -> None:
        """Schedule the hands that players show."""
        shown_hands = message.parsed_body.get("userCardListMap")
        if isinstance(shown_hands, list):
            shown_hands = {
                str(shown_hand.get("seatId")): shown_hand.get("cards")
                for shown_hand in shown_hands
                if isinstance(shown_hand, dict)
            }
        for seat, card_list in shown_hands.items() if isinstance(shown_hands, dict) else ():
            hand_cards = parse_cards(card_list)
            if hand_cards is None or not parse_seat(seat):
                self._schedule_unread(self.hand.add_message_place(message), message.name, message.sent_at)
            elif hand_cards:
                self._schedule(self.current_phase, message, acts.show_hand, parse_seat(seat), hand_cards)

    # -- the end ----------------------------------------------------------------------------------

    def read_winners(self, message: CoinPokerMessage) -> None:
        """Schedule the payment of the pots. A hand with several runs has several payments."""
        self.current_phase, self.stacks_message = _SETTLING, None
        self._schedule(_SETTLING, message, values.pay_pots, message)
        self.end_place = self.hand.add_message_place(message)

    def read_total(self, message: CoinPokerMessage) -> None:
        """Keep the message with the total of the pots."""
        self.current_phase, self.stacks_message, self.totals_message = _SETTLING, None, message

    def read_table_cleared(self, message: CoinPokerMessage) -> None:
        """Note that the table is cleared."""
        if self.current_phase >= _SETTLING:
            self.end_place = self.hand.add_message_place(message)


ReadMessage: TypeAlias = Callable[[CoinPokerStream, CoinPokerMessage], None]


def _in_current_phase(apply_step: Callable[[CoinPokerHand, CoinPokerMessage], None]) -> ReadMessage:
    """Return a function that schedules a message in its own phase."""
    return lambda stream, message: stream._schedule(stream.current_phase, message, apply_step, message)  # noqa: SLF001 - its own table


def _find_phase(act_kind: str, current_phase: int) -> int:
    if act_kind in values.POST_KINDS:
        return _STRADDLES if act_kind == "straddle" else _POSTING
    return current_phase


_READERS: Final[dict[str, ReadMessage]] = {
    "game.pre_hand_start_info": lambda _stream, _message: None,  # it has been read already
    "game.seatInfo": CoinPokerStream.read_seats,
    "game.seat": CoinPokerStream.read_seat,
    "game.potInfo": CoinPokerStream.read_pot,
    "game.game_start": CoinPokerStream.end_posting,
    "game.dealer_chat_action": CoinPokerStream.read_entries,
    "game.dealer_chat": CoinPokerStream.read_words,
    "game.user_turn": CoinPokerStream.read_turn,
    "game.hole_cards": CoinPokerStream.read_hole_cards,
    "game.player_info": CoinPokerStream.read_hole_cards,
    "game.dealer_cards": CoinPokerStream.read_boards,
    "game.rabbit_run": CoinPokerStream.read_rabbit_cards,
    "game.show_hole_cards": CoinPokerStream.read_shown_hands,
    "game.reveal_cards": CoinPokerStream.read_shown_hands,
    "game.return_chips": _in_current_phase(values.return_bet),
    "game.winnerInfo": CoinPokerStream.read_winners,
    "game.cumulativeWinnerInfo": CoinPokerStream.read_total,
    "game.ev_chop_opted_action": _in_current_phase(values.add_cash_outs),
    "game.message": _in_current_phase(acts.keep_notice),
    "game.reset_data": CoinPokerStream.read_table_cleared,
}
"""A message's name → the function that reads it."""
