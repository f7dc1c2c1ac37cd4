"""Line by line formats: a chunk is cut into hands, each is read by itself, what fails stays in it."""

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
from ledger.readers.amounts import FINEST, FinerAmountError
from ledger.readers.copies import written_first
from ledger.readers.currencies import SHOWN, JoinedText, is_odd, is_parted
from ledger.readers.cutting import blocks, cutter
from ledger.readers.hand import HandBuilder
from ledger.readers.joints import joints, parted
from ledger.readers.lines import Lines
from ledger.readers.original_text import OriginalPeople, restored
from ledger.readers.signatures import NO_HAND, ends_at, no_hand, room, sniffer, starts, unknown

BEHIND: Final = "text behind a hand, and no part of it"
"""Why what stands behind a hand that ends before it is rejected."""

_NO_MONEY: Final = ("chips", "play")
PLAIN: Final = frozenset(("USD", "EUR", "GBP", *_NO_MONEY))
"""What most hands are played for: every reader knows how its room writes them."""

_NO_HEAD: Final = ("header", "cut-off")

Tell: TypeAlias = Callable[["Page"], HandBuilder]
"""Reads one hand. Bad input raises `UnreadableHandError`: the hand becomes a reject."""


@dataclass(slots=True)
class Page:
    """The lines of one hand: those from `first` up to `after`, which is not among them.

    Its reader puts `after` before lines that are no part of it.
    """

    lines: Lines
    first: int
    head: int  # the line with the hand's first words: the first one, or one behind a preface
    after: int
    people: People
    exponent: int | None  # read amounts in units of 10^-exponent; None = as the currency has it
    source: str  # the source's name; hostile
    encoding: str

    @property
    def title(self) -> str:
        """The hand's first words, to the end of their line."""
        return self.lines.text[self.head].strip("\ufeff \t\r").removeprefix("\xef\xbb\xbf")  # a mark read as cp1252

    @property
    def second(self) -> int:
        """The next line that is not blank, `after` where there is none."""
        text = self.lines.text
        return next((k for k in range(self.head + 1, self.after) if text[k].strip()), self.after)


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a line by line format tells hands apart, and how it reads one."""

    begins: Callable[[str], bool]  # a hand begins with this line
    ends: tuple[str, ...]  # beginnings of lines with which a hand of another room begins
    tell: Tell
    preface: tuple[str, ...] = ()  # beginnings of lines that may stand before a hand; one of the first two is the first
    initials: str = ""  # with what a line that `begins` a hand can begin at all; "" = with anything
    words: tuple[str, ...] = ()  # one of them stands in each line that `begins` a hand
    breaks: Callable[[list[str]], list[int]] | None = None  # the lines at which something begins, if more tell that
    odd: Callable[[Sequence[str], int], bool] = is_odd  # its first lines show amounts that the reader does not know
    units: frozenset[str] = PLAIN  # currencies that the reader knows however they are written
    stops: Callable[[str], bool] | None = None  # something begins with this line; `tell` ends its hands by itself


def text_format(
    name: str, title: str, grammar: Grammar, words: Sequence[str], *, sniff: Callable[[bytes], int] | None = None
) -> Format:
    """Return the format of a room's text; one of `words` stands in each first line of a hand."""
    return Format(
        name=name,
        title=title,
        suffixes=(".txt",),
        read=partial(read, replace(grammar, words=tuple(words))),
        sniff=sniff or sniffer(grammar.begins, grammar.ends),
        cut=cutter(words, grammar.begins),
    )


def read(grammar: Grammar, chunk: Chunk, people: People) -> Iterator[Item]:
    """Return the hands of a chunk and, for what is none, rejects; of a copied text as it was written first."""
    copy = written_first(chunk.data, chunk.encoding, chunk.start)
    if copy is None:
        return _read_plain(grammar, chunk, people)
    return map(copy.at_source, _read_plain(grammar, replace(chunk, data=copy.data, start=0), people))


def _read_plain(grammar: Grammar, chunk: Chunk, people: People) -> Iterator[Item]:
    for block in blocks(chunk, grammar.begins, grammar.preface):
        for part in _parts(grammar, block):
            yield from _read(grammar, part, people)


