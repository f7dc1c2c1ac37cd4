"""PokerStars' text to events: hands are told apart, and each is read line by line.

The most frequent lines are read here, with string methods alone; `acts`, `others`, `streets` and
`summary` know the rest. What fails in one hand stays in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars import acts, header, seating, streets, summary
from ledger.formats.pokerstars.cutting import blocks, is_rule
from ledger.formats.pokerstars.dialect import Dialect
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.languages import LOCAL_HEADS
from ledger.formats.pokerstars.others import other
from ledger.formats.pokerstars.seating import Seating
from ledger.formats.pokerstars.translating import is_local, put_in_english
from ledger.formats.pokerstars.words import HEADS, WITNESSES
from ledger.hand.betting import BetReturned
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import AntePosted, ButtonPlaced, HandOpened
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.amounts import FinerAmountError
from ledger.readers.hand import nobody
from ledger.readers.lines import LINE_MOST, LINES_MOST, Lines, too_long
from ledger.readers.reading import reject, span, stray
from ledger.readers.signatures import others
from ledger.vocabulary import Chips, Witness

SUMMARY: Final = "PokerStars Tournament #"
"""How a tournament's summary begins, which is no hand; `HEADS` break lines at it."""

POKERSTARS: Final = Dialect(
    name="pokerstars",
    begins=header.begins,
    head=header.head,
    setup=header.setup,
    foreign=(*others("PokerStars"), SUMMARY),
    breaks=(*HEADS, *LOCAL_HEADS, *others("PokerStars"), "\ufeff", " ", "\t", "*****"),
    witnesses=WITNESSES,
)
_OWN_CARDS = int(Witness.OWN_CARDS)
_RETURNED = int(Witness.RETURNED_BETS)


def read(chunk: Chunk, people: People, dialect: Dialect = POKERSTARS) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    seatings = Seating(people)
    for block in blocks(chunk, dialect.begins):
        yield from _read_block(block, seatings, dialect)


def _read_block(chunk: Chunk, seatings: Seating, dialect: Dialect) -> Iterator[Item]:
    lines = Lines(chunk)
    text = lines.text
    k, count = 0, len(text)
    while k < count:
        line = text[k]
        if not line or line.isspace():
            k += 1
            continue
        start = k
        if is_rule(line):
            k = _after_blanks(text, k + 1)
        if k < count and dialect.begins(text[k]):
            k, item = _hand(chunk, lines, start, k, seatings, dialect)
            yield item
        else:
            k = _next_head(text, start + 1, dialect)
            yield stray(chunk, lines, start, k)


def _after_blanks(text: list[str], k: int) -> int:
    while k < len(text) and not text[k].strip():
        k += 1
    return k


def _next_head(text: list[str], k: int, dialect: Dialect) -> int:
    """Return the next line at which a hand of any room begins."""
    while k < len(text):
        line = text[k]
        if line and (dialect.begins(line) or line.startswith(dialect.foreign) or is_rule(line)):
            return k
        k += 1
    return k


def _hand(
    chunk: Chunk, lines: Lines, start: int, k: int, seatings: Seating, dialect: Dialect
) -> tuple[int, Account | Reject]:
    """Read the hand whose header is line `k`; return the line after it and what it became."""
    if lines.text[k][:1] in " \t>":
        _take_indent(lines, k)
    exponent: int | None = None
    try:
        if lines.longest > LINE_MOST:
            lines.refuse_long(k, _next_head(lines.text, k + 1, dialect))
        if dialect.begins is header.begins and is_local(lines.text[k].lstrip("\ufeff")):
            put_in_english(lines, k)
        while True:
            try:
                hand, after, found = _try(lines, start, k, seatings, dialect, exponent)
                break
            except FinerAmountError as finer:
                if finer.digits > amounts.FINEST or finer.digits <= (exponent or 0):
                    raise UnreadableHandError(
                        f"an amount has {finer.digits} decimals; {amounts.FINEST} are the most", kind="amount"
                    ) from None
                exponent = finer.digits
    except UnreadableHandError as error:
        after = _next_head(lines.text, k + 1, dialect)
        return after, reject(chunk, lines, start, after, error)
    first, length = span(lines, start, after)
    return after, Account(found, hand.places(), chunk.start + first, length, hand.derived)  # type: ignore[arg-type]  # only hand events are put down


def _take_indent(lines: Lines, k: int) -> None:
    """Take away the blank or the quotation mark that some archives put before each line of a hand."""
    first = lines.text[k][:2] if lines.text[k].startswith("> ") else lines.text[k][:1]
    wide = 2 if lines.lengths[k] >= 2 * len(lines.text[k]) else 1
    quoted, head = first[0] == ">", k
    while k < len(lines.text):
        line = lines.text[k]
        gone = len(first) if line.startswith(first) else int(line[:1] == first[0])
        if (line and not gone and line[:1] not in " \t") or (quoted and not gone):
            return
        if quoted and k > head and header.begins(line):
            return
        gone = gone or int(bool(line))
        lines.text[k] = line[gone:]
        if k > head or not quoted:  # the mark before the first line belongs to the hand
            lines.starts[k] += gone * wide
            lines.lengths[k] -= gone * wide
        k += 1


