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
"""Identifies a finding across audits: book, clause, `HandName`, event, seat, and a count of repeats."""
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
"""The compared fields of a finding. Its place in a file isn't one: another file may contain the same hand."""

_EDITION_FIELDS: Final = frozenset({"edition", "asks"})
"""Fields that a new edition changes in every finding. A finding that differs only in these counts as the same."""


class ChangedFinding(msgspec.Struct, frozen=True):
    """A finding that changed: the names of the changed fields, and the finding before the change."""

    fingerprint: str
    fields: list[str]
    before: Finding


class FindingCounts(msgspec.Struct):
    """How many findings differ between two audits."""

    came: int = 0
    went: int = 0
    changed: int = 0
    same: int = 0
    elsewhere: int = 0  # earlier findings in hands that the current audit didn't judge


class EarlierAudit(msgspec.Struct):
    """An earlier audit, and how many findings differ from it."""

    books: list[BookRef]  # of the earlier audit
    hands: int  # number of hands that it judged
    counts: FindingCounts


class _MatchedFindings(NamedTuple):
    """Which earlier finding each current one matches, and which earlier ones match none. Findings are given by index."""

    earlier_indexes: list[int]  # for each current finding; -1 = it matches none
    unmatched: list[int]


class AuditComparison(NamedTuple):
    """The differences between two audits. Findings are kept on disk, because there may be very many."""

    counts: FindingCounts
    new_or_changed: DiskSpool[Finding]  # in the order of the current audit
    changed: DiskSpool[ChangedFinding]
    lost: DiskSpool[Finding]


def choose_comparison_names(names: Iterable[str]) -> dict[str, str]:
    """Return each book's name without its edition, or with it if two editions of the book are in the audit."""
    stems = {name: name.partition("@")[0] for name in names}
    edition_counts = Counter(stems.values())
    return {name: stem if edition_counts[stem] == 1 else name for name, stem in stems.items()}


def iter_finding_keys(
    findings: Iterable[Finding], comparison_names: dict[str, str]
) -> Iterator[tuple[FindingKey, str]]:
    """Yield for each finding its key, the same under every edition of the book, and its hand's stream id.

    `comparison_names`: as returned by `choose_comparison_names`.
    """
    hand: Hand | None = None
    repeat_counts: Counter[tuple[str, str, int, int | None]] = Counter()
    for finding in findings:
        if finding.hand != hand:
            hand = finding.hand
            repeat_counts = Counter()
        book = comparison_names.get(finding.book, finding.book)
        repeat_key = book, finding.clause, finding.version, finding.seat
        yield (
            (book, finding.clause, *name_hand(finding), finding.version, finding.seat, repeat_counts[repeat_key]),
            finding.hand.stream,
        )
        repeat_counts[repeat_key] += 1


def name_hand(finding: Finding) -> HandName:
    """Return the name of a finding's hand."""
    return finding.hand.venue, finding.hand.tournament, finding.hand.table, finding.hand.number


def list_changed_fields(earlier: Finding, current: Finding) -> list[str]:
    """Return the fields in which a finding changed, or none if only the book's edition or wording changed."""
    changed_fields = [name for name in COMPARED_FIELDS if getattr(earlier, name) != getattr(current, name)]
    return changed_fields if set(changed_fields) - _EDITION_FIELDS else []


def compare_audits(
    earlier: AuditResult,
    current: AuditResult,
    select_judged: Callable[[set[HandName]], set[HandName]] = lambda places: places,
) -> AuditComparison:
    """Compare two audits.

    `select_judged` returns which of some hands the current audit judged. A finding can be gone only from these.
    """
    earlier_findings = earlier.findings
    earlier_indexes, unmatched = _match_findings(earlier, current)
    comparison = AuditComparison(FindingCounts(), DiskSpool(Finding), DiskSpool(ChangedFinding), DiskSpool(Finding))
    for finding, earlier_index in zip(current.findings, earlier_indexes, strict=True):
        if earlier_index < 0:
            comparison.counts.came += 1
            comparison.new_or_changed.append(finding)
        elif changed_fields := list_changed_fields(earlier_findings[earlier_index], finding):
            comparison.counts.changed += 1
            comparison.changed.append(
                ChangedFinding(finding.fingerprint, changed_fields, earlier_findings[earlier_index])
            )
            comparison.new_or_changed.append(finding)
        else:
            comparison.counts.same += 1
    judged_hands = select_judged({name_hand(earlier_findings[earlier_index]) for earlier_index in unmatched})
    for earlier_index in unmatched:
        if name_hand(earlier_findings[earlier_index]) in judged_hands:
            comparison.counts.went += 1
            comparison.lost.append(earlier_findings[earlier_index])
        else:
            comparison.counts.elsewhere += 1
    return comparison


def _match_findings(earlier: AuditResult, current: AuditResult) -> _MatchedFindings:
    """Match the findings of two audits.

    Hands match by their stream first, because hand numbers may repeat. The other hands match by table and number,
    because a hand imported from another file has another stream.
    """
    earlier_names = choose_comparison_names(ref.name for ref in earlier.books)
    current_names = choose_comparison_names(ref.name for ref in current.books)
    index_by_key = {
        finding_key: index for index, finding_key in enumerate(iter_finding_keys(earlier.findings, earlier_names))
    }
    earlier_indexes = [
        index_by_key.pop(finding_key, -1) for finding_key in iter_finding_keys(current.findings, current_names)
    ]
    indexes_without_stream: dict[FindingKey, list[int]] = defaultdict(list)
    for (key, _), index in index_by_key.items():
        indexes_without_stream[key].append(index)
    for index, (key, _) in enumerate(iter_finding_keys(current.findings, current_names)):
        if earlier_indexes[index] < 0 and indexes_without_stream.get(key):
            earlier_indexes[index] = indexes_without_stream[key].pop(0)
    unmatched = sorted(index for indexes in indexes_without_stream.values() for index in indexes)
    return _MatchedFindings(earlier_indexes, unmatched)
