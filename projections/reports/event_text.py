"""An event in plain words. Names and free text pass through `ledger.safe` here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ledger import presence as p
from ledger import safe
from ledger.clocks import moment
from ledger.event import Event, topic
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.titles import titled
from ledger.people import People
from ledger.vocabulary import PlayerId, Seat, split_cards
from projections.amount_text import Money, amount

_BLINDS: Final = {
    "small": "the small blind",
    "big": "the big blind",
    "extra": "the third blind",
    "entry": "to enter",
    "makeup-small": "a missed small blind",
    "makeup-big": "a missed big blind",
    "makeup": "missed blinds",
    "kill": "the kill",
    "collection": "the collection",
    "button": "the button blind",
    "unknown": "a blind",
}

_IN_CHIPS: Final = frozenset(("straddle-amount", "smallest-chip", "bring-in", "bet-cap", "minimum-open", "bomb-pot"))


def cards(written: str) -> str:
    """Return cards with blanks between them; what is no card is shown as it is, harmlessly."""
    try:
        return " ".join("[sealed]" if c[0] == "{" else c for c in split_cards(written))
    except ValueError:
        return safe.terminal(written, 80)


class Teller:
    """Tells the events of one hand, which it is shown in their order."""

    def __init__(self, people: People) -> None:
        """Take the people of the ledger: who is behind an id, and the words behind a reference."""
        self.people = people
        self.players: dict[Seat, PlayerId] = {}
        self.money = Money(None)

    def learn(self, event: Event) -> None:
        """Take in who sits where and what the chips are worth."""
        if isinstance(event, o.SeatDealtIn | o.SeatLeftOut):
            self.players[event.seat] = event.player
        elif isinstance(event, o.GameSet):
            self.money = Money(event)

    def person(self, player: PlayerId) -> str:
        """Return the name of a player, harmless; the id's beginning where the name is not known."""
        found = self.people.name(player)
        return f"({safe.terminal(player, 6)})" if found is None else safe.name(found, 24)

    def seat(self, seat: Seat | None) -> str:
        """Return seat and name: `4 Anna`."""
        if seat is None:
            return "nobody"
        player = self.players.get(seat)
        return f"{seat} {self.person(player)}" if player else f"seat {seat}"

    def option(self, event: o.OptionSet) -> str:
        """Return the value of an option: yes or no, chips, or what else it is."""
        value = event.value
        if event.option.endswith(("-allowed", "-used", "-required", "-rule")) and value in (0, 1):
            return "yes" if value else "no"
        if isinstance(value, int) and event.option in _IN_CHIPS:
            return self.money(value)
        return safe.terminal(str(value), 60)

    def words(self, ref: str) -> str:
        """Return free text, harmless and in quotes."""
        found = self.people.words(ref)
        return "(forgotten)" if found is None else f"“{safe.terminal(found, 160)}”"

    def tell(self, event: Event) -> str:
        """Return one line that says what happened."""
        self.learn(event)
        teller = HANDLERS.get(type(event))
        if teller:
            return teller(self, event)
        return self._plainly(event)

    def _plainly(self, event: Event) -> str:
        """Tell an event of any type by its name and its fields."""
        parts = [topic(type(event)).partition(".")[2].replace("-", " ")]
        for name in event.__struct_fields__:
            value = getattr(event, name)
            if value in ("", None, (), 0, False):
                continue
            parts.append(f"{name} {self._value(name, value)}" if value is not True else name)
        return parts[0] + (": " if len(parts) > 1 else "") + ", ".join(parts[1:])

    def _value(self, name: str, value: object) -> str:
        if name in ("seat", "over") and isinstance(value, int):
            return self.seat(value)
        if name in ("player", "person", "previous") and isinstance(value, str):
            return self.person(value)
        if name in ("text", "words", "why", "claim") and isinstance(value, str):
            return self.words(value) if value.startswith("t") and len(value) == 17 else safe.terminal(value)
        if name in ("amount", "premium", "covers", "price", "fee", "stack", "ante") and isinstance(value, int):
            return self.money(value)
        if isinstance(value, tuple):
            return ", ".join(self._value("", one) for one in value)
        return safe.terminal(str(value), 120)


