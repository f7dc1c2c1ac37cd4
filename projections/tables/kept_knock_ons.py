"""What findings and hands of a ledger led to later: `projections.audit.knock_on` on the table's own walk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import TableKey
from projections.audit.knock_on import POSITIONS_RIGHT, follow_knock_on, is_table_finding
from projections.table_walk.replay import ReplayProgress, ignore_progress
from projections.tables.checkpoint_finder import CheckpointFinder

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.audit.knock_on import KnockOn
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.table_walk.table_context import ContextsByBook


class KnockOns:
    """Follows findings and hands through the later hands of their table. Each call walks the table."""

    def __init__(self, ledger: Ledger, books: Iterable[Rulebook]) -> None:
        """Take the ledger and its rulebooks."""
        self.checkpoint_finder = CheckpointFinder(ledger)
        self._books = {book.name: book for book in books}

    def follow_finding(self, finding: Finding) -> KnockOn | None:
        """Return what a finding about button or blinds led to, or why the record doesn't show that. None for others."""
        book = self._books.get(finding.book)
        if book is None or not is_table_finding(book, finding):
            return None
        table_key = TableKey(finding.hand.venue, finding.hand.tournament, finding.hand.table)
        consequence = self.follow_hand(table_key, finding.hand.stream, book, finding)
        return None if consequence.why == POSITIONS_RIGHT else consequence

    def follow_findings(self, findings: Iterable[Finding]) -> Iterator[KnockOn]:
        """Yield what these findings led to, in their order."""
        for finding in findings:
            if (consequence := self.follow_finding(finding)) is not None:
                yield consequence

    def follow_hand(
        self,
        table_key: TableKey,
        stream: str,
        book: Rulebook,
        finding: Finding | None = None,
        *,
        table_context: ContextsByBook | None = None,
        on_progress: ReplayProgress = ignore_progress,
    ) -> KnockOn:
        """Return what a hand (the id of its stream, hex) led to.

        `table_context`: the walk up to the hand, if you have it. `on_progress`: as for `follow_knock_on`.
        """
        checkpoint = (
            None if table_context is None else self.checkpoint_finder.checkpoint_at(table_key, table_context, book)
        )
        return follow_knock_on(
            checkpoint or self.checkpoint_finder.find_checkpoint(table_key, stream, [book]),
            book,
            stream,
            finding,
            on_progress,
        )
