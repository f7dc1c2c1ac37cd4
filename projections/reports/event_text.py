"""One line of plain words for each event of a hand. Names and free text are sanitized by `ledger.safe` here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ledger import presence, safe
from ledger.clocks import format_moment
from ledger.event import Event, topic
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.titles import game_title
from ledger.people import People
from ledger.vocabulary import PlayerId, Seat, split_cards
from projections.amount_text import MoneyFormat, amount

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

_CHIP_OPTIONS: Final = frozenset(
    ("straddle-amount", "smallest-chip", "bring-in", "bet-cap", "minimum-open", "bomb-pot")
)


# Fields of events without a handler, by what they contain.
_SEAT_FIELDS: Final = frozenset(("seat", "over"))
_PERSON_FIELDS: Final = frozenset(("player", "person", "previous"))
_TEXT_FIELDS: Final = frozenset(("text", "words", "why", "claim"))
_CHIP_FIELDS: Final = frozenset(("amount", "premium", "covers", "price", "fee", "stack", "ante"))
_TEXT_REF_LENGTH: Final = 17  # "t" and 16 hex digits


def format_cards(card_text: str) -> str:
    """Return cards separated by spaces. Other text is returned sanitized."""
    try:
        return " ".join("[sealed]" if card[0] == "{" else card for card in split_cards(card_text))
    except ValueError:
        return safe.terminal(card_text, 80)


def format_game(game_set: opening.GameSet, money: MoneyFormat) -> str:
    """Return the game and its stakes: `no-limit holdem $1/$2`."""
    stakes = "/".join(money(chips) for chips in (game_set.bets if game_set.betting == "limit" else game_set.blinds))
    ante_text = f" ante {money(game_set.ante)}" if game_set.ante else ""
    return f"{game_set.betting} {safe.terminal(game_set.variant, 24)} {stakes}{ante_text}".rstrip()


class EventDescriber:
    """Describes the events of one hand. Pass them in order, because it learns names and stakes from them."""

    def __init__(self, people: People) -> None:
        """Take the people of the ledger, who have the names of ids and the text of references."""
        self.people = people
        self.players: dict[Seat, PlayerId] = {}
        self.money = MoneyFormat(None)

    def remember(self, event: Event) -> None:
        """Remember the players' seats and the value of the chips."""
        if isinstance(event, opening.SeatDealtIn | opening.SeatLeftOut):
            self.players[event.seat] = event.player
        elif isinstance(event, opening.GameSet):
            self.money = MoneyFormat(event)

    def name_person(self, player: PlayerId) -> str:
        """Return the sanitized name of a player; if it is unknown, the beginning of the id in parentheses."""
        player_name = self.people.name(player)
        return f"({safe.terminal(player, 6)})" if player_name is None else safe.name(player_name, 24)

    def name_seat(self, seat: Seat | None) -> str:
        """Return the seat and its player's name: `4 Anna`."""
        if seat is None:
            return "nobody"
        player = self.players.get(seat)
        return f"{seat} {self.name_person(player)}" if player else f"seat {seat}"

    def format_option(self, event: opening.OptionSet) -> str:
        """Return the value of an option: yes or no, chips, or other text."""
        value = event.value
        if event.option.endswith(("-allowed", "-used", "-required", "-rule")) and value in (0, 1):
            return "yes" if value else "no"
        if isinstance(value, int) and event.option in _CHIP_OPTIONS:
            return self.money(value)
        return safe.terminal(str(value), 60)

    def quote_text(self, text_ref: str) -> str:
        """Return the sanitized free text behind a reference, in quotes."""
        free_text = self.people.words(text_ref)
        return "(forgotten)" if free_text is None else f"“{safe.terminal(free_text, 160)}”"

    def describe(self, event: Event) -> str:
        """Return one line that describes an event."""
        self.remember(event)
        handler = HANDLERS.get(type(event))
        if handler:
            return handler(self, event)
        return self._describe_fields(event)

    def _describe_fields(self, event: Event) -> str:
        """Describe an event without a handler by its topic and fields."""
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
        """Return a field's value as text: a seat, a person, quoted text or chips, by the name of the field."""
        if field_name in _SEAT_FIELDS and isinstance(field_value, int):
            return self.name_seat(field_value)
        if field_name in _PERSON_FIELDS and isinstance(field_value, str):
            return self.name_person(field_value)
        if field_name in _TEXT_FIELDS and isinstance(field_value, str):
            is_reference = field_value.startswith("t") and len(field_value) == _TEXT_REF_LENGTH
            return self.quote_text(field_value) if is_reference else safe.terminal(field_value)
        if field_name in _CHIP_FIELDS and isinstance(field_value, int):
            return self.money(field_value)
        if isinstance(field_value, tuple):
            return ", ".join(self._format_value("", element) for element in field_value)
        return safe.terminal(str(field_value), 120)


