"""The number of a hand where a time might be written instead."""

# ruff: noqa: ARG002 - one signature for all slots

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.context import Context
from ledger.formats.handscript.slots import Text, wrong
from ledger.formats.handscript.tokens import Token, quote, word

_CLOCK: Final = re.compile(r"[0-9]{1,2}([:.h][0-9]{2}.*|[ap]m)|.*T[0-9]{2}:[0-9]{2}.*", re.IGNORECASE)


class HandNumber(Text):
    """The number of a hand: `28`. A time of day is none."""

    expected = "the number of a hand, not a time"

    def value(self, token: Token, context: Context) -> str:
        """Take what is no time, unless it stands in quotes."""
        if not token.quoted and _CLOCK.fullmatch(token.text):
            raise wrong(self.expected, token)
        return super().value(token, context)

    def write(self, value: str, context: Context) -> str:
        """Write a number bare, and in quotes what might be taken for a time."""
        return quote(value) if _CLOCK.fullmatch(value) else word(value)
