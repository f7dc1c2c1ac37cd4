"""Sources that nobody wrote: samples cut, doubled, shuffled, and sprinkled with what readers stumble over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

TOKENS: Final = (
    b"",
    b"\0",
    b"\r",
    b"\n\n\n",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\x85",
    b"\xc2\xa0",
    b": ",
    b" ",
    b"'",
    b'"',
    b"[",
    b"]",
    b"(",
    b")",
    b"{",
    b"}",
    b"<",
    b">",
    b"&",
    b"#",
    b"@",
    b",",
    b"\\",
    b"0",
    b"-1",
    b"1e400",
    b"1e999999",
    b"NaN",
    b"9" * 40,
    b"9" * 5000,
    b"1_000",
    b"\xd9\xa3",
    b"0.1234567",
    b"1,2,3",
    b"1.2.3",
    b"$",
    b"\xe2\x82\xac",
    b"T100",
    b"Seat 0",
    b"Seat 99",
    b"Seat 3",
    b"-",
    b"*** ",
    b"null",
    b"true",
    b"[[[[[[[[",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"&a;",
    b"]]>",
    b"????",
    b"Zz",
    b"[Ah Ah]",
    b" collected ",
    b" folds",
    b" raises ",
    b"A" * 3000,
    b"[" * 3000,
    b"{" * 3000,
    b"(" * 3000,
    b" " * 3000,
    b"\t" * 3000,
)

VALUES: Final = (
    b"[]",
    b"{}",
    b"[[1]]",
    b'{"x":[]}',
    b'"x"',
    b'""',
    b"7",
    b"-1.5",
    b"1" + b"0" * 30,
    b"null",
    b"true",
    b"[null]",
)
"""What takes a value's place in a document: most often one of another kind."""

_VALUE: Final = re.compile(
    rb'[:=\[,][ \n\r\t]*+("[^"\\]{0,80}+"|-?[0-9][0-9.]{0,20}+|true|false|null)(?=[ \n\r\t]*+[],}\n])'
)


def mutated(data: bytes, sources: list[bytes], random: Random, words: Sequence[bytes] = ()) -> bytes:
    """Return the source after one to six changes. `words`: more tokens, such as the constants of a reader."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        if words and random.random() < _WORDS:
            data = _word(data, words, random)
        elif len(data) < _SHORT_BYTES and random.randrange(2):
            data = _swap(data, sources, random)
        else:
            data = random.choice(_CHANGES)(data, sources, random)
    return data[:_BYTES_MOST]


_BYTES_MOST: Final = 200_000
_WORDS: Final = 0.25
"""How many changes put in a word, where there are any."""
_SHORT_BYTES: Final = 300
"""What is shorter, such as a query, is mostly grammar: half its changes exchange words and signs."""
_ANY_WORD: Final = re.compile(rb"[A-Za-z0-9_]++")
_ANY_SIGNS: Final = re.compile(rb"[^A-Za-z0-9_ \n]++")


def _place(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _word(data: bytes, words: Sequence[bytes], random: Random) -> bytes:
    """Put a word at any place, in the place of another word, or in that of a sign or two."""
    offset, index = _place(data, random), random.randrange(4)
    word = min(random.choice(words), random.choice(words), key=len)  # short ones are what grammars are made of
    if index == 0:
        return data[:offset] + word + data[offset:]
    match = (_ANY_WORD if index == 1 else _ANY_SIGNS).search(data, offset)
    if match is None or index == 3:
        return data[:offset] + word + data[offset + random.choice((1, 2)) :]
    return data[: match.start()] + word + data[match.end() :]


def _swap(data: bytes, sources: list[bytes], random: Random) -> bytes:
    """Put a word of another source in a word's place, or signs in that of signs."""
    kind, source = random.choice((_ANY_WORD, _ANY_SIGNS)), random.choice(sources)
    source_match = kind.search(source, _place(source, random)) or kind.search(source)
    match = kind.search(data, _place(data, random)) or kind.search(data)
    if source_match is None or match is None:
        return data
    return data[: match.start()] + source_match[0] + data[match.end() :]


def _pump(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    """Repeat a line, or any piece, up to two thousand times: what takes quadratic time shows at that size."""
    times = random.choice((20, 200, 2000))
    if random.randrange(2):
        lines = data.split(b"\n")
        index = random.randrange(len(lines))
        times = min(times, _BYTES_MOST // (len(lines[index]) + 1))
        return b"\n".join((*lines[:index], *([lines[index]] * times), *lines[index:]))
    index = _place(data, random)
    return data[:index] + data[index : index + random.choice((1, 2, 8, 40))] * times + data[index:]


def _token(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    offset = _place(data, random)
    return data[:offset] + random.choice(TOKENS) + data[offset + random.choice((0, 0, 1, 2, 8)) :]


def _number(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    digits = [index for index in range(len(data)) if 48 <= data[index] <= 57][:5000]
    if not digits:
        return data
    index = random.choice(digits)
    return (
        data[:index] + random.choice((b"0", b"7", b"-3", b"99999999999999999999", b".", b",", b"")) + data[index + 1 :]
    )


def _value(data: bytes, sources: list[bytes], random: Random) -> bytes:
    """Put another value in a value's place, of JSON or TOML; another token where there is none."""
    from_here = _place(data, random)
    match = _VALUE.search(data, from_here) or _VALUE.search(data)
    if match is None:
        return _token(data, sources, random)
    return data[: match.start(1)] + random.choice(VALUES) + data[match.end(1) :]


def _flip(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    offset = _place(data, random)
    return data[:offset] + bytes((random.randrange(256),)) + data[offset + 1 :]


def _cut(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    first, last = sorted((_place(data, random), _place(data, random)))
    return random.choice((data[:first], data[last:], data[:first] + data[last:]))


def _lines(data: bytes, _sources: list[bytes], random: Random) -> bytes:
    lines = data.split(b"\n")
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    index = random.randrange(4)
    if index == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif index == 1:
        lines.insert(a, lines[b])
    elif index == 2:
        del lines[a : a + random.choice((1, 1, 3))]
    else:
        lines[a] = lines[a] + lines[b]
    return b"\n".join(lines)


def _splice(data: bytes, sources: list[bytes], random: Random) -> bytes:
    source = random.choice(sources)
    a, b = _place(data, random), _place(source, random)
    return data[:a] + source[b : b + random.choice((20, 200, 2000))] + data[a:]


_CHANGES: Final = (
    _token,
    _token,
    _token,
    _number,
    _value,
    _value,
    _flip,
    _cut,
    _lines,
    _lines,
    _splice,
    _pump,
    _swap,
    _swap,
)
