"""The fixed lists of CoinPoker's messages, the hand that is built from them, and its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Final

import msgspec

from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.hand.betting import CashOutTaken
from ledger.hand.ending import DropTaken, HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import Betting, GameSet, NotDealtIn, PotSeeded
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.cards import find_card_by_names
from ledger.readers.hand import SEATS, DropKind
from ledger.readers.json_hand import TIME_END, JsonHand, keep_letters_and_digits, list_objects, parse_count_below
from ledger.readers.spans import Spans, find_elements, find_members
from ledger.vocabulary import RANKS, Cards, Chips, Millis, Seat, Street, Witness

VENUE: Final = "CoinPoker"

WITNESSES: Final = Witness.from_names(
    "BUTTON BLIND_POSITIONS POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP TIMES BLIND_AMOUNTS"
)
"""What the stream always records. Own cards and stacks after the hand are added if a hand has them."""

ACT_OF_WORD: Final[dict[str, str]] = {
    **dict.fromkeys(("sb", "smallblind"), "small"),
    **dict.fromkeys(("bb", "bigblind"), "big"),
    **dict.fromkeys(("autobb", "postbb"), "entry"),
    **dict.fromkeys(("raise", "bet", "pot", "halfpot", "minraise"), "raise"),
    "allin": "all-in",
    **{word: word for word in ("ante", "straddle", "fold", "check", "call", "muck")},
}
"""A seat's caption or an entry's action, in lower-case letters only → the act.

Our streams contain `SB BB Straddle Fold Check Call Raise Bet Pot AllIn`. The other words come from other
people's records of the same stream. `Raise` is used for bets too.
"""

POST_KINDS: Final = frozenset(("small", "big", "entry", "ante", "straddle"))
WAGER_KINDS: Final = frozenset(("call", "raise", "all-in"))

MAX_NAME_LENGTH: Final = 200

CAPTIONS_WITHOUT_ACT: Final = frozenset(("inuse", "empty", "", "none"))
"""Captions of a seat without an act."""

ABSENCE_REASONS: Final[dict[str, NotDealtIn]] = {
    "sitout": "sitting-out",
    "sittingout": "sitting-out",
    "disconnected": "away",
    "away": "away",
    "waiting": "unknown",
    "reserved": "reserved",
}
"""Captions of a seat that isn't in play → the reason why it gets no cards."""

PHASE_OF_ROUND: Final[dict[str, int]] = {"ANTE": 0, "PREFLOP": 3, "FLOP": 5, "TURN": 7, "RIVER": 9}
"""A round → the phase of its acts. Its cards are dealt in the phase before."""

STREETS: Final[tuple[tuple[str, Street, int], ...]] = (("FLOP", "flop", 4), ("TURN", "turn", 6), ("RIVER", "river", 8))

BOARD_MEMBERS: Final = (
    ("dealerCards", 1, 1),
    ("dealerCardsRit", 1, 2),
    ("dealerCardsRit2", 1, 3),
    ("dealerCardsDoubleBoard", 2, 1),
)
"""The member with a board's cards, the number of the board, and the number of the run."""

GAME_BY_CARDS: Final[dict[int, str]] = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""Number of hole cards → the game, if no name shows it."""

GAME_WORDS: Final[tuple[tuple[str, str, Betting | None], ...]] = (
    ("plo6", "omaha6", "pot-limit"),
    ("plo5", "omaha5", "pot-limit"),
    ("plo", "omaha", "pot-limit"),
    ("nlhe", "holdem", "no-limit"),
    ("nlh", "holdem", "no-limit"),
    ("shortdeck", "short-deck", None),
    ("short deck", "short-deck", None),
    ("omaha6", "omaha6", None),
    ("omaha5", "omaha5", None),
    ("omaha", "omaha", None),
    ("hold", "holdem", None),
    ("nl", "holdem", "no-limit"),
)
"""Words in a table's name or kind of game, the longest first, with the game, and the betting if they show it."""

_RANK_OF_NUMBER: Final = {str(parse_amount): rank for parse_amount, rank in enumerate(RANKS, 2)}


def parse_cards(value: object) -> Cards | None:
    """Return the cards of `[{"suit": "CLUBS", "value": "FOUR"}]`, or None if one isn't a card."""
    if not isinstance(value, list):
        return None
    card_list = [
        find_card_by_names(card_object.get("value"), card_object.get("suit")) if isinstance(card_object, dict) else None
        for card_object in value
    ]
    return None if None in card_list else "".join(filter(None, card_list))


