"""List what was recorded at a table lately, what was taken back, and what "undo" would take back next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from ledger import presence
from ledger.event import Event
from ledger.export.audience import list_visible_events
from ledger.hand import betting, dealing
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.opening import (
    BlindPosted,
    ButtonPlaced,
    GameSet,
    HandOpened,
    OptionSet,
    SeatDealtIn,
    SeatLeftOut,
    TournamentSet,
)
from ledger.table import events as table_events
from ledger.table.events import HandPlayed, TableOpened
from ledger.text.language import phrase, phrase_count
from projections.live.table_offers import RecordedAct
from projections.reports.event_text import EventDescriber, format_cards
from projections.sentences.words import error_name

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.recording.recorder import Recorder
    from ledger.vocabulary import Seat
    from projections.live.live_table import LiveTable

UNDO_LINE: Final = "u"
CANCEL_LINE: Final = "voided cancelled; end"
"""The line that cancels a dealt hand: it stays on record as canceled, and button and blinds stay where they were."""
_MAX_ACTS: Final = 14
_TAIL: Final = 60
"""Events of a table that are read for its last acts."""
_OPENING_EVENTS: Final = (HandOpened, GameSet, OptionSet, TournamentSet)
_DEAL_EVENTS: Final = (*_OPENING_EVENTS, SeatDealtIn, SeatLeftOut, ButtonPlaced, BlindPosted)

HANDLERS: Final[dict[type[Event], Callable[[Any, EventDescriber], str]]] = {
    HandPlayed: lambda event, _: phrase("hand {hand} is over", hand=event.number),
    dealing.MisdealDeclared: lambda event, _: phrase("misdeal: {reason}", reason=error_name(event.reason)),
    dealing.ErrorNoticed: lambda event, _: phrase("noticed: {error}", error=error_name(event.kind)),
    dealing.BoxedCardFound: lambda event, _: phrase("boxed card: {card}", card=format_cards(event.card)),
    dealing.CardExposed: lambda event, describer: (
        phrase("exposed card: {card}", card=format_cards(event.card))
        if event.seat is None
        else phrase(
            "exposed card of {player}: {card}", player=describer.name_seat(event.seat), card=format_cards(event.card)
        )
    ),
    dealing.WrongCountFound: lambda event, describer: phrase_count(
        "{player} has {count} card", "{player} has {count} cards", event.count, player=describer.name_seat(event.seat)
    ),
    betting.HandKilled: lambda event, describer: phrase(
        "the hand of {player} is killed", player=describer.name_seat(event.seat)
    ),
    betting.HandRetrieved: lambda event, describer: phrase(
        "{player} gets the hand back", player=describer.name_seat(event.seat)
    ),
    betting.ClockCalled: lambda event, describer: phrase(
        "the clock is called on {player}", player=describer.name_seat(event.seat)
    ),
    presence.FloorCalled: lambda event, describer: (
        phrase("the floor is called")
        if event.seat is None
        else phrase("{player} calls the floor", player=describer.name_seat(event.seat))
    ),
    presence.WaitDeclared: lambda event, describer: phrase("{player} waits", player=describer.name_seat(event.seat)),
    table_events.GameBroken: lambda _event, _: phrase("the table breaks"),
    table_events.GameStarted: lambda _event, _: phrase("the game starts"),
    table_events.DealerChanged: lambda event, describer: phrase(
        "{name} deals", name=describer.name_person(event.dealer)
    ),
    table_events.DeckChanged: lambda _event, _: phrase("another deck is in play"),
    table_events.ButtonBought: lambda event, describer: phrase(
        "{player} buys the button", player=describer.name_seat(event.seat)
    ),
    table_events.StakesChanged: lambda event, describer: phrase(
        "the blinds are now {blinds}", blinds="/".join(describer.money(chips) for chips in event.blinds)
    ),
}
"""Sentences of everyday events that `EventDescriber` describes by their fields."""


class LastActs(NamedTuple):
    """The last acts at a table, the newest first, and what is taken back next."""

    acts: list[RecordedAct]
    undo_label: str = ""  # "" = nothing can be taken back
    undo_line: str = ""


def list_last_acts(recorder: Recorder, live_table: LiveTable, seats: frozenset[Seat] | None) -> LastActs:
    """Return a table's last acts for a viewer who may see the cards of `seats`, or of all seats if it is None."""
    describer = _make_describer(recorder, live_table)
    list_acts = _list_hand_acts if recorder.running else _list_table_acts
    return list_acts(recorder, describer, seats)


def _make_describer(recorder: Recorder, live_table: LiveTable) -> EventDescriber:
    describer = EventDescriber(recorder.ledger.people)
    for event in recorder.lines.opening:
        describer.remember(event)
    describer.players.update({seat: seat_state.player for seat, seat_state in live_table.state.seats.items()})
    return describer