def _all_in_suffix(event: opening.Post | betting.Wager) -> str:
    return " and is all in" if event.all_in else ""


def _describe_opening(describer: EventDescriber, event: opening.HandOpened) -> str:  # noqa: ARG001 - every handler has this signature
    hand_label = f"{safe.terminal(event.venue, 40)} hand {safe.terminal(event.number, 40)}"
    if event.tournament:
        hand_label += f", tournament {safe.terminal(event.tournament, 40)}"
    start_text = f", {safe.terminal(event.written, 60)}" if event.written else ""
    if event.written.isdecimal():  # a number such as seconds since 1970
        start_text = f", {utc_time}" if (utc_time := format_moment(event.started)) else start_text
    return f"{hand_label}, table {safe.terminal(event.table, 60)}{start_text}"


def _describe_tournament(_teller: EventDescriber, event: opening.TournamentSet) -> str:
    level_text = f", level {safe.terminal(event.level, 20)}" if event.level else ""
    buy_in_text = "" if event.buy_in is None else f", buy-in {amount(event.buy_in, event.currency, 2)}"
    fee_text = "" if event.fee is None else f" and fee {amount(event.fee, event.currency, 2)}"
    bounty_text = f", bounty {amount(event.bounty, event.currency, 2)}" if event.bounty else ""
    return f"a tournament{level_text}{buy_in_text}{fee_text}{bounty_text}"


def _describe_seat_dealt_in(describer: EventDescriber, event: opening.SeatDealtIn) -> str:
    stack_text = f" with {describer.money(event.stack)}" if event.stack is not None else ""
    return f"{describer.name_seat(event.seat)} is dealt in{stack_text}"


def _describe_seat_left_out(describer: EventDescriber, event: opening.SeatLeftOut) -> str:
    reason_text = "" if event.reason == "unknown" else f" ({event.reason.replace('-', ' ')})"
    return f"{describer.name_seat(event.seat)} is not dealt in{reason_text}"


def _describe_blind(describer: EventDescriber, event: opening.BlindPosted) -> str:
    live_text = describer.money(event.live) if event.live or not event.dead else ""
    dead_text = f"{describer.money(event.dead)} dead" if event.dead else ""
    return f"{describer.name_seat(event.seat)} posts {_BLINDS[event.role]} {' and '.join(filter(None, (live_text, dead_text)))}{_all_in_suffix(event)}"


def _describe_hole_cards(describer: EventDescriber, event: dealing.HoleCardsDealt) -> str:
    return f"{describer.name_seat(event.seat)} is dealt {format_cards(event.cards)}" + (
        " (up)" if event.up == "u" else ""
    )


def _describe_board(describer: EventDescriber, event: dealing.BoardDealt) -> str:  # noqa: ARG001 - every handler has this signature
    board_text = (f" of board {event.board}" if event.board > 1 else "") + (
        f", run {event.run}" if event.run > 1 else ""
    )
    return f"{event.street}{board_text}: {format_cards(event.cards)}" + ("" if event.face_up else " (face down)")


