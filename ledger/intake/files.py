"""Turn the paths that a person names into sources: files, folders, patterns, standard input, archives."""

from __future__ import annotations

import glob
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from ledger.errors import HandledgerError, NoFileError
from ledger.files.plain_files import OPEN_FILE_PATHS, refuse_strange
from ledger.intake import archives, import_errors, mails
from ledger.intake.encoding import HEAD_BYTES

if TYPE_CHECKING:
    from ledger.intake.jobs import ReadySource

MAX_DEPTH: Final = 3
"""Archives within archives, at most."""


@dataclass(slots=True)
class IncomingSource:
    """A source to be read, or its `problem`.

    `open` may be called until the next source is asked for, and only once if `opens_once`.
    """

    name: str  # hostile: a file or member may be called anything
    open: Callable[[], BinaryIO]
    size: int | None = None
    opens_once: bool = False
    problem: HandledgerError | None = None
    ready: Callable[[], ReadySource | None] | None = None  # returns the result of another process
    origin: str = ""  # its path on disk, where another edition would be; "" = none
    is_part: bool = False  # the bytes before it were read earlier


def find_sources(paths: Sequence[str | Path]) -> Iterator[IncomingSource]:
    """Yield the sources at `paths`, with folders and archives opened, sorted by name.

    A path that doesn't exist raises `SourceError` before anything is yielded.
    """
    expanded_paths: list[tuple[str, bool]] = []
    for path in paths:
        expanded_paths.extend(_expand_pattern(str(path)))
    has_sources = False
    for name, _ in expanded_paths:
        for source in _open_path_sources(name):
            has_sources = True
            yield source
    if not has_sources:
        raise import_errors.no_files([name for name, is_folder in expanded_paths if is_folder])


def require_paths(paths: Sequence[str | Path]) -> None:
    """Raise `SourceError` for a path that doesn't exist, before a ledger is created."""
    for path in paths:
        _expand_pattern(str(path))


def open_stream_sources(name: str, stream: BinaryIO) -> Iterator[IncomingSource]:
    """Yield the sources in an uploaded file, opened if it is an archive.

    The name isn't a path, so no other edition can be found there. The stream stays open.
    """
    for source in _open_source(
        name, partial(archives.rewind, stream), archives.measure_stream(stream), opens_once=False
    ):
        source.origin = ""
        yield source


def _expand_pattern(path: str) -> list[tuple[str, bool]]:
    """Return the files and folders that a path matches, with whether each is a folder."""
    if path == "-":
        return [(path, False)]
    try:
        is_folder = stat.S_ISDIR(Path(path).stat().st_mode)
    except (OSError, ValueError) as error:
        matches = sorted(glob.iglob(path, recursive=True)) if glob.has_magic(path) else []  # noqa: PTH207 - Path.glob wants the folder and the pattern apart
        if matches:
            return [(match, Path(match).is_dir()) for match in matches]
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise import_errors.unknown_path(path, reason or "") from None
    return [(path, is_folder)]


def _open_path_sources(path: str) -> Iterator[IncomingSource]:
    if path == "-":
        yield from _open_source("-", lambda: sys.stdin.buffer, None, opens_once=True)
        return
    for name in _list_files(path):
        yield from open_file_sources(name)


def _list_files(path: str) -> Iterator[str]:
    """Yield a file, or the files of a folder sorted by name."""
    if not Path(path).is_dir():
        yield path
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            full = Path(folder, name)
            if not name.startswith(".") and full.is_file():
                yield str(full)


def find_files(paths: Sequence[str | Path]) -> list[str]:
    """Return the files at `paths`, with folders opened and archives not, in the order of `find_sources`.

    A path that doesn't exist, or that can't be read twice, raises an error.
    """
    file_names: list[str] = []
    for name, _ in (expanded for path in paths for expanded in _expand_pattern(str(path))):
        if name == "-":
            raise import_errors.stdin_read_twice()
        for file_name in _list_files(name):
            refuse_strange(file_name)
            if not Path(file_name).is_file():
                raise import_errors.not_a_plain_file(file_name)
            file_names.append(file_name)
    if not file_names:
        raise import_errors.no_files([*map(str, paths)])
    return file_names


def open_file_sources(path: str) -> Iterator[IncomingSource]:
    """Yield the source in a file, or those of an archive."""
    try:
        refuse_strange(path)
        file_status = Path(path).stat()
        opens_once = not stat.S_ISREG(file_status.st_mode)  # a pipe, as `<(command)` makes one
        opener = cast("Callable[[], BinaryIO]", partial(Path(path).open, "rb"))
        yield from _open_source(path, opener, None if opens_once else file_status.st_size, opens_once=opens_once)
    except NoFileError as error:
        yield _build_broken_source(path, error)
    except OSError as error:
        yield _build_broken_source(path, import_errors.unreadable_file(path, error.strerror or ""))


