"""Folders that rooms write into while people play: what is new in them is read as soon as it is whole.

Files are looked at again and again; nothing of the operating system is asked for more than sizes and
times, so it works on any disk, a network's too. A file that only grew is read from where reading
stopped, as a source of its own (`night.txt@5120` begins at byte 5120 of night.txt); one that was
written anew is read whole, and its known hands are the same.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from ledger import formats
from ledger.intake import archives
from ledger.intake.encoding import HEAD, as_utf8, by_head
from ledger.intake.files import Incoming, incoming, origin_of
from ledger.intake.summary import FileSummary

QUIET: Final = 3.0
"""Seconds without a change after which the last hand of a file counts as whole."""

TAIL: Final = 4096
"""Bytes before the place where reading stopped that must be as they were."""

Import = Callable[[Iterator[Incoming]], list[FileSummary]]
"""Brings sources into the ledger; says what became of each."""


@dataclass(slots=True)
class _Followed:
    """What is known of a file. `changed` is when it was last seen to differ, by the watch's clock."""

    size: int = -1
    time: int = -1
    changed: float = 0.0
    upto: int = 0  # bytes that were read
    end: bytes = b""  # the last of them
    done: bool = False  # nothing has changed since it was read


class Watch:
    """Follows files and folders. `look` reads what is new; the caller says when, and what time it is."""

    def __init__(self, paths: Sequence[str | Path], take: Import) -> None:
        """Take what to follow and how it is imported."""
        self._paths = [str(path) for path in paths]
        self._take = take
        self._followed: dict[str, _Followed] = {}

    def look(self, now: float, *, last: bool = False) -> list[FileSummary]:
        """Read what is new and whole; `last`: take what there is, for nothing more will be looked at."""
        found: list[FileSummary] = []
        for path in sorted(_files(self._paths)):
            known = self._followed.setdefault(path, _Followed())
            try:
                told = Path(path).stat()
            except OSError:
                continue  # it went away; what was read of it stays
            if (told.st_size, told.st_mtime_ns) != (known.size, known.time):
                known.size, known.time, known.changed, known.done = (told.st_size, told.st_mtime_ns, now, False)
            if not known.done and known.size:
                found += self._read(path, known, whole=last or now - known.changed >= QUIET)
        return found

    def _read(self, path: str, known: _Followed, *, whole: bool) -> list[FileSummary]:
        """Read a file that changed; `whole`: its last hand counts as whole."""
        grown = bool(known.upto) and known.size > known.upto and _end(path, known.upto) == known.end
        start = known.upto if grown else 0
        if known.size <= known.upto and _end(path, known.upto) == known.end:
            known.done = whole
            return []
        end = known.size if whole else _cut(path, start, known.size)
        if not _follows(path):
            if not whole:
                return []
            start, end = 0, known.size
        if end <= start:
            return []
        summaries = self._take(_sources(path, start, end))
        known.done = whole
        known.upto = end
        for summary in summaries:
            for reject in summary.rejects:
                if start + reject.start + reject.length >= end and reject.start:
                    known.upto = start + reject.start  # perhaps the rest of this hand is still to come
        known.end = _end(path, known.upto)
        return summaries


def _files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith(".") and Path(folder, name).is_file():
                    yield str(Path(folder, name))


def _end(path: str, upto: int) -> bytes:
    """Return the bytes before that place."""
    try:
        with Path(path).open("rb") as stream:
            stream.seek(max(0, upto - TAIL))
            return stream.read(min(TAIL, upto))
    except OSError:
        return b""


def _follows(path: str) -> bool:
    """Whether a file is text to which hands are appended: archives and single documents are read whole."""
    with Path(path).open("rb") as stream:
        head = stream.read(HEAD)
    if archives.kind(head[:4]):
        return False
    encoding = by_head(head)
    form = formats.recognise(as_utf8(head, encoding))
    return form is not None and form.appended


def _cut(path: str, start: int, end: int) -> int:
    """Return where the last hand begins, for it may not be whole yet."""
    with Path(path).open("rb") as stream:
        head = stream.read(HEAD)
        stream.seek(start)
        data = stream.read(end - start)
    encoding = by_head(head)
    form = formats.recognise(as_utf8(head, encoding))
    return start if form is None else start + form.cut(data, encoding)


def _sources(path: str, start: int, end: int) -> Iterator[Incoming]:
    if start == 0 and end == Path(path).stat().st_size:
        yield from incoming([path])
        return
    name = f"{path}@{start}" if start else path
    with Path(path).open("rb") as stream:
        stream.seek(start)
        data = stream.read(end - start)
    yield Incoming(name, lambda: cast("BinaryIO", io.BytesIO(data)), len(data), origin=origin_of(path), part=True)
