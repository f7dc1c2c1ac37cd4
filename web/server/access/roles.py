"""Define what each role may see and do, for the server, its pages and its documentation."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ledger.house.events import UserRole as Role
from ledger.text.language import phrase, translatable
from web.server import request_errors

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RIGHTS", "AccessRight", "Role", "has_right", "require_right"]


class AccessRight(StrEnum):
    """Something that a role may see or do. The value is the text for people."""

    TABLES = translatable("tables, hands, results and rules, with the cards that were shown")
    CARDS = translatable("recorded cards that weren't shown")
    FINDINGS = translatable("findings, and queries about them")
    IMPORTS = translatable("imports, and what could not be read")
    CASES = translatable("cases")
    OPENINGS = translatable("the list of who opened hidden cards")
    WORK = translatable("work cases")
    RECORD = translatable("record tables while they play")
    RULE = translatable("record what only a floor may: rulings, dead hands, corrections, the button by hand")
    BRING = translatable("import files")
    ADOPT = translatable("adopt a rulebook")
    OPEN = translatable("open hidden cards, with a reason, on record")


_READING_RIGHTS: Final = frozenset(
    {AccessRight.TABLES, AccessRight.CARDS, AccessRight.FINDINGS, AccessRight.IMPORTS, AccessRight.CASES}
)

RIGHTS: Final[Mapping[Role, frozenset[AccessRight]]] = {
    "viewer": frozenset({AccessRight.TABLES}),
    "dealer": frozenset({AccessRight.TABLES, AccessRight.RECORD}),
    "floor": _READING_RIGHTS
    | {AccessRight.WORK, AccessRight.RECORD, AccessRight.RULE, AccessRight.BRING, AccessRight.ADOPT},
    "auditor": _READING_RIGHTS | {AccessRight.OPENINGS, AccessRight.OPEN},
}
"""An auditor neither decides cases nor adds to the record, except the note of which cards they opened. What a dealer needs
a floor for is in `web/server/access/floor_acts.py`."""

WRITING_RIGHTS: Final = frozenset(
    {AccessRight.WORK, AccessRight.RECORD, AccessRight.RULE, AccessRight.BRING, AccessRight.ADOPT, AccessRight.OPEN}
)
"""Rights that add to the ledger. They need a server that was started with --write."""


def has_right(role: Role, access_right: AccessRight) -> bool:
    """Whether a role has a right. Writing rights also need a writable server."""
    return access_right in RIGHTS[role]


def require_right(role: Role, access_right: AccessRight, *, is_writable: bool) -> None:
    """Raise `RequestRefusedError` if a role lacks a right. `is_writable`: the server was started with --write."""
    if not has_right(role, access_right):
        entitled_roles = [entitled_role for entitled_role in RIGHTS if has_right(entitled_role, access_right)]
        raise request_errors.right_missing(role, phrase(access_right.value), entitled_roles)
    if access_right in WRITING_RIGHTS and not is_writable:
        raise request_errors.server_read_only()


def format_roles_table() -> str:
    """Return the table of roles in Markdown for the documentation."""
    roles = list(RIGHTS)
    lines = [f"| | {' | '.join(roles)} |", f"|---|{'---|' * len(roles)}"]
    for access_right in AccessRight:
        note = " (with `--write`)" if access_right in WRITING_RIGHTS else ""
        cells = " | ".join("yes" if has_right(role, access_right) else "" for role in roles)
        lines.append(f"| {access_right}{note} | {cells} |")
    return "\n".join(lines) + "\n"
