"""Queries: whatever is typed is answered with hands or with an error of ours."""

from __future__ import annotations

from functools import cache
from typing import Final

from ledger.errors import HandledgerError
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books import rulebook
from projections.queries.fields import FIELDS, FLAGS, GAME_NICKNAMES, WORDS
from projections.queries.ledger_query import select_hands
from tests.fuzz.scratch import scratch_folder
from tests.fuzz.target import Target
from tests.web.nights import wrong_button

_MORE_QUERIES: Final = (
    'pot>=200 player:"Old Tom" -position:BTN',
    "(table:T7 or table:T8) not showdown",
    "players:2..6 since:2026-11-20T22:00 until:2026-11-21",
    "clause:hilton.B8* severity>=warning -certainty:likely",
    "game:plo,nlhe net<-100.50 board:AhKd",
    "hand:T7/411 flag:run-it-twice",
    "winner all-in or finding",
    "day!=2026-11-20 dealer:Kim source:*.hand",
)


def targets() -> list[Target]:
    """Return the one target."""
    return [Target("queries", seeds, run, ("projections.queries", "ledger.store.matching"), work=400_000)]


def seeds() -> list[bytes]:
    """Return the example of each field, word and operator, and queries of several."""
    examples = [field.example for field in (*FIELDS.values(), *WORDS.values())]
    flags = [f"flag:{flag}" for flag in FLAGS]
    operators = [f"players{operator}6" for operator in (":", "=", "!=", ">", ">=", "<", "<=")]
    return [
        query.encode()
        for query in (*examples, *operators, *flags, *(f"game:{game}" for game in GAME_NICKNAMES), *_MORE_QUERIES)
    ]


def run(data: bytes) -> None:
    """Ask; count, list and sum up what fits."""
    text = data.decode("utf-8", "surrogateescape")  # as an argument of a command comes in
    try:
        with select_hands(_ledger(), text, "06:00", [rulebook.load("hilton")]) as selection:
            rows = list(selection.iter_rows())
            assert selection.count_hands() == len(rows), "the count isn't the number of hands"
            list(selection.without_finding_terms().iter_hand_values())
    except HandledgerError as error:
        str(error.message).encode("utf-8", "backslashreplace")


@cache
def _ledger() -> Ledger:
    folder = scratch_folder()
    (folder / "night.hand").write_text(wrong_button(), encoding="utf-8")
    ledger = open_ledger(folder / "queries.ledger")
    import_paths(ledger, [folder / "night.hand"])
    return ledger
