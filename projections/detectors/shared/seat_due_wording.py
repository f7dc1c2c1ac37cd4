"""How findings word what was due from a seat of a hand and what it posted: sums, posts, and reasons."""

from __future__ import annotations

from typing import Final

from ledger.vocabulary import Chips
from projections.detectors.shared.seat_dues import JudgedSeat
from projections.obligations.dues import SeatDue
from projections.sentences import owing as say
from projections.sentences import paragraph
from projections.sentences.debts import short_blind_as_missed
from projections.sentences.positions import no_button, no_button_before_blind
from projections.sentences.words import live_and_dead
from projections.timeline.hand_timeline import Timeline

_WAITS: Final = {
    "big-blind": say.wait_for_big_blind,
    "button-passes": say.wait_for_button,
    "position": say.wait_for_position,
}


def describe_ways_in(hand: Timeline, due: SeatDue) -> str:
    """Return what a seat may do to be dealt in: `a live post of $10, or no cards until the big blind`."""
    phrases = _list_posts_due(hand, due)
    for option in due.ways_in:
        if option.kind == "post" and not phrases:
            phrases.append(describe_post(hand, option.live, option.dead))
        elif not option.is_on_this_hand and option.kind in _WAITS:
            phrases.append(_WAITS[option.kind](option.hands_to_wait))
    return say.choices(list(dict.fromkeys(phrases))) if phrases else say.no_cards()


def _list_posts_due(hand: Timeline, due: SeatDue) -> list[str]:
    """Return the posts that are due from a seat on this hand: several if the record leaves them open."""
    if any(post.role == "kill" for post in due.post):
        return [say.kill() if due.live is None else say.kill_of(describe_post(hand, due.live, due.dead))]
    if not due.post:
        return []
    sums = [(post.live, post.dead) for post in due.possible_posts] or [(due.live, due.dead)]
    return [describe_post(hand, live, dead) for live, dead in sums]


def describe_possible_posts(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return every post that may settle what a seat owes: `a live post of $10, or a post of $10 live and $5 dead`."""
    return say.choices([describe_post(hand, live, dead) for live, dead in _list_possible_sums(judged_seat)])


def _list_possible_sums(judged_seat: JudgedSeat) -> list[tuple[Chips | None, Chips | None]]:
    """Return the sums, live and dead, that may be due from a seat: its price, unless the record leaves several."""
    possible_sums = [(post.live, post.dead) for post in judged_seat.due.possible_posts]
    return possible_sums or [(judged_seat.price.live, judged_seat.price.dead)]


def describe_post(hand: Timeline, live: Chips | None, dead: Chips | None) -> str:
    """Return a post with its sum, if known: `a live post of $10`, or `a post of $10 live and $5 dead`."""
    if live is None or dead is None:
        return say.post_of_unknown_sum()
    if not dead:
        return say.live_post_of(hand.format_chips(live))
    return say.post_of(hand.format_chips(live), hand.format_chips(dead))


def format_due_sum(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return the sum that settles what a seat owes, as `format_sum`, or "" if it is unknown or may be several."""
    price = judged_seat.price
    if judged_seat.due.possible_posts or price.live is None or price.dead is None:
        return ""
    return format_sum(hand, price.live, price.dead)


def format_sum(hand: Timeline, live: Chips, dead: Chips) -> str:
    """Return a sum that needs no label if all of it is live: `$10`, or `$10 live and $5 dead`."""
    return live_and_dead(hand.format_chips(live), hand.format_chips(dead)) if dead else hand.format_chips(live)


def format_labeled_sum(hand: Timeline, live: Chips, dead: Chips) -> str:
    """Return a sum with each part labeled: `$10 live`, `$5 dead`, or `$10 live and $5 dead`."""
    if dead and not live:
        return say.dead_only(hand.format_chips(dead))
    return live_and_dead(hand.format_chips(live), hand.format_chips(dead) if dead else "")


def format_labeled_due_sums(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return every sum that may settle what a seat owes, as `format_labeled_sum`, joined by "or"."""
    parts = [
        format_labeled_sum(hand, live, dead)
        for live, dead in _list_possible_sums(judged_seat)
        if live is not None and dead is not None
    ]
    return " or ".join(parts) or say.unknown_sum_owed()


def list_missed(judged_seat: JudgedSeat) -> list[tuple[str, str]]:
    """Return the roles of the blinds that a seat missed, each with the number of its hand ("" = unknown)."""
    return [(missed_blind.role, missed_blind.hand) for missed_blind in judged_seat.due.missed]


def describe_missed(hand: Timeline, judged_seat: JudgedSeat) -> str:
    """Return what a seat missed, and what it posts for that if it may post at all."""
    missed_blinds = list_missed(judged_seat)
    price = "" if judged_seat.due.deal == "no" else format_due_sum(hand, judged_seat)
    if not judged_seat.tab.short_big and all(number for _, number in missed_blinds):
        return say.missed(judged_seat.seat, missed_blinds, price)
    # A short blind isn't missed, and one from before the record has no hand: their own reasons say more.
    reasons = [
        missed_blind.ground.sentence
        for missed_blind in judged_seat.due.missed
        if missed_blind.ground.basis != "assumed"
    ]
    as_missed = short_blind_as_missed() if judged_seat.tab.short_big else ""
    return paragraph(*reasons, as_missed, say.makes_up(judged_seat.seat, price) if price else "")


def list_reasons(judged_seat: JudgedSeat) -> list[str]:
    """Return why a seat owes what it owes, without what bars it from the button."""
    bar_sentences = _list_bar_sentences(judged_seat.due)
    grounds = [
        ground
        for ground in (*judged_seat.due.grounds, *judged_seat.grounds)
        if ground.basis != "assumed" and ground.sentence not in bar_sentences
    ]
    questions = [say.same_either_way(ground.sentence) for ground in grounds if ground.is_question]
    return [*(ground.sentence for ground in grounds if not ground.is_question), *questions]


def _list_bar_sentences(due: SeatDue) -> set[str]:
    """Return every sentence that may bar a seat from the button. A stored reason has no kind, so its words tell."""
    return {
        *(no_button(due.seat, kind) for kind in due.barred),
        *(no_button_before_blind(due.seat, kind) for kind in due.barred),
    }
