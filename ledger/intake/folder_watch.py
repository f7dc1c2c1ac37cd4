"""Folders that rooms write into while people play, and pipes: what is new in them is read as it comes.

Files are looked at again and again; nothing of the operating system is asked for more than sizes and
times, so it works on any disk, a network's too. A file that only grew is read from where reading
stopped, as a source of its own (`night.txt@5120` begins at byte 5120 of night.txt); one that was
written anew is read whole, and its known hands are the same; so is one of which half a hand was read
when all was quiet. Where a format tells a hand act by act (`Format.live`), the hand that runs is told so
(`ledger.intake.live_feed`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger import formats
from ledger.errors import UnreadableHandError
from ledger.intake import archives, mails
from ledger.intake.encoding import HEAD_BYTES, Utf8Check, as_utf8, detect_encoding
from ledger.intake.files import IncomingSource
from ledger.intake.growing_source import GrowingFile, GrowingSource, source_from_bytes
from ledger.intake.live_feed import MAX_FEED_BYTES, Feed, FeedUpdate
from ledger.intake.summary import FileSummary
from ledger.notation import Format

QUIET_SECONDS: Final = 3.0
"""Seconds without a change after which the last hand of a file counts as whole."""

TAIL_BYTES: Final = 4096
"""Bytes before the place where reading stopped that must be as they were."""

IMPORT_INTERVAL: Final = 60.0
"""Seconds after which a file whose hand runs is imported again: what happens between hands comes in with it."""

ImportSources = Callable[[Iterator[IncomingSource]], list[FileSummary]]
"""Brings sources into the ledger; says what became of each."""

MakeFeed = Callable[[GrowingSource], Feed]
"""Makes what follows a source act by act."""

ReportUpdate = Callable[[str, FeedUpdate], None]
"""Is told, by a source's name, what became of the hand that runs."""


@dataclass(slots=True)
class _FollowedSource:
    """What is known of a source. `changed` is when it was last seen to differ, by the watch's clock."""

    source: GrowingSource
    size: int = -1
    time: int = -1
    changed_at: float = 0.0
    read_end: int = 0  # bytes that were read
    tail: bytes = b""  # the last of them
    is_read: bool = False  # nothing has changed since it was read
    feed: Feed | None = None
    looked_state: tuple[int, int] = (-1, -1)  # size and time when its hand that runs was looked at
    is_running: bool = False  # a hand of it runs
    is_waiting: bool = False  # a hand of it begins: the beginning is not whole
    new_since: float | None = None  # since when it has whole hands that the ledger has not
    imported_at: float = 0.0  # when it was last imported, or first seen
    imported_state: tuple[int, int] = (-1, -1)  # size and time when it was last imported
    is_refused: bool = False  # it cannot be followed

    def is_import_due(self, moment: float) -> bool:
        """Whether a source whose hand runs is imported again: for whole hands, or for what lies between them."""
        if self.is_waiting:
            return False
        has_waited = self.new_since is not None and moment - self.new_since >= QUIET_SECONDS
        return has_waited or moment - self.imported_at >= IMPORT_INTERVAL


