"""Base class of hands in text, with the handlers that most rooms' tables of phrases share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, TypeAlias

from ledger.event import Event
from ledger.hand.betting import ClockExpired
from ledger.hand.dealing import DealCompleted, HoleCardsDealt, StoodPat
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    Half,
    HandCompleted,
    PlayerFinished,
    RemarkNoted,
    ResultDeclared,
    ShowdownBegun,
)
from ledger.hand.opening import BlindPosted, ButtonPlaced, GameSet
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsKind, ConnectionLost, ConnectionRestored, WordsSaid
from ledger.readers.games import STUD, UNRULED_CARDS
from ledger.readers.hand import SEATS, DropKind
from ledger.readers.lines import SourceLines
from ledger.readers.listed_hand import ListedHand
from ledger.readers.phrases import parse_small_number
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street

Pot: TypeAlias = tuple[int | None, Half]
"""A pot's number, None if the text doesn't say, and which half of it."""

POTS: Final[Mapping[str, Pot]] = {
    **dict.fromkeys(("pot", "the pot"), (None, "")),
    "main pot": (0, ""),
    "side pot": (1, ""),
    **{f"side pot{sign}{count}": (count, "") for count in range(1, SEATS) for sign in ("", " ", "-", " -", " #")},
    **{f"side-pot {count}": (count, "") for count in range(1, SEATS)},
}
"""Most rooms' name of a pot → the pot."""

Drops: TypeAlias = Sequence[tuple[DropKind | None, Chips]]
"""The kind and amount of each drop from a pot. The kind is None for chips that the house doesn't take."""

Value: TypeAlias = Seat | Chips | Cards | str | Pot | list[Cards] | Drops | tuple[Seat, str]
"""The value of a phrase's field."""


def build_event_handler(make: Callable[..., Event]) -> Callable[..., None]:
    """Return a handler that adds an event made from a phrase's fields. The field `name` is a seat."""

    def handle(hand: ListedHand, *seats: Seat, name: Seat | None = None, **fields: Value) -> None:
        hand.add_event(make(*((name,) if name else seats), **fields))

    return handle


def build_conditional_handler(
    condition: Callable[..., bool], handler: Callable[..., bool | None]
) -> Callable[..., bool]:
    """Return a handler that applies only to hands that meet a condition."""

    def handle_if(hand: ListedHand, *seats: Seat, **fields: Value) -> bool:
        return condition(hand) and handler(hand, *seats, **fields) is not False

    handle_if.__doc__ = handler.__doc__
    return handle_if


def is_in_summary(hand: TextHand) -> bool:
    """Whether the summary has begun."""
    return bool(hand.summary_line)


def build_seat_event_handler(make: Callable[..., Event]) -> Callable[..., None]:
    """Return a handler that adds an event about a seat and its player."""
    return lambda hand, seat, **fields: hand.add_event(make(seat, hand.get_player(seat), **fields))


def build_purchase_handler(kind: ChipsKind) -> Callable[..., None]:
    """Return a handler that adds a purchase of chips, from the field `amount`."""
    return build_seat_event_handler(lambda seat, player, amount: ChipsAdded(seat, amount, kind, "player", player))


_STREET_BEFORE: Final[Mapping[Street, Street]] = {"flop": "preflop", "turn": "flop", "river": "turn"}
"""A street with a board → the street before it."""
_MAX_HEADING_LENGTH: Final = 100
"""The maximum length of a heading."""
_HEADING: Final = re.compile(rf"\*\*[* ]*(?:dealing )?({'|'.join(_STREET_BEFORE)})\b[^\[]*\[", re.IGNORECASE)


