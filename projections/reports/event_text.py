"""Events in plain words. Names and free text go through `ledger.safe` here."""

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


def format_cards(card_text: str) -> str:
    """Return cards separated by spaces. Other text is returned sanitized."""
    try:
        return " ".join("[sealed]" if card[0] == "{" else card for card in split_cards(card_text))
    except ValueError:
        return safe.terminal(card_text, 80)


class Teller:
    """Describes the events of one hand. Pass them in order."""

    def __init__(self, people: People) -> None:
        """Take the people of the ledger, who have the names of ids and the text of references."""
        self.people = people
        self.players: dict[Seat, PlayerId] = {}
        self.money = Money(None)

    def learn(self, event: Event) -> None:
        """Remember the players' seats and the value of the chips."""
        if isinstance(event, o.SeatDealtIn | o.SeatLeftOut):
            self.players[event.seat] = event.player
        elif isinstance(event, o.GameSet):
            self.money = Money(event)

    def person(self, player: PlayerId) -> str:
        """Return the sanitized name of a player, or the beginning of the id if the name is unknown."""
        player_name = self.people.name(player)
        return f"({safe.terminal(player, 6)})" if player_name is None else safe.name(player_name, 24)

    def seat(self, seat: Seat | None) -> str:
        """Return the seat and name: `4 Anna`."""
        if seat is None:
            return "nobody"
        player = self.players.get(seat)
        return f"{seat} {self.person(player)}" if player else f"seat {seat}"

    def option(self, event: o.OptionSet) -> str:
        """Return the value of an option: yes or no, chips, or other text."""
        value = event.value
        if event.option.endswith(("-allowed", "-used", "-required", "-rule")) and value in (0, 1):
            return "yes" if value else "no"
        if isinstance(value, int) and event.option in _IN_CHIPS:
            return self.money(value)
        return safe.terminal(str(value), 60)

    def words(self, text_ref: str) -> str:
        """Return sanitized free text in quotes."""
        free_text = self.people.words(text_ref)
        return "(forgotten)" if free_text is None else f"“{safe.terminal(free_text, 160)}”"

    def tell(self, event: Event) -> str:
        """Return one line that describes an event."""
        self.learn(event)
        handler = HANDLERS.get(type(event))
        if handler:
            return handler(self, event)
        return self._describe_fields(event)

    def _describe_fields(self, event: Event) -> str:
        """Describe an event of any type by its name and fields."""
        parts = [topic(type(event)).partition(".")[2].replace("-", " ")]
        for field_name in event.__struct_fields__:
            field_value = getattr(event, field_name)
            if field_value in ("", None, (), 0, False):
                continue
            parts.append(
                f"{field_name} {self._format_value(field_name, field_value)}" if field_value is not True else field_name
            )
        return parts[0] + (": " if len(parts) > 1 else "") + ", ".join(parts[1:])

    def _format_value(self, field_name: str, field_value: object) -> str:
        if field_name in ("seat", "over") and isinstance(field_value, int):
            return self.seat(field_value)
        if field_name in ("player", "person", "previous") and isinstance(field_value, str):
            return self.person(field_value)
        if field_name in ("text", "words", "why", "claim") and isinstance(field_value, str):
            return (
                self.words(field_value)
                if field_value.startswith("t") and len(field_value) == 17
                else safe.terminal(field_value)
            )
        if field_name in ("amount", "premium", "covers", "price", "fee", "stack", "ante") and isinstance(
            field_value, int
        ):
            return self.money(field_value)
        if isinstance(field_value, tuple):
            return ", ".join(self._format_value("", element) for element in field_value)
        return safe.terminal(str(field_value), 120)


def _all_in_suffix(event: o.Post | b.Wager) -> str:
    return " and is all in" if event.all_in else ""


def _describe_opening(teller: Teller, event: o.HandOpened) -> str:  # noqa: ARG001 - every handler has this signature
    hand_label = f"{safe.terminal(event.venue, 40)} hand {safe.terminal(event.number, 40)}"
    if event.tournament:
        hand_label += f", tournament {safe.terminal(event.tournament, 40)}"
    start_text = f", {safe.terminal(event.written, 60)}" if event.written else ""
    if event.written.isdecimal():  # a number such as seconds since 1970
        start_text = f", {utc_time}" if (utc_time := moment(event.started)) else start_text
    return f"{hand_label}, table {safe.terminal(event.table, 60)}{start_text}"


