"""A hand while its betting is told, and a hand in one line: `STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HowKnown
from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import Betting, ButtonPlaced, GameSet, HandOpened
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import HandBuilder
from ledger.readers.lines import Lines
from ledger.readers.reading import Page
from ledger.readers.spans import Spans
from ledger.vocabulary import DECK, Cards, Chips, Seat, Street, Witness

VENUE: Final = "ACPC"
STATE: Final = "STATE:"
MESSAGE: Final = "MATCHSTATE:"
WITNESSES: Final = Witness.of("BUTTON BLIND_POSITIONS ACTS BOARD ALL_CARDS")
"""What a STATE line records whenever it happens. Blinds and stacks are the game's, not the line's."""

MESSAGE_WITNESSES: Final = Witness.of("BUTTON BLIND_POSITIONS ACTS BOARD ALL_CARDS SHOWDOWN TIMES")
"""The same of the messages between dealer and players; one side's messages alone show no `ALL_CARDS`."""

STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
BOARD_SIZES: Final = (0, 6, 2, 2)
"""Characters of the cards that each street brings."""

PLAYERS_MOST: Final = 10
_DECK: Final = frozenset(DECK)
_DIGITS_MOST: Final = 12
_MESSAGE_HEADS: Final = ("TO ", "FROM ", "S->", "<-C", MESSAGE)


def is_state(line: str) -> bool:
    """Tell whether a hand's whole line begins so: `STATE:7:`."""
    return line.startswith(STATE) and line[6:7].isdecimal() and line.count(":") >= 3


def is_message(line: str) -> bool:
    """Tell whether this is a message between dealer and player."""
    return line.startswith(_MESSAGE_HEADS) and MESSAGE in line[:64]


class Match:
    """What the log says of the match that the next hands belong to."""

    def __init__(self, name: str, *, no_limit: bool | None = None, guess: bool | None = None) -> None:
        """Begin a match; `no_limit` is as the log names the game, `guess` as other hands of the log have it."""
        self.name = name
        self.no_limit, self.guess = no_limit, guess
        self.reverse = True
        self.players = 0


class Structure(NamedTuple):
    """A game as its definition file has it: players are told by position, the first deals last."""

    betting: Betting
    blinds: tuple[Chips, ...]  # by position
    bets: tuple[Chips, ...]  # limit: small and big bet
    stack: Chips | None  # each hand begins with it; None = as many chips as are needed


@lru_cache(maxsize=64)
def structure(players: int, *, no_limit: bool, reverse: bool = True) -> Structure:
    """Return the competition's game for so many players.

    `reverse`: of two players the button posts the small blind, as it has been since 2008.
    """
    small, big = (50, 100) if no_limit else (5, 10)
    blinds = (big, small) if players == 2 and reverse else (small, big, *(0,) * (players - 2))
    if not no_limit:
        return Structure("limit", blinds, (10, 20), None)
    # Pluribus' six players had a hundred big blinds.
    return Structure("no-limit", blinds, (), 20_000 if players <= 3 else 10_000)


@lru_cache(maxsize=256)
def game(structure: Structure, exponent: int) -> GameSet:
    """Return the game, amounts in its unit."""
    unit = 10**exponent
    blinds = tuple(blind * unit for blind in sorted(filter(None, structure.blinds)))
    bets = tuple(bet * unit for bet in structure.bets)
    return GameSet("holdem", structure.betting, "unknown", "chips", exponent, blinds, 0, bets)


@lru_cache(maxsize=4096)
def cards(text: str, size: int) -> Cards:
    """Return these cards; what is no card, or another number of them, raises `UnreadableHandError`."""
    if len(text) != size or any(text[at : at + 2] not in _DECK for at in range(0, size, 2)):
        raise UnreadableHandError(
            f"{text[:40]!r} is not {size // 2} cards of hold'em",
            kind="cards",
            hint="Other games of the competition (Kuhn, Leduc) are not read.",
        )
    return text


@lru_cache(maxsize=50_000)
def _hole(seat: Seat, text: str, how: HowKnown) -> HoleCardsDealt:
    return HoleCardsDealt(seat, cards(text, 4), "", how)


