"""A written tournament in a ledger, and the house's book for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import handledger
from projections.money.tournament import Tournament, list_tournaments, read_tournament

HOUSE = b"""[rulebook]
title = "Desert Palms, tournaments"
edition = "1"
source = "the house"
extends = "tda2024@2024-1.0-r2"

[policy]
"seating.breaking_order" = { is = "highest-number", clauses = ["T1"], says = "the highest number first" }
"seating.redraw" = { is = [1], clauses = ["T2"], says = "for the final table" }

[T1]
says = "The table with the highest number breaks first."
topic = "seating"
severity = "error"
defines = "the breaking order"

[T2]
says = "Seats are drawn again for the final table."
topic = "seating"
severity = "error"
defines = "the redraws"
"""


@contextmanager
def tournament_of(texts: Mapping[str, str], folder: Path) -> Iterator[Tournament]:
    """Import the streams of a tournament, each a file, and read it."""
    for name, text in texts.items():
        (folder / f"{name}.hand").write_text(text, "utf-8")
    with handledger.open("sqlite://") as ledger:
        for file in handledger.import_files(ledger, [folder / f"{name}.hand" for name in texts]).files:
            assert (file.rejected, file.error) == (0, ""), file
        [(venue, number)] = list_tournaments(ledger)
        yield read_tournament(ledger, venue, number)
