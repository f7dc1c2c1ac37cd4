"""Whether a text without a first line of ours is a night of notes: most of its lines read as play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.account import Account, Reject
from ledger.formats.handscript import chunk_reader
from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.reader import is_free, is_of_a_night, read_blocks
from ledger.notation import Chunk
from ledger.people import People

_WORDS: Final = re.compile(
    rb"\b(?:fold|call|check|rais|bet|post|wins?\b|won|takes?|push|flop|turn|river|blind|button|btn|dealer|sb\b|bb\b"
    rb"|all.?in|shows?\b|muck|hand|seat)|\d ?[rcfxb]\b|\b[xcf]\b|(?<![a-z0-9])[2-9tjqka][shdc](?![a-rt-z])",
    re.IGNORECASE,
)
"""What a line of play has: a quick look, before the whole text is read."""
_PLAY: Final = frozenset(
    ("act", "next", "everyone", "folds-to", "board", "post", "bare", "straddle", "win", "chop", "show")
)
_LEAST_PLAY: Final = 3
"""Statements of play in the shortest night."""
_LINES_PER_PLAY: Final = 4
_UNREAD_SHARE: Final = 8
"""If no hand can be read, the number of statements of play that outweigh an unread statement."""


def looks_like_notes(data: bytes, encoding: str = "utf-8") -> bool:
    """Return whether a text reads as a night: half of its lines or more say what was played, in a hand that is read.

    A night in which each hand has a question is one, too, if nearly all of its words are read.
    """
    if not has_words_of_play(data) or encoding.startswith("utf-16") or not is_of_a_night(data):
        return False
    if _keeps_to_notation(data, encoding):
        return True
    if not is_free(data):
        return False
    note_lines = _split_lines(data)
    blocks = read_blocks(Chunk(data, encoding=encoding))
    statements = [statement for block in blocks if block.kind == "hand" for statement in block.statements]
    read_lines = {statement.line.number for statement in statements if statement.kind not in ("unread", "remark")}
    play_count = sum(statement.kind in _PLAY for statement in statements)
    if play_count < _LEAST_PLAY or 2 * len(read_lines) < len(note_lines):
        return False
    return _has_read_hand(blocks) or _UNREAD_SHARE * _count_unread(blocks) <= play_count


def _keeps_to_notation(data: bytes, encoding: str) -> bool:
    """Return whether the strict grammar reads a hand and every line: only the first line is missing."""
    items = list(chunk_reader.read(Chunk(data, encoding=encoding), People(bytes(32))))
    return any(isinstance(item, Account) for item in items) and not any(isinstance(item, Reject) for item in items)


def has_words_of_play(data: bytes) -> bool:
    """Return whether a quarter of the lines or more have a word of the game: the text may be notes."""
    note_lines = _split_lines(data)
    play_count = sum(_WORDS.search(line) is not None for line in note_lines)
    return bool(note_lines) and play_count * _LINES_PER_PLAY >= len(note_lines)


def _split_lines(data: bytes) -> list[bytes]:
    """Return the lines with words that are no comments."""
    return [line for line in data.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]


def _has_read_hand(blocks: Sequence[Block]) -> bool:
    return any(block.kind == "hand" and block.canonical_lines and not block.problems for block in blocks)


def _count_unread(blocks: Sequence[Block]) -> int:
    """Return how many statements and lines can't be read."""
    in_hands = sum(statement.kind == "unread" for block in blocks for statement in block.statements)
    return in_hands + sum(len(block.problems) for block in blocks if block.kind != "hand")
