"""The correction that undoes the last event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.hand.ending import CorrectionMade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.hand.events import HandEvent
    from ledger.people import People
    from ledger.recording.author import Author

TYPING_ERROR = "typing error"
"""The reason of an undo without a stated one."""


def is_undo(text: str) -> bool:
    """Whether a line undoes the last event."""
    return text.split("#", maxsplit=1)[0].strip() == "undo"


def build_undo(
    numbered: Sequence[tuple[int, HandEvent]], writer: Author, people: People, reason: str
) -> CorrectionMade:
    """Return the correction of the last of these events in force, each with its version."""
    version = numbered[-1][0]
    return CorrectionMade((version,), version, 0, writer.role, writer.person, people.text(reason))
