"""`handledger evidence HAND --lake DIR`: a hand that lies in a lake, proved by what lies there."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli import opening, output
from cli.evidence_made import Asked, audience_of, issued, put
from ledger.errors import NothingFoundError, UsageError
from projections.queries import addresses

if TYPE_CHECKING:
    from uuid import UUID

    from cli.documents import EvidenceDocument
    from ledger.lake.sources import Sources
    from ledger.store import Ledger


def out_of(lake: Path, url: str | None, address: str, asked: Asked) -> EvidenceDocument:
    """Write the file, and, where a ledger is named, into the record of its house who was given it."""
    from ledger.lake.hands import lent
    from ledger.lake.layout import manifest
    from ledger.lake.proving import Tree, log_of, whole
    from ledger.lake.sources import Sources

    if address.startswith("case:"):
        raise UsageError(
            "a lake has no cases", "Evidence of a case comes out of the ledger that keeps it: leave out --lake."
        )
    if asked.purpose and url is None:
        raise UsageError(
            "a lake keeps no record of a purpose", "Name the ledger whose house records it: --ledger LEDGER."
        )
    found = manifest(lake)
    log = log_of(found)
    with ExitStack() as ends:
        house = None if url is None else ends.enter_context(opening.opened(url, read_only=False))
        ends.enter_context(output.working("proving"))
        part = ends.enter_context(lent(lake, log, addresses.names(address)))
        stream = _hand(part.ledger, address)
        tree = Tree(lake, log)
        if asked.size not in (None, tree.point.size):
            raise UsageError(
                f"the lake has one checkpoint, of {tree.point.size:,} commits", "Leave out --checkpoint, or --lake."
            )
        if found.sources is not None:
            whole(lake, found.sources)
        told = put(part.ledger, stream, asked, tree.note, tree.prove, partial(_extract, Sources(lake)))
        told.lacks = _lacks(part.ledger, stream, asked.audience, sources=found.sources is not None)
        told.recorded = house is not None
        if house is not None:
            issued(house, stream, told, audience_of(part.ledger, stream, asked.audience), asked.purpose)
    return told


def _hand(ledger: Ledger, address: str) -> UUID:
    """Return the hand that is meant, out of those that a lake lent."""
    try:
        return addresses.find(ledger, address).row.stream
    except NothingFoundError:
        raise NothingFoundError(
            f"no hand {address!r} in this lake",
            "There a hand goes by its number or id, or how these begin: handledger lake audit says which there are.",
        ) from None


def _extract(sources: Sources, digest: str, start: int, length: int) -> bytes:
    """Return bytes of a source; `NothingFoundError` where the lake does not have all of them."""
    data = sources.piece(digest, start, length)
    if len(data) != length:
        raise NothingFoundError("the lake does not have these bytes of the source")
    return data


def _lacks(ledger: Ledger, stream: UUID, audience: str, *, sources: bool) -> list[str]:
    """Return what the evidence of the ledger itself may hold beside this, in words."""
    from ledger.hiding import commitments

    found = ["time stamps; its ledger may keep some of this checkpoint"]
    if audience == "house":
        found += ["names of people: view/hand.txt tells them by their ids"]
        if not sources and any(commit.source for commit in ledger.stream(stream)):
            found += ["bytes of sources, as it was written with --no-sources"]
    if audience != "public" and any(commitments(ledger.events(stream))):
        found += ["openings of hidden cards; its ledger may keep them"]
    return found
