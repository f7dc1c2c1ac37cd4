"""Turn the questions that the record or the rules leave open into sentences."""

from __future__ import annotations

from typing import Final

from ledger.text.language import phrase

_SENTENCE_ENDS: Final = (".", "!", "?", "。", "\uff01", "\uff1f")


def make_sentence(text: str) -> str:
    """Return a sentence unchanged, and an open question as a sentence.

    >>> make_sentence("where the button was")
    "Can't tell: where the button was."
    """
    return text if not text or text.endswith(_SENTENCE_ENDS) else phrase("Can't tell: {question}.", question=text)
