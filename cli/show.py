"""`handledger show`: show a hand event by event, or the table after an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.documents.command_documents import ShowDocument
from cli.hand_titles import build_hand_summary, format_headline
from cli.options import common_options, ledger_options
from cli.options.card_access import choose_card_viewer
from cli.output import console
from ledger import safe
from ledger.hidden_cards import reveal_cards
from projections.addresses import hand_address, source_names
from projections.addresses.address_grammar import quote_for_shell
from projections.reports.hand_documents import EventDocument

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger


def command(
    address: Annotated[
        str,
        typer.Argument(
            help="A hand: T7/408, its number, or FILE:LINE. @12 or @flop picks a moment.",
            autocompletion=common_options.complete_hands,
        ),
    ],
    *,
    as_of: common_options.AsOf = None,
    open_cards: common_options.OpenCards = False,
    reason: common_options.OpeningReason = "",
    role: common_options.OpenedBy = "unknown",
    person: common_options.OpenedPerson = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Show a hand event by event, or the table after one event."""
    card_viewer = choose_card_viewer(reason, role, person, open_cards=open_cards)
    with ledger_options.open_ledger(url, read_only=not open_cards, as_of=as_of) as ledger:
        hand_match = hand_address.find(ledger, address)
        if card_viewer is not None:
            card_viewer.note(ledger, [hand_match.row.stream], "show")
        if hand_match.version is None:
            document = build_show_document(ledger, hand_match.row, open_cards=open_cards)
            output_text = console.encode_document(document) if format_ == "json" else format_hand(document)
        else:
            from cli.output.table_drawing import draw_table
            from projections.reports.states import build_moment_at

            events = source_names.read_recorded_events(ledger, hand_match.row)
            if open_cards:
                events = reveal_cards(events, ledger.people)
            state = build_moment_at(
                build_hand_summary(ledger, hand_match.row), events, hand_match.version, ledger.people
            )
            title = f"{format_headline(state.hand)}\nafter event {state.version} of {len(events)}: {state.told}\n"
            output_text = (
                console.encode_document(state)
                if format_ == "json"
                else f"{title}\n{draw_table(state, console.find_width())}"
            )
    console.write_text(output_text, file)


def build_show_document(ledger: Ledger, hand_row: HandRow, *, open_cards: bool = False) -> ShowDocument:
    """Return the document of a hand: its events, each with the line of its source."""
    from projections.reports.shown_hand import build_shown_hand

    shown_hand = build_shown_hand(ledger, hand_row, open_cards=open_cards)
    return ShowDocument(hand=shown_hand.hand, events=shown_hand.events, alike=shown_hand.alike)


def format_hand(document: ShowDocument) -> str:
    """Return a hand as text. A recorder is named at the first of their events in a row."""
    from projections.reports.recorders import format_recorder

    source_place = document.hand.place
    lines = [format_headline(document.hand)]
    if source_place.source:
        line_text = f":{source_place.line}" if source_place.line else ""
        missing_text = "" if source_place.line else "  (its bytes are not kept: they show hidden cards)"
        lines.append(
            f"{safe.terminal(source_place.file, 80)}{line_text}  "
            f"bytes {source_place.start}-{source_place.start + source_place.length}  {source_names.describe_source(source_place)}{missing_text}"
        )
    if document.hand.note:
        lines.append(f"! {safe.terminal(document.hand.note)}")
    lines += warn_of_look_alikes(document.alike)
    lines += ["", f"{'event':>5}  {'line':>6}"]
    end = source_place.start + source_place.length
    recorder_before = ""
    for event in document.events:
        recorder = format_recorder(event.recorder)
        recorder_text = f"  ({recorder})" if recorder and recorder != recorder_before else ""
        lines.append(f"{_format_event(event, end)}{recorder_text}")
        recorder_before = recorder
    example = quote_for_shell(f"{document.hand.address}@{len(document.events) // 2}")
    lines += ["", f"The table after an event: handledger show {example}"]
    return "\n".join(lines)


def warn_of_look_alikes(groups: list[list[str]]) -> list[str]:
    """Return a warning for each group of different names that look alike."""
    return [
        f"! not the same player, though the names look alike: {', '.join(ascii(name)[1:-1] for name in group)}"
        for group in groups
    ]


def _format_event(event: EventDocument, hand_end: int) -> str:
    """Return the row of an event. One after the end of its hand in the source was an answer to a question."""
    line_number = str(event.place.line) if event.place and event.place.line else "-"
    if event.place and event.place.start >= hand_end:
        line_number = "answer"
    remarks = ""
    if event.derived:
        remarks += "  (inferred)"
    if event.void:
        remarks += "  (corrected: it no longer counts)"
    return f"{event.version:>5}  {line_number:>6}  {event.told}{remarks}"
