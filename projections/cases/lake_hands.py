"""Link a case to hands in another ledger's lake, cite their findings, and compare their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec.structs import replace

from ledger.case import case_errors
from ledger.errors import AddressError, HandledgerError, NothingFoundError
from ledger.lake.hands import find_logs_with_hands, open_hands
from ledger.lake.lake_proof import SignedLog, find_signed_log
from ledger.lake.layout import read_manifest
from ledger.seal.tree import compute_root_over
from ledger.store.seals.merkle_tiles import hash_commit_leaf
from projections.addresses import hand_address
from projections.cases.case_hands import resolve_hand
from projections.cases.cited_findings import build_citation
from projections.findings.doubts import unpack_unread

if TYPE_CHECKING:
    from ledger.case.events import CaseLinked, FindingCited
    from ledger.case.state import CaseState
    from ledger.lake.shard_reader import LakePart
    from ledger.store import Ledger
    from projections.cases.case_documents import CaseHand
    from projections.cases.case_hands import HandLink


def resolve_lake_hand(ledger: Ledger, lake: Path, address: str) -> HandLink:
    """Return the link from a case of `ledger` to a hand of a lake, or to some of its events."""
    log = find_signed_log(read_manifest(lake))
    if log.ledger == ledger.id:
        raise case_errors.lake_of_this_ledger()
    hand_links = [
        hand_link
        for part_log in find_logs_with_hands(lake, log, hand_address.list_possible_numbers(address))
        if (hand_link := _find_hand_in_log(lake, part_log, address)) is not None
    ]
    if len(hand_links) > 1:
        raise case_errors.ambiguous_lake_hand(address, [hand_link.row.stream.hex for hand_link in hand_links])
    if not hand_links:
        raise case_errors.unknown_lake_hand(address)
    return hand_links[0]


def _find_hand_in_log(lake: Path, log: SignedLog, address: str) -> HandLink | None:
    """Return the link to a hand of one log of a lake, or None if the log doesn't contain it."""
    with open_hands(lake, log, hand_address.list_possible_numbers(address)) as part:
        try:
            hand_link = resolve_hand(part.ledger, address)
        except NothingFoundError:
            return None
        row = hand_link.row
        commits = part.ledger.stream(row.stream)
        event = replace(
            hand_link.event,
            ledger=log.ledger,
            position=commits[-1].position,
            root=compute_root_over(map(hash_commit_leaf, commits)).hex(),
            venue=row.venue,
            tournament=row.tournament,
            table=row.table,
            number=row.number,
            started=row.started,
        )
        return hand_link._replace(event=event)


def cite_lake_finding(state: CaseState, lake: Path, fingerprint_start: str, books: list[str]) -> FindingCited:
    """Audit the case's hands in a lake and return the finding whose fingerprint begins with `fingerprint_start`.

    Each part of the lake is audited by itself. If no part has the finding, raise the error of the last one audited.
    """
    failure: HandledgerError = case_errors.no_hand_of_lake()
    for part, links in _iter_linked_parts(state, lake, tables=True):
        # `links` are those to all parts, so keep the hands of this part. There may be none.
        rows = [row for link in links if (row := part.ledger.hand(link.hand))]
        for row in rows:
            if _compare_bytes(part.ledger, state.foreign_hands[row.stream.hex]) != "same":
                raise case_errors.lake_hand_changed(row.number)
        unread_lines = {stream: unpack_unread(bits) for stream, bits in part.unread_bits.items()}
        try:
            if rows:
                return build_citation(part.ledger, fingerprint_start, rows, books, unread_lines)
        except (NothingFoundError, AddressError) as error:
            # not in this part: try the next
            failure = type(error)(error.message, error.hint.replace("handledger audit", "handledger lake audit"))
    raise failure


def compare_with_lake(state: CaseState, hands: Iterable[CaseHand], lake: Path) -> None:
    """Set `elsewhere.now` of the hands: whether the lake contains the same bytes, other bytes, or no such hand."""
    log = find_signed_log(read_manifest(lake))
    comparisons = {link.hand: "missing" for link in state.foreign_hands.values() if link.ledger == log.ledger}
    for part, links in _iter_linked_parts(state, lake):
        comparisons |= {
            link.hand: comparison for link in links if (comparison := _compare_bytes(part.ledger, link)) != "missing"
        }
    for hand in hands:
        if hand.elsewhere is not None:
            hand.elsewhere.now = comparisons.get(hand.id, "")


def _compare_bytes(ledger: Ledger, link: CaseLinked) -> str:
    """Return "same", "other" or "missing" for a linked hand in a ledger, by its commits up to the link."""
    commits = [commit for commit in ledger.stream(UUID(hex=link.hand)) if commit.position <= link.position]
    if not commits:
        return "missing"
    return "same" if compute_root_over(map(hash_commit_leaf, commits)).hex() == link.root else "other"


def _iter_linked_parts(
    state: CaseState, lake: Path, *, tables: bool = False
) -> Iterator[tuple[LakePart, list[CaseLinked]]]:
    """Yield each part of a lake with hands of the case, together with the case's links to hands of the whole lake.

    The links are the same list each time, because a link doesn't show in which part its hand is. `tables`: the parts
    contain the whole tables of the hands.
    """
    log = find_signed_log(read_manifest(lake))
    links = [link for link in state.foreign_hands.values() if link.ledger == log.ledger]
    streams = [link.hand for link in links]
    for part_log in find_logs_with_hands(lake, log, streams):
        with open_hands(lake, part_log, streams, tables=tables) as part:
            yield part, links
