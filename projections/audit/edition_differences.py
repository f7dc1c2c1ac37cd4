"""Compare the findings of two rulebooks or editions in the same hands: which appear, vanish or change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.vocabulary import Chips, Seat
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import Finding

ChangeKind: TypeAlias = Literal["appears", "vanishes", "changes"]


class FindingChange(NamedTuple):
    """A finding that differs between two books. `old` or `new` is None if that book has no such finding."""

    kind: ChangeKind
    old: Finding | None
    new: Finding | None

    @property
    def finding(self) -> Finding:
        """The finding under the new book, else the one under the old."""
        finding = self.new or self.old
        assert finding is not None  # noqa: S101 - one of them is set
        return finding


_Key: TypeAlias = tuple[object, ...]
_KEYS: Final[tuple[Callable[[Finding], _Key], ...]] = (
    lambda finding: (finding.hand.stream, finding.version, finding.seat, finding.clause, finding.saw),
    lambda finding: (finding.hand.stream, finding.version, finding.seat, finding.clause),
    lambda finding: (finding.hand.stream, finding.version, finding.seat),
)
"""Keys that pair findings about the same violation, strictest first. The last one pairs clauses of different books."""


def find_changes(old: Iterable[Finding], new: Iterable[Finding]) -> list[FindingChange]:
    """Return the differences between the findings of two books in the same hands, in the order of the hands."""
    old_findings = [finding for finding in old if finding.book != BUILT_IN]
    new_findings = [finding for finding in new if finding.book != BUILT_IN]
    hand_order: dict[str, int] = {}  # by stream, from the first finding
    for finding in (*old_findings, *new_findings):
        hand_order.setdefault(finding.hand.stream, len(hand_order))
    pairs: list[tuple[Finding, Finding]] = []
    for key in _KEYS:
        old_findings, new_findings = _pair_findings(old_findings, new_findings, key, pairs)
    changes = [
        FindingChange("changes", *pair)
        for pair in pairs
        if _list_printed_fields(pair[0]) != _list_printed_fields(pair[1])
    ]
    changes += [FindingChange("vanishes", finding, None) for finding in old_findings]
    changes += [FindingChange("appears", None, finding) for finding in new_findings]
    return sorted(
        changes, key=lambda change: (hand_order[change.finding.hand.stream], change.finding.version, change.kind)
    )


def _pair_findings(
    old_findings: Sequence[Finding],
    new_findings: Sequence[Finding],
    key: Callable[[Finding], _Key],
    pairs: list[tuple[Finding, Finding]],
) -> tuple[list[Finding], list[Finding]]:
    """Add to `pairs` the findings with the same key; return the unpaired ones of both books."""
    by_key: dict[_Key, list[Finding]] = {}
    for finding in new_findings:
        by_key.setdefault(key(finding), []).append(finding)
    unpaired = []
    for finding in old_findings:
        partners = by_key.get(key(finding))
        if partners:
            pairs.append((finding, partners.pop(0)))
        else:
            unpaired.append(finding)
    paired_ids = {id(partner) for _, partner in pairs}
    return unpaired, [finding for finding in new_findings if id(finding) not in paired_ids]


def _list_printed_fields(finding: Finding) -> _Key:
    """Return the printed fields of a finding, by which a pair counts as changed."""
    return finding.clause, finding.severity, finding.certainty, finding.should, finding.remedy, tuple(finding.money)


def sum_chips_at_stake(changes: Iterable[FindingChange]) -> Counter[tuple[ChangeKind, str, int]]:
    """Sum the chips that ended up in the wrong seats, by kind of change, unit and exponent.

    A changed finding counts with the new amount minus the old one.
    """
    sums: Counter[tuple[ChangeKind, str, int]] = Counter()
    for change in changes:
        old_chips, new_chips = sum_chips_moved(change.old), sum_chips_moved(change.new)
        chips_at_stake = new_chips - old_chips if change.new else old_chips
        sums[change.kind, change.finding.unit, change.finding.exponent] += chips_at_stake
    return sums


class TableSeat(NamedTuple):
    """A seat at a table, and the unit of its chips."""

    venue: str
    tournament: str
    table: str
    seat: Seat
    unit: str
    exponent: int


def sum_chips_by_seat(changes: Iterable[FindingChange]) -> dict[TableSeat, Chips]:
    """Return each seat's surplus (+) or shortage (-) of chips under the new book, minus that under the old."""
    sums: Counter[TableSeat] = Counter()
    for change in changes:
        hand, unit, exponent = change.finding.hand, change.finding.unit, change.finding.exponent
        for finding, sign in ((change.new, 1), (change.old, -1)):
            if finding is None:
                continue
            for share in finding.money:
                table_seat = TableSeat(hand.venue, hand.tournament, hand.table, share.seat, unit, exponent)
                sums[table_seat] += sign * share.amount
    return {table_seat: chips for table_seat, chips in sorted(sums.items()) if chips}


def sum_chips_moved(finding: Finding | None) -> int:
    """Return the chips that ended up in the wrong seats because of a finding; 0 for None."""
    return 0 if finding is None else sum(share.amount for share in finding.money if share.amount > 0)
