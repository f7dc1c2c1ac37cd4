"""Read hands of another room between those of this one: rejects of one reader go to the room's own reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final, Generic, TypeAlias, TypeVar

from ledger import formats
from ledger.account import Reject
from ledger.intake.encoding import HEAD_BYTES, convert_to_utf8
from ledger.notation import Chunk, Format
from ledger.readers.signatures import HEADS, begins_other_hand

_OWN_CODES: Final = ("fault", "correction", "too-long", "unstorable")
"""Codes of rejects that are this room's own bytes."""
_LINE_BYTES: Final = 400
_LEADING_CHARACTERS: Final = "\ufeff \t\r\n\0"

P = TypeVar("P")
ReadWith: TypeAlias = Callable[[Format, Chunk], "list[P | Reject]"]


def _find_rejects_at_end(parts: Sequence[object]) -> list[Reject]:
    end_rejects: list[Reject] = []
    for part in reversed(parts):
        if not isinstance(part, Reject):
            break
        end_rejects.insert(0, part)
    return end_rejects


class RoomSorter(Generic[P]):
    """Finds other rooms' hands among the items that a reader returned for a chunk."""

    def __init__(self, chunk: Chunk, own_formats: frozenset[str], read_with: ReadWith[P]) -> None:
        """Take the formats that surround the chunk, and the function that reads with another format."""
        self._chunk, self._own_formats, self._read = chunk, own_formats, read_with
        self._formats_by_words: dict[str, Format | None] = {}  # words before a number → format whose hands begin so

    def read(self, parts: list[P | Reject]) -> list[P | Reject]:
        """Return the parts, with other rooms' hands read by their own readers."""
        sorted_parts: list[P | Reject] = []
        for may_be_foreign, part_run in groupby(parts, self._may_be_foreign):
            if may_be_foreign:
                sorted_parts += self._reread_rejects(part for part in part_run if isinstance(part, Reject))
            else:
                sorted_parts += part_run
        return sorted_parts

    def _may_be_foreign(self, part: P | Reject) -> bool:
        """Whether a part may be another room's: it is a reject that doesn't begin like this room's hands."""
        if not isinstance(part, Reject) or part.code in _OWN_CODES:
            return False
        form = self._find_format(part)
        return form is None or form.name not in self._own_formats

    def _reread_rejects(self, rejects: Iterable[Reject]) -> list[P | Reject]:
        """Read rejects with the formats whose hands begin in them.

        What one room's reader rejects at its end is passed on to the next.
        """
        reread_parts: list[P | Reject] = []
        stretch: list[Reject] = []
        stretch_format: Format | None = None
        for reject in rejects:
            room_format = self._find_format(reject)
            if room_format is not None and stretch_format is not None and room_format is not stretch_format:
                parts = self._read_stretch(stretch_format, stretch)
                stretch = _find_rejects_at_end(parts)
                if len(stretch) == len(parts):
                    stretch = []
                reread_parts += parts[: len(parts) - len(stretch)]
            stretch_format = room_format or stretch_format
            stretch.append(reject)
        return [*reread_parts, *self._read_stretch(stretch_format, stretch)]

    def _find_format(self, reject: Reject) -> Format | None:
        """Return the format of the hand that begins a reject. None: no format, or its first lines don't show it."""
        offset = reject.start - self._chunk.start
        first_bytes = self._chunk.data[offset : offset + min(reject.length, _LINE_BYTES)]
        line = (
            convert_to_utf8(first_bytes, self._chunk.encoding)
            .decode("utf-8", "replace")
            .lstrip(_LEADING_CHARACTERS)
            .partition("\n")[0]
        )
        if reject.code != "other-room" and not begins_other_hand(line, HEADS):
            return None
        words = line.partition("#")[0]
        if words not in self._formats_by_words or not words:
            self._formats_by_words[words] = self._recognise_format(reject.start, reject.length)
        return self._formats_by_words[words]

    def _recognise_format(self, start: int, length: int) -> Format | None:
        offset = start - self._chunk.start
        return formats.recognise(
            convert_to_utf8(self._chunk.data[offset : offset + min(length, HEAD_BYTES)], self._chunk.encoding)
        )

    def _read_stretch(self, room_format: Format | None, rejects: list[Reject]) -> list[P | Reject]:
        """Read a stretch with its room's reader. Return the rejects if that reads nothing."""
        chunk, first_reject, last_reject = self._chunk, rejects[0], rejects[-1]
        length = last_reject.start + last_reject.length - first_reject.start
        if room_format is None and any(reject.code == "other-room" for reject in rejects):
            room_format = self._recognise_format(first_reject.start, length)
        if room_format is None or room_format.name in self._own_formats:
            return [*rejects]
        offset = first_reject.start - chunk.start
        stretch_bytes = chunk.data[offset : offset + length]
        is_last = chunk.last and offset + length == len(chunk.data)
        parts = self._read(
            room_format,
            Chunk(stretch_bytes, first_reject.start, chunk.line_at(offset), chunk.encoding, chunk.name, is_last),
        )
        return parts if any(not isinstance(part, Reject) for part in parts) else [*rejects]