def _try(
    lines: Lines, start: int, k: int, seatings: Seating, dialect: Dialect, exponent: int | None
) -> tuple[Hand, int, list[object]]:
    """Read a hand in units of 10^-exponent; None = as its currency has it."""
    text = lines.text
    head = dialect.head(text[k])
    at = _after_blanks(text, k + 1)
    table = header.table(text[at].strip()) if at < len(text) else None
    if table is None:
        raise UnreadableHandError(
            "the hand breaks off behind its first line",
            kind="cut-off",
            hint="The line that names the table is missing or damaged.",
        )
    setup = dialect.setup(head, exponent=exponent, play=table.play)
    hand = Hand(lines, lines.starts[start], seatings.people, head.room, setup.game, dialect)
    put = hand.put
    put(setup.game, k)  # HandOpened takes this place when it is known what the hand witnesses
    for event in setup.events:
        put(event, k)
    first = len(hand.events)
    after = seatings.read(hand, at + 1)
    if not hand.chairs:
        raise nobody()
    if hand.early:
        _read_early(hand, first)
    if table.button is not None:
        put(ButtonPlaced(table.button), at)
    after, total = _body(hand, after)
    if lines.nul and "\0" in "".join(text[start:after]):
        raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
    _finish(hand, total)
    witnesses = dialect.witnesses
    if hand.own:
        witnesses |= _OWN_CARDS
    if any(isinstance(hand.events[at], BetReturned) for at in hand.derived):
        witnesses &= ~_RETURNED
    name = table.name.removeprefix(setup.tournament + " ") if setup.tournament else table.name
    hand.events[0] = HandOpened(
        head.room,
        name,
        head.number,
        witnesses,
        header.moment(head.written),
        head.written,
        table.seats,
        setup.tournament,
        setup.club,
    )
    return hand, after, hand.events  # type: ignore[return-value]  # a list is invariant


def _read_early(hand: Hand, first: int) -> None:
    """Read what stands before the seats, now that their names are known, and tell it first."""
    seated = len(hand.events)
    for k in hand.early:
        other(hand, hand.lines.text[k], k)
    if len(hand.events) > seated:
        hand.move(seated, first)


def _body(hand: Hand, k: int) -> tuple[int, Chips | None]:
    """Read from behind the seat list to the hand's end."""
    text, seats, known = hand.lines.text, hand.seats, hand.known
    breaks, foreign, begins = hand.dialect.breaks, hand.dialect.foreign, hand.dialect.begins
    put, mark = hand.events.append, hand.marks.append
    count = min(len(text), k + LINES_MOST)
    while k < count:
        line = text[k]
        name, colon, rest = line.rpartition(": ")
        if (seat := seats.get(name)) is not None and colon:
            told = known.get(rest)
            if told is not None:
                make, events, amount, all_in = told
                put(make(hand, seat, amount, all_in) if make else events[seat])
                mark(k)
                k += 1
            elif acts.act(hand, seat, rest, k):
                k += 1
            else:
                # A name may end in the middle of another one: `a` in `a: b leaves the table`.
                k = other(hand, line, k)
        elif line[:4] == "*** ":
            if line[4:11] == "SUMMARY":
                hand.summary = k
                return summary.read(hand, k + 1)
            k = streets.heading(hand, line, k)
        elif not line or line.isspace():
            k += 1
            count = min(len(text), count + 1)  # only lines with something on them count
        elif line.startswith(breaks) and (begins(line) or line.startswith(foreign) or is_rule(line)):
            return k, None
        else:
            k = other(hand, line, k)
    if k < len(text):
        raise too_long(LINES_MOST + 1)
    return k, None


def _finish(hand: Hand, total: Chips | None) -> None:
    """Do what only the whole hand can tell."""
    if hand.left_out:
        seating.settle(hand)
    if len(hand.antes) == 1 and len(hand.seats) > 1:
        _ante_for_all(hand)
    if hand.summary >= 0:
        hand.close_bets()
        if hand.pending:
            hand.return_bets(total, _put_in(hand))
        if hand.dialect.finish is not None:
            hand.dialect.finish(hand)
        hand.put(HandCompleted(), hand.summary)


def _ante_for_all(hand: Hand) -> None:
    """One ante among several players, of the big blind: it is paid for the table."""
    index = hand.antes[0]
    ante = hand.events[index]
    if isinstance(ante, AntePosted) and ante.seat == hand.big:
        hand.events[index] = AntePosted(ante.seat, ante.amount, True, all_in=ante.all_in)


def _put_in(hand: Hand) -> Chips:
    """Return the chips that went in, less the returned bets that the source prints."""
    total = 0
    for event in hand.events:
        for name, sign in _CHIPS.get(type(event).__name__, ()):
            total += sign * getattr(event, name)
    return total


_CHIPS = {
    "BlindPosted": (("live", 1), ("dead", 1)),
    "StraddlePosted": (("amount", 1),),
    "AntePosted": (("amount", 1),),
    "BringInPosted": (("amount", 1),),
    "Called": (("added", 1),),
    "Bet": (("added", 1),),
    "Raised": (("added", 1),),
    "Completed": (("added", 1),),
    "BetReturned": (("amount", -1),),
    "PotSeeded": (("amount", 1),),
}
