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

from ledger.errors import ArchiveError, HandledgerError, NoFileError, NothingFoundError, SourceError, UsageError
from ledger.files.plain_files import OPEN_FILE_PATHS, refuse_strange
from ledger.intake import archives, mails
from ledger.intake.encoding import HEAD

if TYPE_CHECKING:
    from ledger.intake.jobs import Ready

DEPTH_MOST: Final = 3
"""Archives within archives."""


@dataclass(slots=True)
class Incoming:
    """One source to be read, or the `problem` that stands in its place.

    `open` may be called until the next source is asked for, and more than once unless `once`.
    """

    name: str  # hostile: a file or member may be called anything
    open: Callable[[], BinaryIO]
    size: int | None = None
    once: bool = False
    problem: HandledgerError | None = None
    ready: Callable[[], Ready | None] | None = None  # what another process has made of it
    origin: str = ""  # the place on disk where another edition of it would lie; "" = it has none
    part: bool = False  # the rest of what lies there was read before


def incoming(paths: Sequence[str | Path]) -> Iterator[Incoming]:
    """Yield the sources that `paths` name, folders and archives opened up, in the order of names.

    A path that leads nowhere raises `SourceError` before anything is yielded.
    """
    named: list[tuple[str, bool]] = []
    for path in paths:
        named.extend(_expand(str(path)))
    found = False
    for name, _ in named:
        for source in _from_path(name):
            found = True
            yield source
    if not found:
        folders = ", ".join(name for name, folder in named if folder)
        raise NothingFoundError(f"no files in {folders}", "Name files, folders or patterns.")


def handed(name: str, stream: BinaryIO) -> Iterator[Incoming]:
    """Yield the sources in a file that was handed over under a name, opened up if it is an archive.

    It lies nowhere where another edition of it would be found. The stream stays open.
    """
    for source in _opened(name, partial(archives.rewound, stream), archives.length(stream), once=False):
        source.origin = ""
        yield source


def _expand(path: str) -> list[tuple[str, bool]]:
    """Return the files and folders behind one path, with whether each is a folder."""
    if path == "-":
        return [(path, False)]
    try:
        folder = stat.S_ISDIR(Path(path).stat().st_mode)
    except (OSError, ValueError) as error:
        matches = sorted(glob.iglob(path, recursive=True)) if glob.has_magic(path) else []  # noqa: PTH207 - Path.glob wants the folder and the pattern apart
        if matches:
            return [(match, Path(match).is_dir()) for match in matches]
        why = error.strerror if isinstance(error, OSError) else "not a path"
        raise SourceError(
            f"{path}: {(why or 'cannot be read').lower()}", "Check the spelling. A pattern must match a file."
        ) from None
    return [(path, folder)]


def _from_path(path: str) -> Iterator[Incoming]:
    if path == "-":
        yield from _opened("-", lambda: sys.stdin.buffer, None, once=True)
        return
    for name in _files(path):
        yield from in_file(name)


def _files(path: str) -> Iterator[str]:
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


def on_disk(paths: Sequence[str | Path]) -> list[str]:
    """Return the files that `paths` name, folders opened up, archives not, in the order of `incoming`.

    A path that leads nowhere, or to what cannot be read again from its beginning, raises an error of ours.
    """
    found: list[str] = []
    for name, _ in (one for path in paths for one in _expand(str(path))):
        if name == "-":
            raise UsageError(
                "standard input cannot be read again", "Name files: what comes through a pipe has no place."
            )
        for file in _files(name):
            refuse_strange(file)
            if not Path(file).is_file():
                raise SourceError(f"{file} is no file that can be read again", "Name a file.")
            found.append(file)
    if not found:
        raise NothingFoundError(f"no files in {', '.join(map(str, paths))}", "Name files, folders or patterns.")
    return found


def in_file(path: str) -> Iterator[Incoming]:
    """Yield the source that a file is, or those of an archive."""
    try:
        refuse_strange(path)
        told = Path(path).stat()
        once = not stat.S_ISREG(told.st_mode)  # a pipe, as `<(command)` makes one
        opener = cast("Callable[[], BinaryIO]", partial(Path(path).open, "rb"))
        yield from _opened(path, opener, None if once else told.st_size, once=once)
    except NoFileError as error:
        yield _broken(path, error)
    except OSError as error:
        yield _broken(path, SourceError(f"{path}: {(error.strerror or 'cannot be read').lower()}"))