def _list_hand_acts(recorder: Recorder, describer: EventDescriber, seats: frozenset[Seat] | None) -> LastActs:
    """Return the last acts of the running hand."""
    assert recorder.stream is not None  # noqa: S101 - a hand is running
    entries = recorder.ledger.entries(recorder.stream)
    acts = _describe_entries(entries, describer, recorder, seats)
    numbered = recorder.numbered
    has_only_opening = all(isinstance(event, _OPENING_EVENTS) for _, event in numbered)
    number = next((event.number for _, event in numbered if isinstance(event, HandOpened)), "")
    if all(isinstance(event, _DEAL_EVENTS) for _, event in numbered):
        return LastActs(acts, phrase("the deal of hand {hand}", hand=number), CANCEL_LINE)
    if not numbered or has_only_opening:
        return LastActs(acts)
    _count_undos(acts, entries, numbered)
    newest = list_visible_events([numbered[-1][1]], seats)
    return LastActs(acts, _describe_event(newest[0], describer) if newest else phrase("the last entry"), UNDO_LINE)


def _count_undos(acts: Sequence[RecordedAct], entries: Sequence[Entry], numbered: Sequence[tuple[int, Event]]) -> None:
    """Set each act's `undo_count`. The deal itself can't be taken back one event at a time."""
    dealt_count = next(
        (index for index, (_, event) in enumerate(numbered) if not isinstance(event, _DEAL_EVENTS)), len(numbered)
    )
    later_versions = [version for version, _ in numbered[dealt_count:]]
    position_of_version = {entry.version: entry.position for entry in entries}
    count_by_position = {
        position_of_version[version]: count for count, version in enumerate(reversed(later_versions), 1)
    }
    for act in acts:
        act.undo_count = count_by_position.get(act.position, 0)


def _list_table_acts(recorder: Recorder, describer: EventDescriber, seats: frozenset[Seat] | None) -> LastActs:
    """Return the last acts between hands: those of the last hand, and what was recorded since."""
    ledger, table = recorder.ledger, recorder.table
    first_version = max(0, recorder.find_table_version() - _TAIL)
    with ledger.database.reading() as link:
        commits = ledger.reader.stream(link, table.bytes, first_version)
    table_entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
    events_in_force = apply_corrections([(entry.version, entry.event) for entry in table_entries])
    newest = next(
        ((version, event) for version, event in reversed(events_in_force) if not isinstance(event, TableOpened)), None
    )
    hand_entries: list[Entry] = []
    last_hand = next((event for _, event in reversed(events_in_force) if isinstance(event, HandPlayed)), None)
    if last_hand is not None:
        hand_entries = ledger.entries(UUID(hex=last_hand.hand))
        if hand_entries and hand_entries[0].recorded.source is not None:
            hand_entries = []
    acts = sorted(
        (
            *_describe_entries(hand_entries, describer, recorder, seats, left_out=(HandCompleted,)),  # the table has it
            *_describe_entries(table_entries, describer, recorder, seats),
        ),
        key=lambda act: act.position,
        reverse=True,
    )[:_MAX_ACTS]
    if newest is None:
        return LastActs(acts)
    version, event = newest
    newest_entry = next(entry for entry in table_entries if entry.version == version)
    newest_position, is_imported = newest_entry.position, newest_entry.recorded.source is not None
    if is_imported or (isinstance(event, HandPlayed) and not hand_entries):
        return LastActs(acts)
    for act in acts:
        act.undo_count = 1 if act.position == newest_position else 0
    return LastActs(acts, _describe_event(event, describer), UNDO_LINE)


def _describe_entries(
    entries: Sequence[Entry],
    describer: EventDescriber,
    recorder: Recorder,
    seats: frozenset[Seat] | None,
    *,
    left_out: tuple[type[Event], ...] = (),
) -> list[RecordedAct]:
    """Return entries of a stream as acts, the newest first. Corrections only strike others through."""
    numbered = [(entry.version, entry.event) for entry in entries]
    versions_in_force = {version for version, _ in apply_corrections(numbered)}
    acts = []
    for entry in entries:
        describer.remember(entry.event)
        if isinstance(entry.event, (CorrectionMade, TableOpened, *_OPENING_EVENTS, *left_out)):
            continue
        visible_event = next(iter(list_visible_events([entry.event], seats)), None)
        if visible_event is None:
            continue
        acts.append(
            RecordedAct(
                label=_describe_event(visible_event, describer),
                line=_write_line(visible_event, recorder),
                position=entry.position,
                is_taken_back=entry.version not in versions_in_force,
                moment=entry.mark.time or entry.recorded.time,
            )
        )
    return acts[::-1][:_MAX_ACTS]


def _describe_event(event: Event, describer: EventDescriber) -> str:
    describe = HANDLERS.get(type(event))
    return describer.describe(event) if describe is None else describe(event, describer)


def _write_line(event: Event, recorder: Recorder) -> str:
    return "" if isinstance(event, HandPlayed) else recorder.lines.line(event)