def _all_in(event: o.Post | b.Wager) -> str:
    return " and is all in" if event.all_in else ""


def _opened(t: Teller, x: o.HandOpened) -> str:  # noqa: ARG001 - the table's signature
    place = f"{safe.terminal(x.venue, 40)} hand {safe.terminal(x.number, 40)}"
    if x.tournament:
        place += f", tournament {safe.terminal(x.tournament, 40)}"
    when = f", {safe.terminal(x.written, 60)}" if x.written else ""
    if x.written.isdecimal():  # a count of seconds or so since 1970
        when = f", {told}" if (told := moment(x.started)) else when
    return f"{place}, table {safe.terminal(x.table, 60)}{when}"


def game(x: o.GameSet, money: Money) -> str:
    """Return the game and its stakes: `no-limit holdem $1/$2`."""
    stakes = "/".join(money(blind) for blind in (x.bets if x.betting == "limit" else x.blinds))
    ante = f" ante {money(x.ante)}" if x.ante else ""
    return f"{x.betting} {safe.terminal(x.variant, 24)} {stakes}{ante}".rstrip()


def _tournament(_t: Teller, x: o.TournamentSet) -> str:
    level = f", level {safe.terminal(x.level, 20)}" if x.level else ""
    cost = "" if x.buy_in is None else f", buy-in {amount(x.buy_in, x.currency, 2)}"
    fee = "" if x.fee is None else f" and fee {amount(x.fee, x.currency, 2)}"
    bounty = f", bounty {amount(x.bounty, x.currency, 2)}" if x.bounty else ""
    return f"a tournament{level}{cost}{fee}{bounty}"


def _dealt_in(t: Teller, x: o.SeatDealtIn) -> str:
    stack = f" with {t.money(x.stack)}" if x.stack is not None else ""
    return f"{t.seat(x.seat)} is dealt in{stack}"


def _left_out(t: Teller, x: o.SeatLeftOut) -> str:
    why = "" if x.reason == "unknown" else f" ({x.reason.replace('-', ' ')})"
    return f"{t.seat(x.seat)} is not dealt in{why}"


def _blind(t: Teller, x: o.BlindPosted) -> str:
    paid = t.money(x.live) if x.live or not x.dead else ""
    dead = f"{t.money(x.dead)} dead" if x.dead else ""
    return f"{t.seat(x.seat)} posts {_BLINDS[x.role]} {' and '.join(filter(None, (paid, dead)))}{_all_in(x)}"


def _dealt(t: Teller, x: d.HoleCardsDealt) -> str:
    return f"{t.seat(x.seat)} is dealt {cards(x.cards)}" + (" (up)" if x.up == "u" else "")


def _board(t: Teller, x: d.BoardDealt) -> str:  # noqa: ARG001 - the table's signature
    which = (f" of board {x.board}" if x.board > 1 else "") + (f", run {x.run}" if x.run > 1 else "")
    return f"{x.street}{which}: {cards(x.cards)}" + ("" if x.face_up else " (face down)")


def _returned(t: Teller, x: e.PotAwarded | b.BetReturned) -> str:
    return f"uncalled bet of {t.money(x.amount)} returned to {t.seat(x.seat)}"


def _awarded(t: Teller, x: e.PotAwarded) -> str:
    which = "" if x.pot is None else " from the main pot" if not x.pot else f" from side pot {x.pot}"
    half = f" ({x.half} half)" if x.half else ""
    run = f" on run {x.run}" if x.run > 1 else ""
    return f"{t.seat(x.seat)} wins {t.money(x.amount)}{which}{half}{run}"


def _declared(t: Teller, x: e.ResultDeclared) -> str:
    whose = f" of {t.seat(x.seat)}" if x.seat is not None else ""
    value = t.money(x.amount) if x.amount is not None else cards(x.cards)
    return f"the record says: {x.what.replace('-', ' ')}{whose} {value}".rstrip()


def _shown(t: Teller, x: e.CardsShown) -> str:
    claim = f", {t.words(x.claim)}" if x.claim else ""
    return f"{t.seat(x.seat)} shows {cards(x.cards)}{claim}"


