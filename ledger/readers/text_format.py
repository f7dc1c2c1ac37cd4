"""Read formats made of lines: split a chunk into hands, and read each hand on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.hand.ending import LineUnread
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.amounts import MAX_DECIMALS, FinerAmountError
from ledger.readers.copies import restore_copy
from ledger.readers.currencies import SAMPLE_LINES, JoinedText, has_parted_amount, has_unusual_amounts
from ledger.readers.hand import HandBuilder
from ledger.readers.hand_boundaries import build_cutter, split_into_blocks
from ledger.readers.joints import find_joints, split_chunk
from ledger.readers.lines import SourceLines
from ledger.readers.original_text import OriginalPeople, restore_words
from ledger.readers.signatures import (
    NO_HAND,
    build_sniffer,
    describe_other_text,
    ends_hand,
    explain_unread,
    find_room,
    list_head_starts,
)

TEXT_AFTER_HAND: Final = "text behind a hand, and no part of it"
"""Why text after the end of a hand is rejected."""

_NO_MONEY: Final = ("chips", "play")
KNOWN_UNITS: Final = frozenset(("USD", "EUR", "GBP", *_NO_MONEY))
"""The units of most hands. Every reader knows how its room writes them."""

_NO_HEAD_CODES: Final = ("header", "cut-off")

ReadHand: TypeAlias = Callable[["HandLines"], HandBuilder]
"""Reads one hand. `UnreadableHandError` makes the hand a reject."""


@dataclass(slots=True)
class HandLines:
    """The lines of one hand, from `first_line` up to but not including `end_line`.

    A reader lowers `end_line` if the last lines aren't part of the hand.
    """

    lines: SourceLines
    first_line: int
    head_line: int  # the line with the hand's first words, after the preface if there is one
    end_line: int
    people: People
    exponent: int | None  # read amounts in units of 10^-exponent; None = the currency's usual unit
    source: str  # the source's name; hostile
    encoding: str

    @property
    def title(self) -> str:
        """The hand's first words, to the end of their line."""
        return (
            self.lines.text[self.head_line].strip("\ufeff \t\r").removeprefix("\xef\xbb\xbf")
        )  # a byte order mark read as cp1252

    @property
    def second_line(self) -> int:
        """The next line that isn't blank, or `end_line` if there is none."""
        text = self.lines.text
        return next(
            (line_number for line_number in range(self.head_line + 1, self.end_line) if text[line_number].strip()),
            self.end_line,
        )


@dataclass(frozen=True, slots=True)
class TextGrammar:
    """How a format made of lines finds and reads its hands."""

    begins_hand: Callable[[str], bool]
    """Whether a line begins a hand."""
    foreign_heads: tuple[str, ...]
    """The beginnings of other rooms' hands."""
    read_hand: ReadHand
    preface: tuple[str, ...] = ()
    """The beginnings of lines that may come before a hand. The first such line begins with one of the first two."""
    initials: str = ""
    """The first letters of a hand's first line; "" = any."""
    words: tuple[str, ...] = ()
    """Each first line of a hand contains one of these words."""
    find_breaks: Callable[[list[str]], list[int]] | None = None
    """Finds the lines where a hand or other text begins; None = `begins_hand` and `foreign_heads` show it."""
    has_odd_amounts: Callable[[Sequence[str], int], bool] = has_unusual_amounts
    """Whether a hand's first lines contain amounts in a form that the reader doesn't know."""
    units: frozenset[str] = KNOWN_UNITS
    """The currencies that the reader knows in every form."""
    begins_block: Callable[[str], bool] | None = None
    """Whether a line begins a block, for readers that find the ends of hands themselves."""


def build_text_format(
    name: str, title: str, grammar: TextGrammar, words: Sequence[str], *, sniff: Callable[[bytes], int] | None = None
) -> Format:
    """Build the format of a room's text. Each first line of a hand contains one of `words`."""
    return Format(
        name=name,
        title=title,
        suffixes=(".txt",),
        read=partial(read_chunk, replace(grammar, words=tuple(words))),
        sniff=sniff or build_sniffer(grammar.begins_hand, grammar.foreign_heads),
        find_cut=build_cutter(words, grammar.begins_hand),
    )


