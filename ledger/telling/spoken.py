"""Texts whose lines begin with a name and what its owner does: the loop over them, and the acts.

Rooms differ in the words and in what they put around an amount; a reader brings both as tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.betting import Checked, Folded
from ledger.hand.ending import PotAwarded
from ledger.hand.opening import GameSet, HandOpened, PostReturned
from ledger.people import People
from ledger.telling.hand import SEATS
from ledger.telling.lines import Lines
from ledger.telling.listed import Listed
from ledger.vocabulary import Chips, Seat, Witness

Make: TypeAlias = Callable[[Any, Seat, Chips, bool | None], None]
"""Tells an act of a hand: the seat, the amount as the text has it, all-in if that is said."""

Acts: TypeAlias = Mapping[str, tuple[tuple[str, Make], ...]]
"""The first word behind a name → how such lines begin, and how each is told; longer ones first."""

Says: TypeAlias = Mapping[str, Callable[[Any, Seat, str], bool]]
"""The first word behind a name → what reads all that follows the name; False where it does not know it."""

_KEPT: Final = 100_000
_LONGEST: Final = 60
_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]
_told: Final[dict[tuple[type, int], dict[str, tuple[Make, Chips, bool | None]]]] = {}


class Spoken(Listed):
    """The hand being told from such a text."""

    __slots__ = ("acts_read", "by_word", "lines", "own", "plain_words")

    ACTS: ClassVar[Acts] = {}
    SAYS: ClassVar[Says] = {}
    BEHIND: ClassVar[tuple[str, ...]] = (":",)
    """What may stand between a name and the blank behind it; "" = nothing."""
    ALL_IN: ClassVar[tuple[str, ...]] = ()
    """What an act ends with that puts somebody all in."""

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(lines, people, venue, game, at)
        self.lines = lines
        self.acts_read = _told.setdefault((type(self), game.exponent), {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.own = False  # somebody's own cards are told
        self.by_word: dict[str, list[tuple[str, Seat]]] = {}
        self.plain_words: dict[str, Seat] = {}

    def listen(self) -> None:
        """Learn how the lines of the seats begin, once all seats are read."""
        self.by_word = {}
        for name in self.names():
            for behind in self.BEHIND:
                spoken = name + behind
                self.by_word.setdefault(spoken.partition(" ")[0], []).append(
                    (spoken, self.seats[name])
                )
        self.plain_words = {
            word: found[0][1]
            for word, found in self.by_word.items()
            if len(found) == 1 and found[0][0] == word
        }

    def speaker(self, line: str) -> list[tuple[Seat, str]]:
        """Return the seats whose name a line may begin with, longest name first, and what follows."""
        return [
            (seat, line[len(spoken) + 1 :].strip())
            for spoken, seat in self.by_word.get(line.partition(" ")[0], ())
            if line.startswith(" ", len(spoken)) and line.startswith(spoken)
        ]

    def body(self, k: int, after: int, other: Callable[[Any, str], bool]) -> None:
        """Read lines `k` up to `after`; `other` reads those that no act begins, stripped."""
        text, known, plain = self.lines.text, self.acts_read, self.plain_words
        by_word = self.by_word
        while k < after:
            line = text[k]
            self.at = k
            k += 1
            word, _, rest = line.partition(" ")
            if (told := known.get(rest.strip())) and (seat := plain.get(word)):
                told[0](self, seat, told[1], told[2])
            elif word in by_word and self._spoken(line):
                continue
            elif (bare := line.strip()) and not other(self, bare):
                self.unread(line)

    def _spoken(self, line: str) -> bool:
        # If it was no act of the longest name a shorter one may be meant.
        return any(self.act(seat, rest) for seat, rest in self.speaker(line))

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name; False where it is neither an act nor something said."""
        word = rest.partition(" ")[0]
        for words, make in self.ACTS.get(word, ()):
            if rest.startswith(words):
                return self._make(seat, rest, make, rest[len(words) :])
        says = self.SAYS.get(word)
        return says is not None and says(self, seat, rest)

    def _make(self, seat: Seat, rest: str, make: Make, text: str) -> bool:
        bare, all_in = self.without_all_in(text)
        if make in _WITHOUT:
            if bare:
                return False
            amount = 0
        else:
            if make is raises_to:
                bare = bare.rpartition("to ")[2]
            amount = self.amount(bare.strip())
        if len(rest) < _LONGEST:
            self.acts_read[rest] = make, amount, all_in
        make(self, seat, amount, all_in)
        return True

    def without_all_in(self, text: str) -> tuple[str, bool | None]:
        """Part an act from what says that it is all-in."""
        for words in self.ALL_IN:
            if text.endswith(words):
                return text[: len(text) - len(words)], True
        return text, None

    def seat_of(self, name: str) -> Seat:
        """Return the seat of a name, 0 if nobody in this hand is called so."""
        return self.seats.get(name, 0)

    def opened(self, opened: HandOpened) -> None:
        """Say which hand this is; the cards of one player are witnessed where they are told."""
        own = int(Witness.OWN_CARDS) if self.own else 0
        self.open(HandOpened(
            opened.venue, opened.table, opened.number, opened.witnesses | own, opened.started,
            opened.written, opened.seats, opened.tournament, opened.club,
        ))  # fmt: skip

    def refund(self, seat: Seat, amount: Chips) -> None:
        """Give chips back: a bet that nobody called, or the part of an ante that nobody matched."""
        if self.bets[seat] < amount:
            self.put_in[seat] -= amount
            self.returned = True
            self.put(PostReturned(seat, amount, "ante", True))
        else:
            self.give_back(seat, amount)

    def side_pots_last_first(self, groups: list[int]) -> None:
        """Give awards that come showdown by showdown the numbers of their pots, the main pot last.

        `groups` are the indexes of the events with which each showdown begins.
        """
        if not groups:
            return
        paid = [
            [at for at in range(first, behind) if isinstance(self.events[at], PotAwarded)]
            for first, behind in zip(groups, [*groups[1:], len(self.events)], strict=True)
        ]
        paid = [one for one in paid if one]
        if len(paid) < 2:
            return
        for number, group in enumerate(reversed(paid)):
            for at in group:
                event = self.events[at]
                if isinstance(event, PotAwarded):
                    self.events[at] = PotAwarded(
                        event.seat, event.amount, number, event.run, event.board, event.half
                    )


