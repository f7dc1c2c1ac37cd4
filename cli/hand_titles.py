"""Format the title line of a hand, which several commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.options.day_options import describe_local_time
from cli.output import console
from ledger import safe
from ledger.hand.titles import format_game_title

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.reports.hand_documents import HandTold


def build_hand_summary(ledger: Ledger, row: HandRow) -> HandTold:
    """Return a hand after its last event, with its line in the source."""
    from projections.addresses import source_names
    from projections.reports.states import build_hands

    hand = next(build_hands(ledger, [row]))
    hand.place.line, _ = source_names.build_line_finder(ledger, row)
    return hand


def format_headline(hand: HandTold) -> str:
    """Return the title of a hand, bold on a terminal."""
    return console.paint(format_hand_title(hand), "bold")


def format_hand_title(hand: HandTold) -> str:
    """Return the title of a hand: its address, room, time and game."""
    place_text = f"{hand.venue}  tournament {hand.tournament}" if hand.tournament else hand.venue
    title = f"hand {hand.address}  {place_text}  {describe_local_time(hand.local, hand.zone)}  {format_game_title(hand.game)}"
    return safe.terminal(title, 160)
