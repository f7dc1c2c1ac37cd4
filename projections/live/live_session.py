"""A table that somebody keeps: what is pressed, typed or sent, recorded and judged at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ledger.errors import ConflictError, UsageError
from ledger.hand.opening import HandOpened
from ledger.recording.keys import CONFIRM, meant
from ledger.recording.recorder import chosen
from ledger.recording.undo import TYPING_ERROR
from projections.audit.house_audit import House, any_in
from projections.books.shelf import chosen as named
from projections.live.live_document import FoundSoFar, LiveDocument, coming, document, found, place_of
from projections.live.live_table import AtTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.formats.handscript.live import Taken
    from ledger.hand.events import HandEvent
    from ledger.recording.recorder import Done, Recorder
    from ledger.recording.stored_act import StoredAct
    from ledger.vocabulary import Seat


class Keeping:
    """A recorder and the books of its table."""

    def __init__(self, recorder: Recorder, books: Sequence[str] = ()) -> None:
        """Take the recorder and the names of the books; without any, the one that the house adopted for the table."""
        self.recorder = recorder
        ledger, place = recorder.ledger, place_of(recorder)
        judged = named(ledger, books)
        if not judged and any_in(ledger):
            judged = [House(ledger).under(place.venue, place.table, ledger.now())]
        self.at = AtTable(ledger, place, judged)
        self._ended: tuple[str, list[FoundSoFar]] = "", []  # the hand that ended here last, and what was found in it
        recorder.seats = lambda: self.at.state.seats

    def document(self, seats: frozenset[Seat] | None = None) -> LiveDocument:
        """Return where the table stands, for somebody who may see the cards of `seats` (None: all)."""
        where = document(self.recorder, self.at, seats)
        number, ended = self._ended
        if not where.hand and seats is None and number == self.at.state.number:
            where.ended = ended
        return where

    def take(
        self,
        text: str,
        *,
        key: str = "",
        behind: int | None = None,
        former: StoredAct | None = None,
        seat: Seat | None = None,
        check: Callable[[], None] | None = None,
    ) -> Done:
        """Record what a text means: a key, a line, or nothing, which confirms what is proposed.

        `key` and `behind` as in `Recorder.tell`, `former` as in `Recorder.recorded_under`; `seat`: whose turn it was
        where a key was pressed; `check` refuses, by an error, what was not recorded before. Errors of the project say
        why it was refused: nothing was recorded then.
        """
        if (there := self.recorder.recorded_under(key, partial(_read_again, text), former)) is not None:
            return there
        if check is not None:
            check()
        runs = self.recorder.recorded[:1]
        self.at.look()
        done = self._taken(text, key, behind, seat)
        if runs and done.ended and done.stream is not None:  # before the table is walked past the hand
            over = [found(one) for one in self.at.over(done.stream)]
            self._ended = next((event.number for event in runs if isinstance(event, HandOpened)), ""), over
        return done

    def _taken(self, text: str, key: str, behind: int | None, seat: Seat | None) -> Done:
        recorder = self.recorder
        if not recorder.running:
            if text.strip() in CONFIRM:
                return self._begin(key, behind)
            return recorder.tell(text, key=key, behind=behind)
        recorder.expect(behind)
        said = meant(text, recorder.state, recorder.settings.exponent)
        if said.undo:
            return recorder.undo(key=key, behind=behind)
        if said.events:
            _expect_turn(seat, said.events)
            return recorder.add(said.events, inferred=said.inferred, key=key, behind=behind)
        return recorder.tell(said.line, key=key, behind=behind)

    def _begin(self, key: str, behind: int | None) -> Done:
        """Begin the proposed hand as a whole: who plays, with what, the button, the posts."""
        self.recorder.expect(behind)
        next_ = coming(self.at)
        if next_ is None:
            raise UsageError(
                "no hand can be proposed: nobody is known to sit here, or no rulebook says what is due",
                'Begin it by hand, "hand 1", and choose a rulebook.',
            )
        return self.recorder.begin(next_.number, next_.events, key=key)


def _expect_turn(seat: Seat | None, events: Sequence[HandEvent]) -> None:
    """Refuse a key that was pressed for another seat than the one whose turn it is."""
    turn = getattr(events[-1], "seat", None)
    if seat is not None and turn is not None and turn != seat:
        raise ConflictError(
            f"it is the turn of seat {turn}, not of seat {seat}",
            "Look at the table, and enter it again if it still holds.",
        )


def _read_again(text: str, act: StoredAct) -> list[Taken]:
    """Return what a text would have meant in the place of an act that is recorded."""
    lines = act.lines
    if not lines.in_hand or act.was_proposed:
        return act.proposed() if text.strip() in CONFIRM else act.read(text)
    said = meant(text, lines.state, lines.settings.exponent)
    if said.undo:
        return act.undo(TYPING_ERROR)
    return [chosen(said.events, said.inferred)] if said.events else act.read(said.line)
