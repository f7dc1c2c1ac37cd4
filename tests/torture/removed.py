"""Every line of every hand of the laws' evenings taken away, and every line unread: nothing may become surer.

`tests/projections/test_removed.py` draws a few of them; here they are taken one after the other.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import Pool

from ledger.hand import events as hand_events
from tests.projections import test_removed as law


def tried(index: int) -> tuple[int, list[str]]:
    """Return how many removals from one evening were tried, and what became surer by which."""
    book = law.nights()[index][0]
    hand_told, hands, state_before = law.complete_evening(index)
    count, wrong = 0, []
    for stream, hand in hands.items():
        for line, recorded_event in enumerate(hand.recorded_events):
            for is_unread in (False, True) if line else (False,):
                events: list[hand_events.HandEvent] = list(hand.recorded_events)
                if is_unread:
                    events[line] = law.e.LineUnread("x")
                elif type(recorded_event) in law.UNKNOWABLE:
                    continue
                else:
                    del events[line]
                count += 1
                new = law.surer(hand_told, hands, book, state_before, stream, events)
                if new:
                    word = "unread" if is_unread else "gone"
                    wrong.append(
                        f"evening {index} ({book}), hand {stream}, line {line} {word}: {recorded_event}: {sorted(new, key=str)}"
                    )
    return count, wrong


def main() -> int:
    """Try the evenings asked for, two at a time."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--evenings", type=int, default=0, help="only the first so many")
    ask.add_argument("--processes", type=int, default=2)
    options = ask.parse_args()
    which = range(options.evenings or len(law.nights()))
    count, wrong = 0, []
    with Pool(options.processes) as pool:
        for tried_count, failures in pool.imap_unordered(tried, which):
            count += tried_count
            wrong += failures
            for failure in failures:
                print(failure, flush=True)
    print(f"{count:,} removals from {len(which)} evenings, {len(wrong)} made something surer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
