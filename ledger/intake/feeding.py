"""Sources that grow while people play: the hand that runs is in the ledger act by act.

Whole hands, what happens between them and the bytes of the source come in by imports, as ever. Only the
last hand of a source that still grows is told here, and goes on being told until it is over.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ledger.errors import ConflictError
from ledger.hand.dealing import DealCompleted
from ledger.hand.opening import GameSet
from ledger.intake import fed
from ledger.intake.chunks import split_chunks
from ledger.intake.games import GameTables
from ledger.intake.preparing import ChunkOrigin, ChunkPart, PreparedHand, prepare_chunk
from ledger.notation import Chunk, Format

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.store import Ledger
    from ledger.store.commits import HandRow


@dataclass(slots=True)
class FeedUpdate:
    """What became of a source that was looked at."""

    is_running: bool = False  # a hand of it runs, and is told here
    is_waiting: bool = False  # a hand begins, and its beginning is not told to its end
    has_new_hands: bool = False  # it has whole hands that the ledger has not
    messages: list[str] = field(default_factory=list)  # what happened, in words: player text is not in them
    hands_begun: int = 0
    hands_ended: int = 0


class Feed:
    """Follows one source into a ledger. Nothing of it is needed to go on after a kill: the ledger has all."""

    def __init__(self, ledger: Ledger, name: str, origin: str, *, hide: bool = False) -> None:
        """Take the ledger, the source's name, and where it lies: another feed's hands are left alone."""
        self._ledger = ledger
        self._name = name
        self._feed = ledger.people.source(origin or name)
        self._hide = hide
        self._games = GameTables(ledger)
        self._look_count = 0
        self._finished: set[UUID] = set()  # ids of accounts of which nothing is to be told any more

    def look(self, data: bytes, form: Format, encoding: str, *, last: bool = False) -> FeedUpdate:
        """Tell what is new in a source that holds `data` now; `last`: it is not looked at again for now."""
        happened = FeedUpdate()
        hands = list(self._read_hands(data, form, encoding))
        newest = {hand.opened.table: at for at, hand in enumerate(hands)}
        for at, hand in enumerate(hands):
            if hand.draft.stream in self._finished:
                continue
            running = newest[hand.opened.table] == at and not (hand.played.completed or hand.played.voided)
            try:
                self._update_hand(hand, happened, over=not running, last=last)
            except ConflictError:
                happened.is_running = True  # somebody else recorded at the same moment: the next look decides anew
        return happened

    def _read_hands(self, data: bytes, form: Format, encoding: str) -> Iterator[PreparedHand]:
        """Yield the hands that a source holds now, in the order in which they were played."""
        self._look_count += 1
        people = self._ledger.people
        origin = ChunkOrigin("", self._ledger.now(), self._hide)
        for piece in split_chunks(io.BytesIO(data).read, form, encoding, self._name):
            parts: list[ChunkPart] = prepare_chunk(form, piece, people, origin) if isinstance(piece, Chunk) else []
            if form.named_by_file:
                parts = self._games.match_tables(str(self._look_count), parts)
            yield from (part for part in parts if isinstance(part, PreparedHand))

    def _update_hand(self, hand: PreparedHand, happened: FeedUpdate, *, over: bool, last: bool) -> None:
        """Tell what is new of a hand."""
        if self._ledger.known_streams([hand.draft.stream.bytes]):
            self._finished.add(hand.draft.stream)
            return
        rows = fed.find_accounts(self._ledger, hand.opened)
        mine = next((one for row in rows if (one := self._find_own(row)) is not None), None)
        if mine is not None:
            self._extend_hand(mine, hand, happened, over=over)
        elif over or rows:  # an import tells it, or somebody else has begun to
            happened.has_new_hands = happened.has_new_hands or not rows
        elif last or _may_begin(hand):
            self._begin_hand(hand, happened)
        else:
            happened.is_running = happened.is_waiting = True

    def _find_own(self, row: HandRow) -> fed.FedHand | None:
        found = None if row.source else fed.find_fed_hand(self._ledger, row.stream)
        return found if found is not None and found.feed == self._feed else None

    def _begin_hand(self, hand: PreparedHand, happened: FeedUpdate) -> None:
        commits = fed.begin_hand(hand, self._feed, self._ledger.now())
        self._ledger.append_all(commits.drafts)
        happened.is_running = True
        happened.hands_begun += 1
        happened.messages.append(f"hand {hand.opened.number} runs, {len(commits.events)} events so far")

    def _extend_hand(self, mine: fed.FedHand, hand: PreparedHand, happened: FeedUpdate, *, over: bool) -> None:
        commits = fed.extend_hand(self._ledger, mine, hand, self._ledger.now(), over=over)
        if commits.drafts:
            self._ledger.append_all(commits.drafts)
            if commits.corrections:
                happened.messages.append(f"hand {hand.opened.number} corrected: its source tells it otherwise now")
        if commits.is_end:
            happened.hands_ended += 1
            happened.messages.append(f"hand {hand.opened.number} ended, told act by act")
        if over:
            self._finished.add(hand.draft.stream)
        else:
            happened.is_running = True


def _may_begin(hand: PreparedHand) -> bool:
    """Whether what a hand begins with is told: its blinds are known, or its cards are dealt."""
    events = fed.prepared_events(hand)
    return any(isinstance(event, DealCompleted) or (isinstance(event, GameSet) and event.blinds) for event in events)


MAX_FEED_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a source that is followed act by act: a larger one is told hand by hand."""
