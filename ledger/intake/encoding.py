"""Detect the encoding of a source by its bytes, never by its name."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from typing import Final

HEAD_BYTES: Final = 64 * 1024
"""Bytes from the start of a source that show its encoding and format."""

_CONTROLS: Final = bytes(c for c in range(32) if c not in b"\t\n\r\x0b\x0c\x1a\x1b")


def is_binary(head: bytes) -> bool:
    """Whether the start of a source isn't text in any supported encoding."""
    if not head or head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or _detect_utf16(head):
        return False
    control_count = len(head) - len(head.translate(None, _CONTROLS))
    return control_count * 50 > len(head)


def detect_encoding(head: bytes) -> str:
    """Return "utf-8", "utf-16-le" or "utf-16-be". Only the entire source shows whether it is UTF-8."""
    if head.startswith(BOM_UTF8):
        return "utf-8"
    if head.startswith(BOM_UTF16_LE):
        return "utf-16-le"
    if head.startswith(BOM_UTF16_BE):
        return "utf-16-be"
    return _detect_utf16(head) or "utf-8"


def _detect_utf16(head: bytes) -> str:
    """Recognise UTF-16 without a byte order mark by its zero bytes; "" if it isn't."""
    even_bytes, odd_bytes = head[0::2], head[1::2]
    if not odd_bytes:
        return ""
    even_zeros, odd_zeros = even_bytes.count(0) / len(even_bytes), odd_bytes.count(0) / len(odd_bytes)
    if odd_zeros > 0.4 and even_zeros < 0.05:
        return "utf-16-le"
    return "utf-16-be" if even_zeros > 0.4 and odd_zeros < 0.05 else ""


def convert_to_utf8(head: bytes, encoding: str) -> bytes:
    """Return the start of a source as UTF-8 without its byte order mark."""
    if encoding == "utf-8":
        return head.removeprefix(BOM_UTF8)
    return head.decode(encoding, "replace").removeprefix("\ufeff").encode("utf-8", "replace")


class Utf8Check:
    """Decides between UTF-8 and cp1252 while the bytes of a source are read.

    A single damaged byte must not turn a UTF-8 file into cp1252: that would change the names of all its players. So it
    stays UTF-8 if valid characters outnumber broken ones.
    """

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._valid_count = 0
        self._broken_count = 0

    def add_bytes(self, data: bytes) -> None:
        """Look at the next bytes."""
        if data.isascii():
            # A character that the previous block cut off is broken if this block doesn't continue it.
            self._broken_count += self._decoder.decode(b"", final=True).count("\ufffd")
            self._decoder.reset()
            return
        text = self._decoder.decode(data)
        broken_count = text.count("\ufffd")
        extra_bytes = len(text.encode("utf-8")) - len(text)  # one or more for every character above ASCII
        self._broken_count += broken_count
        self._valid_count += max(extra_bytes - 2 * broken_count, 0)

    def decide_encoding(self) -> str:
        """Return "utf-8" or "cp1252" for the bytes so far."""
        broken_count = self._broken_count + self._decoder.decode(b"", final=True).count("\ufffd")
        self._decoder.reset()
        self._broken_count = broken_count
        return "cp1252" if broken_count and broken_count * 2 > self._valid_count else "utf-8"


def encode_line_end(encoding: str) -> bytes:
    """Return the bytes that end a line."""
    return {"utf-16-le": b"\n\0", "utf-16-be": b"\0\n"}.get(encoding, b"\n")
