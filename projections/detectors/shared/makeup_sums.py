"""Judges whether a player who missed blinds posted the make-up sum that the book asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ledger.hand.opening import BlindPosted, DeadMoneyTaken
from ledger.vocabulary import Chips, Seat
from projections.detectors.shared.makeup_posts import (
    compute_money_for_wrong_sum,
    explain_all_blinds_option,
    list_makeups,
)
from projections.detectors.shared.seat_due_wording import (
    describe_missed,
    describe_possible_posts,
    format_labeled_due_sums,
    format_labeled_sum,
)
from projections.detectors.shared.seat_dues import JudgedSeat, compute_money_moved_by_post, explain_open_due
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import owing as say
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

ComparedSum: TypeAlias = Literal["", "exact", "least"]
"""How to compare a make-up sum. `exact`: any other sum is wrong. `least`: only a smaller one is. Empty: not at all."""

MakeUpRule: TypeAlias = Literal["sum", "big", "capped"]
"""The sum due for all blinds. `sum`: their sum. `big`: the big blind. `capped`: their sum, but at most the bring-in."""


def judge_sum(hand: Timeline, judged_seat: JudgedSeat, comparison: ComparedSum) -> Iterator[Answer]:
    """Yield a breach if the make-up sum is wrong by every reading of the record."""
    if not judged_seat.due.possible_posts:
        if _is_wrong_sum(judged_seat, judged_seat.due_total, comparison):
            excess = None if judged_seat.due_total is None else judged_seat.paid - judged_seat.due_total
            is_perhaps_penalty = excess is not None and excess > 0 and _sum_dead_money(hand, judged_seat) == excess
            yield CannotTell(say.make_up_or_penalty()) if is_perhaps_penalty else _build_breach(hand, judged_seat)
        return
    totals = [
        None if post.live is None or post.dead is None else post.live + post.dead
        for post in judged_seat.due.possible_posts
    ]
    verdicts = [_is_wrong_sum(judged_seat, total, comparison) for total in totals]
    if all(verdicts):
        yield _build_breach(hand, judged_seat)
    elif any(verdicts) or None in totals:
        yield explain_open_due(judged_seat)


def judge_excess(hand: Timeline, judged_seat: JudgedSeat) -> Iterator[Answer]:
    """Yield a breach if a make-up post before the big blind exceeds all blinds of the game: no reading asks for more."""
    live_price, dead_price, _ = judged_seat.price
    if not hand.blinds or judged_seat.tab.short_big or live_price is None or dead_price is None:
        return
    possible_sums = [(post.live or 0) + (post.dead or 0) for post in judged_seat.due.possible_posts]
    maximum = max(sum(hand.blinds), live_price + dead_price, *possible_sums)
    if judged_seat.paid > maximum:
        is_perhaps_penalty = _sum_dead_money(hand, judged_seat) >= judged_seat.paid - maximum
        yield CannotTell(say.make_up_or_penalty()) if is_perhaps_penalty else _build_breach(hand, judged_seat)


def judge_total_by_role(hand: Timeline, rule: MakeUpRule, required_option: bool | None) -> Iterator[Answer]:
    """Judge the make-up sum by the roles of the posts alone: the table's record doesn't show what was missed."""
    makeups = list_makeups(hand)
    option_answer = explain_all_blinds_option(hand, required_option) if makeups else NO_OCCASION
    if option_answer is not None:
        yield option_answer
        return
    full_makeups = {
        seat: posts
        for seat, posts in makeups.items()
        if {post.role for _, post in posts} >= {"makeup-small", "makeup-big"}
    }
    bring_in = find_bring_in(hand)
    if not full_makeups:
        has_unnamed_post = any(post.role == "makeup" for posts in makeups.values() for _, post in posts)
        yield CannotTell(say.blinds_missed()) if has_unnamed_post else NO_OCCASION
    elif hand.big_blind is None:
        yield CannotTell("blind-amounts")
    elif rule == "capped" and not bring_in:
        yield CannotTell("house-option bring-in")
    else:
        all_blinds = sum(hand.blinds)
        sums_by_rule = {"sum": all_blinds, "big": hand.big_blind, "capped": min(all_blinds, bring_in or hand.big_blind)}
        for seat, posts in full_makeups.items():
            yield from _judge_total(hand, seat, posts, sums_by_rule[rule])


def _judge_total(hand: Timeline, seat: Seat, posts: list[tuple[int, BlindPosted]], due_sum: Chips) -> Iterator[Breach]:
    """Yield a breach if a seat's make-up posts aren't the sum that is due."""
    paid = sum(post.live + post.dead for _, post in posts)
    if paid != due_sum:
        first_version, _ = posts[0]
        yield Breach(
            first_version,
            say.wrong_total(seat, hand.format_chips(paid), hand.format_chips(due_sum)),
            seat=seat,
            should=say.sum_in_all(hand.format_chips(due_sum)),
            money=compute_money_for_wrong_sum(hand, seat, paid, due_sum),
        )


def find_bring_in(hand: Timeline) -> Chips:
    """Return the game's bring-in or smallest opening bet; 0 = not recorded."""
    return hand.option("bring-in") or hand.option("minimum-open") or 0


def _sum_dead_money(hand: Timeline, judged_seat: JudgedSeat) -> Chips:
    """Return the dead money that the dealer took from a seat before anybody acted."""
    takes = hand.events_before(hand.first_act or AFTER_ALL_EVENTS, DeadMoneyTaken, seat=judged_seat.seat)
    return sum(event.amount for _, event in takes)


def _is_wrong_sum(judged_seat: JudgedSeat, total: Chips | None, comparison: ComparedSum) -> bool:
    """Whether a make-up sum is wrong: too small, or with "exact" too large; all-in for less is right."""
    if total is None or (judged_seat.is_all_in and judged_seat.paid < total):
        return False
    return judged_seat.paid < total or (comparison == "exact" and judged_seat.paid > total)


def _build_breach(hand: Timeline, judged_seat: JudgedSeat) -> Breach:
    """Return the breach of a make-up post with a wrong sum."""
    return Breach(
        judged_seat.version,
        say.wrong_make_up(
            judged_seat.seat,
            format_labeled_sum(hand, judged_seat.live, judged_seat.dead),
            format_labeled_due_sums(hand, judged_seat),
        ),
        seat=judged_seat.seat,
        should=describe_possible_posts(hand, judged_seat),
        because=describe_missed(hand, judged_seat),
        money=compute_money_moved_by_post(hand, judged_seat),
        grounds=judged_seat.grounds,
    )
