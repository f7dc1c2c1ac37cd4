"""`audit --baseline FILE`: an audit compared with an earlier one, of which the JSON was kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from ledger import safe
from ledger.errors import SourceError, UsageError
from ledger.plain import contents

if TYPE_CHECKING:
    from projections.addresses.hand_reference import Hand
    from projections.audit.audit_difference import Comparison
    from projections.audit.audit_result import AuditResult, BookRef
    from projections.audit.clause_filter import Clauses
    from projections.findings.finding import Finding
    from projections.reports.audit_json import Document

BYTES_MOST: Final = 256 * 1024 * 1024
"""Of the file: a hundred thousand findings and more."""
_MAKE: Final = "Make one: handledger audit --format json -o FILE, with the same -r."


def read(path: Path, only: Clauses | None) -> AuditResult:
    """Return the audit that a file holds, narrowed to the clauses that are asked for now."""
    from projections.audit.audit_result import AuditResult
    from projections.reports.audit_json import SCHEMA, Document

    name = safe.terminal(str(path), 200)
    try:
        data = contents(path, BYTES_MOST)
    except OSError as error:
        raise SourceError(f"{name}: {(error.strerror or 'cannot be read').lower()}", _MAKE) from None
    if len(data) > BYTES_MOST:
        raise SourceError(
            f"{name} has more than {BYTES_MOST:,} bytes", "Make the baseline of fewer hands: --table, --where."
        )
    try:
        told = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
        if not isinstance(told, dict) or told.get("schema") != SCHEMA:
            raise UsageError(f"{name} is no audit's JSON: it does not say that it is {SCHEMA}", _MAKE)
        found = msgspec.convert(told, Document)
    except (ValueError, RecursionError) as error:
        why = safe.terminal(str(error), 200)
        raise UsageError(f"{name} cannot be read as an audit's JSON: {why}", _MAKE) from None
    _whole(found, name, only)
    findings: list[Finding] = [one for one in found.findings if only is None or only.speaks(one)]
    return AuditResult(found.books, found.summary.hands, findings, [])


def _whole(found: Document, name: str, only: Clauses | None) -> None:
    """Refuse a baseline that does not hold all findings that may be asked for."""
    if found.since is not None:
        raise UsageError(f"{name} holds only what had changed since a baseline of its own", _MAKE)
    if found.only and found.only != (only.patterns if only is not None else []):
        asked = safe.terminal(", ".join(found.only), 200)
        raise UsageError(
            f"{name} holds only findings of {asked}", "Say the same --only, or make the baseline without it."
        )


def refuse_other_books(then: AuditResult, now: AuditResult, only: Clauses | None) -> None:
    """Refuse to compare judgements under different books; different editions of a book are compared."""
    from projections.audit.audit_difference import names

    mine, theirs = (set(names(ref.name for ref in one.books).values()) for one in (now, then))
    if mine - theirs or (theirs - mine and only is None):
        raise UsageError(
            f"the baseline was judged under {_listed(then.books)}, and this is under {_listed(now.books)}",
            "Say the same -r. handledger rules diff OLD NEW compares two books.",
        )


def _listed(books: list[BookRef]) -> str:
    return safe.terminal(", ".join(ref.name for ref in books), 200)


def lines(
    found: Comparison,
    then: AuditResult,
    now: AuditResult,
    path: Path | None,
    most: int,
    address: Callable[[Hand, int], str],
) -> Iterator[str]:
    """Yield for people what came, went and changed since the audit in a file, `most` of each; 0 = all of them.

    `address` gives that of an event.
    """
    from projections.audit.audit_difference import names

    counts = found.counts
    told = [
        f"{counts.came:,} came",
        f"{counts.went:,} went",
        f"{counts.changed:,} changed",
        f"{counts.same:,} as before",
    ]
    if counts.elsewhere:
        told.append(f"{counts.elsewhere:,} in hands that were not judged now")
    hands = f"{then.hands:,} hand{'s' * (then.hands != 1)} judged then, {now.hands:,} now"
    yield f"Since {safe.terminal(str(path), 80)} ({hands}): {', '.join(told)}."
    of_then, of_now = (names(ref.name for ref in one.books) for one in (then, now))
    was = {of_then[ref.name]: ref for ref in then.books}
    for ref in now.books:
        before = was.get(of_now[ref.name])
        if before is not None and before.digest != ref.digest:
            yield safe.terminal(
                f"  {ref.name}: edition {before.edition} (sha256 {before.digest[:12]}) then, "
                f"{ref.edition} (sha256 {ref.digest[:12]}) now",
                200,
            )
    for one in found.went[: most or None]:
        yield f"  went     {called(one, address)}"
    if counts.went > most > 0:
        yield f"  ({counts.went - most:,} more went; --format json lists all)"
    for change in found.changed[: most or None]:
        yield f"  changed  {called(change.before, address)} ({', '.join(change.fields)})"
    if counts.changed > most > 0:
        yield f"  ({counts.changed - most:,} more changed; --format json lists all)"


def called(found: Finding, address: Callable[[Hand, int], str]) -> str:
    """Return a finding in a few words, harmless: clause, event, seat, what was seen."""
    seat = "" if found.seat is None else f" seat {found.seat}"
    clause = safe.terminal(found.citation, 60)
    return f"{clause}  {address(found.hand, found.version)}{seat}: {safe.terminal(found.saw, 120)}"
