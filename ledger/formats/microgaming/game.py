"""One game, action by action: from an action's type to how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.microgaming.header import Header, header
from ledger.formats.microgaming.parts import Line, Parts
from ledger.formats.microgaming.settle import settle
from ledger.formats.microgaming.words import BOARDS, VENUE, WITNESSES, card, named
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, RemarkNoted
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.people import People
from ledger.readers.hand import SEATS, nobody
from ledger.readers.marked import Source
from ledger.readers.markup import XmlHandBuilder
from ledger.vocabulary import Seat, Witness


class Game(XmlHandBuilder):
    """The hand being told."""

    __slots__ = ("dealt", "found", "head", "own", "small")

    def __init__(self, source: Source, people: People, found: Parts, head: Header) -> None:
        super().__init__(source, people, VENUE, head.game, found.tag)
        self.found = found
        self.head = head
        self.small: Seat = 0  # who posted it
        self.dealt = False  # every seat has its cards
        self.own = False  # the file's owner has cards

    def deal_complete(self) -> None:
        """Say that every seat has its cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())


def tell(source: Source, found: Parts, people: People, exponent: int | None) -> Game:
    """Tell a game. What is damaged raises `UnreadableHandError`."""
    head = header(found.found, exponent)
    told = Game(source, people, found, head)
    if head.costs:
        told.put(head.costs)
    _seats(told)
    for line in found.actions:
        told.place(line.tag, line.stop)
        make = _ACTS.get(line.get("type"))
        if make is None or not make(told, line):
            told.strange(line.tag.start, line.stop)
    for start, stop in found.remarks:
        told.stretch(start, stop)
        told.put(RemarkNoted(told.people.text(source.words(start, stop))))
    for start, stop in found.unknown:
        told.strange(start, stop)
    settle(told)
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if told.own else 0)
    if told.game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if head.rake is not None:
        witnesses |= int(Witness.DROP)
    told.open(HandOpened(VENUE, head.table, head.number, witnesses, None, head.written, head.seats, head.tournament))
    return told


def _seats(told: Game) -> None:
    """Tell who sits where. Who is said to sit out may still be dealt in: acts show it."""
    found = told.found
    busy = {line.seat for line in found.actions if line.get("type") in BUSY}
    over = any(line.paid for line in found.actions)
    button: tuple[Line, Seat] | None = None
    listed: set[Seat] = set()
    for line in sorted(found.seats, key=lambda one: one.seat or 0):
        told.place(line.tag)
        seat = line.seat
        if seat is None:
            told.strange(line.tag.start, line.stop)
            continue
        listed.add(seat)
        if line.get("dealer") == "true":
            button = line, seat
        name = named(line.get("alias"), line.get("unicodealias"))
        stack = told.chips(line.get("balance")) if line.get("balance") else None
        away = line.get("sittingout") == "true"
        if seat in busy or not (away or over):
            told.sit(seat, name, stack)
        else:
            if not away:
                told.derived.append(len(told.events))
            reason = "sitting-out" if away else "no-chips" if stack == 0 else "unknown"
            told.leave_out(seat, name, stack, reason)  # type: ignore[arg-type]  # all are named there
    for line in found.actions:
        seat = line.seat
        if seat and seat < SEATS and seat not in listed and line.get("type") in BUSY:
            listed.add(seat)
            told.place(line.tag)
            told.derived.append(len(told.events))
            told.sit(seat, f"? {told.head.number} {seat}", None)
    if not told.stacks:
        raise nobody("the game breaks off before its players")
    if button:
        told.place(button[0].tag)
        told.put(ButtonPlaced(button[1]))


Make: TypeAlias = Callable[[Game, Line], bool]
"""Tells an action; False where it says nothing that can be."""


def _post(make: Callable[[Game, Seat, int], None]) -> Make:
    def told_by(told: Game, line: Line) -> bool:
        seat = line.seat
        if seat is None or seat not in told.stacks or not line.get("value"):
            return False
        make(told, seat, told.chips(line.get("value")))
        return True

    return told_by


def _act(make: Callable[[Game, Seat, int], None]) -> Make:
    def told_by(told: Game, line: Line) -> bool:
        seat = line.seat
        if seat is None or seat not in told.stacks or seat in told.folded:
            return False
        told.deal_complete()
        make(told, seat, told.chips(line.get("value") or "0"))
        return True

    return told_by


