"""A hand in one line: `STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1`."""

from __future__ import annotations

import re
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.acpc.play import STATE, VENUE, WITNESSES, Match, Play, seats_of, structure
from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import HandOpened
from ledger.readers import amounts
from ledger.readers.lines import Lines
from ledger.readers.reading import Page
from ledger.readers.spans import Spans
from ledger.vocabulary import Chips

_NUMBER_MOST: Final = 20
_LARGE: Final = re.compile(r"[0-9]{5,}+")
"""Amounts with less digits are within every game's stacks."""
WHOLE: Final = 0
"""The place of the whole line."""
_LINE_MOST: Final = 20_000
_SMALL_BLIND: Final = 50
"""The least that somebody loses in a hand of no limit."""


def tell(page: Page, match: Match) -> Play:
    """Read the line. What is damaged raises `UnreadableHandError`."""
    lines, k = page.lines, page.first
    line = lines.text[k].rstrip()
    if len(line) > _LINE_MOST:
        raise UnreadableHandError("the line is too long for a hand", kind="too-long")
    fields = line.split(":", 5)
    if len(fields) < 6:
        raise UnreadableHandError(
            "the line breaks off: it has no payoffs or no players",
            kind="cut-off",
            hint="A line holds number, betting, cards, payoffs and players.",
        )
    _, number, betting, dealt, paid, players = fields
    if not (number.isascii() and number.isdecimal() and len(number) <= _NUMBER_MOST):
        raise UnreadableHandError(f"{number[:40]!r} is no number of a hand", kind="header")
    places = Letters(lines, k, page.encoding)
    holes, *boards = dealt.split("/")
    hole, payoffs, names = holes.split("|"), paid.split("|"), players.split("|")
    if not len(hole) == len(payoffs) == len(names) == seats_of(hole):
        raise UnreadableHandError(
            f"cards of {len(hole)}, payoffs of {len(payoffs)} and names of {len(names)} players", kind="seat"
        )
    at = len(STATE) + len(number) + 1
    no_limit = _no_limit(betting, paid, match)
    game = structure(len(names), no_limit=no_limit, reverse=match.reverse)
    exponent = page.exponent or 0
    play = Play(places, page.people, game, WHOLE, exponent)
    if play.stack and _beyond(betting, paid, play.stack, exponent):
        play.stack = None  # not the game that it seemed to be
    cards_at = at + len(betting) + 1
    paid_at = cards_at + len(dealt) + 1
    play.seat_all(names, places.parts(names, paid_at + len(paid) + 1))
    for position, (text, place) in enumerate(zip(hole, places.parts(hole, cards_at), strict=True)):
        play.deal(position, text, place, "unknown")
    play.dealt()
    play.follow(betting, at, 1, boards, places.parts(boards, cards_at + len(holes) + 1))
    if any(boards[play.round :]):
        raise UnreadableHandError("the cards of a street have no betting", kind="betting")
    if not play.over:
        raise UnreadableHandError(
            "the betting breaks off before the hand ends",
            kind="cut-off",
            hint="A hand ends with all but one folded, or with the river's betting.",
        )
    _results(play, payoffs, places.parts(payoffs, paid_at))
    play.at = WHOLE
    play.put(HandCompleted())
    play.open(HandOpened(VENUE, match.name, number, WITNESSES, None, "", len(names)))
    return play


class Letters(Spans):
    """Places within one line: a part has the number of its first letter, the whole line has 0."""

    def __init__(self, lines: Lines, k: int, encoding: str) -> None:
        line, start = lines.text[k], lines.starts[k]
        wide = encoding.startswith("utf-16")
        width = self.width = 2 if wide else 1
        count = len(line) + 1
        self.starts = list(range(start, start + count * width, width))
        self.lengths = [width] * count
        self.lengths[WHOLE] = lines.lengths[k]
        self.exact = wide or encoding == "cp1252" or line.isascii()

    def parts(self, texts: list[str], at: int) -> list[int]:
        """Return the places of texts that stand one behind another, each with a mark between.

        Behind what is not ASCII, as only names can be, it is the whole line.
        """
        found = []
        lengths, width = self.lengths, self.width
        for text in texts:
            length = len(text)
            lengths[at] = length * width
            found.append(at)
            at += length + 1
        if not self.exact and not "".join(texts).isascii():
            first = next(number for number, text in enumerate(texts) if not text.isascii())
            found[first:] = [WHOLE] * (len(texts) - first)
        return found


def _no_limit(betting: str, paid: str, match: Match) -> bool:
    """Tell whether the hand is of no limit: by its raises, the match, its payoffs, other hands."""
    at = betting.find("r")
    if at >= 0:
        return betting[at + 1 : at + 2].isdecimal()
    if match.no_limit is not None:
        return match.no_limit
    lost = [_number(one[1:].partition(".")[0]) for one in paid.split("|") if one.startswith("-")]
    if lost:
        return min(lost) >= _SMALL_BLIND
    return match.guess is not False


def _beyond(betting: str, paid: str, stack: Chips, exponent: int) -> bool:
    """Tell whether more chips go in than the game's stacks are."""
    limit = stack // 10**exponent
    most = str(limit)
    runs = _LARGE.findall(betting) + _LARGE.findall(paid)
    if not any(len(run) != len(most) or run > most for run in runs):
        return False
    raises = (part.partition("c")[0].partition("f")[0] for part in betting.replace("/", "c").split("r")[1:])
    losses = (one[1:].partition(".")[0] for one in paid.split("|") if one.startswith("-"))
    return any(len(one) < 13 and _number(one) > limit for group in (raises, losses) for one in group)


def _number(text: str) -> int:
    return int(text) if len(text) < 13 and text.isascii() and text.isdecimal() else 0


def _results(play: Play, payoffs: list[str], spots: list[int]) -> None:
    """Declare the payoffs; what a live seat got follows from them and from what it put in."""
    nets = [_net(text, play.exponent) for text in payoffs]
    play.return_bets()
    for seat, net in enumerate(nets, 1):
        won = net + play.put_in[seat]
        if won > 0 and seat not in play.folded:
            play.derive(PotAwarded(seat, won))
    for seat, (net, play.at) in enumerate(zip(nets, spots, strict=True), 1):
        play.put(ResultDeclared("net", seat, net))


def _net(text: str, exponent: int) -> Chips:
    if text.startswith("-"):
        return -amounts.read(text.removeprefix("-"), exponent)
    return amounts.read(text, exponent)
