"""What each role may see and do: the one table of it, for the server, its pages and its documentation."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from web.server.refusing import RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

Role: TypeAlias = Literal["auditor", "floor", "viewer"]


class Right(StrEnum):
    """Something that a role may see or do; the value is how people are told of it."""

    TABLES = "tables, hands, results and rules, with the cards that were shown"
    CARDS = "cards that the record tells and that were not shown"
    FINDINGS = "findings, and queries about them"
    IMPORTS = "imports, and what could not be read"
    CASES = "cases"
    OPENINGS = "who opened hidden cards"
    WORK = "work cases"
    RECORD = "keep tables while they are played"
    BRING = "import files"
    OPEN = "open hidden cards, with a reason, on record"


_READING_RIGHTS: Final = frozenset({Right.TABLES, Right.CARDS, Right.FINDINGS, Right.IMPORTS, Right.CASES})

RIGHTS: Final[Mapping[Role, frozenset[Right]]] = {
    "viewer": frozenset({Right.TABLES}),
    "floor": _READING_RIGHTS | {Right.WORK, Right.RECORD, Right.BRING},
    "auditor": _READING_RIGHTS | {Right.OPENINGS, Right.OPEN},
}
"""Who checks the house neither decides its cases nor adds to its record, but for the note of what they opened."""

WRITING_RIGHTS: Final = frozenset({Right.WORK, Right.RECORD, Right.BRING, Right.OPEN})
"""What adds to the ledger: only where the server was started with --write."""


def has_right(role: Role, right: Right) -> bool:
    """Whether a role has a right, as far as it is the role's to have."""
    return right in RIGHTS[role]


def require_right(role: Role, right: Right, *, is_writable: bool) -> None:
    """Refuse a role what it may not; `writes`: the server was started with --write."""
    if not has_right(role, right):
        raise RequestRefusedError(
            403, f"This key is the {role}'s, and this is not for them: {right}.", _OTHER_ROLE_HINT
        )
    if right in WRITING_RIGHTS and not is_writable:
        raise RequestRefusedError(403, "This server is for reading.", "Whoever started it can start it with --write.")


_OTHER_ROLE_HINT: Final = "Open the address that was printed for a role that may."


def format_roles_table() -> str:
    """Return the table of roles in Markdown, as it stands in the documentation."""
    roles = list(RIGHTS)
    lines = [f"| | {' | '.join(roles)} |", f"|---|{'---|' * len(roles)}"]
    for right in Right:
        note = " (with `--write`)" if right in WRITING_RIGHTS else ""
        cells = " | ".join("yes" if has_right(role, right) else "" for role in roles)
        lines.append(f"| {right}{note} | {cells} |")
    return "\n".join(lines) + "\n"