def format_game(game_set: o.GameSet, money: Money) -> str:
    """Return the game and its stakes: `no-limit holdem $1/$2`."""
    stakes = "/".join(money(chips) for chips in (game_set.bets if game_set.betting == "limit" else game_set.blinds))
    ante_text = f" ante {money(game_set.ante)}" if game_set.ante else ""
    return f"{game_set.betting} {safe.terminal(game_set.variant, 24)} {stakes}{ante_text}".rstrip()


def _describe_tournament(_teller: Teller, event: o.TournamentSet) -> str:
    level_text = f", level {safe.terminal(event.level, 20)}" if event.level else ""
    buy_in_text = "" if event.buy_in is None else f", buy-in {amount(event.buy_in, event.currency, 2)}"
    fee_text = "" if event.fee is None else f" and fee {amount(event.fee, event.currency, 2)}"
    bounty_text = f", bounty {amount(event.bounty, event.currency, 2)}" if event.bounty else ""
    return f"a tournament{level_text}{buy_in_text}{fee_text}{bounty_text}"


def _describe_seat_dealt_in(teller: Teller, event: o.SeatDealtIn) -> str:
    stack_text = f" with {teller.money(event.stack)}" if event.stack is not None else ""
    return f"{teller.seat(event.seat)} is dealt in{stack_text}"


def _describe_seat_left_out(teller: Teller, event: o.SeatLeftOut) -> str:
    reason_text = "" if event.reason == "unknown" else f" ({event.reason.replace('-', ' ')})"
    return f"{teller.seat(event.seat)} is not dealt in{reason_text}"


def _describe_blind(teller: Teller, event: o.BlindPosted) -> str:
    live_text = teller.money(event.live) if event.live or not event.dead else ""
    dead_text = f"{teller.money(event.dead)} dead" if event.dead else ""
    return f"{teller.seat(event.seat)} posts {_BLINDS[event.role]} {' and '.join(filter(None, (live_text, dead_text)))}{_all_in_suffix(event)}"


def _describe_hole_cards(teller: Teller, event: d.HoleCardsDealt) -> str:
    return f"{teller.seat(event.seat)} is dealt {format_cards(event.cards)}" + (" (up)" if event.up == "u" else "")


def _describe_board(teller: Teller, event: d.BoardDealt) -> str:  # noqa: ARG001 - every handler has this signature
    board_text = (f" of board {event.board}" if event.board > 1 else "") + (
        f", run {event.run}" if event.run > 1 else ""
    )
    return f"{event.street}{board_text}: {format_cards(event.cards)}" + ("" if event.face_up else " (face down)")


def _describe_returned_bet(teller: Teller, event: e.PotAwarded | b.BetReturned) -> str:
    return f"uncalled bet of {teller.money(event.amount)} returned to {teller.seat(event.seat)}"


def _describe_award(teller: Teller, event: e.PotAwarded) -> str:
    pot_text = "" if event.pot is None else " from the main pot" if not event.pot else f" from side pot {event.pot}"
    half_text = f" ({event.half} half)" if event.half else ""
    run_text = f" on run {event.run}" if event.run > 1 else ""
    return f"{teller.seat(event.seat)} wins {teller.money(event.amount)}{pot_text}{half_text}{run_text}"


def _describe_declared_result(teller: Teller, event: e.ResultDeclared) -> str:
    seat_text = f" of {teller.seat(event.seat)}" if event.seat is not None else ""
    value_text = teller.money(event.amount) if event.amount is not None else format_cards(event.cards)
    return f"the record says: {event.what.replace('-', ' ')}{seat_text} {value_text}".rstrip()


def _describe_showing(teller: Teller, event: e.CardsShown) -> str:
    claim_text = f", {teller.words(event.claim)}" if event.claim else ""
    return f"{teller.seat(event.seat)} shows {format_cards(event.cards)}{claim_text}"


def _describe_muck(teller: Teller, event: e.CardsMucked) -> str:
    card_text = f" {format_cards(event.cards)}" if event.cards else ""
    return f"{teller.seat(event.seat)} {'does not show' if event.declined else 'mucks'}{card_text}"


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


