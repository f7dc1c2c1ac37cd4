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
        found = self.new or self.old
        assert found is not None  # noqa: S101 - one of them is there
        return found


_Key: TypeAlias = tuple[object, ...]
_KEYS: Final[tuple[Callable[[Finding], _Key], ...]] = (
    lambda one: (one.hand.stream, one.version, one.seat, one.clause, one.saw),
    lambda one: (one.hand.stream, one.version, one.seat, one.clause),
    lambda one: (one.hand.stream, one.version, one.seat),
)
"""By what findings are taken for the same wrong: the first that fits. Clauses of other books have other names."""


def turns(old: Iterable[Finding], new: Iterable[Finding]) -> list[Turn]:
    """Return what differs between the findings of two books in the same hands, in the order of the hands."""
    left = [one for one in old if one.book != BUILT_IN]
    right = [one for one in new if one.book != BUILT_IN]
    order = {one.hand.stream: at for at, one in reversed([*enumerate([*left, *right])])}
    pairs: list[tuple[Finding, Finding]] = []
    for key in _KEYS:
        left, right = _paired(left, right, key, pairs)
    found = [Turn("changes", *pair) for pair in pairs if _said(pair[0]) != _said(pair[1])]
    found += [Turn("vanishes", one, None) for one in left]
    found += [Turn("appears", None, one) for one in right]
    return sorted(found, key=lambda one: (order[one.either.hand.stream], one.either.version, one.becomes))


def _paired(
    left: Sequence[Finding],
    right: Sequence[Finding],
    key: Callable[[Finding], _Key],
    pairs: list[tuple[Finding, Finding]],
) -> tuple[list[Finding], list[Finding]]:
    """Pair what is the same by a key; return what is left of both."""
    there: dict[_Key, list[Finding]] = {}
    for one in right:
        there.setdefault(key(one), []).append(one)
    rest = []
    for one in left:
        some = there.get(key(one))
        if some:
            pairs.append((one, some.pop(0)))
        else:
            rest.append(one)
    taken = {id(other) for _, other in pairs}
    return rest, [one for one in right if id(one) not in taken]


def _said(one: Finding) -> _Key:
    """Return what a person would see of a finding."""
    return one.clause, one.severity, one.certainty, one.should, one.remedy, tuple(one.money)


def at_stake(found: Iterable[Turn]) -> Counter[tuple[Becomes, str, int]]:
    """Return the chips that findings say are in wrong hands, by what becomes of them, unit and exponent.

    Of a finding that changes, what the new book says less what the old one said.
    """
    sums: Counter[tuple[Becomes, str, int]] = Counter()
    for turn in found:
        one = turn.either
        sums[turn.becomes, one.unit, one.exponent] += moved(turn.new) - (
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
        for one, sign in ((turn.new, 1), (turn.old, -1)):
            for share in one.money if one is not None else ():
                hand = turn.either.hand
                chair = Chair(
                    hand.venue, hand.tournament, hand.table, share.seat, turn.either.unit, turn.either.exponent
                )
                sums[chair] += sign * share.amount
    return {chair: chips for chair, chips in sorted(sums.items()) if chips}


def moved(one: Finding | None) -> int:
    """Return the chips that a finding says some seats have too many."""
    return 0 if one is None else sum(share.amount for share in one.money if share.amount > 0)
