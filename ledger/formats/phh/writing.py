"""Writing: from a hand's events to the text of one hand.

The writer reads along: every action goes through the reader's own steps as it is written, and at the
end the events that a reader would have are compared with those of the hand. Where they differ the
hand is written all the same, as far as the notation goes, with its events in `_handledger_events`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ledger.event import Event
from ledger.formats.phh import words as w
from ledger.formats.phh.fields import fields, header_of, money, plain, quoted
from ledger.formats.phh.header import Header
from ledger.formats.phh.reading import Reading
from ledger.formats.phh.scanning import Scanned, Word
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.usual_order import usual_order
from ledger.notation import HandText
from ledger.people import People
from ledger.vocabulary import Seat


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as PHH text and what is lost; a game without a code has no text at all."""
    game = next((event for event in events if isinstance(event, o.GameSet)), None)
    opened = events[0]
    if game is None or not isinstance(opened, o.HandOpened):
        return HandText("", ["a hand without its game"])
    if (game.variant, game.betting) not in w.CODES:
        return HandText("", [f"the game: PHH has no code for {game.betting} {game.variant}"])
    recorded, events = events, usual_order(events)
    play = [at for at, event in enumerate(events) if type(event) in _PLAY] or [len(events)]
    opening, ending = play[0], min(play[-1] + 1, len(events))
    while opening and type(events[opening - 1]) is e.RemarkNoted:
        opening -= 1
    while ending < len(events) and type(events[ending]) is e.RemarkNoted:
        ending += 1
    head, remarks, comments = header_of(events, opening, people)
    if not 2 <= len(head.seats) <= 64:
        return HandText("", [f"a hand of {len(head.seats)} players"])
    found = Scanned("")
    found.before = [("# " + words, 0, 0) for words in comments]
    found.extra = [(words, 0, 0) for words in remarks]
    reading = Reading(head, found, people)
    reading.opening()
    writing = _Writing(reading, people, opened.witnesses == w.WITNESSES)
    exact = reading.events == list(events[:opening]) and events == list(recorded)
    writing.body(events[opening:ending])
    found.after = _tail(head, events[ending:], people)
    if exact:
        reading.ending()
        exact = reading.events[opening:] == list(events[opening:])
    if not exact:
        _results(head, events)
    values = fields(head, writing.items, remarks, exact=exact)
    lines = ["# " + words for words in comments if exact]
    lines += [f"{key} = {value}" for key, value in values.items()]
    lines += [words for words in remarks if not words.startswith("ante_trimming_status = ")]
    lines += [said for said, _, _ in found.after if exact]
    losses = []
    if not exact:
        body, gone = w.in_clear(recorded, people)
        tie = w.digest(values)
        lines.append(f"{w.KEPT} = {quoted(tie + ' ' + body.decode())}")
        if gone:
            losses.append(f"names and texts that were erased ({gone})")
        if game.betting == "limit" and not any((*game.bets, *game.blinds)):
            losses.append("the size of its bets, which the hand does not tell")
        if writing.low:
            losses.append(
                f"a bet or raise to no more than lies there: another program reads no such act ({writing.low})"
            )
    elif any(type(one) is o.SeatDealtIn and people.name(one.player) is None for one in events[:opening]):
        losses.append("names that were erased")
    return HandText("\n".join(lines) + "\n", losses)


def _tail(head: Header, events: Sequence[Event], people: People) -> list[Word]:
    """Fill in what the hand declares; return the remarks that close it."""
    results: dict[str, dict[Seat, int]] = {"end-stack": {}, "winnings": {}}
    remarks = []
    for event in events:
        if isinstance(event, e.ResultDeclared) and event.seat is not None:
            if event.what in results and event.amount is not None:
                results[event.what][event.seat] = event.amount
        elif isinstance(event, e.RemarkNoted):
            remarks.append(("# " + plain(people.words(event.text)), 0, 0))
    columns = [
        [told[seat] for seat in head.seats] if told.keys() == set(head.seats) else None for told in results.values()
    ]
    head.finishing, head.winnings = columns
    drops = [event for event in events if isinstance(event, e.DropTaken)]
    if drops and head.finishing is None and head.winnings is None:
        head.rake = sum(event.amount for event in drops)
    return remarks


