"""What another rulebook, or another edition, finds otherwise in the same hands: what comes, goes, and is told otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.vocabulary import Chips, Seat
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import Finding

Becomes: TypeAlias = Literal["appears", "vanishes", "changes"]


class Turn(NamedTuple):
    """A finding that is not the same under both books. `old` or `new` is None where there is none."""

    becomes: Becomes
    old: Finding | None
    new: Finding | None

    @property
    def either(self) -> Finding:
        """The finding under the new book, else the one under the old."""
        finding = self.new or self.old
        assert finding is not None  # noqa: S101 - one of them is there
        return finding


_Key: TypeAlias = tuple[object, ...]
_KEYS: Final[tuple[Callable[[Finding], _Key], ...]] = (
    lambda finding: (finding.hand.stream, finding.version, finding.seat, finding.clause, finding.saw),
    lambda finding: (finding.hand.stream, finding.version, finding.seat, finding.clause),
    lambda finding: (finding.hand.stream, finding.version, finding.seat),
)
"""By what findings are taken for the same wrong: the first that fits. Clauses of other books have other names."""


def turns(old: Iterable[Finding], new: Iterable[Finding]) -> list[Turn]:
    """Return what differs between the findings of two books in the same hands, in the order of the hands."""
    old_findings = [finding for finding in old if finding.book != BUILT_IN]
    new_findings = [finding for finding in new if finding.book != BUILT_IN]
    hand_order = {
        finding.hand.stream: position for position, finding in reversed([*enumerate([*old_findings, *new_findings])])
    }
    pairs: list[tuple[Finding, Finding]] = []
    for key in _KEYS:
        old_findings, new_findings = _pair_findings(old_findings, new_findings, key, pairs)
    differences = [Turn("changes", *pair) for pair in pairs if _visible_content(pair[0]) != _visible_content(pair[1])]
    differences += [Turn("vanishes", finding, None) for finding in old_findings]
    differences += [Turn("appears", None, finding) for finding in new_findings]
    return sorted(
        differences, key=lambda turn: (hand_order[turn.either.hand.stream], turn.either.version, turn.becomes)
    )


def _pair_findings(
    old_findings: Sequence[Finding],
    new_findings: Sequence[Finding],
    key: Callable[[Finding], _Key],
    pairs: list[tuple[Finding, Finding]],
) -> tuple[list[Finding], list[Finding]]:
    """Pair what is the same by a key; return what is left of both."""
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


def _visible_content(finding: Finding) -> _Key:
    """Return what a person would see of a finding."""
    return finding.clause, finding.severity, finding.certainty, finding.should, finding.remedy, tuple(finding.money)


def at_stake(found: Iterable[Turn]) -> Counter[tuple[Becomes, str, int]]:
    """Return the chips that findings say are in wrong hands, by what becomes of them, unit and exponent.

    Of a finding that changes, what the new book says less what the old one said.
    """
    sums: Counter[tuple[Becomes, str, int]] = Counter()
    for turn in found:
        finding = turn.either
        sums[turn.becomes, finding.unit, finding.exponent] += moved(turn.new) - (
            moved(turn.old) if turn.new else -moved(turn.old)
        )
    return sums


class Chair(NamedTuple):
    """A seat of a table, and the unit of its chips."""

    venue: str
    tournament: str
    table: str
    seat: Seat
    unit: str
    exponent: int


def by_seat(found: Iterable[Turn]) -> dict[Chair, Chips]:
    """Return how much more each seat is said to have too much (+) or too little (-), under the new book than the old."""
    sums: Counter[Chair] = Counter()
    for turn in found:
        for finding, sign in ((turn.new, 1), (turn.old, -1)):
            for share in finding.money if finding is not None else ():
                hand = turn.either.hand
                chair = Chair(
                    hand.venue, hand.tournament, hand.table, share.seat, turn.either.unit, turn.either.exponent
                )
                sums[chair] += sign * share.amount
    return {chair: chips for chair, chips in sorted(sums.items()) if chips}


def moved(one: Finding | None) -> int:
    """Return the chips that a finding says some seats have too many."""
    return 0 if one is None else sum(share.amount for share in one.money if share.amount > 0)
