"""A table that somebody keeps: what is pressed, typed or sent, recorded and judged at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import UsageError
from ledger.hand.opening import HandOpened
from ledger.recording.keys import CONFIRM, meant
from projections.live.at_table import AtTable
from projections.live.document import FoundSoFar, LiveDocument, coming, document, found, place_of
from projections.walk.adopted import House, any_in
from projections.walk.shelf import chosen as named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.recording.recorder import Done, Recorder
    from ledger.vocabulary import Seat


class Keeping:
    """A recorder and the books of its table."""

    def __init__(self, recorder: Recorder, books: Sequence[str] = ()) -> None:
        """Take the recorder and the names of the books; without any, the one that the house adopted for the table."""
        self.recorder = recorder
        ledger, place = recorder.ledger, place_of(recorder)
        chosen = named(ledger, books)
        if not chosen and any_in(ledger):
            chosen = [House(ledger).under(place.venue, place.table, ledger.now())]
        self.at = AtTable(ledger, place, chosen)
        self._ended: tuple[str, list[FoundSoFar]] = "", []  # the hand that ended here last, and what was found in it
        recorder.seats = lambda: self.at.state.seats

    def document(self, seats: frozenset[Seat] | None = None) -> LiveDocument:
        """Return where the table stands, for somebody who may see the cards of `seats` (None: all)."""
        where = document(self.recorder, self.at, seats)
        number, ended = self._ended
        if not where.hand and seats is None and number == self.at.state.number:
            where.ended = ended
        return where

    def take(self, text: str, *, key: str = "", behind: int | None = None) -> Done:
        """Record what a text means: a key, a line, or nothing, which confirms what is proposed.

        `key` and `behind` as in `Recorder.tell`. Errors of the project say why it was refused: nothing was recorded then.
        """
        if (there := self.recorder.recorded_under(key)) is not None:
            return there
        runs = self.recorder.recorded[:1]
        self.at.look()
        done = self._taken(text, key, behind)
        if runs and done.ended and done.stream is not None:  # before the table is walked past the hand
            over = [found(one) for one in self.at.over(done.stream)]
            self._ended = next((event.number for event in runs if isinstance(event, HandOpened)), ""), over
        return done

    def _taken(self, text: str, key: str, behind: int | None) -> Done:
        recorder = self.recorder
        if not recorder.running:
            return self._begin(key) if text.strip() in CONFIRM else recorder.tell(text, key=key, behind=behind)
        said = meant(text, recorder.state, recorder.settings.exponent)
        if said.undo:
            return recorder.undo(key=key, behind=behind)
        if said.events:
            return recorder.add(said.events, inferred=said.inferred, key=key, behind=behind)
        return recorder.tell(said.line, key=key, behind=behind)

    def _begin(self, key: str) -> Done:
        """Begin the proposed hand as a whole: who plays, with what, the button, the posts."""
        next_ = coming(self.at)
        if next_ is None:
            raise UsageError(
                "no hand can be proposed: nobody is known to sit here, or no rulebook says what is due",
                'Begin it by hand, "hand 1", and choose a rulebook.',
            )
        begun = self.recorder.tell(f"hand {next_.number}", key=f"{key}:hand" if key else "")
        if not next_.events:
            return begun
        done = self.recorder.add(next_.events, inferred=range(len(next_.events)), key=key)
        return done._replace(events=(*begun.events, *done.events))
