"""Find joints: places inside a line where a new hand begins, because the source was cut off there and continued."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from ledger.notation import Chunk
from ledger.readers.signatures import find_longer_heads

_MAX_PREFIX: Final = 40
"""The maximum number of characters in a hand's first line before the word that identifies it."""
_MAX_FIRST_LINE: Final = 400
"""The number of characters of a first line that are examined."""
_PREFACE_STARTS: Final = 2
"""The number of words with which the lines before a hand may begin."""
_MAX_PREFACE: Final = 2000
"""The maximum number of characters before a hand that belong to it."""
_NUMBER_SIGN: Final = b"#"
_MAX_WORD_LENGTH: Final = 200
"""The maximum length of a word."""
_IGNORED_CHARACTERS: Final = "\ufeff\xef\xbb\xbf \t>\0"  # a byte order mark, also decoded as cp1252


def find_joints(
    chunk: Chunk, words: Sequence[str], begins_hand: Callable[[str], bool], preface: tuple[str, ...]
) -> list[int]:
    """Return the offsets inside lines where a hand or its preface begins, in order.

    Each first line of a hand contains one of `words`; lines that begin with `preface` may come before it.
    The text at an offset may still be a name or chat that looks like a hand.
    """
    hand_starts, plain_prefixes = set(), {b""}
    for word_start, prefix in _find_words(
        chunk, (*words, *find_longer_heads(*words), *preface[:_PREFACE_STARTS]), plain_prefixes
    ):
        start = _find_hand_start(chunk, word_start, begins_hand, preface)
        if start is None:
            plain_prefixes.add(prefix)
        elif start >= 0:
            hand_starts.add(start)
    return sorted(hand_starts)


def split_chunk(chunk: Chunk, places: Sequence[int]) -> Iterator[Chunk]:
    """Split a chunk at these offsets."""
    for start, stop in zip(places, (*places[1:], len(chunk.data)), strict=True):
        line = chunk.line_at(start)
        yield Chunk(chunk.data[start:stop], chunk.start + start, line, chunk.encoding, chunk.name, chunk.last)


@cache
def _split_search_words(words: tuple[str, ...], encoding: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the words that end with a number sign, and the other words, each longest first."""
    longest = [word.encode(encoding, "replace") for word in sorted(words, key=len, reverse=True)]
    numbered = tuple(word for word in longest if word.endswith(_NUMBER_SIGN))
    return numbered, tuple(word for word in longest if not word.endswith(_NUMBER_SIGN))


def _find_words(chunk: Chunk, words: tuple[str, ...], plain_prefixes: set[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the offset of each word and the text before it in its line. Of words with the same end, yield the longest.

    Words that end with a number sign are searched together, by the sign. Words after one of `plain_prefixes`, which
    can't begin another line, are skipped.
    """
    data = chunk.data
    numbered, other_words = _split_search_words(words, chunk.encoding)
    known_lines: set[bytes] = set()  # lines up to the sign: most lines begin with the same text
    word_start = data.find(_NUMBER_SIGN) if numbered else -1
    while word_start >= 0:
        sign_end = word_start + len(_NUMBER_SIGN)
        line = _get_text_before(data, sign_end, _MAX_WORD_LENGTH)
        if line not in known_lines:
            word = next(filter(line.endswith, numbered)) if line.endswith(numbered) else b""
            prefix = line[: len(line) - len(word)][-2 * _MAX_PREFIX :]
            if word and prefix not in plain_prefixes:
                yield sign_end - len(word), prefix
            else:
                known_lines.add(line)
        word_start = data.find(_NUMBER_SIGN, sign_end)
    for word in other_words:
        word_start = data.find(word)
        while word_start >= 0:
            prefix = _get_text_before(data, word_start, 2 * _MAX_PREFIX)
            if prefix not in plain_prefixes:
                yield word_start, prefix
            word_start = data.find(
                word, word_start + max(len(word) // 2, 1)
            )  # `*** HEADER ***** HEADER ***` contains it twice


def _get_text_before(data: bytes, offset: int, max_length: int) -> bytes:
    """Return the bytes before `offset` in its line, at most `max_length`."""
    search_start = offset - max_length if offset > max_length else 0
    return data[data.rfind(b"\n", search_start, offset) + 1 or search_start : offset]


def _find_hand_start(
    chunk: Chunk, word_start: int, begins_hand: Callable[[str], bool], preface: tuple[str, ...]
) -> int | None:
    """Return where the hand with this word in its first line begins: None = at the line's start, -1 = no hand."""
    line, _, text_after = _decode_text(chunk, word_start, word_start + _MAX_FIRST_LINE + _MAX_PREFACE).partition("\n")
    text_before = _decode_text(chunk, max(0, word_start - _MAX_FIRST_LINE), word_start).rpartition("\n")[2]
    if line.startswith(preface) and _leads_to_hand(text_after, begins_hand, preface):
        index = min(
            preface_index
            for preface_text in preface[:_PREFACE_STARTS]
            if (preface_index := (text_before + line).find(preface_text)) >= 0
        )
    else:
        nearest = range(len(text_before), max(len(text_before) - _MAX_PREFIX, 0) - 1, -1)
        heads = ((index, (text_before[index:] + line)[:_MAX_FIRST_LINE]) for index in nearest)
        index = next((index for index, head in heads if head[:1] not in _IGNORED_CHARACTERS and begins_hand(head)), -1)
    if index < 0:
        return -1
    if not text_before[:index].strip(_IGNORED_CHARACTERS):
        return None
    return word_start - len(text_before[index:].encode(chunk.encoding, "replace"))


def _leads_to_hand(text: str, begins_hand: Callable[[str], bool], preface: tuple[str, ...]) -> bool:
    """Whether the first line that is neither blank nor a preface begins a hand."""
    for line in text.split("\n"):
        if line.strip(_IGNORED_CHARACTERS) and not line.lstrip(_IGNORED_CHARACTERS).startswith(preface):
            return begins_hand(line)
    return False


def _decode_text(chunk: Chunk, start: int, stop: int) -> str:
    text = chunk.data[start:stop].decode(chunk.encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
