"""A hand of a ledger, event by event, each with the line of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.hidden_cards import reveal_cards
from ledger.text.lookalikes import lookalike_groups
from projections.addresses import source_names
from projections.reports.event_text import EventDescriber
from projections.reports.states import build_event, build_hands

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.store import HandRow, Ledger
    from projections.reports.hand_documents import EventDocument, HandTold


class ShownHand(NamedTuple):
    """A hand, event by event. `alike`: groups of different names that look the same."""

    hand: HandTold
    events: list[EventDocument]
    alike: list[list[str]]


def build_shown_hand(ledger: Ledger, hand_row: HandRow, *, open_cards: bool = False) -> ShownHand:
    """Return a hand event by event. `open_cards`: also cards that are hidden in the log."""
    hand_document = next(build_hands(ledger, [hand_row]))
    hand_document.place.line, lines = source_names.build_line_finder(ledger, hand_row)
    describer = EventDescriber(ledger.people)
    entries = ledger.entries(hand_row.stream)
    if open_cards:
        opened_events = reveal_cards([entry.event for entry in entries], ledger.people)
        entries = [
            entry_of_hand._replace(event=event) for entry_of_hand, event in zip(entries, opened_events, strict=True)
        ]
    for entry in entries:
        describer.remember(entry.event)  # names are known before the first line that needs one
    source_place = hand_document.place if hand_row.source else None
    events = [
        build_event(entry_of_hand, describer, source_place, lines(entry_of_hand.mark.start))
        for entry_of_hand in entries
    ]
    valid_versions = {
        version
        for version, _ in apply_corrections([(entry_of_hand.version, entry_of_hand.event) for entry_of_hand in entries])
    }
    for event_document, entry in zip(events, entries, strict=True):
        event_document.void = entry.version not in valid_versions and not isinstance(entry.event, CorrectionMade)
    return ShownHand(hand_document, events, lookalike_groups(_list_names(ledger, entries)))


def _list_names(ledger: Ledger, entries: list[Entry]) -> list[str]:
    """Return the names of those who sit in a hand, raw."""
    players = [entry.event.player for entry in entries if isinstance(entry.event, SeatDealtIn | SeatLeftOut)]
    return [name for player in players if (name := ledger.people.name(player))]
