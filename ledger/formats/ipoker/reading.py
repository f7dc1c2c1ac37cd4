"""Sessions and games of a source, and where one ends because the next begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.ipoker import game
from ledger.formats.ipoker.session import Session, session
from ledger.formats.ipoker.tokens import Source, Tag, tags
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.telling.hand import Telling
from ledger.telling.reading import in_unit

_LARGE: Final = 6 * 1024 * 1024
_BEGINNINGS: Final = frozenset(("game", "session", "?xml"))
_DTD: Final = ("<!DOCTYPE", "<!ENTITY", "<!ELEMENT", "<!ATTLIST", "<!doctype", "<!entity")


def sniff(head: bytes) -> int:
    """Return how sure it is that this is iPoker's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")
    if "<session" not in text[:4000] and "<game gamecode=" not in text[:4000]:
        return 0
    known = sum(word in text for word in ("sessioncode=", "<gametype>", "gamecode=", "<round no="))
    return (0, 40, 90, 95, 98)[known]


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last session begins, in a session of more than 6 MiB where its last game does.

    A game without its session's beginning says little of itself, so a session is best read whole.
    """
    codec = encoding if encoding.startswith("utf-16") else "latin-1"
    width = 2 if encoding.startswith("utf-16") else 1
    at = _last(buffer, "<session".encode(codec), width)
    if at > 0:
        head = _last(buffer[:at], "<?xml".encode(codec), width)
        found = head if head >= 0 and at - head < 200 * width else at
        if buffer[:found].strip(b"\xef\xbb\xbf\xff\xfe \r\n\t\0"):
            return found
    return max(_last(buffer, "<game ".encode(codec), width), 0) if len(buffer) > _LARGE else 0


def _last(buffer: bytes, word: bytes, width: int) -> int:
    at = buffer.rfind(word)
    while width == 2 and at > 0 and at % 2:
        at = buffer.rfind(word, 0, at)
    return at


@dataclass(slots=True)
class _Stretch:
    """Part of the source: a session's beginning with its first game, or one of its other games."""

    start: int
    stop: int
    first: int  # where its game begins; = stop: there is none
    tags: list[Tag]


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the games of a chunk and, for what is none, rejects."""
    source = Source(chunk)
    known: Session | None = None
    refused = any(word in source.text for word in _DTD)
    barred = False
    for part in _stretches(source):
        start, stop = _trim(source.text, part.start, part.stop)
        if stop <= start:
            continue
        try:
            if refused:
                barred = _barred(source.text, start, stop, barred)
                if barred:
                    raise _declares()
            head = [tag for tag in part.tags if tag.start < part.first or part.first < 0]
            if any(tag.name == "session" for tag in head):
                known = session(source, head)
            told = _game(source, part, known, people)
        except UnreadableHandError as error:
            yield _reject(chunk, source, start, stop, error)
            continue
        yield told.account(chunk.start, *source.span(start, stop))


def _barred(text: str, start: int, stop: int, before: bool) -> bool:
    """Tell whether a document type is declared in this stretch or, for the same document, before it."""
    if text.startswith("<?xml", start):
        before = False
    return before or any(text.find(word, start, stop) >= 0 for word in _DTD)


def _declares() -> UnreadableHandError:
    return UnreadableHandError(
        "the file declares a document type or entities of its own", kind="dtd",
        hint="iPoker's files have none; nothing of it is expanded or fetched.",
    )  # fmt: skip


def _game(source: Source, part: _Stretch, known: Session | None, people: People) -> Telling:
    if part.first < 0:
        named = any(tag.name == "session" for tag in part.tags)
        raise UnreadableHandError(
            "a session without a game" if named else "no game begins here", kind="not-a-hand"
        )
    if known is None:
        raise UnreadableHandError(
            "a game without the beginning of its session", kind="no-header",
            hint="What is played, for what and where stands at the beginning of a session.",
        )  # fmt: skip
    inner = [tag for tag in part.tags if tag.start >= part.first]
    parts = game.parts(source, inner, part.stop)
    if "\0" in source.text[part.first : part.stop]:
        raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
    return in_unit(lambda exponent: game.tell(source, parts, known, people, exponent))


def _stretches(source: Source) -> Iterator[_Stretch]:
    """Part a source at the beginnings of its games and sessions."""
    text = source.text
    part = _Stretch(0, 0, -1, [])
    for tag in tags(text):
        name = tag.name
        if name in _BEGINNINGS:
            if part.first >= 0 or (name != "game" and _has_session(part)):
                part.stop = tag.start
                yield part
                part = _Stretch(tag.start, 0, -1, [])
            if name == "game":
                part.first = tag.start
        part.tags.append(tag)
    part.stop = len(text)
    yield part


def _has_session(part: _Stretch) -> bool:
    """Tell whether a session has begun already, so that another begins here."""
    return any(one.name == "session" for one in part.tags)


def _trim(text: str, start: int, stop: int) -> tuple[int, int]:
    blank = " \t\r\n\ufeff\0\x1a"
    while start < stop and text[start] in blank:
        start += 1
    while stop > start and text[stop - 1] in blank:
        stop -= 1
    if text.startswith("\xef\xbb\xbf", start):
        start += 3
    return start, stop


def _reject(
    chunk: Chunk, source: Source, start: int, stop: int, error: UnreadableHandError
) -> Account | Reject:
    line = chunk.line + source.text.count("\n", 0, start)
    first, length = source.span(start, stop)
    return Reject(chunk.start + first, length, line, error.kind, error.reason, error.hint)
