"""The next hand as a drawing to confirm: who is dealt in, where button and blinds are, and who may still choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.hand.dealing import DealCompleted
from ledger.hand.opening import BlindPosted, ButtonPlaced, HandOpened, SeatDealtIn, SeatLeftOut
from ledger.text.language import phrase
from projections.amount_text import amount
from projections.live.entry_picks import EntryPicks
from projections.live.game_facts import find_blinds
from projections.live.live_document import build_finding_so_far
from projections.live.next_hand import (
    DealPlan,
    Proposal,
    list_seats_to_deal_in,
    make_next_number,
    place_button,
    propose_planned_hand,
)
from projections.live.table_offers import (
    DEFAULT_CHAIR_COUNT,
    DealDrawing,
    DrawnPost,
    DrawnSeat,
    OfferReason,
    quote_grounds,
    quote_straddle_rules,
)
from projections.reports.code_names import name_code
from projections.sentences import due as say

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.recording.recorder import Recorder
    from ledger.table.state import TableState
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.live.live_table import LiveTable
    from projections.obligations.dues import Due, Placement

_MIN_PLAYERS: Final = 2
_DERIVED: Final = " derived"
_MAX_DOUBTS: Final = 2


class DealRequest(NamedTuple):
    """How the next hand is to be drawn: the players' choices by seat, and where somebody placed the button."""

    picks: Mapping[Seat, str] = {}
    button: Seat | None = None  # None = where the book has it


def draw_deal(recorder: Recorder, live_table: LiveTable, request: DealRequest) -> DealDrawing:
    """Return the next hand of a table as a drawing."""
    return _DealDrawer(recorder, live_table, request).draw()


