"""From what a person names to sources: files, folders, patterns, standard input, archives."""

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
"""Archives within archives."""


@dataclass(slots=True)
class IncomingSource:
    """One source to be read, or the `problem` that stands in its place.

    `open` may be called until the next source is asked for, and more than once unless `once`.
    """

    name: str  # hostile: a file or member may be called anything
    open: Callable[[], BinaryIO]
    size: int | None = None
    opens_once: bool = False
    problem: HandledgerError | None = None
    ready: Callable[[], ReadySource | None] | None = None  # what another process has made of it
    origin: str = ""  # the place on disk where another edition of it would lie; "" = it has none
    is_part: bool = False  # the rest of what lies there was read before


def find_sources(paths: Sequence[str | Path]) -> Iterator[IncomingSource]:
    """Yield the sources that `paths` name, folders and archives opened up, in the order of names.

    A path that leads nowhere raises `SourceError` before anything is yielded.
    """
    expanded_paths: list[tuple[str, bool]] = []
    for path in paths:
        expanded_paths.extend(_expand(str(path)))
    has_sources = False
    for name, _ in expanded_paths:
        for source in _sources_at(name):
            has_sources = True
            yield source
    if not has_sources:
        raise import_errors.no_files([name for name, is_folder in expanded_paths if is_folder])


def require_paths(paths: Sequence[str | Path]) -> None:
    """Raise `SourceError` for a path that leads nowhere, before anything is made for its hands."""
    for path in paths:
        _expand(str(path))


def sources_in_stream(name: str, stream: BinaryIO) -> Iterator[IncomingSource]:
    """Yield the sources in a file that was handed over under a name, opened up if it is an archive.

    It lies nowhere where another edition of it would be found. The stream stays open.
    """
    for source in _open_source(
        name, partial(archives.rewind, stream), archives.stream_length(stream), opens_once=False
    ):
        source.origin = ""
        yield source


def _expand(path: str) -> list[tuple[str, bool]]:
    """Return the files and folders behind one path, with whether each is a folder."""
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


def _sources_at(path: str) -> Iterator[IncomingSource]:
    if path == "-":
        yield from _open_source("-", lambda: sys.stdin.buffer, None, opens_once=True)
        return
    for name in _list_files(path):
        yield from sources_in_file(name)


def _list_files(path: str) -> Iterator[str]:
    """Yield a file, or the files of a folder, in the order of names."""
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
    """Return the files that `paths` name, folders opened up, archives not, in the order of `find_sources`.

    A path that leads nowhere, or to what cannot be read again from its beginning, raises an error of ours.
    """
    file_names: list[str] = []
    for name, _ in (expanded for path in paths for expanded in _expand(str(path))):
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


def sources_in_file(path: str) -> Iterator[IncomingSource]:
    """Yield the source that a file is, or those of an archive."""
    try:
        refuse_strange(path)
        file_status = Path(path).stat()
        opens_once = not stat.S_ISREG(file_status.st_mode)  # a pipe, as `<(command)` makes one
        opener = cast("Callable[[], BinaryIO]", partial(Path(path).open, "rb"))
        yield from _open_source(path, opener, None if opens_once else file_status.st_size, opens_once=opens_once)
    except NoFileError as error:
        yield _broken_source(path, error)
    except OSError as error:
        yield _broken_source(path, import_errors.unreadable_file(path, error.strerror or ""))


