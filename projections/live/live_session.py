"""Record the keys and lines typed at a table, and judge the hand after each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ledger.errors import ConflictError, UsageError
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.recording.act_facts import wrap_chosen_events
from ledger.recording.keys import CONFIRM_TEXTS, read_key
from ledger.recording.seat_keys import expand_seating_line, parse_button_line
from ledger.recording.undo import TYPING_ERROR
from ledger.text.language import language_in_force, phrase, use_language
from projections.audit.house_audit import House, has_adopted_books
from projections.books.shelf import load_books
from projections.live.game_facts import find_blinds
from projections.live.live_document import (
    FindingSoFar,
    LiveDocument,
    build_finding_so_far,
    build_live_document,
    find_recorder_table,
    propose_next,
)
from projections.live.live_table import LiveTable
from projections.live.next_hand import propose_by_button
from projections.live.offer_builder import build_table_offers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from ledger.formats.handscript.live import LineResult
    from ledger.hand.events import HandEvent
    from ledger.recording.record_result import RecordResult
    from ledger.recording.recorder import Recorder
    from ledger.recording.stored_act import StoredAct
    from ledger.vocabulary import Seat
    from projections.live.deal_drawing import DealRequest
    from projections.live.table_offers import TableOffers

UNDO_KEY: Final = "u"
"""The key that takes back the last act between hands. Within a hand, `read_key` knows it."""


class TableSession:
    """Records what is typed at a table, and judges it under the table's books."""

    def __init__(self, recorder: Recorder, books: Sequence[str] = ()) -> None:
        """Take the recorder and the names of the books; without names, the book that the house adopted applies."""
        self.recorder = recorder
        self.load_books(books)
        # The number of the last hand that ended in this session, and its findings by language.
        self._last_hand: tuple[str, dict[str, list[FindingSoFar]]] = ("", {})
        recorder.seats = lambda: self.live_table.state.seats

    def load_books(self, books: Sequence[str]) -> None:
        """Take the books of these names; without names, those that the house adopted until now."""
        ledger, table_key = self.recorder.ledger, find_recorder_table(self.recorder)
        rulebooks = load_books(ledger, books)
        if not rulebooks and has_adopted_books(ledger):
            rulebooks = [House(ledger).find_book(table_key.venue, table_key.table, ledger.now())]
        self.live_table = LiveTable(ledger, table_key, rulebooks, self.recorder.find_table_version)

    def document(self, seats: frozenset[Seat] | None = None) -> LiveDocument:
        """Return the document for a viewer who may see the cards of `seats`; None = of all seats."""
        document = build_live_document(self.recorder, self.live_table, seats)
        number, ended_findings = self._last_hand
        if not document.hand and seats is None and ended_findings and number == self.live_table.state.number:
            first_language = next(iter(ended_findings))
            document.ended = ended_findings.get(language_in_force(), ended_findings[first_language])
        return document

    def build_offers(self, seats: frozenset[Seat] | None, request: DealRequest) -> TableOffers:
        """Return what can be recorded now by buttons. `seats`: as in `document`; `request`: how to draw the next hand."""
        return build_table_offers(self.recorder, self.live_table, seats, request)

    def take(
        self,
        text: str,
        *,
        key: str = "",
        behind: int | None = None,
        earlier_act: StoredAct | None = None,
        seat: Seat | None = None,
        check: Callable[[], None] | None = None,
    ) -> RecordResult:
        """Record a typed key or line; an empty text confirms the proposed hand. Raise an error to record nothing.

        `key`: identifies the act, so that a device that got no answer can send it again. `earlier_act`: an act that an
        older program may have recorded under another key. `behind`: the version of the running hand on the device's
        screen. `seat`: whose turn it was there. If somebody else recorded something since, that is a `ConflictError`.
        `check` may raise an error to refuse a new text; it isn't called for a text that was recorded before.
        """
        if (recorded_act := self.recorder.find_repeat(key, partial(_read_again, text), earlier_act)) is not None:
            return recorded_act
        if check is not None:
            check()
        running_number = self._find_running_number()  # read now: the recorder forgets a hand when it ends
        self.live_table.refresh()
        outcome = self._record(text, key, behind, seat)
        # The ended hand must be judged now, before the table is read past it.
        if running_number is not None and outcome.hand_ended and outcome.stream is not None:
            self._last_hand = running_number, self._judge_ended_hand(outcome.stream)
        return outcome

    def _judge_ended_hand(self, stream: UUID) -> dict[str, list[FindingSoFar]]:
        """Return the findings in a hand that has just ended, by language: that of whoever ended it comes first."""
        ended_findings = {}
        for language in {language_in_force(): None, **dict.fromkeys(self.live_table.languages)}:
            with use_language(language):
                live_findings = self.live_table.judge_ended_hand(stream)
                ended_findings[language] = [build_finding_so_far(live_finding) for live_finding in live_findings]
        return ended_findings

    def _find_running_number(self) -> str | None:
        """Return the number of the running hand, or None between hands."""
        if not self.recorder.running:
            return None
        return next((event.number for event in self.recorder.hand_events if isinstance(event, HandOpened)), "")

    def _record(self, text: str, key: str, behind: int | None, seat: Seat | None) -> RecordResult:
        """Record a new text: between hands a proposal, the button or players; within a hand a key or a line."""
        recorder = self.recorder
        if not recorder.running:
            if text.strip() in CONFIRM_TEXTS:
                return self._begin(key, behind)
            if text.strip() == UNDO_KEY:
                return recorder.undo(key=key, behind=behind, is_new=True)
            button = parse_button_line(text)
            if button is not None:
                return self._begin(key, behind, button)
            return recorder.tell(expand_seating_line(text), key=key, behind=behind, is_new=True)
        recorder.expect(behind)
        key_meaning = read_key(text, recorder.state, recorder.settings.exponent)
        if key_meaning.undo:
            return recorder.undo(key=key, behind=behind, is_new=True)
        if key_meaning.events:
            _require_turn(seat, key_meaning.events)
            inferred = key_meaning.inferred
            return recorder.add(key_meaning.events, inferred=inferred, key=key, behind=behind, is_new=True)
        return recorder.tell(key_meaning.line, key=key, behind=behind, is_new=True)

    def _begin(self, key: str, behind: int | None, button: Seat | None = None) -> RecordResult:
        """Record the proposed hand up to its posts; with `button`, the hand that starts with the button there."""
        self.recorder.expect(behind)
        if button is None:
            proposal = propose_next(self.live_table)
        else:
            proposal = propose_by_button(
                self.live_table.state, button, find_blinds(self.recorder), has_book=bool(self.live_table.books)
            )
        if proposal is None:
            raise UsageError(
                phrase("no hand can be proposed: nobody is on record at this table, or no rulebook is chosen"),
                phrase("Say who has the button, as in: b 1. With a rulebook (-r hilton) Enter deals."),
            )
        return self.recorder.begin(proposal.number, proposal.events, key=key)


