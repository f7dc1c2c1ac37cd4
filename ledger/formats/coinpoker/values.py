"""The closed lists of CoinPoker's messages, a hand's messages while it is told with their places, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.hand.betting import CashOutTaken
from ledger.hand.ending import DropTaken, HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import Betting, GameSet, NotDealtIn, PotSeeded
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.cards import card_by_names
from ledger.readers.hand import SEATS, DropKind
from ledger.readers.json_hand import TIME_END, JsonHand, count_below, letters_and_digits, objects
from ledger.readers.spans import Spans, elements, members
from ledger.vocabulary import RANKS, Cards, Chips, Millis, Seat, Street, Witness

VENUE: Final = "CoinPoker"

WITNESSES: Final = Witness.of(
    "BUTTON BLIND_POSITIONS POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP TIMES BLIND_AMOUNTS"
)
"""What the stream holds whenever it happens; own cards and stacks after the hand are added where they are told."""

ACTS: Final[dict[str, str]] = {
    **dict.fromkeys(("sb", "smallblind"), "small"),
    **dict.fromkeys(("bb", "bigblind"), "big"),
    **dict.fromkeys(("autobb", "postbb"), "entry"),
    **dict.fromkeys(("raise", "bet", "pot", "halfpot", "minraise"), "raise"),
    "allin": "all-in",
    **{word: word for word in ("ante", "straddle", "fold", "check", "call", "muck")},
}
"""A seat's caption or an entry's action, without signs and in small letters → what it is.

Seen are `SB BB Straddle Fold Check Call Raise Bet Pot AllIn`; what else stands here are words of other
people's records of the same stream. `Raise` stands for bets too.
"""

POSTS: Final = frozenset(("small", "big", "entry", "ante", "straddle"))
WAGERS: Final = frozenset(("call", "raise", "all-in"))

NAME_MOST: Final = 200

NO_ACT: Final = frozenset(("inuse", "empty", "", "none"))
"""Captions of a seat that does nothing."""

AWAY: Final[dict[str, NotDealtIn]] = {
    "sitout": "sitting-out",
    "sittingout": "sitting-out",
    "disconnected": "away",
    "away": "away",
    "waiting": "unknown",
    "reserved": "reserved",
}
"""Captions of a seat that is not in play → why it gets no cards."""

ROUNDS: Final[dict[str, int]] = {"ANTE": 0, "PREFLOP": 3, "FLOP": 5, "TURN": 7, "RIVER": 9}
"""A round → when its acts come; what is dealt for it comes one before."""

STREETS: Final[tuple[tuple[str, Street, int], ...]] = (("FLOP", "flop", 4), ("TURN", "turn", 6), ("RIVER", "river", 8))

BOARDS: Final = (
    ("dealerCards", 1, 1),
    ("dealerCardsRit", 1, 2),
    ("dealerCardsRit2", 1, 3),
    ("dealerCardsDoubleBoard", 2, 1),
)
"""Where a board's cards stand, which board it is, and which run."""

OMAHA: Final[dict[int, str]] = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""How many cards a seat holds → the game, where no name tells it."""

GAMES: Final[tuple[tuple[str, str, Betting | None], ...]] = (
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
"""Words in a table's name or kind of game, the longest first → game, and betting if they tell it."""

_NUMBERS: Final = {str(number): rank for number, rank in enumerate(RANKS, 2)}


def cards(value: object) -> Cards | None:
    """Return the cards of `[{"suit": "CLUBS", "value": "FOUR"}]`, None where one is no card."""
    if not isinstance(value, list):
        return None
    found = [card_by_names(one.get("value"), one.get("suit")) if isinstance(one, dict) else None for one in value]
    return None if None in found else "".join(filter(None, found))


def spoken(text: str) -> Cards | None:
    """Return the cards of the dealer's words, `11S 8S 7S 4D ` or `[12C, 9S, 6C]`; None if they are none."""
    found = []
    for word in text.strip(" []").replace(",", " ").split():
        rank, suit = _NUMBERS.get(word[:-1]), word[-1:].lower()
        if rank is None or suit not in "cdhs":
            return None
        found.append(rank + suit)
    return "".join(found) or None


def act_of(word: object) -> str | None:
    """Return what a caption or an action is: "fold", "raise", ...; None if it is none of them."""
    return ACTS.get(letters_and_digits(word)) if isinstance(word, str) and len(word) < 40 else None


_SECONDS: Final = 1 << 37  # a clock below counts seconds, one above milliseconds
_NOISE: Final = 9
"""A number with more decimals is a sum of binary fractions: 0.30000000000000004."""

_decoder: Final = msgspec.json.Decoder(float_hook=str)


