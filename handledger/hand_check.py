"""Judge the beginning of a hand under a book, before anybody acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handledger.answers import Fault
from ledger.replay import HandReplay
from projections.audit.auditor import Auditor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.hand.events import HandEvent
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.table_walk.table_context import ContextsByBook


def list_faults(book: Rulebook, events: Sequence[HandEvent], contexts: ContextsByBook) -> tuple[Fault, ...]:
    """Return what is wrong with a hand under a book, as `audit` finds it. `contexts`: the table before the hand."""
    auditor = Auditor([book], compare_books=False, keep_findings=False)
    return tuple(map(_build_fault, auditor.judge_hand(HandReplay(events), contexts)))


def _build_fault(finding: Finding) -> Fault:
    return Fault(
        book=finding.book,
        clause=finding.clause,
        severity=finding.severity,
        certainty=finding.certainty,
        seat=finding.seat,
        sentence=finding.saw,
        should=finding.should,
        reason=finding.because,
        asks=finding.asks,
        chips={share.seat: share.amount for share in finding.money},
    )
