"""A hand of a ledger as a page: put together from its frames, its judgement, its money and its source."""

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
from projections.addresses.source_names import UNKNOWN, encoding_of, has_own_records, lines_of
from projections.addresses.source_names import source_files_by_digest as files_of
from projections.reports.event_text import EventDescriber
from projections.reports.states import build_hand
from web.accounts import money
from web.documents import HandPage, Head, Segment, SourceText
from web.frames import Eyes, Seen, chairs
from web.judging import Judge

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.addresses.source_names import SourceFileName
    from web.documents import Frame
    from web.judging import Books, Judged

_SOURCE_MOST: Final = 12_000
"""Bytes of a hand's source that are shown; few hands have more."""


def pages(ledger: Ledger, rows: Iterable[HandRow], books: Books, eyes: Eyes) -> Iterator[HandPage]:
    """Yield hands as pages, table by table in the order in which they were played."""
    files, book = files_of(ledger), AddressBook(ledger)
    judge, with_advice = Judge(ledger, books), has_own_records(ledger)
    for judged in judge.all(rows, eyes):
        row = judged.hand.row
        page = _page(judged, files.get(row.source, UNKNOWN), book.hand(row))
        page.with_advice = with_advice
        yield page


def _page(judged: Judged, file: SourceFileName, address: str) -> HandPage:
    hand = judged.hand
    teller = EventDescriber(hand.people)
    for event in hand.events:
        teller.remember(event)
    line, lines = lines_of(hand.ledger, hand.row) if hand.eyes.plain else (0, lambda _at: 0)
    told = build_hand(hand.row, hand.final, hand.people, file if hand.eyes.plain else UNKNOWN, address=address)
    told.place.line = line
    frames = hand.frames(told, lines)
    recorded = hand.recorded_spots()
    game = hand.final.game
    text, why = _source(hand, file, line)
    return HandPage(
        hand=told,
        unit=teller.money.unit,
        exponent=teller.money.exponent,
        big=game.blinds[-1] if game is not None and game.blinds else 0,
        chairs=chairs(frames, [recorded, *(one.should for one in judged.judgements)]),
        recorded=recorded,
        frames=frames,
        first=_first(judged, frames),
        judgements=judged.judgements,
        differences=judged.differences,
        money=money(hand.final, teller),
        source=text,
        unsourced=why,
        alike=lookalike_groups(_names(hand)) if hand.eyes.naming == "keep" else [],
        corrections=_corrections(hand),
        undrawn=max(0, len(hand.events) - len(frames)),
    )


def _names(hand: Seen) -> list[str]:
    """Return the names of those who sit in a hand, raw."""
    players = [event.player for event in hand.events if isinstance(event, SeatDealtIn | SeatLeftOut)]
    return [name for player in players if (name := hand.people.name(player))]


def _first(judged: Judged, frames: list[Frame]) -> int:
    """Return the frame at which a page opens: where a chosen book finds the first wrong, but not before all is dealt."""
    found = [judged.hand.place_of(one.version) for one in judged.findings]
    dealt = (at for at, event in enumerate(judged.hand.events) if isinstance(event, DealCompleted))
    first = max(min(found, default=0), next(dealt, 0 if found else len(frames) - 1))
    return min(first, len(frames) - 1)


def _corrections(hand: Seen) -> list[str]:
    """Return what was corrected, in words; the page shows the hand as it stands after it."""
    made = [entry for entry in hand.entries if isinstance(entry.event, CorrectionMade)]
    if not hand.eyes.plain:
        return [f"event {entry.version} is a correction" for entry in made]
    teller = EventDescriber(hand.people)
    return [teller.describe(entry.event) for entry in made]


def _source(hand: Seen, file: SourceFileName, line: int) -> tuple[SourceText | None, str]:
    """Return the text that a hand was read from, cut where events begin and end; else why it is not there."""
    row = hand.row
    if not hand.eyes.plain:
        return (
            None,
            "The bytes of the source show everything under its own names: they are not in a page for these eyes.",
        )
    if not row.source:
        return None, "This hand was recorded as it was played: there is no file that it was read from."
    if not hand.ledger.sources.has_bytes(row.source):
        return None, "The bytes of the source are not kept, since they show hidden cards."
    length = min(row.length, _SOURCE_MOST)
    data = hand.ledger.sources.slice(row.source, row.start, length)
    spans = [(entry.mark.start, entry.mark.start + entry.mark.length) for entry in hand.kept[: hand.most_frames]]
    cuts = sorted({0, len(data), *(at for span in spans if span[0] < span[1] for at in span if at < len(data))})
    code, _ = encoding_of(data[:200])
    segments = [
        Segment(
            safe.lines(data[start:end].decode(code, "replace").replace("\r\n", "\n"), 2000),
            [at for at, span in enumerate(spans) if span[0] <= start and end <= span[1]],
        )
        for start, end in pairwise(cuts)
    ]
    return SourceText(file.name, file.sha256, row.start, row.length, line, segments, length < row.length), ""


def head_of(ledger: Ledger, name: str) -> Head:
    """Return how far a ledger goes, and by what it can be checked."""
    position, link = ledger.head()
    size, origin, key = 0, "", ""
    if MerkleTiles(ledger.database, ledger.reader).sealed_position():
        from ledger.seal.note import read_checkpoint, read_note  # noqa: PLC0415 - few are sealed, and it loads cryptography
        from ledger.store.seals import sealer  # noqa: PLC0415 - the same

        point = read_checkpoint(read_note(sealer.checkpoint(ledger)))
        size, origin, key = point.size, point.origin, sealer.signed_with(ledger, point.size)
    return Head(name, position, link, size, origin, key)
