"""A hand of a text, and the handlers that most rooms' tables of phrases share."""

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
from ledger.readers.phrases import small_number
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
"""A pot as most rooms name it."""

Drops: TypeAlias = Sequence[tuple[DropKind | None, Chips]]
"""What is taken from a pot, and how much; None for what the house doesn't take."""

Value: TypeAlias = Seat | Chips | Cards | str | Pot | list[Cards] | Drops | tuple[Seat, str]
"""What a field of a phrase holds."""


def event_handler(make: Callable[..., Event]) -> Callable[..., None]:
    """Return a handler that adds one event, made from the fields of a phrase; the field `name` holds a seat."""

    def handle(hand: ListedHand, *seats: Seat, name: Seat | None = None, **fields: Value) -> None:
        hand.add_event(make(*((name,) if name else seats), **fields))

    return handle


def handler_if(condition: Callable[..., bool], handler: Callable[..., bool | None]) -> Callable[..., bool]:
    """Return a handler that applies only to hands that meet a condition."""

    def handle_if(hand: ListedHand, *seats: Seat, **fields: Value) -> bool:
        return condition(hand) and handler(hand, *seats, **fields) is not False

    handle_if.__doc__ = handler.__doc__
    return handle_if


def in_summary(hand: TextHand) -> bool:
    """Whether the summary has begun."""
    return bool(hand.summary_line)


def seat_event_handler(make: Callable[..., Event]) -> Callable[..., None]:
    """Return a handler that adds one event about a seat and its player."""
    return lambda hand, seat, **fields: hand.add_event(make(seat, hand.player_at(seat), **fields))


def purchase_handler(kind: ChipsKind) -> Callable[..., None]:
    """Return a handler that adds a purchase of chips; the field `amount` holds how many."""
    return seat_event_handler(lambda seat, player, amount: ChipsAdded(seat, amount, kind, "player", player))


_STREET_BEFORE: Final[Mapping[Street, Street]] = {"flop": "preflop", "turn": "flop", "river": "turn"}
"""A street of a board → the one before it."""
_MAX_HEADING_LENGTH: Final = 100
"""A heading has fewer letters."""
_HEADING: Final = re.compile(rf"\*\*[* ]*(?:dealing )?({'|'.join(_STREET_BEFORE)})\b[^\[]*\[", re.IGNORECASE)