class _DealDrawer:
    """Draws one hand."""

    def __init__(self, recorder: Recorder, live_table: LiveTable, request: DealRequest) -> None:
        self._recorder, self._live_table = recorder, live_table
        self._state: TableState = live_table.state
        chair_count = max((recorder.settings.seats or DEFAULT_CHAIR_COUNT, *self._state.seats))
        has_chair = request.button is not None and request.button <= chair_count
        self._request = request if has_chair else request._replace(button=None)
        self._book: Rulebook | None = live_table.books[0] if live_table.books else None
        self._due: Due | None = None if self._book is None else live_table.find_due(self._book)
        self._picks: EntryPicks | None = None
        if self._book is not None and self._due is not None:
            self._picks = EntryPicks(self._state, self._due, self._book, recorder.settings)
        self._blinds = find_blinds(recorder)

    def draw(self) -> DealDrawing:
        plan, number = self._make_plan(self._request.picks), make_next_number(self._state.number)
        book_button = plan.placement.button if plan.placement is not None else None
        is_button_manual = self._request.button not in (None, book_button)
        proposal = self._propose(plan, is_button_manual=is_button_manual)
        dealt_seats = [event.seat for event in proposal.events if isinstance(event, SeatDealtIn)]
        obstacle = self._explain_obstacle(plan, proposal, dealt_seats, is_button_manual=is_button_manual)
        drawing = DealDrawing(
            number=number,
            label=phrase("Deal hand {hand}", hand=number),
            line="" if obstacle else self._write_line(plan, proposal, is_button_manual=is_button_manual),
            is_button_manual=is_button_manual and book_button is not None,
            seats=[
                self._draw_seat(event, plan)
                for event in proposal.events
                if isinstance(event, SeatDealtIn | SeatLeftOut)
            ],
            posts=[self._draw_post(event) for event in proposal.events if isinstance(event, BlindPosted)],
            lacks=obstacle,
            button_seats=sorted({*dealt_seats, *([] if book_button is None else [book_button])}),
            straddle_reasons=quote_straddle_rules(self._book),
        )
        drawing.button = next((event.seat for event in proposal.events if isinstance(event, ButtonPlaced)), None)
        drawing.is_button_empty = drawing.button is not None and drawing.button not in dealt_seats
        drawing.notes = list(self._iter_notes(plan, drawing))
        if drawing.line and drawing.button is not None:
            drawing.broken = [
                build_finding_so_far(live_finding)
                for live_finding in self._live_table.judge_draft(self._open_draft(number, proposal.events))
            ]
        return drawing

    def _make_plan(self, picks: Mapping[Seat, str]) -> DealPlan:
        if self._picks is None:
            return DealPlan(list_seats_to_deal_in(self._state), None)
        return self._picks.plan(picks)

    def _propose(self, plan: DealPlan, *, is_button_manual: bool) -> Proposal:
        button = self._request.button
        if button is not None and (is_button_manual or self._due is None):
            return place_button(self._state, plan, button, self._blinds, self._due)
        if self._due is None:
            return place_button(self._state, plan, 0, (), None)._replace(missing=_explain_missing_button())
        return propose_planned_hand(self._state, self._due, plan)

    def _explain_obstacle(
        self, plan: DealPlan, proposal: Proposal, dealt_seats: list[Seat], *, is_button_manual: bool
    ) -> str:
        """Return why the hand can't be dealt yet, and what to do; "" if it can."""
        if len(dealt_seats) < _MIN_PLAYERS:
            return phrase("Two players with chips are needed. Tap a chair to seat somebody.")
        waiting_seat = _find_waiting_blind(plan)
        if waiting_seat is not None and not is_button_manual:
            return phrase(
                "Seat {seat} has a blind on this hand. To leave that player out, tap the chair, then Away.",
                seat=waiting_seat,
            )
        if not proposal.missing or is_button_manual:
            return ""
        if self._due is None or not self._blinds:
            return proposal.missing if self._blinds else ""
        if plan.placement is None or plan.placement.button is None:
            if not self._state.number:
                return phrase("First hand here: tap the chair that has the button.")
            return phrase(
                "Where the button belongs isn't known: {reason}. Tap the chair that has it.", reason=proposal.missing
            )
        return phrase("{problem}. Tap the chair that has the button.", problem=proposal.missing)

    def _write_line(self, plan: DealPlan, proposal: Proposal, *, is_button_manual: bool) -> str:
        """Return the line that records the hand: a dot if it's as the book has it, else the whole hand in one line.

        Events that nobody entered are marked as derived. A button that somebody placed is a fact.
        """
        if not is_button_manual and plan == self._make_plan({}):
            return "."
        lines = self._recorder.lines.write_lines(proposal.events)
        marked_lines = [
            line if is_button_manual and isinstance(event, ButtonPlaced) else f"{line}{_DERIVED}"
            for event, line in zip(proposal.events, lines, strict=True)
        ]
        return "; ".join((f"hand {proposal.number}", *marked_lines))

    def _draw_seat(self, event: SeatDealtIn | SeatLeftOut, plan: DealPlan) -> DrawnSeat:
        reason = "unknown" if isinstance(event, SeatDealtIn) else event.reason
        return DrawnSeat(
            seat=event.seat,
            player=self._recorder.ledger.people.name(event.player) or "",
            stack=event.stack,
            is_dealt=isinstance(event, SeatDealtIn),
            why="" if reason == "unknown" else name_code(reason),
            picks=[] if self._picks is None else self._picks.list_picks(event.seat, plan),
        )

    def _draw_post(self, event: BlindPosted) -> DrawnPost:
        live = amount(event.live, self._recorder.settings.unit, self._recorder.settings.exponent)
        dead = amount(event.dead, self._recorder.settings.unit, self._recorder.settings.exponent)
        label = live
        if event.dead and event.live:
            label = phrase("{live} and {dead} dead", live=live, dead=dead)
        elif event.dead:
            label = phrase("{dead} dead", dead=dead)
        return DrawnPost(event.seat, event.role, event.live, event.dead, label)

    def _iter_notes(self, plan: DealPlan, drawing: DealDrawing) -> Iterator[OfferReason]:
        """Yield what looks like an error but isn't, what the book leaves open, and why the button is where it is."""
        if drawing.is_button_empty and not drawing.is_button_manual:
            yield OfferReason(phrase("Dead button: nobody is dealt in at seat {seat}.", seat=drawing.button))
        roles = {post.role for post in drawing.posts}
        if "big" in roles and "small" not in roles:
            yield OfferReason(phrase("Nobody owes the small blind on this hand."))
        if plan.placement is None or drawing.is_button_manual or self._due is None:
            return
        yield from self._iter_doubts(plan.placement, self._due)
        placement = plan.placement
        grounds = (*placement.button_grounds, *placement.small_grounds, *placement.big_grounds)
        yield from quote_grounds(grounds, self._book)

    def _iter_doubts(self, placement: Placement, due: Due) -> Iterator[OfferReason]:
        if not placement.judged:
            yield OfferReason(say.unsettled_collision() if placement.has_collision else say.unsettled())
        sentences = dict.fromkeys(doubt.sentences[0] for doubt in due.doubts if doubt.sentences)
        for sentence in list(sentences)[:_MAX_DOUBTS]:
            yield OfferReason(say.likely(sentence))

    def _open_draft(self, number: str, events: tuple[HandEvent, ...]) -> list[HandEvent]:
        """Return a hand that begins with some events, up to its deal."""
        settings = self._recorder.settings
        opened = HandOpened(
            settings.venue,
            settings.table,
            number,
            settings.witnesses,
            self._recorder.ledger.now(),
            "",
            settings.seats,
            settings.tournament,
            settings.club,
        )
        return [opened, *self._recorder.lines.opening, *events, DealCompleted()]  # type: ignore[list-item]  # a hand's opening


def _find_waiting_blind(plan: DealPlan) -> Seat | None:
    """Return the seat of a player who chose to wait, though the hand as placed gives that seat a blind."""
    blinds = () if plan.placement is None else plan.placement.posts
    return next((post.seat for post in blinds if post.seat in plan.waiting), None)


def _explain_missing_button() -> str:
    return phrase("No rulebook is adopted here. Tap the chair that has the button.")


def parse_request(plan_text: str, button_text: str) -> DealRequest:
    """Return how a page asks for the next hand to be drawn; what can't be read is left out.

    >>> parse_request("4:post,7:wait,x", "5")
    DealRequest(picks={4: 'post', 7: 'wait'}, button=5)
    """
    pairs = [part.partition(":") for part in plan_text.split(",")]
    picks = {int(seat): pick for seat, _, pick in pairs if _is_seat(seat) and pick}
    return DealRequest(picks, int(button_text) if _is_seat(button_text) else None)


def _is_seat(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < len(text) < 3 and int(text) > 0
