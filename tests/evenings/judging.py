"""Holds an evening against the audit and the obligations: what they say of it that they should not."""

from __future__ import annotations

from collections.abc import Iterator

from projections.audit.audit_result import AuditResult
from projections.books.rulebook import load
from projections.findings.finding import Finding
from projections.obligations.dues import Due, Placement
from projections.table_walk.table_context import TableWalk
from tests.evenings.generate import Dealt, Evening
from tests.evenings.plan import Plan
from tests.projections.running import audit_of


def judge(evening: Evening) -> tuple[list[tuple[int, Finding]], list[Due], AuditResult]:
    """Findings with the index of their hand, what was due before each hand, and the coverage."""
    book = load(evening.room.book)
    audit, table = audit_of(book.name), TableWalk([book])
    findings: list[tuple[int, Finding]] = []
    dues: list[Due] = []
    for index, sat in enumerate(table.contexts(evening.told())):
        findings += ((index, finding) for finding in audit.judge_hand(evening.played[index], sat))
        dues.append(sat[book.name].due)
    return findings, dues, audit.result()


def complaints(evening: Evening) -> list[str]:
    """Everything that is wrong about the judgement of a legal evening, in words."""
    findings, dues, result = judge(evening)
    lines = [f"hand {index + 1}: {f.citation}: {f.saw} ({f.should})" for index, f in findings]
    for row in result.coverage:
        lines += [
            f"cannot tell {row.book} {row.clause}: {item.fact}"
            for item in row.missing
            if not any(point in item.fact for point in OPEN_QUESTIONS)
        ]
    for hand, due in zip(evening.hands, dues, strict=True):
        lines += [f"hand {hand.number}: {item}" for item in disagreements(evening, hand, due)]
    return lines


OPEN_QUESTIONS = (
    "where the blinds go with two players: the book doesn't say",
    "didn't count, so the button and blinds stay",
    "drew the button",
    "counts as the player's own big blind: no book says",
)
"""Points that books leave open, and evenings cannot avoid.

Two players, a misdeal, a first button, the hand after a short blind.
"""


def disagreements(evening: Evening, hand: Dealt, due: Due) -> Iterator[str]:
    """Where the obligations and the evening's own simulation part."""
    if due.unknown:
        yield f"unknown: {due.unknown}"
        return
    plan = hand.plan
    judged = due.place is not None and due.place.judged
    if judged and not any(_same_positions(plan, place) for place in due.placements):
        placement = due.placements[0]
        yield (
            f"positions bt {plan.button} sb {plan.small} bb {plan.big} of {plan.dealt}, "
            f"but due bt {placement.button} sb {placement.small} bb {placement.big} [{placement.method}]"
        )
        return
    if judged and not any(_same_posts(plan, p) for p in due.placements):
        expected_posts = sorted((p.seat, p.role, p.live) for p in due.placements[0].posts)
        yield f"posts {_posts(plan)}, but due {expected_posts}"
    for seat in plan.dealt if due.seats else ():
        seat_due = due.seat(seat)
        if seat_due is None:
            yield f"nobody is due in seat {seat}"
            continue
        posted = [
            p
            for p in plan.posts
            if p.seat == seat and p.role in ("entry", "makeup", "makeup-small", "makeup-big", "kill")
        ]
        live, dead = sum(p.live for p in posted), sum(p.dead for p in posted)
        straddled = any(p.seat == seat and p.role == "straddle" for p in plan.posts)
        if seat_due.deal == "no":
            yield f"seat {seat} is dealt in, but may not be ({_reasons(seat_due)})"
        elif seat_due.deal == "if-posts" and not straddled:
            if None not in (seat_due.live, seat_due.dead) and (seat_due.live, seat_due.dead) != (live, dead):
                yield f"seat {seat} posts {live}+{dead}, but due {seat_due.live}+{seat_due.dead} ({_reasons(seat_due)})"
        elif seat_due.deal == "yes" and posted:
            yield f"seat {seat} posts {live}+{dead}, but owes nothing ({_reasons(seat_due)})"


def _reasons(seat_due: object) -> str:
    return "; ".join(ground.sentence for ground in getattr(seat_due, "grounds", ()))


def _same_positions(plan: Plan, place: Placement) -> bool:
    due = (place.button, place.small, place.big)
    seats = (plan.button, plan.small, plan.big)
    if plan.middle:
        due, seats = (*due, place.extra), (plan.button, plan.small, plan.middle, plan.big)
    return all(due_seat in (None, seat) for seat, due_seat in zip(seats, due, strict=True))


def _posts(plan: Plan) -> list[tuple[int, str, int]]:
    return sorted((p.seat, p.role, p.live) for p in plan.posts if p.role in ("small", "big", "extra"))


def _same_posts(plan: Plan, place: Placement) -> bool:
    seats = {p.seat for p in plan.posts if p.short}
    due = sorted((p.seat, p.role, p.live) for p in place.posts if p.role in ("small", "big", "extra"))
    plan_posts = _posts(plan)
    return [p[:2] for p in plan_posts] == [p[:2] for p in due] and all(
        a[2] == b[2] or b[2] is None or a[0] in seats for a, b in zip(plan_posts, due, strict=True)
    )
