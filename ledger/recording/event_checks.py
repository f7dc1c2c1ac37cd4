"""Check events that a program sends before they are recorded, so that everything stored can be read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.errors import HandledgerError
from ledger.event import Event, topic
from ledger.events import STREAMS
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import HandOpened
from ledger.recording import recording_errors
from ledger.schema import list_fields
from ledger.vocabulary import split_cards

if TYPE_CHECKING:
    from ledger.formats.handscript.context import Settings
    from ledger.formats.handscript.live import LiveLines
    from ledger.people import People


def find_stream_kind(events: Sequence[Event], *, running: bool) -> str:
    """Return the kind of stream that events belong to, "hand" or "table".

    Raise `UsageError` if they belong to neither.
    """
    if not events:
        raise recording_errors.no_event()
    if any(isinstance(event, CorrectionMade) for event in events):
        raise recording_errors.correction_sent()
    begins_hand = isinstance(events[0], HandOpened)
    if any(isinstance(event, HandOpened) for event in events[1:]) or (begins_hand and running):
        raise recording_errors.hand_within_hand()
    if (begins_hand or running) and _are_of_stream(events, "hand"):
        return "hand"
    if _are_of_stream(events, "table"):
        return "table"
    expected_kind = "hand" if running else "table"
    strange_event = next((event for event in events if type(event) not in STREAMS[expected_kind]), events[0])
    if running:
        raise recording_errors.event_during_hand(topic(type(strange_event)))
    raise recording_errors.event_between_hands(topic(type(strange_event)))


def _are_of_stream(events: Sequence[Event], kind: str) -> bool:
    return all(type(event) in STREAMS[kind] for event in events)


def check_events(events: Sequence[Event], lines: LiveLines, settings: Settings, people: People) -> None:
    """Raise `UsageError` for an event with bad cards or an unknown player."""
    for event in events:
        if isinstance(event, HandOpened):
            _check_table(event, settings)
        _check_fields(event, people)
    try:
        reread_events = lines.read_again(events)
    except (HandledgerError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise recording_errors.event_without_line(str(error)) from error
    for event, reread_event in zip(events, reread_events, strict=True):
        if event != reread_event:
            raise recording_errors.event_changes_as_line(topic(type(event)))


def _check_fields(event: Event, people: People) -> None:
    """Raise `UsageError` for a player or a text that the vault doesn't have, and for bad cards."""
    for field in list_fields(type(event)):
        value = getattr(event, field.name)
        if not value:
            continue
        kind = field.type.removesuffix(" | None")
        if kind == "PlayerId" and people.names.get(value) is None and not _is_known_player(people, value):
            raise recording_errors.unknown_player_id(topic(type(event)), str(value))
        if kind == "Cards":
            _check_cards(event, value)
        if kind == "TextRef" and not people.words(value):
            raise recording_errors.unknown_text(topic(type(event)), field.name)


def _check_cards(event: Event, cards: str) -> None:
    try:
        split_cards(cards)
    except ValueError as error:
        raise recording_errors.bad_cards(topic(type(event)), cards) from error


def _is_known_player(people: People, player: str) -> bool:
    find_person = getattr(people, "find_person", None)
    return find_person is not None and find_person(player) is not None


def _check_table(opened: HandOpened, settings: Settings) -> None:
    event_table, own_table = (
        (opened.venue, opened.tournament, opened.table),
        (settings.venue, settings.tournament, settings.table),
    )
    if event_table != own_table:
        raise recording_errors.hand_of_other_table(settings.table, settings.venue)
