"""The hand being told: its cards, and from an event's type to how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.merge.header import BOARDS, DRAW, STUD, VENUE, Header, Line, Parts, Round, cards
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, HoleCardsDealt, RabbitShown, StoodPat
from ledger.hand.ending import CardsMucked, CardsShown, HandVoided, PlayerFinished
from ledger.hand.opening import AntePosted
from ledger.people import People
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, SeatLeft, WordsSaid
from ledger.readers import acts
from ledger.readers.marked import Source
from ledger.readers.markup import XmlHandBuilder
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat


class Game(XmlHandBuilder):
    """The hand being told."""

    def __init__(self, source: Source, people: People, found: Parts, head: Header) -> None:
        super().__init__(source, people, VENUE, head.game, found.tag)
        self.found = found
        self.added = head.added
        self.posts: list[Chips] = []  # what each seat posted
        self.unsaid = -1  # the post whose amount the file does not say
        self.holds: dict[Seat, list[str]] = {}  # cards as last told
        self.thrown: dict[Seat, int] = {}  # where this draw's CardsDiscarded stand
        if head.game.variant in STUD:
            self.street = "third"

    def at_line(self, line: Line) -> None:
        """Point at an element."""
        self.place(line.tag)

    def unknown(self, line: Line) -> None:
        """Keep an element that says nothing that can be."""
        self.strange(line.tag.start, line.tag.stop)


KINDS: Final = frozenset(("COMMUNITY", "HOLE", "DRAW_DRAWN_CARDS", "SHOWN", "MUCKED"))
"""The types of `cards`."""

_FACES: Final = "dduuuud"
"""How the cards of a stud hand lie."""


def board(told: Game, one: Round) -> None:
    """Deal a round's new community cards.

    A round may lack its own; then a later one, which tells all that lie there, is believed.
    """
    street, first, behind = BOARDS[one.name]
    lines = one.of("COMMUNITY")
    for line in lines:
        told.at_line(line)
        found = cards(line.get("cards"))
        if found is None or len(found) < behind:
            told.unknown(line)
            continue
        if street != told.street:
            told.board(street, "".join(found[first:behind]))
    if street != told.street:
        told.place(one.tag)
        told.next_street(street)
        known = _whole(told)[first:behind]
        told.infer(BoardDealt(street, "".join(known) or UNKNOWN_CARD * (behind - first)))


def _whole(told: Game) -> list[str]:
    """Return the longest board that any round tells."""
    found = [cards(line.get("cards")) or [] for one in told.found.rounds for line in one.of("COMMUNITY")]
    return max(found, key=len, default=[])


def hole(told: Game, one: Round) -> None:
    """Deal a round's cards to players: those that were not told before."""
    for line in one.of("HOLE", "DRAW_DRAWN_CARDS"):
        told.at_line(line)
        seat, found = line.seat, cards(line.get("cards"))
        if seat is None or seat not in told.stacks or found is None:
            told.unknown(line)
            continue
        own = line.get("type") == "HOLE" or told.game.variant in DRAW
        told.own = told.own or own
        if told.game.variant in STUD:
            _upwards(told, seat, found, own=own)
        elif told.game.variant in DRAW and seat in told.holds:
            _drawn(told, seat, found)
        elif seat not in told.holds:
            told.put(HoleCardsDealt(seat, "".join(found)))
        told.holds[seat] = found


def _upwards(told: Game, seat: Seat, found: list[str], *, own: bool) -> None:
    """Deal the cards of a stud hand that lie behind those told before."""
    before = len(told.holds.get(seat, ()))
    new = found[before:]
    if new:
        faces = _FACES[before : before + len(new)].ljust(len(new), "d")
        how = "owner" if own else "dealt-up" if "u" in faces else "unknown"
        told.put(HoleCardsDealt(seat, "".join(new), faces, how))  # type: ignore[arg-type]  # one of three


def _drawn(told: Game, seat: Seat, found: list[str]) -> None:
    """Tell a draw: each new card lies where the one did that was thrown away."""
    before = told.holds[seat]
    pairs = [(old, new) for old, new in zip(before, found, strict=False) if old != new]
    index = told.thrown.get(seat, -1)
    event = told.events[index] if index >= 0 else None
    if isinstance(event, CardsDiscarded) and event.count == len(pairs):
        told.events[index] = CardsDiscarded(seat, event.count, "".join(old for old, _ in pairs))
    if pairs:
        told.put(CardsDrawn(seat, "".join(new for _, new in pairs)))


def draw(told: Game, seat: Seat, line: Line) -> bool:
    """Tell how many cards a seat throws away; False if that is no number."""
    text = line.get("text").strip()
    if not (text.isascii() and text.isdecimal() and len(text) == 1):
        return False
    if text != "0":
        told.thrown[seat] = len(told.events)
    told.put(CardsDiscarded(seat, int(text)) if text != "0" else StoodPat(seat))
    return True


_WORDS_MOST: Final = 2000


def tell_event(told: Game, one: Round, line: Line, shown: list[Line]) -> None:
    """Tell an event; cards that it shows are taken out of `shown`. What nobody knows is kept."""
    told.at_line(line)
    before = len(told.events)
    if not _told(told, one, line, shown):
        told.unknown(line)
    moment = line.moment
    if moment:
        for index in range(before, len(told.events)):
            told.times[index] = moment