def folds(hand: Spoken, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Tell a fold."""
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def checks(hand: Spoken, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Tell a check."""
    hand.put(_CHECKED[seat])


def calls(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a call with so many chips more."""
    hand.call(seat, amount, all_in=all_in)


def bets(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a bet."""
    hand.bet(seat, amount, all_in=all_in)


def raises_to(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a raise whose amount, behind the last `to`, is the street's total."""
    hand.raise_to(seat, amount, all_in=all_in)


def raises_by(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a raise with so many chips more."""
    hand.raise_by(seat, amount, all_in=all_in)


def puts_all_in(hand: Spoken, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Tell that somebody goes all in with so many chips more: a bet, a call or a raise."""
    hand.wager(seat, hand.bets[seat] + amount, all_in=True)


def antes(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell an ante; one of nothing is none."""
    if amount:
        hand.ante(seat, amount, all_in=all_in)


def brings_in(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell stud's forced opening bet."""
    hand.bring_in(seat, amount, all_in=all_in)


def straddles(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a straddle."""
    hand.straddle(seat, amount, all_in=all_in)


def small_blind(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a small blind."""
    hand.post(seat, "small", amount, all_in=all_in)


def big_blind(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a big blind; a second one is the post of somebody who comes in."""
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def enters(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell the post of somebody who comes in."""
    hand.post(seat, "entry", amount, all_in=all_in)


def missed_small(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a missed small blind, which is dead."""
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def missed_big(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a missed big blind."""
    hand.post(seat, "makeup-big", amount, all_in=all_in)


def both_blinds(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell both blinds posted as one amount."""
    hand.post_both(seat, amount, all_in=all_in)


def dead_blind(hand: Spoken, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a post that is called dead: what is more than the big blind has that one in it."""
    if hand.blind and amount > hand.blind:
        hand.post_both(seat, amount, all_in=all_in)
    else:
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def refunded(hand: Spoken, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Tell chips that went back."""
    hand.refund(seat, amount)


_WITHOUT: Final = frozenset((folds, checks))
"""Acts that have no amount."""


def taken(line: str, label: str, opening: str = " (") -> tuple[Seat, str, str]:
    """Take `Seat 3: Name (rest` apart: the number, the name, and what is behind the last bracket.

    Other lines raise `UnreadableHandError`.
    """
    number, colon, rest = line[len(label) :].partition(":")
    name, found, stack = rest.removeprefix(" ").rpartition(opening)
    number = number.strip()
    if not (colon and found and number.isascii() and number.isdigit()):
        raise UnreadableHandError(
            f"a seat cannot be read: {line[:80]!r}", kind="seat",
            hint="A number, a name and a stack in brackets were expected.",
        )  # fmt: skip
    return int(number[:3]), name, stack


def nobody() -> UnreadableHandError:
    """Return why a hand without a list of seats cannot be told."""
    return UnreadableHandError(
        "the hand breaks off before its list of seats", kind="cut-off",
        hint="No player is named: nothing can be said about this hand.",
    )  # fmt: skip


def unknown_game(words: str) -> UnreadableHandError:
    """Return why a game that is in no table cannot be told."""
    return UnreadableHandError(
        f"the game {words[:80]!r} is not known", kind="unknown-game",
        hint="handledger rules lists no such game; tell us where it is played.",
    )  # fmt: skip
