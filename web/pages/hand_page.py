"""Build the page of a hand from its frames, judgements, money and source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ledger import safe
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.store.seals.merkle_tiles import MerkleTiles
from ledger.text.lookalikes import lookalike_groups
from projections.addresses.address_book import AddressBook
from projections.addresses.source_names import (
    UNKNOWN,
    build_line_finder,
    guess_encoding,
    has_own_records,
    load_source_files,
)
from projections.reports.event_text import EventDescriber
from projections.reports.states import build_hand
from web.pages.documents import HandPage, Head, Segment, SourceText
from web.pages.hand_frames import ViewedHand, Viewer, list_chairs
from web.pages.money_table import build_money
from web.pages.page_judgement import HandJudge

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.addresses.source_names import SourceFileName
    from web.pages.documents import Frame
    from web.pages.page_judgement import BookChoice, JudgedHand

_MAX_SOURCE_BYTES: Final = 12_000
"""Bytes of a hand's source that a page shows. Few hands have more."""


def build_pages(ledger: Ledger, rows: Iterable[HandRow], books: BookChoice, viewer: Viewer) -> Iterator[HandPage]:
    """Yield the pages of hands, table by table in playing order."""
    files, address_book = load_source_files(ledger), AddressBook(ledger)
    judge, with_advice = HandJudge(ledger, books), has_own_records(ledger)
    for judged_hand in judge.judge_rows(rows, viewer):
        row = judged_hand.hand.row
        page = _build_page(judged_hand, files.get(row.source, UNKNOWN), address_book.find_hand_address(row))
        page.with_advice = with_advice
        yield page


def _build_page(judged_hand: JudgedHand, file: SourceFileName, address: str) -> HandPage:
    viewed_hand = judged_hand.hand
    describer = EventDescriber(viewed_hand.people)
    for event in viewed_hand.events:
        describer.remember(event)
    first_line, line_of_byte = (
        build_line_finder(viewed_hand.ledger, viewed_hand.row)
        if viewed_hand.viewer.sees_everything
        else (0, lambda _version: 0)
    )
    hand_document = build_hand(
        viewed_hand.row,
        viewed_hand.final_state,
        viewed_hand.people,
        file if viewed_hand.viewer.sees_everything else UNKNOWN,
        address=address,
    )
    hand_document.place.line = first_line
    frames = viewed_hand.build_frames(hand_document, line_of_byte)
    recorded_positions = viewed_hand.find_recorded_positions()
    game = viewed_hand.final_state.game
    source_text, no_source_reason = _read_source_text(viewed_hand, file, first_line)
    return HandPage(
        hand=hand_document,
        unit=describer.money.unit,
        exponent=describer.money.exponent,
        big=game.blinds[-1] if game is not None and game.blinds else 0,
        chairs=list_chairs(frames, [recorded_positions, *(judgement.should for judgement in judged_hand.judgements)]),
        recorded=recorded_positions,
        frames=frames,
        first=_choose_opening_frame(judged_hand, frames),
        judgements=judged_hand.judgements,
        differences=judged_hand.differences,
        money=build_money(viewed_hand.final_state, describer),
        source=source_text,
        unsourced=no_source_reason,
        alike=lookalike_groups(_list_player_names(viewed_hand)) if viewed_hand.viewer.naming == "keep" else [],
        corrections=_describe_corrections(viewed_hand),
        undrawn=max(0, len(viewed_hand.events) - len(frames)),
    )


def _list_player_names(hand: ViewedHand) -> list[str]:
    """Return the names of the players in a hand, unescaped."""
    players = [event.player for event in hand.events if isinstance(event, SeatDealtIn | SeatLeftOut)]
    return [name for player in players if (name := hand.people.name(player))]


def _choose_opening_frame(judged_hand: JudgedHand, frames: list[Frame]) -> int:
    """Return the frame where a page opens: the first finding of a primary book, but never before the deal is done."""
    finding_frames = [judged_hand.hand.find_frame_index(finding.version) for finding in judged_hand.findings]
    deal_frames = (
        frame_index for frame_index, event in enumerate(judged_hand.hand.events) if isinstance(event, DealCompleted)
    )
    opening_frame = max(min(finding_frames, default=0), next(deal_frames, 0 if finding_frames else len(frames) - 1))
    return min(opening_frame, len(frames) - 1)


def _describe_corrections(hand: ViewedHand) -> list[str]:
    """Describe the corrections. The page shows the hand after them."""
    corrections = [entry for entry in hand.entries if isinstance(entry.event, CorrectionMade)]
    if not hand.viewer.sees_everything:
        return [f"event {entry.version} is a correction" for entry in corrections]
    describer = EventDescriber(hand.people)
    return [describer.describe(entry.event) for entry in corrections]


def _read_source_text(hand: ViewedHand, file: SourceFileName, first_line: int) -> tuple[SourceText | None, str]:
    """Return the source text of a hand, cut where events begin and end; or None and the reason."""
    row = hand.row
    if not hand.viewer.sees_everything:
        return (None, "This page leaves out the bytes of the source, because they show everything under its own names.")
    if not row.source:
        return None, "This hand was recorded as it was played: there is no file that it was read from."
    if not hand.ledger.sources.has_bytes(row.source):
        return None, "The bytes of the source are not kept, since they show hidden cards."
    length = min(row.length, _MAX_SOURCE_BYTES)
    text_bytes = hand.ledger.sources.slice(row.source, row.start, length)
    spans = [
        (entry.mark.start, entry.mark.start + entry.mark.length) for entry in hand.visible_entries[: hand.max_frames]
    ]
    cuts = sorted(
        {
            0,
            len(text_bytes),
            *(offset for span in spans if span[0] < span[1] for offset in span if offset < len(text_bytes)),
        }
    )
    encoding, _ = guess_encoding(text_bytes[:200])
    segments = [
        Segment(
            safe.lines(text_bytes[start:end].decode(encoding, "replace").replace("\r\n", "\n"), 2000),
            [offset for offset, span in enumerate(spans) if span[0] <= start and end <= span[1]],
        )
        for start, end in pairwise(cuts)
    ]
    return SourceText(file.name, file.sha256, row.start, row.length, first_line, segments, length < row.length), ""


def read_ledger_head(ledger: Ledger, name: str) -> Head:
    """Return the end of a ledger, and the newest checkpoint to verify it with."""
    position, link = ledger.head()
    size, origin, key = 0, "", ""
    if MerkleTiles(ledger.database, ledger.reader).sealed_position():
        from ledger.seal.note import read_checkpoint, read_note  # noqa: PLC0415 - few ledgers are sealed, and this loads cryptography
        from ledger.store.seals import sealer  # noqa: PLC0415 - the same

        checkpoint = read_checkpoint(read_note(sealer.checkpoint(ledger)))
        size, origin, key = checkpoint.size, checkpoint.origin, sealer.find_signing_key(ledger, checkpoint.size)
    return Head(name, position, link, size, origin, key)