def _parts(grammar: Grammar, chunk: Chunk) -> Iterable[Chunk]:
    """Part a block where hands begin in the middle of lines: a source may have been cut there, and go on.

    A text that reads so and cannot be told as a hand with players is talk, or a name.
    """
    found = joints(chunk, grammar.words, grammar.begins, grammar.preface)
    if not found:
        return (chunk,)
    places = [0]
    for place, part in zip(found, list(parted(chunk, [0, *found]))[1:], strict=True):
        item = next(_read(grammar, part, People(bytes(32))))
        if not isinstance(item, Reject) or item.code not in _NO_HEAD or b"\n" not in part.data[: item.length]:
            places.append(place)
    return parted(chunk, places)


def _read(grammar: Grammar, chunk: Chunk, people: People) -> Iterator[Item]:
    lines, stops = Lines(chunk), grammar.stops
    text, begins = lines.text, grammar.begins
    breaks = iter(
        () if stops is not None else grammar.breaks(text) if grammar.breaks is not None else _breaks(grammar, text)
    )
    k = after = 0
    count = len(text)
    while k < count:
        if not text[k] or text[k].isspace():
            k += 1
            continue
        first, mine = k, begins(text[k])
        if not mine and grammar.preface:
            k = _behind_preface(grammar, text, k)
            mine = k != first
        if stops is not None:
            after = count if mine else next((at for at in range(k + 1, count) if stops(text[at])), count)
        while after <= k:
            after = next(breaks, count)
        if mine:
            page = Page(lines, first, k, after, people, None, chunk.name, chunk.encoding)
            yield hand(grammar, chunk, page)
            k = page.after
        else:
            yield stray(chunk, lines, k, after)
            k = after


def _breaks(grammar: Grammar, text: list[str]) -> list[int]:
    """Return the lines at which something begins: a hand of this format or of another room."""
    begins, ends = grammar.begins, grammar.ends
    initials, (short, heads) = grammar.initials, starts(ends)
    firsts = {*initials, *(head[:1] for head in heads)}
    return [
        k
        for k, line in enumerate(text)
        if (not initials or line[:1] in firsts or "#" in line)
        and (
            ((not initials or line[:1] in initials) and begins(line))
            or (
                ("#" in line or (line[:4] in short and line.startswith(heads))) and ends_at(line, ends, grammar.preface)
            )
        )
    ]


def _behind_preface(grammar: Grammar, text: list[str], k: int) -> int:
    """Return the line of the head behind a preface; `k` itself where no preface leads to a head."""
    at = k
    while at < len(text) and (not text[at] or text[at].isspace() or _is_preface(grammar, text[at])):
        at += 1
    return at if at < len(text) and grammar.begins(text[at]) else k


def _is_preface(grammar: Grammar, line: str) -> bool:
    return bool(grammar.preface) and line.lstrip("\ufeff \t").startswith(grammar.preface)


def hand(grammar: Grammar, chunk: Chunk, page: Page) -> Account | Reject:
    """Read one hand; where its amounts are not written as the reader knows them, with each right behind its sign."""
    text, first = page.lines.text, page.first
    odd = grammar.odd(text, first)
    read = _hand(grammar, chunk, page)
    doubted = range(first, min(page.after, first + 2 * SHOWN)) if read.unit == "play" else read.unread
    if not odd and read.unit in grammar.units and not (doubted and any(is_parted(text[k]) for k in doubted)):
        return read.told
    again = _joined(grammar, chunk, page)
    same = again is not None and not odd and again.unit == read.unit and len(again.unread) == len(read.unread) > 0
    best = read if again is None or same or again.says_less_than(read) else again
    page.after = best.after
    return best.told


class _Read(NamedTuple):
    """A hand that was read: the lines that nobody knows, and what is played for; all lines are unread of a reject."""

    told: Account | Reject
    unread: Sequence[int]
    unit: str
    after: int  # the line behind its last one

    def says_less_than(self, other: _Read) -> bool:
        """Whether more lines are unread, or the currency is lost."""
        lost = self.unit in _NO_MONEY and other.unit not in ("", *_NO_MONEY)
        return isinstance(self.told, Reject) or lost or len(self.unread) > len(other.unread)