@dataclass
class CoinPokerMessage:
    """One `[name, game id, body]`: where it stands, and its body as it is written."""

    name: str
    start: int
    length: int
    body: bytes = b""

    @cached_property
    def value(self) -> dict[str, object]:
        """The body; what is no object is an empty one. Damage raises `UnreadableHandError`."""
        try:
            found = _decoder.decode(self.body) if self.body else {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise UnreadableHandError(f"a message cannot be read: {error}", kind="damaged") from None
        return found if isinstance(found, dict) else {}

    @property
    def time(self) -> Millis:
        """When it was sent, 0 where it does not say so."""
        return clock(self.value.get("initTimeStamp"))


class CoinPokerHand(JsonHand):
    """The hand being told."""

    def __init__(self, data: bytes, place: tuple[int, int], people: People, venue: str, game: GameSet) -> None:
        """Begin the hand whose bytes are at `place`: start and length."""
        self.spans = Spans()
        whole = self.spans.add(*place)
        super().__init__(data, self.spans, people, venue, game, whole)
        self.steps: list[tuple[int, int, Millis, Callable[..., None], tuple[object, ...]]] = []
        self.heard: dict[Seat, list[tuple[str, str, Chips, Chips]]] = {}  # by seat: acts told once
        self.said: dict[Seat, Chips] = {}  # what a seat put in with its last act
        self.posted: set[tuple[Seat, str]] = set()
        self.posts: dict[tuple[Seat, str], Chips] = {}
        self.antes: dict[Seat, Chips] = {}
        self.callers: list[str] = []  # names, longest first
        self.nets: dict[Seat, list[Chips]] = {}  # what winners are said to have won, pot by pot
        self.pots = 0  # what all pots are said to hold, where nothing tells it later
        self.shown: dict[Seat, Cards] = {}
        self.hero: Seat = 0
        self.hole: Cards = ""
        self.carried = False  # the blinds are bets of the first round, which comes after the flop
        self.runs = self.boards = 1
        self.settled = 0  # how often the pots were paid out

    # -- what is told, and when -------------------------------------------------------------------

    def later(self, phase: int, at: int, time: Millis, make: Callable[..., None], *told: object) -> None:
        """Tell this when its phase of the hand has come; within a phase the stream's order rules."""
        self.steps.append((phase, at, time, make, told))

    def tell(self) -> None:
        """Tell what was put by, phase by phase."""
        for _, at, time, make, told in sorted(self.steps, key=itemgetter(0)):
            self.place = at
            before = len(self.events)
            make(self, *told)
            self.stamp_events(before, time)

    # -- values -----------------------------------------------------------------------------------

    def add_unread(self, words: str) -> None:
        """Keep what nobody knows, on one line."""
        super().add_unread(" ".join(words.split()))

    def chips_of(self, value: object) -> Chips:
        """Return a number as an amount; what is none raises `UnreadableHandError`."""
        return number(value, self.exponent)

    def maybe(self, value: object) -> Chips | None:
        """Return a number as an amount, None where there is none."""
        return None if value is None or value == "" else number(value, self.exponent)

    def add_message_place(self, message: CoinPokerMessage) -> int:
        """Put the place of a whole message down."""
        return self.spans.add(message.start, message.length)

    def inside(self, message: CoinPokerMessage, *path: str | int) -> tuple[int, int] | None:
        """Return start and length of what stands in a message's body under these names and indexes."""
        try:
            start, length = message.start, message.length
            if self.data[start : start + 1] == b"{":
                start, length = members(self.data, start, length)["payload"]
            else:
                start, length = elements(self.data, start, length)[2]
            for step in path:
                if isinstance(step, str):
                    start, length = members(self.data, start, length)[step]
                else:
                    start, length = elements(self.data, start, length)[step]
        except (KeyError, IndexError, UnreadableHandError):
            return None
        return start, length

    def parts(self, message: CoinPokerMessage, name: str, many: int) -> list[int]:
        """Return the places of the elements of a member that is a list of so many."""
        whole = self.inside(message, name) if many > 1 else None
        if whole is None:
            return [self.add_message_place(message)] * many
        return [self.spans.add(*place) for place in elements(self.data, *whole)]


def number(value: object, exponent: int) -> Chips:
    """Return a number as an amount; a sum of binary fractions as the decimal it stands for."""
    if isinstance(value, str):
        whole, _, fraction = value.partition(".")
        if len(fraction) > _NOISE and fraction.isascii() and fraction.isdigit() and len(value) < 40:
            value = f"{float(value):.6f}" if whole.removeprefix("-").isdigit() else value
    return amounts.number(value, exponent)


def clock(value: object) -> Millis:
    """Return a `initTimeStamp`, in milliseconds or seconds, as a moment; 0 where it is none."""
    found = count_below(value, TIME_END, text=True)
    return found if found > _SECONDS else found * 1000


def chair(value: object) -> Seat:
    """Return a `seatId` as a seat, 0 where it is none."""
    return count_below(value, SEATS, text=True)


_POTS_MOST: Final = 30


def give_back(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Give back a bet that nobody called."""
    seat, amount = _seat(hand, message.value), hand.maybe(message.value.get("chipsToReturn"))
    if not seat or amount is None:
        hand.add_unread_place(message.name, hand.place)
    elif amount:
        hand.return_uncalled(seat, amount)


def pay(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Pay the pots out. The second payment is that of the second run or board."""
    hand.settled += 1
    pots = objects(message.value, "winnerDataList")
    for index, one in enumerate(pots):
        where = hand.inside(message, "winnerDataList", index) if len(pots) > 1 else None
        hand.place = hand.spans.add(*where) if where else hand.place
        _pot(hand, one)


def _pot(hand: CoinPokerHand, one: dict[str, object]) -> None:
    number = one.get("potId")
    winners = objects(one.get("winnerDetails"), "winnerList")
    whole, after = hand.maybe(one.get("potAmount")), hand.maybe(one.get("potAmountAfterRake"))
    told = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _POTS_MOST
    paid = 0
    for who in winners:
        seat, amount = _seat(hand, who), hand.maybe(who.get("winAmountFromPot"))
        if amount is None and len(winners) == 1:
            amount = after
        if not seat or amount is None or who.get("isInsured") is True:
            hand.add_unread_place("game.winnerInfo", hand.place)  # what an insured winner gets is not known
            return
        _award(hand, seat, amount, int(str(number)) if told else None)
        paid += amount
        net = hand.maybe(who.get("actualWinAmount"))
        if net is not None:
            hand.nets.setdefault(seat, []).append(net)
    hand.pots += whole or 0
    if whole is not None and after is not None:
        _drop(hand, "rake", whole - after)
    if winners and after is not None:
        _drop(hand, "other", after - paid)


def _award(hand: CoinPokerHand, seat: Seat, amount: Chips, pot: int | None) -> None:
    """Pay a seat. That payments follow the runs, or the boards, is inferred."""
    turn = hand.settled
    run = min(turn, hand.runs)
    board = min(turn, 2) if hand.runs == 1 and hand.boards > 1 else 1
    hand.award(seat, amount, pot, run=run, board=board)
    if hand.runs > 1 or hand.boards > 1:
        hand.inferred.append(len(hand.events) - 1)


def _drop(hand: CoinPokerHand, kind: DropKind, amount: Chips) -> None:
    """Infer what the room took: the stream tells the pot before and behind it."""
    if amount > 0:
        hand.total_drop += amount
        hand.add_inferred(DropTaken(kind, amount), at=hand.place)


def totals(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Declare the pot and what players won; pay what the room laid on the table for one winner."""
    value = message.value
    winners = objects(value, "winnersData")
    splash = hand.maybe(value.get("splashPotAmount")) or 0
    marked = [_seat(hand, one) for one in winners if one.get("isSplashPotWinner") is True]
    alone = splash > 0 and len(marked) == 1 and marked[0] > 0
    whole = hand.maybe(value.get("cumulativePotAmount"))
    if whole:  # the room's own chips lie beside the pot that it declares
        hand.pots = 0
        hand.add_event(ResultDeclared("total-pot", amount=whole + (splash if alone else 0)))
    if alone:
        hand.add_inferred(PotSeeded("splash", splash), at=hand.place)
        hand.add_inferred(PotAwarded(marked[0], splash), at=hand.place)
    elif splash > 0 or any(one.get("isEVChopWinner") is True for one in winners):
        hand.add_unread_place(message.name, hand.place)
    hand.nets.clear()
    for one in winners:
        seat, net = _seat(hand, one), hand.maybe(one.get("cumulativeProfitLoss"))
        if seat and net is not None:
            hand.add_event(ResultDeclared("net", seat, net))


def stacks(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Declare the stacks behind the hand."""
    seats = objects(message.value, "seatResponseDataList")
    whole = hand.place
    for at, one in zip(hand.parts(message, "seatResponseDataList", len(seats)), seats, strict=False):
        seat, chips = chair(one.get("seatId")), hand.maybe(one.get("userChips"))
        if seat in hand.stacks and chips is not None and hand.seats.get(str(one.get("userName"))) == seat:
            hand.place = at
            hand.add_event(ResultDeclared("end-stack", seat, chips))
    hand.place = whole


def sold(hand: CoinPokerHand, message: CoinPokerMessage) -> None:
    """Tell who sold the hand to the room; the price stands nowhere in words that are known."""
    for one in objects(message.value, "optedEvChopActionData"):
        if one.get("optedForEVChop") is True:
            if seat := _seat(hand, one):
                hand.add_event(CashOutTaken(seat))
            else:
                hand.add_unread_place(message.name, hand.place)


def finish(hand: CoinPokerHand, end: int) -> None:
    """Infer bets that went back untold, and say that the hand is over."""
    hand.infer_returns(hand.pots or None)
    if hand.settled:
        hand.place = end
        if hand.pots:
            hand.add_event(ResultDeclared("total-pot", amount=hand.pots))
        for seat, nets in hand.nets.items():
            if len(nets) == 1:
                hand.add_event(ResultDeclared("net", seat, nets[0]))
        hand.add_event(HandCompleted())


def _seat(hand: CoinPokerHand, one: dict[str, object]) -> Seat:
    """Return the seat that a value names by number or by player, 0 if it is not in the hand."""
    seat = chair(one.get("seatId"))
    by_name = (hand.seats.get(str(one.get(name)), 0) for name in ("userName", "playerName", "username"))
    return seat if seat in hand.stacks else next(filter(None, by_name), 0)
