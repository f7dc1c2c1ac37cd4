"""A hand of Full Tilt while it is read, and how each word behind a name is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.event import Event
from ledger.formats.fulltilt.words import CARDS, DRAW, STUD, VENUE
from ledger.hand.betting import Checked, ClockExpired, Folded, TimeBankUsed, TimeWarned
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsDealt, StoodPat
from ledger.hand.ending import CardsMucked, CardsShown, PlayerFinished, RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameSet, PostReturned
from ledger.people import People
from ledger.presence import ChipsAdded, ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, SeatLeft
from ledger.readers.cards import reader
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.vocabulary import Cards, Chips, Seat

Act = Callable[["Hand", Seat, Chips, bool], None]
cards: Final = reader(CARDS)
"""Returns `Ah Kd` as cards; None where one of them is no card."""


def groups(text: str) -> list[Cards] | None:
    """Return `[2c 7d] [Kc]` group by group; None where one holds what is no card."""
    found = []
    for part in text.split("]")[:-1]:
        read = cards(part.strip(" ["))
        if read is None:
            return None
        found.append(read)
    return found or None


class Hand(Listed):
    """The hand being read."""

    __slots__ = ("collected", "own", "runs", "seated", "shown", "small", "summary", "text", "total")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.text = lines.text
        self.seated = 0  # how many events there are with the last seat
        self.small: Seat = 0  # who posted the small blind
        self.own = False  # somebody's own cards are told
        self.runs = 1
        self.shown: dict[Seat, Cards] = {}
        self.summary = -1  # the line of the summary's heading
        self.total: Chips | None = None  # as declared
        self.collected: dict[Seat, Chips] = {}  # as the summary says, all runs together

    def clean(self, text: str) -> str:
        """Return an amount as it stands."""
        return text

    def remark(self) -> None:
        """Keep a line that says nothing of the game's course."""
        self.put(RemarkNoted(self.people.text(self.text[self.at].strip())))

    def button(self, seat: Seat) -> None:
        """Place the button, which the text names behind the posts, before them."""
        self.events.insert(self.seated, ButtonPlaced(seat))
        self.marks.insert(self.seated, self.at)


# -- with an amount ---------------------------------------------------------------------------------


