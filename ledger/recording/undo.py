"""The correction with which whoever records takes the last event back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.hand.ending import CorrectionMade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.hand.events import HandEvent
    from ledger.people import People
    from ledger.recording.author import Author

TYPING_ERROR = "typing error"
"""Why a line is taken back, where nobody says it."""


def is_undo(text: str) -> bool:
    """Whether a line takes the last event back."""
    return text.split("#", maxsplit=1)[0].strip() == "undo"


def make_undo(numbered: Sequence[tuple[int, HandEvent]], writer: Author, people: People, reason: str) -> CorrectionMade:
    """Return the correction of the last of some events that hold, each with its version."""
    version = numbered[-1][0]
    return CorrectionMade((version,), version, 0, writer.role, writer.person, people.text(reason))
