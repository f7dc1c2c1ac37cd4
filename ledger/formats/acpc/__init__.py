"""Logs of the Annual Computer Poker Competition's dealer, and Pluribus' logs: a hand in one line.

`docs/formats/acpc.md` says what is read, what is assumed, and what the lines cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject, TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.acpc import messages, play
from ledger.formats.acpc.play import MESSAGE, STATE, VENUE, WITNESSES, Match, is_message, is_state
from ledger.hand.ending import RemarkNoted
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.cutting import cutter
from ledger.readers.hand import HandBuilder
from ledger.readers.joints import joints, parted
from ledger.readers.lines import Lines
from ledger.readers.reading import Page, in_unit, reject, span, stray
from ledger.table.events import GameBroken, GameStarted, TableEvent, TableOpened
from ledger.vocabulary import Millis

_MATCH: Final = "# name/game/hands/seed "
_NO_STATE: Final = b"MATCH"
"""What stands before the `STATE:` of a message."""
_WITHIN: Final = re.compile(rb"STATE:(?<=[^\nH]STATE:)|# name/(?<=[^\n]# name/)")
_BETWEEN = ("#", "STARTED at ", "FINISHED at ", "SCORE:", "STARTED", "FINISHED")


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a log, what it says of their match, and rejects for the rest.

    A line in which another one begins was cut there: what follows is a log of its own, of another match.
    """
    places, within = [0], []
    if _WITHIN.search(chunk.data):
        within = [at for at in joints(chunk, (STATE, _MATCH), _opens, ()) if not chunk.data.endswith(_NO_STATE, 0, at)]
    for at, part in zip(within, list(parted(chunk, [0, *within]))[1:], strict=True):
        if not isinstance(next(_read(part, People(bytes(32))), None), Reject):
            places.append(at)
    for part in parted(chunk, places):
        yield from _read(part, people)


def _opens(line: str) -> bool:
    """Tell whether a log can begin with this line."""
    return is_state(line) or line.startswith(_MATCH)


def _read(chunk: Chunk, people: People) -> Iterator[Item]:
    lines = Lines(chunk)
    text = lines.text
    match = Match(_stem(chunk.name), guess=_no_limit(text))
    k, count = 0, len(text)
    while k < count:
        line = text[k]
        after = k + 1
        if not line or line.isspace():
            pass
        elif is_state(line):
            yield _hand(chunk, lines, k, after, people, match)
        elif is_message(line):
            after = messages.end(text, k)
            yield _hand(chunk, lines, k, after, people, match)
        elif line.startswith(_BETWEEN):
            while after < count and text[after].startswith(_BETWEEN):
                if text[after].startswith(_MATCH):
                    break
                after += 1
            yield _between(chunk, lines, k, after, people, match)
        else:
            while after < count and not (
                is_state(text[after]) or is_message(text[after]) or text[after].startswith(_BETWEEN)
            ):
                after += 1
            yield stray(chunk, lines, k, after)
        k = after


def _hand(chunk: Chunk, lines: Lines, first: int, after: int, people: People, match: Match) -> Account | Reject:
    """Read one hand; payoffs with fractions make its unit smaller."""
    tell = play.tell if is_state(lines.text[first]) else messages.tell

    def in_exponent(exponent: int | None) -> HandBuilder:
        return tell(Page(lines, first, first, after, people, exponent, chunk.name, chunk.encoding), match)

    try:
        told = in_unit(in_exponent)
    except UnreadableHandError as error:
        return reject(chunk, lines, first, after, error)
    start, length = span(lines, first, after)
    return told.account(chunk.start, start, length)


def _between(chunk: Chunk, lines: Lines, first: int, after: int, people: People, match: Match) -> TableAccount:
    """Read what stands between hands; the line that names the match counts for those that follow."""
    start, length = span(lines, first, after)
    events: list[TableEvent] = []
    places: list[int] = []
    times: dict[int, Millis] = {}
    for k in range(first, after):
        line = lines.text[k]
        event: TableEvent
        if line.startswith(_MATCH):
            _name(match, line)
            event = TableOpened(VENUE, match.name, seats=match.players, witnesses=WITNESSES)
        elif line.startswith(("STARTED", "FINISHED")):
            event = GameStarted() if line[0] == "S" else GameBroken()
            moment = messages.moment(line.rpartition(" ")[2])
            if moment is not None:
                times[len(events)] = moment
        else:
            event = RemarkNoted(people.text(line.strip()))
        events.append(event)
        places += (lines.starts[k] - start, lines.lengths[k])
    return TableAccount(VENUE, match.name, events, places, chunk.start + start, length, times=times)


def _name(match: Match, line: str) -> None:
    """Take the match's name and game from `# name/game/hands/seed NAME holdem.limit.2p.game 1000 0`."""
    words = line[len(_MATCH) :].split()
    if not words:
        return
    match.name = words[0]
    match.no_limit, match.reverse, match.players = None, True, 0
    game = words[1].lower() if len(words) > 1 else ""
    parts = game.split(".")
    if "limit" in parts or "nolimit" in parts:
        match.no_limit = "nolimit" in parts
    for part in parts:
        if len(part) == 2 and part[1] == "p" and part[0] in "23456789":
            match.players = int(part[0])
            match.reverse = "reverse_blinds" in parts


def _no_limit(text: list[str]) -> bool | None:
    """Tell whether raises have amounts in these lines; None if there is no raise."""
    for line in text:
        at = line.find(":r")
        if at < 0:
            at = line.find("cr") if line.startswith("STATE") else -1
        if at >= 0 and (is_state(line) or is_message(line)):
            return line[at + 2 : at + 3].isdecimal()
    return None


def _stem(name: str) -> str:
    """Return the file's name without folders and its last suffix."""
    bare = name.replace("\\", "/").rpartition("/")[2]
    return bare.rpartition(".")[0] or bare or "log"


_LARGE: Final = 6 * 1024 * 1024
_NEAR: Final = 64 * 1024
_last_match: Final = cutter((_MATCH.strip(),), lambda line: line.startswith(_MATCH.strip()))
_last_state: Final = cutter((STATE,), lambda line: line.startswith(STATE))


def sniff(head: bytes) -> int:
    """Return how sure it is that this is such a log: 0 no, 100 certain."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if is_state(bare) or is_message(bare):
            return 95
        if bare and not bare.startswith(("#", "STARTED at ", "SCORE:")):
            return 0
    return 90 if _MATCH.strip().encode() in head else 0


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last match begins; in a match longer than 6 MiB, where its last hand begins.

    A match's first line names its table, so that its hands are best read with it.
    """
    found = _last_match(buffer, encoding)
    if found or len(buffer) < _LARGE:
        return found
    return _last_state(buffer, encoding) or _last_messages(buffer)


def _last_messages(buffer: bytes) -> int:
    """Return where the messages of the last hand begin."""
    behind = len(buffer)
    last, start = "", 0
    while behind > len(buffer) - _NEAR and (at := buffer.rfind(b"\n", 0, behind)) >= 0:
        line = buffer[at + 1 : behind].decode("latin-1")
        if is_message(line):
            number = line.partition(MESSAGE)[2].split(":", 2)[1:2]
            if last and number and number[0] != last:
                return start
            last, start = (number[0] if number else ""), at + 1
        behind = at
    return 0


FORMAT: Final = Format(
    name="acpc",
    title="ACPC and Pluribus logs",
    suffixes=(".log", ".txt"),
    sniff=sniff,
    read=read,
    cut=cut,
    appended=False,
)
