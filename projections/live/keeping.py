"""A table that somebody keeps: what is pressed, typed or sent, recorded and judged at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import UsageError
from ledger.recording.keys import CONFIRM, meant
from projections import rulebook
from projections.live.at_table import AtTable
from projections.live.document import FoundSoFar, LiveDocument, coming, document, found, place_of
from projections.walk.adopted import House, any_in

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
        chosen = [rulebook.load(name) for name in books]
        if not chosen and any_in(ledger):
            chosen = [House(ledger).under(place.venue, place.table, ledger.now())]
        self.at = AtTable(ledger, place, chosen)
        recorder.seats = lambda: self.at.state.seats

    def document(self, seats: frozenset[Seat] | None = None) -> LiveDocument:
        """Return where the table stands, for somebody who may see the cards of `seats` (None: all)."""
        return document(self.recorder, self.at, seats)

    def take(self, text: str, *, key: str = "", behind: int | None = None) -> Done:
        """Record what a text means: a key, a line, or nothing, which confirms what is proposed.

        `key` and `behind` as in `Recorder.tell`. Errors of the project say why it was refused: nothing was recorded then.
        """
        recorder = self.recorder
        if (there := recorder.recorded_under(key)) is not None:
            return there
        if not recorder.running:
            return self._begin(key) if text.strip() in CONFIRM else recorder.tell(text, key=key, behind=behind)
        said = meant(text, recorder.state, recorder.settings.exponent)
        if said.undo:
            return recorder.undo(key=key, behind=behind)
        if said.events:
            return recorder.add(said.events, inferred=said.proposed, key=key, behind=behind)
        return recorder.tell(said.line, key=key, behind=behind)

    def over(self, done: Done) -> list[FoundSoFar]:
        """Return what is found in the hand that `done` ended, its end too; asked before where the table stands then."""
        return [found(one) for one in self.at.over(done.stream)] if done.ended and done.stream is not None else []

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
        done = self.recorder.add(next_.events, inferred=True, key=key)
        return done._replace(events=(*begun.events, *done.events))
