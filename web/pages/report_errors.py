"""Errors of a report: what it lacks, and what to choose or install."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import UsageError
from ledger.text.language import join_list, phrase


def several_books(names: Sequence[str]) -> UsageError:
    """Return the error for hands that the house played under several rulebooks."""
    return UsageError(
        phrase("the house had several rulebooks for these hands: {names}", names=join_list(names)),
        phrase("Choose one of them: {option}", option=f"-r {names[0]}"),
    )


def pdf_not_installed(reason: str) -> UsageError:
    """Return the error for a PDF where the program that writes it is missing; `reason`: what Python says."""
    return UsageError(
        phrase("a PDF needs a part that isn't installed: {reason}", reason=reason),
        phrase(
            "Run {command}, and install Pango from your system. Or print the page from a browser.",
            command="pip install 'handledger[pdf]'",
        ),
    )
