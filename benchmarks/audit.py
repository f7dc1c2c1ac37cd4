"""Audit under a whole rulebook beside the fold of the same hands; goal: at least 0.20 x the fold alone.

    python benchmarks/audit.py [BOOK] [FILE...]

Without files: the PokerStars sample hands beside the checkout. Hands are read before the clock
starts; fold and audit each begin from the same lists of events. Best of five rounds, one core.

The second line of each book is the same at the hands' tables, walked in their own order, beside the
folds of hands and tables; an evening where much happens is measured by `evening.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from ledger.account import Account
from ledger.formats import phh, pokerstars
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.fold import fold_table_entries
from ledger.table.order import TableEntry, number_table_events
from ledger.table.played import build_hand_played
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, list_names, load
from projections.table_walk.table_context import TableWalk, pick_table_books

GOAL = 0.20
SAMPLES = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "pokerstars" / "cash-2021-nl50-masked"


def read_hands(files: list[Path]) -> list[list[HandEvent]]:
    people = People(b"0" * 32)
    events_by_hand = []
    for file in files:
        form = phh.FORMAT if file.suffix.startswith(".phh") else pokerstars.FORMAT
        chunk = Chunk(file.read_bytes(), name=file.name)
        events_by_hand += [item.events for item in form.read(chunk, people) if isinstance(item, Account)]
    return events_by_hand


def time_best(*runs: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the least CPU time of each run; they take turns, so that a busy machine hits them alike."""
    least_seconds = [float("inf")] * len(runs)
    for _ in range(rounds):
        for run_index, run in enumerate(runs):
            start = process_time()
            run()
            least_seconds[run_index] = min(least_seconds[run_index], process_time() - start)
    return least_seconds


def audit_hands(events_by_hand: list[list[HandEvent]], book: Rulebook) -> AuditResult:
    auditor = Auditor([book])
    for events in events_by_hand:
        auditor.judge_hand(HandReplay(events))
    return auditor.result()


def group_by_table(events_by_hand: list[list[HandEvent]]) -> tuple[list[list[TableEntry]], dict[str, list[HandEvent]]]:
    """Return the streams of the hands' tables, and the hands by the id that these know them by."""
    streams: dict[tuple[str, str, str], list[HandPlayed]] = {}
    hands: dict[str, list[HandEvent]] = {}
    for events in events_by_hand:
        state = fold(events)
        assert state.opened is not None
        name = f"{len(hands):032x}"
        hands[name] = events
        opened = state.opened
        place = (opened.venue, opened.tournament, opened.table)
        streams.setdefault(place, []).append(build_hand_played(state, name))
    return [number_table_events(stream) for stream in streams.values()], hands


def audit_at_tables(streams: list[list[TableEntry]], hands: dict[str, list[HandEvent]], book: Rulebook) -> AuditResult:
    auditor = Auditor([book])
    for stream in streams:
        for context in TableWalk(pick_table_books([book])).contexts(stream):
            auditor.judge_hand(HandReplay(hands[context.hand.hand]), context)
    return auditor.result()


def main() -> int:
    files = [Path(name) for name in sys.argv[2:]] or sorted(SAMPLES.glob("*.txt"))
    events_by_hand = read_hands(files)
    if not events_by_hand:
        print("no sample hands: name some files")
        return 2
    streams, by_name = group_by_table(events_by_hand)
    events = sum(map(len, events_by_hand))
    misses_goal = False
    print(f"{len(events_by_hand)} hands, {events} events")
    for name in [sys.argv[1]] if len(sys.argv) > 1 else list_names():
        book = load(name)
        fold_seconds, audit_seconds, table_fold_seconds, table_audit_seconds = time_best(
            lambda: [fold(events_of_hand) for events_of_hand in events_by_hand],
            lambda book=book: audit_hands(events_by_hand, book),  # type: ignore[misc] # bound at once
            lambda: [fold_table_entries(stream) for stream in streams],
            lambda book=book: audit_at_tables(streams, by_name, book),  # type: ignore[misc] # bound at once
        )
        finding_count = len(audit_hands(events_by_hand, book).findings)
        ratio = fold_seconds / audit_seconds
        misses_goal |= ratio < GOAL
        print(
            f"audit {name:<12} {1e6 * audit_seconds / len(events_by_hand):>6.1f} us a hand, {len(events_by_hand) / audit_seconds:>8.0f} hands/s, "
            f"{finding_count} findings; fold alone {1e6 * fold_seconds / len(events_by_hand):.1f} us: {ratio:.2f} x (goal {GOAL:.2f})"
        )
        finding_count = len(audit_at_tables(streams, by_name, book).findings)
        print(
            f"  at {len(streams)} tables {1e6 * table_audit_seconds / len(events_by_hand):>9.1f} us a hand, {len(events_by_hand) / table_audit_seconds:>8.0f} hands/s, "
            f"{finding_count} findings; folds alone {1e6 * (fold_seconds + table_fold_seconds) / len(events_by_hand):.1f} us: {(fold_seconds + table_fold_seconds) / table_audit_seconds:.2f} x"
        )
    return 1 if misses_goal else 0


if __name__ == "__main__":
    sys.exit(main())