class TextHand(ListedHand):
    """A hand read from text, line by line."""

    __slots__ = (
        "board_so_far",
        "declared_pot",
        "end_stacks",
        "is_past_names",
        "last_line",
        "lines",
        "shown_seats",
        "silent_posts",
        "summary_line",
    )

    QUIET_SUMMARY: ClassVar[bool] = False
    """Whether no line after the summary's heading begins with a name."""
    LABELS: ClassVar[tuple[str, ...]] = ("(button)", "(small blind)", "(big blind)")
    """Labels that may follow a name in a seat's line of the summary."""
    DROPS: ClassVar[Mapping[str, DropKind | None]] = {"rake": "rake", "jackpot": "jackpot"}
    """The room's word for a drop, in lower case → its kind, or None for chips that the house doesn't take."""

    place_button = build_event_handler(ButtonPlaced)
    """Reads `Dealer: Ada`."""
    finish_tournament = build_event_handler(PlayerFinished)
    """Reads `finished 3rd and wins $5`."""
    top_up = build_purchase_handler("top-up")
    """Reads `adds 3 chips`."""
    expire_clock = build_event_handler(ClockExpired)
    expire_clock_offline = build_event_handler(partial(ClockExpired, connected=False))
    stay_pat = build_event_handler(lambda seat, **_cards: StoodPat(seat))
    """Reads `stands pat`, `stands pat [2h Td 8c 7c 8s]`; the cards are the dealt ones."""
    finish_deal = build_event_handler(lambda **_fields: DealCompleted())
    """Reads a heading after the deal."""
    lose_connection, restore_connection = (
        build_seat_event_handler(ConnectionLost),
        build_seat_event_handler(ConnectionRestored),
    )

    def __init__(self, lines: SourceLines, people: People, venue: str, game: GameSet, place: int) -> None:
        super().__init__(lines, people, venue, game, place)
        self.lines = lines
        self.board_so_far: Cards = ""  # all board cards so far
        self.shown_seats: set[Seat] = set()  # seats that showed or mucked, in rooms that repeat it
        self.end_stacks: dict[Seat, tuple[Chips, int]] = {}  # stacks at the end, and their lines
        self.summary_line = 0  # the line of the summary's heading
        self.last_line = 0  # the line that ends the hand
        self.is_past_names = False  # no later line begins with a name
        self.declared_pot: Chips | None = None  # the total pot in the source
        self.silent_posts: list[tuple[Seat, int]] = []  # posts that may include a dead small blind

    def add_own_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada [9d Jd]`."""
        self.has_own_cards = True
        self.add_hole_cards(HoleCardsDealt(name, cards))

    def deal_own_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada [9d Jd]` in its place, even after the heading of the deal."""
        self.has_own_cards = True
        self.add_event(HoleCardsDealt(name, cards))

    def read_uncalled_return(self, amount: Chips, name: Seat) -> None:
        """Return an uncalled bet, or an unmatched part of an ante."""
        self.refund(name, amount)

    def declare_whole_board(self, cards: Cards) -> None:
        """Declare all board cards."""
        self.add_event(ResultDeclared("board", None, None, cards))

    def take_rake(self, amount: Chips) -> None:
        """Take the rake."""
        self.take_drop("rake", amount)

    def declare_total_pot(self, amount: Chips) -> None:
        """Read `Total pot $5`, which excludes returned bets."""
        self.declared_pot = amount
        self.add_event(ResultDeclared("total-pot", None, amount))

    def declare_net(self, seat: Seat, net: Chips) -> None:
        """Declare a player's net result; a loss is negative."""
        self.add_event(ResultDeclared("net", seat, net))

    def add_end_stacks(self) -> None:
        """Add the stacks at the end, each at its own line."""
        for seat, (stack, line_number) in self.end_stacks.items():
            self.place = line_number
            self.add_event(ResultDeclared("end-stack", seat, stack))

    def deal_street_from_board(self, street: Street | None, cards: Cards | None) -> bool:
        """Deal a street from all board cards so far.

        Return False if they don't continue the board.
        """
        if street is None or cards is None or not cards.startswith(self.board_so_far):
            return False
        new, self.board_so_far = cards[len(self.board_so_far) :], cards
        self.deal_board(street, new)
        return True

    def add_unread(self, words: str) -> None:
        """Keep an unknown line. If it is the heading of a street with damaged cards, begin the street."""
        heading = _HEADING.match(words.lstrip()) if len(words) < _MAX_HEADING_LENGTH else None
        street: Street | None = next(
            (street_word for street_word in _STREET_BEFORE if heading and heading[1].lower() == street_word), None
        )
        if street and _STREET_BEFORE[street] == self.street:
            self.deal_street(street)
        super().add_unread(words)

    def deal_new_cards(self, street: Street, cards: Cards) -> None:
        """Deal a street from its new cards."""
        self.deal_board(street, cards)

    def deal_last_card(self, street: Street, cards: Cards) -> None:
        """Deal a street from all board cards: the last card, or all cards of a flop."""
        self.deal_board(street, cards if street == "flop" else cards[-2:])

    def deal_last_cards(self, street: Street, groups: list[Cards]) -> None:
        """Deal a street whose new cards are in the last brackets."""
        self.deal_board(street, groups[-1])

    def show_cards(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand; its name may be in brackets."""
        words = claim.strip(" .,")
        if words[:1] == "(" and words[-1:] == ")":
            words = words[1:-1].strip()
        self.close_bets()
        self.add_event(CardsShown(seat, cards, after, self.people.text(words)))

    def show_known_cards(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand with its known cards; the others are unknown."""
        self.shown_seats.add(seat)
        card_count = UNRULED_CARDS.get(self.game.variant) or (
            VARIANTS[self.game.variant].hole_cards
            if self.game.variant in STUD
            else VARIANTS[self.game.variant].start_cards
        )
        missing = card_count - len(cards) // 2
        self.show_cards(seat, cards + UNKNOWN_CARD * missing, claim, after=after)

    def muck_cards(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards))

    def show_cards_once(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand, in rooms that repeat it."""
        if seat not in self.shown_seats:
            self.shown_seats.add(seat)
            self.show_cards(seat, cards, claim, after=after)

    def muck_cards_once(self, seat: Seat) -> None:
        """Muck a hand, in rooms that repeat it."""
        if seat not in self.shown_seats:
            self.shown_seats.add(seat)
            self.muck_cards(seat)

    def decline_to_show(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand without showing it."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards, declined=True))

    def say_words(self, seat: Seat, words: str) -> None:
        """Add a player's words."""
        self.add_event(WordsSaid(self.people.text(words), seat, self.get_player(seat)))

    def read_talk(self) -> bool:
        """Read chat, in rooms where no colon follows an acting player's name.

        Return False if the line isn't chat.
        """
        line = self.lines.text[self.place].strip()
        name = next((name for name in self.list_sorted_names() if line.startswith(name + ": ")), None)
        if name is not None:
            self.say_words(self.seats[name], line[len(name) + 2 :].strip())
        return name is not None

    def add_remark(self, *_fields: Value) -> None:
        """Keep the whole line, because no event can hold it."""
        self.add_event(RemarkNoted(self.people.text(self.lines.text[self.place].strip())))

    def is_damaged(self, *_fields: Value) -> None:
        """Keep the whole line as unread: only its subject is known."""
        self.add_unread(self.lines.text[self.place])

    def begin_showdown(self) -> None:
        """Begin the showdown if at least two players are left."""
        self.close_bets()
        if len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun())

    def begin_certain_showdown(self) -> None:
        """Begin the showdown, in rooms that write its heading only if there is one."""
        self.close_bets()
        self.add_event(ShowdownBegun())

    def start_summary(self) -> None:
        """Begin the summary."""
        self.close_bets()
        self.summary_line, self.is_past_names = self.summary_line or self.place, self.QUIET_SUMMARY

    def end_hand(self) -> None:
        """Read the line that ends the hand."""
        self.last_line = self.place

    def complete_hand(self) -> None:
        """Complete the hand at its last line or its summary. A hand without either broke off."""
        if line_number := self.last_line or self.summary_line:
            self.place = line_number
            self.add_event(HandCompleted())

    def ignore_line(self, *_fields: Value) -> None:
        """Skip a known line that adds nothing to the hand."""

    def split_result(self, text: str) -> tuple[Seat, str] | None:
        """Split `3: Ada (button) showed [Ah Kd]` into the seat and the text after the name and its labels.

        Return None if no player with this name is in the seat.
        """
        seat_text, _, text_after = text.partition(": ")
        seat = parse_small_number(seat_text)
        name = self.names_by_seat.get(seat)
        if name is None or not text_after.startswith(name):
            return None
        text_after = text_after[len(name) :].strip()
        while text_after[:1] == "(" and text_after.startswith(self.LABELS):
            text_after = text_after[text_after.find(")") + 1 :].lstrip()
        return seat, text_after

    def parse_drops(self, text: str) -> Drops | None:
        """Parse `Rake $0.20 | Jackpot Rake ($1)`; return None if one of the words is unknown."""
        drops: list[tuple[DropKind | None, Chips]] = []
        for part in filter(None, text.strip("| ").split(" | ")):
            words = part.strip()
            lowercase_words = words.lower()
            name = max(
                (drop_word for drop_word in self.DROPS if lowercase_words.startswith(drop_word + " ")),
                key=len,
                default=None,
            )
            if name is None:
                return None
            drops.append((self.DROPS[name], self.parse_amount(words[len(name) :].strip("() "))))
        return drops

    def take_drops(self, drops: Drops) -> None:
        """Take the house's drops from a pot."""
        for kind, amount in drops:
            if kind is not None:
                self.take_drop(kind, amount)

    def settle_bets(self) -> None:
        """Infer unwritten posts and returned bets from the awards and the rake, if somebody was paid."""
        if self.total_awarded:
            self.infer_dead_small_blinds()
            self.infer_returns(self.total_awarded + self.total_drop)
            self.leave_out_silent()

    def infer_dead_small_blinds(self) -> None:
        """Infer the dead small blinds of silent posts if the pot includes them."""
        small = self.game.blinds[0] if self.game.blinds else 0
        uncalled = sum(amount for _, amount, _ in self.uncalled_bets)
        missing = self.total_awarded + self.total_drop - self.get_total_put_in() + uncalled
        if small and self.silent_posts and missing == small * len(self.silent_posts):
            for seat, index in reversed(self.silent_posts):
                self.betting.move_chips(seat, small)
                self.insert_and_shift(index, BlindPosted(seat, "makeup-small", 0, small))
