"""Hands that a case concerns and that lie in a lake, which was written of another ledger: read there, and looked at again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec.structs import replace

from ledger.errors import AddressError, CaseError, HandledgerError, NothingFoundError, UsageError
from ledger.lake.hands import holding, lent
from ledger.lake.layout import manifest
from ledger.lake.proving import Log, log_of
from ledger.seal.tree import root
from ledger.store.tiles import leaf_of
from projections.addresses import hand_address
from projections.cases import claims
from projections.findings.doubts import spoiled_of

if TYPE_CHECKING:
    from ledger.case.events import CaseLinked, FindingCited
    from ledger.case.state import CaseState
    from ledger.lake.reading import Part
    from ledger.store import Ledger
    from projections.cases.case_documents import CaseHand
    from projections.cases.claims import Linked


def hand_of(ledger: Ledger, lake: Path, address: str) -> Linked:
    """Return the hand of a lake, and the span of its events, that an address means, as the case of `ledger` is to cite it."""
    log = log_of(manifest(lake))
    if log.ledger == ledger.id:
        raise UsageError("the lake was written of this very ledger", "Name the hand without --lake: it is here.")
    hands = [
        one
        for own in holding(lake, log, hand_address.list_possible_numbers(address))
        if (one := _hand_of(lake, own, address)) is not None
    ]
    if len(hands) > 1:
        told = ", ".join(one.row.stream.hex for one in hands[:9])
        raise AddressError(f"{len(hands)} hands of this lake are called {address!r}", f"Say which by its id: {told}")
    if not hands:
        raise NothingFoundError(f"no hand {address!r} in this lake", "There it goes by its number or id.")
    return hands[0]


def _hand_of(lake: Path, log: Log, address: str) -> Linked | None:
    with lent(lake, log, hand_address.list_possible_numbers(address)) as part:
        try:
            found = claims.hand(part.ledger, address)
        except NothingFoundError:
            return None
        row = found.row
        commits = part.ledger.stream(row.stream)
        event = replace(
            found.event,
            ledger=log.ledger,
            position=commits[-1].position,
            root=root(map(leaf_of, commits)).hex(),
            venue=row.venue,
            tournament=row.tournament,
            table=row.table,
            number=row.number,
            started=row.started,
        )
        return found._replace(event=event)


def finding(state: CaseState, lake: Path, told: str, books: list[str]) -> FindingCited:
    """Return the finding that an audit of the lake gives in a hand of the case, by the beginning of its fingerprint."""
    wrong: HandledgerError = CaseError(
        "this case concerns no hand of this lake, so no finding of it can be in one",
        "Link the hand first: handledger case link NUMBER HAND --lake LAKE",
    )
    for part, links in _linked(state, lake, tables=True):
        rows = [row for link in links if (row := part.ledger.hand(link.hand))]
        for row in rows:
            if _same(part.ledger, state.elsewhere[row.stream.hex]) != "same":
                raise CaseError(f"hand {row.number!r} of this lake is not the one that the case concerns: other bytes")
        unread = {stream: spoiled_of(bits) for stream, bits in part.unread.items()}
        try:
            if rows:
                return claims.finding(part.ledger, told, rows, books, unread)
        except (NothingFoundError, AddressError) as error:
            wrong = type(error)(error.message, error.hint.replace("handledger audit", "handledger lake audit"))
    raise wrong


def look(state: CaseState, hands: Iterable[CaseHand], lake: Path) -> None:
    """Say of those hands of a case that were read from a lake's ledger whether they lie in the lake: the same bytes, or others."""
    log = log_of(manifest(lake))
    now = {link.hand: "missing" for link in state.elsewhere.values() if link.ledger == log.ledger}
    for part, links in _linked(state, lake):
        now |= {link.hand: told for link in links if (told := _same(part.ledger, link)) != "missing"}
    for hand in hands:
        if hand.elsewhere is not None:
            hand.elsewhere.now = now.get(hand.id, "")


def _same(ledger: Ledger, link: CaseLinked) -> str:
    commits = [one for one in ledger.stream(UUID(hex=link.hand)) if one.position <= link.position]
    if not commits:
        return "missing"
    return "same" if root(map(leaf_of, commits)).hex() == link.root else "other"


def _linked(state: CaseState, lake: Path, *, tables: bool = False) -> Iterator[tuple[Part, list[CaseLinked]]]:
    """Lend the hands of a case that were read from a lake's ledger, log by log, and the links that say so."""
    log = log_of(manifest(lake))
    links = [link for link in state.elsewhere.values() if link.ledger == log.ledger]
    names = [link.hand for link in links]
    for own in holding(lake, log, names):
        with lent(lake, own, names, tables=tables) as part:
            yield part, links
