"""Hints of errors without the sentences about commands: who reads a page may have no terminal."""

from __future__ import annotations

import re
from typing import Final

_COMMAND_WORDS: Final = re.compile(r"handledger |(?<!\w)--?[a-z]|\b[A-Z]{4,}\b")


def drop_command_hints(text: str) -> str:
    """Return an error's text without the sentences about commands.

    >>> drop_command_hints("Say who pays, --pay 5=-15. A day is enough.")
    'A day is enough.'
    """
    sentences = re.split(r"(?<=[.:;?]) (?=[A-Z])|\n", text)
    return " ".join(sentence for sentence in sentences if not _COMMAND_WORDS.search(sentence))
