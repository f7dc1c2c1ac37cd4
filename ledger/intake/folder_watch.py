"""Watch folders that rooms write into during play, and pipes, and import what is new.

Files are polled, and only their sizes and times are needed, so this works on any disk, including network drives. If a
file only grew, its new part is read as a source of its own (`night.txt@5120` begins at byte 5120 of night.txt). If it
was rewritten, or if half a hand was imported earlier, all of it is read again, and its known hands stay the same. Some
formats can be followed act by act (`Format.find_complete`): then the running hand is recorded as it is played
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
from ledger.intake.encoding import HEAD_BYTES, Utf8Check, convert_to_utf8, detect_encoding
from ledger.intake.files import IncomingSource
from ledger.intake.growing_source import GrowingFile, GrowingSource, build_source
from ledger.intake.live_feed import MAX_FEED_BYTES, Feed, FeedUpdate
from ledger.intake.summary import FileSummary
from ledger.notation import Format

QUIET_SECONDS: Final = 3.0
"""Seconds without a change after which the last hand of a file counts as complete."""

TAIL_BYTES: Final = 4096
"""Bytes before the end of the last reading that must be unchanged."""

IMPORT_INTERVAL: Final = 60.0
"""Seconds after which a file with a running hand is imported again, for the events between hands."""

ImportSources = Callable[[Iterator[IncomingSource]], list[FileSummary]]
"""Imports sources, and returns their summaries."""

MakeFeed = Callable[[GrowingSource], Feed]
"""Creates the feed of a source."""

ReportUpdate = Callable[[str, FeedUpdate], None]
"""Takes the name of a source and the update of its running hand."""


@dataclass(slots=True)
class _FollowedSource:
    """The state of a followed source. `changed_at` is when its last change was seen, by the watch's clock."""

    source: GrowingSource
    size: int = -1
    time: int = -1
    changed_at: float = 0.0
    read_end: int = 0  # bytes that were read
    tail: bytes = b""  # the last of these bytes
    is_read: bool = False  # nothing has changed since it was read
    feed: Feed | None = None
    looked_state: tuple[int, int] = (-1, -1)  # size and time at the last look at its running hand
    is_running: bool = False  # it has a running hand
    is_waiting: bool = False  # a hand begins, and its first lines aren't complete
    new_since: float | None = None  # when complete hands were seen that the ledger doesn't have
    imported_at: float = 0.0  # when it was last imported, or first seen
    imported_state: tuple[int, int] = (-1, -1)  # size and time when it was last imported
    is_refused: bool = False  # it can't be followed

    def is_import_due(self, moment: float) -> bool:
        """Whether to import a source with a running hand again: for complete hands, or for events between hands."""
        if self.is_waiting:
            return False
        has_waited = self.new_since is not None and moment - self.new_since >= QUIET_SECONDS
        return has_waited or moment - self.imported_at >= IMPORT_INTERVAL


