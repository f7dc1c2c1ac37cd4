"""Describe each event of a hand in one line. Names and free text are sanitized here by `ledger.safe`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from ledger import safe
from ledger.clocks import format_moment
from ledger.event import Event, topic
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.titles import format_game_title
from ledger.people import People
from ledger.text.language import join_list, phrase, phrase_count, translatable
from ledger.vocabulary import PlayerId, Seat, split_cards
from projections.amount_text import MoneyFormat, amount
from projections.reports import money_text, presence_text
from projections.reports.code_names import add_reason, name_code
from projections.sentences import street_name

_BLINDS: Final = {
    "small": translatable("the small blind"),
    "big": translatable("the big blind"),
    "extra": translatable("the third blind"),
    "entry": translatable("to enter"),
    "makeup-small": translatable("a missed small blind"),
    "makeup-big": translatable("a missed big blind"),
    "makeup": translatable("missed blinds"),
    "kill": translatable("the kill"),
    "collection": translatable("the collection"),
    "button": translatable("the button blind"),
    "unknown": translatable("a blind"),
}
_BLIND_POSITIONS: Final = {
    "small": translatable("the small blind falls to {player}"),
    "big": translatable("the big blind falls to {player}"),
    "extra": translatable("the extra blind falls to {player}"),
}

_CHIP_OPTIONS: Final = frozenset(
    ("straddle-amount", "smallest-chip", "bring-in", "bet-cap", "minimum-open", "bomb-pot")
)


# Fields of events without a handler, by what they contain.
_SEAT_FIELDS: Final = frozenset(("seat", "over"))
_PERSON_FIELDS: Final = frozenset(("dealer", "player", "person", "previous"))
_TEXT_FIELDS: Final = frozenset(("text", "words", "why", "claim"))
_CHIP_FIELDS: Final = frozenset(("amount", "premium", "covers", "price", "fee", "stack", "ante"))
_TEXT_REF_LENGTH: Final = 17  # "t" and 16 hex digits


def format_cards(card_text: str) -> str:
    """Return cards separated by spaces. Other text is returned sanitized."""
    try:
        return " ".join(phrase("[sealed]") if card[0] == "{" else card for card in split_cards(card_text))
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
        """Create a describer. `people` has the names of player ids and the texts of references."""
        self.people = people
        self.players: dict[Seat, PlayerId] = {}
        self.money: MoneyFormat = MoneyFormat(None)

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
            return phrase("nobody")
        player = self.players.get(seat)
        return f"{seat} {self.name_person(player)}" if player else phrase("seat {seat}", seat=seat)

    def format_option(self, event: opening.OptionSet) -> str:
        """Return the value of an option: yes or no, chips, or other text."""
        value = event.value
        if event.option.endswith(("-allowed", "-used", "-required", "-rule")) and value in (0, 1):
            return phrase("yes") if value else phrase("no")
        if isinstance(value, int) and event.option in _CHIP_OPTIONS:
            return self.money(value)
        return safe.terminal(str(value), 60)

    def quote_text(self, text_ref: str) -> str:
        """Return the sanitized free text behind a reference, in quotes."""
        free_text = self.people.words(text_ref)
        return phrase("(forgotten)") if free_text is None else f"“{safe.terminal(free_text, 160)}”"

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
            is_flag = field_value is True
            parts.append(field_name if is_flag else f"{field_name} {self._format_value(field_name, field_value)}")
        name, *fields = parts
        return f"{name}: {', '.join(fields)}" if fields else name

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


def _add_all_in(text: str, event: opening.Post | betting.Wager) -> str:
    return phrase("{event} and is all in", event=text) if event.all_in else text


def _add_cards(text: str, cards: str) -> str:
    return phrase("{event} {cards}", event=text, cards=format_cards(cards)) if cards else text


def _join_parts(parts: list[str]) -> str:
    return reduce(lambda text, part: phrase("{text}, {statement}", text=text, statement=part), parts)


def _describe_opening(describer: EventDescriber, event: opening.HandOpened) -> str:  # noqa: ARG001 - every handler has this signature
    parts = [phrase("{venue} hand {hand}", venue=safe.terminal(event.venue, 40), hand=safe.terminal(event.number, 40))]
    if event.tournament:
        parts.append(phrase("tournament {tournament}", tournament=safe.terminal(event.tournament, 40)))
    parts.append(phrase("table {table}", table=safe.terminal(event.table, 60)))
    start_text = safe.terminal(event.written, 60)
    if event.written.isdecimal():  # a number such as seconds since 1970
        start_text = format_moment(event.started) or start_text
    return _join_parts([*parts, start_text] if start_text else parts)


def _describe_tournament(_describer: EventDescriber, event: opening.TournamentSet) -> str:
    text = phrase("a tournament")
    if event.level:
        text = phrase("{text}, level {level}", text=text, level=safe.terminal(event.level, 20))
    if event.buy_in is not None:
        text = phrase("{text}, buy-in {amount}", text=text, amount=amount(event.buy_in, event.currency, 2))
    if event.fee is not None:
        text = phrase("{text} and fee {amount}", text=text, amount=amount(event.fee, event.currency, 2))
    if event.bounty:
        text = phrase("{text}, bounty {amount}", text=text, amount=amount(event.bounty, event.currency, 2))
    return text


def _describe_seat_dealt_in(describer: EventDescriber, event: opening.SeatDealtIn) -> str:
    player = describer.name_seat(event.seat)
    if event.stack is None:
        return phrase("{player} is dealt in", player=player)
    return phrase("{player} is dealt in with {stack}", player=player, stack=describer.money(event.stack))


def _describe_seat_left_out(describer: EventDescriber, event: opening.SeatLeftOut) -> str:
    return add_reason(phrase("{player} is not dealt in", player=describer.name_seat(event.seat)), event.reason)


def _describe_blind(describer: EventDescriber, event: opening.BlindPosted) -> str:
    live, dead = describer.money(event.live), describer.money(event.dead)
    if event.live and event.dead:
        chips = phrase("{live} and {dead} dead", live=live, dead=dead)
    else:
        chips = phrase("{dead} dead", dead=dead) if event.dead else live
    text = phrase(
        "{player} posts {blind} {chips}",
        player=describer.name_seat(event.seat),
        blind=phrase(_BLINDS[event.role]),
        chips=chips,
    )
    return _add_all_in(text, event)


def _describe_hole_cards(describer: EventDescriber, event: dealing.HoleCardsDealt) -> str:
    text = phrase("{player} is dealt {cards}", player=describer.name_seat(event.seat), cards=format_cards(event.cards))
    return phrase("{event} (up)", event=text) if event.up == "u" else text


def _describe_board(describer: EventDescriber, event: dealing.BoardDealt) -> str:  # noqa: ARG001 - every handler has this signature
    text = street_name(event.street)
    if event.board > 1:
        text = phrase("{street} of board {board}", street=text, board=event.board)
    if event.run > 1:
        text = phrase("{street}, run {run}", street=text, run=event.run)
    text = phrase("{street}: {cards}", street=text, cards=format_cards(event.cards))
    return text if event.face_up else phrase("{event} (face down)", event=text)


_DRAWS: Final = {
    "first-draw": translatable("first draw"),
    "second-draw": translatable("second draw"),
    "third-draw": translatable("third draw"),
}


def _describe_street(_describer: EventDescriber, event: dealing.StreetDealt) -> str:
    return phrase(_DRAWS[event.street]) if event.street in _DRAWS else street_name(event.street)


def _describe_returned_bet(describer: EventDescriber, event: ending.PotAwarded | betting.BetReturned) -> str:
    return phrase(
        "uncalled bet of {amount} returned to {player}",
        amount=describer.money(event.amount),
        player=describer.name_seat(event.seat),
    )


def _describe_award(describer: EventDescriber, event: ending.PotAwarded) -> str:
    if event.pot is None:
        message = translatable("{player} wins {amount}")
    elif not event.pot:
        message = translatable("{player} wins {amount} from the main pot")
    else:
        message = translatable("{player} wins {amount} from side pot {pot}")
    text = phrase(message, player=describer.name_seat(event.seat), amount=describer.money(event.amount), pot=event.pot)
    if event.half:
        half = translatable("{event} (high half)") if event.half == "high" else translatable("{event} (low half)")
        text = phrase(half, event=text)
    return phrase("{event} on run {run}", event=text, run=event.run) if event.run > 1 else text


def _describe_declared_result(describer: EventDescriber, event: ending.ResultDeclared) -> str:
    value = describer.money(event.amount) if event.amount is not None else format_cards(event.cards)
    label = name_code(event.what)
    if event.seat is None:
        return phrase("the record says: {label} {value}", label=label, value=value).rstrip()
    player = describer.name_seat(event.seat)
    return phrase("the record says: {label} of {player} {value}", label=label, player=player, value=value).rstrip()


def _describe_showing(describer: EventDescriber, event: ending.CardsShown) -> str:
    text = phrase("{player} shows {cards}", player=describer.name_seat(event.seat), cards=format_cards(event.cards))
    return _join_parts([text, describer.quote_text(event.claim)]) if event.claim else text


def _describe_muck(describer: EventDescriber, event: ending.CardsMucked) -> str:
    message = translatable("{player} does not show") if event.declined else translatable("{player} mucks")
    return _add_cards(phrase(message, player=describer.name_seat(event.seat)), event.cards)


def _describe_cash_out(describer: EventDescriber, event: betting.CashOutTaken) -> str:
    player = describer.name_seat(event.seat)
    if event.price is None:
        text = phrase("{player} cashes out", player=player)
    else:
        text = phrase("{player} cashes out for {amount}", player=player, amount=describer.money(event.price))
    return phrase("{text}, fee {amount}", text=text, amount=describer.money(event.fee)) if event.fee else text


def _describe_skipped_blind(describer: EventDescriber, event: opening.BlindSkipped) -> str:
    blind = phrase(_BLINDS[event.role])
    if event.seat is None:
        return add_reason(phrase("nobody posts {blind}", blind=blind), event.reason)
    player = describer.name_seat(event.seat)
    return add_reason(phrase("{player} does not post {blind}", player=player, blind=blind), event.reason)


def _add_seconds(text: str, event: betting.TimeBankUsed | betting.TimeWarned) -> str:
    return text if event.seconds is None else phrase("{text}, {count} seconds", text=text, count=event.seconds)


def _describe_correction(describer: EventDescriber, event: ending.CorrectionMade) -> str:
    text = phrase("correction")
    if event.voids:
        text = phrase_count(
            "correction: event {events} no longer counts",
            "correction: events {events} no longer count",
            len(event.voids),
            events=join_list([str(version) for version in event.voids]),
        )
    if event.count:
        text = phrase("{correction}; {addition}", correction=text, addition=_describe_addition(event))
    author = name_code(event.by)
    if event.why:
        return phrase("{event} (by {role}: {reason})", event=text, role=author, reason=describer.quote_text(event.why))
    return phrase("{event} (by {role})", event=text, role=author)


def _describe_addition(event: ending.CorrectionMade) -> str:
    """Return how the events that follow a correction are used: where they belong, or what they replace."""
    if not event.voids:
        return phrase_count(
            "the next event belongs after event {version}",
            "the next {count} events belong after event {version}",
            event.count,
            version=event.after,
        )
    if len(event.voids) == 1:
        return phrase_count("the next event replaces it", "the next {count} events replace it", event.count)
    return phrase_count("the next event replaces them", "the next {count} events replace them", event.count)


def _describe_drop(describer: EventDescriber, event: ending.DropTaken) -> str:
    chips = describer.money(event.amount) if event.amount else phrase("none")
    return phrase("{kind}: {amount}", kind=name_code(event.kind), amount=chips)


def _describe_showdown(_describer: EventDescriber, event: ending.ShowdownBegun) -> str:
    return phrase("showdown of run {run}", run=event.run) if event.run > 1 else phrase("showdown")


def _describe_ante(describer: EventDescriber, event: opening.AntePosted) -> str:
    player, chips = describer.name_seat(event.seat), describer.money(event.amount)
    if event.for_table:
        return _add_all_in(phrase("{player} antes {amount} for the table", player=player, amount=chips), event)
    return _add_all_in(phrase("{player} antes {amount}", player=player, amount=chips), event)


def _describe_button(describer: EventDescriber, event: opening.ButtonPlaced) -> str:
    if event.seat is None:
        return phrase("there is no button")
    return phrase("the button is at {player}", player=describer.name_seat(event.seat))


def _build_seat_handler(message: str) -> Callable[[EventDescriber, Any], str]:
    """Return a handler for an event that only names a seat."""
    return lambda describer, event: phrase(message, player=describer.name_seat(event.seat))


def _build_wager_handler(message: str, chips_field: str) -> Callable[[EventDescriber, Any], str]:
    """Return a handler for chips that a seat puts in."""

    def describe(describer: EventDescriber, event: Any) -> str:  # noqa: ANN401 - any event with these fields
        chips = describer.money(getattr(event, chips_field))
        return _add_all_in(phrase(message, player=describer.name_seat(event.seat), amount=chips), event)

    return describe


HANDLERS: Final[dict[type, Callable[[EventDescriber, Any], str]]] = {
    opening.HandOpened: _describe_opening,
    opening.GameSet: lambda describer, event: phrase(
        "the game is {game}", game=format_game_title(format_game(event, describer.money))
    ),
    opening.OptionSet: lambda describer, event: phrase(
        "the house's option {option} is {value}", option=event.option, value=describer.format_option(event)
    ),
    opening.TournamentSet: _describe_tournament,
    opening.SeatDealtIn: _describe_seat_dealt_in,
    opening.SeatLeftOut: _describe_seat_left_out,
    opening.ButtonPlaced: _describe_button,
    opening.BlindPositionPlaced: lambda describer, event: phrase(
        _BLIND_POSITIONS[event.role], player=describer.name_seat(event.seat)
    ),
    opening.BlindPosted: _describe_blind,
    opening.StraddlePosted: _build_wager_handler(translatable("{player} straddles {amount}"), "amount"),
    opening.AntePosted: _describe_ante,
    opening.BringInPosted: _build_wager_handler(translatable("{player} brings in for {amount}"), "amount"),
    dealing.HoleCardsDealt: _describe_hole_cards,
    dealing.DealCompleted: lambda _describer, _event: phrase("the cards are dealt"),
    dealing.HoleCardsLearned: lambda describer, event: phrase(
        "{player} held {cards}", player=describer.name_seat(event.seat), cards=format_cards(event.cards)
    ),
    dealing.StreetDealt: _describe_street,
    dealing.BoardDealt: _describe_board,
    dealing.CardBurned: lambda _describer, event: phrase(
        "a card is burned before the {street}", street=street_name(event.street)
    ),
    dealing.CardsDiscarded: lambda describer, event: _add_cards(
        phrase("{player} throws away {count}", player=describer.name_seat(event.seat), count=event.count), event.cards
    ),
    dealing.CardsDrawn: lambda describer, event: phrase(
        "{player} draws {cards}", player=describer.name_seat(event.seat), cards=format_cards(event.cards)
    ),
    dealing.StoodPat: _build_seat_handler(translatable("{player} stands pat")),
    betting.Folded: lambda describer, event: _add_cards(
        phrase("{player} folds", player=describer.name_seat(event.seat)), event.cards
    ),
    betting.Checked: _build_seat_handler(translatable("{player} checks")),
    betting.Called: _build_wager_handler(translatable("{player} calls {amount}"), "added"),
    betting.Bet: _build_wager_handler(translatable("{player} bets {amount}"), "to"),
    betting.Raised: _build_wager_handler(translatable("{player} raises to {amount}"), "to"),
    betting.Completed: _build_wager_handler(translatable("{player} completes to {amount}"), "to"),
    betting.BetReturned: _describe_returned_bet,
    ending.ShowdownBegun: _describe_showdown,
    ending.CardsShown: _describe_showing,
    ending.CardsMucked: _describe_muck,
    ending.PotAwarded: _describe_award,
    ending.DropTaken: _describe_drop,
    ending.ResultDeclared: _describe_declared_result,
    ending.CorrectionMade: _describe_correction,
    ending.HandVoided: lambda _describer, event: phrase("the hand is void ({reason})", reason=name_code(event.reason)),
    ending.HandCompleted: lambda _describer, _event: phrase("the hand is over"),
    opening.BlindSkipped: _describe_skipped_blind,
    betting.CashOutTaken: _describe_cash_out,
    betting.RunsAgreed: lambda _describer, event: phrase(
        "the rest of the board is run {count} times", count=event.runs
    ),
    betting.ClockExpired: _build_seat_handler(translatable("time ran out for {player}")),
    betting.TimeBankUsed: lambda describer, event: _add_seconds(
        phrase("{player} uses the time bank", player=describer.name_seat(event.seat)), event
    ),
    betting.TimeWarned: lambda describer, event: _add_seconds(
        phrase("{player} is warned of the time", player=describer.name_seat(event.seat)), event
    ),
    betting.ChipsReturned: lambda describer, event: add_reason(
        phrase(
            "{amount} goes back to {player}",
            amount=describer.money(event.amount),
            player=describer.name_seat(event.seat),
        ),
        event.reason,
    ),
    **presence_text.HANDLERS,
    **money_text.HANDLERS,
    ending.RemarkNoted: lambda describer, event: phrase("remark: {text}", text=describer.quote_text(event.text)),
    ending.LineUnread: lambda describer, event: phrase(
        "a line that couldn't be read: {text}", text=describer.quote_text(event.text)
    ),
}
"""Handlers of the common events. `EventDescriber._describe_fields` describes all others."""
