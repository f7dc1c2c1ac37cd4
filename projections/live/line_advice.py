"""Describe what is wrong with a typed line and how to write it, in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.formats.handscript.live import OutOfPlaceError
from ledger.text.language import is_english, phrase

if TYPE_CHECKING:
    from ledger.errors import UnreadableHandError


class LineAdvice(NamedTuple):
    """Why a line wasn't recorded, and what to do."""

    message: str
    hint: str


def describe_unread_line(error: UnreadableHandError) -> LineAdvice:
    """Return the advice for a line that couldn't be read.

    Only English advice includes what handscript expected in which column, because handscript's words are English. In
    other languages the advice is the nearest readable line, or the form of such a line.
    """
    suggestion = getattr(error, "write", "")
    form, column = getattr(error, "form", ""), getattr(error, "column", 0)
    if suggestion:
        hint = phrase("Write: {line}", line=suggestion)
    elif is_english() or isinstance(error, OutOfPlaceError):
        hint = error.hint
    else:
        hint = phrase("Such a line reads: {form}", form=form) if form else ""
    if is_english() or isinstance(error, OutOfPlaceError):
        return LineAdvice(error.reason, hint)
    if column:
        return LineAdvice(phrase("column {column}: this can't be read", column=column), hint)
    return LineAdvice(phrase("this line can't be read"), hint)
