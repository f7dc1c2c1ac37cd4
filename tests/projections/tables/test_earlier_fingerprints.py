"""What earlier versions wrote down of a finding in a reused number's second hand is still found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books.rulebook import load
from projections.cases.cited_findings import build_citation as cited
from projections.findings import finding
from projections.tables.finding_events import announce_new_findings, load_known_findings
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from tests.projections.tables.test_announcing import adopt
from tests.projections.tables.test_judging import anew

NIGHT = """\
handscript 1
venue V  table 7  seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
hand 1 {day}T20:10:00-05:00
stacks 1:200 2:200 3:200
button 1
2 posts small 2
3 posts big 5
deal
1 folds
2 folds
3 uncalled 3
3 wins 4
end
hand 2 {day}T20:11:00-05:00
stacks 1:200 2:198 3:202
button 1
2 posts small 2
3 posts big 5
deal
1 folds
2 folds
3 uncalled 3
3 wins 4
end
"""


def earlier_fingerprint(*what: object) -> str:
    """Return a fingerprint as version 0.1 made it."""
    return finding.compute_fingerprint(*what[:6])  # type: ignore[arg-type]  # as the audit calls it, without the last


def two_evenings(tmp_path: Path) -> Ledger:
    ledger = open_ledger(tmp_path / "x.ledger")
    for day in ("2026-11-27", "2026-11-28"):
        (tmp_path / f"{day}.hand").write_text(NIGHT.format(day=day))
        import_paths(ledger, [tmp_path / f"{day}.hand"])
    return ledger


def test_the_same_wrong_on_two_evenings_has_two_fingerprints(tmp_path: Path) -> None:
    with two_evenings(tmp_path) as ledger:
        findings = anew(ledger, "hilton").findings
        assert len(findings) == 2
        first, second = (finding.fingerprint for finding in findings)
        assert first != second
        old = {
            earlier_fingerprint(finding.book, finding.clause, finding.hand, finding.version, finding.seat, 0)
            for finding in findings
        }
        assert old == {first}, "the first keeps the one that it always had"


def test_what_the_house_knew_is_not_told_again_by_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with two_evenings(tmp_path) as ledger:
        adopt(ledger, "hilton")
        with monkeypatch.context() as version:
            version.setattr("projections.audit.auditor.compute_fingerprint", earlier_fingerprint)
            events = announce_new_findings(ledger)
        (only,) = events  # one of the two was lost
        for module in ("stored_judgement", "finding_events"):
            monkeypatch.setattr(f"projections.tables.{module}.code_digest", lambda: "0" * 64)
        assert [finding.became for finding in announce_new_findings(ledger)] == ["found"], (
            "the other, and nothing is gone"
        )
        (knows,) = load_known_findings(ledger).values()
        assert {name: finding.hand for name, (finding, _) in knows.items()} == {
            finding.fingerprint: finding.hand.stream for finding in anew(ledger, "hilton").findings
        }
        assert only.hand in {finding.hand for finding, _ in knows.values()}
        assert announce_new_findings(ledger) == []


def test_a_finding_is_cited_by_the_fingerprint_that_was_printed_once(tmp_path: Path) -> None:
    with two_evenings(tmp_path) as ledger:
        update_judgements([TableJudgement(ledger, load("hilton"), ledger.database)])
        second = list(anew(ledger, "hilton").findings)[-1]
        row = ledger.hand(second.hand.stream)
        assert row is not None
        assert row.session == 2
        old = earlier_fingerprint(second.book, second.clause, second.hand, second.version, second.seat, 0)
        for fingerprint_told in (second.fingerprint[:8], old[:8]):
            assert cited(ledger, fingerprint_told, [row], ["hilton"]).fingerprint == second.fingerprint


MISPLACED = """\
handscript 1
venue V  table 7  seats 9
witness live-table
game holdem limit cash blinds 5/10 bets 10/20 unit USD 2
option button-method dead
hand 1 {day}T20:10:00-05:00
stacks 1:1000 2:1000 3:1000 4:1000 5:1000
button 1
2 posts small 5
3 posts big 10
deal
4 5 1 2 fold
3 uncalled 5
3 wins 10
end
3 leaves
hand 2 {day}T20:11:00-05:00
stacks 1:1000 2:995 4:1000 5:1000
button 2
4 posts small 5
5 posts big 10
deal
1 2 4 fold
5 uncalled 5
5 wins 10
end
"""


def test_a_misplaced_blind_keeps_the_fingerprint_it_had_when_the_small_blind_was_marked(tmp_path: Path) -> None:
    """`audit` marked the first wrong post and named its seat, though the headline was about the big blind."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        for day in ("2026-11-27", "2026-11-28"):
            (tmp_path / f"{day}.hand").write_text(MISPLACED.format(day=day))
            import_paths(ledger, [tmp_path / f"{day}.hand"])
        findings = [found for found in anew(ledger, "rrop4").findings if found.clause == "blinds.1b.1"]
        assert {(found.saw, found.seat) for found in findings} == {
            ("Wrong seat posted the big blind: seat 5 instead of seat 4", 5)
        }
        for session, found in enumerate(findings, 1):
            small_post = found.version - 1, 4
            once = finding.compute_fingerprint(found.book, found.clause, found.hand, *small_post, 0, session)
            assert found.fingerprint == once
            row = ledger.hand(found.hand.stream)
            assert row is not None
            assert row.session == session
            before_sessions = earlier_fingerprint(found.book, found.clause, found.hand, *small_post, 0)
            for fingerprint_told in (once[:8], before_sessions[:8]):
                assert cited(ledger, fingerprint_told, [row], ["rrop4"]).fingerprint == found.fingerprint
