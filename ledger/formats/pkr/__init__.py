"""PKR's text (closed in 2017): totals of the street for calls too, and every stack at the end.

`docs/formats/pkr.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.pkr.header import begins
from ledger.formats.pkr.reading import tell
from ledger.readers import reading
from ledger.readers.signatures import others

_FOREIGN: Final = others("PKR")
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, initials="T\ufeff \t")


def sniff(head: bytes) -> int:
    """Return how sure it is that this is PKR's text: 0 no, 100 certain."""
    known = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        if line.startswith(_FOREIGN):
            return 0
        known += begins(line)
        if known and line.startswith("Starting Hand #"):
            return 95
    return 0


FORMAT: Final = reading.text_format("pkr", "PKR text", _GRAMMAR, ("Table #",), sniff=sniff)