def _joined(grammar: Grammar, chunk: Chunk, page: Page) -> _Read | None:
    """Read a hand again with each amount right behind its sign; None where all stand so."""
    text, people, span = page.lines.text, page.people, slice(page.first, page.after)
    written = text[span]
    joined = JoinedText(written)
    if joined.lines == written:
        return None
    text[span], page.people = joined.lines, OriginalPeople(people, joined.restore)
    read = _hand(grammar, chunk, page)
    text[span], page.people = written, people
    if isinstance(read.told, Account):
        read.told.events = [restored(event, joined.restore) for event in read.told.events]
    return read


def _hand(grammar: Grammar, chunk: Chunk, page: Page) -> _Read:
    """Read one hand as it is written."""
    lines, first, after = page.lines, page.first, page.after

    def tell(exponent: int | None) -> HandBuilder:
        page.exponent = exponent
        return grammar.tell(page)

    try:
        if grammar.stops is None:
            lines.refuse_long(first, after)
        told = in_unit(tell)
    except UnreadableHandError as error:
        return _Read(reject(chunk, lines, first, page.after, error), range(first, page.after), "", page.after)
    if lines.nul and "\0" in "".join(lines.text[_behind_preface(grammar, lines.text, first) : page.after]):
        torn = UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        return _Read(reject(chunk, lines, first, page.after, torn), range(first, page.after), "", page.after)
    start, length = span(lines, first, page.after)
    unread: Sequence[int] = ()
    if told.unread_parts:
        unread = [mark for event, mark in zip(told.events, told.marks, strict=True) if type(event) is LineUnread]
    return _Read(told.account(chunk.start, start, length), unread, told.game.unit, page.after)


def in_unit(tell: Callable[[int | None], HandBuilder]) -> HandBuilder:
    """Read a hand in the unit that its finest amount needs; `tell` is given the exponent.

    It is None first: as the currency has it.
    """
    exponent: int | None = None
    while True:
        try:
            return tell(exponent)
        except FinerAmountError as finer:
            if finer.digits > FINEST or finer.digits <= (exponent or 0):
                raise UnreadableHandError(
                    f"an amount has {finer.digits} decimals; {FINEST} are the most", kind="amount"
                ) from None
            exponent = finer.digits


def span(lines: Lines, first: int, after: int) -> tuple[int, int]:
    """Return first byte and length of these lines, blank ones at the end left out."""
    text, last = lines.text, after - 1
    while last > first and (not text[last] or text[last].isspace()):
        last -= 1
    start, end = lines.starts[first], lines.starts[last] + lines.lengths[last]
    return start, min(lines.size, end) - start


def reject(chunk: Chunk, lines: Lines, first: int, after: int, error: UnreadableHandError) -> Reject:
    """Return the reject of these lines."""
    start, length = span(lines, first, after)
    return Reject(chunk.start + start, length, chunk.line_at(start), error.kind, error.reason, error.hint)


def stray(chunk: Chunk, lines: Lines, first: int, after: int) -> Reject:
    """Say what a stretch is that no hand of this format begins."""
    line = lines.text[first].lstrip("\ufeff \t")
    whose, what, (reason, hint) = room(line), no_hand(line), unknown(line)
    if what:
        error = UnreadableHandError(f"{what}, no hand", kind="not-a-hand", hint=NO_HAND)
    elif reason:
        error = UnreadableHandError(reason, kind="other-room", hint=hint)
    elif whose:
        error = UnreadableHandError(
            f"a hand in the text of {whose}, which is another format",
            kind="other-room",
            hint="Import the hands of each room as files of their own.",
        )
    elif any(one.startswith("*** ") for one in lines.text[first:after]):
        error = UnreadableHandError(
            "part of a hand without its first lines",
            kind="no-header",
            hint="The hand was cut off before this; is the beginning in another file?",
        )
    else:
        error = UnreadableHandError("no hand begins here", kind="not-a-hand")
    return reject(chunk, lines, first, after, error)
