"""What an import would do, found out without writing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.house.events import SourceImported
from ledger.intake.writing import Standing, Writer
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from ledger.store import Ledger


class DryWriter(Writer):
    """Counts what would be new, the same or a second account."""

    def __init__(
        self, ledger: Ledger, source: str, reader: str, at: Millis, standing: Standing,
        seen: set[tuple[str, str, str, str]],
    ) -> None:  # fmt: skip
        """Take `seen`, the hands that this dry run has met in any source, beside the rest."""
        super().__init__(ledger, source, reader, at, standing)
        self._seen = seen
        self._streams: set[bytes] = set()

    def store(
        self,
        start: int,  # noqa: ARG002 - as its base class
        length: int,  # noqa: ARG002 - as its base class
        imported: SourceImported | None = None,  # noqa: ARG002 - as its base class
    ) -> None:
        """Count what was taken, and forget it."""
        known = self.ledger.known([draft.stream for draft in self.drafts])
        for draft in self.drafts:
            facts = draft.hand
            assert facts is not None  # noqa: S101 - every draft of a hand has them
            hand = (facts.venue, facts.tournament, facts.table, facts.number)
            if draft.stream in known or draft.stream.bytes in self._streams:
                self.standing.same += 1
            elif hand in self._seen or self._told_before(hand):
                self.standing.second += 1
            else:
                self.standing.new += 1
            self._seen.add(hand)
            self._streams.add(draft.stream.bytes)
        self.forget()

    def _told_before(self, hand: tuple[str, str, str, str]) -> bool:
        venue, tournament, table, number = hand
        rows = self.ledger.hands(venue=venue, tournament=tournament, table=table, number=number)
        return next(rows, None) is not None
