"""Hands of another room among those of one: what one reader rejected, read by the reader of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final, Generic, TypeAlias, TypeVar

from ledger import formats
from ledger.account import Reject
from ledger.intake.encoding import HEAD_BYTES, as_utf8
from ledger.notation import Chunk, Format
from ledger.readers.signatures import HEADS, begins_other_hand

_OWN_CODES: Final = ("fault", "correction", "too-long", "unstorable")
"""Rejects whose bytes are this reader's all the same."""
_LINE_BYTES: Final = 400
_LEADING_CHARACTERS: Final = "\ufeff \t\r\n\0"

P = TypeVar("P")
ReadWith: TypeAlias = Callable[[Format, Chunk], "list[P | Reject]"]


def _rejects_at_end(parts: Sequence[object]) -> list[Reject]:
    found: list[Reject] = []
    for part in reversed(parts):
        if not isinstance(part, Reject):
            break
        found.insert(0, part)
    return found


class RoomSorter(Generic[P]):
    """Looks through what a reader made of a chunk for what is another room's."""

    def __init__(self, chunk: Chunk, among: frozenset[str], read: ReadWith[P]) -> None:
        """Take the formats among whose hands the chunk lies, its own too, and what reads by another one."""
        self._chunk, self._own_formats, self._read = chunk, among, read
        self._formats_by_words: dict[str, Format | None] = {}  # words before a number → whose hands begin so

    def read(self, parts: list[P | Reject]) -> list[P | Reject]:
        """Return the parts, what is another room's read by the reader of that."""
        found: list[P | Reject] = []
        for open_, run in groupby(parts, self._may_be_foreign):
            if open_:
                found += self._reread_rejects(part for part in run if isinstance(part, Reject))
            else:
                found += run
        return found

    def _may_be_foreign(self, part: P | Reject) -> bool:
        """Tell whether a part may be another room's: it is rejected, and no hand of this one begins it."""
        if not isinstance(part, Reject) or part.code in _OWN_CODES:
            return False
        form = self._find_format(part)
        return form is None or form.name not in self._own_formats

    def _reread_rejects(self, rejects: Iterable[Reject]) -> list[P | Reject]:
        """Return rejects read by the rooms whose hands begin in them; what one room leaves at its end leads to the next."""
        found: list[P | Reject] = []
        stretch: list[Reject] = []
        whose: Format | None = None
        for reject in rejects:
            form = self._find_format(reject)
            if form is not None and whose is not None and form is not whose:
                parts = self._read_stretch(whose, stretch)
                stretch = _rejects_at_end(parts)
                if len(stretch) == len(parts):
                    stretch = []
                found += parts[: len(parts) - len(stretch)]
            whose = form or whose
            stretch.append(reject)
        return [*found, *self._read_stretch(whose, stretch)]

    def _find_format(self, reject: Reject) -> Format | None:
        """Return whose hand begins a reject; None: nobody's, or one that its first lines alone do not tell."""
        start = reject.start - self._chunk.start
        raw = self._chunk.data[start : start + min(reject.length, _LINE_BYTES)]
        line = (
            as_utf8(raw, self._chunk.encoding).decode("utf-8", "replace").lstrip(_LEADING_CHARACTERS).partition("\n")[0]
        )
        if reject.code != "other-room" and not begins_other_hand(line, HEADS):
            return None
        words = line.partition("#")[0]
        if words not in self._formats_by_words or not words:
            self._formats_by_words[words] = self._recognise(reject.start, reject.length)
        return self._formats_by_words[words]

    def _recognise(self, start: int, length: int) -> Format | None:
        at = start - self._chunk.start
        return formats.recognise(as_utf8(self._chunk.data[at : at + min(length, HEAD_BYTES)], self._chunk.encoding))

    def _read_stretch(self, form: Format | None, rejects: list[Reject]) -> list[P | Reject]:
        """Return what its room's reader makes of a stretch; the rejects, where it reads nothing in it."""
        chunk, first, last = self._chunk, rejects[0], rejects[-1]
        length = last.start + last.length - first.start
        if form is None and any(one.code == "other-room" for one in rejects):
            form = self._recognise(first.start, length)
        if form is None or form.name in self._own_formats:
            return [*rejects]
        at = first.start - chunk.start
        data = chunk.data[at : at + length]
        whole = chunk.last and at + length == len(chunk.data)
        parts = self._read(form, Chunk(data, first.start, chunk.line_at(at), chunk.encoding, chunk.name, whole))
        return parts if any(not isinstance(part, Reject) for part in parts) else [*rejects]
