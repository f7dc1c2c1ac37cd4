"""Writes the text of one hand from its events.

The writer reads along: every action goes through the reader's own steps as it is written, and at the
end the events that a reader would have are compared with those of the hand. Where they differ the
hand is written all the same, as far as the notation goes, with its events in `_handledger_events`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ledger.event import Event
from ledger.formats.phh import words
from ledger.formats.phh.fields import build_fields, build_header, clean_comment, format_chips, quote
from ledger.formats.phh.hand_actions import HandReading
from ledger.formats.phh.header import PhhHeader
from ledger.formats.phh.scanner import ScannedFields, TextPiece
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.usual_order import sort_in_usual_order
from ledger.notation import HandText
from ledger.people import People
from ledger.vocabulary import Seat


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as PHH text, and what the text loses. A game that PHH has no code for gets no text."""
    game = next((event for event in events if isinstance(event, opening.GameSet)), None)
    opened = events[0]
    if game is None or not isinstance(opened, opening.HandOpened):
        return HandText("", ["a hand without its game"])
    if (game.variant, game.betting) not in words.CODES:
        return HandText("", [f"the game: PHH has no code for {game.betting} {game.variant}"])
    recorded_events, events = events, sort_in_usual_order(events)
    first_action, end_of_actions = _find_actions(events)
    header, remarks, comments = build_header(events, first_action, people)
    if not 2 <= len(header.seats) <= words.PLAYERS_MAX:
        return HandText("", [f"a hand of {len(header.seats)} players"])
    scanned = ScannedFields("")
    scanned.comments_before = [("# " + comment, 0, 0) for comment in comments]
    scanned.extra_fields = [(remark, 0, 0) for remark in remarks]
    reading = HandReading(header, scanned, people)
    reading.read_opening()
    is_exact = reading.events == list(events[:first_action]) and events == list(recorded_events)
    actions = _ActionWriter(reading, people, is_from_phh=opened.witnesses == words.WITNESSES)
    actions.write_actions(events[first_action:end_of_actions])
    scanned.comments_after = _fill_results(header, events[end_of_actions:], people)
    if is_exact:
        reading.read_ending()
        is_exact = reading.events[first_action:] == list(events[first_action:])
    if not is_exact:
        _fill_winnings(header, events)
    field_texts = build_fields(header, actions.texts, remarks, is_exact=is_exact)
    lines = _write_fields(field_texts, remarks)
    if is_exact:
        closing_comments = [comment for comment, _, _ in scanned.comments_after]
        lines = [*("# " + comment for comment in comments), *lines, *closing_comments]
        losses = _list_erased_names(events[:first_action], people)
    else:
        own_field, losses = _write_own_events_field(recorded_events, field_texts, people)
        lines.append(own_field)
        losses += _list_losses_for_other_programs(game, actions.low_wagers)
    return HandText("\n".join(lines) + "\n", losses)


def _write_fields(field_texts: Mapping[str, str], remarks: Sequence[str]) -> list[str]:
    """Return the lines of the fields, and of remarks that are fields of other programs."""
    lines = [f"{key} = {field_text}" for key, field_text in field_texts.items()]
    return lines + [remark for remark in remarks if not remark.startswith("ante_trimming_status = ")]


def _list_losses_for_other_programs(game: opening.GameSet, low_wagers: int) -> list[str]:
    """Return the losses of programs that don't read our own field."""
    losses = []
    if game.betting == "limit" and not any((*game.bets, *game.blinds)):
        losses.append("the size of its bets, which the hand does not tell")
    if low_wagers:
        losses.append(f"a bet or raise to no more than lies there: another program reads no such act ({low_wagers})")
    return losses


def _find_actions(events: Sequence[Event]) -> tuple[int, int]:
    """Return where the actions begin and end among the events, with the remarks around them."""
    actions = [index for index, event in enumerate(events) if type(event) in _ACTIONS] or [len(events)]
    start, end = actions[0], min(actions[-1] + 1, len(events))
    while start and type(events[start - 1]) is ending.RemarkNoted:
        start -= 1
    while end < len(events) and type(events[end]) is ending.RemarkNoted:
        end += 1
    return start, end


def _write_own_events_field(
    events: Sequence[Event], field_texts: dict[str, str], people: People
) -> tuple[str, list[str]]:
    """Return our own field with the hand's events, tied to the other fields, and what even that loses."""
    events_json, erased_count = words.encode_in_clear(events, people)
    field_digest = words.compute_fields_digest(field_texts)
    losses = [f"names and texts that were erased ({erased_count})"] if erased_count else []
    return f"{words.EVENTS_FIELD} = {quote(field_digest + ' ' + events_json.decode())}", losses


def _list_erased_names(events: Sequence[Event], people: People) -> list[str]:
    """Return the loss of a hand whose players' names were erased, if any were."""
    seatings = (event for event in events if isinstance(event, opening.SeatDealtIn))
    return ["names that were erased"] if any(people.name(event.player) is None for event in seatings) else []


