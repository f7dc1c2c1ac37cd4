"""handscript, handledger's own notation: a readable line for each event, without loss.

See docs/handscript.md. `FORMAT` reads files. `read_case` and `read_with_comments` are for tests and pages.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.events import STREAMS
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.correction_lines import read_behind
from ledger.formats.handscript.doors import read
from ledger.formats.handscript.header import SECTIONS, SETTINGS, read_settings
from ledger.formats.handscript.lines import iterate_lines, split_lines
from ledger.formats.handscript.notes.answer_sheet import AnswerSheet, Question
from ledger.formats.handscript.notes.answers import SpanAnswers, append_answers, find_span_answers, split_answers
from ledger.formats.handscript.notes.detection import has_words_of_play, looks_like_notes
from ledger.formats.handscript.notes.headings import name_of_game
from ledger.formats.handscript.notes.reader import NIGHT_MOST
from ledger.formats.handscript.notes.reader import carry_to_mended as carry_answers
from ledger.formats.handscript.parser import HandscriptReader
from ledger.formats.handscript.places import CommentedAccount
from ledger.formats.handscript.sections import HandscriptSection
from ledger.formats.handscript.tokens import split_placed_words
from ledger.formats.handscript.witnesses import PROFILES
from ledger.formats.handscript.writer import write, write_lines, write_told
from ledger.notation import Chunk, Format
from ledger.people import People

__all__ = [
    "CASE",
    "FORMAT",
    "NIGHT_MOST",
    "PROFILES",
    "AnswerSheet",
    "CommentedAccount",
    "HandscriptSection",
    "Question",
    "SpanAnswers",
    "append_answers",
    "carry_answers",
    "find_span_answers",
    "has_words_of_play",
    "looks_like_notes",
    "name_of_game",
    "read_behind",
    "read_case",
    "read_with_comments",
    "split_answers",
    "write_lines",
    "write_told",
]

CASE: Final = """\
venue Case  table 1
witness everything
game holdem no-limit cash blinds 1/2 unit chips 0
"""
"""The header of hands written without one."""


def sniff(head: bytes) -> int:
    """Score a source by its first words."""
    first = _FIRST.match(head)
    return 100 if first else 0


_FIRST: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*+[ \t]*handscript[ \t]+[0-9]")


def cut(buffer: bytes, _encoding: str) -> int:
    """Return where the last header begins. All sections under a header are read together."""
    header_start = buffer.rfind(b"\nhandscript ")
    return header_start + 1 if header_start > 0 else 0


def read_source_name(head: bytes) -> str:
    """Return the header's `source`, with the room, or "" if there is none."""
    settings = Settings()
    for line in iterate_lines(Chunk(head)):
        try:
            words, _ = split_placed_words(line.text)
            if words and words[0] in SECTIONS:
                break
            if words and words[0] in SETTINGS:
                read_settings(settings, words)
        except UnreadableHandError:
            continue  # the reader says what is wrong with it
    return f"{settings.venue}\0{settings.source}" if settings.source else ""


def read_with_comments(text: str, people: People) -> list[CommentedAccount]:
    """Return the accounts of a text with the comments at its lines' ends. Raise `UnreadableHandError` for a bad line."""
    return _read_items(text, people, case=False)


def read_case(text: str, people: People, header: str = CASE) -> tuple[Account, dict[int, str]]:
    """Return the only hand of a text without a header, and its comments by the index of the event.

    `header` replaces the missing header. Lines without a `hand` line are a hand numbered 1.
    """
    items = _read_items(header + text, people, case=True, line=1 - header.count("\n"))
    hands = [item for item in items if isinstance(item.told, Account)]
    if len(items) != 1 or len(hands) != 1:
        raise UnreadableHandError(f"one hand was expected, {len(hands)} are there")
    account, comments = hands[0]
    assert isinstance(account, Account)  # noqa: S101 - filtered above
    return account, comments


def _read_items(text: str, people: People, *, case: bool, line: int = 1) -> list[CommentedAccount]:
    chunk = Chunk(text.encode(), line=line)
    items = list(HandscriptReader(people, case=case).read_sections(split_lines(chunk)))
    for item in items:
        if isinstance(item.told, Reject):
            raise UnreadableHandError(item.told.reason, kind=item.told.code, hint=item.told.hint)
    return items


FORMAT: Final = Format(
    name="handscript",
    title="handscript, handledger's own notation",
    suffixes=(".hand",),
    sniff=sniff,
    read=read,  # type: ignore[arg-type] # `Item` has no sections: they are rejected
    find_cut=cut,
    is_appended=False,
    identify=read_source_name,
    write=write,
    written_events=frozenset(STREAMS["hand"]),
    write_account=write_told,
    separator="\n",
    reader="3",
)
