"""Record in the house's stream that hands leave the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.entry import Provenance
from ledger.export.audience import HOUSE as EVERYTHING
from ledger.export.audience import PUBLIC
from ledger.house.events import ExportMade
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.store import Ledger


def append_export(
    ledger: Ledger, kind: str, hand_count: int, audience: str, digest: str, *, lossy: bool, program: str
) -> None:
    """Append an export to the record. `digest`: of the file, sha256 in hex. `program`: what wrote the file."""
    public_audience = audience if audience in (EVERYTHING, PUBLIC) else "player"
    export_event = ExportMade(kind, hand_count, public_audience, digest, lossy=lossy)
    ledger.append("house", HOUSE, [export_event], recorded=Provenance(ledger.now(), writer=program))
