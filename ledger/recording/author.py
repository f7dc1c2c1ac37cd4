"""The author of a recording."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from ledger.formats.handscript.live import LineResult
    from ledger.vocabulary import PlayerId, Role


class Author(NamedTuple):
    """The author of events, and the clock."""

    name: str = "record"  # a part of the program, a device's key, or a `Recording` as text
    clock: str = "system"
    person: PlayerId = ""
    role: Role = "dealer"
    hides_cards: bool = False  # cards that weren't shown are stored as commitments
    check: Callable[[LineResult], None] | None = None  # raises an error for facts that may not be recorded

    def require_permission(self, facts: LineResult) -> None:
        """Raise the error of `check` if these facts may not be recorded."""
        if self.check is not None:
            self.check(facts)


class Recording(NamedTuple):
    """The author of a commit: the signed-in user, the device, and the approver. "" = nobody or unknown."""

    user: PlayerId = ""
    device: str = ""
    approver: PlayerId = ""

    @property
    def writer(self) -> str:
        """The text of it in a commit's provenance.

        >>> Recording("AAAAAAAAAAAAAAAA", "tablet-3").writer
        'user:AAAAAAAAAAAAAAAA device:tablet-3'
        """
        approved = f" approved:{self.approver}" if self.approver else ""
        return f"user:{self.user}{approved}" + (f" device:{self.device}" if self.device else "")


_WRITER: Final = re.compile(r"(?:user:([\w-]*)(?: approved:([\w-]*))?(?: |$))?(?:device:(.*))?", re.ASCII | re.DOTALL)


def parse_writer(writer: str) -> Recording:
    """Return who recorded a commit, from its provenance. Parts of the program are nobody.

    >>> parse_writer("user:AAAAAAAAAAAAAAAA approved:BBBBBBBBBBBBBBBB"), parse_writer("import").user
    (Recording(user='AAAAAAAAAAAAAAAA', device='', approver='BBBBBBBBBBBBBBBB'), '')
    """
    match = _WRITER.fullmatch(writer)
    if match is None:
        return Recording()
    return Recording(match[1] or "", match[3] or "", match[2] or "")
