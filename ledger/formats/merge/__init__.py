"""The XML of the Merge network: what its clients stored, in both versions.

`docs/formats/merge.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from typing import Final

from ledger.formats.merge.acts import BUSY, KINDS, Game, board, hole, reveal, tell_event
from ledger.formats.merge.header import (
    ADDED_BEFORE,
    BOARDS,
    FIRST,
    LATER,
    STREETS,
    WITNESSES,
    Description,
    Line,
    Parts,
    Round,
    description,
    header,
    parts,
    started,
)
from ledger.hand.ending import Half, HandCompleted, ShowdownBegun
from ledger.hand.opening import BlindPosted, SeatDealtIn
from ledger.people import People
from ledger.readers import markup
from ledger.readers.hand import nobody
from ledger.readers.marked import Source
from ledger.readers.settling import infer_rake, within_awards
from ledger.vocabulary import Seat, Witness


def _tell(source: Source, found: Parts, known: Description, people: People, exponent: int | None) -> Game:
    """Tell a game. What is damaged raises `UnreadableHandError`."""
    head = header(found.found, known, exponent, ADDED_BEFORE)
    told = Game(source, people, found, head)
    if head.costs:
        told.put(head.costs)
    _seats(told, head.number)
    for one in found.rounds:
        _round(told, one)
        if one.name == "BLINDS":
            told.posts = told.put_in.copy()
    for start, stop in found.unknown:
        told.strange(start, stop)
    _settle(told)
    if head.posted and told.posts:
        _restack(told)
    moments = [line.moment for line in found.events()]
    first = next((one for one in moments if one), None)
    timed = len(set(moments)) > 1 and None not in moments
    witnesses = WITNESSES | told.blinds_told | (int(Witness.TIMES) if timed else 0)
    moment = started(head.written, first)
    told.opened(head.table, head.number, witnesses, moment, head.written, head.seats, head.tournament)
    return told


def _seats(told: Game, number: str) -> None:
    """Tell who sits where. Who is dealt in shows in who has something to do, not in `dealtin` alone."""
    found = told.found
    busy = {line.seat for line in found.events(FIRST) if line.get("type") in BUSY}
    busy |= {line.seat for one in found.rounds for line in one.cards if line.get("player")}
    over = any(one.winners for one in found.rounds)
    listed: set[Seat] = set()
    for line in sorted(found.players, key=lambda one: one.seat or 0):
        told.at_line(line)
        seat = line.seat
        if seat is None:
            told.unknown(line)
            continue
        listed.add(seat)
        name = line.get("nickname")
        stack = told.chips(line.get("balance")) if line.get("balance") else None
        told_in = line.get("dealtin") == "true"
        if seat in busy or (told_in and not over):
            if name in told.seats:  # the files name nobody by it but in the chat
                name = f"{name} "
            told.sit(seat, name, stack)
        else:
            if told_in:
                told.inferred.append(len(told.events))
            told.leave_out(seat, name, stack, "no-chips" if stack == 0 else "unknown")
    acting = ((line.tag, line.seat) for line in found.events(FIRST) if line.get("type") in BUSY)
    told.sit_unlisted(acting, listed, number)
    if not listed:
        raise nobody("the game breaks off before its players")
    if found.dealer:
        told.place_button(found.dealer.tag, found.dealer.seat)


def _round(told: Game, one: Round) -> None:
    """Tell a round: what is dealt with it, what is done in it, what it pays."""
    name = one.name
    told.place(one.tag)
    if name in BOARDS:
        told.deal_complete()
        board(told, one)
    elif name in STREETS:
        told.deal_complete()
        told.deal_street(STREETS[name])
        told.thrown.clear()
    elif name == "SHOWDOWN":
        told.deal_complete()
        told.put(ShowdownBegun())
    elif name not in FIRST and name not in LATER:
        told.strange(one.tag.start, one.tag.stop)
    drawing = name.endswith("_DRAW") and name in STREETS
    if not drawing:
        hole(told, one)
    if name not in ("BLINDS", "BRING_IN", *LATER):
        told.deal_complete()
    shown = one.of("SHOWN", "MUCKED")
    for line in one.events:
        tell_event(told, one, line, shown)
    if drawing:
        hole(told, one)
    for line in shown:  # of nobody who is said to show
        reveal(told, line)
    if name == "BRING_IN":
        told.deal_complete()
    for line in one.cards:
        if line.get("type") not in KINDS:
            told.unknown(line)


def _restack(told: Game) -> None:
    """Add what was posted to stacks that are told without it."""
    for index, event in enumerate(told.events):
        if isinstance(event, SeatDealtIn) and event.stack is not None:
            posts = told.posts[event.seat]
            if posts:
                told.events[index] = SeatDealtIn(event.seat, event.player, event.stack + posts)
                if index not in told.inferred:
                    told.inferred.append(index)


_HALVES: Final[dict[str, Half]] = {"h": "high", "l": "low"}


def _settle(told: Game) -> None:
    """Tell the winners. A game that names none is not over."""
    winners = [line for one in told.found.rounds for line in one.winners]
    told.close_bets()
    _say(told, winners)
    parted = False
    for line in winners:
        if line.get("uncalled") == "true":
            parted = _back(told, line) or parted
    for line in winners:
        if line.get("uncalled") != "true":
            _award(told, line)
    if not told.paid and not parted:
        return
    if not parted:
        within_awards(told, always=True)
    told.return_bets()
    told.at = told.whole
    infer_rake(told)
    told.put(HandCompleted())


def _back(told: Game, line: Line) -> bool:
    """Give back what nobody called; False for a seat that is not in the hand."""
    told.at_line(line)
    seat = line.seat
    if seat is None or seat not in told.stacks:
        told.unknown(line)
        return False
    told.give_back(seat, told.chips(line.get("amount")))
    return True


def _award(told: Game, line: Line) -> None:
    told.at_line(line)
    seat, number = line.seat, line.get("potnumber")
    if seat is None or seat not in told.stacks:
        told.unknown(line)
        return
    pot = int(number) - 1 if number.isascii() and number.isdecimal() and 0 < len(number) < 3 else None
    half = _HALVES.get(line.get("pottype"), "")
    told.award(seat, told.chips(line.get("amount")), pot if pot != -1 else None, half=half)


def _say(told: Game, winners: list[Line]) -> None:
    """Infer the one post that the file tells with an amount of 0: what is missing in the pots.

    Only in tournaments, where nothing is taken out of them.
    """
    if told.unsaid < 0 or told.game.format != "tournament" or not winners:
        return
    missing = sum(told.chips(line.get("amount")) for line in winners) - sum(told.put_in)
    event = told.events[told.unsaid]
    if missing > 0 and isinstance(event, BlindPosted):
        told.put_in[event.seat] += missing
        told.posts[event.seat] += missing
        told.events[told.unsaid] = BlindPosted(event.seat, event.role, missing, 0, all_in=True)
        told.inferred.append(told.unsaid)


FORMAT: Final = markup.xml_format(
    "merge",
    "Merge network XML",
    markup.together(
        "game",
        "description",
        description,
        parts,
        _tell,
        missing="Which game is played, and for what, stands in the description before a file's games.",
    ),
    markup.sniffer(
        ('<game id="', "<description type="),
        ("<description type=", "numholecards=", "<players dealer=", '<round id="'),
        (0, 40, 70, 95, 98),
    ),
    "<game ",
    "<description",
)
