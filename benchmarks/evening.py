"""An evening of 300 hands under each book and under all, beside the fold of its hands and its table.

    python benchmarks/evening.py [HANDS]

The evenings are those of `tests.evenings`: legal under one book, people come, go, move and miss
blinds. Judging walks the table, keeps what everybody owes, and looks at every hand. One core.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.audit import time_best
from ledger.hand.fold import fold
from ledger.table.fold import fold_table_entries
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, list_names, load
from projections.table_walk.table_context import TableWalk, pick_table_books
from tests.evenings import Evening, evening

GOAL = 0.05
"""Of the folds alone, under one book: an evening has somebody owing, new or away at most hands."""


def judge_evening(night: Evening, books: list[Rulebook]) -> tuple[AuditResult, int]:
    """Judge an evening; return also how many hands were quiet under all books."""
    audit, table = Auditor(books), TableWalk(pick_table_books(books))
    steady_hands = 0
    for index, contexts in enumerate(table.contexts(night.told())):
        audit.judge_hand(night.played[index], contexts)
        steady_hands += all(contexts[name].is_steady for name in table.keepers)
    return audit.result(), steady_hands


def main() -> int:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    misses_goal = False
    for room in ("hilton-limit", "rrop4-moving"):
        night = evening(room, 7, hands)
        events = [list(hand.recorded_events) for hand in night.played]
        table = night.told()
        print(f"{room}: {len(events)} hands, {sum(map(len, events))} events")
        all_books = [load(name) for name in list_names()]
        for books in ([book] for book in all_books), [all_books]:
            for chosen_books in books:
                fold_seconds, judging_seconds = time_best(
                    lambda events=events, table=table: ([fold(e) for e in events], fold_table_entries(table)),  # type: ignore[misc] # bound at once
                    lambda night=night, chosen_books=chosen_books: judge_evening(night, chosen_books),  # type: ignore[misc] # bound at once
                    rounds=5,
                )
                result, steady_hands = judge_evening(night, chosen_books)
                name = chosen_books[0].name if len(chosen_books) == 1 else "all books"
                ratio = fold_seconds / judging_seconds
                misses_goal |= len(chosen_books) == 1 and ratio < GOAL
                print(
                    f"  {name:<12} {1e3 * judging_seconds:>7.1f} ms, {1e6 * judging_seconds / len(events):>6.1f} us a hand, "
                    f"{len(result.findings):>4} findings, quiet {steady_hands:>3}; folds alone "
                    f"{1e3 * fold_seconds:.1f} ms: {ratio:.2f} x"
                )
    return 1 if misses_goal else 0


if __name__ == "__main__":
    sys.exit(main())