def _opened(
    name: str, opener: Callable[[], BinaryIO], size: int | None, *, once: bool, depth: int = 0
) -> Iterator[Incoming]:
    """Yield a source, or what is in it if it is an archive. An archive is known by its content."""
    stream = opener()
    try:
        try:
            head = stream.peek(4) if isinstance(stream, io.BufferedReader) else b""
        except (HandledgerError, OSError) as error:
            yield _broken(name, archives.damaged(name, error))
            return
        kind = archives.kind(head[:4])
        if not kind and mails.may_be(head) and (once or mails.kind(_head(opener))):
            yield from _mailed(name, stream, opener, size, once=once, depth=depth)
        elif not kind:
            if once:
                kept = stream
                stream = cast("BinaryIO", io.BytesIO())  # the caller reads the stream itself
                yield Incoming(name, lambda: kept, size, once=True)
            else:
                yield Incoming(name, opener, size, origin=origin_of(name))
        elif depth >= DEPTH_MOST:
            yield _broken(name, ArchiveError(f"{name}: more than {DEPTH_MOST} archives within each other"))
        elif kind == "zip":
            yield from _members(name, stream, depth)
        else:
            yield from _squeezed(name, kind, stream, opener, size, once=once, depth=depth)
    finally:
        if stream is not sys.stdin.buffer:
            with suppress(OSError):
                stream.close()


def _spooled(stack: ExitStack, stream: BinaryIO, name: str) -> tuple[Callable[[], BinaryIO], int]:
    """Keep what can be read once as long as the stack lasts; return how it is opened again, and its length."""
    again = stack.enter_context(archives.spooled(stream, name))
    return partial(archives.rewound, again), archives.length(again)


def _squeezed(
    name: str, kind: str, stream: BinaryIO, opener: Callable[[], BinaryIO], size: int | None, *, once: bool, depth: int
) -> Iterator[Incoming]:
    """Yield what a gzip or zstd stream holds: a source, or again an archive."""
    try:
        with ExitStack() as stack:
            if once:
                opener, size = _spooled(stack, stream, name)

            def inside() -> BinaryIO:
                return archives.unsqueezed(kind, opener(), name, size or 0)

            yield from _opened(name, inside, None, once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _broken(name, archives.damaged(name, error))


def _members(name: str, stream: BinaryIO, depth: int) -> Iterator[Incoming]:
    try:
        with ExitStack() as stack:
            if not stream.seekable():
                stream = stack.enter_context(archives.spooled(stream, name))
            archive = stack.enter_context(archives.opened_zip(stream, name))
            for member in archives.members(archive, name):
                inner = f"{name}!{member.name}"
                if member.problem:
                    yield _broken(inner, member.problem)
                    continue
                yield from _opened(inner, member.open, member.size, once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError) as error:
        yield _broken(name, archives.damaged(name, error))


def _mailed(
    name: str, stream: BinaryIO, opener: Callable[[], BinaryIO], size: int | None, *, once: bool, depth: int
) -> Iterator[Incoming]:
    """Yield what a mail holds; of a pipe that may be one, what it turns out to be."""
    try:
        with ExitStack() as stack:
            if once:
                opener, size = _spooled(stack, stream, name)
            kind = mails.kind(_head(opener))
            if not kind:
                yield Incoming(name, opener, size)
                return
            if depth >= DEPTH_MOST:
                raise ArchiveError(f"{name}: more than {DEPTH_MOST} archives within each other")
            with opener() as whole:
                for part in mails.members(kind, whole, name):
                    yield from _opened(f"{name}!{part.name}", part.open, part.size, once=False, depth=depth + 1)
    except (HandledgerError, OSError, EOFError, RecursionError) as error:
        yield _broken(name, archives.damaged(name, error))


def _head(opener: Callable[[], BinaryIO]) -> bytes:
    """Return the first bytes of a source that can be opened again; b"" of one that is damaged, which its reading says."""
    try:
        with opener() as stream:
            return stream.read(HEAD)
    except (HandledgerError, OSError, EOFError):
        return b""


def origin_of(name: str) -> str:
    """Return the place on disk that a source's name means; "" for what comes through a pipe."""
    whole = os.path.abspath(name)  # noqa: PTH100 - a link that leads elsewhere tomorrow is one place
    return "" if name == "-" or name.startswith("-!") or whole.startswith(OPEN_FILE_PATHS) else whole


def _broken(name: str, problem: HandledgerError) -> Incoming:
    return Incoming(name, lambda: cast("BinaryIO", io.BytesIO()), None, problem=problem)