def _name_player(teller: Teller, event: _Present) -> str:
    """Return the seat and name in the event, because its player may not be in the hand."""
    player_name = teller.person(event.player) if event.player else ""
    return (
        f"{event.seat} {player_name}".rstrip() if event.seat and player_name else player_name or teller.seat(event.seat)
    )


def _describe_sitting_down(teller: Teller, event: p.SeatTaken) -> str:
    stack_text = "" if event.stack is None else f" with {teller.money(event.stack)}"
    return f"{_name_player(teller, event)} sits down{stack_text}{_parenthesize(event.origin)}"


def _describe_leaving(teller: Teller, event: p.SeatLeft) -> str:
    stack_text = "" if event.stack is None else f" with {teller.money(event.stack)}"
    return f"{_name_player(teller, event)} leaves the table{stack_text}" + (
        "" if event.reason == "left" else _parenthesize(event.reason)
    )


def _describe_absence(teller: Teller, event: p.PlayerAway) -> str:
    location = {None: "", True: ", in the room", False: ", not in the room"}[event.in_room]
    return f"{_name_player(teller, event)} is away{location}" + (
        "" if event.why == "away" else _parenthesize(event.why)
    )


def _chip_change_handler(change: str) -> Callable[[Teller, p.ChipsAdded | p.ChipsRemoved], str]:
    return lambda teller, event: (
        f"{_name_player(teller, event)} {change} {teller.money(event.amount)}{_parenthesize(event.kind)}"
    )


def _parenthesize(word: str) -> str:
    return "" if word == "unknown" else f" ({safe.terminal(word, 40).replace('-', ' ')})"


def _describe_cash_out(teller: Teller, event: b.CashOutTaken) -> str:
    price_text = "" if event.price is None else f" for {teller.money(event.price)}"
    return f"{teller.seat(event.seat)} cashes out{price_text}" + (
        f", fee {teller.money(event.fee)}" if event.fee else ""
    )


def _describe_skipped_blind(teller: Teller, event: o.BlindSkipped) -> str:
    seat_text = "nobody" if event.seat is None else teller.seat(event.seat)
    verb_text = "posts" if event.seat is None else "does not post"
    return f"{seat_text} {verb_text} {_BLINDS[event.role]}{_parenthesize(event.reason)}"


def _format_seconds(event: b.TimeBankUsed | b.TimeWarned) -> str:
    return "" if event.seconds is None else f", {event.seconds} seconds"


def _describe_correction(teller: Teller, event: e.CorrectionMade) -> str:
    voided_text = f"event{'s' * (len(event.voids) > 1)} {', '.join(map(str, event.voids))}"
    auxiliary = "do" if len(event.voids) > 1 else "does"
    correction_text = f"correction: {voided_text} {auxiliary} not count" if event.voids else "correction"
    if event.count:
        replacement = "the next one stands" if event.count == 1 else f"the next {event.count} stand"
        correction_text += f"; {replacement} " + ("instead" if event.voids else f"behind event {event.after}")
    author_text = f" (by {event.by}" + (f": {teller.words(event.why)})" if event.why else ")")
    return correction_text + author_text


