"""A table's hands one after the other, each seen with what came before it at the table.

`Table` walks a table's stream in the table's own order, keeps its state, and for each rulebook what
its players owe. Detectors about tables are given the `TableContext` of the hand that is judged; what the
table was told to be allowed, agreed or in force counts for detectors about one hand too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import msgspec

from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import Agreed, PermissionGranted
from ledger.presence import ChipsAdded, ChipsRemoved, StackCounted, WordsSaid
from ledger.table.breaks import Break, between
from ledger.table.carry import fitted
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import apply, begin
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.table.listing import listed
from ledger.table.order import Told, in_order
from ledger.table.state import TableState
from ledger.vocabulary import Millis, PlayerId, Seat, Witness
from projections.findings.doubts import NearestDoubts, RecordDoubts, UnreadLines
from projections.obligations.dues import Doubtful, Due, Placement, SeatDue, methods_of
from projections.obligations.obligations import Obligations
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.tab import Tab

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.obligations.policy import Policy
    from projections.timeline.hand_timeline import Timeline

_BUTTON: Final = int(Witness.BUTTON)
_REGULAR: Final = frozenset({"small", "big", "extra"})
_HARMLESS: Final[frozenset[type]] = frozenset(
    (TableOpened, ChipsAdded, ChipsRemoved, StackCounted, WordsSaid, RemarkNoted)
)
"""Facts between hands that change nothing of what is due."""

_UNASKED: Final = frozenset({"playing", "unknown"})
_DAY: Final = 24 * 60 * 60 * 1000
"""How long a permission for the day lasts, in milliseconds, where both times are known."""


class Keeper(Protocol):
    """Keeps what a table's players owe under one book: `projections.obligations.obligations`."""

    @property
    def memory(self) -> PlayerTabs:
        """What is remembered of the players."""
        ...

    def apply_table_event(self, entry: Told, state: TableState) -> None:
        """Take an event that is no hand; `state` has taken it."""

    def due(self, state: TableState) -> Due:
        """Return what is due on the coming hand."""
        ...

    def positions_for(self, state: TableState, hand: HandPlayed) -> Due:
        """Return the positions that are due on `hand`; `state` is the table before it."""
        ...

    def add_seat_dues(self, due: Due, state: TableState, hand: HandPlayed) -> Due:
        """Add to the positions of a hand what is due from each seat."""
        ...

    def is_presence_unknown(self, state: TableState, hand: HandPlayed) -> bool:
        """Whether `hand` lies behind missing hands, and nothing was told since of who sits there."""
        ...

    def apply_hand(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Learn from a hand; `state` is the table before it."""


class TableContext:
    """One hand of a table under one book. `state` is the table just before the hand: do not keep it."""

    __slots__ = (
        *("_due", "_keeper", "_offered", "_placed", "_table", "before", "between", "book", "course", "hand", "state"),
        "told",
    )

    course: Timeline  # of the account that is judged, once it is

    def __init__(self, book: Rulebook, keeper: Keeper, table: Table, told: Told, hand: HandPlayed) -> None:
        """Take the book, the table before the hand, and the hand as the table was told of it."""
        self.book = book
        self.state = table.state
        self.told = told  # with its version in the table's stream
        self.hand = hand
        self.between: Sequence[Told] = table.between  # told since the last hand
        self.before = table.before  # the last hand, whatever is missing in between
        self._keeper = keeper
        self._table = table
        self._placed: Due | None = None
        self._due: Due | None = None
        self._offered: Due | None = None

    @property
    def policy(self) -> Policy:
        """What the book says at each point of decision."""
        return self.book.policy

    @property
    def due(self) -> Due:
        """What was due on this hand, of those who were dealt in."""
        if self._due is None:
            self._due = self._keeper.add_seat_dues(self.placed, self.state, self.hand)
        return self._due

    @property
    def offered(self) -> Due:
        """What was due before anybody was dealt in: as it was shown then."""
        if self._offered is None:
            self._offered = self._keeper.due(self.state)
        return self._offered

    @property
    def placed(self) -> Due:
        """The positions that were due, without the seats."""
        if self._placed is None:
            self._placed = self._keeper.positions_for(self.state, self.hand)
        return self._placed

    @property
    def quiet(self) -> bool:
        """Whether nothing happened that a clause about tables could speak against.

        Nobody came, left, owes or waits; everybody is dealt in; button and posts are those of a
        placement of the book, to the chip. Of judging complete evenings it saves 15 %, of sampled hands 3 %.
        """
        hand = self.hand
        if (
            self.placed.unknown
            or self.before is None
            or hand.left_out
            or hand.skipped
            or hand.voided
            or (self.between and any(type(one.event) not in _HARMLESS for one in self.between))
        ):
            return False
        for held in self.state.seats.values():  # asked of every hand: a generator costs more
            if held.presence != "present":
                return False
        due = self.due
        known = self._table.settled.get(self.book.name)
        if known is None or known[0] is not due.seats:
            known = self._table.settled[self.book.name] = due.seats, _settled(due.seats)
        return known[1] and _fits(due.placements, hand)

    @property
    def calm(self) -> bool:
        """Whether everybody who is dealt in just plays on, and may have the button."""
        dealt = {one.seat for one in self.hand.dealt_in}
        return all(
            one.standing == "playing" and one.deal == "yes" and not one.barred
            for one in self.due.seats
            if one.seat in dealt
        )

    @property
    def blank(self) -> bool:
        """Whether the book asks nothing that is known of anybody who is dealt in, nor of positions.

        So it is behind missing hands, where nothing was told of anybody: no clause can speak.
        """
        if self.placed.placements:
            return self.calm
        if self._keeper.is_presence_unknown(self.state, self.hand):
            return True
        dealt = {one.seat for one in self.hand.dealt_in}
        return all(
            one.standing in _UNASKED
            and one.deal in ("yes", "open")
            and not one.barred
            and not one.post
            and not one.missed
            and not one.possible_posts
            and not one.ways_in
            for one in self.due.seats
            if one.seat in dealt
        )

    @property
    def fits(self) -> bool:
        """Whether button and blinds are told, and are those of a placement of the book, to the chip."""
        places = self.due.placements
        return (
            bool(self.hand.witnesses & _BUTTON)
            and all(place.button is not None for place in places if place.judged)
            and _fits(places, self.hand)
        )

    def seat(self, seat: Seat) -> SeatDue | None:
        """Return what was due from a seat."""
        return self.due.seat(seat)

    @property
    def memory(self) -> PlayerTabs:
        """What is remembered of the table's players from before the hand: do not keep it."""
        return self._keeper.memory

    def tab(self, player: PlayerId) -> Tab:
        """Return what is remembered of a player from before the hand."""
        return self.memory.tab_of(player)

    def doubts(self, seat: Seat | None = None) -> NearestDoubts:
        """Return what of the record may be wanting for what is said of positions, or of a seat.

        Positions rest on the hand before, and on how those came in whom the button passes over; what a
        seat owes on all since it last paid or came.
        """
        nearest = partial(self._table.doubts.list_nearest, self.state, self.hand)
        due = None if seat is None else self.seat(seat)
        if due is not None:
            # whether who gave up a seat and came back owes something rests on all that was told before
            return nearest("" if due.player in self.state.gone else rests_on(due, self.tab(due.player)))
        found = nearest()
        for one in self.due.seats if seat is None else ():
            if one.barred or one.button is False:
                more = nearest(rests_on(one, self.tab(one.player)))
                said = list(dict.fromkeys([*found.nearest, *more.nearest]))
                found = NearestDoubts(said, max(found.omitted, more.omitted))
        return found

    def version_of(self, what: str, seat: Seat | None = None) -> int:
        """Return the version, in the hand's stream, of the event that a breach points at.

        `what` as for `Timeline.version_of`. What the record does not tell is pointed at by the next
        best: the line that deals the seat in or leaves it out, the button, the hand's beginning.
        """
        return (
            self.course.version_of(what, seat)
            or self.course.version_of("dealt", seat)
            or self.course.version_of("button")
            or 1
        )


def rests_on(due: SeatDue, tab: Tab) -> str:
    """Return the hand since which it is told what is due from a seat; "" = all that is known.

    Debts rest on all since the player last paid; who may not have the button, on how the player came in.
    """
    if tab.settlement is None or due.barred or due.button is False:
        return tab.arrived_after
    return tab.settlement.hand


def _settled(seats: tuple[SeatDue, ...]) -> bool:
    """Whether every seat just plays on: nothing owed, nothing barred."""
    return all(
        one.standing == "playing" and one.deal == "yes" and one.button is not False and not one.post and not one.missed
        for one in seats
    )


def _fits(placements: tuple[Placement, ...], hand: HandPlayed) -> bool:
    """Whether a hand has the button and the posts of a placement, and no other posts than antes."""
    posts = []
    for post in hand.posts:
        if post.role in _REGULAR:
            posts.append((post.seat, post.role, post.live, post.dead))
        elif post.role != "ante":
            return False
    sure = [place for place in placements if place.judged and not place.doubtful]
    fitting = [
        place
        for place in sure
        if place.button is not None
        and place.button == hand.button
        and hand.small in (None, place.small)
        and hand.big in (None, place.big)
        and len(place.posts) == len(posts)
        and all((due.seat, due.role, due.live, due.dead) in posts for due in place.posts)
    ]
    # Where the house has the choice and it is not told, the record may be right by one method alone.
    return bool(fitting) and (
        len(sure) == len(fitting) or "dead" not in methods_of(sure) or methods_of(sure) == methods_of(fitting)
    )


class TableContexts:
    """One hand of a table under each book, by the book's name."""

    def __init__(self, table: Table, told: Told, hand: HandPlayed) -> None:
        """Take the table before the hand, and the hand as told."""
        self.hand = hand
        self._table = table
        self._told = told
        self._made: dict[str, TableContext] = {}
        self._in_force: InForce | None = None

    def __getitem__(self, book: str) -> TableContext:
        """Return the context under a book."""
        made = self._made.get(book)
        if made is None:
            rules, keeper = self._table.kept[book]
            made = self._made[book] = TableContext(rules, keeper, self._table, self._told, self.hand)
        return made

    @property
    def table(self) -> Table:
        """The table before the hand; it goes on with the next."""
        return self._table

    @property
    def version(self) -> int:
        """The version of the hand in the table's stream."""
        return self._told.version

    def other(self, hand: HandPlayed) -> TableContexts:
        """Return the sittings of another account of the same hand, in the same place."""
        return TableContexts(self._table, self._told, listed(self._table.state, hand))

    def instead(self, hand: HandPlayed) -> None:
        """Let the table go on as if `hand` had been played in this one's place."""
        self.hand = hand
        self._made.clear()

    @property
    def away(self) -> bool:
        """Whether somebody is away as far as the table was told before the hand."""
        for held in self._table.state.seats.values():  # noqa: SIM110 - asked of every hand: a generator costs more
            if held.presence == "away":
                return True
        return False

    @property
    def told(self) -> bool:
        """Whether something was told since the last hand that may change what is due."""
        between = self._table.between
        return bool(between) and any(type(one.event) not in _HARMLESS for one in between)

    @property
    def spoiled(self) -> UnreadLines:
        """What of the hand, and of what lies before it, was not read."""
        return self._table.doubts.unread_lines(self._table.state, self.hand)

    @property
    def in_force(self) -> InForce:
        """What the table was told that counts in this hand."""
        if self._in_force is None:
            self._in_force = self._table.in_force(self.hand)
        return self._in_force


class Table:
    """A table that is walked under some books, from an empty chair to the coming hand."""

    def __init__(self, books: Iterable[Rulebook], spoiled: Mapping[str, UnreadLines] = MappingProxyType({})) -> None:
        """Take the books, and what of the hands was not read, by the id of the hand's stream."""
        self.state = begin()
        self.doubts = RecordDoubts(spoiled)
        self.between: list[Told] = []  # told since the last hand
        self.before: HandPlayed | None = None
        self.kept: dict[str, tuple[Rulebook, Keeper]] = {book.name: (book, keeper(book)) for book in books}
        self.settled: dict[str, tuple[tuple[SeatDue, ...], bool]] = {}  # the last answer for a book
        self.granted: list[Granted] = []
        self.broken: list[Break] = []  # where the chain of its hands breaks, oldest first

    def contexts(self, told: Iterable[Told]) -> Iterator[TableContexts]:
        """Yield for each hand of a table's stream its sittings; the table goes on with the next."""
        for one in in_order(told):
            event = one.event
            if isinstance(event, HandPlayed):
                self.state.guessed = one.guessed
                sat = TableContexts(self, one, listed(self.state, event))
                yield sat
                self._played(one, sat.hand, sat)
            else:
                self._told(one)

    def _told(self, one: Told) -> None:
        if one.at is not None:
            self.state.at = one.at
        apply(self.state, one.event)
        self.between.append(one)
        self._grant(one.event)
        for _, kept in self.kept.values():
            kept.apply_table_event(one, self.state)

    def _played(self, one: Told, hand: HandPlayed, sat: TableContexts) -> None:
        for name, (_, kept) in self.kept.items():
            kept.apply_hand(hand, self.state, sat[name].placed)
        self.doubts.add_hand(self.state, hand)
        if (broken := self.break_before(hand)) is not None:
            self.broken.append(broken)
        at = hand.started if hand.started is not None else one.at
        if at is not None:
            self.state.at = at
        apply(self.state, hand)
        self.between, self.before = [], hand
        if self.granted:
            self.granted = [one for one in self.granted if one.lasts]
        for event in hand.within:
            self._grant(event)
            if self.granted and not self.granted[-1].lasts:
                del self.granted[-1]  # it counted in that hand alone

    def _grant(self, event: object) -> None:
        if isinstance(event, PermissionGranted | Agreed):
            seat = event.seat if isinstance(event, PermissionGranted) else None
            held = None if seat is None else self.state.seats.get(seat)
            self.granted.append(Granted(event, held.player if held else "", self.state.at))

    def in_force(self, hand: HandPlayed) -> InForce:
        """Return what was told before and counts in `hand`."""
        if not self.granted and not self.state.options and not self.state.notices:
            return NOTHING_IN_FORCE
        permissions = [self._allowed(one, hand) for one in self.granted]
        return InForce(
            {str(name): value for name, value in self.state.options.items()},
            tuple(one for one in permissions if one is not None),
            tuple(one.event for one in self.granted if isinstance(one.event, Agreed)),
            len(self.state.notices),
        )

    def _allowed(self, one: Granted, hand: HandPlayed) -> PermissionGranted | None:
        """Return a permission as it holds in a hand: it goes with the player, not with the seat."""
        event = one.event
        if isinstance(event, Agreed) or one.over(hand.started):
            return None
        if not one.player:
            return event
        player = self.state.identities.get(one.player, one.player)
        for seat, who in ((dealt.seat, dealt.player) for dealt in hand.dealt_in):
            if who == player:
                return PermissionGranted(event.by, event.subject, seat, event.scope, event.person, event.amount)
        return None

    def break_before(self, hand: HandPlayed) -> Break | None:
        """Return where the chain of hands breaks between the last one and `hand`, which the table has not taken yet."""
        if self.before is None:
            return None
        _, fit, gap = fitted(self.state, hand)
        return between(self.before, hand, fit, gap)

    def coming(self) -> dict[str, Due]:
        """Return what is due on the coming hand under each book, by the book's name."""
        return {name: kept.due(self.state) for name, (_, kept) in self.kept.items()}

    def doubted(self, book: str, due: Due, hand: HandPlayed | None) -> Due:
        """Return what is due on a hand with what is doubtful of it, as findings will say it."""
        memory = self.kept[book][1].memory
        nearest = partial(self.doubts.list_nearest, self.state, hand)
        told: list[tuple[Seat | None, NearestDoubts]] = [(None, nearest())]
        told += [(one.seat, nearest(rests_on(one, memory.tab_of(one.player)))) for one in due.seats]
        found = tuple([Doubtful(seat, tuple(one.nearest), one.omitted) for seat, one in told if one.nearest])
        return msgspec.structs.replace(due, doubts=found) if found and not due.unknown else due


class Granted(NamedTuple):
    """A permission or agreement that was told at the table: to whom and when."""

    event: PermissionGranted | Agreed
    player: PlayerId  # who sat in the seat that it names; "" = it names none
    at: Millis | None

    @property
    def lasts(self) -> bool:
        """Whether it holds beyond the next hand."""
        return isinstance(self.event, PermissionGranted) and self.event.scope != "hand"

    def over(self, now: Millis | None) -> bool:
        """Whether it was for a day that is over."""
        event = self.event
        if isinstance(event, Agreed) or event.scope != "day":
            return False
        return now is not None and self.at is not None and now - self.at >= _DAY


def of_tables(books: Iterable[Rulebook]) -> list[Rulebook]:
    """Return the books that have clauses about tables; the others need no walk."""
    return [book for book in books if any(c.spec is not None and c.spec.reads_table for c in book.clauses.values())]


def keeper(book: Rulebook) -> Keeper:
    """Return what keeps the obligations of a table under a book; it knows nothing of the table yet."""
    kept: Keeper = Obligations(book.policy, book.name)
    return kept
