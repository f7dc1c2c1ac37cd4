"""One hand, action by action: from an action's type to how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.boss.header import Header, header
from ledger.formats.boss.parts import Line, Parts
from ledger.formats.boss.settle import settle
from ledger.formats.boss.words import BOARDS, EMPTY, VENUE, WITNESSES
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt, StoodPat
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.people import People
from ledger.readers.hand import SEATS, nobody
from ledger.readers.marked import Source
from ledger.readers.markup import XmlHandBuilder
from ledger.vocabulary import Chips, Seat, Witness


class Game(XmlHandBuilder):
    """The hand being told."""

    __slots__ = ("dealt", "found", "head", "holds", "lying", "small")

    def __init__(self, source: Source, people: People, found: Parts, head: Header) -> None:
        super().__init__(source, people, VENUE, head.game, found.tag)
        self.found = found
        self.head = head
        self.small: Seat = 0  # who posted it
        self.holds: dict[Seat, list[str | None]] = {}  # cards as last told
        self.lying = 0  # how many cards the board has
        self.dealt = False  # every seat has its cards

    def deal_complete(self) -> None:
        """Say that every seat has its cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())


def tell(source: Source, found: Parts, people: People, exponent: int | None) -> Game:
    """Tell a hand. What is damaged raises `UnreadableHandError`."""
    head = header(found.found, exponent)
    told = Game(source, people, found, head)
    if head.costs:
        told.put(head.costs)
    button = _seats(told)
    for line in found.actions:
        told.place(line.tag, line.stop)
        make = _ACTS.get(line.get("type"))
        if make is None or not make(told, line):
            told.strange(line.tag.start, line.stop)
    for start, stop in found.unknown:
        told.strange(start, stop)
    settle(told)
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if told.holds else 0)
    witnesses |= int(Witness.BUTTON) if button else 0
    witnesses |= int(Witness.BLIND_AMOUNTS) if told.game.blinds else 0
    told.open(
        HandOpened(
            VENUE,
            head.table,
            head.number,
            witnesses,
            head.started,
            head.written,
            len(found.players) if button else 0,
            head.tournament,
        )
    )
    return told


def _seats(told: Game) -> bool:
    """Tell who sits where; return whether the file says where the button lies.

    Newer files list every chair, with who is dealt cards among those who sit out.
    """
    found = told.found
    busy = {line.name for line in found.actions if line.name}
    button: tuple[Line, Seat] | None = None
    taken: set[Seat] = set()
    told_button = False
    for line in sorted(found.players, key=_chair):
        told.place(line.tag, line.stop)
        seat, name, state = _chair(line), line.name, line.get("state")
        taken.add(seat)
        told_button = told_button or bool(line.get("dealer"))
        if line.get("dealer") == "Y":
            button = line, seat
        if name not in busy and (state in EMPTY or not name):
            continue  # an empty chair
        stack = told.chips(line.get("amount")) if line.get("amount") else None
        if name in busy and name not in told.seats:
            told.sit(seat, name, stack)
        else:
            away = state == "STATE_SITOUT"
            told.leave_out(seat, name, stack, "sitting-out" if away else "unknown")
        if line.get("blindstate"):  # which blinds a seat missed: the codes are not explained
            words = told.source.words(line.tag.start, line.tag.stop)
            told.put(RemarkNoted(told.people.text(words)))
    _unseated(told, taken)
    if not told.stacks:
        raise nobody("the hand breaks off before its players")
    if button and 0 < button[1] < SEATS:
        told.place(button[0].tag)
        told.put(ButtonPlaced(button[1]))
    return told_button


def _chair(line: Line) -> Seat:
    text = line.get("seat").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _unseated(told: Game, taken: set[Seat]) -> None:
    """Seat who acts without standing among the players: on a free chair, without a stack."""
    for line in told.found.actions:
        if not line.name or line.name in told.seats:
            continue
        free = next((seat for seat in range(1, SEATS) if seat not in taken), 0)
        taken.add(free)
        told.place(line.tag, line.stop)
        told.derived.append(len(told.events))
        told.sit(free, line.name, None)


Make: TypeAlias = Callable[[Game, Line], bool]
"""Tells an action; False where it says nothing that can be."""


def _seat(told: Game, line: Line) -> Seat:
    return told.seats.get(line.name, 0)


def _post(told: Game, line: Line) -> bool:
    seat, make = _seat(told, line), _POSTS.get(line.get("kind"))
    if not seat or make is None or not line.get("value"):
        return False
    make(told, seat, told.chips(line.get("value")))
    return True


def _small(told: Game, seat: Seat, amount: Chips) -> None:
    """Post a small blind; from a second seat it makes up for a missed one and is dead."""
    if told.small and told.small != seat:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.small = seat
        told.post(seat, "small", amount)


def _dead_small(told: Game, seat: Seat, amount: Chips) -> None:
    told.post(seat, "makeup-small", 0, amount)


