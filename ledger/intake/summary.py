"""What an import did, file by file: the figures that its exit code depends on."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from ledger.account import Problem

FileOutcome: TypeAlias = Literal["read", "known", "rejected", "failed", "empty"]
"""`known`: imported before, not read again. `failed`: could not be opened or read to its end."""


class RejectSummary(msgspec.Struct):
    """A rejected span: where, and why."""

    line: int
    start: int
    length: int
    code: str
    reason: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()  # every line of it that is wrong, if the reader says so


class AccountSummary(msgspec.Struct):
    """A hand of which the ledger had an account: what became of this one."""

    number: str
    hand: str  # id of the account, hex
    became: Literal["superseded", "doubtful", "kept", "second", "untold"]
    instead: str = ""  # the account that stood before, hex
    why: str = ""


class DeadPostSummary(msgspec.Struct):
    """A post with a live and a dead part, as it was read: amounts in the unit of the table."""

    hand: str  # its number
    seat: int
    live: str
    dead: str
    total: str


class FileSummary(msgspec.Struct):
    """One source. Bytes: `read + blank + rejected + not_read == length`."""

    name: str
    sha256: str = ""
    format: str = ""
    encoding: str = ""
    outcome: FileOutcome = "read"
    length: int = 0
    read: int = 0
    blank: int = 0
    rejected_bytes: int = 0
    not_read: int = 0
    new: int = 0
    same: int = 0
    second: int = 0
    rejected: int = 0
    unbalanced: int = 0  # hands stored whose chips do not add up
    incomplete: int = 0  # hands stored with lines that nobody knows
    rejects: list[RejectSummary] = msgspec.field(default_factory=list)  # the first ones
    error: str = ""
    superseded: int = 0  # hands that stand now as this source tells them
    doubtful: int = 0  # second accounts that may be of another hand
    kept: int = 0  # accounts beside one that only a person replaces
    corrected: int = 0  # corrections of hands that the ledger holds
    accounts: list[AccountSummary] = msgspec.field(default_factory=list)  # the first ones
    facts_voided: int = 0  # facts between hands that its earlier editions told and it does not
    facts_kept: int = 0  # places where such facts stay, as only a person replaces them
    source: str = ""  # by what the ledger names it, hex; without its key it does not tell the SHA-256
    untold: int = 0  # hands that its earlier editions told and it does not: they stand
    apart: int = 0  # hands with numbers on record that are another evening's, by button, players or blinds
    undated: int = 0  # hands taken for hands on record that may be another evening's: nothing dates them
    dead_posts: list[DeadPostSummary] = msgspec.field(default_factory=list)  # of handscript, the first ones
    as_notes: bool = False  # no format's first line: it was taken for a night of notes by what it says
    answers: int = 0  # lines typed or kept that answer questions about notes
    unwitnessed: int = 0  # hands whose source does not say what it always records: what is not written proves nothing

    @property
    def account_count(self) -> int:
        """How many accounts of hands it has, whatever became of them."""
        return self.new + self.same + self.second + self.superseded

    @property
    def is_clean(self) -> bool:
        """Whether every byte was read or blank."""
        return not (self.rejected or self.not_read or self.error)


REJECTS_SHOWN = 20
"""Rejects listed for a file; `handledger rejects` has all."""


POSTS_SHOWN = 10
"""Posts with a dead part listed for a file: `posts makeup 15 dead 5` is 20 in all, and people also mean 15."""

ACCOUNTS_SHOWN = 20
"""Accounts listed for a file; `handledger accounts` has those of every hand."""


class ImportSummary(msgspec.Struct):
    """An import: its files, and their sum."""

    files: list[FileSummary]
    dry_run: bool = False

    @property
    def total(self) -> FileSummary:
        """The sum of all files."""
        total = FileSummary("")
        for file in self.files:
            for name in _SUMMED:
                setattr(total, name, getattr(total, name) + getattr(file, name))
        return total

    @property
    def exit_code(self) -> int:
        """0 all read, 3 some bytes or files not, 2 nothing could be read at all."""
        total = self.total
        if not (total.read or total.account_count):
            return 2
        return 0 if all(file.is_clean for file in self.files) else 3


COUNTED = (
    "new",
    "same",
    "second",
    "rejected",
    "unbalanced",
    "incomplete",
    "superseded",
    "doubtful",
    "kept",
    "corrected",
    "facts_voided",
    "facts_kept",
    "untold",
    "apart",
    "undated",
    "unwitnessed",
)
"""What is counted while a source is read."""

_SUMMED = (*COUNTED, "length", "read", "blank", "rejected_bytes", "not_read")