class Watch:
    """Follows files, folders and pipes. `look` reads what is new; the caller says when, and what time it is."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        import_sources: ImportSources,
        make_feed: MakeFeed | None = None,
        report: ReportUpdate | None = None,
        pipes: Sequence[GrowingSource] = (),
    ) -> None:
        """Take what to follow, how it is imported, and how hands that run are told; without that they are not."""
        self._paths = [str(path) for path in paths]
        self._import_sources = import_sources
        self._make_feed = make_feed
        self._report = report
        self._followed: dict[str, _FollowedSource] = {pipe.name: _FollowedSource(pipe) for pipe in pipes}
        self._pipe_names = list(self._followed)

    def look(self, moment: float, *, is_last_look: bool = False) -> list[FileSummary]:
        """Read what is new. `is_last_look`: read everything, since no look follows."""
        summaries: list[FileSummary] = []
        for name in [*self._pipe_names, *sorted(_list_files(self._paths))]:
            followed = self._followed.setdefault(name, _FollowedSource(GrowingFile(name)))
            state = followed.source.state()
            if state is None:
                continue  # it went away; what was read of it stays
            if state != (followed.size, followed.time):
                followed.imported_at = followed.imported_at or moment
                followed.changed_at, followed.is_read = moment, False
                followed.size, followed.time = state
            if followed.is_read or not followed.size:
                continue
            source_format = _detect_format(followed.source)
            if (
                self._make_feed is not None
                and source_format is not None
                and source_format.find_complete is not None
                and followed.size <= MAX_FEED_BYTES
            ):
                summaries += self._follow_hand(followed, source_format, moment, is_last_look=is_last_look)
            else:
                summaries += self._import_new(
                    followed, source_format, is_whole=is_last_look or moment - followed.changed_at >= QUIET_SECONDS
                )
        return summaries

    # hand by hand

    def _import_new(
        self, followed: _FollowedSource, source_format: Format | None, *, is_whole: bool
    ) -> list[FileSummary]:
        """Import the new part of a source. `is_whole`: its last hand counts as complete."""
        source = followed.source
        is_tail_unchanged = _read_tail(source, followed.read_end) == followed.tail
        if followed.size <= followed.read_end and is_tail_unchanged:
            followed.is_read = is_whole
            return []
        new_part = _find_new_part(followed, source_format, is_tail_unchanged=is_tail_unchanged, is_whole=is_whole)
        if new_part is None:
            return []
        start_byte, end_byte = new_part
        summaries = self._import_sources(_sources_between(source, start_byte, end_byte))
        part_summaries: list[FileSummary] = []
        if start_byte and not source.is_pipe and _starts_mid_hand(source, start_byte, summaries):
            start_byte, end_byte, is_whole = 0, followed.size, True  # its other half comes to it when all is told anew
            part_summaries, summaries = summaries, self._import_sources(source.open_sources())
        followed.is_read = is_whole
        followed.read_end = _read_end(summaries, start_byte, end_byte)
        followed.tail = _read_tail(source, followed.read_end)
        return [*part_summaries, *summaries]

    # act by act

    def _follow_hand(
        self, followed: _FollowedSource, source_format: Format, moment: float, *, is_last_look: bool
    ) -> list[FileSummary]:
        """Tell the hand that runs, and import the source when that is due."""
        state = followed.size, followed.time
        if followed.looked_state != state or (is_last_look and followed.is_waiting):
            self._update_feed(followed, source_format, moment, is_last_look=is_last_look)
            followed.looked_state = state  # behind what was told: whoever interrupts this finds it untold
        is_quiet = moment - followed.changed_at >= QUIET_SECONDS and not (
            followed.source.is_pipe and followed.is_refused
        )
        is_whole = is_last_look or (is_quiet and not followed.is_running)
        followed.is_read = is_quiet and followed.imported_state == state
        is_ignored = followed.imported_state == state or (followed.is_refused and not is_last_look)
        if is_ignored or not (is_whole or followed.is_import_due(moment)):
            return []
        summaries = self._import_sources(
            self._current_sources(followed, source_format, is_whole=is_whole, is_last_look=is_last_look)
        )
        followed.imported_at, followed.new_since, followed.imported_state = moment, None, state
        return summaries

    def _current_sources(
        self, followed: _FollowedSource, source_format: Format, *, is_whole: bool, is_last_look: bool
    ) -> Iterator[IncomingSource]:
        """Yield what a source holds now, as it can be read. `is_last_look`: with the half row at its end."""
        source = followed.source
        if is_whole and not source.is_pipe:
            yield from source.open_sources()
            return
        readable_bytes = self._readable_bytes(followed, source_format)
        if is_last_look and source.read(0, len(readable_bytes)) == readable_bytes:
            readable_bytes = source.read(0)
        if readable_bytes:
            yield source_from_bytes(source, readable_bytes, source.name)

    def _update_feed(
        self, followed: _FollowedSource, source_format: Format, moment: float, *, is_last_look: bool
    ) -> None:
        """Tell what is new in the hand that runs."""
        assert self._make_feed is not None  # noqa: S101 - else nothing is followed so
        followed.feed = followed.feed or self._make_feed(followed.source)
        readable_bytes = self._readable_bytes(followed, source_format)
        if not readable_bytes or followed.is_refused:
            return
        update = followed.feed.look(
            readable_bytes, source_format, _full_encoding(readable_bytes), is_last_look=is_last_look
        )
        followed.is_running, followed.is_waiting = update.is_running, update.is_waiting
        if update.has_new_hands and followed.new_since is None:
            followed.new_since = moment
        if self._report is not None and (update.messages or update.hands_ended):
            self._report(followed.source.name, update)

    def _readable_bytes(self, followed: _FollowedSource, source_format: Format) -> bytes:
        """Return what of a source can be read as it is; of one that cannot be followed, say so once."""
        source_bytes = followed.source.read(0)
        assert source_format.find_complete is not None  # noqa: S101 - else nothing is followed so
        try:
            start_byte, end_byte = source_format.find_complete(source_bytes, followed.source.is_pipe)
        except UnreadableHandError as error:
            if not followed.is_refused and self._report is not None:
                self._report(followed.source.name, FeedUpdate(messages=[f"{error.message}. {error.hint}"]))
            followed.is_refused = True
            return source_bytes
        return source_bytes[start_byte:end_byte]


def _list_files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith(".") and Path(folder, name).is_file():
                    yield str(Path(folder, name))


def _find_new_part(
    followed: _FollowedSource, source_format: Format | None, *, is_tail_unchanged: bool, is_whole: bool
) -> tuple[int, int] | None:
    """Return start and end of the part that is imported now, or None. A source that was written anew is read whole."""
    if source_format is None or not source_format.is_appended:  # archives and single documents are read whole
        return (0, followed.size) if is_whole and followed.size else None
    start_byte = followed.read_end if followed.size > followed.read_end and is_tail_unchanged else 0
    end_byte = (
        followed.size if is_whole else _last_hand_start(followed.source, source_format, start_byte, followed.size)
    )
    return (start_byte, end_byte) if end_byte > start_byte else None


def _read_end(summaries: Sequence[FileSummary], start_byte: int, end_byte: int) -> int:
    """Return where reading goes on: at the end, or at a rejected hand there whose rest may still come."""
    read_end = end_byte
    for summary in summaries:
        for reject in summary.rejects:
            if start_byte + reject.start + reject.length >= end_byte and reject.start:
                read_end = start_byte + reject.start
    return read_end


def _read_tail(source: GrowingSource, tail_end: int) -> bytes:
    """Return the bytes before that place."""
    return source.read(max(0, tail_end - TAIL_BYTES), tail_end)


def _detect_format(source: GrowingSource) -> Format | None:
    """Return the format of a source; None for an archive or a mail, and for what nobody knows."""
    head = source.read(0, HEAD_BYTES)
    return (
        None
        if archives.archive_kind(head[:4]) or mails.mail_kind(head)
        else formats.recognise(as_utf8(head, detect_encoding(head)))
    )


def _full_encoding(data: bytes) -> str:
    """Return the encoding of a source as its import finds it."""
    encoding = detect_encoding(data[:HEAD_BYTES])
    if encoding != "utf-8":
        return encoding
    check = Utf8Check()
    check.add_bytes(data)
    return check.encoding()


def _starts_mid_hand(source: GrowingSource, start_byte: int, summaries: Sequence[FileSummary]) -> bool:
    """Whether a part begins in the middle of a hand: that one was read when all was quiet, before it was whole."""
    rejects = (reject for summary in summaries for reject in summary.rejects if reject.code == "no-header")
    return any(not source.read(start_byte, start_byte + reject.start).strip(b" \t\r\n\0") for reject in rejects)


def _last_hand_start(source: GrowingSource, source_format: Format, start_byte: int, end_byte: int) -> int:
    """Return where the last hand begins, for it may not be whole yet."""
    encoding = detect_encoding(source.read(0, HEAD_BYTES))
    return start_byte + source_format.find_cut(source.read(start_byte, end_byte), encoding)


def _sources_between(source: GrowingSource, start_byte: int, end_byte: int) -> Iterator[IncomingSource]:
    state = source.state()
    if start_byte == 0 and state is not None and end_byte == state[0]:
        yield from source.open_sources()
        return
    name = f"{source.name}@{start_byte}" if start_byte else source.name
    yield source_from_bytes(source, source.read(start_byte, end_byte), name, is_part=True)