def _describe_returned_bet(describer: EventDescriber, event: ending.PotAwarded | betting.BetReturned) -> str:
    return f"uncalled bet of {describer.money(event.amount)} returned to {describer.name_seat(event.seat)}"


def _describe_award(describer: EventDescriber, event: ending.PotAwarded) -> str:
    pot_text = "" if event.pot is None else " from the main pot" if not event.pot else f" from side pot {event.pot}"
    half_text = f" ({event.half} half)" if event.half else ""
    run_text = f" on run {event.run}" if event.run > 1 else ""
    return f"{describer.name_seat(event.seat)} wins {describer.money(event.amount)}{pot_text}{half_text}{run_text}"


def _describe_declared_result(describer: EventDescriber, event: ending.ResultDeclared) -> str:
    seat_text = f" of {describer.name_seat(event.seat)}" if event.seat is not None else ""
    value_text = describer.money(event.amount) if event.amount is not None else format_cards(event.cards)
    return f"the record says: {event.what.replace('-', ' ')}{seat_text} {value_text}".rstrip()


def _describe_showing(describer: EventDescriber, event: ending.CardsShown) -> str:
    claim_text = f", {describer.quote_text(event.claim)}" if event.claim else ""
    return f"{describer.name_seat(event.seat)} shows {format_cards(event.cards)}{claim_text}"


def _describe_muck(describer: EventDescriber, event: ending.CardsMucked) -> str:
    card_text = f" {format_cards(event.cards)}" if event.cards else ""
    return f"{describer.name_seat(event.seat)} {'does not show' if event.declined else 'mucks'}{card_text}"


_PresenceEvent: TypeAlias = (
    presence.SeatTaken
    | presence.SeatLeft
    | presence.PlayerAway
    | presence.PlayerBack
    | presence.PlayerBusted
    | presence.ChipsAdded
    | presence.ChipsRemoved
    | presence.ConnectionLost
    | presence.ConnectionRestored
)


def _name_player(describer: EventDescriber, event: _PresenceEvent) -> str:
    """Return the seat and name in the event, because its player may not be in the hand."""
    player_name = describer.name_person(event.player) if event.player else ""
    if event.seat and player_name:
        return f"{event.seat} {player_name}".rstrip()
    return player_name or describer.name_seat(event.seat)


def _describe_sitting_down(describer: EventDescriber, event: presence.SeatTaken) -> str:
    stack_text = "" if event.stack is None else f" with {describer.money(event.stack)}"
    return f"{_name_player(describer, event)} sits down{stack_text}{_parenthesize(event.origin)}"


def _describe_leaving(describer: EventDescriber, event: presence.SeatLeft) -> str:
    stack_text = "" if event.stack is None else f" with {describer.money(event.stack)}"
    return f"{_name_player(describer, event)} leaves the table{stack_text}" + (
        "" if event.reason == "left" else _parenthesize(event.reason)
    )


def _describe_absence(describer: EventDescriber, event: presence.PlayerAway) -> str:
    location = {None: "", True: ", in the room", False: ", not in the room"}[event.in_room]
    return f"{_name_player(describer, event)} is away{location}" + (
        "" if event.why == "away" else _parenthesize(event.why)
    )


def _chip_change_handler(change: str) -> Callable[[EventDescriber, presence.ChipsAdded | presence.ChipsRemoved], str]:
    return lambda describer, event: (
        f"{_name_player(describer, event)} {change} {describer.money(event.amount)}{_parenthesize(event.kind)}"
    )


def _parenthesize(word: str) -> str:
    return "" if word == "unknown" else f" ({safe.terminal(word, 40).replace('-', ' ')})"


def _describe_cash_out(describer: EventDescriber, event: betting.CashOutTaken) -> str:
    price_text = "" if event.price is None else f" for {describer.money(event.price)}"
    return f"{describer.name_seat(event.seat)} cashes out{price_text}" + (
        f", fee {describer.money(event.fee)}" if event.fee else ""
    )


