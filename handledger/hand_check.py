"""Judge the beginning of a hand under a book, before anybody acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from handledger.answers import Fault
from handledger.hand_plan import BLIND_ROLES, KINDS, SeatPost
from ledger.replay import HandReplay
from projections.audit.auditor import Auditor
from projections.sentences import blinds as blind_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from handledger.hand_plan import HandSheet
    from ledger.hand.events import HandEvent
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.obligations.dues import Due, DuePost
    from projections.table_walk.table_context import ContextsByBook


def list_faults(book: Rulebook, events: Sequence[HandEvent], contexts: ContextsByBook) -> tuple[Fault, ...]:
    """Return the faults that an audit finds in a hand under a book. `contexts`: the table before the hand."""
    auditor = Auditor([book], compare_books=False, keep_findings=False)
    return tuple(map(_build_fault, auditor.judge_hand(HandReplay(events), contexts)))


def judge_each_missing_post(
    hand_sheet: HandSheet, due: Due, judge: Callable[[HandSheet], tuple[Fault, ...]]
) -> tuple[Fault, ...]:
    """Return the faults of a hand, with one for each due blind that is missing.

    The audit reports only the first missing blind. To find the others, judge the hand once for each missing blind, with
    all the others posted. If somebody posted a blind that isn't due, one fault explains them all.
    """
    faults = judge(hand_sheet)
    posted_blinds = {(post.seat, post.role) for post in hand_sheet.posts if post.role in BLIND_ROLES}
    settled_posts = _list_settled_posts(due)
    is_as_due = posted_blinds <= {(post.seat, post.role) for post in settled_posts}
    if not is_as_due or any(placement.button != hand_sheet.button for placement in due.placements):
        return faults
    posted = {(post.seat, post.role) for post in hand_sheet.posts}
    missing_posts = [
        SeatPost(post.seat, post.role, post.live, post.dead or 0)
        for post in settled_posts
        if (post.seat, post.role) not in posted and post.seat in hand_sheet.dealt and post.live is not None
    ]
    named_seats = {fault.seat for fault in faults}
    for missing_post in missing_posts:
        other_posts = [post for post in missing_posts if post is not missing_post]
        if not other_posts or missing_post.seat in named_seats:
            continue
        completed_sheet = hand_sheet._replace(posts=tuple(_sort_posts([*hand_sheet.posts, *other_posts])))
        assumed_positions, recorded_positions = map(_describe_positions, (completed_sheet, hand_sheet))
        faults += tuple(
            msgspec.structs.replace(fault, reason=fault.reason.replace(assumed_positions, recorded_positions, 1))
            for fault in judge(completed_sheet)
            if fault.seat == missing_post.seat
        )
    return faults


def _describe_positions(hand_sheet: HandSheet) -> str:
    """Return the sentence of a fault's reason about where the button and blinds of a hand are."""
    blind_seats = [(post.role, post.seat) for post in hand_sheet.posts if post.role in BLIND_ROLES]
    positions_text = blind_sentences.positions(
        hand_sheet.button,
        blind_seats,
        is_button_empty=hand_sheet.button is not None and hand_sheet.button not in hand_sheet.dealt,
        empty_small_seat=None,
    )
    return blind_sentences.recorded_positions(positions_text)


def _sort_posts(posts: Iterable[SeatPost]) -> list[SeatPost]:
    roles = list(KINDS)
    return sorted(posts, key=lambda post: roles.index(post.role))


def _list_settled_posts(due: Due) -> list[DuePost]:
    """Return the blinds that every reading of the book expects from the same seat."""
    placements = due.placements
    if not placements or not all(placement.judged for placement in placements):
        return []
    common_posts = set.intersection(*({(post.seat, post.role) for post in placement.posts} for placement in placements))
    return [post for post in placements[0].posts if post.role in KINDS and (post.seat, post.role) in common_posts]


def _build_fault(finding: Finding) -> Fault:
    return Fault(
        book=finding.book,
        clause=finding.clause,
        severity=finding.severity,
        certainty=finding.certainty,
        seat=finding.seat,
        sentence=finding.saw,
        should=finding.should,
        reason=finding.because,
        asks=finding.asks,
        chips={share.seat: share.amount for share in finding.money},
    )