def _mucked(t: Teller, x: e.CardsMucked) -> str:
    held = f" {cards(x.cards)}" if x.cards else ""
    return f"{t.seat(x.seat)} {'does not show' if x.declined else 'mucks'}{held}"


_Present: TypeAlias = (
    p.SeatTaken
    | p.SeatLeft
    | p.PlayerAway
    | p.PlayerBack
    | p.PlayerBusted
    | p.ChipsAdded
    | p.ChipsRemoved
    | p.ConnectionLost
    | p.ConnectionRestored
)


def _who(t: Teller, x: _Present) -> str:
    """Name a player who need not be in the hand: by the seat and the name that the event itself tells."""
    name = t.person(x.player) if x.player else ""
    return f"{x.seat} {name}".rstrip() if x.seat and name else name or t.seat(x.seat)


def _sits(t: Teller, x: p.SeatTaken) -> str:
    stack = "" if x.stack is None else f" with {t.money(x.stack)}"
    return f"{_who(t, x)} sits down{stack}{_in_brackets(x.origin)}"


def _leaves(t: Teller, x: p.SeatLeft) -> str:
    stack = "" if x.stack is None else f" with {t.money(x.stack)}"
    return f"{_who(t, x)} leaves the table{stack}" + ("" if x.reason == "left" else _in_brackets(x.reason))


def _away(t: Teller, x: p.PlayerAway) -> str:
    where = {None: "", True: ", in the room", False: ", not in the room"}[x.in_room]
    return f"{_who(t, x)} is away{where}" + ("" if x.why == "away" else _in_brackets(x.why))


def _chips(change: str) -> Callable[[Teller, p.ChipsAdded | p.ChipsRemoved], str]:
    return lambda t, x: f"{_who(t, x)} {change} {t.money(x.amount)}{_in_brackets(x.kind)}"


def _in_brackets(word: str) -> str:
    return "" if word == "unknown" else f" ({safe.terminal(word, 40).replace('-', ' ')})"


def _sold(t: Teller, x: b.CashOutTaken) -> str:
    price = "" if x.price is None else f" for {t.money(x.price)}"
    return f"{t.seat(x.seat)} cashes out{price}" + (f", fee {t.money(x.fee)}" if x.fee else "")


def _skipped(t: Teller, x: o.BlindSkipped) -> str:
    whose = "nobody" if x.seat is None else t.seat(x.seat)
    not_ = "posts" if x.seat is None else "does not post"
    return f"{whose} {not_} {_BLINDS[x.role]}{_in_brackets(x.reason)}"


def _seconds(x: b.TimeBankUsed | b.TimeWarned) -> str:
    return "" if x.seconds is None else f", {x.seconds} seconds"


def _corrected(t: Teller, x: e.CorrectionMade) -> str:
    gone = f"event{'s' * (len(x.voids) > 1)} {', '.join(map(str, x.voids))}"
    does = "do" if len(x.voids) > 1 else "does"
    said = f"correction: {gone} {does} not count" if x.voids else "correction"
    if x.count:
        behind = "the next one stands" if x.count == 1 else f"the next {x.count} stand"
        said += f"; {behind} " + ("instead" if x.voids else f"behind event {x.after}")
    who = f" (by {x.by}" + (f": {t.words(x.why)})" if x.why else ")")
    return said + who


