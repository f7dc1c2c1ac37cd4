"""What a reader filled in accuses nobody: alone it is no finding, and what needs it too is likely at most."""

from __future__ import annotations

from ledger.account import Account
from ledger.formats.handscript import FORMAT
from ledger.marks import pack_origins
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import audit
from projections.books.rulebook import load

HAND = """\
handscript 1
table 1
witness dealer-notes
game holdem no-limit cash blinds 5/10 unit chips 0
hand 1
seat 1 Al 1000
seat 2 Bo 1000
seat 3 Cy 1000
seat 4 Di 1000
button 1
2 posts small 5
3 posts big {big}
4 {act}
1 folds
2 folds
3 folds
4 wins {pot}
end
"""


def judged(**values: str) -> AuditResult:
    (hand,) = FORMAT.read(Chunk(HAND.format(**values).encode()), People(b"k" * 32))
    assert isinstance(hand, Account)
    played = HandReplay(hand.events, pack_origins(hand.places, hand.inferred, hand.times))
    return audit([played], [load("hilton")])


def test_a_derived_value_alone_is_no_finding() -> None:
    audit_result = judged(big="20", act="raises to 40", pot="45")
    derived = judged(big="20 derived", act="raises to 40", pot="45")
    blind = next(finding for finding in audit_result.findings if finding.version == 9)
    assert not any(finding.version == 9 for finding in derived.findings)
    assert blind.certainty == "certain"


def test_a_finding_behind_a_derived_value_is_likely_and_names_it() -> None:
    audit_result = judged(big="10", act="checks", pot="15")
    derived = judged(big="10 derived", act="checks", pot="15")
    (certain_finding,) = [finding for finding in audit_result.findings if finding.version == 10]
    (unsure,) = [finding for finding in derived.findings if finding.version == 10]
    assert (certain_finding.certainty, unsure.certainty) == ("certain", "likely")
    assert "Seat 3's blind of hand 1 follows from the game" in unsure.because
