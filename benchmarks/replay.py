"""How fast a ledger is read, decoded and folded, beside decoding alone and beside PokerKit's replay.

    python benchmarks/replay.py [--rounds 9] [--data FOLDER]

FOLDER holds `phh` and `pokerstars` (default: the sample hands beside the checkout; without them, our
own PHH samples and random hands of every game). All hands are imported into a ledger in a temporary
folder. Both sides of a ratio run one after the other in every round, in CPU time; the ratio printed
is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec
from pokerkit import HandHistory

import ledger
from ledger.account import Account
from ledger.entry import Provenance
from ledger.formats import phh, pokerstars
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold, iterate_states
from ledger.notation import Chunk
from ledger.people import People
from ledger.store import Ledger, hand_draft
from tests.conftest import sample_hands
from tests.formats.phh.conftest import SAMPLES
from tests.ledger.hand.generate import hands as random_hands

WHOLE_GOAL, POKERKIT_GOAL = 0.30, 50.0
MAX_HANDS = 10_000  # hands
DECODE = msgspec.json.Decoder(list[HandEvent]).decode


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    gc.collect()
    gc.freeze()
    started_at = time.process_time()
    work()
    return time.process_time() - started_at


def read_accounts(folder: Path | None) -> list[Account]:
    """Read the sample hands, or make some."""
    people = People(b"a secret for this benchmark only")
    files = sorted((folder / "pokerstars").rglob("*.txt")) if folder else []
    files += phh_files(folder)
    accounts: list[Account] = []
    for file in files:
        form = phh.FORMAT if file.suffix.startswith(".phh") else pokerstars.FORMAT
        items = form.read(Chunk(file.read_bytes(), name=file.name), people)
        accounts += [item for item in items if isinstance(item, Account)]
        if len(accounts) >= MAX_HANDS:
            break
    if not folder:
        for number, events in enumerate(random_hands(2000)):
            opened = msgspec.structs.replace(events[0], number=str(number))
            accounts.append(Account([opened, *events[1:]], [0, 0] * len(events), 0, 0))
    return accounts


def phh_files(folder: Path | None) -> list[Path]:
    """Return the PHH files that hold one hand each."""
    return sorted(file for file in (folder / "phh" if folder else SAMPLES).rglob("*.phh"))


def import_accounts(store: Ledger, accounts: list[Account]) -> None:
    """Import the hands."""
    provenance = Provenance(time=1_700_000_000_000)
    with store.bulk():
        for first_index in range(0, len(accounts), 1000):
            store.append_all(
                [hand_draft(account, provenance) for account in accounts[first_index : first_index + 1000]]
            )


def read_decode_fold(store: Ledger) -> None:
    """Read every hand of the ledger and fold it."""
    decode = DECODE
    for commit in store.commits(kind="hand"):
        fold(decode(commit.data))


def print_line(label: str, per_hand: float, note: str = "") -> None:
    print(f"{label:<44} {1e6 * per_hand:9.2f} us a hand  {note}")


def measure_ledger(store: Ledger, rounds: int) -> bool:
    """Measure the whole ledger beside decoding alone."""
    blobs = [commit.data for commit in store.commits(kind="hand")]
    lists = [DECODE(blob) for blob in blobs]
    count, events = len(blobs), sum(map(len, lists))
    print(f"{count:,} hands, {events:,} events, {sum(map(len, blobs)) / events:.1f} bytes an event")
    decode_seconds, read_seconds, ledger_seconds, fold_seconds, state_seconds = [], [], [], [], []
    for _ in range(rounds):
        decode_seconds.append(seconds(lambda: [DECODE(blob) and None for blob in blobs]))
        read_seconds.append(seconds(lambda: [None for _ in store.commits(kind="hand")]))
        ledger_seconds.append(seconds(lambda: read_decode_fold(store)))
        fold_seconds.append(seconds(lambda: [fold(events_of_hand) and None for events_of_hand in lists]))
        state_seconds.append(
            seconds(lambda: [sum(1 for _ in iterate_states(events_of_hand)) for events_of_hand in lists])
        )
    ratio = statistics.median(
        decode_round / ledger_round for decode_round, ledger_round in zip(decode_seconds, ledger_seconds, strict=True)
    )
    print_line("msgspec decode alone", statistics.median(decode_seconds) / count)
    print_line("reading the commits alone", statistics.median(read_seconds) / count)
    print_line(
        "fold alone",
        statistics.median(fold_seconds) / count,
        f"{1e6 * statistics.median(fold_seconds) / events:.3f} us an event",
    )
    print_line("every state of a hand, one after the other", statistics.median(state_seconds) / count)
    print_line(
        "read + decode + fold, whole ledger",
        statistics.median(ledger_seconds) / count,
        f"ratio {ratio:.2f} x decode alone (goal {WHOLE_GOAL:.2f})",
    )
    return ratio >= WHOLE_GOAL


def measure_pokerkit(folder: Path | None, rounds: int) -> bool:
    """Replay the same PHH hands here, from stored bytes, and in PokerKit, from loaded histories."""
    people = People(b"a secret for this benchmark only")
    histories, blobs = [], []
    for file in phh_files(folder)[:400]:
        with file.open("rb") as stream:
            history = HandHistory.load(stream)
        try:
            list(history)
        except (ValueError, KeyError):  # a few sample hands are none to PokerKit
            continue
        items = list(phh.FORMAT.read(Chunk(file.read_bytes(), name=file.name), people))
        if len(items) == 1 and isinstance(items[0], Account):
            histories.append(history)
            blobs.append(msgspec.json.encode(items[0].events))
    their_seconds, our_seconds = [], []
    for _ in range(rounds):
        their_seconds.append(seconds(lambda: [None for history in histories for _ in history]))
        our_seconds.append(seconds(lambda: [fold(DECODE(blob)) and None for blob in blobs * 10]) / 10)
    ratio = statistics.median(
        their_round / our_round for their_round, our_round in zip(their_seconds, our_seconds, strict=True)
    )
    count = len(histories)
    print_line(f"PokerKit's replay of {count} PHH hands", statistics.median(their_seconds) / count)
    print_line(
        "decode + fold of the same hands",
        statistics.median(our_seconds) / count,
        f"ratio {ratio:.0f} x PokerKit (goal {POKERKIT_GOAL:.0f})",
    )
    return ratio >= POKERKIT_GOAL


def main() -> int:
    warnings.simplefilter("ignore")
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=sample_hands())
    arguments.add_argument("--rounds", type=int, default=9)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = ledger.open(f"sqlite:///{folder}/replay.ledger", create=True)
        import_accounts(store, read_accounts(options.data))
        reaches_goal = measure_ledger(store, options.rounds)
        store.close()
    return 0 if measure_pokerkit(options.data, max(3, options.rounds // 3)) and reaches_goal else 1


if __name__ == "__main__":
    sys.exit(main())
