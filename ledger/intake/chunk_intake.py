"""Pass the items of one piece of a source to a writer, and account for its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from ledger.account import Amendment, Reject, TableAccount
from ledger.intake.byte_accounts import ByteCounts, count_bytes
from ledger.intake.chunk_preparation import ChunkPart, PreparedHand
from ledger.intake.encoding import encode_line_end
from ledger.intake.import_progress import ImportProgress
from ledger.intake.source_format import summarize_reject
from ledger.intake.summary import COUNTED, POSTS_SHOWN, REJECTS_SHOWN, DeadPostSummary, FileSummary
from ledger.notation import Chunk
from ledger.vocabulary import in_units

RETRY_CODES: Final = ("fault", "correction")
"""Rejects that another import may read: with a better reader, or once the hand is there."""


class SourceWriter(Protocol):
    """A writer of the items of a source."""

    progress: ImportProgress

    def add_hand(self, hand: PreparedHand) -> None:
        """Add a hand."""

    def add_facts(self, account: TableAccount) -> None:
        """Add facts about a table."""

    def add_amendment(self, amendment: Amendment) -> Reject | None:
        """Add corrections of a hand. Return a reject if they don't fit."""

    def add_reject(self, reject: Reject) -> None:
        """Add a span that can't be read."""


def add_piece(writer: SourceWriter, piece: Chunk | Reject, parts: Sequence[ChunkPart], summary: FileSummary) -> None:
    """Add the items of one piece of the source, and account for its bytes."""
    progress = writer.progress
    taken_parts: list[ChunkPart] = []
    for part in parts:
        if isinstance(part, PreparedHand):
            writer.add_hand(part)
            if summary.format == "handscript":
                _list_dead_posts(summary, part)
        elif isinstance(part, TableAccount):
            if part.events:  # without events, it only accounts for its bytes
                writer.add_facts(part)
        elif isinstance(part, Amendment):
            part = writer.add_amendment(part) or part  # noqa: PLW2901 - what does not fit is a reject
        taken_parts.append(part)
        if isinstance(part, Reject):
            writer.add_reject(part)
            progress.rejected += 1
            progress.faults += part.code in RETRY_CODES
            if len(summary.rejects) < REJECTS_SHOWN:
                summary.rejects.append(summarize_reject(part))
    if isinstance(piece, Chunk):
        progress.bytes += count_bytes(piece, taken_parts)
        progress.line += piece.data.count(encode_line_end(piece.encoding))
    else:
        progress.bytes += ByteCounts(rejected=piece.length)


def _list_dead_posts(summary: FileSummary, hand: PreparedHand) -> None:
    """List the posts of a hand that have a live and a dead part, with their total."""
    played = hand.played
    for post in played.posts:
        if post.live and post.dead and len(summary.dead_posts) < POSTS_SHOWN:
            live, dead, total = (
                in_units(chips, played.exponent) for chips in (post.live, post.dead, post.live + post.dead)
            )
            summary.dead_posts.append(DeadPostSummary(played.number, post.seat, live, dead, total))


def summarize(summary: FileSummary, progress: ImportProgress) -> None:
    """Fill in the summary: how far a source was read, and its counts."""
    counts = progress.bytes
    summary.read, summary.blank = counts.read, counts.blank
    summary.rejected_bytes, summary.not_read = counts.rejected, counts.not_read
    for name in COUNTED:
        setattr(summary, name, getattr(progress, name))
