"""Record the running hand of a growing source act by act.

Imports bring in complete hands, the events between hands, and the source's bytes. Only the last hand of a source that
still grows is recorded here, until it is over.
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
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart, PreparedHand, prepare_chunk
from ledger.intake.chunks import split_chunks
from ledger.intake.games import GameTables
from ledger.notation import Chunk, Format

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.store import Ledger
    from ledger.store.commits import HandRow


@dataclass(slots=True)
class FeedUpdate:
    """The result of a look at a source."""

    is_running: bool = False  # it has a running hand
    is_waiting: bool = False  # a hand begins, and its first lines aren't complete
    has_new_hands: bool = False  # it has complete hands that the ledger doesn't have
    messages: list[str] = field(default_factory=list)  # for people; they contain no player text
    hands_begun: int = 0
    hands_ended: int = 0


class Feed:
    """Follows one source into a ledger. It can continue after a kill, since all state is in the ledger."""

    def __init__(self, ledger: Ledger, name: str, origin: str, *, hide: bool = False) -> None:
        """Take the ledger, and the source's name and path. Hands of other feeds are left alone."""
        self._ledger = ledger
        self._name = name
        self._feed = ledger.people.source(origin or name)
        self._hide = hide
        self._games = GameTables(ledger)
        self._look_count = 0
        self._finished: set[UUID] = set()  # ids of accounts that are complete

    def look(
        self, source_bytes: bytes, source_format: Format, encoding: str, *, is_last_look: bool = False
    ) -> FeedUpdate:
        """Record what is new in a source with these bytes. `is_last_look`: the source is not read again soon."""
        update = FeedUpdate()
        hands = list(self._read_hands(source_bytes, source_format, encoding))
        last_indexes = {hand.opened.table: hand_index for hand_index, hand in enumerate(hands)}
        for hand_index, hand in enumerate(hands):
            if hand.draft.stream in self._finished:
                continue
            is_running = last_indexes[hand.opened.table] == hand_index and not (
                hand.played.completed or hand.played.voided
            )
            try:
                self._update_hand(hand, update, is_over=not is_running, is_last_look=is_last_look)
            except ConflictError:
                update.is_running = True  # somebody else recorded at the same moment: the next look tries again
        return update

    def _read_hands(self, source_bytes: bytes, source_format: Format, encoding: str) -> Iterator[PreparedHand]:
        """Yield the hands in a source, in the order of play."""
        self._look_count += 1
        people = self._ledger.people
        origin = ChunkOrigin("", self._ledger.now(), self._hide)
        for piece in split_chunks(io.BytesIO(source_bytes).read, source_format, encoding, self._name):
            parts: list[ChunkPart] = (
                prepare_chunk(source_format, piece, people, origin) if isinstance(piece, Chunk) else []
            )
            if source_format.is_named_by_file:
                parts = self._games.match_tables(str(self._look_count), parts)
            yield from (part for part in parts if isinstance(part, PreparedHand))

    def _update_hand(self, hand: PreparedHand, update: FeedUpdate, *, is_over: bool, is_last_look: bool) -> None:
        """Record what is new in a hand."""
        if self._ledger.known_streams([hand.draft.stream.bytes]):
            self._finished.add(hand.draft.stream)
            return
        hand_rows = fed.find_accounts(self._ledger, hand.opened)
        own_hand = next(
            (fed_hand for hand_row in hand_rows if (fed_hand := self._find_own(hand_row)) is not None), None
        )
        if own_hand is not None:
            self._extend_hand(own_hand, hand, update, is_over=is_over)
        elif is_over or hand_rows:  # an import will bring it, or somebody else records it
            update.has_new_hands = update.has_new_hands or not hand_rows
        elif is_last_look or _may_begin(hand):
            self._begin_hand(hand, update)
        else:
            update.is_running = update.is_waiting = True

    def _find_own(self, hand_row: HandRow) -> fed.FedHand | None:
        fed_hand = None if hand_row.source else fed.find_fed_hand(self._ledger, hand_row.stream)
        return fed_hand if fed_hand is not None and fed_hand.feed == self._feed else None

    def _begin_hand(self, hand: PreparedHand, update: FeedUpdate) -> None:
        commits = fed.begin_hand(hand, self._feed, self._ledger.now())
        self._ledger.append_all(commits.drafts)
        update.is_running = True
        update.hands_begun += 1
        update.messages.append(f"hand {hand.opened.number} runs, {len(commits.events)} events so far")

    def _extend_hand(self, own_hand: fed.FedHand, hand: PreparedHand, update: FeedUpdate, *, is_over: bool) -> None:
        commits = fed.extend_hand(self._ledger, own_hand, hand, self._ledger.now(), is_over=is_over)
        if commits.drafts:
            self._ledger.append_all(commits.drafts)
            if commits.corrections:
                update.messages.append(f"hand {hand.opened.number} corrected, because its source changed")
        if commits.is_end:
            update.hands_ended += 1
            update.messages.append(f"hand {hand.opened.number} ended, followed act by act")
        if is_over:
            self._finished.add(hand.draft.stream)
        else:
            update.is_running = True


def _may_begin(hand: PreparedHand) -> bool:
    """Whether enough of a hand is known to begin it: its blinds, or that its cards are dealt."""
    events = fed.decode_events(hand)
    return any(isinstance(event, DealCompleted) or (isinstance(event, GameSet) and event.blinds) for event in events)


MAX_FEED_BYTES: Final = 64 * 1024 * 1024
"""A larger source, in bytes, is imported by complete hands only."""
