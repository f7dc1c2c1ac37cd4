"""Follow the consequences of findings and hands of a ledger, with `projections.audit.knock_on` on the table's walk."""

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
    """Follows findings and hands through the later hands of their tables. Each call walks a table."""

    def __init__(self, ledger: Ledger, books: Iterable[Rulebook]) -> None:
        """Create the lookup. `books`: the rulebooks of the findings."""
        self.checkpoint_finder = CheckpointFinder(ledger)
        self._books = {book.name: book for book in books}

    def follow_finding(self, finding: Finding) -> KnockOn | None:
        """Return the consequences of a finding about button or blinds, or why they're unknown; None for others."""
        book = self._books.get(finding.book)
        if book is None or not is_table_finding(book, finding):
            return None
        table_key = TableKey(finding.hand.venue, finding.hand.tournament, finding.hand.table)
        consequence = self.follow_hand(table_key, finding.hand.stream, book, finding)
        return None if consequence.why == POSITIONS_RIGHT else consequence

    def follow_findings(self, findings: Iterable[Finding]) -> Iterator[KnockOn]:
        """Yield the consequences of these findings, in their order."""
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
        """Return the consequences of a hand (the id of its stream, hex).

        `table_context`: the walk up to the hand, if you have it. `on_progress`: as for `follow_knock_on`.
        """
        checkpoint = None
        if table_context is not None:
            checkpoint = self.checkpoint_finder.build_checkpoint(table_key, table_context, book)
        if checkpoint is None:
            checkpoint = self.checkpoint_finder.find_checkpoint(table_key, stream, [book])
        return follow_knock_on(checkpoint, book, stream, finding, on_progress)