def _open_source(
    name: str, opener: Callable[[], BinaryIO], size: int | None, *, opens_once: bool, depth: int = 0
) -> Iterator[IncomingSource]:
    """Yield a source, or the content of an archive. An archive is recognised by its content."""
    stream = opener()
    try:
        try:
            first_bytes = stream.peek(4) if isinstance(stream, io.BufferedReader) else b""
        except (HandledgerError, OSError) as error:
            yield _build_broken_source(name, archives.convert_damage_error(name, error))
            return
        kind = archives.detect_archive_kind(first_bytes[:4])
        if not kind and mails.may_be_mail(first_bytes) and (opens_once or mails.detect_mail_kind(_read_head(opener))):
            yield from _open_mail(name, stream, opener, size, opens_once=opens_once, depth=depth)
        elif not kind:
            if opens_once:
                pipe_stream = stream
                stream = cast("BinaryIO", io.BytesIO())  # the caller reads the stream itself
                yield IncomingSource(name, lambda: pipe_stream, size, opens_once=True)
            else:
                yield IncomingSource(name, opener, size, origin=find_origin_path(name))
        elif depth >= MAX_DEPTH:
            yield _build_broken_source(name, import_errors.nested_archives(name, MAX_DEPTH))
        elif kind == "zip":
            yield from _open_zip(name, stream, depth)
        else:
            yield from _open_compressed(name, kind, stream, opener, size, opens_once=opens_once, depth=depth)
    finally:
        if stream is not sys.stdin.buffer:
            with suppress(OSError):
                stream.close()


def _spool_stream(stack: ExitStack, stream: BinaryIO, name: str) -> tuple[Callable[[], BinaryIO], int]:
    """Copy a stream that can be read once, until the stack is closed.

    Return a function that opens the copy, and its length.
    """
    stream_copy = stack.enter_context(archives.copy_stream(stream, name))
    return partial(archives.rewind, stream_copy), archives.measure_stream(stream_copy)


def _open_compressed(
    name: str,
    kind: str,
    stream: BinaryIO,
    opener: Callable[[], BinaryIO],
    size: int | None,
    *,
    opens_once: bool,
    depth: int,
) -> Iterator[IncomingSource]:
    """Yield what a gzip or zstd stream contains: a source or another archive."""
    try:
        with ExitStack() as stack:
            if opens_once:
                opener, size = _spool_stream(stack, stream, name)

            def open_unpacked() -> BinaryIO:
                return archives.open_compressed(kind, opener(), name, size or 0)

            yield from _open_source(name, open_unpacked, None, opens_once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _build_broken_source(name, archives.convert_damage_error(name, error))


def _open_zip(name: str, stream: BinaryIO, depth: int) -> Iterator[IncomingSource]:
    try:
        with ExitStack() as stack:
            if not stream.seekable():
                stream = stack.enter_context(archives.copy_stream(stream, name))
            archive = stack.enter_context(archives.open_zip(stream, name))
            for member in archives.read_zip_members(archive, name):
                inner = f"{name}!{member.name}"
                if member.problem:
                    yield _build_broken_source(inner, member.problem)
                    continue
                yield from _open_source(inner, member.open, member.size, opens_once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _build_broken_source(name, archives.convert_damage_error(name, error))


def _open_mail(
    name: str, stream: BinaryIO, opener: Callable[[], BinaryIO], size: int | None, *, opens_once: bool, depth: int
) -> Iterator[IncomingSource]:
    """Yield the content of a mail. A pipe is read first to find out whether it is one."""
    try:
        with ExitStack() as stack:
            if opens_once:
                opener, size = _spool_stream(stack, stream, name)
            kind = mails.detect_mail_kind(_read_head(opener))
            if not kind:
                yield IncomingSource(name, opener, size)
                return
            if depth >= MAX_DEPTH:
                raise import_errors.nested_archives(name, MAX_DEPTH)
            with opener() as mail_stream:
                for part in mails.read_mail_members(kind, mail_stream, name):
                    yield from _open_source(
                        f"{name}!{part.name}", part.open, part.size, opens_once=False, depth=depth + 1
                    )
    except (HandledgerError, OSError, EOFError, RecursionError) as error:
        yield _build_broken_source(name, archives.convert_damage_error(name, error))


def _read_head(opener: Callable[[], BinaryIO]) -> bytes:
    """Return the first bytes of a source that can be opened again.

    Return b"" if it is damaged: reading it reports that.
    """
    try:
        with opener() as stream:
            return stream.read(HEAD_BYTES)
    except (HandledgerError, OSError, EOFError):
        return b""


def find_origin_path(name: str) -> str:
    """Return the path on disk for a source's name; "" for a pipe."""
    full_path = os.path.abspath(name)  # noqa: PTH100 - a link that leads elsewhere tomorrow is one place
    return "" if name == "-" or name.startswith("-!") or full_path.startswith(OPEN_FILE_PATHS) else full_path


def _build_broken_source(name: str, problem: HandledgerError) -> IncomingSource:
    return IncomingSource(name, lambda: cast("BinaryIO", io.BytesIO()), None, problem=problem)
