"""The documents of a page that keeps a table by buttons: the acts that it offers, and the next hand as a drawing.

Every text is in the language in force. A `line` is what the page sends; it fills in the fields in braces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from ledger.vocabulary import Chips, Millis, Seat
from projections.live.entry_choices import PickKind
from projections.live.live_document import FindingSoFar
from projections.sentences.due import open_question

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.obligations.dues import Ground

DEFAULT_CHAIR_COUNT: Final = 9
"""Chairs of a table that doesn't say how many it has."""

OfferField: TypeAlias = Literal["chips", "card", "who", "chair"]
"""What a page must ask for before it sends a line: `{chips}`, `{card}`, `{who}` and `{chair}` in it."""


class ClauseQuote(msgspec.Struct, frozen=True):
    """A clause with its text."""

    book: str
    clause: str
    says: str


class OfferReason(msgspec.Struct, frozen=True):
    """A sentence, and the clauses that it rests on."""

    sentence: str
    clauses: list[ClauseQuote] = []


class Preset(msgspec.Struct, frozen=True):
    """A usual amount: its label, and how a line writes it."""

    label: str
    text: str


class Offer(msgspec.Struct, kw_only=True):
    """Something that can be recorded now, by one press or after a choice."""

    name: str  # a code that doesn't change: "misdeal", "away"
    label: str
    line: str = ""  # "" = one of `options` is pressed
    needs: list[OfferField] = []
    presets: list[Preset] = []
    options: list[Offer] = []
    chairs: list[Seat] = []  # for {chair}
    reasons: list[OfferReason] = []
    note: str = ""  # what it does, before it is pressed


class Pick(msgspec.Struct, kw_only=True):
    """A choice of one player for the next hand."""

    pick: PickKind
    label: str
    is_chosen: bool = msgspec.field(default=False, name="chosen")
    reasons: list[OfferReason] = []


class DrawnPost(msgspec.Struct, frozen=True):
    """A post in the drawing of the next hand."""

    seat: Seat
    role: str
    live: Chips
    dead: Chips
    label: str


class DrawnSeat(msgspec.Struct, kw_only=True):
    """A seat in the drawing of the next hand."""

    seat: Seat
    player: str
    stack: Chips | None
    is_dealt: bool = msgspec.field(name="dealt")
    why: str = ""  # why it gets no cards
    picks: list[Pick] = []  # if its player has a choice


class DealDrawing(msgspec.Struct, kw_only=True):
    """The next hand as it would be dealt."""

    number: str
    label: str  # of the button that records it
    line: str  # "" = it can't be dealt so
    button: Seat | None = None
    is_button_empty: bool = msgspec.field(default=False, name="button_empty")
    is_button_manual: bool = msgspec.field(default=False, name="by_hand")  # the button isn't where the book has it
    seats: list[DrawnSeat] = []
    posts: list[DrawnPost] = []
    notes: list[OfferReason] = []  # on what looks like an error but isn't, and on what the book leaves open
    broken: list[FindingSoFar] = []  # what this hand breaks
    lacks: str = ""  # why it can't be dealt yet, and what to do
    button_seats: list[Seat] = []  # chairs where somebody may place the button
    straddle_reasons: list[OfferReason] = []  # what the book says on who may straddle, and how much


class ChairSheet(msgspec.Struct, kw_only=True):
    """A chair, and what can be recorded of it now."""

    seat: Seat
    player: str = ""  # "" = it's empty
    owes: str = ""
    offers: list[Offer] = []
    reasons: list[OfferReason] = []  # why it owes
    new_player: str = ""  # of an empty chair: a name that nobody in this room has yet


class RecordedAct(msgspec.Struct, kw_only=True):
    """An event that was recorded lately."""

    label: str
    line: str  # in handscript
    position: int  # in the log
    is_taken_back: bool = msgspec.field(default=False, name="taken_back")
    moment: Millis | None = msgspec.field(default=None, name="at")
    # How many times to send "u" to take back this act and all later ones; 0 = it can't be taken back:
    undo_count: int = msgspec.field(default=0, name="undo")


class TableOffers(msgspec.Struct, kw_only=True):
    """What can be recorded at a table now, and what was recorded last."""

    deal: DealDrawing | None = None  # None in a hand
    chairs: list[ChairSheet] = []
    events: list[Offer] = []
    players: list[str] = []  # names to choose from for somebody who sits down
    recent: list[RecordedAct] = []  # the newest first
    undo: str = ""  # what is taken back next; "" = nothing
    undo_line: str = ""  # what takes it back


def quote_grounds(grounds: Iterable[Ground], book: Rulebook | None) -> list[OfferReason]:
    """Return grounds as whole sentences with the texts of their clauses, each sentence once."""
    sentences: dict[str, OfferReason] = {}
    for ground in grounds:
        sentence = open_question(ground.sentence) if ground.is_question else ground.sentence
        sentences.setdefault(sentence, OfferReason(sentence, quote_clauses(ground.clauses, book)))
    return list(sentences.values())


def quote_clauses(clauses: Iterable[str], book: Rulebook | None) -> list[ClauseQuote]:
    """Return clauses of a book with their texts."""
    if book is None:
        return []
    return [
        ClauseQuote(book.name, clause, book.clauses[clause].entry.says) for clause in clauses if clause in book.clauses
    ]


def quote_straddle_rules(book: Rulebook | None) -> list[OfferReason]:
    """Return what the book says on who may straddle, and how much."""
    if book is None:
        return []
    rulings = [book.policy.get(point) for point in ("straddle.seat", "straddle.size")]
    clauses = [clause for ruling in rulings if ruling is not None for clause in ruling.clauses]
    return [OfferReason(quote.says, [quote]) for quote in quote_clauses(clauses, book)]
