"""The results of an import, file by file. Its exit code depends on these figures."""

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
    problems: tuple[Problem, ...] = ()  # all wrong lines, if the reader lists them


class AccountSummary(msgspec.Struct):
    """A hand that the ledger had another account of, and what was done with this one."""

    number: str
    hand: str  # id of the account, hex
    became: Literal["superseded", "doubtful", "kept", "second", "untold"]
    instead: str = ""  # the account that it replaces, hex
    why: str = ""


class DeadPostSummary(msgspec.Struct):
    """A post with a live and a dead part, as it was read. Amounts are in the table's units."""

    hand: str  # number of the hand
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
    unbalanced: int = 0  # stored hands whose chips don't add up
    incomplete: int = 0  # stored hands with unread lines
    rejects: list[RejectSummary] = msgspec.field(default_factory=list)  # the first ones
    error: str = ""
    superseded: int = 0  # hands that now count as this source has them
    doubtful: int = 0  # second accounts that may be of another hand
    kept: int = 0  # accounts next to one that only a person may replace
    corrected: int = 0  # corrections of hands in the ledger
    accounts: list[AccountSummary] = msgspec.field(default_factory=list)  # the first ones
    facts_voided: int = 0  # facts between hands that only its earlier editions have
    facts_kept: int = 0  # places where such facts stay, as only a person may replace them
    source: str = ""  # the ledger's name for it, hex; the SHA-256 can't be found from it without the key
    untold: int = 0  # hands only in its earlier editions, which still count
    apart: int = 0  # hands with known numbers that are another evening's, by button, players or blinds
    undated: int = 0  # hands without a date that were matched, but may be another evening's
    dead_posts: list[DeadPostSummary] = msgspec.field(default_factory=list)  # of handscript, the first ones
    as_notes: bool = False  # recognised as a night of notes by its content
    answers: int = 0  # typed or stored lines that answer questions about notes
    unwitnessed: int = 0  # hands whose source doesn't state what it always records, so its silence proves nothing

    @property
    def account_count(self) -> int:
        """The number of accounts of hands in it, including those not stored."""
        return self.new + self.same + self.second + self.superseded

    @property
    def is_clean(self) -> bool:
        """Whether every byte was read or blank."""
        return not (self.rejected or self.not_read or self.error)


REJECTS_SHOWN = 20
"""Rejects listed for a file; `handledger rejects` has all."""


POSTS_SHOWN = 10
"""Posts with a dead part that are listed for a file. `posts makeup 15 dead 5` is 20 in all, and some people mean 15."""

ACCOUNTS_SHOWN = 20
"""Accounts listed for a file; `handledger accounts` has those of every hand."""


class ImportSummary(msgspec.Struct):
    """An import: its files and their sum."""

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
        """0 = all read, 3 = some bytes or files not read, 2 = nothing could be read."""
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
"""Counts that are updated while a source is read."""

_SUMMED = (*COUNTED, "length", "read", "blank", "rejected_bytes", "not_read")
