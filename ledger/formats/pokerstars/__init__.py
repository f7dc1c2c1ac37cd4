"""PokerStars' text: what trackers, solvers and replayers read, and most converters imitate.

`docs/formats/pokerstars.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars import header
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.header import NUMBERED, begins, is_local, is_rule
from ledger.formats.pokerstars.relabelled import VENUE, tell_mucks, true_room
from ledger.formats.pokerstars.writing import SAYS, write
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.notation import Format
from ledger.readers.currencies import is_odd_text
from ledger.readers.cutting import cutter
from ledger.readers.incomplete import no_second
from ledger.readers.lines import LINE_MOST, Lines
from ledger.readers.reading import PLAIN, Grammar, Page, read
from ledger.readers.signatures import another, others

_BEFORE: Final = frozenset(("", "*", "\ufeff", " ", "\t"))
"""With what a line begins that may stand before a hand's first line."""


def grammar(kind: type[Hand], heads: tuple[str, ...], words: tuple[str, ...], *units: str) -> Grammar:
    """Return the grammar of a room that writes as PokerStars does.

    Its hands begin with one of `heads`; one of `words` stands in each first line. `units`: its own currencies.
    """
    return Grammar(
        kind.begins,
        others(*heads),
        partial(tell, kind),
        preface=("*****", NUMBERED),
        stops=kind.stops_at,
        words=words,
        odd=_odd,
        units=PLAIN | {*units},
    )


def _odd(lines: Sequence[str], first: int) -> bool:
    """Return whether amounts are written otherwise than in the room's English; other languages have a reader."""
    return is_odd_text(lines[first]) and not is_local(lines[first].lstrip("\ufeff"))


def tell(kind: type[Hand], page: Page) -> Hand:
    """Read one hand; it ends before the first line that is no part of it."""
    text, top = page.lines.text, page.first
    while (text[top][:1] in _BEFORE or is_rule(text[top])) and not kind.begins(text[top]):
        top += 1  # behind a rule
    try:
        if page.lines.longest > LINE_MOST:
            page.lines.refuse_long(top, _next_stop(kind, page, top))
        hand = _tell(kind, page, top)
    except UnreadableHandError:
        page.after = _next_stop(kind, page, top)
        raise
    page.after = hand.end
    return hand


def _next_stop(kind: type[Hand], page: Page, top: int) -> int:
    return next((k for k in range(top + 1, page.after) if kind.stops_at(page.lines.text[k])), page.after)


def _tell(kind: type[Hand], page: Page, top: int) -> Hand:
    lines, text = page.lines, page.lines.text
    if text[top][0] == " ":
        _take_blanks(lines, top)
    if is_local(text[top].lstrip("\ufeff")):
        kind = _local()
    head = kind.head(text[top])
    at = top + 1
    while at < page.after and not text[at].strip():
        at += 1
    if at < page.after and text[at][:1] == " ":
        _take_blanks(lines, at)  # below a first line without one
    table = kind.table(text[at].strip()) if at < page.after else None
    if table is None:
        raise no_second()
    head, setup = true_room(head, kind.setup(head, page.exponent, table.play), table)
    hand = kind(lines, page.people, head.room, setup.game, top)
    for event in setup.events:
        hand.put(event)
    first = len(hand.events)
    after = hand.seats_from(at + 1, page.after)
    if hand.early:
        hand.tell_early(first)
    if table.button is not None:
        hand.at = at
        hand.put(ButtonPlaced(table.button))
    hand.body(after, page.after)
    if head.room == VENUE:
        tell_mucks(hand)
    hand.finish()
    hand.open(
        HandOpened(
            head.room,
            table.name.removeprefix(setup.tournament + " ") if setup.tournament else table.name,
            head.number,
            hand.witnesses(),
            header.moment(head.written),
            head.written,
            table.seats,
            setup.tournament,
            setup.club,
        )
    )
    return hand


@cache
def _local() -> type[Hand]:
    """Return the reader of hands in other languages, whose many words are taken apart when such a hand comes."""
    found: type[Hand] = import_module(".local", __package__).Local
    return found


def _take_blanks(lines: Lines, k: int) -> None:
    """Take away the one blank that some archives put before each line of a hand."""
    wide = 2 if lines.lengths[k] >= 2 * len(lines.text[k]) else 1
    while k < len(lines.text) and lines.text[k][:1] in ("", " "):
        if lines.text[k]:
            lines.text[k] = lines.text[k][1:]
            lines.starts[k] += wide
            lines.lengths[k] -= wide
        k += 1


_WORDS: Final = ("Hand #", "Game #", "HAND #", "GAME #", "PokerStars")
GRAMMAR: Final = grammar(Hand, ("PokerStars",), _WORDS, "INR")


def sniff(head: bytes) -> int:
    """Return how sure it is that this is PokerStars' text: 0 no, 100 certain."""
    sure = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if header.begins(bare):
            return 95 if bare[:10].upper() == "POKERSTARS" else 90
        if another(bare, _FOREIGN):
            return 0
        if bare.startswith(("*** HOLE CARDS ***", "*** SUMMARY ***", "*** SHOW DOWN ***")):
            sure = 30
    return sure


_FOREIGN: Final = others("PokerStars")

FORMAT: Final = Format(
    name="pokerstars",
    title="PokerStars text",
    suffixes=(".txt",),
    sniff=sniff,
    read=partial(read, GRAMMAR),
    cut=cutter(_WORDS, begins, rule=is_rule),
    write=write,
    says=SAYS,
    between="\n\n\n",
)
