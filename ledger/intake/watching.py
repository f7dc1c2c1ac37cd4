"""Folders that rooms write into while people play, and pipes: what is new in them is read as it comes.

Files are looked at again and again; nothing of the operating system is asked for more than sizes and
times, so it works on any disk, a network's too. A file that only grew is read from where reading
stopped, as a source of its own (`night.txt@5120` begins at byte 5120 of night.txt); one that was
written anew is read whole, and its known hands are the same; so is one of which half a hand was read
when all was quiet. Where a format tells a hand act by act (`Format.live`), the hand that runs is told so
(`ledger.intake.feeding`).
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
from ledger.intake.feeding import MAX_FEED_BYTES, Feed, FeedUpdate
from ledger.intake.files import IncomingSource
from ledger.intake.growing import GrowingFile, GrowingSource, source_from_bytes
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


class Watch:
    """Follows files, folders and pipes. `look` reads what is new; the caller says when, and what time it is."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        take: ImportSources,
        feeds: MakeFeed | None = None,
        said: ReportUpdate | None = None,
        pipes: Sequence[GrowingSource] = (),
    ) -> None:
        """Take what to follow, how it is imported, and how hands that run are told; without that they are not."""
        self._paths = [str(path) for path in paths]
        self._import_sources = take
        self._make_feed = feeds
        self._report = said
        self._followed: dict[str, _FollowedSource] = {pipe.name: _FollowedSource(pipe) for pipe in pipes}
        self._pipe_names = list(self._followed)

    def look(self, now: float, *, last: bool = False) -> list[FileSummary]:
        """Read what is new; `last`: take what there is, for nothing more will be looked at."""
        found: list[FileSummary] = []
        for name in [*self._pipe_names, *sorted(_list_files(self._paths))]:
            known = self._followed.setdefault(name, _FollowedSource(GrowingFile(name)))
            state = known.source.state()
            if state is None:
                continue  # it went away; what was read of it stays
            if state != (known.size, known.time):
                known.imported_at = known.imported_at or now
                known.changed_at, known.is_read = now, False
                known.size, known.time = state
            if known.is_read or not known.size:
                continue
            form = _detect_format(known.source)
            if (
                self._make_feed is not None
                and form is not None
                and form.live is not None
                and known.size <= MAX_FEED_BYTES
            ):
                found += self._follow_hand(known, form, now, last=last)
            else:
                found += self._import_new(known, form, whole=last or now - known.changed_at >= QUIET_SECONDS)
        return found

    # hand by hand

    def _import_new(self, known: _FollowedSource, form: Format | None, *, whole: bool) -> list[FileSummary]:
        """Read a source that changed; `whole`: its last hand counts as whole."""
        source = known.source
        grown = (
            bool(known.read_end) and known.size > known.read_end and _read_tail(source, known.read_end) == known.tail
        )
        start = known.read_end if grown else 0
        if known.size <= known.read_end and _read_tail(source, known.read_end) == known.tail:
            known.is_read = whole
            return []
        end = known.size if whole else _last_hand_start(source, form, start, known.size)
        if form is None or not form.appended:  # archives and single documents are read whole
            if not whole:
                return []
            start, end = 0, known.size
        if end <= start:
            return []
        summaries = self._import_sources(_sources_between(source, start, end))
        before: list[FileSummary] = []
        if start and not source.is_pipe and _starts_mid_hand(source, start, summaries):
            start, end, whole = 0, known.size, True  # its other half comes to it when all is told anew
            before, summaries = summaries, self._import_sources(source.open_sources())
        known.is_read = whole
        known.read_end = end
        for summary in summaries:
            for reject in summary.rejects:
                if start + reject.start + reject.length >= end and reject.start:
                    known.read_end = start + reject.start  # perhaps the rest of this hand is still to come
        known.tail = _read_tail(source, known.read_end)
        return [*before, *summaries]

    # act by act

    def _follow_hand(self, known: _FollowedSource, form: Format, now: float, *, last: bool) -> list[FileSummary]:
        """Tell the hand that runs, and import the source when that is due."""
        state = known.size, known.time
        if known.looked_state != state or (last and known.is_waiting):
            self._update_feed(known, form, now, last=last)
            known.looked_state = state  # behind what was told: whoever interrupts this finds it untold
        quiet = now - known.changed_at >= QUIET_SECONDS and not (known.source.is_pipe and known.is_refused)
        whole = last or (quiet and not known.is_running)
        behind = known.new_since is not None and now - known.new_since >= QUIET_SECONDS
        due = whole or (not known.is_waiting and (behind or now - known.imported_at >= IMPORT_INTERVAL))
        known.is_read = quiet and known.imported_state == state
        if not due or known.imported_state == state or (known.is_refused and not last):
            return []
        found = self._import_sources(self._current_sources(known, form, whole=whole, last=last))
        known.imported_at, known.new_since, known.imported_state = now, None, state
        return found

    def _current_sources(
        self, known: _FollowedSource, form: Format, *, whole: bool, last: bool
    ) -> Iterator[IncomingSource]:
        """Yield what a source holds now, as it can be read: `last`, with the half row at its end."""
        source = known.source
        if whole and not source.is_pipe:
            yield from source.open_sources()
            return
        data = self._readable_bytes(known, form)
        if last and source.read(0, len(data)) == data:
            data = source.read(0)
        if data:
            yield source_from_bytes(source, data, source.name)

    def _update_feed(self, known: _FollowedSource, form: Format, now: float, *, last: bool) -> None:
        """Tell what is new in the hand that runs."""
        assert self._make_feed is not None  # noqa: S101 - else nothing is followed so
        known.feed = known.feed or self._make_feed(known.source)
        data = self._readable_bytes(known, form)
        if not data or known.is_refused:
            return
        happened = known.feed.look(data, form, _full_encoding(data), last=last)
        known.is_running, known.is_waiting = happened.is_running, happened.is_waiting
        if happened.has_new_hands and known.new_since is None:
            known.new_since = now
        if self._report is not None and (happened.messages or happened.hands_ended):
            self._report(known.source.name, happened)

    def _readable_bytes(self, known: _FollowedSource, form: Format) -> bytes:
        """Return what of a source can be read as it is; of one that cannot be followed, say so once."""
        data = known.source.read(0)
        assert form.live is not None  # noqa: S101 - else nothing is followed so
        try:
            start, end = form.live(data, known.source.is_pipe)
        except UnreadableHandError as error:
            if not known.is_refused and self._report is not None:
                self._report(known.source.name, FeedUpdate(messages=[f"{error.message}. {error.hint}"]))
            known.is_refused = True
            return data
        return data[start:end]


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


def _read_tail(source: GrowingSource, upto: int) -> bytes:
    """Return the bytes before that place."""
    return source.read(max(0, upto - TAIL_BYTES), upto)


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


def _starts_mid_hand(source: GrowingSource, start: int, summaries: Sequence[FileSummary]) -> bool:
    """Whether a part begins in the middle of a hand: that one was read when all was quiet, before it was whole."""
    rejects = (reject for summary in summaries for reject in summary.rejects if reject.code == "no-header")
    return any(not source.read(start, start + reject.start).strip(b" \t\r\n\0") for reject in rejects)


def _last_hand_start(source: GrowingSource, form: Format | None, start: int, end: int) -> int:
    """Return where the last hand begins, for it may not be whole yet."""
    encoding = detect_encoding(source.read(0, HEAD_BYTES))
    return start if form is None else start + form.cut(source.read(start, end), encoding)


def _sources_between(source: GrowingSource, start: int, end: int) -> Iterator[IncomingSource]:
    state = source.state()
    if start == 0 and state is not None and end == state[0]:
        yield from source.open_sources()
        return
    name = f"{source.name}@{start}" if start else source.name
    yield source_from_bytes(source, source.read(start, end), name, part=True)
