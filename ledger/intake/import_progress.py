"""The progress of a source's import, and its counts so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.intake.byte_accounts import ByteCounts

if TYPE_CHECKING:
    from ledger.intake.accounts import Verdict


class ImportProgress(msgspec.Struct):
    """The progress of a source's import. An interrupted import continues from here."""

    line: int = 1  # of the next byte
    new: int = 0
    same: int = 0
    second: int = 0
    rejected: int = 0
    unbalanced: int = 0
    incomplete: int = 0
    faults: int = 0  # rejects that a better reader may read, so the source is read again
    number: str = ""  # of the last hand; part of the key of facts that follow
    bytes: ByteCounts = msgspec.field(default_factory=ByteCounts)
    superseded: int = 0
    doubtful: int = 0
    kept: int = 0
    corrected: int = 0
    facts_voided: int = 0
    facts_kept: int = 0
    untold: int = 0  # hands only in earlier editions: they still count
    night: str = ""  # the first account of the last hand, if its number was repeated
    night_of: str = ""  # the table of that hand; "" if an older program stored this
    apart: int = 0  # hands taken for another evening's
    undated: int = 0  # accounts that may be another evening's
    unwitnessed: int = 0  # hands from sources that don't state what they always record

    @property
    def hands(self) -> int:
        """How many hands were stored or are in the ledger already."""
        return self.new + self.same + self.second + self.superseded

    def add_verdict(self, verdict: Verdict) -> None:
        """Count the decision about an account."""
        self.new += verdict.outcome == "new"
        self.same += verdict.outcome == "same"
        self.second += verdict.outcome == "second"
        self.superseded += verdict.outcome == "superseded"
        self.doubtful += verdict.is_doubtful
        self.kept += bool(verdict.keep_reason)
        self.apart += verdict.evening == "apart"
        self.undated += verdict.evening == "undated"
