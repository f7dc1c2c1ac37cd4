"""The book of results is filled when it is first looked into, by however many at once."""

from __future__ import annotations

import sys
import threading

from ledger.formats.handscript.context import Context
from ledger.formats.handscript.phrasebook import Phrasebook
from ledger.formats.handscript.tokens import split_placed_words
from ledger.hand.opening import GameSet
from ledger.people import People


def test_whoever_looks_while_it_is_filled_sees_all_of_it() -> None:
    """A server's first two requests came at once, and one of them was told that nobody knows `game`."""
    book, results, ready = Phrasebook(), [], threading.Barrier(8)

    def look() -> None:
        ready.wait()
        line = split_placed_words("game holdem no-limit cash blinds 2/5 unit USD 2")[0]
        try:
            results.append(type(book.parse(line, Context(People(b"x" * 32)))))
        except Exception as error:  # noqa: BLE001 - whatever it is stands in the answer
            results.append(type(error))

    interval_before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        workers = [threading.Thread(target=look) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        sys.setswitchinterval(interval_before)
    assert results == [GameSet] * 8
