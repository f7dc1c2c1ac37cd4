"""Bovada's text, and that of Bodog and Ignition: positions instead of names, all hole cards known.

`docs/formats/bovada.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.formats.bovada import header
from ledger.formats.bovada.header import Head, begins
from ledger.formats.bovada.lines import Hand
from ledger.formats.bovada.seating import Seating, seats
from ledger.formats.bovada.words import ROOMS, WITNESSES
from ledger.hand.betting import BetReturned
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.opening import HandOpened, OptionSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.cutting import cutter
from ledger.readers.lines import Lines
from ledger.readers.reading import Grammar, Page, hand, stray
from ledger.readers.room import nobody
from ledger.readers.signatures import others
from ledger.vocabulary import Chips, Witness

_FOREIGN: Final = others(*(room + " Hand #" for room in ROOMS))
_FIRSTS: Final = frozenset(one[0] for one in (*_FOREIGN, *ROOMS, "\ufeff", " ", "\t", "*"))
_EMBEDDED: Final = re.compile("(?:" + "|".join(map(re.escape, ROOMS)) + r")[.\w]{0,8} Hand #\d")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    lines = Lines(chunk)
    _part(lines, chunk.encoding)
    text = lines.text
    k, count = 0, len(text)
    while k < count:
        if not text[k] or text[k].isspace():
            k += 1
            continue
        after = _end(text, k)
        if begins(text[k]):
            page = Page(lines, k, after, people, None, chunk.name, chunk.encoding)
            yield hand(_GRAMMAR, chunk, page)
        else:
            yield stray(chunk, lines, k, after)
        k = after


def _part(lines: Lines, encoding: str) -> None:
    """Part lines in which another hand begins: the room's files break off and go on so."""
    within = [k for k, line in enumerate(lines.text) if " Hand #" in line and not begins(line)]
    if not within:
        return
    width = 2 if encoding.startswith("utf-16") else 1
    text: list[str] = []
    starts: list[int] = []
    lengths: list[int] = []
    behind = 0
    for k in within:
        line, start, length = lines.text[k], lines.starts[k], lines.lengths[k]
        found = _EMBEDDED.search(line, 1)
        if found is None:
            continue
        before = line[: found.start()]
        size = len(before) * width
        if width == 1 and encoding != "cp1252":
            size = len(before.encode("utf-8", "replace"))
        if size <= length:
            text += (*lines.text[behind:k], before, line[found.start() :])
            starts += (*lines.starts[behind:k], start, start + size)
            lengths += (*lines.lengths[behind:k], size, length - size)
            behind = k + 1
    lines.text = text + lines.text[behind:]
    lines.starts = starts + lines.starts[behind:]
    lines.lengths = lengths + lines.lengths[behind:]


def _end(text: list[str], k: int) -> int:
    """Return the line behind the hand that begins in line `k`.

    It ends where another begins, and where another goes on whose beginning is lost.
    """
    over = False
    after = k + 1
    while after < len(text):
        line = text[after]
        first = line[:1]
        if first in _FIRSTS:
            if " Hand #" in line and begins(line):
                break
            if line.startswith(_FOREIGN):
                break
            if first == "*" and line.startswith("*** SUMMARY"):
                over = True
        if over and " in chips)" in line and " (" in line:
            break
        after += 1
    return after


def tell(page: Page) -> Hand:
    """Read one hand. What is damaged raises `UnreadableHandError`."""
    text = page.lines.text
    head = header.head(text[page.first])
    seating, after = seats(text, page.first + 1, page.after)
    if not seating.chairs:
        raise nobody()
    unit = "chips" if head.tournament else seating.unit
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if unit == "chips" else 2
    stakes = _stakes(head, seating, page.source, exponent)
    game = header.game_set(head, unit, exponent, stakes)
    told = Hand(page, head, game)
    told.put(game)
    if head.betting is None:
        told.derived.append(1)
    if head.tournament:
        told.put(header.tournament_set(head, seating.info))
    if head.table.startswith("Zone"):
        told.put(OptionSet("other", "zoom"))
    for k in seating.remarks:
        told.at = k
        told.put(RemarkNoted(page.people.text(text[k].strip())))
    told.look(after)
    told.take_seats(seating)
    witnesses = WITNESSES
    told.body(after, page.after)
    if told.last_summary:
        told.at = next(k for k in range(page.after - 1, 0, -1) if text[k].strip())
        told.settle()
    else:
        told.close()
    if stakes:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if told.rake_told:
        witnesses |= int(Witness.DROP)
    if any(isinstance(told.events[index], BetReturned) for index in told.derived):
        witnesses &= ~int(Witness.RETURNED_BETS)
    witnesses |= int(Witness.ALL_CARDS if told.all_cards else Witness.OWN_CARDS)
    told.at = page.first
    told.open(HandOpened(head.room, head.table, head.number, witnesses, head.started, head.written, 0, head.tournament))
    if told.last_summary:
        told.at = told.last_summary
        told.put(HandCompleted())
    return told


def _stakes(head: Head, seating: Seating, source: str, exponent: int) -> tuple[Chips, ...]:
    """Return the blinds and the ante of the structure, as far as level, table or file name tell them."""
    told = head.blinds
    if not told and seating.info:
        told = tuple(seating.info.partition("Stakes: ")[2].partition(",")[0].strip().split("-"))
    if not told and not head.tournament and head.betting != "limit":
        # HH20190414-214525 - 9000043 - RING - $0.10-$0.25 - HOLDEM - NL - TBL No.90000018.txt
        named = source.split(" - ")
        at = next((k for k, word in enumerate(named) if word in ("RING", "ZONE")), -1)
        told = tuple(named[at + 1].split("-")) if 0 <= at < len(named) - 1 else ()
    found = [amount for word in told if (amount := amounts.maybe(word, exponent))]
    return tuple(found) if len(found) == len(told) and 2 <= len(found) <= 3 else ()


_GRAMMAR: Final = Grammar(begins, _FOREIGN, tell)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Bovada's text: 0 no, 100 certain."""
    sure = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if begins(bare):
            return 95
        if bare.startswith(_FOREIGN):
            return 0
        if " : Card dealt to a spot [" in bare:
            sure = 30
    return sure


FORMAT: Final = Format(
    name="bovada",
    title="Bovada, Bodog and Ignition text",
    suffixes=(".txt",),
    sniff=sniff,
    read=read,
    cut=cutter((" Hand #",), begins),
)