class Watch:
    """Follows files, folders and pipes. The caller calls `look` and passes the time."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        import_sources: ImportSources,
        make_feed: MakeFeed | None = None,
        report: ReportUpdate | None = None,
        pipes: Sequence[GrowingSource] = (),
    ) -> None:
        """Take what to follow, the import function, and the function that creates feeds.

        Without the latter, running hands aren't recorded.
        """
        self._paths = [str(path) for path in paths]
        self._import_sources = import_sources
        self._make_feed = make_feed
        self._report = report
        self._followed: dict[str, _FollowedSource] = {pipe.name: _FollowedSource(pipe) for pipe in pipes}
        self._pipe_names = list(self._followed)

    def look(self, moment: float, *, is_last_look: bool = False) -> list[FileSummary]:
        """Import what is new. `is_last_look`: read everything, since no look follows."""
        summaries: list[FileSummary] = []
        for name in [*self._pipe_names, *sorted(_list_files(self._paths))]:
            followed = self._followed.setdefault(name, _FollowedSource(GrowingFile(name)))
            state = followed.source.state()
            if state is None:
                continue  # it was removed; what was imported stays
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
        summaries = self._import_sources(_open_part(source, start_byte, end_byte))
        part_summaries: list[FileSummary] = []
        if start_byte and not source.is_pipe and _starts_mid_hand(source, start_byte, summaries):
            start_byte, end_byte, is_whole = 0, followed.size, True  # read all of it again, to complete that hand
            part_summaries, summaries = summaries, self._import_sources(source.open_sources())
        followed.is_read = is_whole
        followed.read_end = _find_next_start(summaries, start_byte, end_byte)
        followed.tail = _read_tail(source, followed.read_end)
        return [*part_summaries, *summaries]

    # act by act

    def _follow_hand(
        self, followed: _FollowedSource, source_format: Format, moment: float, *, is_last_look: bool
    ) -> list[FileSummary]:
        """Record what is new in the running hand, and import the source when that is due."""
        state = followed.size, followed.time
        if followed.looked_state != state or (is_last_look and followed.is_waiting):
            self._update_feed(followed, source_format, moment, is_last_look=is_last_look)
            followed.looked_state = state  # after the update, so that an interrupted one is repeated
        is_quiet = moment - followed.changed_at >= QUIET_SECONDS and not (
            followed.source.is_pipe and followed.is_refused
        )
        is_whole = is_last_look or (is_quiet and not followed.is_running)
        followed.is_read = is_quiet and followed.imported_state == state
        is_ignored = followed.imported_state == state or (followed.is_refused and not is_last_look)
        if is_ignored or not (is_whole or followed.is_import_due(moment)):
            return []
        summaries = self._import_sources(
            self._open_current_sources(followed, source_format, is_whole=is_whole, is_last_look=is_last_look)
        )
        followed.imported_at, followed.new_since, followed.imported_state = moment, None, state
        return summaries

    def _open_current_sources(
        self, followed: _FollowedSource, source_format: Format, *, is_whole: bool, is_last_look: bool
    ) -> Iterator[IncomingSource]:
        """Yield the readable content of a source. `is_last_look`: with the incomplete row at its end."""
        source = followed.source
        if is_whole and not source.is_pipe:
            yield from source.open_sources()
            return
        readable_bytes = self._read_complete_bytes(followed, source_format)
        if is_last_look and source.read(0, len(readable_bytes)) == readable_bytes:
            readable_bytes = source.read(0)
        if readable_bytes:
            yield build_source(source, readable_bytes, source.name)

    def _update_feed(
        self, followed: _FollowedSource, source_format: Format, moment: float, *, is_last_look: bool
    ) -> None:
        """Record what is new in the running hand."""
        assert self._make_feed is not None  # noqa: S101 - `look` checks it
        followed.feed = followed.feed or self._make_feed(followed.source)
        readable_bytes = self._read_complete_bytes(followed, source_format)
        if not readable_bytes or followed.is_refused:
            return
        update = followed.feed.look(
            readable_bytes, source_format, _detect_full_encoding(readable_bytes), is_last_look=is_last_look
        )
        followed.is_running, followed.is_waiting = update.is_running, update.is_waiting
        if update.has_new_hands and followed.new_since is None:
            followed.new_since = moment
        if self._report is not None and (update.messages or update.hands_ended):
            self._report(followed.source.name, update)

    def _read_complete_bytes(self, followed: _FollowedSource, source_format: Format) -> bytes:
        """Return the part of a source that can be read now. Report once if it can't be followed."""
        source_bytes = followed.source.read(0)
        assert source_format.find_complete is not None  # noqa: S101 - `look` checks it
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
    """Return start and end of the part to import now, or None. A rewritten source is read from its start."""
    if source_format is None or not source_format.is_appended:  # archives and single documents aren't read in parts
        return (0, followed.size) if is_whole and followed.size else None
    start_byte = followed.read_end if followed.size > followed.read_end and is_tail_unchanged else 0
    end_byte = followed.size if is_whole else _find_last_hand(followed.source, source_format, start_byte, followed.size)
    return (start_byte, end_byte) if end_byte > start_byte else None


def _find_next_start(summaries: Sequence[FileSummary], start_byte: int, end_byte: int) -> int:
    """Return where reading continues: at the end, or at a rejected last hand that may still grow."""
    read_end = end_byte
    for summary in summaries:
        for reject in summary.rejects:
            if start_byte + reject.start + reject.length >= end_byte and reject.start:
                read_end = start_byte + reject.start
    return read_end


def _read_tail(source: GrowingSource, tail_end: int) -> bytes:
    """Return the last bytes before this offset."""
    return source.read(max(0, tail_end - TAIL_BYTES), tail_end)


def _detect_format(source: GrowingSource) -> Format | None:
    """Return the format of a source. None: it's an archive, a mail, or no known format."""
    head = source.read(0, HEAD_BYTES)
    if archives.detect_archive_kind(head[:4]) or mails.detect_mail_kind(head):
        return None
    return formats.recognise(convert_to_utf8(head, detect_encoding(head)))


def _detect_full_encoding(data: bytes) -> str:
    """Return the encoding of a source, as its import detects it."""
    encoding = detect_encoding(data[:HEAD_BYTES])
    if encoding != "utf-8":
        return encoding
    check = Utf8Check()
    check.add_bytes(data)
    return check.decide_encoding()


def _starts_mid_hand(source: GrowingSource, start_byte: int, summaries: Sequence[FileSummary]) -> bool:
    """Whether a part begins in the middle of a hand, which was imported incomplete while the file was quiet."""
    rejects = (reject for summary in summaries for reject in summary.rejects if reject.code == "no-header")
    return any(not source.read(start_byte, start_byte + reject.start).strip(b" \t\r\n\0") for reject in rejects)


def _find_last_hand(source: GrowingSource, source_format: Format, start_byte: int, end_byte: int) -> int:
    """Return where the last hand begins, since it may be incomplete."""
    encoding = detect_encoding(source.read(0, HEAD_BYTES))
    return start_byte + source_format.find_cut(source.read(start_byte, end_byte), encoding)


def _open_part(source: GrowingSource, start_byte: int, end_byte: int) -> Iterator[IncomingSource]:
    state = source.state()
    if start_byte == 0 and state is not None and end_byte == state[0]:
        yield from source.open_sources()
        return
    name = f"{source.name}@{start_byte}" if start_byte else source.name
    yield build_source(source, source.read(start_byte, end_byte), name, is_part=True)
