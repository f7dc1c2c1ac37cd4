"""Facts about cards: the deal, burns, boards, draws, and what goes wrong with them.

`deck` is a card's place in the deck, 1 = the first card off it; 0 = not witnessed.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Cards, Role, Seat, Street

HowKnown: TypeAlias = Literal["owner", "shown", "rfid", "after", "dealt-up", "unknown"]
"""By whom a hand's cards are known to the record: its owner, all (shown), a reader, after the hand."""

CardSource: TypeAlias = Literal[
    "deck", "exposed-card", "extra-card", "returned-card", "premature-card", "set-aside", "unknown"
]

ErrorKind: TypeAlias = Literal[
    "exposed-card",
    "extra-card",
    "wrong-count",
    "boxed-card",
    "joker",
    "no-burn",
    "double-burn",
    "oversize-flop",
    "premature-flop",
    "premature-turn",
    "premature-river",
    "out-of-turn",
    "missing-post",
    "barred-straddle",
    "wrong-button",
    "wrong-blinds",
    "short-pot",
    "wrong-award",
    "looked-before-post",
    "other",
]


class HoleCardsDealt(Event, frozen=True):
    """Cards went to a seat: a whole starting hand, a stud street, or a single card."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards
    up: str = ""  # "u" and "d" for each card; "" = all face down
    how: HowKnown = "owner"
    deck: tuple[int, ...] = ()


class DealCompleted(Event, frozen=True):
    """Every seat that is dealt in has its starting cards."""

    STREAM: ClassVar[str] = "hand"


class StreetDealt(Event, frozen=True):
    """Stud and draw: a street began and every live seat got its card or its draw."""

    STREAM: ClassVar[str] = "hand"

    street: Street


class HoleCardsLearned(Event, frozen=True):
    """The record shows a seat's cards after the fact, though perhaps nobody at the table saw them."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards
    how: HowKnown = "after"


class CardsOpened(Event, frozen=True):
    """A committed card was opened: the commitment and the card that it hid."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat | None
    commitment: str
    card: Cards


class CardBurned(Event, frozen=True):
    """A card was burned before a street."""

    STREAM: ClassVar[str] = "hand"

    street: Street
    card: Cards = "??"
    deck: int = 0
    source: CardSource = "deck"


class BoardDealt(Event, frozen=True):
    """Community cards were dealt."""

    STREAM: ClassVar[str] = "hand"

    street: Street
    cards: Cards
    board: int = 1  # a second board that runs from the start
    run: int = 1  # a second run after the money is in
    face_up: bool = True
    deck: tuple[int, ...] = ()
    stuck: int = 0  # how many cards stuck to another and came with it


class BoardTurnedUp(Event, frozen=True):
    """Face-down board cards were turned up."""

    STREAM: ClassVar[str] = "hand"

    street: Street
    cards: Cards = ""
    board: int = 1


class BoardWithdrawn(Event, frozen=True):
    """Board cards were taken back."""

    STREAM: ClassVar[str] = "hand"

    street: Street
    cards: Cards
    to: Literal["deck", "aside", "burn", "top", "muck", "unknown"] = "unknown"
    board: int = 1
    deck: tuple[int, ...] = ()


class CardsDiscarded(Event, frozen=True):
    """Draw games: a seat threw cards away."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    count: int
    cards: Cards = ""


class CardsDrawn(Event, frozen=True):
    """Draw games: a seat got new cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards
    how: HowKnown = "owner"


class StoodPat(Event, frozen=True):
    """Draw games: a seat kept all its cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat


class CardExposed(Event, frozen=True):
    """A card was exposed."""

    STREAM: ClassVar[str] = "hand"

    card: Cards
    seat: Seat | None = None  # whose card; None = a card of the deck
    cause: Literal["dealer", "player", "other", "unknown"] = "unknown"
    deck: int = 0


class CardReplaced(Event, frozen=True):
    """A seat's card was taken away and another given for it."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    old: Cards
    new: Cards
    source: CardSource = "deck"
    deck: int = 0  # of the new card


class CardReturned(Event, frozen=True):
    """A card went back to the deck."""

    STREAM: ClassVar[str] = "hand"

    card: Cards
    position: Literal["top", "bottom", "within", "unknown"] = "unknown"
    face_up: bool = False
    seat: Seat | None = None  # from whom
    deck: int = 0
    source: Literal["hand", "burn", "board", "extra", "unknown"] = "unknown"


class ExtraCardDealt(Event, frozen=True):
    """A seat got one card too many."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    card: Cards = "??"
    deck: int = 0


class BoxedCardFound(Event, frozen=True):
    """A card was face up in the deck."""

    STREAM: ClassVar[str] = "hand"

    card: Cards
    seat: Seat | None = None
    deck: int = 0


class JokerFound(Event, frozen=True):
    """A joker turned up."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat | None = None
    deck: int = 0


class WrongCountFound(Event, frozen=True):
    """A seat has a wrong number of cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    count: int


class MisdealDeclared(Event, frozen=True):
    """The deal was declared void; all cards come back."""

    STREAM: ClassVar[str] = "hand"

    reason: ErrorKind = "other"
    by: Role = "unknown"


class ErrorNoticed(Event, frozen=True):
    """Somebody noticed an error here. Many rules depend on when."""

    STREAM: ClassVar[str] = "hand"

    kind: ErrorKind
    by: Role = "unknown"
    seat: Seat | None = None


class CardsViewed(Event, frozen=True):
    """A player looked at the cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat


class DeckShuffled(Event, frozen=True):
    """The rest of the deck was shuffled during a hand."""

    STREAM: ClassVar[str] = "hand"

    includes: Cards = ""  # named cards that were shuffled in
    excludes: Cards = ""  # named cards that stayed out
    count: int = 0  # cards shuffled, 0 = not told


class DeckCut(Event, frozen=True):
    """The deck was cut during a hand."""

    STREAM: ClassVar[str] = "hand"


class RabbitShown(Event, frozen=True):
    """Cards that would have come were shown after the hand. They aren't a board."""

    STREAM: ClassVar[str] = "hand"

    cards: Cards
    street: Street | None = None
    board: int = 1