def _call(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.call(seat, amount, all_in=all_in)


def _bet(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.bet(seat, amount, all_in=all_in)


def _raise_to(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.raise_to(seat, amount, all_in=all_in)


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    if hand.small and hand.small != seat:
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)
    else:
        hand.small = seat
        hand.post(seat, "small", amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def _post(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.post(seat, "entry", amount, all_in=all_in)


def _dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.ante(seat, amount, all_in=all_in)


def _straddle(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.straddle(seat, amount, all_in=all_in)


def _bring_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> None:
    hand.bring_in(seat, amount, all_in=all_in)


def _add(hand: Hand, seat: Seat, amount: Chips, _all_in: bool) -> None:
    hand.put(ChipsAdded(seat, amount, "top-up", "player", hand.player_in(seat)))


SIMPLE_ACTS: Final[dict[str, Act]] = {
    "calls": _call,
    "bets": _bet,
    "antes": _ante,
    "posts": _post,
    "adds": _add,
    "straddles": _straddle,
}
"""The word between name and amount → how it is told."""

LONG_ACTS: Final[dict[str, tuple[tuple[str, Act], ...]]] = {
    "to": ((" raises", _raise_to), (" completes it", _raise_to), (" straddles", _straddle)),
    "for": ((" brings in", _bring_in),),
    "of": (
        (" posts the small blind", _small),
        (" posts the big blind", _big),
        (" posts a dead small blind", _dead),
        (" posts a dead blind", _dead),
        (" posts a straddle", _straddle),
        (" posts an ante", _ante),
        (" posts a small blind", _small),
        (" posts a big blind", _big),
    ),
}
"""The last of several words before an amount → what stands before it, and how it is told."""


# -- alone ------------------------------------------------------------------------------------------

_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def _fold(hand: Hand, seat: Seat) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat) -> None:
    hand.put(_CHECKED[seat])


def _event(make: Callable[[Hand, Seat], Event]) -> Callable[[Hand, Seat], None]:
    return lambda hand, seat: hand.put(make(hand, seat))


def _sits_out(hand: Hand, seat: Seat) -> None:
    hand.away.add(seat)
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))


def _mucks(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat))


PLAIN: Final[dict[str, Callable[[Hand, Seat], None]]] = {
    "folds": _fold,
    "checks": _check,
    "mucks": _mucks,
    "stands pat": _event(lambda _hand, seat: StoodPat(seat)),
    "has timed out": _event(lambda _hand, seat: ClockExpired(seat)),
    "has timed out while disconnected": _event(lambda _hand, seat: ClockExpired(seat, False)),
    "has requested TIME": _event(lambda _hand, seat: TimeBankUsed(seat)),
    "has been disconnected": _event(lambda hand, s: ConnectionLost(s, hand.player_in(s))),
    "is disconnected": _event(lambda hand, s: ConnectionLost(s, hand.player_in(s))),
    "has reconnected": _event(lambda hand, s: ConnectionRestored(s, hand.player_in(s))),
    "is connected": _event(lambda hand, s: ConnectionRestored(s, hand.player_in(s))),
    "is sitting out": _sits_out,
    "has returned": _event(lambda hand, s: PlayerBack(s, hand.player_in(s))),
    "stands up": _event(lambda hand, s: SeatLeft(s, hand.player_in(s), "left")),
    "sits down": lambda hand, _seat: hand.remark(),
    "leaves the table": _event(lambda hand, s: SeatLeft(s, hand.player_in(s), "left")),
    "has left the table": _event(lambda hand, s: SeatLeft(s, hand.player_in(s), "left")),
    "is being treated as all-in": lambda hand, _seat: hand.remark(),
    "was removed from the table for failing to post": _event(
        lambda hand, s: SeatLeft(s, hand.player_in(s), "missed-post")
    ),
}
"""What follows a name and stands alone → how it is told."""


# -- with more behind the word ----------------------------------------------------------------------


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `[Qs Qd] a pair of Queens`, or only what the hand is called."""
    if not rest.startswith("["):
        hand.remark()
        return True
    held, _, claim = rest[1:].partition("]")
    found = cards(held)
    if found is None:
        return False
    hand.close_bets()
    hand.shown[seat] = found
    hand.put(CardsShown(seat, found, claim=hand.people.text(claim.strip(" ()"))))
    return True


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `the high side pot 2 ($5) with a flush`, `pot 2 ($5)`, `for pot 1 ($5)` behind `ties`."""
    what, opening, behind = rest.removeprefix("for ").partition(" (")
    amount = behind.partition(")")[0]
    words = what.replace("-", " ").split()
    if not opening or "pot" not in words or not any(map(str.isdigit, amount)):
        return False
    half = "high" if "high" in words else "low" if "low" in words else ""
    number = _NUMBERS.get(words[-1])
    pot: int | None = 0 if "main" in words else (number or 1) if "side" in words else None
    run = number if number and pot is None and hand.runs > 1 else 1
    hand.award(seat, hand.chips(amount), pot, run=run, half=half)  # type: ignore[arg-type]  # one of three
    return True


_NUMBERS: Final = {str(number): number for number in range(1, SEATS)}


def _discards(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `2 cards` or `1 card [Qs]`."""
    words, bracket, known = rest.partition(" [")
    count = _NUMBERS.get(words.partition(" ")[0])
    gone = cards(known.rstrip("]")) if bracket else ""
    if count is None or gone is None:
        return False
    hand.put(CardsDiscarded(seat, count, gone))
    return True


def _is(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `dealt 2 cards` of a draw, `low with [3c]`, who has to bring it in, and `feeling happy`."""
    if rest.startswith(("low with [", "high with [", "feeling ")):
        hand.remark()
        return True
    words = rest.split(" ")
    count = _NUMBERS.get(words[1]) if len(words) == 3 and words[0] == "dealt" else None
    if count is None or count > 7 or hand.game.variant not in DRAW:
        return False
    hand.put(CardsDrawn(seat, "??" * count, "unknown"))
    return True


def _has(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `15 seconds left to act` and `120 seconds to reconnect`."""
    seconds, _, words = rest.partition(" ")
    if not (seconds.isascii() and seconds.isdigit()):
        return False
    if words == "seconds to reconnect":
        hand.remark()
        return True
    if words != "seconds left to act":
        return False
    hand.put(TimeWarned(seat, int(seconds[:6])))
    return True


def _finished(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `the tournament` or `the tournament in 12th place`; `in 3rd place` too."""
    place = rest.rpartition(" place")[0].rpartition(" ")[2].rstrip("stndrh")
    if not rest.startswith(("the tournament", "in ")):
        return False
    known = place.isascii() and place.isdigit() and len(place) < _LONGEST_RANK
    hand.put(PlayerFinished(seat, int(place) if known else None))
    return True


_LONGEST_RANK: Final = 8


def _stands(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `pat on [..]`."""
    if not rest.startswith("pat on ["):
        return False
    hand.put(StoodPat(seat))
    return True


WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "shows": _shows,
    "wins": _wins,
    "ties": _wins,
    "discards": _discards,
    "is": _is,
    "has": _has,
    "stands": _stands,
    "finished": _finished,
}
"""The first word behind a name → how what follows it is read."""


# -- the deal ---------------------------------------------------------------------------------------


def dealt(hand: Hand, seat: Seat, text: str) -> bool:
    """Read what is dealt to a seat: hole cards, a street's card of stud, cards drawn."""
    found = groups(text)
    if found is None:
        return False
    variant = hand.game.variant
    if variant in DRAW and hand.street != "preflop":
        hand.put(CardsDrawn(seat, found[-1]))
    elif variant in STUD:
        if hand.street == "third":
            held = "".join(found)
            down = "????" if len(held) == 2 else ""
            hand.own = hand.own or not down
            up = "d" * (len(down + held) // 2 - 1) + "u"
            hand.dealt(HoleCardsDealt(seat, down + held, up, "dealt-up" if down else "owner"))
        else:
            face = "d" if hand.street == "seventh" else "u"
            how = "owner" if face == "d" else "dealt-up"
            hand.put(HoleCardsDealt(seat, found[-1], face * (len(found[-1]) // 2), how))  # type: ignore[arg-type]  # one of two
    else:
        hand.own = True
        hand.dealt(HoleCardsDealt(seat, "".join(found)))
    return True


def given_back(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Give back what nobody called; of an ante that was more than the other's it is a post."""
    if amount > hand.bets[seat]:
        hand.put_in[seat] -= amount
        hand.put(PostReturned(seat, amount, "ante", True))
    else:
        hand.give_back(seat, amount)
