"""Rulebooks side by side where they differ: a column for each book, or one below the other if narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from ledger import safe
from projections.addresses.address_book import named_address
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import Said
from projections.reports.facts import fact
from projections.reports.tally import hands as hands_of

_NARROW: Final = 24  # columns that a book needs to stand beside the others
_GAP: Final = "  "
_LINES: Final = 7  # of a cell; more is cut
_WORDS: Final = {
    "found": "FOUND",
    "clean": "in order",
    "cannot-tell": "cannot tell",
    "not-built": "not built",
    "no-judgement": "only says",
    "silent": "silent",
}


def differences(
    result: AuditResult, *, width: int = 100, most: int = 20, address: Callable[[Hand, int], str] = named_address
) -> str:
    """Return where the books differ, in the order of the hands; "" if they do not.

    Each line has at most `width` columns; after `most` differences the rest is counted. `address` is that of an event.
    """
    found = result.differences
    if not found:
        return ""
    names = [said.book for said in found[0].books]
    hands = hands_of(found)
    times = f"{len(found):,} time{'s' * (len(found) != 1)}"
    lines = [f"Where {_listed(names)} differ: {times} in {hands:,} hand{'s' * (hands != 1)}"]
    room = (width - 2 + len(_GAP)) // len(names) - len(_GAP)
    for one in found[:most]:
        lines += ["", safe.cut(f"{address(one.hand, one.version)}: {one.saw}", width)]
        lines += _columns(one.books, room) if room >= _NARROW else _rows(one.books, width)
    if len(found) > most > 0:
        lines += ["", f"({len(found) - most:,} more; --frames shows more, --format json all)"]
    return "\n".join(safe.cut(line, width) for line in lines)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}"


def _columns(books: Sequence[Said], room: int) -> Iterator[str]:
    """Yield the books in columns of `room`, each under its name."""
    cells = [[said.book, *_cell(said, room)] for said in books]
    for row in zip_longest(*cells, fillvalue=""):
        line = _GAP.join(safe.fit(cell, room) for cell in row)
        yield f"  {line}".rstrip()


def _rows(books: Sequence[Said], width: int) -> Iterator[str]:
    """Yield the books one below the other."""
    names = max(safe.columns(said.book) for said in books)
    for said in books:
        first, *more = _cell(said, max(width - names - 4, _NARROW))
        yield f"  {safe.fit(said.book, names)}  {first}".rstrip()
        yield from (f"  {' ' * names}  {line}" for line in more)


def _cell(said: Said, room: int) -> list[str]:
    """Return what a book says, in lines of at most `room` columns."""
    head = f"{_WORDS[said.answer]} {', '.join(said.clauses)}".rstrip()
    texts = [head]
    if said.missing:
        texts.append(f"not recorded: {', '.join(fact(one) for one in said.missing)}")
    if said.says:
        texts.append(f"should be: {said.says}" if said.answer == "found" else said.says)
    lines = [line for text in texts for line in _wrapped(text, room)]
    return lines if len(lines) <= _LINES else [*lines[: _LINES - 1], "…"]


def _wrapped(text: str, room: int) -> Iterator[str]:
    """Break a text at blanks into lines of `room` columns."""
    line = ""
    for word in text.split():
        if line and safe.columns(line) + safe.columns(word) + 1 > room:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield safe.cut(line, room)