def read_chunk(grammar: TextGrammar, chunk: Chunk, people: People) -> Iterator[Item]:
    """Return the hands of a chunk, and rejects for the rest. A copied text is first restored."""
    copy = restore_copy(chunk.data, chunk.encoding, chunk.start)
    if copy is None:
        return _read_plain(grammar, chunk, people)
    return map(copy.at_source, _read_plain(grammar, replace(chunk, data=copy.data, start=0), people))


def _read_plain(grammar: TextGrammar, chunk: Chunk, people: People) -> Iterator[Item]:
    for block in split_into_blocks(chunk, grammar.begins_hand, grammar.preface):
        for part in _split_at_joints(grammar, block):
            yield from _read_part(grammar, part, people)


def _split_at_joints(grammar: TextGrammar, chunk: Chunk) -> Iterable[Chunk]:
    """Split a block where hands begin inside lines, because the source was cut off there and continued.

    A text that can't be read as a hand with players is chat, or a name.
    """
    joint_offsets = find_joints(chunk, grammar.words, grammar.begins_hand, grammar.preface)
    if not joint_offsets:
        return (chunk,)
    places = [0]
    for place, part in zip(joint_offsets, list(split_chunk(chunk, [0, *joint_offsets]))[1:], strict=True):
        item = next(_read_part(grammar, part, People(bytes(32))))
        if not isinstance(item, Reject) or item.code not in _NO_HEAD_CODES or b"\n" not in part.data[: item.length]:
            places.append(place)
    return split_chunk(chunk, places)


def _read_part(grammar: TextGrammar, chunk: Chunk, people: People) -> Iterator[Item]:
    lines, begins_block = SourceLines(chunk), grammar.begins_block
    text, begins_hand = lines.text, grammar.begins_hand
    breaks = iter(_list_breaks(grammar, text))
    line_number = end_line = 0
    count = len(text)
    while line_number < count:
        if not text[line_number] or text[line_number].isspace():
            line_number += 1
            continue
        first_line, is_hand = line_number, begins_hand(text[line_number])
        if not is_hand and grammar.preface:
            line_number = _find_head_after_preface(grammar, text, line_number)
            is_hand = line_number != first_line
        if begins_block is not None:
            end_line = count if is_hand else _find_block_end(begins_block, text, line_number)
        while end_line <= line_number:
            end_line = next(breaks, count)
        if is_hand:
            page = HandLines(lines, first_line, line_number, end_line, people, None, chunk.name, chunk.encoding)
            yield read_hand(grammar, chunk, page)
            line_number = page.end_line
        else:
            yield reject_stray(chunk, lines, line_number, end_line)
            line_number = end_line


def _list_breaks(grammar: TextGrammar, text: list[str]) -> list[int]:
    """Return the lines where a hand or other text begins, or [] if the reader finds the ends of hands itself."""
    if grammar.begins_block is not None:
        return []
    return _find_breaks(grammar, text) if grammar.find_breaks is None else grammar.find_breaks(text)


def _find_block_end(begins_block: Callable[[str], bool], text: list[str], first_line: int) -> int:
    """Return the next line that begins a block, or the number of lines."""
    later_lines = range(first_line + 1, len(text))
    return next((line_number for line_number in later_lines if begins_block(text[line_number])), len(text))


def _find_breaks(grammar: TextGrammar, text: list[str]) -> list[int]:
    """Return the lines where a hand begins, of this format or of another room."""
    begins_hand, foreign_begins = grammar.begins_hand, grammar.foreign_heads
    initials, (short_heads, heads) = grammar.initials, list_head_starts(foreign_begins)
    firsts = {*initials, *(head[:1] for head in heads)}
    return [
        line_number
        for line_number, line in enumerate(text)
        if (not initials or line[:1] in firsts or "#" in line)
        and (
            ((not initials or line[:1] in initials) and begins_hand(line))
            or (
                ("#" in line or (line[:4] in short_heads and line.startswith(heads)))
                and ends_hand(line, foreign_begins, grammar.preface)
            )
        )
    ]


