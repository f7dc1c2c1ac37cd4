"""A session at a table: typed keys and lines are recorded, and the hand is judged after each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ledger.errors import ConflictError, UsageError
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened
from ledger.recording.keys import CONFIRM, meant
from ledger.recording.recorder import chosen
from ledger.recording.seat_keys import button_seat, seating_line
from ledger.recording.undo import TYPING_ERROR
from projections.audit.house_audit import House, has_adopted_books
from projections.books.shelf import load_books
from projections.live.live_document import (
    FoundSoFar,
    LiveDocument,
    build_finding_so_far,
    build_live_document,
    find_recorder_table,
    propose_next,
)
from projections.live.live_table import LiveTable
from projections.live.next_hand import propose_by_button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.formats.handscript.live import Taken
    from ledger.hand.events import HandEvent
    from ledger.recording.recorder import Done, Recorder
    from ledger.recording.stored_act import StoredAct
    from ledger.vocabulary import Chips, Seat


class TableSession:
    """Records what is typed at a table, and judges it under the table's books."""

    def __init__(self, recorder: Recorder, books: Sequence[str] = ()) -> None:
        """Take the recorder and the names of the books; without names, the book that the house adopted applies."""
        self.recorder = recorder
        ledger, table_key = recorder.ledger, find_recorder_table(recorder)
        rulebooks = load_books(ledger, books)
        if not rulebooks and has_adopted_books(ledger):
            rulebooks = [House(ledger).book_at(table_key.venue, table_key.table, ledger.now())]
        self.live_table = LiveTable(ledger, table_key, rulebooks)
        # The number of the last hand that ended in this session, and its findings.
        self._last_hand: tuple[str, list[FoundSoFar]] = ("", [])
        recorder.seats = lambda: self.live_table.state.seats

    def document(self, seats: frozenset[Seat] | None = None) -> LiveDocument:
        """Return the document for a viewer who may see the cards of `seats` (None = all)."""
        document = build_live_document(self.recorder, self.live_table, seats)
        number, ended_findings = self._last_hand
        if not document.hand and seats is None and number == self.live_table.state.number:
            document.ended = ended_findings
        return document

    def take(
        self,
        text: str,
        *,
        key: str = "",
        behind: int | None = None,
        earlier_act: StoredAct | None = None,
        seat: Seat | None = None,
        check: Callable[[], None] | None = None,
    ) -> Done:
        """Record a typed key or line; an empty text confirms the proposed hand. Raise an error to record nothing.

        `key` and `behind` are passed to `Recorder.tell`, `earlier_act` to `Recorder.recorded_under`. `seat` is the
        seat to act on the screen where a key was pressed. `check` may raise an error to refuse a new text; it isn't
        called for a text that was recorded before.
        """
        if (recorded_act := self.recorder.recorded_under(key, partial(_reread, text), earlier_act)) is not None:
            return recorded_act
        if check is not None:
            check()
        opening_events = self.recorder.recorded[:1]
        self.live_table.refresh()
        outcome = self._record(text, key, behind, seat)
        # The ended hand must be judged now, before the table is read past it.
        if opening_events and outcome.ended and outcome.stream is not None:
            final_findings = [
                build_finding_so_far(live_finding) for live_finding in self.live_table.judge_ended_hand(outcome.stream)
            ]
            self._last_hand = (
                next((event.number for event in opening_events if isinstance(event, HandOpened)), ""),
                final_findings,
            )
        return outcome

    def _record(self, text: str, key: str, expected_version: int | None, seat: Seat | None) -> Done:
        """Record a text: between hands a proposal, the button or players; within a hand a key or a line."""
        recorder = self.recorder
        if not recorder.running:
            if text.strip() in CONFIRM:
                return self._begin(key, expected_version)
            if text.strip() == "u":
                return recorder.undo(key=key, behind=expected_version)
            button = button_seat(text)
            if button is not None:
                return self._begin(key, expected_version, button)
            return recorder.tell(seating_line(text), key=key, behind=expected_version)
        recorder.expect(expected_version)
        key_meaning = meant(text, recorder.state, recorder.settings.exponent)
        if key_meaning.undo:
            return recorder.undo(key=key, behind=expected_version)
        if key_meaning.events:
            _require_turn(seat, key_meaning.events)
            return recorder.add(key_meaning.events, inferred=key_meaning.inferred, key=key, behind=expected_version)
        return recorder.tell(key_meaning.line, key=key, behind=expected_version)

    def _begin(self, key: str, expected_version: int | None, button: Seat | None = None) -> Done:
        """Record the proposed hand up to its posts; with `button`, the hand that starts with the button there."""
        self.recorder.expect(expected_version)
        if button is None:
            proposal = propose_next(self.live_table)
        else:
            proposal = propose_by_button(
                self.live_table.state, button, _find_blinds(self.recorder), has_book=bool(self.live_table.books)
            )
        if proposal is None:
            raise UsageError(
                "no hand can be proposed: nobody is known to sit here, or no rulebook says what is due",
                "Say who has the button, as in: b 1. With a rulebook (-r hilton) Enter deals.",
            )
        return self.recorder.begin(proposal.number, proposal.events, key=key)


def _reread_between_hands(text: str, act: StoredAct) -> list[Taken]:
    """Return what a text would have recorded in place of an act between hands, or of one that began a hand."""
    if text.strip() in CONFIRM:
        return act.proposed()
    if text.strip() == "u":
        return act.undo(TYPING_ERROR)
    button = button_seat(text)
    if button is None:
        return act.read(seating_line(text))
    proposed = act.proposed()
    if not any(isinstance(event, ButtonPlaced) and event.seat == button for event in proposed[0].events):
        raise UsageError("the button was placed elsewhere")
    return proposed


def _find_blinds(recorder: Recorder) -> tuple[Chips, ...]:
    """Return the blinds of the table's game; () = not recorded."""
    return next((event.blinds for event in reversed(recorder.lines.opening) if isinstance(event, GameSet)), ())


def _require_turn(seat: Seat | None, events: Sequence[HandEvent]) -> None:
    """Raise `ConflictError` if a key was pressed for a seat whose turn it isn't any more."""
    turn = getattr(events[-1], "seat", None)
    if seat is not None and turn is not None and turn != seat:
        raise ConflictError(
            f"it is the turn of seat {turn}, not of seat {seat}",
            "Look at the table, and enter it again if it still holds.",
        )


def _reread(text: str, act: StoredAct) -> list[Taken]:
    """Return what a text would have recorded in place of a recorded act."""
    lines = act.lines
    if not lines.in_hand or act.was_proposed:
        return _reread_between_hands(text, act)
    key_meaning = meant(text, lines.state, lines.settings.exponent)
    if key_meaning.undo:
        return act.undo(TYPING_ERROR)
    return [chosen(key_meaning.events, key_meaning.inferred)] if key_meaning.events else act.read(key_meaning.line)
