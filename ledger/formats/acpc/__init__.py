"""Logs of the Annual Computer Poker Competition's dealer, and Pluribus' logs: a hand in one line.

`docs/formats/acpc.md` says what is read, what is assumed, and what the lines cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.acpc.cutting import cut, sniff
from ledger.formats.acpc.reading import read
from ledger.notation import Format

FORMAT: Final = Format(
    name="acpc",
    title="ACPC and Pluribus logs",
    suffixes=(".log", ".txt"),
    sniff=sniff,
    read=read,
    cut=cut,
    appended=False,
)