HANDLERS: Final[dict[type, Callable[[Teller, Any], str]]] = {
    o.HandOpened: _opened,
    o.GameSet: lambda t, x: f"the game is {titled(game(x, t.money))}",
    o.OptionSet: lambda t, x: f"the house's option {x.option} is {t.option(x)}",
    o.TournamentSet: _tournament,
    o.SeatDealtIn: _dealt_in,
    o.SeatLeftOut: _left_out,
    o.ButtonPlaced: lambda t, x: "there is no button" if x.seat is None else f"the button is at {t.seat(x.seat)}",
    o.BlindPositionPlaced: lambda t, x: f"the {x.role} blind falls to {t.seat(x.seat)}",
    o.BlindPosted: _blind,
    o.StraddlePosted: lambda t, x: f"{t.seat(x.seat)} straddles {t.money(x.amount)}{_all_in(x)}",
    o.AntePosted: lambda t, x: (
        f"{t.seat(x.seat)} antes {t.money(x.amount)}{' for the table' * x.for_table}{_all_in(x)}"
    ),
    o.BringInPosted: lambda t, x: f"{t.seat(x.seat)} brings in for {t.money(x.amount)}{_all_in(x)}",
    d.HoleCardsDealt: _dealt,
    d.DealCompleted: lambda _t, _x: "the cards are dealt",
    d.HoleCardsLearned: lambda t, x: f"{t.seat(x.seat)} held {cards(x.cards)}",
    d.StreetDealt: lambda _t, x: x.street.replace("-", " "),
    d.BoardDealt: _board,
    d.CardBurned: lambda _t, x: f"a card is burned before the {x.street}",
    d.CardsDiscarded: lambda t, x: f"{t.seat(x.seat)} throws away {x.count} {cards(x.cards)}".rstrip(),
    d.CardsDrawn: lambda t, x: f"{t.seat(x.seat)} draws {cards(x.cards)}",
    d.StoodPat: lambda t, x: f"{t.seat(x.seat)} stands pat",
    b.Folded: lambda t, x: f"{t.seat(x.seat)} folds {cards(x.cards)}".rstrip(),
    b.Checked: lambda t, x: f"{t.seat(x.seat)} checks",
    b.Called: lambda t, x: f"{t.seat(x.seat)} calls {t.money(x.added)}{_all_in(x)}",
    b.Bet: lambda t, x: f"{t.seat(x.seat)} bets {t.money(x.to)}{_all_in(x)}",
    b.Raised: lambda t, x: f"{t.seat(x.seat)} raises to {t.money(x.to)}{_all_in(x)}",
    b.Completed: lambda t, x: f"{t.seat(x.seat)} completes to {t.money(x.to)}{_all_in(x)}",
    b.BetReturned: _returned,
    e.ShowdownBegun: lambda _t, x: "showdown" + (f" of run {x.run}" if x.run > 1 else ""),
    e.CardsShown: _shown,
    e.CardsMucked: _mucked,
    e.PotAwarded: _awarded,
    e.DropTaken: lambda t, x: f"{x.kind.replace('-', ' ')}: {t.money(x.amount) if x.amount else 'none'}",
    e.ResultDeclared: _declared,
    e.CorrectionMade: _corrected,
    e.HandVoided: lambda _t, x: f"the hand is void ({x.reason})",
    e.HandCompleted: lambda _t, _x: "the hand is over",
    o.BlindSkipped: _skipped,
    b.CashOutTaken: _sold,
    b.RunsAgreed: lambda _t, x: f"the rest of the board is run {x.runs} times",
    b.ClockExpired: lambda t, x: f"time ran out for {t.seat(x.seat)}",
    b.TimeBankUsed: lambda t, x: f"{t.seat(x.seat)} uses the time bank{_seconds(x)}",
    b.TimeWarned: lambda t, x: f"{t.seat(x.seat)} is warned of the time{_seconds(x)}",
    b.ChipsReturned: lambda t, x: f"{t.money(x.amount)} goes back to {t.seat(x.seat)}{_in_brackets(x.reason)}",
    p.SeatTaken: _sits,
    p.SeatLeft: _leaves,
    p.SeatMoved: lambda t, x: f"{t.person(x.player)} moves from seat {x.origin} to seat {x.to}",
    p.PlayerAway: _away,
    p.PlayerBack: lambda t, x: f"{_who(t, x)} is back",
    p.PlayerBusted: lambda t, x: f"{_who(t, x)} has no chips left",
    p.ChipsAdded: _chips("adds"),
    p.ChipsRemoved: _chips("takes off the table"),
    p.StackCounted: lambda t, x: f"{t.seat(x.seat)} is counted to have {t.money(x.amount)}",
    p.ConnectionLost: lambda t, x: f"{_who(t, x)} loses the connection",
    p.ConnectionRestored: lambda t, x: f"{_who(t, x)} is connected again",
    e.RemarkNoted: lambda t, x: f"remark: {t.words(x.text)}",
    e.LineUnread: lambda t, x: f"a line that nobody knows: {t.words(x.text)}",
}
"""How each common event is told; all others are told plainly by their fields."""
