"""Read a chunk of handscript strictly, as when importing a file of hands."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.account import Account, Amendment, Reject, SectionAccount
from ledger.formats.handscript.correction_lines import begins_with_correction, build_amendment
from ledger.formats.handscript.lines import split_lines
from ledger.formats.handscript.parser import HandscriptReader
from ledger.formats.handscript.sections import SectionResult
from ledger.notation import Chunk
from ledger.people import People


def read(chunk: Chunk, people: People) -> Iterator[SectionResult | Amendment]:
    """Yield the hands, table facts, corrections and rejects of a chunk. Cases and house facts are rejected."""
    for item in HandscriptReader(people).read_sections(split_lines(chunk)):
        account: SectionResult | Amendment = item.told
        if isinstance(account, SectionAccount):
            account = Reject(
                account.start,
                account.length,
                0,
                "not-imported",
                f"a section of the {account.kind} is not imported with hands",
                "Facts about the house and its cases are recorded by commands, not imported with hands.",
            )
        elif isinstance(account, Account) and begins_with_correction(account):
            account = build_amendment(chunk, account)  # there is nothing in it that it could correct
        yield account