def _describe_skipped_blind(describer: EventDescriber, event: opening.BlindSkipped) -> str:
    seat_text = "nobody" if event.seat is None else describer.name_seat(event.seat)
    verb_text = "posts" if event.seat is None else "does not post"
    return f"{seat_text} {verb_text} {_BLINDS[event.role]}{_parenthesize(event.reason)}"


def _format_seconds(event: betting.TimeBankUsed | betting.TimeWarned) -> str:
    return "" if event.seconds is None else f", {event.seconds} seconds"


def _describe_correction(describer: EventDescriber, event: ending.CorrectionMade) -> str:
    voided_text = f"event{'s' * (len(event.voids) > 1)} {', '.join(map(str, event.voids))}"
    verb = "no longer count" if len(event.voids) > 1 else "no longer counts"
    correction_text = f"correction: {voided_text} {verb}" if event.voids else "correction"
    if event.count:
        pronoun = "it" if len(event.voids) == 1 else "them"
        place = f"{{}} {pronoun}" if event.voids else f"go{{}} after event {event.after}"
        is_one = event.count == 1
        subject = "the next event" if is_one else f"the next {event.count} events"
        verb = ("replaces" if is_one else "replace") if event.voids else "es" * is_one
        correction_text += f"; {subject} {place.format(verb)}"
    author_text = f" (by {event.by}" + (f": {describer.quote_text(event.why)})" if event.why else ")")
    return correction_text + author_text