def _find_head_after_preface(grammar: TextGrammar, text: list[str], first_line: int) -> int:
    """Return the line of the head after a preface, or `first_line` if no head follows."""
    line_number = first_line
    while line_number < len(text) and (
        not text[line_number] or text[line_number].isspace() or _is_preface(grammar, text[line_number])
    ):
        line_number += 1
    return line_number if line_number < len(text) and grammar.begins_hand(text[line_number]) else first_line


def _is_preface(grammar: TextGrammar, line: str) -> bool:
    return bool(grammar.preface) and line.lstrip("\ufeff \t").startswith(grammar.preface)


def read_hand(grammar: TextGrammar, chunk: Chunk, page: HandLines) -> Account | Reject:
    """Read one hand. If it has unusual amounts, read it again with each amount directly after its sign."""
    text, first_line = page.lines.text, page.first_line
    is_odd_hand = grammar.has_odd_amounts(text, first_line)
    reading = _read_as_written(grammar, chunk, page)
    if not is_odd_hand and reading.currency in grammar.units and not _has_doubtful_amounts(page, reading):
        return reading.account
    joined_reading = _read_joined(grammar, chunk, page)
    better_reading = reading
    if joined_reading is not None and not joined_reading.is_worse_than(reading):
        is_equal = not is_odd_hand and joined_reading.is_as_incomplete_as(reading)
        better_reading = reading if is_equal else joined_reading
    page.end_line = better_reading.after
    return better_reading.account


def _has_doubtful_amounts(page: HandLines, reading: _HandReading) -> bool:
    """Whether lines that may be misread have an amount that isn't directly after its sign."""
    doubtful_lines = reading.unread_lines
    if reading.currency == "play":
        doubtful_lines = range(page.first_line, min(page.end_line, page.first_line + 2 * SAMPLE_LINES))
    return any(has_parted_amount(page.lines.text[line_number]) for line_number in doubtful_lines)


class _HandReading(NamedTuple):
    """The result of reading a hand, with its unread lines and its currency. All lines of a reject are unread."""

    account: Account | Reject
    unread_lines: Sequence[int]
    currency: str
    after: int  # the line after its last line

    def is_as_incomplete_as(self, other_reading: _HandReading) -> bool:
        """Whether both readings have the same currency and the same number of unread lines, which isn't 0."""
        return self.currency == other_reading.currency and len(self.unread_lines) == len(other_reading.unread_lines) > 0

    def is_worse_than(self, other_reading: _HandReading) -> bool:
        """Whether this reading left more lines unread, or lost the currency."""
        lost_currency = self.currency in _NO_MONEY and other_reading.currency not in ("", *_NO_MONEY)
        return (
            isinstance(self.account, Reject)
            or lost_currency
            or len(self.unread_lines) > len(other_reading.unread_lines)
        )


def _read_joined(grammar: TextGrammar, chunk: Chunk, page: HandLines) -> _HandReading | None:
    """Read a hand again with each amount directly after its sign; return None if all amounts are already so."""
    text, people, span = page.lines.text, page.people, slice(page.first_line, page.end_line)
    original_lines = text[span]
    joined = JoinedText(original_lines)
    if joined.lines == original_lines:
        return None
    text[span], page.people = joined.lines, OriginalPeople(people, joined.restore)
    reading = _read_as_written(grammar, chunk, page)
    text[span], page.people = original_lines, people
    if isinstance(reading.account, Account):
        reading.account.events = [restore_words(event, joined.restore) for event in reading.account.events]
    return reading


