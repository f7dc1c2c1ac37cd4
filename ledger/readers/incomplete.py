"""Errors for hands that can't be read because a part is missing or damaged."""

from __future__ import annotations

from ledger.errors import UnreadableHandError


def no_players(reason: str = "the hand has no list of seats") -> UnreadableHandError:
    """Return the error for a hand without players."""
    hint = "It was cut off or never had one: nothing else tells who sat where with how many chips."
    return UnreadableHandError(reason, kind="cut-off", hint=hint)


def no_second_line(line: str = "that names the table") -> UnreadableHandError:
    """Return the error for a hand without its second line."""
    hint = f"The line {line} is missing or damaged."
    return UnreadableHandError("the hand breaks off after its first line", kind="cut-off", hint=hint)


def broken_off(missing_part: str) -> UnreadableHandError:
    """Return the error for a hand that ends before a required part."""
    return UnreadableHandError(
        f"the hand breaks off before {missing_part}", kind="cut-off", hint="The lines there are missing or damaged."
    )


def unreadable_seat_row(line: str) -> UnreadableHandError:
    """Return the error for a hand whose list of seats has a row that can't be read."""
    return UnreadableHandError(
        f"a seat cannot be read: {line.strip()[:80]!r}", kind="seat", hint="A number, a name and a stack were expected."
    )