def _small(told: Game, seat: Seat, amount: int) -> None:
    if told.small and told.small != seat:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.small = seat
        told.post(seat, "small", amount)


def _big(told: Game, seat: Seat, amount: int) -> None:
    told.post(seat, "entry" if told.big and told.big != seat else "big", amount)


def _to_play(told: Game, seat: Seat, amount: int) -> None:
    """Post to get a hand: a small blind makes up a missed one and counts for a bet, more comes in."""
    small = told.game.blinds[0] if len(told.game.blinds) == 2 else 0
    told.post(seat, "makeup-small" if amount == small else "entry", amount)


def _ante(told: Game, seat: Seat, amount: int) -> None:
    told.ante(seat, amount)


def _bad_beat(told: Game, seat: Seat, amount: int) -> None:
    """Take a contribution to the jackpot: from the seat's stack, not from the pot."""
    told.dead(seat, amount)
    told.taken += amount
    told.put(DropTaken("jackpot", amount))


def _back(told: Game, seat: Seat, amount: int) -> None:
    told.give_back(seat, amount)


def _fold(told: Game, seat: Seat, _amount: int) -> None:
    told.fold(seat)


def _check(told: Game, seat: Seat, _amount: int) -> None:
    told.check(seat)


def _call(told: Game, seat: Seat, amount: int) -> None:
    told.call(seat, amount)


def _wager(told: Game, seat: Seat, amount: int) -> None:
    """Bet or raise, as the bet before shows: `Bet` also stands where blinds are raised."""
    told.wager(seat, told.bets[seat] + amount)


def _all_in(told: Game, line: Line) -> bool:
    """Put the last chips in: before the big blind as the post that is due, later as a wager."""
    seat = line.seat
    if seat is None or seat not in told.stacks or seat in told.folded or not line.get("value"):
        return False
    amount = told.chips(line.get("value"))
    if told.big or told.dealt:
        told.deal_complete()
        told.wager(seat, told.bets[seat] + amount, all_in=True)
    elif not told.small and any(one.get("type") == "BigBlind" for one in told.found.actions):
        told.small = seat
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "big", amount, all_in=True)
    return True


def _cards(told: Game, line: Line) -> tuple[Seat, str] | None:
    """Return a seat with the cards of an action; None where one is no card."""
    seat = line.seat
    found = [card(one.get("value", ""), one.get("suit", "")) for one in line.cards]
    if seat is None or seat not in told.stacks or None in found:
        return None
    return seat, "".join(one or "" for one in found)


def _deal(told: Game, line: Line) -> bool:
    found = _cards(told, line)
    if found is None or not found[1]:
        return False
    told.own = told.own or found[0] == told.head.owner
    told.put(HoleCardsDealt(*found))
    return True


def _board(told: Game, line: Line) -> bool:
    found = [card(one.get("value", ""), one.get("suit", "")) for one in line.cards]
    if None in found or not found:
        return False
    told.deal_complete()
    told.board(BOARDS[line.get("type")], "".join(one or "" for one in found))
    return True


def _show(told: Game, line: Line) -> bool:
    found = _cards(told, line)
    if found is None:
        return False
    told.put(CardsShown(*found))
    return True


def _muck(told: Game, line: Line) -> bool:
    found = _cards(told, line)
    if found is None:
        return False
    told.put(CardsMucked(*found))
    return True


def _win(_told: Game, line: Line) -> bool:
    return bool(line.paid)  # told when all are known


_ACTS: Final[dict[str, Make]] = {
    "SmallBlind": _post(_small),
    "BigBlind": _post(_big),
    "PostedToPlay": _post(_to_play),
    "Ante": _post(_ante),
    "BadBeatContribution": _post(_bad_beat),
    "MoneyReturned": _post(_back),
    "DealCards": _deal,
    **dict.fromkeys(BOARDS, _board),
    "Fold": _act(_fold),
    "Check": _act(_check),
    "Call": _act(_call),
    "Bet": _act(_wager),
    "Raise": _act(_wager),
    "AllIn": _all_in,
    "ShowCards": _show,
    "MuckCards": _muck,
    "Win": _win,
}
"""An action's type → how it is told."""

BUSY: Final = frozenset(
    ("SmallBlind", "BigBlind", "PostedToPlay", "Ante", "DealCards", "Fold", "Check", "Call", "Bet", "Raise", "AllIn")
)
"""Actions of who is dealt in."""