def _big(told: Game, seat: Seat, amount: Chips) -> None:
    """Post a big blind; from a second seat it is an entry, or makes up where a dead small one went before."""
    if not told.big or told.big == seat:
        told.post(seat, "big", amount)
    else:
        told.post(seat, "makeup-big" if told.put_in[seat] else "entry", amount)


def _both(told: Game, seat: Seat, amount: Chips) -> None:
    told.post_both(seat, amount)


_POSTS: Final[dict[str, Callable[[Game, Seat, Chips], None]]] = {
    "HAND_SB": _small,
    "HAND_BB": _big,
    "HAND_DSB": _dead_small,
    "HAND_AB": _both,
}
"""A blind's `KIND` → how it is told."""


def _ante(told: Game, line: Line) -> bool:
    seat = _seat(told, line)
    if not seat or not line.get("value"):
        return False
    told.ante(seat, told.chips(line.get("value")))
    return True


def _deal(told: Game, line: Line) -> bool:
    seat = _seat(told, line)
    if not seat or None in line.cards:
        return False
    if line.known:
        told.holds[seat] = line.cards
        told.put(HoleCardsDealt(seat, line.known))
    return True


def _board(told: Game, line: Line) -> bool:
    told.deal_complete()
    if told.game.variant == "draw5":
        if told.street != "first-draw":
            told.deal_street("first-draw")
        return not line.cards
    street, count = BOARDS.get(line.get("value"), ("showdown", 0))
    if not count or len(line.cards) < count or None in line.cards:
        return False
    new = "".join(one or "" for one in line.cards[told.lying : count])
    told.lying = count
    told.board(street, new)
    return True


def _change(told: Game, line: Line) -> bool:
    """Tell a draw: each new card lies where the one did that was thrown away."""
    seat, count = _seat(told, line), line.get("count").strip()
    if not seat or not (count.isascii() and count.isdecimal() and len(count) == 1):
        return False
    if count == "0":
        told.put(StoodPat(seat))
        return True
    before = told.holds.get(seat, [])
    changed = [
        (old or "", new or "") for old, new in zip(before, line.cards, strict=False) if old != new and line.known
    ]
    whole = len(changed) == int(count)
    gone = "".join(old for old, _ in changed) if whole else ""
    told.put(CardsDiscarded(seat, int(count), gone))
    if whole:
        told.holds[seat] = line.cards
        told.put(CardsDrawn(seat, "".join(new for _, new in changed)))
    return True


def _act(make: Callable[[Game, Seat, Chips], None], *, sum_due: bool = True) -> Make:
    def told_by(told: Game, line: Line) -> bool:
        seat, value = _seat(told, line), line.get("value")
        if not seat or seat in told.folded or (sum_due and not value):
            return False
        told.deal_complete()
        make(told, seat, told.chips(value) if sum_due else 0)
        return True

    return told_by


def _fold(told: Game, seat: Seat, _amount: Chips) -> None:
    told.fold(seat)


def _check(told: Game, seat: Seat, _amount: Chips) -> None:
    told.check(seat)


def _call(told: Game, seat: Seat, amount: Chips) -> None:
    """Call: older files write the street's total, newer ones the chips added."""
    before = told.bets[seat]
    if amount >= told.level:
        told.call_to(seat, amount)
    elif before + amount == told.level:
        told.call(seat, amount)
    else:
        told.call_to(seat, _total(told, seat, amount, added=told.head.added))


def _total(told: Game, seat: Seat, amount: Chips, *, added: bool) -> Chips:
    """Return the street's total of a seat that puts its last chips in.

    Its stack tells whether the amount is that total or the chips added; else `added` says it.
    """
    before, stack = told.bets[seat], told.stacks.get(seat)
    if stack is not None:
        left = stack - told.put_in[seat]
        if amount == left:
            return before + amount
        if amount == left + before:
            return amount
    return before + amount if added else amount


def _bet(told: Game, seat: Seat, amount: Chips) -> None:
    told.wager(seat, told.bets[seat] + amount)


def _raise(told: Game, seat: Seat, amount: Chips) -> None:
    told.raise_to(seat, amount)


def _all_in(told: Game, seat: Seat, amount: Chips) -> None:
    told.wager(seat, _total(told, seat, amount, added=False), all_in=True)


_ACTS: Final[dict[str, Make]] = {
    "HAND_BLINDS": _post,
    "HAND_ANTE": _ante,
    "HAND_DEAL": _deal,
    "HAND_BOARD": _board,
    "CHANGECARD": _change,
    "ACTION_FOLD": _act(_fold, sum_due=False),
    "ACTION_CHECK": _act(_check, sum_due=False),
    "ACTION_CALL": _act(_call),
    "ACTION_BET": _act(_bet),
    "ACTION_RAISE": _act(_raise),
    "ACTION_ALLIN": _act(_all_in),
}
"""An action's type → how it is told."""
