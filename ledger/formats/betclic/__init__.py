"""Betclic's text (its own client, since the end of 2024): a table of facts, then the hand.

`docs/formats/betclic.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.betclic.header import HEAD, begins
from ledger.formats.betclic.reading import tell
from ledger.telling import reading
from ledger.telling.heads import others, sniffer

_FOREIGN: Final = others(HEAD)
_GRAMMAR: Final = reading.Grammar(begins, _FOREIGN, tell, ("------------",), initials="*\ufeff \t")
_sniff: Final = sniffer(begins, _FOREIGN)


def sniff(head: bytes) -> int:
    """Return 95 for a table of facts that has the number of a hand in it, else 0."""
    return _sniff(head) if b"Hand ID: " in head else 0


FORMAT: Final = reading.text_format("betclic", "Betclic text", _GRAMMAR, (HEAD,), sniff=sniff)
