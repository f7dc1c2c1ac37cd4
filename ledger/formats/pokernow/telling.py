"""The rows of a log parted into hands, each to its events; facts that only a table can have are told beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, get_args

import msgspec

from ledger.account import TableAccount
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokernow import table
from ledger.formats.pokernow.hand import LINES, Hand, is_act
from ledger.formats.pokernow.rows import STACKS, VENUE, WITNESSES, Row, game
from ledger.formats.pokernow.table import Table
from ledger.hand.ending import HandCompleted, LineUnread, RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameFormat, GameSet
from ledger.notation import Chunk, Item
from ledger.presence import PresenceEvent, SeatTaken
from ledger.readers.documents import reject
from ledger.readers.games import unknown_game
from ledger.readers.hand import HandBuilder
from ledger.readers.reading import in_unit
from ledger.readers.spans import Spans
from ledger.table.events import GameStarted
from ledger.vocabulary import Witness

STARTS: Final = "-- starting hand #"
ENDS: Final = "-- ending hand #"


@dataclass(slots=True)
class Group:
    """The rows of one hand; `number` is "" for acts whose hand has no beginning in this log."""

    number: str
    rows: list[Row]
    indexes: list[int]  # of the rows in the log
    ended: bool = False
    between: list[int] = field(default_factory=list)  # rows behind it that are of no hand

    def add(self, row: Row, index: int) -> None:
        """Take a row of the hand."""
        self.rows.append(row)
        self.indexes.append(index)


def groups_of(log: Sequence[Row]) -> tuple[Group, list[Group]]:
    """Part the rows into hands; rows before the first one stand in a group of their own."""
    lead = Group("", [], [])
    groups: list[Group] = []
    now: Group = lead  # whose rows these are, or behind which they stand
    open_ = False
    for index, row in enumerate(log):
        text = row.text
        if open_ and text[:1] != "-":
            now.rows.append(row)
            now.indexes.append(index)
        elif text.startswith(STARTS):
            now = Group(_number(text, STARTS), [row], [index])
            groups.append(now)
            open_ = True
        elif text.startswith(ENDS):
            if not open_:
                now = _stray(groups, now, row, index)
            else:
                now.add(row, index)
            now.ended, open_ = True, False
        elif open_:
            now.add(row, index)
        elif not _of_hand(text):
            now.between.append(index)
        elif now.ended and now.number and _comes_late(text):
            now.add(row, index)
        else:
            now = _stray(groups, now, row, index)
    return lead, groups


def _stray(groups: list[Group], now: Group, row: Row, index: int) -> Group:
    """Add a row to the acts without a hand; open a group for them where there is none yet."""
    if not groups or now.number or now.ended:
        now = Group("", [], [])
        groups.append(now)
    now.add(row, index)
    return now


def _of_hand(text: str) -> bool:
    """Whether a row can only be one of a hand."""
    return is_act(text) if text[:1] == '"' else text.startswith(STACKS) or any(True for _ in LINES.matches(text))


def _comes_late(text: str) -> bool:
    """Whether a row may stand behind the one that ends its hand: cards shown, bounties, rabbits."""
    verb = text.rpartition('" ')[2].partition(" ")[0]
    return text.startswith("Undealt cards") or verb in ("shows", "paid") or "bounty" in text


def _number(text: str, word: str) -> str:
    digits = text[len(word) :].partition(" ")[0]
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 15 else "?"


_IN_HANDS: Final = (*get_args(PresenceEvent), RemarkNoted, LineUnread)
_BUTTON: Final = int(Witness.BUTTON)


class Hands:
    """Tells the hands of one log and what happened between them."""

    def __init__(self, chunk: Chunk, log: Sequence[Row], known: Table, owner: str, form: GameFormat) -> None:
        """Take the log, what is known of its table, whose log it is, and what kind of game."""
        self.chunk = chunk
        self.log = log
        self.known = known
        self.owner = owner
        self.form = form
        self.damaged = b"\0" in chunk.data or b"\\u0000" in chunk.data

    # -- between hands --------------------------------------------------------------------------

    def between(self, name: str, indexes: Sequence[int]) -> Iterator[Item]:
        """Yield what these rows, which are of no hand, tell about the table."""
        self.known.in_hand = False
        for index in indexes:
            text = self.log[index].text
            events = None if "\0" in text else table.tell(self.known, index, text)
            yield self._fact(name, index, [table.unread(self.known, text)] if events is None else events)

    def _fact(self, name: str, index: int, events: list[Event], inferred: Sequence[int] = ()) -> TableAccount:
        row = self.log[index]
        return TableAccount(
            VENUE,
            name,
            events,  # type: ignore[arg-type]  # only table events are made
            [0, row.length] * len(events),
            self.chunk.start + row.start,
            row.length,
            inferred=list(inferred),
            times=dict.fromkeys(range(len(events)), row.at),
        )

    # -- hands ----------------------------------------------------------------------------------

    def hand(self, name: str, group: Group) -> Iterator[Item]:
        """Yield a hand, or why it is none, and what its rows tell about the table alone."""
        begin = min(row.start for row in group.rows)
        end = max(row.start + row.length for row in group.rows)
        facts: list[Item] = []
        try:
            told = in_unit(partial(self._tell, name, group, facts))
        except UnreadableHandError as error:
            yield reject(self.chunk, begin, end, error)
            return
        if _all_sit_down(told):
            yield self._fact(name, group.indexes[0], [GameStarted()], inferred=[0])
        yield told.account(self.chunk.start, begin, end - begin)
        yield from facts

    def _tell(self, name: str, group: Group, facts: list[Item], exponent: int | None) -> Hand:
        """Read a hand's rows; `facts` gets what they tell about the table alone."""
        facts.clear()
        if not group.number:
            raise UnreadableHandError(
                "acts of a hand whose beginning is missing",
                kind="no-header",
                hint="The log begins, or was cut, in the middle of this hand.",
            )
        if self.damaged and any("\0" in row.text for row in group.rows):
            raise UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        head = group.rows[0]
        places = Spans()
        places.starts = [row.start for row in group.rows]
        places.lengths = [row.length for row in group.rows]
        setup, dealer = self._header(group, exponent)
        hand = Hand(places, self.known.people, VENUE, setup, self.owner)
        hand.put(setup)
        self.known.in_hand = True
        for at, row in enumerate(group.rows[1:], 1):
            hand.at = at
            self._row(hand, row, group.indexes[at], name, facts)
            if row.text.startswith(STACKS):
                self._button(hand, dealer, group.indexes[at])
        if not hand.stacks:
            raise UnreadableHandError(
                "the hand has no list of stacks", kind="cut-off", hint="Without it nothing can be said about its seats."
            )
        if hand.ended:
            hand.deal()
        if len(hand.told_blinds) == 2:
            small, big = sorted(hand.told_blinds)
            self.known.blinds = {"small": small, "big": big}
            hand.events[1] = msgspec.structs.replace(setup, blinds=(small, big))
        witnesses = WITNESSES if hand.placed else WITNESSES & ~_BUTTON
        hand.opened(name, group.number, witnesses, head.at, head.written.decode())
        return hand

    def _header(self, group: Group, exponent: int | None) -> tuple[GameSet, str]:
        """Return the game and the dealer that the first row tells; "" for a dead button."""
        text = group.rows[0].text[len(STARTS) + len(group.number) :]
        what, found, dealer = text.partition('(dealer: "')
        if found:
            dealer = dealer.rpartition('")')[0]
        else:
            what = text.partition("(dead button)")[0]
        what = what.strip()
        if what.startswith("(id:"):
            what = what.partition(")")[2].strip()
        name = what.removesuffix("--").strip().removeprefix("(").removesuffix(")").strip()
        setup = game(name)
        if setup is None:
            raise unknown_game(name)
        unit = self.known.exponent if exponent is None else exponent
        return GameSet(*setup, self.form, "chips", unit), dealer

    def _button(self, hand: Hand, dealer: str, index: int) -> None:
        """Place the button; a dead one lies at a seat that the log does not name."""
        seat = hand.seats.get(dealer) if dealer else None
        if seat is None and dealer:
            seat = self.known.sitting.before(index, dealer)
        at, hand.at = hand.at, 0
        hand.put(ButtonPlaced(seat))
        hand.at = at
        hand.placed = seat is not None

    def _row(self, hand: Hand, row: Row, index: int, name: str, facts: list[Item]) -> None:
        """Tell one row of a hand, with its time."""
        first, text = len(hand.events), row.text
        if text[:1] == "-" and text.startswith(ENDS):
            hand.ended = True
            hand.return_bets()
            hand.put(HandCompleted())
        elif not hand.row(text):
            self._other(hand, index, text, name, facts)
        if len(hand.events) == first + 1:
            hand.times[first] = row.at
            return
        for told in range(first, len(hand.events)):
            hand.times.setdefault(told, row.at)

    def _other(self, hand: Hand, index: int, text: str, name: str, facts: list[Item]) -> None:
        """Tell a row that is no act: within the hand what may stand there, the rest beside it."""
        events = table.tell(self.known, index, text)
        if events is None:
            hand.unread(text.replace("\0", " "))
            return
        for event in events:
            if isinstance(event, _IN_HANDS):
                hand.put(event)
        alone = [event for event in events if not isinstance(event, _IN_HANDS)]
        if alone:
            facts.append(self._fact(name, index, alone))


def _all_sit_down(hand: HandBuilder) -> bool:
    """Whether everybody who is dealt in sat down for this hand: with it a new game begins."""
    came = {event.seat for event in hand.events if isinstance(event, SeatTaken)}
    return bool(came) and came >= hand.stacks.keys()
