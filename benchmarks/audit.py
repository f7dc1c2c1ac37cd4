"""Audit under a whole rulebook beside the fold of the same hands; goal: at least 0.20 x the fold alone.

    python benchmarks/audit.py [BOOK] [FILE...]

Without files: the PokerStars sample hands beside the checkout. Hands are read before the clock
starts; fold and audit each begin from the same lists of events. Best of seven rounds, one core.
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
from ledger.replay import PlayedHand
from projections.audit import Audit, AuditResult
from projections.rulebook import Rulebook, load, names

GOAL = 0.20
SAMPLES = (
    Path(__file__).resolve().parent.parent.parent
    / "shared"
    / "data"
    / "pokerstars"
    / "cash-2021-nl50-masked"
)


def hands(files: list[Path]) -> list[list[HandEvent]]:
    people = People(b"0" * 32)
    found = []
    for file in files:
        form = phh.FORMAT if file.suffix.startswith(".phh") else pokerstars.FORMAT
        chunk = Chunk(file.read_bytes(), name=file.name)
        found += [item.events for item in form.read(chunk, people) if isinstance(item, Account)]
    return found


def best(*runs: Callable[[], object], rounds: int = 7) -> list[float]:
    """Return the least CPU time of each run; they take turns, so that a busy machine hits them alike."""
    least = [float("inf")] * len(runs)
    for _ in range(rounds):
        for at, run in enumerate(runs):
            start = process_time()
            run()
            least[at] = min(least[at], process_time() - start)
    return least


def audited(told: list[list[HandEvent]], book: Rulebook) -> AuditResult:
    running = Audit([book])
    for events in told:
        running.add(PlayedHand(events))
    return running.result()


def main() -> int:
    files = [Path(name) for name in sys.argv[2:]] or sorted(SAMPLES.glob("*.txt"))
    told = hands(files)
    if not told:
        print("no sample hands: name some files")
        return 2
    events = sum(map(len, told))
    short = False
    print(f"{len(told)} hands, {events} events")
    for name in [sys.argv[1]] if len(sys.argv) > 1 else names():
        book = load(name)
        alone, took = best(
            lambda: [fold(each) for each in told],
            lambda book=book: audited(told, book),  # type: ignore[misc] # bound at once
        )
        found = len(audited(told, book).findings)
        ratio = alone / took
        short |= ratio < GOAL
        print(
            f"audit {name:<12} {1e6 * took / len(told):>6.1f} us a hand, {len(told) / took:>8.0f} hands/s, "
            f"{found} findings; fold alone {1e6 * alone / len(told):.1f} us: {ratio:.2f} x (goal {GOAL:.2f})"
        )
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