class Play(HandBuilder):
    """A hand while its betting is told. Positions count from 0; the seat is one more."""

    def __init__(self, places: Spans, people: People, structure: Structure, at: int, exponent: int = 0) -> None:
        """Begin a hand: its first part is place `at`."""
        super().__init__(places, people, VENUE, game(structure, exponent), at)
        self.unit = 10**exponent
        self.blinds = structure.blinds
        self.players = len(structure.blinds)
        self.stack = structure.stack * self.unit if structure.stack else None
        self.round = 0
        self.turn = structure.blinds.index(max(structure.blinds)) + 1  # behind the big blind

    def seat_all(self, names: list[str], spots: list[int]) -> None:
        """Seat the players by position, put the blinds down; `spots` are the places of their names."""
        self.infer(self.game, at=self.at)
        for seat, (name, self.at) in enumerate(zip(names, spots, strict=True), 1):
            if self.stack:  # the stacks are the game's, not the line's
                self.inferred.append(len(self.events))
            self.sit(seat, name, self.stack)
        self.infer(ButtonPlaced(self.players))
        for blind, seat in sorted(zip(self.blinds, range(1, self.players + 1), strict=True)):
            if blind:
                self.at = spots[seat - 1]
                self.inferred.append(len(self.events))
                self.post(seat, "big" if blind == max(self.blinds) else "small", blind * self.unit)

    def deal(self, position: int, hole: str, at: int, how: HowKnown) -> None:
        """Deal a seat its cards; none is told of unknown ones."""
        if hole:
            self.at = at
            self.put(_hole(position + 1, hole, how))

    def dealt(self) -> None:
        """Say that every seat has its cards."""
        self.put(DealCompleted())

    def follow(self, betting: str, first: int, step: int, boards: list[str], spots: list[int]) -> None:
        """Tell betting: `c` and `f`, `r` with or without an amount, `/` for the next street.

        Its first letter has place `first`, the others `step` more each. `boards` are the cards of
        the streets, `spots` their places. What cannot be raises `UnreadableHandError`.
        """
        k, count = 0, len(betting)
        while k < count:
            letter, begin = betting[k], k
            k += 1
            if letter == "/":
                self.deal_next(boards, spots)
                continue
            if letter not in "fcr":
                raise UnreadableHandError(f"the betting holds {letter!r}, which is no act", kind="betting")
            seat = self.turn = self.following(self.turn)
            self.at = first + begin * step
            if letter == "c":
                self.check_or_call(seat)
            elif letter == "f":
                self.fold(seat)
            else:
                while k < count and betting[k] in "0123456789":
                    k += 1
                self.wager(seat, self.raised(seat, betting[begin + 1 : k]))
                if step:
                    self.places.lengths[self.at] *= k - begin

    def raised(self, seat: Seat, number: str) -> Chips:
        """Return the seat's total on this street: with a number, that is its total of the whole hand."""
        if not number:
            if not self.game.bets:
                raise UnreadableHandError("a raise at no limit has no amount", kind="betting")
            return self.betting.bet_to_call + self.game.bets[self.round // 2]
        if len(number) > _DIGITS_MOST:
            raise UnreadableHandError(f"the amount {number[:40]!r} is too large", kind="amount")
        to: Chips = int(number) * self.unit - self.put_by(seat) + self.bet_of(seat)
        if to <= self.betting.bet_to_call:
            raise UnreadableHandError(
                f"a raise to {number} in all is no raise: the bet is larger already", kind="betting"
            )
        return to

    def following(self, seat: Seat) -> Seat:
        """Return the next seat that has neither folded nor all chips in."""
        for step in range(self.players):
            after = (seat + step) % self.players + 1
            if after not in self.folded and (self.stack is None or self.put_by(after) < self.stack):
                return after
        raise UnreadableHandError("more acts than players can make", kind="betting")

    def deal_next(self, boards: list[str], spots: list[int]) -> None:
        """Begin the next street with its cards."""
        self.round += 1
        if self.round > len(boards):
            raise UnreadableHandError("a street has no cards", kind="cut-off")
        if self.round >= len(STREETS):
            raise UnreadableHandError("more streets than hold'em has", kind="betting")
        self.turn = 0
        self.at = spots[self.round - 1]
        self.board(STREETS[self.round], cards(boards[self.round - 1], BOARD_SIZES[self.round]))

    @property
    def over(self) -> bool:
        """Whether everything has happened: one is left, or the river's betting is done."""
        if len(self.remaining()) == 1:
            return True
        if self.round < len(STREETS) - 1:
            return False
        able = self.able()
        return len(able) < 2 or self._closed()

    def _closed(self) -> bool:
        """Whether all that can act have acted on this street and match its bet."""
        acted = set()
        for event in reversed(self.events):
            if isinstance(event, BoardDealt):
                break
            acted.add(getattr(event, "seat", 0))
        return self.round_is_over(acted)


def seats_of(hole: list[str]) -> int:
    """Return how many players these hole cards are of; too few or many raise `UnreadableHandError`."""
    if not 2 <= len(hole) <= PLAYERS_MOST:
        raise UnreadableHandError(f"{len(hole)} players: the competition has 2 to {PLAYERS_MOST}", kind="seat")
    return len(hole)


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
        count = len(line) + 1
        self.starts = list(range(start, start + count))
        self.lengths = [1] * count
        self.lengths[WHOLE] = lines.lengths[k]
        self.exact = encoding == "cp1252" or line.isascii()

    def parts(self, texts: list[str], at: int) -> list[int]:
        """Return the places of texts that stand one behind another, each with a mark between.

        Behind what is not ASCII, as only names can be, it is the whole line.
        """
        found = []
        for text in texts:
            length = len(text)
            self.lengths[at] = length
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
        won = net + play.put_by(seat)
        if won > 0 and seat not in play.folded:
            play.infer(PotAwarded(seat, won))
    for seat, (net, play.at) in enumerate(zip(nets, spots, strict=True), 1):
        play.put(ResultDeclared("net", seat, net))


def _net(text: str, exponent: int) -> Chips:
    if text.startswith("-"):
        return -amounts.read(text.removeprefix("-"), exponent)
    return amounts.read(text, exponent)
