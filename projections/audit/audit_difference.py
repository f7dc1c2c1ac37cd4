"""Compare two audits: which findings are new, which are gone, and which describe the same violation differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ledger.files.disk_spool import DiskSpool
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult, BookRef
from projections.findings.finding import Finding

FindingKey: TypeAlias = tuple[str, str, str, str, str, str, int, int | None, int]
HandName: TypeAlias = tuple[str, str, str, str]
"""A hand as people name it: venue, tournament, table, number."""

COMPARED_FIELDS: Final = (
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
"""The fields of a finding that are compared. Its bytes are left out: another file may hold the same hand."""

_BOOKS_OWN: Final = frozenset({"edition", "asks"})
"""The fields that another edition changes in every finding. They don't make a finding different by themselves."""


class Changed(msgspec.Struct, frozen=True):
    """A finding that changed: the names of its changed fields, and the finding as it was."""

    fingerprint: str
    fields: list[str]
    before: Finding


class Counts(msgspec.Struct):
    """How many findings are new, gone, changed and the same. `elsewhere` counts earlier ones in hands not judged now."""

    came: int = 0
    went: int = 0
    changed: int = 0
    same: int = 0
    elsewhere: int = 0


class EarlierAudit(msgspec.Struct):
    """An earlier audit, and how the findings differ from it."""

    books: list[BookRef]  # of the earlier audit
    hands: int  # that it judged
    counts: Counts


class AuditComparison(NamedTuple):
    """The differences between two audits. There may be many findings: they are kept on the disk."""

    counts: Counts
    new_or_changed: DiskSpool[Finding]  # in their order
    changed: DiskSpool[Changed]
    lost: DiskSpool[Finding]


def comparison_names(books: Iterable[str]) -> dict[str, str]:
    """Return the name by which each book is compared: without its edition, unless two editions are in the audit."""
    book_names = list(dict.fromkeys(books))
    stems = Counter(name.partition("@")[0] for name in book_names)
    return {name: stem if stems[stem := name.partition("@")[0]] == 1 else name for name in book_names}


def key_findings(findings: Iterable[Finding], books: dict[str, str]) -> Iterator[tuple[FindingKey, str]]:
    """Yield for each finding a key that is the same in another audit under another edition, and its hand's stream."""
    hand: Hand | None = None
    key_counts: Counter[tuple[str, str, int, int | None]] = Counter()
    for finding in findings:
        if finding.hand != hand:
            hand = finding.hand
            key_counts = Counter()
        book = books.get(finding.book, finding.book)
        finding_key = book, finding.clause, finding.version, finding.seat
        yield (
            (book, finding.clause, *hand_name_of(finding), finding.version, finding.seat, key_counts[finding_key]),
            finding.hand.stream,
        )
        key_counts[finding_key] += 1


def hand_name_of(finding: Finding) -> HandName:
    """Return the name of the hand that a finding is about."""
    return finding.hand.venue, finding.hand.tournament, finding.hand.table, finding.hand.number


def list_changed_fields(earlier: Finding, current: Finding) -> list[str]:
    """Return the fields in which a finding changed; [] if only the book's edition and wording did."""
    changed_fields = [name for name in COMPARED_FIELDS if getattr(earlier, name) != getattr(current, name)]
    return changed_fields if set(changed_fields) - _BOOKS_OWN else []


def compare_audits(
    earlier: AuditResult,
    current: AuditResult,
    select_judged: Callable[[set[HandName]], set[HandName]] = lambda places: places,
) -> AuditComparison:
    """Compare two audits. `select_judged` returns which of some hands were judged now; in others no finding is gone."""
    earlier_findings = earlier.findings
    partners, unmatched = _match_findings(earlier, current)
    comparison = AuditComparison(Counts(), DiskSpool(Finding), DiskSpool(Changed), DiskSpool(Finding))
    for finding, earlier_index in zip(current.findings, partners, strict=True):
        if earlier_index < 0:
            comparison.counts.came += 1
            comparison.new_or_changed.append(finding)
        elif changed_fields := list_changed_fields(earlier_findings[earlier_index], finding):
            comparison.counts.changed += 1
            comparison.changed.append(Changed(finding.fingerprint, changed_fields, earlier_findings[earlier_index]))
            comparison.new_or_changed.append(finding)
        else:
            comparison.counts.same += 1
    judged_places = select_judged({hand_name_of(earlier_findings[earlier_index]) for earlier_index in unmatched})
    for earlier_index in unmatched:
        if hand_name_of(earlier_findings[earlier_index]) in judged_places:
            comparison.counts.went += 1
            comparison.lost.append(earlier_findings[earlier_index])
        else:
            comparison.counts.elsewhere += 1
    return comparison


def _match_findings(earlier: AuditResult, current: AuditResult) -> tuple[list[int], list[int]]:
    """Return for each current finding the index of the earlier one (-1 = none), and the earlier ones left over.

    Hand numbers may repeat: hands match by their stream first. The rest match by table and number, since another
    file may hold the hand now.
    """
    earlier_names, current_names = (
        comparison_names(ref.name for ref in earlier.books),
        comparison_names(ref.name for ref in current.books),
    )
    exact = {finding_key: index for index, finding_key in enumerate(key_findings(earlier.findings, earlier_names))}
    partners = [exact.pop(finding_key, -1) for finding_key in key_findings(current.findings, current_names)]
    by_key: dict[FindingKey, list[int]] = defaultdict(list)
    for (key, _), index in exact.items():
        by_key[key].append(index)
    for index, (key, _) in enumerate(key_findings(current.findings, current_names)):
        if partners[index] < 0 and by_key.get(key):
            partners[index] = by_key[key].pop(0)
    return partners, sorted(index for indexes in by_key.values() for index in indexes)
