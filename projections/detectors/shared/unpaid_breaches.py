"""Build the breaches for players who were dealt in without a post that was due."""

from __future__ import annotations

from ledger.hand.betting import HandKilled
from ledger.hand.dealing import CardsViewed
from ledger.hand.opening import BlindPosted
from projections.detectors.shared.debtors import OverduePost
from projections.detectors.shared.seat_due_wording import describe_missed, describe_ways_in, format_due_sum
from projections.detectors.shared.seat_dues import ENTERING_ROLES, JudgedSeat, compute_money_moved_by_post
from projections.findings.finding import Breach
from projections.sentences import debts as debt_sentences
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def build_unpaid_breach(hand: Timeline, debtor: JudgedSeat) -> Breach:
    """Return the breach for a player who was dealt in owing blinds."""
    remedy_note = _explain_remedy(hand, debtor)
    is_standing_unknown = debtor.due.status == "unknown"
    return Breach(
        debtor.dealt_version,
        _describe_unpaid(hand, debtor),
        seat=debtor.seat,
        should=describe_ways_in(hand, debtor.due),
        because=remedy_note or _explain_unpaid(hand, debtor),
        certainty="likely" if is_standing_unknown else "certain",
        # The book doesn't say how much makes a short blind good.
        money=() if debtor.tab.short_big or remedy_note else compute_money_moved_by_post(hand, debtor),
        remedy="followed" if remedy_note else "none",
        severity="warning" if remedy_note else None,
        grounds=debtor.grounds,
    )


def build_overdue_breach(hand: Timeline, overdue: OverduePost) -> Breach:
    """Return the breach for a player who was dealt in again without an overdue post."""
    debtor = overdue.debtor
    due_reason = debt_sentences.post_due_next_deal(debtor.seat, overdue.last_number)
    return Breach(
        debtor.dealt_version,
        say.dealt_in_owing_again(debtor.seat, overdue.last_number),
        seat=debtor.seat,
        should=describe_ways_in(hand, debtor.due),
        because=paragraph(describe_missed(hand, debtor), due_reason),
        money=compute_money_moved_by_post(hand, debtor),
        grounds=debtor.grounds,
    )


def _describe_unpaid(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return the headline for a player who was dealt in owing blinds."""
    if debtor.has_straddled:
        return say.dealt_in_on_straddle(debtor.seat)
    if debtor.due.deal == "no":
        return say.dealt_in_too_early(debtor.seat)
    return say.dealt_in_owing(debtor.seat, format_due_sum(hand, debtor))


def _explain_unpaid(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return why the player should not have been dealt in: the missed blinds and the position."""
    missed_blinds = describe_missed(hand, debtor)
    if debtor.due.status == "unknown":
        return paragraph(missed_blinds, say.wrong_either_way(debtor.due.grounds[0].sentence))
    return paragraph(missed_blinds, say.barred_there(debtor.seat) if debtor.due.deal == "no" else "")


def _explain_remedy(hand: Timeline, debtor: JudgedSeat) -> str:
    """Return how the missing post was put right in time, or "" if it wasn't.

    Either the player posted before looking and before anybody acted, or the hand was killed because the player looked.
    """
    late_posts = [  # all of the seat's posts, since it posted nothing before it had cards
        (version, post)
        for version, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.seat == debtor.seat and post.role in ENTERING_ROLES
    ]
    look_version, _ = hand.first_event_after(0, CardsViewed, seat=debtor.seat) or (AFTER_ALL_EVENTS, None)
    deadline = min(hand.first_act or AFTER_ALL_EVENTS, look_version)
    if late_posts and late_posts[-1][0] < deadline:
        paid = sum(post.live + post.dead for _, post in late_posts)
        return say.posted_in_time() if debtor.due_total in (None, paid) else ""
    return say.dead_in_time() if _is_killed_in_time(hand, debtor) else ""


def _is_killed_in_time(hand: Timeline, debtor: JudgedSeat) -> bool:
    """Whether a hand was killed because its player looked before posting, and before the player acted."""
    versioned_kill = hand.first_event_after(0, HandKilled, seat=debtor.seat)
    if versioned_kill is None:
        return False
    kill_version, kill = versioned_kill
    return kill.reason == "looked-before-post" and not hand.has_acted(debtor.seat, kill_version)
