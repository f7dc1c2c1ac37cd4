"""Give readers UTF-16 sources as UTF-8, and map spans back."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from ledger.source.rewritten_bytes import RewrittenText

_STEP_CHARACTERS: Final = 512
"""Characters between two cached offsets."""

_SURROGATE_MODE: Final = "surrogatepass"
"""A lone surrogate stays as it is: the reader reports it."""


class Utf16Text(RewrittenText):
    """A UTF-16 text as UTF-8; maps offsets back to UTF-16."""

    def __init__(self, data: bytes, encoding: str, start: int = 0) -> None:
        """Take bytes in this encoding, and their offset in the source."""
        whole_bytes = len(data) & ~1
        text = data[:whole_bytes].decode(encoding, _SURROGATE_MODE)
        self.data = text.encode("utf-8", _SURROGATE_MODE)
        self.half_character = data[whole_bytes:].strip(b" \t\r\n\0")
        """A truncated last character, unless it's half of a line break."""
        self._size = whole_bytes if self.half_character else len(data)
        self._start = start
        self._narrow, self._wide = [0], [0]
        self._ascii = text.isascii()
        for text_index in range(0, 0 if self._ascii else len(text), _STEP_CHARACTERS):
            text_part = text[text_index : text_index + _STEP_CHARACTERS]
            self._narrow.append(self._narrow[-1] + len(text_part.encode("utf-8", _SURROGATE_MODE)))
            self._wide.append(self._wide[-1] + len(text_part.encode("utf-16-le", _SURROGATE_MODE)))

    def offset(self, utf8_index: int) -> int:
        """Return the UTF-16 offset of a UTF-8 offset, both from the text's beginning.

        An offset within a character counts as the character's beginning.
        """
        if utf8_index == len(self.data):
            return self._size
        if self._ascii:
            return 2 * utf8_index
        while 0 < utf8_index < len(self.data) and self.data[utf8_index] & 0xC0 == 0x80:
            utf8_index -= 1
        step_index = bisect_right(self._narrow, utf8_index) - 1
        text_part = self.data[self._narrow[step_index] : utf8_index].decode("utf-8", _SURROGATE_MODE)
        return self._wide[step_index] + len(text_part.encode("utf-16-le", _SURROGATE_MODE))
