"""Every way to bet a small hand: PokerKit plays it alike, no book convicts what was offered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from ledger.hand.events import HandEvent
from ledger.replay import HandReplay
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.findings.finding import Finding
from tests.betting.illegal_acts import CLAUSES, IllegalHand, IllegalKind
from tests.betting.small_hands import (
    OdometerDecider,
    RandomDecider,
    SmallHand,
    SmallTable,
    random_table,
    without_stacks,
)
from tests.laws import FULL_SIZE, size
from tests.ledger.hand.pokerkit_agreement import compare

BOOKS = ("hilton", "rrop4", "bicycle", "house-burn", "tda2024")
COMPLETE_TABLES = (
    SmallTable((9, 8), "no-limit"),
    SmallTable((9, 9), "pot-limit"),
    SmallTable((4, 5, 4), "no-limit", "tournament"),
    SmallTable((11, 15, 9), "limit", has_big_bets=True),
)


def judge_by_every_book() -> Auditor:
    """Return an audit under all books, and `record`."""
    return Auditor([load(name) for name in BOOKS], compare_books=False, keep_findings=False)


def certain_findings(audit: Auditor, events: list[HandEvent]) -> list[Finding]:
    """Return what is found for certain in a hand, with its stacks on record and without them."""
    findings: list[Finding] = []
    for version in (events, without_stacks(events)):
        findings += audit.judge_hand(HandReplay(version))
    return [finding for finding in findings if finding.certainty == "certain"]


PARTS = size(1, 10)
"""The random hands of a law are drawn in so many tests, which run side by side."""


def random_hands(count: int, seed: str, part: int = 0) -> Iterator[tuple[SmallTable, list[HandEvent]]]:
    """Yield hands bet by chance within what is offered: one part of `count`."""
    for number in range(part * count // PARTS, (part + 1) * count // PARTS):
        rng = Random(f"{seed} {number}")
        table = random_table(rng)
        yield table, SmallHand(table, RandomDecider(rng)).play()


def all_hands(table: SmallTable) -> Iterator[list[HandEvent]]:
    """Yield the hand bet in every way that is offered."""
    decider = OdometerDecider()
    while True:
        yield SmallHand(table, decider).play()
        if not decider.advance():
            return


def tables_to_walk(betting: str, form: str) -> Iterator[SmallTable]:
    """Yield the tables of a kind that are walked whole: a few in CI, all small ones under `make laws`."""
    if not FULL_SIZE:
        yield from (table for table in COMPLETE_TABLES if (table.betting, table.format) == (betting, form))
        return
    for seats, max_stack in ((2, 9), (3, 5), (4, 3)):
        for stacks in product(range(1, max_stack + 1), repeat=seats):
            yield SmallTable(stacks, betting, form)


def describe(table: SmallTable, events: list[HandEvent], findings: list[Finding]) -> str:
    """Return a broken hand as a person reads it."""
    lines = [f"{finding.book} {finding.clause}: {finding.saw}, event {finding.version}" for finding in findings]
    return "\n".join([str(table), *lines, *(f"{number} {event}" for number, event in enumerate(events, 1))])


@pytest.mark.law
@pytest.mark.parametrize("part", range(PARTS))
def test_no_book_convicts_what_is_offered(part: int) -> None:
    audit = judge_by_every_book()
    for table, events in random_hands(size(1500, 100_000), "offers", part):
        findings = certain_findings(audit, events)
        assert not findings, describe(table, events, findings)


@pytest.mark.law
@pytest.mark.parametrize(("betting", "form"), list(product(("no-limit", "pot-limit", "limit"), ("cash", "tournament"))))
def test_no_book_convicts_any_way_to_bet_a_small_hand(betting: str, form: str) -> None:
    audit = judge_by_every_book()
    for table in tables_to_walk(betting, form):
        for events in all_hands(table):
            findings = certain_findings(audit, events)
            assert not findings, describe(table, events, findings)


@pytest.mark.law
@pytest.mark.parametrize("part", range(PARTS))
def test_pokerkit_plays_small_hands_alike(part: int) -> None:
    compared = sum(
        compare(events, "holdem", table.betting) for table, events in random_hands(size(300, 20_000), "pokerkit", part)
    )
    assert compared > 600


@pytest.mark.law
@pytest.mark.parametrize("kind", CLAUSES)
def test_each_illegal_act_is_found_by_every_book_with_a_clause(kind: IllegalKind) -> None:
    audit = judge_by_every_book()
    broken = 0
    for number in range(size(400, 20_000)):
        rng = Random(f"{kind} {number}")
        table = random_table(rng)
        hand = IllegalHand(table, RandomDecider(rng), kind)
        events = hand.play()
        if not hand.broken_at:
            continue
        broken += 1
        findings = audit.judge_hand(HandReplay(events))
        for book, clauses in CLAUSES[kind].items():
            if book == "tda2024" and table.format != "tournament":
                continue
            assert any(
                finding.book == book and {finding.clause, *finding.also} & set(clauses) for finding in findings
            ), f"{book} is silent about event {hand.broken_at}\n{describe(table, events, findings)}"
    assert broken
