"""Two audits compared: which findings came, which went, and which are the same wrong told otherwise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ledger.disk_spool import Kept
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult, BookRef
from projections.findings.finding import Finding

Key: TypeAlias = tuple[str, str, str, str, str, str, int, int | None, int]
Called: TypeAlias = tuple[str, str, str, str]
"""A hand by what people call it: venue, tournament, table, number."""

TOLD: Final = (
    "edition",
    "severity",
    "certainty",
    "saw",
    "asks",
    "should",
    "because",
    "money",
    "remedy",
    "also",
    "unit",
    "exponent",
)
"""What a finding says. Where its bytes stand is left out: the same hand may be told by another file."""

_BOOKS_OWN: Final = frozenset({"edition", "asks"})
"""What another edition changes in every finding: by itself it is no other finding."""


class Changed(msgspec.Struct, frozen=True):
    """A finding that says something else than before: which of its fields, and the finding as it was."""

    fingerprint: str
    fields: list[str]
    before: Finding


class Counts(msgspec.Struct):
    """How many findings came, went, changed and stayed as they were; and those before of hands not judged now."""

    came: int = 0
    went: int = 0
    changed: int = 0
    same: int = 0
    elsewhere: int = 0


class Since(msgspec.Struct):
    """What an earlier audit judged, and how many findings are otherwise than in it."""

    books: list[BookRef]  # of the earlier audit
    hands: int  # that it judged
    counts: Counts


class Comparison(NamedTuple):
    """What two audits have not in common. Findings may be many: they lie on the disk."""

    counts: Counts
    now: Kept[Finding]  # those that came or changed, in their order
    changed: Kept[Changed]
    went: Kept[Finding]


def names(books: Iterable[str]) -> dict[str, str]:
    """Return the name by which each book of an audit is compared: without its edition, where that is clear."""
    book_names = list(dict.fromkeys(books))
    stems = Counter(name.partition("@")[0] for name in book_names)
    return {name: stem if stems[stem := name.partition("@")[0]] == 1 else name for name in book_names}


def keyed(findings: Iterable[Finding], books: dict[str, str]) -> Iterator[tuple[Key, str]]:
    """Yield of findings what makes each the same in another audit, under another edition; and its hand's stream."""
    hand: Hand | None = None
    key_counts: Counter[tuple[str, str, int, int | None]] = Counter()
    for finding in findings:
        if finding.hand != hand:
            hand = finding.hand
            key_counts = Counter()
        book = books.get(finding.book, finding.book)
        finding_key = book, finding.clause, finding.version, finding.seat
        yield (
            (book, finding.clause, *place_of(finding), finding.version, finding.seat, key_counts[finding_key]),
            finding.hand.stream,
        )
        key_counts[finding_key] += 1


def place_of(found: Finding) -> Called:
    """Return which hand a finding is about, as people call it."""
    return found.hand.venue, found.hand.tournament, found.hand.table, found.hand.number


def fields(before: Finding, now: Finding) -> list[str]:
    """Return in what a finding says something else; [] where only the book's edition and wording did."""
    changed_fields = [name for name in TOLD if getattr(before, name) != getattr(now, name)]
    return changed_fields if set(changed_fields) - _BOOKS_OWN else []


def compared(
    before: AuditResult, now: AuditResult, judged: Callable[[set[Called]], set[Called]] = lambda places: places
) -> Comparison:
    """Compare two audits; `judged` says which of some hands were looked at now: of the others nothing went."""
    earlier = before.findings
    partners, unmatched = _match_findings(before, now)
    comparison = Comparison(Counts(), Kept(Finding), Kept(Changed), Kept(Finding))
    for finding, earlier_index in zip(now.findings, partners, strict=True):
        if earlier_index < 0:
            comparison.counts.came += 1
            comparison.now.append(finding)
        elif changed_fields := fields(earlier[earlier_index], finding):
            comparison.counts.changed += 1
            comparison.changed.append(Changed(finding.fingerprint, changed_fields, earlier[earlier_index]))
            comparison.now.append(finding)
        else:
            comparison.counts.same += 1
    judged_places = judged({place_of(earlier[earlier_index]) for earlier_index in unmatched})
    for earlier_index in unmatched:
        if place_of(earlier[earlier_index]) in judged_places:
            comparison.counts.went += 1
            comparison.went.append(earlier[earlier_index])
        else:
            comparison.counts.elsewhere += 1
    return comparison


def _match_findings(earlier_audit: AuditResult, current_audit: AuditResult) -> tuple[list[int], list[int]]:
    """Return for each finding of now which it was before, -1 for none; and those before that none is.

    A number may be used again: hands are the same by their stream, and only what is left by table and number,
    as when another file tells the hand now.
    """
    earlier_names, current_names = (
        names(ref.name for ref in earlier_audit.books),
        names(ref.name for ref in current_audit.books),
    )
    exact = {finding_key: index for index, finding_key in enumerate(keyed(earlier_audit.findings, earlier_names))}
    partners = [exact.pop(finding_key, -1) for finding_key in keyed(current_audit.findings, current_names)]
    by_key: dict[Key, list[int]] = defaultdict(list)
    for (key, _), index in exact.items():
        by_key[key].append(index)
    for index, (key, _) in enumerate(keyed(current_audit.findings, current_names)):
        if partners[index] < 0 and by_key.get(key):
            partners[index] = by_key[key].pop(0)
    return partners, sorted(index for indexes in by_key.values() for index in indexes)
