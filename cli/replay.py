"""`handledger replay`: step through a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.command_documents import ReplayDocument
from cli.hand_titles import build_head, headline
from cli.options import common_options, ledger_options
from cli.options.card_access import CardViewer, card_viewer
from cli.output import console
from cli.output.table_drawing import drawing
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
"""Seconds for which an event is seen while a hand plays."""

_RESIZE_SECONDS: Final = 0.2
"""Seconds after which it is looked whether the terminal has another size."""


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

    looker = card_viewer(reason, role, person, open_cards=open_cards)
    with ledger_options.opened(url, read_only=not open_cards) as ledger:
        hand_match, rulebooks = hand_address.find(ledger, address), load_books(ledger, books)
        if format_ == "text" and not prints_all and file is None and terminal.usable():
            _ReplayScreen(ledger, rulebooks, looker).watch(hand_match.row, hand_match.version)
            return
        if looker is not None:
            looker.note(ledger, [hand_match.row.stream], "replay")
        hand_document, moments = _build_moments(ledger, hand_match.row, open_cards=open_cards)
    if format_ == "json":
        console.document(ReplayDocument(hand=hand_document, moments=moments), file)
    else:
        frames = [frame(moment, len(moments)) for moment in moments[(hand_match.version or 1) - 1 :]]
        console.write_text(f"{headline(hand_document)}\n\n" + "\n\n".join(frames), file)


def _build_moments(ledger: Ledger, hand_row: HandRow, *, open_cards: bool) -> tuple[HandTold, list[MomentDocument]]:
    """Return a hand, and its state after each event."""
    from ledger.hand.fold import iterate_states
    from projections.reports.event_text import EventDescriber
    from projections.reports.states import build_moment

    hand_document = build_head(ledger, hand_row)
    events = source_names.read_recorded_events(ledger, hand_row)
    if open_cards:
        events = reveal_cards(events, ledger.people)
    teller, moments = EventDescriber(ledger.people), []
    for version, (event, state) in enumerate(zip(events, iterate_states(events), strict=True), 1):
        moments.append(build_moment(hand_document, state, version, teller.describe(event), teller))
    return hand_document, moments


def frame(moment: MomentDocument, count: int) -> str:
    """Return one state for people."""
    return f"--- {moment.version} of {count}: {moment.told}\n{drawing(moment, console.width())}"


class _ReplayScreen:
    """Somebody who steps through hands of a ledger. `looker`: who opens hidden cards; None = they stay hidden."""

    def __init__(self, ledger: Ledger, books: list[Rulebook], looker: CardViewer | None) -> None:
        self._ledger, self._books, self._looker = ledger, books, looker

    def watch(self, hand_row: HandRow, version: int | None) -> None:
        """Show a hand, and do what keys ask for, until it is left."""
        from cli.screens.replay_screen import Replay

        page = self._page(hand_row, unnamed=False)
        frame_index = next(
            (
                candidate_index
                for candidate_index, candidate_frame in enumerate(page.frames)
                if candidate_frame.version >= (version or 0)
            ),
            len(page.frames) - 1,
        )
        replay = Replay(page, frame_index if version else page.first, self._neighbour)
        with terminal.screen() as keys:
            drawn_size: object = None
            while not replay.is_over:
                size = terminal.size()
                if drawn_size != size:
                    terminal.show(replay.screen(*size))
                    drawn_size = size
                key = keys.next(_SECONDS_PER_EVENT if replay.is_playing else _RESIZE_SECONDS)
                if key == terminal.END:
                    return
                if key != terminal.NONE:
                    replay.press(key)
                    drawn_size = None
                elif replay.is_playing:
                    replay.tick()
                    drawn_size = None

    def _page(self, hand_row: HandRow, *, unnamed: bool) -> HandPage:
        """Return a hand as it is shown."""
        from web.pages.hand_frames import Viewer
        from web.pages.hand_page import build_pages
        from web.pages.page_judgement import BookChoice, default_books

        if self._looker is not None:
            self._looker.note(self._ledger, [hand_row.stream], "replay")
        books = BookChoice(self._books) if self._books else default_books(self._ledger, [hand_row])
        eyes = Viewer(naming="position" if unnamed else "keep", opens_cards=self._looker is not None)
        (page,) = build_pages(self._ledger, [hand_row], books, eyes)
        return page

    def _neighbour(self, page: HandPage, hand_count: int, unnamed: bool) -> HandPage | None:
        """Return a hand so many places behind another at its table, None where there is none."""
        current_hand = page.hand
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
        if hand_count == 0 or current_index is None:
            hand_row = hand_address.find(self._ledger, current_hand.id).row
            return self._page(hand_row, unnamed=unnamed) if hand_count == 0 else None
        return (
            self._page(rows[current_index + hand_count], unnamed=unnamed)
            if 0 <= current_index + hand_count < len(rows)
            else None
        )