def _fill_results(header: PhhHeader, events: Sequence[Event], people: People) -> list[TextPiece]:
    """Fill in what the hand declares; return the remarks that close it."""
    results: dict[str, dict[Seat, int]] = {"end-stack": {}, "winnings": {}}
    remarks = []
    for event in events:
        if isinstance(event, ending.ResultDeclared) and event.seat is not None:
            if event.what in results and event.amount is not None:
                results[event.what][event.seat] = event.amount
        elif isinstance(event, ending.RemarkNoted):
            remarks.append(("# " + clean_comment(people.words(event.text)), 0, 0))
    header.finishing_stacks = _column_of(results["end-stack"], header.seats)
    header.winnings = _column_of(results["winnings"], header.seats)
    drops = [event for event in events if isinstance(event, ending.DropTaken)]
    if drops and header.finishing_stacks is None and header.winnings is None:
        header.rake = sum(event.amount for event in drops)
    return remarks


def _column_of(by_seat: Mapping[Seat, int], seats: Sequence[Seat]) -> list[int] | None:
    """Return the amounts in the order of the seats; None unless each seat has one."""
    return [by_seat[seat] for seat in seats] if by_seat.keys() == set(seats) else None


def _fill_winnings(header: PhhHeader, events: Sequence[Event]) -> None:
    """Fill in who won what, for other programs, where only the hand's own events say it."""
    winnings = dict.fromkeys(header.seats, 0)
    awards = [event for event in events if isinstance(event, ending.PotAwarded) and event.seat in winnings]
    for event in awards:
        winnings[event.seat] += event.amount
    if awards and header.winnings is None:
        header.winnings = list(winnings.values())
    total_drop = sum(event.amount for event in events if isinstance(event, ending.DropTaken))
    if total_drop:
        header.rake = total_drop


class _ActionWriter:
    """Writes the actions of a hand, and follows each with the reader's own steps."""

    def __init__(self, reading: HandReading, people: People, *, is_from_phh: bool) -> None:
        self.reading = reading
        self.people = people
        self.is_from_phh = is_from_phh  # odd actions may go back as they were
        self.texts: list[str] = []
        self.players_shown: set[str] = set()
        self.low_wagers = 0  # bets and raises to no more than the highest bet
        self.announced_street = ""  # the last street that the hand says was dealt
        self.drawn_cards: dict[str, str] | None = None  # cards of a draw, until all have changed theirs
        self.names = {seat: f"p{number}" for number, seat in enumerate(reading.header.seats, start=1)}

    def write_actions(self, events: Sequence[Event]) -> None:
        """Write the actions in the order of their events."""
        for event in events:
            if isinstance(event, ending.RemarkNoted):
                self.write_remark(event)
                continue
            seat = getattr(event, "seat", None)
            player = "d" if seat is None else self.names.get(seat)
            if player is not None:
                self.write_event(event, player)

    def write_event(self, event: Event, player: str) -> None:
        """Write one action, and before it the deals that it needs."""
        event_type = type(event)
        if self.drawn_cards is not None and not self.is_from_phh and event_type not in _DRAWING:
            self.deal_draw()
        handler = HANDLERS.get(event_type)
        if handler is None:
            if event_type is betting.ClockExpired and self.texts:
                self.texts.append(f"# {player} timed out")
            return
        if event_type in _BETTING and (self.reading.game_kind == "stud" or self.reading.players_to_deal):
            self.deal_street()
        text = handler(self, event, player)
        if text and (event_type not in _SHOWING or self.is_from_phh or self.may_show(player)):
            self.write_action(text)

    def may_show(self, player: str) -> bool:
        """Whether a player who is still in shows, against others, for the first time."""
        players_left = [f"p{index + 1}" for index in self.reading.players_left()]
        has_shown = player in self.players_shown
        self.players_shown.add(player)
        return len(players_left) > 1 and player in players_left and not has_shown

    def write_action(self, text: str) -> None:
        """Write an action and follow it."""
        self.texts.append(text)
        if not self.reading.read_action(text):
            self.reading.add_event(ending.LineUnread(self.people.text(text)))

    def write_remark(self, event: ending.RemarkNoted) -> None:
        """Write a comment, on the line of the action before it if that has no comment yet."""
        comment = clean_comment(self.people.words(event.text))
        if self.texts and "#" not in self.texts[-1] and not self.texts[-1].startswith("d db"):
            self.texts[-1] += f" # {comment}"
        else:
            self.texts.append(f"# {comment}")
        self.reading.add_event(ending.RemarkNoted(self.people.text(comment)))

    def deal_street(self) -> None:
        """Deal the cards that this street's betting needs and the hand lacks."""
        reading = self.reading
        later_streets = words.STREETS["stud"][reading.round_number + 1 :]
        if reading.game_kind == "stud" and not reading.is_street_pending and self.announced_street in later_streets:
            self.write_action(words.DEALS.format(player=f"p{reading.players_left()[0] + 1}", cards="??"))
        if reading.players_to_deal:
            self.deal_missing_cards()

    def deal_missing_cards(self) -> None:
        """Deal the cards that the hand lacks, face down and unknown."""
        reading = self.reading
        for player_index in sorted(reading.players_to_deal):
            missing = reading.header.game.hole - len(reading.hole_cards[player_index]) // 2
            if reading.is_deal_complete:
                missing = 1 if reading.game_kind == "stud" else 0
            if missing > 0:
                self.write_action(words.DEALS.format(player=f"p{player_index + 1}", cards="??" * missing))

    def deal_draw(self) -> None:
        """Deal the cards of a draw to all who threw some away; cards that the hand lacks are unknown."""
        drawn_cards, self.drawn_cards = self.drawn_cards or {}, None
        for player_index, count in sorted(self.reading.cards_owed.items()):
            player = f"p{player_index + 1}"
            self.write_action(words.DEALS.format(player=player, cards=drawn_cards.get(player, "??" * count)))

    def keep_street(self, event: dealing.StreetDealt, _player: str) -> str:
        """Keep a street in mind; its cards may come before or after it, or not at all."""
        self.announced_street = event.street
        return ""


