"""`handledger evidence HAND --lake DIR`: a hand that lies in a lake, proved by what lies there."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli import opening, output
from cli.evidence_made import Asked, audience_of, issued, put
from ledger.errors import AddressError, NothingFoundError, UsageError
from projections.addresses import hand_address

if TYPE_CHECKING:
    from uuid import UUID

    from cli.documents import EvidenceDocument
    from ledger.lake.proving import Log
    from ledger.lake.reading import Part
    from ledger.lake.sources import Sources
    from ledger.store import Ledger


def out_of(lake: Path, url: str | None, address: str, asked: Asked, books: list[str] | None) -> EvidenceDocument:
    """Write the file, and, where a ledger is named, into the record of its house who was given it.

    `books` are names of the program's books, and of those that the house had adopted when the lake was made.
    """
    from ledger.lake.layout import manifest
    from ledger.lake.proving import Tree, log_of, whole
    from ledger.lake.sources import Sources
    from projections.books.shelf import load_books

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
        part, stream, own = _hand(ends, lake, log, address)
        asked = asked.under(load_books(part.ledger, books))
        tree = Tree(lake, log)
        if asked.size not in (None, tree.point.size):
            raise UsageError(
                f"the lake has one checkpoint, of {tree.point.size:,} commits", "Leave out --checkpoint, or --lake."
            )
        for one in found.all_sources:
            whole(lake, one)
        prove = partial(tree.prove, within=own.shards[0].name) if log.house is None else tree.prove
        told = put(part.ledger, stream, asked, tree.note, prove, partial(_extract, Sources(lake)), log.key)
        told.lacks = _lacks(part.ledger, stream, asked.audience, sources=bool(found.all_sources), own=log.house is None)
        told.recorded = house is not None
        if house is not None:
            issued(house, stream, told, audience_of(part.ledger, stream, asked.audience), asked.purpose)
    return told


def _hand(ends: ExitStack, lake: Path, log: Log, address: str) -> tuple[Part, UUID, Log]:
    """Return the hand that is meant, lent, and of which of the lake's logs it is."""
    from ledger.lake.hands import holding, lent

    found: list[tuple[Part, UUID, Log]] = []
    for own in holding(lake, log, hand_address.list_possible_numbers(address)):
        part = ends.enter_context(lent(lake, own, hand_address.list_possible_numbers(address)))
        with suppress(NothingFoundError):
            found.append((part, hand_address.find(part.ledger, address).row.stream, own))
    if len(found) > 1:
        told = ", ".join(stream.hex for _, stream, _ in found[:9])
        raise AddressError(f"{len(found)} hands of this lake are called {address!r}", f"Say which by its id: {told}")
    if not found:
        raise NothingFoundError(
            f"no hand {address!r} in this lake",
            "There a hand goes by its number or id, or how these begin: handledger lake audit says which there are.",
        )
    return found[0]


def _extract(sources: Sources, digest: str, start: int, length: int) -> bytes:
    """Return bytes of a source; `NothingFoundError` where the lake does not have all of them."""
    data = sources.piece(digest, start, length)
    if len(data) != length:
        raise NothingFoundError("the lake does not have these bytes of the source")
    return data


def _lacks(ledger: Ledger, stream: UUID, audience: str, *, sources: bool, own: bool) -> list[str]:
    """Return what the evidence of the ledger itself may hold beside this, in words. `own`: no ledger ever held it."""
    from ledger.hiding import commitments

    found = ["time stamps" if own else "time stamps; its ledger may keep some of this checkpoint"]
    if audience == "house":
        found += ["names of people: view/hand.txt tells them by their ids"]
        if not sources and any(commit.source for commit in ledger.stream(stream)):
            found += ["bytes of sources, as it was written with --no-sources"]
    if audience != "public" and any(commitments(ledger.events(stream))):
        found += ["openings of hidden cards" if own else "openings of hidden cards; its ledger may keep them"]
    return found