def _read_as_written(grammar: TextGrammar, chunk: Chunk, page: HandLines) -> _HandReading:
    """Read one hand without changing its text."""
    lines, first_line, end_line = page.lines, page.first_line, page.end_line

    def read_with_exponent(exponent: int | None) -> HandBuilder:
        page.exponent = exponent
        return grammar.read_hand(page)

    try:
        if grammar.begins_block is None:
            lines.refuse_long(first_line, end_line)
        builder = read_in_unit(read_with_exponent)
    except UnreadableHandError as error:
        return _HandReading(
            reject_lines(chunk, lines, first_line, page.end_line, error),
            range(first_line, page.end_line),
            "",
            page.end_line,
        )
    if lines.nul and "\0" in "".join(
        lines.text[_find_head_after_preface(grammar, lines.text, first_line) : page.end_line]
    ):
        torn = UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        return _HandReading(
            reject_lines(chunk, lines, first_line, page.end_line, torn),
            range(first_line, page.end_line),
            "",
            page.end_line,
        )
    start, length = find_span(lines, first_line, page.end_line)
    unread_lines: Sequence[int] = ()
    if builder.unread_count:
        unread_lines = [
            mark for event, mark in zip(builder.events, builder.event_places, strict=True) if type(event) is LineUnread
        ]
    return _HandReading(
        builder.build_account(chunk.start, start, length), unread_lines, builder.game.unit, page.end_line
    )


def read_in_unit(read_with_exponent: Callable[[int | None], HandBuilder]) -> HandBuilder:
    """Read a hand in the unit that its finest amount needs.

    `read_with_exponent` gets the exponent, first None for the currency's usual unit.
    """
    exponent: int | None = None
    while True:
        try:
            return read_with_exponent(exponent)
        except FinerAmountError as finer:
            if finer.digits > MAX_DECIMALS or finer.digits <= (exponent or 0):
                raise UnreadableHandError(
                    f"an amount has {finer.digits} decimals; {MAX_DECIMALS} are the most", kind="amount"
                ) from None
            exponent = finer.digits


def find_span(lines: SourceLines, first_line: int, end_line: int) -> tuple[int, int]:
    """Return first byte and length of these lines, without blank lines at the end."""
    text, last_line = lines.text, end_line - 1
    while last_line > first_line and (not text[last_line] or text[last_line].isspace()):
        last_line -= 1
    start, end = lines.starts[first_line], lines.starts[last_line] + lines.lengths[last_line]
    return start, min(lines.size, end) - start


def reject_lines(
    chunk: Chunk, lines: SourceLines, first_line: int, end_line: int, error: UnreadableHandError
) -> Reject:
    """Return the reject of these lines."""
    start, length = find_span(lines, first_line, end_line)
    return Reject(chunk.start + start, length, chunk.line_at(start), error.kind, error.reason, error.hint)


def reject_stray(chunk: Chunk, lines: SourceLines, first_line: int, end_line: int) -> Reject:
    """Return the reject of lines that don't begin a hand of this format, with the likely reason."""
    line = lines.text[first_line].lstrip("\ufeff \t")
    room_name, description, (reason, hint) = find_room(line), describe_other_text(line), explain_unread(line)
    if description:
        error = UnreadableHandError(f"{description}, no hand", kind="not-a-hand", hint=NO_HAND)
    elif reason:
        error = UnreadableHandError(reason, kind="other-room", hint=hint)
    elif room_name:
        error = UnreadableHandError(
            f"a hand in the text of {room_name}, which is another format",
            kind="other-room",
            hint="Import the hands of each room as files of their own.",
        )
    elif any(next_line.startswith("*** ") for next_line in lines.text[first_line:end_line]):
        error = UnreadableHandError(
            "part of a hand without its first lines",
            kind="no-header",
            hint="The hand was cut off before this; is the beginning in another file?",
        )
    else:
        error = UnreadableHandError("no hand begins here", kind="not-a-hand")
    return reject_lines(chunk, lines, first_line, end_line, error)
