"""Bovada's text to events: hands are told apart, and each is read line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.bovada import acts, header, summary
from ledger.formats.bovada.hand import Hand
from ledger.formats.bovada.header import Head, begins
from ledger.formats.bovada.seating import Seating, seats
from ledger.formats.bovada.words import BOARD_STREETS, ROOMS, STUD, STUD_HEADINGS, WITNESSES, cards
from ledger.hand.betting import BetReturned
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.opening import HandOpened, OptionSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.lines import Lines
from ledger.readers.reading import Grammar, Page, hand, stray
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
        raise UnreadableHandError(
            "the hand breaks off before its list of seats",
            kind="cut-off",
            hint="No player is named: nothing can be said about this hand.",
        )
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
    told.seat(seating)
    witnesses = WITNESSES
    end = _body(told, after)
    if stakes:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if told.rake_told:
        witnesses |= int(Witness.DROP)
    if any(isinstance(told.events[index], BetReturned) for index in told.derived):
        witnesses &= ~int(Witness.RETURNED_BETS)
    witnesses |= int(Witness.ALL_CARDS if told.all_cards else Witness.OWN_CARDS)
    told.at = page.first
    told.open(HandOpened(head.room, head.table, head.number, witnesses, head.started, head.written, 0, head.tournament))
    if end >= 0:
        told.at = end
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


def _body(told: Hand, k: int) -> int:
    """Read the lines behind the seats; return that of the summary's heading, -1 if there is none."""
    text, after = told.lines.text, told.after
    seats = told.known
    while k < after:
        line = text[k]
        told.at = k
        who, colon, rest = line.partition(" : ")
        if colon:
            seat = seats.get(who)
            if seat is None:
                seat = told.find(who)
            if seat is None or not acts.act(told, seat, rest):
                told.unread(line)
        elif line[:4] == "*** ":
            if line.startswith("*** SUMMARY"):
                told.close()
                summary.read(told, k + 1)
                return k
            _street(told, line)
        elif line and not line.isspace() and not acts.bare(told, line.strip()):
            told.unread(line)
        k += 1
    told.close()
    return -1


def _street(told: Hand, line: str) -> None:
    bare = line.strip()
    stud = told.head.variant in STUD
    if bare == "*** HOLE CARDS ***" or (stud and bare == "*** 3RD STREET ***"):
        told.dealing = True
        return
    if stud and bare in STUD_HEADINGS:
        return
    street = BOARD_STREETS.get(bare[: bare.find(" ***") + 4])
    new = cards(bare.rpartition("[")[2].rstrip("]"))
    if street is None or not new:
        told.unread(line)
        return
    told.dealt()
    told.board(street, new)


_GRAMMAR: Final = Grammar(begins, _FOREIGN, tell)
