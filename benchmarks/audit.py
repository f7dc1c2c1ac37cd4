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
from ledger.table.order import TableEntry, from_events
from ledger.table.played import build_hand_played
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, load, names
from projections.table_walk.table_context import TableWalk, pick_table_books

GOAL = 0.20
SAMPLES = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "pokerstars" / "cash-2021-nl50-masked"


def hands(files: list[Path]) -> list[list[HandEvent]]:
    people = People(b"0" * 32)
    found = []
    for file in files:
        form = phh.FORMAT if file.suffix.startswith(".phh") else pokerstars.FORMAT
        chunk = Chunk(file.read_bytes(), name=file.name)
        found += [item.events for item in form.read(chunk, people) if isinstance(item, Account)]
    return found


def best(*runs: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the least CPU time of each run; they take turns, so that a busy machine hits them alike."""
    least = [float("inf")] * len(runs)
    for _ in range(rounds):
        for at, run in enumerate(runs):
            start = process_time()
            run()
            least[at] = min(least[at], process_time() - start)
    return least


def audited(told: list[list[HandEvent]], book: Rulebook) -> AuditResult:
    running = Auditor([book])
    for events in told:
        running.judge_hand(HandReplay(events))
    return running.result()


def tables(told: list[list[HandEvent]]) -> tuple[list[list[TableEntry]], dict[str, list[HandEvent]]]:
    """Return the streams of the hands' tables, and the hands by the id that these know them by."""
    streams: dict[tuple[str, str, str], list[HandPlayed]] = {}
    hands: dict[str, list[HandEvent]] = {}
    for events in told:
        state = fold(events)
        assert state.opened is not None
        name = f"{len(hands):032x}"
        hands[name] = events
        opened = state.opened
        place = (opened.venue, opened.tournament, opened.table)
        streams.setdefault(place, []).append(build_hand_played(state, name))
    return [from_events(stream) for stream in streams.values()], hands


def at_tables(streams: list[list[TableEntry]], hands: dict[str, list[HandEvent]], book: Rulebook) -> AuditResult:
    running = Auditor([book])
    for stream in streams:
        for sat in TableWalk(pick_table_books([book])).contexts(stream):
            running.judge_hand(HandReplay(hands[sat.hand.hand]), sat)
    return running.result()


def main() -> int:
    files = [Path(name) for name in sys.argv[2:]] or sorted(SAMPLES.glob("*.txt"))
    told = hands(files)
    if not told:
        print("no sample hands: name some files")
        return 2
    streams, by_name = tables(told)
    events = sum(map(len, told))
    short = False
    print(f"{len(told)} hands, {events} events")
    for name in [sys.argv[1]] if len(sys.argv) > 1 else names():
        book = load(name)
        alone, took, walked, sat = best(
            lambda: [fold(each) for each in told],
            lambda book=book: audited(told, book),  # type: ignore[misc] # bound at once
            lambda: [fold_table_entries(stream) for stream in streams],
            lambda book=book: at_tables(streams, by_name, book),  # type: ignore[misc] # bound at once
        )
        found = len(audited(told, book).findings)
        ratio = alone / took
        short |= ratio < GOAL
        print(
            f"audit {name:<12} {1e6 * took / len(told):>6.1f} us a hand, {len(told) / took:>8.0f} hands/s, "
            f"{found} findings; fold alone {1e6 * alone / len(told):.1f} us: {ratio:.2f} x (goal {GOAL:.2f})"
        )
        found = len(at_tables(streams, by_name, book).findings)
        print(
            f"  at {len(streams)} tables {1e6 * sat / len(told):>9.1f} us a hand, {len(told) / sat:>8.0f} hands/s, "
            f"{found} findings; folds alone {1e6 * (alone + walked) / len(told):.1f} us: {(alone + walked) / sat:.2f} x"
        )
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
