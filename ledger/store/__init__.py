"""The store of a ledger: one append-only log, in SQLite or PostgreSQL."""

from typing import TYPE_CHECKING

from ledger.store.commits import Commit, CommitDraft, HandFacts, HandRow, IntegrityProblem, Outcome, TableRow
from ledger.store.database.database import default_url
from ledger.store.ledger import Ledger
from ledger.store.log.stored_sources import SourceProgress
from ledger.store.open_ledger import open_ledger as open  # noqa: A004 - the one way in

if TYPE_CHECKING:
    from ledger.store.log.drafts import hand_draft, table_draft

__all__ = [
    "Commit",
    "CommitDraft",
    "HandFacts",
    "HandRow",
    "IntegrityProblem",
    "Ledger",
    "Outcome",
    "SourceProgress",
    "TableRow",
    "default_url",
    "hand_draft",
    "open",
    "table_draft",
]


def __getattr__(name: str) -> object:
    """Load the functions that make drafts on first use: readers need none."""
    if name in {"hand_draft", "table_draft"}:
        from ledger.store.log import drafts  # noqa: PLC0415 - see above

        return getattr(drafts, name)
    raise AttributeError(name)
