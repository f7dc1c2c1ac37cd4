"""One game, told round by round: cards that come with a round first, then its events."""

from __future__ import annotations

from ledger.formats.merge import acts, dealing, settle
from ledger.formats.merge.header import Description, Header, header, started
from ledger.formats.merge.parts import Line, Parts, Round
from ledger.formats.merge.words import ADDED_BEFORE, BOARDS, FIRST, LATER, STREETS, STUD, VENUE, WITNESSES
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import ShowdownBegun
from ledger.hand.opening import ButtonPlaced, HandOpened, SeatDealtIn
from ledger.people import People
from ledger.readers.hand import SEATS, nobody
from ledger.readers.marked import Source
from ledger.readers.markup import XmlHandBuilder
from ledger.vocabulary import Chips, Millis, Seat, Witness


class Game(XmlHandBuilder):
    """The hand being told."""

    __slots__ = ("added", "antes", "dealt", "found", "holds", "own", "posts", "small", "thrown", "unsaid", "voided")

    def __init__(self, source: Source, people: People, found: Parts, head: Header) -> None:
        super().__init__(source, people, VENUE, head.game, found.tag)
        self.found = found
        self.added = head.added
        self.small: Seat = 0  # who posted it
        self.antes: set[Seat] = set()
        self.posts: list[Chips] = []  # what each seat posted
        self.unsaid = -1  # the post whose amount the file does not say
        self.holds: dict[Seat, list[str]] = {}  # cards as last told
        self.thrown: dict[Seat, int] = {}  # where this draw's CardsDiscarded stand
        self.dealt = False  # every seat has its first cards
        self.own = False  # the file's owner has cards
        self.voided = False
        if head.game.variant in STUD:
            self.street = "third"

    def at_line(self, line: Line) -> None:
        """Point at an element."""
        self.place(line.tag)

    def unknown(self, line: Line) -> None:
        """Keep an element that says nothing that can be."""
        self.strange(line.tag.start, line.tag.stop)

    def deal_complete(self) -> None:
        """Say that every seat has its first cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())


def tell(source: Source, found: Parts, known: Description, people: People, exponent: int | None) -> Game:
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
    settle.settle(told)
    if head.posted and told.posts:
        _restack(told)
    moments = [line.moment for line in found.events()]
    first = next((one for one in moments if one), None)
    told.open(
        HandOpened(
            VENUE,
            head.table,
            head.number,
            _witnesses(told, moments),
            started(head.written, first),
            head.written,
            head.seats,
            head.tournament,
        )
    )
    return told


def _witnesses(told: Game, moments: list[Millis | None]) -> int:
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if told.own else 0)
    if told.game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if len(set(moments)) > 1 and None not in moments:
        witnesses |= int(Witness.TIMES)
    return witnesses


def _seats(told: Game, number: str) -> None:
    """Tell who sits where. Who is dealt in shows in who has something to do, not in `dealtin` alone."""
    found = told.found
    busy = {line.seat for line in found.events(FIRST) if line.get("type") in acts.BUSY}
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
                told.derived.append(len(told.events))
            told.leave_out(seat, name, stack, "no-chips" if stack == 0 else "unknown")
    for line in found.events(FIRST):
        if (seat := line.seat) and seat not in listed and line.get("type") in acts.BUSY:
            if seat >= SEATS:
                continue
            listed.add(seat)
            told.at_line(line)
            told.derived.append(len(told.events))
            told.sit(seat, f"? {number} {seat}", None)
    if not listed:
        raise nobody("the game breaks off before its players")
    if found.dealer and found.dealer.seat and 0 < found.dealer.seat < SEATS:
        told.at_line(found.dealer)
        told.put(ButtonPlaced(found.dealer.seat))


def _round(told: Game, one: Round) -> None:
    """Tell a round: what is dealt with it, what is done in it, what it pays."""
    name = one.name
    told.place(one.tag)
    if name in BOARDS:
        told.deal_complete()
        dealing.board(told, one)
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
        dealing.hole(told, one)
    if name not in ("BLINDS", "BRING_IN", *LATER):
        told.deal_complete()
    shown = one.of("SHOWN", "MUCKED")
    for line in one.events:
        acts.tell(told, one, line, shown)
    if drawing:
        dealing.hole(told, one)
    for line in shown:  # of nobody who is said to show
        acts.reveal(told, line)
    if name == "BRING_IN":
        told.deal_complete()
    for line in one.cards:
        if line.get("type") not in dealing.KINDS:
            told.unknown(line)


def _restack(told: Game) -> None:
    """Add what was posted to stacks that are told without it."""
    for index, event in enumerate(told.events):
        if isinstance(event, SeatDealtIn) and event.stack is not None:
            posts = told.posts[event.seat]
            if posts:
                told.events[index] = SeatDealtIn(event.seat, event.player, event.stack + posts)
                if index not in told.derived:
                    told.derived.append(index)
