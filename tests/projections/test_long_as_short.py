"""A long hand, whose events are looked up, is judged as if it were read through; findings are grouped as if all were compared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from projections.addresses.hand_reference import Hand
from projections.audit.auditor import Auditor
from projections.audit.grouped_findings import Points, group_findings
from projections.books import rulebook
from projections.findings.finding import Finding
from tests.laws import size
from tests.security.test_long_hands import ENDING, KINDS, OPENING, played

EVENTS = Path(__file__).parents[1] / "events"
LONG_HAND_SETTINGS = (
    "projections.timeline.event_index.LONG_HAND",
    "projections.timeline.hand_setup.LONG_HAND",
    "projections.timeline.hand_timeline.LONG_HAND",
    "ledger.replay._LONG_HAND",
)


@pytest.mark.law
def test_what_is_looked_up_is_what_is_read_through(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [json.loads((EVENTS / f"{kind}.v1.json").read_text()) for kind in KINDS]
    events = [row for row in events if row[0] not in ("HandOpened", "HandSealed")]
    books = [rulebook.load(name) for name in rulebook.list_names()]
    random = Random(5)
    for _ in range(size(60, 3000)):
        hand = played(
            random.choices(events, k=random.randint(1, 30)), random.randint(1, 3), random.choice(([], ENDING))
        )
        timelines = []
        for limit in (0, 10**9):
            for name in LONG_HAND_SETTINGS:
                monkeypatch.setattr(name, limit)
            running = Auditor(books)
            findings = running.judge_hand(hand.replace_events(hand.recorded_events))
            result = running.result()
            timelines.append((findings, result.coverage, result.differences))
        assert timelines[0] == timelines[1]
    assert OPENING


def is_alike(finding: Finding, other_finding: Finding, points: dict[str, frozenset[str]]) -> bool:
    same_seat = None in (finding.seat, other_finding.seat) or finding.seat == other_finding.seat
    return same_seat and not points[finding.fingerprint].isdisjoint(points[other_finding.fingerprint])


def nearest(
    finding: Finding, book: str, findings: Sequence[Finding], points: dict[str, frozenset[str]]
) -> Finding | None:
    candidates = [
        other_finding
        for other_finding in findings
        if other_finding.book == book and is_alike(finding, other_finding, points)
    ]
    return min(
        candidates,
        key=lambda other_finding: (abs(other_finding.version - finding.version), other_finding.version),
        default=None,
    )


def is_same_fault(
    finding: Finding, other_finding: Finding, findings: Sequence[Finding], points: dict[str, frozenset[str]]
) -> bool:
    if finding.book == other_finding.book:
        return False
    if (finding.version, finding.seat) == (other_finding.version, other_finding.seat):
        return True
    near = (
        nearest(finding, other_finding.book, findings, points) is other_finding
        and nearest(other_finding, finding.book, findings, points) is finding
    )
    return is_alike(finding, other_finding, points) and near


def compared(findings: Sequence[Finding], points: dict[str, frozenset[str]]) -> list[list[Finding]]:
    """All with all, as a reader would do it."""
    findings_left, groups = list(findings), []
    while findings_left:
        group = [findings_left.pop(0)]
        for other_finding in list(findings_left):
            if any(is_same_fault(grouped, other_finding, findings, points) for grouped in group):
                group.append(other_finding)
                findings_left.remove(other_finding)
        groups.append(group)
    return groups


def finding(random: Random, position: int) -> Finding:
    seat = random.choice((None, 1, 2))
    return Finding(
        "c",
        random.choice("abc"),
        "1",
        "error",
        "certain",
        Hand("", "", "1"),
        random.randint(1, 6),
        seat,
        "",
        "",
        "",
        "",
        [],
        "none",
        str(position),
        [],
    )


@pytest.mark.law
def test_findings_are_grouped_as_if_all_were_compared() -> None:
    random = Random(9)
    for _ in range(size(400, 20_000)):
        findings = [finding(random, index) for index in range(random.randint(0, 12))]
        stands: Points = [frozenset(random.sample("xyz", random.randint(0, 2))) for _ in findings]
        by_name = {finding_made.fingerprint: points for finding_made, points in zip(findings, stands, strict=True)}
        assert list(group_findings(findings, stands)) == compared(findings, by_name)
