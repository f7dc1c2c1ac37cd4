"""How fast PHH is read and written, as ratios to PokerKit in one run; and how soon bad text is refused.

    python benchmarks/phh.py [--data FOLDER] [--rounds 7]

FOLDER holds `.phh` and `.phhs` files (default: the sample hands beside the checkout, else our own
test samples). Each round takes other hands, so neither side meets a text twice; both run it one
after the other, in CPU time, and the medians of the rounds are compared.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from pokerkit import HandHistory

from ledger.account import Account
from ledger.formats.phh import FORMAT
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.notation import Chunk
from ledger.people import People
from tests.conftest import sample_hands
from tests.formats.phh.conftest import SAMPLES
from tests.formats.phh.test_hostile import HEAVY

READ_GOAL, WRITE_GOAL, REFUSE_GOAL_MS = 10.0, 1.0, 100.0


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one run; what lies around from before is not the collector's business."""
    gc.collect()
    gc.freeze()
    started_at = time.process_time()
    work()
    return time.process_time() - started_at


def read_ours(files: Sequence[Path], people: People) -> list[Account]:
    """Read and fold every hand; return the accounts."""
    accounts = []
    for file in files:
        with file.open("rb") as stream:
            data = stream.read()
        for item in FORMAT.read(Chunk(data), people):
            if not isinstance(item, Account):
                raise SystemExit(f"{file}: {item}")
            fold(item.events)
            accounts.append(item)
    return accounts


def read_theirs(files: Sequence[Path]) -> list[HandHistory]:
    """Load and replay every hand; return the histories."""
    replayed = []
    for file in files:
        with file.open("rb") as stream:
            histories = list(HandHistory.load_all(stream)) if file.suffix == ".phhs" else [HandHistory.load(stream)]
        for history in histories:
            try:
                for _ in history:
                    pass
            except ValueError:  # one all-in raise of the sample hands is none to PokerKit
                continue
            replayed.append(history)
    return replayed


def print_ratio(label: str, hands: int, their_seconds: list[float], our_seconds: list[float], goal: float) -> None:
    """Print both sides in hands per CPU second, the ratio and its goal."""
    ratio = statistics.median(
        their_round / our_round for their_round, our_round in zip(their_seconds, our_seconds, strict=True)
    )
    verdict = "reached" if ratio >= goal else f"MISSED by {1 - ratio / goal:.0%}"
    slow, fast = hands / statistics.median(their_seconds), hands / statistics.median(our_seconds)
    print(
        f"{label:<34} PokerKit {slow:8,.0f}/s   handledger {fast:8,.0f}/s   "
        f"ratio {ratio:5.1f}   goal {goal:4.1f}   {verdict}"
    )


def main() -> None:
    warnings.simplefilter("ignore")
    arguments = argparse.ArgumentParser(description=__doc__)
    samples = sample_hands()
    arguments.add_argument("--data", type=Path, default=samples / "phh" if samples else SAMPLES)
    arguments.add_argument("--rounds", type=int, default=7)
    options = arguments.parse_args()
    people = People(b"a secret for this benchmark only")
    files = sorted(f for f in options.data.rglob("*.phh") if f.name != "odd.phh")
    many_hand_files = sorted(options.data.rglob("*.phhs"))
    read_theirs([SAMPLES / "NT.phh"]), read_ours([SAMPLES / "NT.phh"], people)  # imports, tables

    reading: tuple[list[float], list[float]] = ([], [])
    writing: tuple[list[float], list[float]] = ([], [])
    for round_number in range(options.rounds):
        part = files[round_number :: options.rounds]
        events: list[list[HandEvent]] = []
        histories: list[HandHistory] = []
        reading[0].append(seconds(lambda: histories.extend(read_theirs(part))))  # noqa: B023 - run at once
        reading[1].append(
            seconds(lambda: events.extend(a.events for a in read_ours(part, people)))  # noqa: B023 - run at once
        )
        writing[0].append(seconds(lambda: [h.dumps() for h in histories]))  # noqa: B023 - run at once
        writing[1].append(seconds(lambda: [FORMAT.write(e, people) for e in events]))  # noqa: B023 - run at once
    size = len(files) // options.rounds
    print_ratio(".phh file to final state", size, *reading, READ_GOAL)
    print_ratio("events to PHH text", size, *writing, WRITE_GOAL)
    if many_hand_files:
        their_seconds = [seconds(lambda: read_theirs(many_hand_files))]
        accounts: list[Account] = []
        our_seconds = [seconds(lambda: accounts.extend(read_ours(many_hand_files, people)))]
        print_ratio(".phhs file to final states", len(accounts), their_seconds, our_seconds, READ_GOAL)

    worst = 0.0
    for name, text in HEAVY.items():
        data = text.encode()
        milliseconds = 1000 * seconds(lambda: list(FORMAT.read(Chunk(data), people)))  # noqa: B023 - run at once
        worst = max(worst, milliseconds)
        print(f"refused in {milliseconds:6.1f} ms CPU: {name} ({len(data):,} bytes)")
    print(f"worst {worst:.1f} ms (goal: at most {REFUSE_GOAL_MS:.0f})")


if __name__ == "__main__":
    main()
