"""A hand in one line: `STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from ledger.errors import UnreadableHandError
from ledger.formats.acpc.play import Play, seats_of
from ledger.formats.acpc.words import VENUE, WITNESSES, structure
from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import HandOpened
from ledger.people import People
from ledger.telling.hand import NOWHERE
from ledger.telling.lines import Lines
from ledger.telling.spans import Spans
from ledger.vocabulary import Chips

DIGITS: Final = frozenset("0123456789")
_NUMBER_MOST: Final = 20
_ACTS: Final = frozenset("fcr")
_LINE_MOST: Final = 20_000
_SMALL_BLIND: Final = 50
"""The least that somebody loses in a hand of no limit."""


class About(Protocol):
    """What is known of the match."""

    name: str
    no_limit: bool | None
    guess: bool | None
    reverse: bool
    players: int


@dataclass(slots=True)
class Page:
    """The lines of one hand: those from `first` up to `after`, which is not among them."""

    lines: Lines
    first: int
    after: int
    people: People
    exponent: int
    encoding: str


def tell(page: Page, match: About) -> Play:
    """Read the line. What is damaged raises `UnreadableHandError`."""
    lines, k = page.lines, page.first
    line = lines.text[k].rstrip()
    if len(line) > _LINE_MOST:
        raise UnreadableHandError("the line is too long for a hand", kind="too-long")
    fields = line.split(":", 5)
    if len(fields) < 6:
        raise UnreadableHandError(
            "the line breaks off: it has no payoffs or no players", kind="cut-off",
            hint="A line holds number, betting, cards, payoffs and players.",
        )  # fmt: skip
    _, number, betting, dealt, paid, players = fields
    if not (number.isascii() and number.isdecimal() and len(number) <= _NUMBER_MOST):
        raise UnreadableHandError(f"{number[:40]!r} is no number of a hand", kind="header")
    places = Places(lines, k, page.encoding)
    holes, *boards = dealt.split("/")
    hole, payoffs, names = holes.split("|"), paid.split("|"), players.split("|")
    if not len(hole) == len(payoffs) == len(names) == seats_of(hole):
        raise UnreadableHandError(
            f"cards of {len(hole)}, payoffs of {len(payoffs)} and names of {len(names)} players",
            kind="seat",
        )
    at = len("STATE:") + len(number) + 1
    no_limit = _no_limit(betting, paid, match)
    game = structure(len(names), no_limit=no_limit, reverse=match.reverse)
    play = Play(places, page.people, game, places.whole, page.exponent)
    if play.stack and _beyond(betting, payoffs, play.stack, page.exponent):
        play.stack = None  # not the game that it seemed to be
    told = play.told
    cards_at = at + len(betting) + 1
    paid_at = cards_at + len(dealt) + 1
    play.seat(names, places.parts(names, paid_at + len(paid) + 1))
    for position, (text, place) in enumerate(zip(hole, places.parts(hole, cards_at), strict=True)):
        play.deal(position, text, place, "unknown")
    play.dealt()
    _betting(play, places, betting, at, boards, cards_at + len(holes) + 1)
    if not play.over:
        raise UnreadableHandError(
            "the betting breaks off before the hand ends", kind="cut-off",
            hint="A hand ends with all but one folded, or with the river's betting.",
        )  # fmt: skip
    _results(play, payoffs, places.parts(payoffs, paid_at))
    told.at = places.whole
    told.put(HandCompleted())
    told.open(HandOpened(VENUE, match.name, number, WITNESSES, None, "", len(names)))
    return play


class Places(Spans):
    """Places within one line. Only names can hold what is not ASCII: then they get the whole line."""

    def __init__(self, lines: Lines, k: int, encoding: str) -> None:
        super().__init__()
        line = lines.text[k]
        self.start = lines.starts[k]
        self.width = 2 if encoding.startswith("utf-16") else 1
        self.exact = self.width == 2 or encoding == "cp1252" or line.isascii()
        self.whole = self.add(self.start, lines.lengths[k])

    def part(self, at: int, length: int) -> int:
        """Return the place of so many characters from `at` on."""
        return self.add(self.start + at * self.width, length * self.width)

    def parts(self, texts: list[str], at: int) -> list[int]:
        """Return the places of texts that stand one behind another, each with a mark between."""
        found = []
        for text in texts:
            exact = self.exact or text.isascii()
            found.append(self.part(at, len(text)) if exact else self.whole)
            at += len(text) + 1
        return found


def _no_limit(betting: str, paid: str, match: About) -> bool:
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


def _beyond(betting: str, payoffs: list[str], stack: Chips, exponent: int) -> bool:
    """Tell whether more chips go in than the game's stacks are."""
    limit = stack // 10**exponent
    raises = (
        part.partition("c")[0].partition("f")[0]
        for part in betting.replace("/", "c").split("r")[1:]
    )
    losses = (one[1:].partition(".")[0] for one in payoffs if one.startswith("-"))
    return any(
        len(one) < 13 and _number(one) > limit for group in (raises, losses) for one in group
    )


def _number(text: str) -> int:
    return int(text) if len(text) < 13 and text.isascii() and text.isdecimal() else 0


def _betting(
    play: Play, places: Places, betting: str, at: int, boards: list[str], board_at: int
) -> None:
    """Tell the betting: `c` and `f`, `r` with or without an amount, `/` for the next street."""
    spots = places.parts(boards, board_at)
    k, count = 0, len(betting)
    while k < count:
        letter = betting[k]
        end = k + 1
        if letter == "/":
            if play.round >= len(boards):
                raise UnreadableHandError("a street has no cards", kind="cut-off")
            play.board(boards[play.round], spots[play.round])
        elif letter in _ACTS:
            if letter == "r":
                while end < count and betting[end] in DIGITS:
                    end += 1
            play.act(letter, betting[k + 1 : end], places.part(at + k, end - k))
        else:
            raise UnreadableHandError(
                f"the betting holds {letter!r}, which is no act", kind="betting"
            )
        k = end
    if play.round != len(boards) and any(boards[play.round :]):
        raise UnreadableHandError("the cards of a street have no betting", kind="betting")


def _results(play: Play, payoffs: list[str], spots: list[int]) -> None:
    """Declare the payoffs; what a live seat got follows from them and from what it put in."""
    told = play.told
    nets = [_net(play, text) for text in payoffs]
    told.return_bets()
    live = play.live
    for position, net in enumerate(nets):
        won = net + told.put_in[position + 1]
        if won > 0 and position + 1 in live:
            told.conclude(PotAwarded(position + 1, won), at=NOWHERE)
    for position, net in enumerate(nets):
        told.at = spots[position]
        told.put(ResultDeclared("net", position + 1, net))


def _net(play: Play, text: str) -> Chips:
    amount = play.told.chips(text.removeprefix("-"))
    return -amount if text.startswith("-") else amount
