"""Bovada's text, and that of Bodog and Ignition: positions instead of names, all hole cards known.

`docs/formats/bovada.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.bovada.header import begins
from ledger.formats.bovada.reading import read
from ledger.formats.bovada.words import ROOMS
from ledger.notation import Format
from ledger.readers.cutting import cutter
from ledger.readers.signatures import others

_FOREIGN: Final = others(*(room + " Hand #" for room in ROOMS))


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Bovada's text: 0 no, 100 certain."""
    sure = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if begins(bare):
            return 95
        if bare.startswith(_FOREIGN):
            return 0
        if " : Card dealt to a spot [" in bare:
            sure = 30
    return sure


FORMAT: Final = Format(
    name="bovada",
    title="Bovada, Bodog and Ignition text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter((" Hand #",), begins),
)