class TextHand(ListedHand):
    """A hand of a text, read line by line."""

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
    """Behind the summary's heading no line begins with a name, whatever somebody is called."""
    LABELS: ClassVar[tuple[str, ...]] = ("(button)", "(small blind)", "(big blind)")
    """What may stand behind a name in the line of the summary that says what a seat came to."""
    DROPS: ClassVar[Mapping[str, DropKind | None]] = {"rake": "rake", "jackpot": "jackpot"}
    """The room's words for what is taken of a pot, in small letters → what it is; None for what the house does not take."""

    button = event_handler(ButtonPlaced)
    """Reads `Dealer: Ada`."""
    finishes = event_handler(PlayerFinished)
    """Reads `finished 3rd and wins $5`."""
    tops_up = purchase_handler("top-up")
    """Reads `adds 3 chips`."""
    times_out = event_handler(ClockExpired)
    times_out_offline = event_handler(partial(ClockExpired, connected=False))
    stays_pat = event_handler(lambda seat, **_cards: StoodPat(seat))
    """Reads `stands pat`, `stands pat [2h Td 8c 7c 8s]`; the cards are the dealt ones."""
    deal_done = event_handler(lambda **_fields: DealCompleted())
    """Reads a heading after the deal."""
    disconnects, reconnects = seat_event_handler(ConnectionLost), seat_event_handler(ConnectionRestored)

    def __init__(self, lines: SourceLines, people: People, venue: str, game: GameSet, place: int) -> None:
        super().__init__(lines, people, venue, game, place)
        self.lines = lines
        self.board_so_far: Cards = ""  # the whole board so far
        self.shown_seats: set[Seat] = set()  # who showed or mucked, in rooms that tell it twice
        self.end_stacks: dict[Seat, tuple[Chips, int]] = {}  # stacks at the end, and where they stand
        self.summary_line = 0  # the line with which the summary begins
        self.last_line = 0  # the line that ends the hand
        self.is_past_names = False  # no line behind this one begins with a name
        self.declared_pot: Chips | None = None  # the pot that the source declares
        self.silent_posts: list[tuple[Seat, int]] = []  # a dead small blind may be in with them

    def own_cards(self, name: Seat, cards: Cards) -> None:
        """Tell `Dealt to Ada [9d Jd]`."""
        self.has_own_cards = True
        self.add_hole_cards(HoleCardsDealt(name, cards))

    def deals_own(self, name: Seat, cards: Cards) -> None:
        """Read `Dealt to Ada [9d Jd]` in its place, even after the heading of the deal."""
        self.has_own_cards = True
        self.add_event(HoleCardsDealt(name, cards))

    def returns_uncalled(self, amount: Chips, name: Seat) -> None:
        """Tell `Uncalled bet ($1.50) returned to Ada`."""
        self.refund(name, amount)

    def whole_board(self, cards: Cards) -> None:
        """Tell `Board [9c 2c Qd]` of a summary."""
        self.add_event(ResultDeclared("board", None, None, cards))

    def rake(self, amount: Chips) -> None:
        """Tell `Rake: $0.10`."""
        self.take_drop("rake", amount)

    def total_pot(self, amount: Chips) -> None:
        """Tell `Total pot $5`, which has the bets that stayed in, and not those that went back."""
        self.declared_pot = amount
        self.add_event(ResultDeclared("total-pot", None, amount))

    def declares_net(self, seat: Seat, net: Chips) -> None:
        """Tell what somebody won or, less than nothing, lost."""
        self.add_event(ResultDeclared("net", seat, net))

    def add_end_stacks(self) -> None:
        """Add the stacks at the end, each at its own line."""
        for seat, (stack, line_number) in self.end_stacks.items():
            self.place = line_number
            self.add_event(ResultDeclared("end-stack", seat, stack))

    def street_board(self, street: Street | None, cards: Cards | None) -> bool:
        """Deal a street from the whole board so far; False if that can't be."""
        if street is None or cards is None or not cards.startswith(self.board_so_far):
            return False
        new, self.board_so_far = cards[len(self.board_so_far) :], cards
        self.deal_board(street, new)
        return True

    def add_unread(self, words: str) -> None:
        """Keep a line that nobody knows; where it heads a street whose cards are damaged, the betting begins anew."""
        heading = _HEADING.match(words.lstrip()) if len(words) < _MAX_HEADING_LENGTH else None
        street: Street | None = next(
            (street_word for street_word in _STREET_BEFORE if heading and heading[1].lower() == street_word), None
        )
        if street and _STREET_BEFORE[street] == self.street:
            self.deal_street(street)
        super().add_unread(words)

    def new_cards(self, street: Street, cards: Cards) -> None:
        """Deal a street from its new cards."""
        self.deal_board(street, cards)

    def last_card(self, street: Street, cards: Cards) -> None:
        """Deal a street from the whole board: the last card, or all cards of a flop."""
        self.deal_board(street, cards if street == "flop" else cards[-2:])

    def last_cards(self, street: Street, groups: list[Cards]) -> None:
        """Deal a street whose new cards are in the last brackets."""
        self.deal_board(street, groups[-1])

    def shows(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand; its name may be in brackets."""
        words = claim.strip(" .,")
        if words[:1] == "(" and words[-1:] == ")":
            words = words[1:-1].strip()
        self.close_bets()
        self.add_event(CardsShown(seat, cards, after, self.people.text(words)))

    def shows_known(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand with its known cards; the others are unknown."""
        self.shown_seats.add(seat)
        card_count = UNRULED_CARDS.get(self.game.variant) or (
            VARIANTS[self.game.variant].hole_cards
            if self.game.variant in STUD
            else VARIANTS[self.game.variant].start_cards
        )
        missing = card_count - len(cards) // 2
        self.shows(seat, cards + UNKNOWN_CARD * missing, claim, after=after)

    def mucks(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards))

    def shows_once(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Show a hand, in rooms that repeat it."""
        if seat not in self.shown_seats:
            self.shown_seats.add(seat)
            self.shows(seat, cards, claim, after=after)

    def mucks_once(self, seat: Seat) -> None:
        """Muck a hand, in rooms that repeat it."""
        if seat not in self.shown_seats:
            self.shown_seats.add(seat)
            self.mucks(seat)

    def declines(self, seat: Seat, cards: Cards = "") -> None:
        """Muck a hand, as `does not show` says it."""
        self.close_bets()
        self.add_event(CardsMucked(seat, cards, declined=True))

    def says_words(self, seat: Seat, words: str) -> None:
        """Tell what somebody says."""
        self.add_event(WordsSaid(self.people.text(words), seat, self.player_at(seat)))

    def read_talk(self) -> bool:
        """Read `Ada: nh`, in rooms where an acting player's name has no colon; False if nobody talks."""
        line = self.lines.text[self.place].strip()
        name = next((name for name in self.names_longest_first() if line.startswith(name + ": ")), None)
        if name is not None:
            self.says_words(self.seats[name], line[len(name) + 2 :].strip())
        return name is not None

    def add_remark(self, *_fields: Value) -> None:
        """Keep the whole line, because no event can hold it."""
        self.add_event(RemarkNoted(self.people.text(self.lines.text[self.place].strip())))

    def is_damaged(self, *_fields: Value) -> None:
        """Keep the whole line as unread: only its subject is known."""
        self.add_unread(self.lines.text[self.place])

    def begins_showdown(self) -> None:
        """Begin the showdown, if anybody is left to show against."""
        self.close_bets()
        if len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun())

    def all_show(self) -> None:
        """Begin a showdown; the room writes this heading only for one."""
        self.close_bets()
        self.add_event(ShowdownBegun())

    def starts_summary(self) -> None:
        """Begin the summary."""
        self.close_bets()
        self.summary_line, self.is_past_names = self.summary_line or self.place, self.QUIET_SUMMARY

    def ends_hand(self) -> None:
        """Read the line that ends the hand."""
        self.last_line = self.place

    def complete_hand(self) -> None:
        """Say that the hand is over, where it ends or its summary begins; one that breaks off before is not."""
        if line_number := self.last_line or self.summary_line:
            self.place = line_number
            self.add_event(HandCompleted())

    def ignores(self, *_fields: Value) -> None:
        """Take a line as read that adds nothing to the hand."""

    def result_of(self, text: str) -> tuple[Seat, str] | None:
        """Return the seat of `3: Ada (button) showed [Ah Kd]` and what stands behind the name and its labels.

        None where nobody of that name sits there.
        """
        seat_text, _, text_after = text.partition(": ")
        seat = small_number(seat_text)
        name = self.names_by_seat.get(seat)
        if name is None or not text_after.startswith(name):
            return None
        text_after = text_after[len(name) :].strip()
        while text_after[:1] == "(" and text_after.startswith(self.LABELS):
            text_after = text_after[text_after.find(")") + 1 :].lstrip()
        return seat, text_after

    def drops_of(self, text: str) -> Drops | None:
        """Return what is taken of a pot by `Rake $0.20 | Jackpot Rake ($1)`; None where nobody knows of what one is."""
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
            drops.append((self.DROPS[name], self.amount(words[len(name) :].strip("() "))))
        return drops

    def takes_drops(self, drops: Drops) -> None:
        """Let the house take its parts of a pot."""
        for kind, amount in drops:
            if kind is not None:
                self.take_drop(kind, amount)

    def settle_bets(self) -> None:
        """Infer what went in and came back without a word, where somebody is paid: awards and rake tell what stayed in."""
        if self.total_awarded:
            self.infer_dead_small_blinds()
            self.infer_returns(self.total_awarded + self.total_drop)
            self.leave_out_silent()

    def infer_dead_small_blinds(self) -> None:
        """Infer the dead small blinds that went in with silent posts, where the pot has them."""
        small = self.game.blinds[0] if self.game.blinds else 0
        uncalled = sum(amount for _, amount, _ in self.uncalled_bets)
        missing = self.total_awarded + self.total_drop - self.total_put_in() + uncalled
        if small and self.silent_posts and missing == small * len(self.silent_posts):
            for seat, index in reversed(self.silent_posts):
                self.betting.move_chips(seat, small)
                self.insert_and_shift(index, BlindPosted(seat, "makeup-small", 0, small))
