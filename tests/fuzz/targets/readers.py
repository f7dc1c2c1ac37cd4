"""Every reader: whatever it is given, each byte is accounted for and its events can be stored and replayed."""

from __future__ import annotations

from functools import partial
from math import inf

from ledger import formats
from tests.fuzz.check import check, corpus
from tests.fuzz.target import Target
from tests.fuzz.targets.handscript import SLOW


def targets() -> list[Target]:
    """Return one target for each format; together they take half of a run."""
    return [
        Target(
            f"readers/{name}",
            partial(corpus, name),
            partial(check, name, seconds=inf),  # bounded by its size instead
            (formats.find_module_name(name), "ledger.readers"),
            work_per_byte=300 if name == "handscript" else 150,  # a line of asterisks takes pokerstars 90
            seconds_per_byte=SLOW if name == "handscript" else 20e-6,
            share=7 / len(formats.NAMES),
        )
        for name in formats.NAMES
    ]