def _read_again(text: str, act: StoredAct) -> list[LineResult]:
    """Return what a text would have recorded in place of a recorded act.

    A device that got no answer sends its text again. If the act is what the text would have recorded, it was a repeat.
    """
    lines = act.lines
    if not lines.in_hand or act.was_proposed:
        return _read_again_between_hands(text, act)
    key_meaning = read_key(text, lines.state, lines.settings.exponent)
    if key_meaning.undo:
        return act.undo(TYPING_ERROR)
    return (
        [wrap_chosen_events(key_meaning.events, key_meaning.inferred)]
        if key_meaning.events
        else act.read(key_meaning.line)
    )


def _read_again_between_hands(text: str, act: StoredAct) -> list[LineResult]:
    """Return the same as `_read_again` for an act between hands, or for one that began a hand."""
    if text.strip() in CONFIRM_TEXTS:
        return act.read_proposal()
    if text.strip() == UNDO_KEY:
        return act.undo(TYPING_ERROR)
    button = parse_button_line(text)
    if button is None:
        return act.read(expand_seating_line(text))
    proposed = act.read_proposal()
    if not any(isinstance(event, ButtonPlaced) and event.seat == button for event in proposed[0].events):
        raise UsageError(phrase("the button was placed elsewhere"))
    return proposed


def _require_turn(seat: Seat | None, events: Sequence[HandEvent]) -> None:
    """Raise `ConflictError` if a key was pressed for a seat whose turn it isn't any more."""
    turn = getattr(events[-1], "seat", None)
    if seat is not None and turn is not None and turn != seat:
        raise ConflictError(
            phrase("it is the turn of seat {turn}, not of seat {seat}", turn=turn, seat=seat),
            phrase("Look at the table, and enter it again if it still holds."),
        )