def _action_of(template: str) -> Callable[[_ActionWriter, Any, str], str]:
    """Return the handler of an event that is one action."""

    def write_from_template(_actions: _ActionWriter, event: Any, player: str) -> str:  # noqa: ANN401 - any event
        cards = getattr(event, "cards", "")
        return template.format(player=player, cards=cards, shown=cards)

    return write_from_template


def _board(actions: _ActionWriter, event: dealing.BoardDealt, _player: str) -> str:
    if event.run > 1 or event.board > 1:
        return ""
    if actions.reading.players_to_deal:
        actions.deal_missing_cards()
    return words.LAYS.format(cards=event.cards)


def _end_of_deal(actions: _ActionWriter, _event: dealing.DealCompleted, _player: str) -> str:
    actions.deal_missing_cards()
    return ""


def _wager(actions: _ActionWriter, event: betting.Wager, player: str) -> str:
    if event.to <= actions.reading.betting.bet_to_call:
        actions.low_wagers += 1
    return words.WAGERS.format(player=player, amount=format_chips(event.to, actions.reading.header.exponent))


def _discard(actions: _ActionWriter, event: dealing.CardsDiscarded, player: str) -> str:
    actions.drawn_cards = actions.drawn_cards or {}
    return words.DISCARDS.format(player=player, cards=event.cards or "??" * event.count)


def _draw(actions: _ActionWriter, event: dealing.CardsDrawn, player: str) -> str:
    if actions.is_from_phh or actions.drawn_cards is None:
        return words.DEALS.format(player=player, cards=event.cards)
    actions.drawn_cards[player] = event.cards
    return ""


_BETTING: Final = frozenset(
    (
        betting.Folded,
        betting.Checked,
        betting.Called,
        betting.Bet,
        betting.Raised,
        betting.Completed,
        opening.BringInPosted,
    )
)

_DRAWING: Final = frozenset((dealing.CardsDiscarded, dealing.StoodPat, dealing.CardsDrawn, betting.ClockExpired))
_SHOWING: Final = frozenset((ending.CardsShown, ending.CardsMucked))
HANDLERS: Final[dict[type[Event], Callable[[_ActionWriter, Any, str], str]]] = {
    dealing.HoleCardsDealt: _action_of(words.DEALS),
    dealing.CardsDrawn: _draw,
    dealing.DealCompleted: _end_of_deal,
    dealing.StreetDealt: _ActionWriter.keep_street,
    dealing.BoardDealt: _board,
    dealing.CardsDiscarded: _discard,
    dealing.StoodPat: _action_of(words.STANDS_PAT),
    betting.Folded: _action_of(words.FOLDS),
    betting.Checked: _action_of(words.CALLS),
    betting.Called: _action_of(words.CALLS),
    betting.Bet: _wager,
    betting.Raised: _wager,
    betting.Completed: _wager,
    opening.BringInPosted: _action_of(words.BRINGS_IN),
    ending.CardsShown: _action_of(words.SHOWS),
    ending.CardsMucked: _action_of(words.MUCKS),
    ending.LineUnread: lambda actions, event, _: (actions.is_from_phh and actions.people.words(event.text)) or "",
}
_ACTIONS: Final = frozenset(HANDLERS)
EVENTS_WRITTEN: Final = _ACTIONS | {
    opening.HandOpened,
    opening.GameSet,
    opening.TournamentSet,
    opening.SeatDealtIn,
    opening.ButtonPlaced,
    opening.BlindPosted,
    opening.StraddlePosted,
    opening.AntePosted,
    ending.PotAwarded,
    ending.DropTaken,
    ending.ResultDeclared,
    ending.RemarkNoted,
    ending.HandCompleted,
    betting.BetReturned,
    ending.ShowdownBegun,
}
"""What the notation itself says, its header included; our own field `_handledger_events` keeps the rest."""