def _open_source(
    name: str, opener: Callable[[], BinaryIO], size: int | None, *, opens_once: bool, depth: int = 0
) -> Iterator[IncomingSource]:
    """Yield a source, or what is in it if it is an archive. An archive is known by its content."""
    stream = opener()
    try:
        try:
            first_bytes = stream.peek(4) if isinstance(stream, io.BufferedReader) else b""
        except (HandledgerError, OSError) as error:
            yield _broken_source(name, archives.damage_error(name, error))
            return
        kind = archives.archive_kind(first_bytes[:4])
        if not kind and mails.may_be_mail(first_bytes) and (opens_once or mails.mail_kind(_read_head(opener))):
            yield from _open_mail(name, stream, opener, size, opens_once=opens_once, depth=depth)
        elif not kind:
            if opens_once:
                pipe_stream = stream
                stream = cast("BinaryIO", io.BytesIO())  # the caller reads the stream itself
                yield IncomingSource(name, lambda: pipe_stream, size, opens_once=True)
            else:
                yield IncomingSource(name, opener, size, origin=origin_path(name))
        elif depth >= MAX_DEPTH:
            yield _broken_source(name, import_errors.nested_archives(name, MAX_DEPTH))
        elif kind == "zip":
            yield from _open_zip(name, stream, depth)
        else:
            yield from _open_compressed(name, kind, stream, opener, size, opens_once=opens_once, depth=depth)
    finally:
        if stream is not sys.stdin.buffer:
            with suppress(OSError):
                stream.close()


def _spool_stream(stack: ExitStack, stream: BinaryIO, name: str) -> tuple[Callable[[], BinaryIO], int]:
    """Keep what can be read once as long as the stack lasts; return how it is opened again, and its length."""
    stream_copy = stack.enter_context(archives.copy_stream(stream, name))
    return partial(archives.rewind, stream_copy), archives.stream_length(stream_copy)


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
    """Yield what a gzip or zstd stream holds: a source, or again an archive."""
    try:
        with ExitStack() as stack:
            if opens_once:
                opener, size = _spool_stream(stack, stream, name)

            def inside() -> BinaryIO:
                return archives.open_compressed(kind, opener(), name, size or 0)

            yield from _open_source(name, inside, None, opens_once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _broken_source(name, archives.damage_error(name, error))


def _open_zip(name: str, stream: BinaryIO, depth: int) -> Iterator[IncomingSource]:
    try:
        with ExitStack() as stack:
            if not stream.seekable():
                stream = stack.enter_context(archives.copy_stream(stream, name))
            archive = stack.enter_context(archives.open_zip(stream, name))
            for member in archives.zip_members(archive, name):
                inner = f"{name}!{member.name}"
                if member.problem:
                    yield _broken_source(inner, member.problem)
                    continue
                yield from _open_source(inner, member.open, member.size, opens_once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _broken_source(name, archives.damage_error(name, error))


def _open_mail(
    name: str, stream: BinaryIO, opener: Callable[[], BinaryIO], size: int | None, *, opens_once: bool, depth: int
) -> Iterator[IncomingSource]:
    """Yield what a mail holds; of a pipe that may be one, what it turns out to be."""
    try:
        with ExitStack() as stack:
            if opens_once:
                opener, size = _spool_stream(stack, stream, name)
            kind = mails.mail_kind(_read_head(opener))
            if not kind:
                yield IncomingSource(name, opener, size)
                return
            if depth >= MAX_DEPTH:
                raise import_errors.nested_archives(name, MAX_DEPTH)
            with opener() as mail_stream:
                for part in mails.mail_members(kind, mail_stream, name):
                    yield from _open_source(
                        f"{name}!{part.name}", part.open, part.size, opens_once=False, depth=depth + 1
                    )
    except (HandledgerError, OSError, EOFError, RecursionError) as error:
        yield _broken_source(name, archives.damage_error(name, error))


def _read_head(opener: Callable[[], BinaryIO]) -> bytes:
    """Return the first bytes of a source that can be opened again; b"" of one that is damaged, which its reading says."""
    try:
        with opener() as stream:
            return stream.read(HEAD_BYTES)
    except (HandledgerError, OSError, EOFError):
        return b""


def origin_path(name: str) -> str:
    """Return the place on disk that a source's name means; "" for what comes through a pipe."""
    full_path = os.path.abspath(name)  # noqa: PTH100 - a link that leads elsewhere tomorrow is one place
    return "" if name == "-" or name.startswith("-!") or full_path.startswith(OPEN_FILE_PATHS) else full_path


def _broken_source(name: str, problem: HandledgerError) -> IncomingSource:
    return IncomingSource(name, lambda: cast("BinaryIO", io.BytesIO()), None, problem=problem)
