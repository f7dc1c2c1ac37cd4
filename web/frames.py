"""A hand as the eyes that were chosen may see it: its events, and the table after each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ledger.event import topic
from ledger.export.audience import HOUSE, PUBLIC, seats_of, visible_events_of
from ledger.export.naming import Naming, rename_players
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin, fold, states
from ledger.hand.state import HandState
from ledger.hiding import reveal_cards
from ledger.replay import HandReplay, corrected
from ledger.vocabulary import UNKNOWN_CARD, Seat, split_cards
from projections.audit.knock_on import Spots
from projections.reports.event_text import EventDescriber
from projections.reports.states import build_moment
from web.documents import Chair, Frame, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.entry import Entry
    from ledger.people import People
    from ledger.store import HandRow, Ledger
    from projections.reports.hand_documents import HandTold, SeatTold

_CARDS_MOST: Final = 12


class Eyes(NamedTuple):
    """For whom a page is, and under which names: as `export --as` and `--names`. `opening`: hidden cards are opened."""

    audience: str = HOUSE
    naming: Naming = "keep"
    opening: bool = False

    @property
    def plain(self) -> bool:
        """Whether everything may be seen as it stands: then the very bytes of the source may be, too."""
        return self.audience == HOUSE and self.naming == "keep"


class Seen:
    """A hand of the ledger through some eyes: what they may not see is in none of it."""

    def __init__(self, ledger: Ledger, row: HandRow, eyes: Eyes) -> None:
        """Read the hand, take the events that stand, and out of them what is hidden from these eyes."""
        self.ledger, self.row, self.eyes = ledger, row, eyes
        self.entries: list[Entry] = ledger.entries(row.stream)
        recorded = [cast("HandEvent", entry.event) for entry in self.entries]
        if eyes.opening:
            recorded = reveal_cards(recorded, ledger.people)
        standing = corrected(recorded)
        seats = seats_of((event for _, event in standing), eyes.audience, ledger.people)
        kept, events = [], []
        for version, event in standing:
            for one in visible_events_of([event], seats):
                kept.append(self.entries[version - 1])
                events.append(one)
        self.kept: list[Entry] = kept
        named = rename_players(events, ledger.people, eyes.naming)
        self.events: list[HandEvent] = named[0]
        self.people: People = named[1]
        self._recorded = recorded

    @cached_property
    def final(self) -> HandState:
        """The state after all events."""
        return fold(self.events)

    @property
    def whole(self) -> HandReplay:
        """The hand as the house may judge it."""
        return self._played(self._recorded, self.entries)

    @property
    def played(self) -> HandReplay:
        """The hand to be judged: whole for the house, otherwise what these eyes see of it."""
        return self.whole if self.eyes.audience == HOUSE else self._played(self.events, self.kept)

    def _played(self, events: Sequence[HandEvent], entries: Sequence[Entry]) -> HandReplay:
        first = self.entries[0]
        marks = [entry.mark for entry in entries]
        return HandReplay(
            events, marks, self.row.stream, position=first.position, recorded=first.recorded, session=self.row.session
        )

    def place_of(self, version: int) -> int:
        """Return the place among the frames of an event; of the nearest before, if these eyes do not see it."""
        versions, places = self._places
        at = bisect_right(versions, version)
        return places[at - 1] if at else 0

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        """The versions in order, and the last place among the frames of any up to each."""
        pairs = sorted((entry.version, at) for at, entry in enumerate(self.kept))
        return [version for version, _ in pairs], list(accumulate((at for _, at in pairs), max))

    @property
    def most_frames(self) -> int:
        """How many events are drawn: fewer where each picture has very many seats."""
        seats = len(self.final.dealt) + len(self.final.left_out)
        return max(1, min(FRAMES_MOST, _SEATS_MOST // max(1, seats)))

    def frames(self, hand: HandTold, line: Callable[[int], int]) -> list[Frame]:
        """Return the table after each of the first events; `line` tells the line of a byte of the hand."""
        teller = EventDescriber(self.people)
        for event in self.events:
            teller.remember(event)
        public = begin()
        made = []
        some = self.events[: self.most_frames]
        for entry, event, state in zip(self.kept, some, states(some), strict=False):
            for one in visible_events_of([event], frozenset()):
                apply(public, one)
            now = build_moment(hand, state, entry.version, teller.describe(event), teller)
            for seat in now.seats:
                seat.cards = tidy(seat.cards)
            made.append(
                Frame(
                    version=entry.version,
                    told=now.told,
                    topic=topic(type(event)),
                    street=now.street,
                    at=entry.mark.at,
                    derived=entry.mark.how == "derived",
                    span=self._span(entry, line),
                    seats=now.seats,
                    public=[_public(public, seat) for seat in now.seats],
                    boards=[tidy(board) for board in now.boards],
                    pots=now.pots,
                    paid=sum(state.chips.awarded.values()) + state.chips.drop,
                    turn=now.turn,
                    notes=now.notes,
                )
            )
        return made

    def _span(self, entry: Entry, line: Callable[[int], int]) -> Span | None:
        mark = entry.mark
        if not mark.length or not self.row.source:
            return None
        return Span(self.row.start + mark.start, mark.length, line(mark.start))

    def recorded_spots(self) -> Spots:
        """Return where button and blinds are, as the record has it: by what it says, else by who posted."""
        state = self.final
        posted = {getattr(post, "role", ""): post.seat for post in reversed(state.posts)}

        def blind(role: str) -> Seat | None:
            told = state.positions.get(role)
            return posted.get(role) if told is None else told

        return Spots(state.button, blind("small"), blind("big"))


FRAMES_MOST: Final = 600
"""Events of a hand that are drawn: no hand that was played has so many."""
_SEATS_MOST: Final = 24 * FRAMES_MOST
"""Seats that are drawn in all pictures of a hand together: no table has 24."""


def _public(state: HandState, seat: SeatTold) -> str:
    return tidy("".join(state.hole(seat.seat))) if seat.seat in state.dealt else ""


def tidy(cards: str) -> str:
    """Return cards as two letters each: what is sealed, or is no card, is an unknown one."""
    try:
        each = split_cards(cards)
    except ValueError:
        return UNKNOWN_CARD
    return "".join(card if len(card) == 2 else UNKNOWN_CARD for card in each[:_CARDS_MOST])


def chairs(frames: Sequence[Frame], spots: Sequence[Spots | None]) -> list[Chair]:
    """Return all places that are drawn: who is told of, and where a button or blind lies or belongs, clockwise."""
    names: dict[Seat, str] = {}
    most: dict[Seat, int] = {}
    for frame in frames:
        for seat in frame.seats:
            names[seat.seat] = seat.player
            most[seat.seat] = max(most.get(seat.seat, 0), len(seat.cards) // 2)
    for spot in spots:
        for where in () if spot is None else (spot.button, spot.small, spot.big):
            if where is not None:
                names.setdefault(where, "")
    return [Chair(seat, name, most.get(seat, 0)) for seat, name in sorted(names.items())]


def audience_of(told: str) -> str:
    """Return an audience as `export` names it; `floor` is the house, `seat:5` is seat 5."""
    if told in ("floor", HOUSE):
        return HOUSE
    number = told.removeprefix("seat:").removeprefix("seat")
    return number if told != PUBLIC and number.isascii() and number.isdigit() else told
