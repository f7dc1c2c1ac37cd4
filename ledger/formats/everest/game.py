"""One hand, element by element."""

from __future__ import annotations

from ledger.formats.everest.acts import ACTS, BUSY, Game
from ledger.formats.everest.header import Session, header
from ledger.formats.everest.parts import Element
from ledger.formats.everest.words import VENUE, WITNESSES, chips
from ledger.hand.ending import DropTaken, HandCompleted, ResultDeclared
from ledger.hand.opening import ButtonPlaced, HandOpened
from ledger.people import People
from ledger.readers.hand import SEATS, nobody
from ledger.readers.marked import Source
from ledger.vocabulary import Seat, Witness

_TEXTS = frozenset(("hole", "sweep", "community", "show", "chat"))
"""Elements that have a text."""


def tell(source: Source, found: list[Element], known: Session, people: People) -> Game:
    """Tell a hand; `found` begins with its own element. What is damaged raises `UnreadableHandError`."""
    head = header(found[0].found, known)
    told = Game(source, people, head.game, found[0].tag)
    if head.costs:
        told.put(head.costs)
    _seats(told, found, head.number)
    for one in found[1:]:
        _element(told, one)
    if found[0].text:
        told.strange(found[0].tag.stop, found[0].stop)
    _settle(told)
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if told.own else 0)
    if told.game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    told.open(HandOpened(VENUE, known.table, head.number, witnesses, head.started, head.written, 0, known.tournament))
    return told


def _element(told: Game, one: Element) -> None:
    name = one.tag.name
    if name in _TEXTS:
        told.place(one.tag, one.stop)
    else:
        told.place(one.tag)
    make = ACTS.get(name)
    if make is not None and not make(told, one):
        told.strange(one.tag.start, one.stop)
    elif make is None and name[0] != "/":
        told.strange(one.tag.start, one.tag.stop)
    if one.text and name not in _TEXTS:
        told.strange(one.tag.stop, one.stop)


def _seats(told: Game, found: list[Element], number: str) -> None:
    """Tell who sits where: who gets no card and does nothing is not dealt in."""
    busy = {one.seat for one in found if one.tag.name in BUSY}
    begun = any(one.tag.name == "hole" for one in found)
    listed: set[Seat] = set()
    for one in sorted((one for one in found if one.tag.name == "seat"), key=lambda e: e.seat or 0):
        told.place(one.tag)
        seat = one.seat
        if seat is None:
            told.strange(one.tag.start, one.tag.stop)
            continue
        listed.add(seat)
        stack = chips(one.get("balance"))
        if seat in busy or not begun:
            told.sit(seat, one.get("name"), stack)
        else:
            told.leave_out(seat, one.get("name"), stack, "no-chips" if stack == 0 else "unknown")
    for one in found:
        seat = one.seat
        if seat and seat not in listed and seat < SEATS and one.tag.name in BUSY:
            listed.add(seat)
            told.place(one.tag)
            told.derived.append(len(told.events))
            told.sit(seat, f"? {number} {seat}", None)
    if not told.stacks:
        raise nobody("the hand breaks off before its players")
    dealer = next((one for one in found if one.tag.name == "dealer"), None)
    if dealer is not None:
        told.place(dealer.tag)
        if dealer.seat and dealer.seat < SEATS:
            told.put(ButtonPlaced(dealer.seat))
        else:
            told.strange(dealer.tag.start, dealer.tag.stop)


def _settle(told: Game) -> None:
    """Tell rake and tax as the last pot declares them. A hand that pays nobody is not over."""
    told.close_bets()
    if not told.paid:
        return
    if told.total is not None:
        tag, pot, rake, tax = told.total
        told.place(tag)
        told.drop("rake", rake)
        if tax:
            told.taken += tax
            told.put(DropTaken("tax", tax))
        told.put(ResultDeclared("total-pot", amount=pot + rake + tax))
    told.return_bets()
    told.at = told.whole
    told.put(HandCompleted())
