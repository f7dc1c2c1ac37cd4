"""Store what dealers asked a floor to approve, and the answers. Each step is an event of the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.entry import Provenance
from ledger.house.events import ApprovalAnswered, ApprovalAsked
from ledger.store.commits import CommitDraft
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.house.events import ApprovalAnswer
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.ledger import Ledger
    from ledger.vocabulary import PlayerId, Seat

_WRITER: Final = "user"


def record_request(
    ledger: Ledger,
    request_id: str,
    table_key: TableKey,
    user: PlayerId,
    device: str,
    act: str,
    line: str,
    seat: Seat | None,
    position: int,
) -> None:
    """Record that a dealer asked for an act. Its line goes into the vault: it may name players, who can be forgotten."""
    asked = ApprovalAsked(
        request_id,
        user,
        act,
        ledger.people.text(line),
        position,
        table_key.table,
        table_key.venue,
        table_key.tournament,
        seat,
        device,
    )
    ledger.append("house", HOUSE, [asked], recorded=Provenance(ledger.now(), writer=_WRITER))


def record_answer(ledger: Ledger, request_id: str, answer: ApprovalAnswer, floor: PlayerId) -> bool:
    """Record a floor's answer; return False if it's on record already.

    An approved act is recorded at its table by then, so an approval is recorded even after a refusal of the same moment.
    """
    events = [ApprovalAnswered(request_id, answer, floor)]
    recorded = Provenance(ledger.now(), writer=_WRITER, key=f"approval-{answer}:{request_id}")
    draft = CommitDraft("house", HOUSE, None, len(events), ledger.mapper.encode("house", events), b"", recorded)
    (outcome,) = ledger.append_all([draft], strict=True)
    return outcome.state == "new"