HANDLERS: Final[dict[type, Callable[[EventDescriber, Any], str]]] = {
    opening.HandOpened: _describe_opening,
    opening.GameSet: lambda describer, event: f"the game is {game_title(format_game(event, describer.money))}",
    opening.OptionSet: lambda describer, event: (
        f"the house's option {event.option} is {describer.format_option(event)}"
    ),
    opening.TournamentSet: _describe_tournament,
    opening.SeatDealtIn: _describe_seat_dealt_in,
    opening.SeatLeftOut: _describe_seat_left_out,
    opening.ButtonPlaced: lambda describer, event: (
        "there is no button" if event.seat is None else f"the button is at {describer.name_seat(event.seat)}"
    ),
    opening.BlindPositionPlaced: lambda describer, event: (
        f"the {event.role} blind falls to {describer.name_seat(event.seat)}"
    ),
    opening.BlindPosted: _describe_blind,
    opening.StraddlePosted: lambda describer, event: (
        f"{describer.name_seat(event.seat)} straddles {describer.money(event.amount)}{_all_in_suffix(event)}"
    ),
    opening.AntePosted: lambda describer, event: (
        f"{describer.name_seat(event.seat)} antes {describer.money(event.amount)}{' for the table' * event.for_table}{_all_in_suffix(event)}"
    ),
    opening.BringInPosted: lambda describer, event: (
        f"{describer.name_seat(event.seat)} brings in for {describer.money(event.amount)}{_all_in_suffix(event)}"
    ),
    dealing.HoleCardsDealt: _describe_hole_cards,
    dealing.DealCompleted: lambda _describer, _event: "the cards are dealt",
    dealing.HoleCardsLearned: lambda describer, event: (
        f"{describer.name_seat(event.seat)} held {format_cards(event.cards)}"
    ),
    dealing.StreetDealt: lambda _describer, event: event.street.replace("-", " "),
    dealing.BoardDealt: _describe_board,
    dealing.CardBurned: lambda _describer, event: f"a card is burned before the {event.street}",
    dealing.CardsDiscarded: lambda describer, event: (
        f"{describer.name_seat(event.seat)} throws away {event.count} {format_cards(event.cards)}".rstrip()
    ),
    dealing.CardsDrawn: lambda describer, event: f"{describer.name_seat(event.seat)} draws {format_cards(event.cards)}",
    dealing.StoodPat: lambda describer, event: f"{describer.name_seat(event.seat)} stands pat",
    betting.Folded: lambda describer, event: (
        f"{describer.name_seat(event.seat)} folds {format_cards(event.cards)}".rstrip()
    ),
    betting.Checked: lambda describer, event: f"{describer.name_seat(event.seat)} checks",
    betting.Called: lambda describer, event: (
        f"{describer.name_seat(event.seat)} calls {describer.money(event.added)}{_all_in_suffix(event)}"
    ),
    betting.Bet: lambda describer, event: (
        f"{describer.name_seat(event.seat)} bets {describer.money(event.to)}{_all_in_suffix(event)}"
    ),
    betting.Raised: lambda describer, event: (
        f"{describer.name_seat(event.seat)} raises to {describer.money(event.to)}{_all_in_suffix(event)}"
    ),
    betting.Completed: lambda describer, event: (
        f"{describer.name_seat(event.seat)} completes to {describer.money(event.to)}{_all_in_suffix(event)}"
    ),
    betting.BetReturned: _describe_returned_bet,
    ending.ShowdownBegun: lambda _describer, event: "showdown" + (f" of run {event.run}" if event.run > 1 else ""),
    ending.CardsShown: _describe_showing,
    ending.CardsMucked: _describe_muck,
    ending.PotAwarded: _describe_award,
    ending.DropTaken: lambda describer, event: (
        f"{event.kind.replace('-', ' ')}: {describer.money(event.amount) if event.amount else 'none'}"
    ),
    ending.ResultDeclared: _describe_declared_result,
    ending.CorrectionMade: _describe_correction,
    ending.HandVoided: lambda _describer, event: f"the hand is void ({event.reason})",
    ending.HandCompleted: lambda _describer, _event: "the hand is over",
    opening.BlindSkipped: _describe_skipped_blind,
    betting.CashOutTaken: _describe_cash_out,
    betting.RunsAgreed: lambda _describer, event: f"the rest of the board is run {event.runs} times",
    betting.ClockExpired: lambda describer, event: f"time ran out for {describer.name_seat(event.seat)}",
    betting.TimeBankUsed: lambda describer, event: (
        f"{describer.name_seat(event.seat)} uses the time bank{_format_seconds(event)}"
    ),
    betting.TimeWarned: lambda describer, event: (
        f"{describer.name_seat(event.seat)} is warned of the time{_format_seconds(event)}"
    ),
    betting.ChipsReturned: lambda describer, event: (
        f"{describer.money(event.amount)} goes back to {describer.name_seat(event.seat)}{_parenthesize(event.reason)}"
    ),
    presence.SeatTaken: _describe_sitting_down,
    presence.SeatLeft: _describe_leaving,
    presence.SeatMoved: lambda describer, event: (
        f"{describer.name_person(event.player)} moves from seat {event.origin} to seat {event.to}"
    ),
    presence.PlayerAway: _describe_absence,
    presence.PlayerBack: lambda describer, event: f"{_name_player(describer, event)} is back",
    presence.PlayerBusted: lambda describer, event: f"{_name_player(describer, event)} has no chips left",
    presence.ChipsAdded: _chip_change_handler("adds"),
    presence.ChipsRemoved: _chip_change_handler("takes off the table"),
    presence.StackCounted: lambda describer, event: (
        f"{describer.name_seat(event.seat)} is counted to have {describer.money(event.amount)}"
    ),
    presence.ConnectionLost: lambda describer, event: f"{_name_player(describer, event)} loses the connection",
    presence.ConnectionRestored: lambda describer, event: f"{_name_player(describer, event)} is connected again",
    ending.RemarkNoted: lambda describer, event: f"remark: {describer.quote_text(event.text)}",
    ending.LineUnread: lambda describer, event: f"a line that nobody knows: {describer.quote_text(event.text)}",
}
"""Handlers of the common events. `EventDescriber._describe_fields` describes all others."""
