"""`handledger replay`: step through a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.command_documents import ReplayDocument
from cli.hand_titles import build_hand_summary, format_headline
from cli.options import common_options, ledger_options
from cli.options.card_access import CardViewer, choose_card_viewer
from cli.output import console
from cli.output.table_drawing import draw_table
from cli.screens import terminal
from ledger.hidden_cards import reveal_cards
from projections.addresses import hand_address, source_names
from projections.reports.hand_documents import MomentDocument

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.reports.hand_documents import HandTold
    from web.pages.documents import HandPage

_SECONDS_PER_EVENT: Final = 0.7
"""Seconds that an event is shown while a hand plays."""

_RESIZE_SECONDS: Final = 0.2
"""Seconds between two checks of the terminal's size."""


def command(
    address: Annotated[
        str,
        typer.Argument(
            help="A hand: T7/408. T7/408@12 starts at event 12.", autocompletion=common_options.complete_hands
        ),
    ],
    *,
    books: common_options.Books = None,
    prints_all: Annotated[bool, typer.Option("--all", help="Print every state, even on a terminal.")] = False,
    open_cards: common_options.OpenCards = False,
    reason: common_options.OpeningReason = "",
    role: common_options.OpenedBy = "unknown",
    person: common_options.OpenedPerson = "",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Replay a hand step by step."""
    from projections.books.shelf import load_books

    card_viewer = choose_card_viewer(reason, role, person, open_cards=open_cards)
    with ledger_options.open_ledger(url, read_only=not open_cards) as ledger:
        hand_match, rulebooks = hand_address.find(ledger, address), load_books(ledger, books)
        if format_ == "text" and not prints_all and file is None and terminal.is_usable():
            _ReplayScreen(ledger, rulebooks, card_viewer).watch(hand_match.row, hand_match.version)
            return
        if card_viewer is not None:
            card_viewer.note(ledger, [hand_match.row.stream], "replay")
        hand_document, moments = _build_moments(ledger, hand_match.row, open_cards=open_cards)
    if format_ == "json":
        console.write_document(ReplayDocument(hand=hand_document, moments=moments), file)
    else:
        frames = [format_moment(moment, len(moments)) for moment in moments[(hand_match.version or 1) - 1 :]]
        console.write_text(f"{format_headline(hand_document)}\n\n" + "\n\n".join(frames), file)


def _build_moments(ledger: Ledger, hand_row: HandRow, *, open_cards: bool) -> tuple[HandTold, list[MomentDocument]]:
    """Return a hand, and its state after each event."""
    from ledger.hand.fold import iterate_states
    from projections.reports.event_text import EventDescriber
    from projections.reports.states import build_moment

    hand_document = build_hand_summary(ledger, hand_row)
    events = source_names.read_recorded_events(ledger, hand_row)
    if open_cards:
        events = reveal_cards(events, ledger.people)
    describer, moments = EventDescriber(ledger.people), []
    for version, (event, state) in enumerate(zip(events, iterate_states(events), strict=True), 1):
        moments.append(build_moment(hand_document, state, version, describer.describe(event), describer))
    return hand_document, moments


def format_moment(moment: MomentDocument, count: int) -> str:
    """Return a moment of a hand as text."""
    return f"--- {moment.version} of {count}: {moment.told}\n{draw_table(moment, console.find_width())}"


class _ReplayScreen:
    """Shows hands of a ledger on the terminal. `card_viewer`: who opens hidden cards; None = they stay hidden."""

    def __init__(self, ledger: Ledger, books: list[Rulebook], card_viewer: CardViewer | None) -> None:
        self._ledger, self._books, self._card_viewer = ledger, books, card_viewer

    def watch(self, hand_row: HandRow, version: int | None) -> None:
        """Show a hand and handle keys until the person leaves."""
        from cli.screens.replay_screen import Replay

        page = self._build_page(hand_row, unnamed=False)
        first_frame = page.first if version is None else _find_frame(page, version)
        replay = Replay(page, first_frame, self._find_neighbour)
        with terminal.take_screen() as keys:
            drawn_size: object = None
            while not replay.is_over:
                size = terminal.find_size()
                if drawn_size != size:
                    terminal.draw_lines(replay.draw_screen(*size))
                    drawn_size = size
                key = keys.read_key(_SECONDS_PER_EVENT if replay.is_playing else _RESIZE_SECONDS)
                if key == terminal.END:
                    return
                if key != terminal.NONE:
                    replay.press(key)
                    drawn_size = None
                elif replay.is_playing:
                    replay.play_next()
                    drawn_size = None

    def _build_page(self, hand_row: HandRow, *, unnamed: bool) -> HandPage:
        """Return the page of a hand."""
        from web.pages.hand_frames import Viewer
        from web.pages.hand_page import build_pages
        from web.pages.page_judgement import BookChoice, choose_default_books

        if self._card_viewer is not None:
            self._card_viewer.note(self._ledger, [hand_row.stream], "replay")
        books = BookChoice(self._books) if self._books else choose_default_books(self._ledger, [hand_row])
        viewer = Viewer(naming="position" if unnamed else "keep", opens_cards=self._card_viewer is not None)
        (page,) = build_pages(self._ledger, [hand_row], books, viewer)
        return page

    def _find_neighbour(self, page: HandPage, hand_count: int, unnamed: bool) -> HandPage | None:
        """Return the hand `hand_count` places after another at its table; None if there is no such hand."""
        current_hand = page.hand
        if hand_count == 0:
            return self._build_page(hand_address.find(self._ledger, current_hand.id).row, unnamed=unnamed)
        rows = list(
            self._ledger.hands(
                venue=current_hand.venue,
                tournament=current_hand.tournament,
                table=current_hand.table,
                order="played",
                standing=True,
            )
        )
        current_index = next(
            (row_index for row_index, hand_row in enumerate(rows) if hand_row.stream.hex == current_hand.id), None
        )
        if current_index is None or not 0 <= current_index + hand_count < len(rows):
            return None
        return self._build_page(rows[current_index + hand_count], unnamed=unnamed)


def _find_frame(page: HandPage, version: int) -> int:
    """Return the index of the first frame at an event or after it; the last one if there is none."""
    for frame_index, frame in enumerate(page.frames):
        if frame.version >= version:
            return frame_index
    return len(page.frames) - 1