def parse_spoken_cards(text: str) -> Cards | None:
    """Return the cards in the dealer's words, `11S 8S 7S 4D ` or `[12C, 9S, 6C]`, or None if they aren't cards."""
    card_list = []
    for word in text.strip(" []").replace(",", " ").split():
        rank, suit = _RANK_OF_NUMBER.get(word[:-1]), word[-1:].lower()
        if rank is None or suit not in "cdhs":
            return None
        card_list.append(rank + suit)
    return "".join(card_list) or None


def act_of(word: object) -> str | None:
    """Return the act of a caption or an action, such as "fold" or "raise", or None if it isn't one."""
    return ACT_OF_WORD.get(keep_letters_and_digits(word)) if isinstance(word, str) and len(word) < 40 else None


_LAST_SECONDS: Final = 1 << 37  # lower numbers count seconds, higher ones milliseconds
_MAX_DECIMALS: Final = 9
"""A number with more decimals is a sum of binary fractions: 0.30000000000000004."""

_decoder: Final = build_json_decoder(float_hook=str)


@dataclass
class CoinPokerMessage:
    """One `[name, game id, body]` with its place. The body is unparsed."""

    name: str
    start_byte: int
    byte_length: int
    body: bytes = b""

    @cached_property
    def parsed_body(self) -> dict[str, object]:
        """The parsed body, which is empty if it isn't an object. A damaged one raises `UnreadableHandError`."""
        try:
            parsed_body = _decoder.decode(self.body) if self.body else {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise UnreadableHandError(f"a message cannot be read: {error}", kind="damaged") from None
        return parsed_body if isinstance(parsed_body, dict) else {}

    @property
    def sent_at(self) -> Millis:
        """When the message was sent; 0 = unknown."""
        return parse_clock(self.parsed_body.get("initTimeStamp"))


class CoinPokerHand(JsonHand):
    """The hand that is built from a stream's messages."""

    def __init__(self, data: bytes, hand_span: tuple[int, int], people: People, venue: str, game: GameSet) -> None:
        """Begin the hand whose bytes have this start and length."""
        self.spans = Spans()
        whole_place = self.spans.add(*hand_span)
        super().__init__(data, self.spans, people, venue, game, whole_place)
        self.scheduled_steps: list[tuple[int, int, Millis, Callable[..., None], tuple[object, ...]]] = []
        self.unmatched_acts: dict[Seat, list[tuple[str, str, Chips, Chips]]] = {}  # by seat: acts from one source only
        self.last_chips: dict[Seat, Chips] = {}  # the chips of each seat's last act
        self.posted_kinds: set[tuple[Seat, str]] = set()
        self.post_amounts: dict[tuple[Seat, str], Chips] = {}
        self.ante_amounts: dict[Seat, Chips] = {}
        self.caller_names: list[str] = []  # names, longest first
        self.net_winnings: dict[Seat, list[Chips]] = {}  # net winnings, pot by pot
        self.declared_pots = 0  # the declared total of all pots, until a later message has it
        self.shown_cards: dict[Seat, Cards] = {}
        self.owner_seat: Seat = 0
        self.owner_cards: Cards = ""
        self.first_round_on_flop = False  # the first round comes after the flop, and the blinds are its bets
        self.run_count = self.board_count = 1
        self.payment_count = 0  # how often the pots were paid out

    # -- steps by phase ---------------------------------------------------------------------------

    def schedule(
        self, phase: int, place_number: int, sent_at: Millis, apply_step: Callable[..., None], *arguments: object
    ) -> None:
        """Schedule a step for a phase of the hand. Within a phase, steps keep the stream's order."""
        self.scheduled_steps.append((phase, place_number, sent_at, apply_step, arguments))

    def run_steps(self) -> None:
        """Run the scheduled steps, phase by phase."""
        for _, place_number, sent_at, apply_step, arguments in sorted(self.scheduled_steps, key=itemgetter(0)):
            self.place = place_number
            event_count = len(self.events)
            apply_step(self, *arguments)
            self.stamp_events(event_count, sent_at)

    # -- values -----------------------------------------------------------------------------------

    def add_unread(self, words: str) -> None:
        """Keep unread words on one line."""
        super().add_unread(" ".join(words.split()))

    def amount_of(self, value: object) -> Chips:
        """Return a number as an amount. Anything else raises `UnreadableHandError`."""
        return parse_amount(value, self.exponent)

    def parse_amount_or_none(self, value: object) -> Chips | None:
        """Return a number as an amount, or None if it is missing."""
        return None if value is None or value == "" else parse_amount(value, self.exponent)

    def add_message_place(self, message: CoinPokerMessage) -> int:
        """Add the place of a whole message. Return its number."""
        return self.spans.add(message.start_byte, message.byte_length)

    def span_in_body(self, message: CoinPokerMessage, *path: str | int) -> tuple[int, int] | None:
        """Return start and length of a value in a message's body, or None. `path`: its names and indexes."""
        try:
            start_byte, byte_length = message.start_byte, message.byte_length
            if self.data[start_byte : start_byte + 1] == b"{":
                start_byte, byte_length = find_members(self.data, start_byte, byte_length)["payload"]
            else:
                start_byte, byte_length = find_elements(self.data, start_byte, byte_length)[2]
            for path_part in path:
                if isinstance(path_part, str):
                    start_byte, byte_length = find_members(self.data, start_byte, byte_length)[path_part]
                else:
                    start_byte, byte_length = find_elements(self.data, start_byte, byte_length)[path_part]
        except (KeyError, IndexError, UnreadableHandError):
            return None
        return start_byte, byte_length

    def element_places(self, message: CoinPokerMessage, name: str, element_count: int) -> list[int]:
        """Return the places of the elements of a list, which is a member of the message's body."""
        list_span = self.span_in_body(message, name) if element_count > 1 else None
        if list_span is None:
            return [self.add_message_place(message)] * element_count
        return [self.spans.add(*element_span) for element_span in find_elements(self.data, *list_span)]


def parse_amount(value: object, exponent: int) -> Chips:
    """Return a number as an amount. A sum of binary fractions is rounded to the decimal it means."""
    if isinstance(value, str):
        whole_part, _, fraction = value.partition(".")
        if len(fraction) > _MAX_DECIMALS and fraction.isascii() and fraction.isdigit() and len(value) < 40:
            value = f"{float(value):.6f}" if whole_part.removeprefix("-").isdigit() else value
    return amounts.read_number(value, exponent)


def parse_clock(value: object) -> Millis:
    """Return an `initTimeStamp`, in milliseconds or seconds, as milliseconds. Return 0 for anything else."""
    moment = parse_count_below(value, TIME_END, text=True)
    return moment if moment > _LAST_SECONDS else moment * 1000


def parse_seat(value: object) -> Seat:
    """Return a `seatId` as a seat, or 0 if it isn't one."""
    return parse_count_below(value, SEATS, text=True)


_MAX_POTS: Final = 30


def return_bet(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Return an uncalled bet."""
    seat, amount = (
        _find_seat(hand, message.parsed_body),
        hand.parse_amount_or_none(message.parsed_body.get("chipsToReturn")),
    )
    if not seat or amount is None:
        hand.add_unread_place(message.name, hand.place)
    elif amount:
        hand.return_uncalled(seat, amount)


def pay_pots(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Pay out the pots. The second payment belongs to the second run or board."""
    hand.payment_count += 1
    pots = list_objects(message.parsed_body, "winnerDataList")
    for pot_index, pot_object in enumerate(pots):
        pot_span = hand.span_in_body(message, "winnerDataList", pot_index) if len(pots) > 1 else None
        hand.place = hand.spans.add(*pot_span) if pot_span else hand.place
        _pay_pot(hand, pot_object)


def _pay_pot(hand: CoinPokerHand, pot_object: dict[str, object]) -> None:
    pot_number = _parse_pot_number(pot_object)
    winners = list_objects(pot_object.get("winnerDetails"), "winnerList")
    pot_amount, amount_after_rake = (
        hand.parse_amount_or_none(pot_object.get("potAmount")),
        hand.parse_amount_or_none(pot_object.get("potAmountAfterRake")),
    )
    total_paid = 0
    for winner in winners:
        seat, amount = _find_seat(hand, winner), hand.parse_amount_or_none(winner.get("winAmountFromPot"))
        if amount is None and len(winners) == 1:
            amount = amount_after_rake
        if not seat or amount is None or winner.get("isInsured") is True:
            hand.add_unread_place("game.winnerInfo", hand.place)  # an insured winner's chips are unknown
            return
        _award_by_run(hand, seat, amount, pot_number)
        total_paid += amount
        net_winning = hand.parse_amount_or_none(winner.get("actualWinAmount"))
        if net_winning is not None:
            hand.net_winnings.setdefault(seat, []).append(net_winning)
    hand.declared_pots += pot_amount or 0
    if pot_amount is not None and amount_after_rake is not None:
        _infer_drop(hand, "rake", pot_amount - amount_after_rake)
    if winners and amount_after_rake is not None:
        _infer_drop(hand, "other", amount_after_rake - total_paid)


def _parse_pot_number(pot_object: dict[str, object]) -> int | None:
    """Return a pot's number, None if it has none in range."""
    pot_number = pot_object.get("potId")
    if not isinstance(pot_number, int) or isinstance(pot_number, bool):
        return None
    return pot_number if 0 <= pot_number < _MAX_POTS else None


def _award_by_run(hand: CoinPokerHand, seat: Seat, amount: Chips, pot_number: int | None) -> None:
    """Pay a seat. The run or board of a payment is inferred from its number."""
    payment_number = hand.payment_count
    run_number = min(payment_number, hand.run_count)
    board_number = min(payment_number, 2) if hand.run_count == 1 and hand.board_count > 1 else 1
    hand.award(seat, amount, pot_number, run=run_number, board=board_number)
    if hand.run_count > 1 or hand.board_count > 1:
        hand.inferred.append(len(hand.events) - 1)


def _infer_drop(hand: CoinPokerHand, drop_kind: DropKind, amount: Chips) -> None:
    """Infer the chips that the room took from the pot before and after it."""
    if amount > 0:
        hand.total_drop += amount
        hand.add_inferred(DropTaken(drop_kind, amount), place=hand.place)


def declare_totals(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Declare the pot and the players' net results, and pay the room's splash to a single winner."""
    message_body = message.parsed_body
    winners = list_objects(message_body, "winnersData")
    splash_amount = hand.parse_amount_or_none(message_body.get("splashPotAmount")) or 0
    splash_seats = [_find_seat(hand, winner) for winner in winners if winner.get("isSplashPotWinner") is True]
    has_single_winner = splash_amount > 0 and len(splash_seats) == 1 and splash_seats[0] > 0
    declared_pot = hand.parse_amount_or_none(message_body.get("cumulativePotAmount"))
    if declared_pot:  # the declared pot doesn't include the room's own chips
        hand.declared_pots = 0
        hand.add_event(ResultDeclared("total-pot", amount=declared_pot + (splash_amount if has_single_winner else 0)))
    if has_single_winner:
        hand.add_inferred(PotSeeded("splash", splash_amount), place=hand.place)
        hand.add_inferred(PotAwarded(splash_seats[0], splash_amount), place=hand.place)
    elif splash_amount > 0 or any(winner.get("isEVChopWinner") is True for winner in winners):
        hand.add_unread_place(message.name, hand.place)
    hand.net_winnings.clear()
    for winner in winners:
        seat, net_result = _find_seat(hand, winner), hand.parse_amount_or_none(winner.get("cumulativeProfitLoss"))
        if seat and net_result is not None:
            hand.add_event(ResultDeclared("net", seat, net_result))


def declare_stacks(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Declare the stacks after the hand."""
    snapshots = list_objects(message.parsed_body, "seatResponseDataList")
    whole_place = hand.place
    for snapshot_place, snapshot in zip(
        hand.element_places(message, "seatResponseDataList", len(snapshots)), snapshots, strict=False
    ):
        seat, chips = parse_seat(snapshot.get("seatId")), hand.parse_amount_or_none(snapshot.get("userChips"))
        if seat in hand.stacks and chips is not None and hand.seats.get(str(snapshot.get("userName"))) == seat:
            hand.place = snapshot_place
            hand.add_event(ResultDeclared("end-stack", seat, chips))
    hand.place = whole_place


def add_cash_outs(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Record the seats that sold their hand to the room. We don't know where the stream has the price."""
    for choice in list_objects(message.parsed_body, "optedEvChopActionData"):
        if choice.get("optedForEVChop") is True:
            if seat := _find_seat(hand, choice):
                hand.add_event(CashOutTaken(seat))
            else:
                hand.add_unread_place(message.name, hand.place)


def complete_hand(hand: CoinPokerHand, end_place: int) -> None:
    """Infer bets returned without a message, and complete a hand whose pots were paid."""
    hand.infer_returns(hand.declared_pots or None)
    if hand.payment_count:
        hand.place = end_place
        if hand.declared_pots:
            hand.add_event(ResultDeclared("total-pot", amount=hand.declared_pots))
        for seat, net_amounts in hand.net_winnings.items():
            if len(net_amounts) == 1:
                hand.add_event(ResultDeclared("net", seat, net_amounts[0]))
        hand.add_event(HandCompleted())


def _find_seat(hand: CoinPokerHand, json_object: dict[str, object]) -> Seat:
    """Return the seat that a value names by number or by player, or 0 if it isn't in the hand."""
    seat = parse_seat(json_object.get("seatId"))
    by_name = (
        hand.seats.get(str(json_object.get(member_name)), 0) for member_name in ("userName", "playerName", "username")
    )
    return seat if seat in hand.stacks else next(filter(None, by_name), 0)
