"""Every reader: whatever it is given, each byte is accounted for and its events can be stored and replayed."""

from __future__ import annotations

from functools import partial

from ledger import formats
from tests.fuzz.check import check, corpus
from tests.fuzz.target import Target


def targets() -> list[Target]:
    """Return one target for each format; together they take half of a run."""
    return [
        Target(
            f"readers/{name}",
            partial(corpus, name),
            partial(check, name),
            (formats.package(name), "ledger.readers"),
            work_per_byte=150,  # a line of asterisks takes pokerstars 90
            share=7 / len(formats.NAMES),
        )
        for name in formats.NAMES
    ]
