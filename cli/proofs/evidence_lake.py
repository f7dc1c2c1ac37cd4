"""`handledger evidence HAND --lake DIR`: write evidence of a hand in a lake."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.options import ledger_options
from cli.output import console
from cli.proofs.evidence_builder import EvidenceRequest, find_audience, record_evidence, write_evidence
from ledger.errors import NothingFoundError
from ledger.evidence import evidence_errors
from projections.addresses import hand_address

if TYPE_CHECKING:
    from uuid import UUID

    from cli.documents.command_documents import EvidenceDocument
    from ledger.lake.lake_proof import SignedLog
    from ledger.lake.shard_reader import LakePart
    from ledger.store import Ledger


def write_lake_evidence(
    lake: Path, url: str | None, address: str, request: EvidenceRequest, books: list[str] | None
) -> EvidenceDocument:
    """Write the file and, if a ledger is named, record in its house's stream for whom.

    `books`: names of the program's books, or of those that the house had adopted when the lake was made.
    """
    from ledger.lake.lake_proof import LakeTree, find_signed_log, require_intact
    from ledger.lake.layout import read_manifest
    from ledger.lake.sources import LakeSources
    from projections.books.shelf import load_books

    if address.startswith("case:"):
        raise evidence_errors.no_cases_in_lake()
    if request.purpose and url is None:
        raise evidence_errors.purpose_in_lake()
    lake_manifest = read_manifest(lake)
    log = find_signed_log(lake_manifest)
    with ExitStack() as stack:
        house_ledger = None if url is None else stack.enter_context(ledger_options.open_ledger(url, read_only=False))
        stack.enter_context(console.show_progress("proving"))
        part, stream, hand_log = _find_hand(stack, lake, log, address)
        request = request.with_books(load_books(part.ledger, books))
        tree = LakeTree(lake, log)
        if request.size not in (None, tree.point.size):
            raise evidence_errors.other_checkpoint_in_lake(tree.point.size)
        for source in lake_manifest.all_sources:
            require_intact(lake, source)
        prove = partial(tree.prove, log_name=hand_log.shards[0].name) if log.house is None else tree.prove
        document = write_evidence(part.ledger, stream, request, tree.note, prove, LakeSources(lake).read_piece, log.key)
        document.lacks = _list_missing(
            part.ledger,
            stream,
            request.audience,
            sources=bool(lake_manifest.all_sources),
            is_lake_alone=log.house is None,
        )
        document.recorded = house_ledger is not None
        if house_ledger is not None:
            record_evidence(
                house_ledger, stream, document, find_audience(part.ledger, stream, request.audience), request.purpose
            )
    return document


def _find_hand(stack: ExitStack, lake: Path, log: SignedLog, address: str) -> tuple[LakePart, UUID, SignedLog]:
    """Return the opened part of the lake with a hand, the hand's stream, and its log."""
    from ledger.lake.hands import find_logs_with_hands, open_hands

    matches: list[tuple[LakePart, UUID, SignedLog]] = []
    for hand_log in find_logs_with_hands(lake, log, hand_address.list_possible_numbers(address)):
        part = stack.enter_context(open_hands(lake, hand_log, hand_address.list_possible_numbers(address)))
        with suppress(NothingFoundError):
            matches.append((part, hand_address.find(part.ledger, address).row.stream, hand_log))
    if len(matches) > 1:
        raise evidence_errors.ambiguous_lake_hand(address, [stream.hex for _, stream, _ in matches])
    if not matches:
        raise evidence_errors.unknown_lake_hand(address)
    return matches[0]


def _list_missing(ledger: Ledger, stream: UUID, audience: str, *, sources: bool, is_lake_alone: bool) -> list[str]:
    """Return the parts that only evidence from a ledger may have. `is_lake_alone`: the lake was never a ledger."""
    from ledger.hidden_cards import find_commitments

    missing_parts = ["time stamps" if is_lake_alone else "time stamps; its ledger may keep some of this checkpoint"]
    if audience == "house":
        missing_parts += ["names of people: view/hand.txt shows their ids"]
        if not sources and any(commit.source for commit in ledger.stream(stream)):
            missing_parts += ["bytes of sources: the lake was written with --no-sources"]
    if audience != "public" and any(find_commitments(ledger.events(stream))):
        missing_parts += [
            "openings of hidden cards" if is_lake_alone else "openings of hidden cards; its ledger may keep them"
        ]
    return missing_parts