def _results(head: Header, events: Sequence[Event]) -> None:
    """Tell other programs who won what, where the hand says it in events of its own."""
    won = dict.fromkeys(head.seats, 0)
    awards = [event for event in events if isinstance(event, e.PotAwarded) and event.seat in won]
    for event in awards:
        won[event.seat] += event.amount
    if awards and head.winnings is None:
        head.winnings = list(won.values())
    drops = sum(event.amount for event in events if isinstance(event, e.DropTaken))
    if drops:
        head.rake = drops


class _Writing:
    """The actions of a hand while they are written."""

    def __init__(self, reading: Reading, people: People, ours: bool) -> None:
        self.reading = reading
        self.people = people
        self.ours = ours  # the hand was read from PHH: odd actions may go back as they were
        self.items: list[str] = []
        self.shown: set[str] = set()
        self.low = 0  # bets and raises to no more than lies there
        self.told = ""  # the street that the hand said was dealt
        self.drawn: dict[str, str] | None = None  # cards of a draw, until all have changed theirs
        self.names = {seat: f"p{number}" for number, seat in enumerate(reading.head.seats, start=1)}

    def body(self, events: Sequence[Event]) -> None:
        """Write the actions, reading along."""
        reading, names, words = self.reading, self.names, HANDLERS
        stud = reading.kind == "stud"
        for event in events:
            kind = type(event)
            make = words.get(kind)
            if isinstance(event, e.RemarkNoted):
                self.remark(event)
                continue
            seat = getattr(event, "seat", None)
            who = "d" if seat is None else names.get(seat)
            if who is None:
                continue
            if self.drawn is not None and not self.ours and kind not in _DRAWING:
                self.draw()
            if make is None:
                if kind is b.ClockExpired and self.items:
                    self.items.append(f"# {who} timed out")
                continue
            if kind in _BETTING and (stud or reading.to_deal):
                self.deal_rest()
            text = make(self, event, who)
            if text and (kind not in _SHOWING or self.ours or self.may_show(who)):
                self.say(text)

    def may_show(self, who: str) -> bool:
        """Whether a player has a hand to show, against others: who folded shows nothing here, and nobody twice."""
        live = [f"p{number + 1}" for number in self.reading.live()]
        again, self.shown = who in self.shown, {*self.shown, who}
        return len(live) > 1 and who in live and not again

    def say(self, text: str) -> None:
        """Write an action and follow it."""
        self.items.append(text)
        if not self.reading.act(text):
            self.reading.put(e.LineUnread(self.people.text(text)))

    def remark(self, event: e.RemarkNoted) -> None:
        """Write a comment, behind the action before it if that has none yet."""
        words = plain(self.people.words(event.text))
        if self.items and "#" not in self.items[-1] and not self.items[-1].startswith("d db"):
            self.items[-1] += f" # {words}"
        else:
            self.items.append(f"# {words}")
        self.reading.put(e.RemarkNoted(self.people.text(words)))

    def deal_rest(self) -> None:
        """Deal what this street's betting needs and the hand does not tell."""
        reading = self.reading
        if reading.kind == "stud" and not reading.undealt and self.told in w.STREETS["stud"][reading.round + 1 :]:
            self.say(w.DEALS.format(who=f"p{reading.live()[0] + 1}", cards="??"))
        if reading.to_deal:
            self.fill()

    def fill(self) -> None:
        """Deal the cards that the hand does not tell of, face down and unknown."""
        reading = self.reading
        for who in sorted(reading.to_deal):
            missing = reading.head.game.hole - len(reading.held[who]) // 2
            if reading.complete:
                missing = 1 if reading.kind == "stud" else 0
            if missing > 0:
                self.say(w.DEALS.format(who=f"p{who + 1}", cards="??" * missing))

    def draw(self) -> None:
        """Deal the cards of a draw to all who threw some away; what is not told is unknown."""
        drawn, self.drawn = self.drawn or {}, None
        for who, count in sorted(self.reading.owed.items()):
            name = f"p{who + 1}"
            self.say(w.DEALS.format(who=name, cards=drawn.get(name, "??" * count)))

    def street(self, event: d.StreetDealt, _who: str) -> str:
        """Remember a street; its cards may come before or after it, or not be told at all."""
        self.told = event.street
        return ""


