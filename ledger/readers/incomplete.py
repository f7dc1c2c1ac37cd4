"""Why a hand that was cut off can't be read: each kind of missing part with its own words."""

from __future__ import annotations

from ledger.errors import UnreadableHandError


def no_players(reason: str = "the hand has no list of seats") -> UnreadableHandError:
    """Return why a hand without players cannot be told."""
    hint = "It was cut off or never had one: nothing else tells who sat where with how many chips."
    return UnreadableHandError(reason, kind="cut-off", hint=hint)


def no_second_line(line: str = "that names the table") -> UnreadableHandError:
    """Return why a hand cannot be told whose second line is missing."""
    hint = f"The line {line} is missing or damaged."
    return UnreadableHandError("the hand breaks off after its first line", kind="cut-off", hint=hint)


def broken_off(missing_part: str) -> UnreadableHandError:
    """Return why a hand cannot be told that ends before a part that all need."""
    return UnreadableHandError(
        f"the hand breaks off before {missing_part}", kind="cut-off", hint="The lines there are missing or damaged."
    )
