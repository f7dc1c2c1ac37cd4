"""Record who looks at hidden cards before they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ledger.errors import UsageError
from ledger.vocabulary import Role

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.store import Ledger


class CardViewer(NamedTuple):
    """Somebody who looks at hidden cards: why, in what role, and by what name."""

    reason: str
    role: Role
    person: str

    def note(self, ledger: Ledger, hands: Iterable[UUID], program: str) -> None:
        """Record in the house's stream that somebody looks at the hidden cards of hands."""
        from ledger.store.requests.card_views import record_views
        from projections.cases.case_people import resolve_person

        person_id, _ = resolve_person(ledger, self.person, "", [])
        record_views(ledger, hands, self.reason, role=self.role, person=person_id, program=program)


def choose_card_viewer(reason: str, role: Role, person: str, *, open_cards: bool) -> CardViewer | None:
    """Return who looks at hidden cards, or None without `open_cards`; `UsageError` without a reason."""
    if not open_cards:
        return None
    if not reason.strip():
        raise UsageError("opening cards needs a reason", "Say it with --why.")
    return CardViewer(reason, role, person)
