"""A table's hands one after the other, each seen with what came before it at the table.

`Table` walks a table's stream in the table's own order, keeps its state, and for each rulebook what
its players owe. Detectors about tables are given the `Sitting` of the hand that is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from ledger.table.events import HandPlayed
from ledger.table.fold import apply, begin
from ledger.table.order import Told, ordered
from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations.due import Due, SeatDue

try:
    from projections.obligations.engine import Obligations
except ImportError:

    class Obligations:
        def __init__(self, policy, book):
            self.book = book

        def between(self, told, state): ...
        def due(self, state, *, hand=None):
            return Due(self.book, "", (), (), unknown="not built")

        def take(self, hand, state, due): ...


if TYPE_CHECKING:
    from projections.course import Course
    from projections.policy import Policy
    from projections.rulebook import Rulebook


class Keeper(Protocol):
    """Keeps what a table's players owe under one book: `projections.obligations.engine`."""

    def between(self, told: Told, state: TableState) -> None:
        """Take an event that is no hand; `state` has taken it."""

    def due(self, state: TableState, *, hand: HandPlayed | None = None) -> Due:
        """Return what is due on `hand`, or on the coming one; `state` is the table before it."""
        ...

    def take(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Learn from a hand; `state` is the table before it."""


class Sitting:
    """One hand of a table under one book. `state` is the table just before the hand: do not keep it."""

    __slots__ = ("_due", "_keeper", "before", "between", "book", "course", "hand", "state", "told")

    course: Course  # of the account that is judged, once it is

    def __init__(
        self, book: Rulebook, keeper: Keeper, state: TableState, told: Told,
        between: Sequence[Told], before: HandPlayed | None,
    ) -> None:  # fmt: skip
        """Take the book, the table before the hand, the hand as told, and what was told since."""
        self.book = book
        self.state = state
        self.told = told  # with its version in the table's stream
        assert isinstance(told.event, HandPlayed)  # noqa: S101 - a table walks by its hands
        self.hand: HandPlayed = told.event
        self.between = between
        self.before = before  # the hand played before this one, whatever is missing in between
        self._keeper = keeper
        self._due: Due | None = None

    @property
    def policy(self) -> Policy:
        """What the book says at each point of decision."""
        return self.book.policy

    @property
    def due(self) -> Due:
        """What was due on this hand, of those who were dealt in."""
        if self._due is None:
            self._due = self._keeper.due(self.state, hand=self.hand)
        return self._due

    def seat(self, seat: Seat) -> SeatDue | None:
        """Return what was due from a seat."""
        return self.due.seat(seat)

    def version_of(self, what: str, seat: Seat | None = None) -> int:
        """Return the version, in the hand's stream, of the event that a breach points at.

        `what` as for `Course.version_of`. What the record does not tell is pointed at by the next
        best: the line that deals the seat in or leaves it out, the button, the hand's beginning.
        """
        found = self.course.version_of(what, seat)
        return (
            found or self.course.version_of("dealt", seat) or self.course.version_of("button") or 1
        )


class Table:
    """A table that is walked under some books, from an empty chair to the coming hand."""

    def __init__(self, books: Iterable[Rulebook]) -> None:
        """Take the books."""
        self.state = begin()
        self.between: list[Told] = []  # told since the last hand
        self.before: HandPlayed | None = None
        self._kept = [(book, keeper(book)) for book in books]

    def sittings(self, told: Iterable[Told]) -> Iterator[dict[str, Sitting]]:
        """Yield for each hand of a table's stream its sitting under each book, by the book's name.

        The state that they share goes on when the next is asked for.
        """
        for one in ordered(told):
            if isinstance(one.event, HandPlayed):
                sat = {
                    book.name: Sitting(book, kept, self.state, one, self.between, self.before)
                    for book, kept in self._kept
                }
                yield sat
                self._played(one, one.event, sat)
            else:
                self._told(one)

    def _told(self, one: Told) -> None:
        if one.at is not None:
            self.state.at = one.at
        apply(self.state, one.event)
        self.between.append(one)
        for _, kept in self._kept:
            kept.between(one, self.state)

    def _played(self, one: Told, hand: HandPlayed, sat: dict[str, Sitting]) -> None:
        for book, kept in self._kept:
            kept.take(hand, self.state, sat[book.name].due)
        at = hand.started if hand.started is not None else one.at
        if at is not None:
            self.state.at = at
        apply(self.state, hand)
        self.between, self.before = [], hand

    def coming(self) -> dict[str, Due]:
        """Return what is due on the coming hand under each book, by the book's name."""
        return {book.name: kept.due(self.state) for book, kept in self._kept}


def keeper(book: Rulebook) -> Keeper:
    """Return what keeps the obligations of a table under a book; it knows nothing of the table yet."""
    kept: Keeper = Obligations(getattr(book, "policy", None), book.name)
    return kept