def _says(template: str) -> Callable[[_Writing, Any, str], str]:
    """Return how an event is said that is one action."""

    def say(_writing: _Writing, event: Any, who: str) -> str:  # noqa: ANN401 - any event with cards, or without
        cards = getattr(event, "cards", "")
        return template.format(who=who, cards=cards, shown=cards)

    return say


def _board(writing: _Writing, event: d.BoardDealt, _who: str) -> str:
    if event.run > 1 or event.board > 1:
        return ""
    if writing.reading.to_deal:
        writing.fill()
    return w.LAYS.format(cards=event.cards)


def _done(writing: _Writing, _event: d.DealCompleted, _who: str) -> str:
    writing.fill()
    return ""


def _wager(writing: _Writing, event: b.Wager, who: str) -> str:
    writing.low += event.to <= writing.reading.betting.bet_to_call
    return w.WAGERS.format(who=who, amount=money(event.to, writing.reading.head.exponent))


def _discard(writing: _Writing, event: d.CardsDiscarded, who: str) -> str:
    writing.drawn = writing.drawn or {}
    return w.DISCARDS.format(who=who, cards=event.cards or "??" * event.count)


def _drawn(writing: _Writing, event: d.CardsDrawn, who: str) -> str:
    if writing.ours or writing.drawn is None:
        return w.DEALS.format(who=who, cards=event.cards)
    writing.drawn[who] = event.cards
    return ""


_BETTING: Final = frozenset((b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed, o.BringInPosted))

_DRAWING: Final = frozenset((d.CardsDiscarded, d.StoodPat, d.CardsDrawn, b.ClockExpired))
_SHOWING: Final = frozenset((e.CardsShown, e.CardsMucked))
HANDLERS: Final[dict[type[Event], Callable[[_Writing, Any, str], str]]] = {
    d.HoleCardsDealt: _says(w.DEALS),
    d.CardsDrawn: _drawn,
    d.DealCompleted: _done,
    d.StreetDealt: _Writing.street,
    d.BoardDealt: _board,
    d.CardsDiscarded: _discard,
    d.StoodPat: _says(w.STANDS_PAT),
    b.Folded: _says(w.FOLDS),
    b.Checked: _says(w.CALLS),
    b.Called: _says(w.CALLS),
    b.Bet: _wager,
    b.Raised: _wager,
    b.Completed: _wager,
    o.BringInPosted: _says(w.BRINGS_IN),
    e.CardsShown: _says(w.SHOWS),
    e.CardsMucked: _says(w.MUCKS),
    e.LineUnread: lambda writing, event, _: (writing.ours and writing.people.words(event.text)) or "",
}
_PLAY: Final = frozenset(HANDLERS)
SAYS: Final = _PLAY | {
    o.HandOpened,
    o.GameSet,
    o.TournamentSet,
    o.SeatDealtIn,
    o.ButtonPlaced,
    o.BlindPosted,
    o.StraddlePosted,
    o.AntePosted,
    e.PotAwarded,
    e.DropTaken,
    e.ResultDeclared,
    e.RemarkNoted,
    e.HandCompleted,
    b.BetReturned,
    e.ShowdownBegun,
}
"""What the notation itself says, its header included; the rest is kept in `_handledger_events`."""