HANDLERS: Final[dict[type, Callable[[Teller, Any], str]]] = {
    o.HandOpened: _describe_opening,
    o.GameSet: lambda t, x: f"the game is {titled(format_game(x, t.money))}",
    o.OptionSet: lambda t, x: f"the house's option {x.option} is {t.option(x)}",
    o.TournamentSet: _describe_tournament,
    o.SeatDealtIn: _describe_seat_dealt_in,
    o.SeatLeftOut: _describe_seat_left_out,
    o.ButtonPlaced: lambda t, x: "there is no button" if x.seat is None else f"the button is at {t.seat(x.seat)}",
    o.BlindPositionPlaced: lambda t, x: f"the {x.role} blind falls to {t.seat(x.seat)}",
    o.BlindPosted: _describe_blind,
    o.StraddlePosted: lambda t, x: f"{t.seat(x.seat)} straddles {t.money(x.amount)}{_all_in_suffix(x)}",
    o.AntePosted: lambda t, x: (
        f"{t.seat(x.seat)} antes {t.money(x.amount)}{' for the table' * x.for_table}{_all_in_suffix(x)}"
    ),
    o.BringInPosted: lambda t, x: f"{t.seat(x.seat)} brings in for {t.money(x.amount)}{_all_in_suffix(x)}",
    d.HoleCardsDealt: _describe_hole_cards,
    d.DealCompleted: lambda _t, _x: "the cards are dealt",
    d.HoleCardsLearned: lambda t, x: f"{t.seat(x.seat)} held {format_cards(x.cards)}",
    d.StreetDealt: lambda _t, x: x.street.replace("-", " "),
    d.BoardDealt: _describe_board,
    d.CardBurned: lambda _t, x: f"a card is burned before the {x.street}",
    d.CardsDiscarded: lambda t, x: f"{t.seat(x.seat)} throws away {x.count} {format_cards(x.cards)}".rstrip(),
    d.CardsDrawn: lambda t, x: f"{t.seat(x.seat)} draws {format_cards(x.cards)}",
    d.StoodPat: lambda t, x: f"{t.seat(x.seat)} stands pat",
    b.Folded: lambda t, x: f"{t.seat(x.seat)} folds {format_cards(x.cards)}".rstrip(),
    b.Checked: lambda t, x: f"{t.seat(x.seat)} checks",
    b.Called: lambda t, x: f"{t.seat(x.seat)} calls {t.money(x.added)}{_all_in_suffix(x)}",
    b.Bet: lambda t, x: f"{t.seat(x.seat)} bets {t.money(x.to)}{_all_in_suffix(x)}",
    b.Raised: lambda t, x: f"{t.seat(x.seat)} raises to {t.money(x.to)}{_all_in_suffix(x)}",
    b.Completed: lambda t, x: f"{t.seat(x.seat)} completes to {t.money(x.to)}{_all_in_suffix(x)}",
    b.BetReturned: _describe_returned_bet,
    e.ShowdownBegun: lambda _t, x: "showdown" + (f" of run {x.run}" if x.run > 1 else ""),
    e.CardsShown: _describe_showing,
    e.CardsMucked: _describe_muck,
    e.PotAwarded: _describe_award,
    e.DropTaken: lambda t, x: f"{x.kind.replace('-', ' ')}: {t.money(x.amount) if x.amount else 'none'}",
    e.ResultDeclared: _describe_declared_result,
    e.CorrectionMade: _describe_correction,
    e.HandVoided: lambda _t, x: f"the hand is void ({x.reason})",
    e.HandCompleted: lambda _t, _x: "the hand is over",
    o.BlindSkipped: _describe_skipped_blind,
    b.CashOutTaken: _describe_cash_out,
    b.RunsAgreed: lambda _t, x: f"the rest of the board is run {x.runs} times",
    b.ClockExpired: lambda t, x: f"time ran out for {t.seat(x.seat)}",
    b.TimeBankUsed: lambda t, x: f"{t.seat(x.seat)} uses the time bank{_format_seconds(x)}",
    b.TimeWarned: lambda t, x: f"{t.seat(x.seat)} is warned of the time{_format_seconds(x)}",
    b.ChipsReturned: lambda t, x: f"{t.money(x.amount)} goes back to {t.seat(x.seat)}{_parenthesize(x.reason)}",
    p.SeatTaken: _describe_sitting_down,
    p.SeatLeft: _describe_leaving,
    p.SeatMoved: lambda t, x: f"{t.person(x.player)} moves from seat {x.origin} to seat {x.to}",
    p.PlayerAway: _describe_absence,
    p.PlayerBack: lambda t, x: f"{_name_player(t, x)} is back",
    p.PlayerBusted: lambda t, x: f"{_name_player(t, x)} has no chips left",
    p.ChipsAdded: _chip_change_handler("adds"),
    p.ChipsRemoved: _chip_change_handler("takes off the table"),
    p.StackCounted: lambda t, x: f"{t.seat(x.seat)} is counted to have {t.money(x.amount)}",
    p.ConnectionLost: lambda t, x: f"{_name_player(t, x)} loses the connection",
    p.ConnectionRestored: lambda t, x: f"{_name_player(t, x)} is connected again",
    e.RemarkNoted: lambda t, x: f"remark: {t.words(x.text)}",
    e.LineUnread: lambda t, x: f"a line that nobody knows: {t.words(x.text)}",
}
"""Handlers of common events. Other events are described by their fields."""
