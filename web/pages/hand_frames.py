"""Build a hand as one viewer may see it: its events, and the table after each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ledger.event import topic
from ledger.export.audience import HOUSE, PUBLIC, find_visible_seats, list_visible_events
from ledger.export.player_names import Naming, rename_players
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin, fold, iterate_states
from ledger.hand.state import HandState
from ledger.hidden_cards import reveal_cards
from ledger.replay import HandReplay, list_corrected
from ledger.vocabulary import UNKNOWN_CARD, Seat, split_cards
from projections.audit.knock_on import ButtonAndBlinds
from projections.reports.event_text import EventDescriber
from projections.reports.states import build_moment
from web.pages.documents import Chair, Frame, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.entry import Entry
    from ledger.people import People
    from ledger.store import HandRow, Ledger
    from projections.reports.hand_documents import HandTold, SeatDocument

_MAX_CARDS: Final = 12


class Viewer(NamedTuple):
    """Who reads a page and which names it shows (`export --as`, `--names`). `opens_cards`: hidden cards are open."""

    audience: str = HOUSE
    naming: Naming = "keep"
    opens_cards: bool = False

    @property
    def sees_everything(self) -> bool:
        """Whether nothing is hidden or renamed, so that the page may show the bytes of the source too."""
        return self.audience == HOUSE and self.naming == "keep"


class ViewedHand:
    """A hand of the ledger as one viewer may see it. It holds nothing that the viewer may not see."""

    def __init__(self, ledger: Ledger, row: HandRow, viewer: Viewer) -> None:
        """Read the hand. Keep the valid events, without what this viewer may not see."""
        self.ledger, self.row, self.viewer = ledger, row, viewer
        self.entries: list[Entry] = ledger.entries(row.stream)
        recorded_events = [cast("HandEvent", entry.event) for entry in self.entries]
        if viewer.opens_cards:
            recorded_events = reveal_cards(recorded_events, ledger.people)
        standing_events = list_corrected(recorded_events)
        seats = find_visible_seats((event for _, event in standing_events), viewer.audience, ledger.people)
        entries, events = [], []
        for version, event in standing_events:
            for visible_event in list_visible_events([event], seats):
                entries.append(self.entries[version - 1])
                events.append(visible_event)
        self.visible_entries: list[Entry] = entries
        renamed = rename_players(events, ledger.people, viewer.naming)
        self.events: list[HandEvent] = renamed[0]
        self.people: People = renamed[1]
        self._recorded = recorded_events

    @cached_property
    def final_state(self) -> HandState:
        """The state after all events."""
        return fold(self.events)

    @property
    def full_hand(self) -> HandReplay:
        """The whole hand, as the house judges it."""
        return self._build_replay(self._recorded, self.entries)

    @property
    def visible_hand(self) -> HandReplay:
        """The hand to judge: whole for the house, otherwise only what the viewer sees."""
        return (
            self.full_hand if self.viewer.audience == HOUSE else self._build_replay(self.events, self.visible_entries)
        )

    def _build_replay(self, events: Sequence[HandEvent], entries: Sequence[Entry]) -> HandReplay:
        first_entry = self.entries[0]
        origins = [entry.mark for entry in entries]
        return HandReplay(
            events,
            origins,
            self.row.stream,
            position=first_entry.position,
            recorded=first_entry.recorded,
            session=self.row.session,
        )

    def find_frame_index(self, version: int) -> int:
        """Return the index of an event's frame, or of the nearest frame before it if the viewer can't see the event."""
        versions, frame_indexes = self._frame_indexes
        count = bisect_right(versions, version)
        return frame_indexes[count - 1] if count else 0

    @cached_property
    def _frame_indexes(self) -> tuple[list[int], list[int]]:
        """The versions in order, and for each the last frame of any version up to it."""
        pairs = sorted((entry.version, frame_index) for frame_index, entry in enumerate(self.visible_entries))
        return [version for version, _ in pairs], list(accumulate((frame_index for _, frame_index in pairs), max))

    @property
    def max_frames(self) -> int:
        """How many events a page draws: fewer if each picture has very many seats."""
        seats = len(self.final_state.dealt) + len(self.final_state.left_out)
        return max(1, min(MAX_FRAMES, _MAX_SEATS // max(1, seats)))

    def build_frames(self, hand: HandTold, line_of_byte: Callable[[int], int]) -> list[Frame]:
        """Return the table after each of the first events. `line_of_byte` maps a byte of the hand to its line."""
        describer = EventDescriber(self.people)
        for event in self.events:
            describer.remember(event)
        public_state = begin()
        frames = []
        drawn_events = self.events[: self.max_frames]
        for entry, event, state in zip(self.visible_entries, drawn_events, iterate_states(drawn_events), strict=False):
            for visible_event in list_visible_events([event], frozenset()):
                apply(public_state, visible_event)
            moment = build_moment(hand, state, entry.version, describer.describe(event), describer)
            for seat in moment.seats:
                seat.cards = normalize_cards(seat.cards)
            frames.append(
                Frame(
                    version=entry.version,
                    event_text=moment.told,
                    topic=topic(type(event)),
                    street=moment.street,
                    occurred_at=entry.mark.time,
                    derived=entry.mark.basis == "derived",
                    span=self._find_span(entry, line_of_byte),
                    seats=moment.seats,
                    public=[_find_public_cards(public_state, seat) for seat in moment.seats],
                    boards=[normalize_cards(board) for board in moment.boards],
                    pots=moment.pots,
                    paid=sum(state.chips.awarded.values()) + state.chips.drop,
                    turn=moment.turn,
                    notes=moment.notes,
                )
            )
        return frames

    def _find_span(self, entry: Entry, line_of_byte: Callable[[int], int]) -> Span | None:
        origin = entry.mark
        if not origin.length or not self.row.source:
            return None
        return Span(self.row.start + origin.start, origin.length, line_of_byte(origin.start))

    def find_recorded_positions(self) -> ButtonAndBlinds:
        """Return the recorded button and blinds: as the record sets them, else by who posted."""
        state = self.final_state
        seats_by_role = {getattr(post, "role", ""): post.seat for post in reversed(state.posts)}

        def find_blind(role: str) -> Seat | None:
            seat = state.positions.get(role)
            return seats_by_role.get(role) if seat is None else seat

        return ButtonAndBlinds(state.button, find_blind("small"), find_blind("big"))


MAX_FRAMES: Final = 600
"""Events of a hand that a page draws. No real hand has so many."""
_MAX_SEATS: Final = 24 * MAX_FRAMES
"""Seats that all pictures of a hand show together. No table has 24 seats."""


def _find_public_cards(state: HandState, seat: SeatDocument) -> str:
    return normalize_cards("".join(state.hole_cards(seat.seat))) if seat.seat in state.dealt else ""


def normalize_cards(cards: str) -> str:
    """Return cards with two letters each. A sealed card, or text that isn't a card, becomes an unknown card."""
    try:
        card_list = split_cards(cards)
    except ValueError:
        return UNKNOWN_CARD
    return "".join(card if len(card) == 2 else UNKNOWN_CARD for card in card_list[:_MAX_CARDS])


def list_chairs(frames: Sequence[Frame], positions: Sequence[ButtonAndBlinds | None]) -> list[Chair]:
    """Return every seat to draw, clockwise: seats in the frames, and seats where a button or blind is or belongs."""
    names: dict[Seat, str] = {}
    max_cards: dict[Seat, int] = {}
    for frame in frames:
        for seat in frame.seats:
            names[seat.seat] = seat.player
            max_cards[seat.seat] = max(max_cards.get(seat.seat, 0), len(seat.cards) // 2)
    for blind_positions in positions:
        for marked_seat in (
            () if blind_positions is None else (blind_positions.button, blind_positions.small, blind_positions.big)
        ):
            if marked_seat is not None:
                names.setdefault(marked_seat, "")
    return [Chair(seat, name, max_cards.get(seat, 0)) for seat, name in sorted(names.items())]


def parse_audience(text: str) -> str:
    """Return an audience as `export` names it; `floor` is the house, `seat:5` is seat 5."""
    if text in ("floor", HOUSE):
        return HOUSE
    number = text.removeprefix("seat:").removeprefix("seat")
    return number if text != PUBLIC and number.isascii() and number.isdigit() else text
