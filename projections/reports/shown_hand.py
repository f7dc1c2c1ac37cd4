"""Build the list of a hand's events, each with its line in the source."""

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
    """A hand and its events. `alike`: groups of different names that look the same."""

    hand: HandTold
    events: list[EventDocument]
    alike: list[list[str]]


def build_shown_hand(ledger: Ledger, hand_row: HandRow, *, open_cards: bool = False) -> ShownHand:
    """Return a hand and its events. `open_cards`: also show cards that are hidden in the log."""
    hand_document = next(build_hands(ledger, [hand_row]))
    hand_document.place.line, find_line = source_names.build_line_finder(ledger, hand_row)
    describer = EventDescriber(ledger.people)
    entries = ledger.entries(hand_row.stream)
    if open_cards:
        opened_events = reveal_cards([entry.event for entry in entries], ledger.people)
        entries = [entry._replace(event=event) for entry, event in zip(entries, opened_events, strict=True)]
    for entry in entries:
        describer.remember(entry.event)  # all names must be known before the first event is described
    source_place = hand_document.place if hand_row.source else None
    events = [build_event(entry, describer, source_place, find_line(entry.mark.start)) for entry in entries]
    valid_versions = {version for version, _ in apply_corrections([(entry.version, entry.event) for entry in entries])}
    for event_document, entry in zip(events, entries, strict=True):
        event_document.void = entry.version not in valid_versions and not isinstance(entry.event, CorrectionMade)
    return ShownHand(hand_document, events, lookalike_groups(_list_names(ledger, entries)))


def _list_names(ledger: Ledger, entries: list[Entry]) -> list[str]:
    """Return the raw names of the players at the table in a hand."""
    players = [entry.event.player for entry in entries if isinstance(entry.event, SeatDealtIn | SeatLeftOut)]
    return [name for player in players if (name := ledger.people.name(player))]