def _told(told: Game, one: Round, line: Line, shown: list[Line]) -> bool:
    kind, seat, written = line.get("type"), line.seat, line.get("amount")
    whole = _OF_HAND.get(kind)
    if whole is not None:
        return whole(told, line)
    if seat is None or seat not in told.stacks:
        return False
    if kind in ("SHOW", "MUCK"):
        mine = next((card for card in shown if card.seat == seat), None)
        if mine:
            shown.remove(mine)
            return reveal(told, mine)
        told.put(CardsShown(seat, "") if kind == "SHOW" else CardsMucked(seat))
        return True
    of_seat = _OF_SEAT.get(kind)
    if of_seat is not None:
        told.put(of_seat(told, seat))
        return True
    if seat in told.folded:
        return False  # who has folded does nothing more: the room's own error
    if kind == "ALL_IN" and not written and told.stacks[seat] == told.put_in[seat] and one.name != "BLINDS":
        told.remark(line.tag)
        return True  # said again of a seat that has put all in
    if kind == "DRAW" and one.name != "BLINDS":
        return draw(told, seat, line)
    make = (_POSTS if one.name == "BLINDS" else _ACTS).get(kind)
    idle = kind in ("FOLD", "CHECK")
    if make is None or not (idle or written):
        if make is not None and one.name == "BLINDS":
            raise UnreadableHandError("a post has no amount", kind="amount")
        return False
    make(told, seat, 0 if idle else told.chips(written), None)
    return True


def reveal(told: Game, line: Line) -> bool:
    """Tell the cards of a hand that is shown or mucked, at their own place."""
    seat, found = line.seat, cards(line.get("cards"))
    if seat is None or seat not in told.stacks or found is None:
        told.unknown(line)
        return True
    if line.get("type") == "SHOWN":
        told.put(CardsShown(seat, "".join(found)))
    else:
        told.put(CardsMucked(seat, "".join(found)))
    return True


# -- not of a seat in the hand ------------------------------------------------------------------


def _chat(told: Game, line: Line) -> bool:
    name = line.get("player")
    words = told.people.text(line.get("text")[:_WORDS_MOST])
    told.put(WordsSaid(words, told.seats.get(name), told.player(name) if name else ""))
    return True


def _cancelled(told: Game, _line: Line) -> bool:
    told.put(HandVoided("cancelled"))
    return True


def _rabbit(told: Game, line: Line) -> bool:
    found = cards(line.get("text"))
    if found is not None:
        told.put(RabbitShown("".join(found)))
    return found is not None


def _lost(told: Game, line: Line) -> bool:
    told.put(ConnectionLost(line.seat))
    return line.seat is not None


def _restored(told: Game, line: Line) -> bool:
    told.put(ConnectionRestored(line.seat))
    return line.seat is not None


_OF_HAND: Final[dict[str, Callable[[Game, Line], bool]]] = {
    "CHAT": _chat,
    "GAME_CANCELLED": _cancelled,
    "RABBIT": _rabbit,
    "DISCONNECTED": _lost,
    "RECONNECTED": _restored,
}


# -- of a seat, folded or not -------------------------------------------------------------------


def _player(told: Game, seat: Seat) -> str:
    return next((told.player(name) for name, one in told.seats.items() if one == seat), "")


_OF_SEAT: Final[dict[str, Callable[[Game, Seat], Event]]] = {
    "PLAYER_OUT": lambda _told, seat: PlayerFinished(seat),
    "LEAVE": lambda told, seat: SeatLeft(seat, _player(told, seat)),
    "SIT_OUT": lambda told, seat: PlayerAway(seat, _player(told, seat), why="sits-out"),
}


# -- posts and acts -----------------------------------------------------------------------------


def _return(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Post what was missed: less than the big blind is dead, more than it holds a dead small one."""
    if not told.blind or amount == told.blind:
        told.post(seat, "makeup-big", amount)
    elif amount < told.blind:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.post_both(seat, amount)


def _all_in_post(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    """Put the last chips in as what is due next; without an amount the winners' sum tells it later."""
    others = told.found.rounds[0].events
    antes = {event.seat for event in told.events if isinstance(event, AntePosted)}
    if antes and seat not in antes:
        told.ante(seat, amount, all_in=True)
    elif not told.first_small and any(one.get("type") == "BIG_BLIND" for one in others) and not told.big:
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "entry" if told.big else "big", amount, all_in=True)
    if not amount:
        told.unsaid = len(told.events) - 1


def _raise(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    told.raise_to(seat, amount + (told.bets[seat] if told.added else 0))


def _bring_in(told: Game, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    told.deal_complete()
    told.bring_in(seat, amount)


_POSTS: Final[dict[str, acts.Make]] = {
    "ANTE": acts.antes,
    "SMALL_BLIND": acts.one_small_blind,
    "BIG_BLIND": acts.one_big_blind,
    "INITIAL_BLIND": acts.enters,
    "RETURN_BLIND": _return,
    "ALL_IN": _all_in_post,
    "BRING_IN": acts.brings_in,
}
"""What is posted in the round of the blinds."""
_ACTS: Final[dict[str, acts.Make]] = {
    "FOLD": acts.folds,
    "CHECK": acts.checks,
    "CALL": acts.calls,
    "BET": acts.wagers_by,
    "RAISE": _raise,
    "COMPLETE": acts.raises_to,
    "ALL_IN": acts.puts_all_in,
    "BRING_IN": _bring_in,
}
"""What is done in the other rounds, beside the draw."""

BUSY: Final = frozenset((*_POSTS, *_ACTS, "DRAW"))
"""Events of who is dealt in."""
