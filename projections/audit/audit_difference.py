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
    there = list(dict.fromkeys(books))
    stems = Counter(name.partition("@")[0] for name in there)
    return {name: stem if stems[stem := name.partition("@")[0]] == 1 else name for name in there}


def keyed(findings: Iterable[Finding], books: dict[str, str]) -> Iterator[tuple[Key, str]]:
    """Yield of findings what makes each the same in another audit, under another edition; and its hand's stream."""
    hand: Hand | None = None
    seen: Counter[tuple[str, str, int, int | None]] = Counter()
    for found in findings:
        if found.hand != hand:
            hand = found.hand
            seen = Counter()
        book = books.get(found.book, found.book)
        what = book, found.clause, found.version, found.seat
        yield (book, found.clause, *place_of(found), found.version, found.seat, seen[what]), found.hand.stream
        seen[what] += 1


def place_of(found: Finding) -> Called:
    """Return which hand a finding is about, as people call it."""
    return found.hand.venue, found.hand.tournament, found.hand.table, found.hand.number


def fields(before: Finding, now: Finding) -> list[str]:
    """Return in what a finding says something else; [] where only the book's edition and wording did."""
    found = [name for name in TOLD if getattr(before, name) != getattr(now, name)]
    return found if set(found) - _BOOKS_OWN else []


def compared(
    before: AuditResult, now: AuditResult, judged: Callable[[set[Called]], set[Called]] = lambda places: places
) -> Comparison:
    """Compare two audits; `judged` says which of some hands were looked at now: of the others nothing went."""
    earlier = before.findings
    partners, left = _matched(before, now)
    found = Comparison(Counts(), Kept(Finding), Kept(Changed), Kept(Finding))
    for one, at in zip(now.findings, partners, strict=True):
        if at < 0:
            found.counts.came += 1
            found.now.append(one)
        elif differing := fields(earlier[at], one):
            found.counts.changed += 1
            found.changed.append(Changed(one.fingerprint, differing, earlier[at]))
            found.now.append(one)
        else:
            found.counts.same += 1
    looked = judged({place_of(earlier[at]) for at in left})
    for at in left:
        if place_of(earlier[at]) in looked:
            found.counts.went += 1
            found.went.append(earlier[at])
        else:
            found.counts.elsewhere += 1
    return found


def _matched(before: AuditResult, now: AuditResult) -> tuple[list[int], list[int]]:
    """Return for each finding of now which it was before, -1 for none; and those before that none is.

    A number may be used again: hands are the same by their stream, and only what is left by table and number,
    as when another file tells the hand now.
    """
    of_then, of_now = names(ref.name for ref in before.books), names(ref.name for ref in now.books)
    exact = {one: at for at, one in enumerate(keyed(before.findings, of_then))}
    partners = [exact.pop(one, -1) for one in keyed(now.findings, of_now)]
    loose: dict[Key, list[int]] = defaultdict(list)
    for (key, _), at in exact.items():
        loose[key].append(at)
    for at, (key, _) in enumerate(keyed(now.findings, of_now)):
        if partners[at] < 0 and loose.get(key):
            partners[at] = loose[key].pop(0)
    return partners, sorted(at for those in loose.values() for at in those)
