"""Errors of corrections: what is wrong and what to do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ledger.errors import CorrectionError
from ledger.text.language import join_and, phrase, phrase_count

if TYPE_CHECKING:
    from collections.abc import Sequence


def event_corrected_already(place: str, version: int, replacements: Sequence[int], correction: int) -> CorrectionError:
    """Return the error for a correction of an event that doesn't count any more.

    `place`: the address of the hand or the table. `replacements`: the events that replaced it; none if it was taken away.
    `correction`: the event that corrected it.
    """
    if not replacements:
        return CorrectionError(
            phrase(
                "event {version} of {place} doesn't count any more: correction {correction} took it away",
                version=version,
                place=place,
                correction=correction,
            ),
            phrase(
                "To undo that: {command}", command=f"handledger correct {shlex.quote(f'{place}@{correction}')} --remove"
            ),
        )
    return CorrectionError(
        phrase_count(
            "event {version} of {place} was corrected already: event {replacements} replaced it",
            "event {version} of {place} was corrected already: events {replacements} replaced it",
            len(replacements),
            version=version,
            place=place,
            replacements=join_and([str(replacement) for replacement in replacements]),
        ),
        phrase(
            "Correct what counts now: {command}",
            command=f"handledger correct {shlex.quote(f'{place}@{replacements[-1]}')}",
        ),
    )
