"""Sums over the hands that fit a query: what players won and lost, and how often something was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, case, select

from ledger.vocabulary import Chips, PlayerId
from projections.addresses.room_days import DAY
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.sittings import hand_dealers

if TYPE_CHECKING:
    from projections.queries.query_run import Asked

_EPOCH: Final = date(1970, 1, 1).toordinal()
FEW: Final = 5
"""Findings that the whole would let one expect of a group: with fewer, its rate tells nothing."""


class Purse(NamedTuple):
    """Chips that may be added up: one unit, one scale, money or tournament chips."""

    unit: str
    scale: int
    format: str


@dataclass
class Result:
    """What some seats came to."""

    hands: int = 0
    net: Chips = 0
    rake: Chips = 0
    won: int = 0  # hands in which it won more than it put in
    showdowns: int = 0
    all_ins: int = 0
    blinds: Fraction = field(default_factory=Fraction)  # net in big blinds, of the hands that tell them
    rated: int = 0  # how many those are
    unsure: int = 0  # hands whose record is cut off, does not add up, or was not read whole
    unraked: int = 0  # money hands with a flop of which no rake is on record

    @property
    def per_hundred(self) -> float | None:
        """Big blinds won in a hundred hands; None where no hand tells its big blind."""
        return float(self.blinds * 100 / self.rated) if self.rated else None


By = tuple[str, ...]
"""What a group is called: a player's id, a position, a table, ..."""

HANDS: Final = {
    "table": (hand_results.c.venue, hand_results.c.tournament, hand_results.c.name),
    "venue": (hand_results.c.venue,),
    "game": (hand_results.c.variant, hand_results.c.betting),
    "format": (hand_results.c.format,),
    "day": (hand_results.c.wall, hand_results.c.zone),
    "dealer": (
        select(hand_dealers.c.dealer)
        .where(hand_dealers.c.position == hand_results.c.position)
        .correlate(hand_results)
        .scalar_subquery(),
    ),
}
"""By what hands may be grouped, and the columns that tell it."""

_UNSURE: Final = case(
    (hand_results.c.voided == 1, 0),
    (hand_results.c.completed == 0, 1),
    (hand_results.c.unbalanced == 1, 1),
    (hand_results.c.unread == 1, 1),
    else_=0,
)
_UNRAKED: Final = case(
    (hand_results.c.completed == 0, 0),
    (hand_results.c.format == "tournament", 0),
    (hand_results.c.unit == "play", 0),
    (hand_results.c.rake != 0, 0),
    (hand_results.c.streets == 0, 0),
    else_=1,
)
"""Whether a hand's results are as sure as what its record tells, and whether they may be before a rake."""

SEATS: Final = {"player": (seat_results.c.player,), "position": (seat_results.c.place,), "seat": (seat_results.c.seat,)}
"""By what seats may be grouped besides."""


def results(
    asked: Asked, by: str, of: ColumnElement[bool] | None, day: int, same: dict[PlayerId, PlayerId]
) -> dict[tuple[By, Purse], Result]:
    """Return what the seats of the hands that fit came to, group by group.

    `of`: which seats; `same`: the id under which a person's other ids are counted.
    """
    grouping = SEATS.get(by) or HANDS[by]
    columns = hand_results.c
    own = seat_results.c
    found: dict[tuple[By, Purse], Result] = {}
    asked_of = (
        own.net,
        own.rake,
        own.showdown,
        own.all_in,
        columns.big_blind,
        columns.unit,
        columns.scale,
        columns.format,
        _UNSURE,
        _UNRAKED,
    )
    for row in asked.seats(*asked_of, *grouping, of=of):
        net, rake, showdown, all_in, big, unit, scale, form, unsure, unraked, *group = row
        name = name_of(by, group, day)
        if by == "player":
            name = (same.get(name[0], name[0]),)
        one = found.setdefault((name, Purse(unit, scale, form)), Result())
        one.hands += 1
        one.net += net
        one.rake += rake
        one.won += net > 0
        one.showdowns += showdown
        one.all_ins += all_in
        one.unsure += unsure
        one.unraked += unraked
        if big:
            one.blinds += Fraction(net, big)
            one.rated += 1
    return found


class Rate(NamedTuple):
    """How often something was found: in how many hands of how many."""

    findings: int
    hands: int

    @property
    def per_thousand(self) -> float:
        """Findings in a thousand hands."""
        return 1000 * self.findings / self.hands if self.hands else 0.0

    def few(self, whole: Rate) -> bool:
        """Whether there are too few hands to tell anything: the whole would let one expect less than five findings."""
        return self.hands * whole.findings < FEW * whole.hands


def rates(asked: Asked, by: str, day: int) -> tuple[dict[By, Rate], Rate]:
    """Return findings and hands of each group, and of all hands that fit.

    By clause, each clause has all hands; by player a finding is that of the seat that it names. What the
    query says of findings says which are counted, not which hands.
    """
    found: Counter[By] = Counter()
    hands: Counter[By] = Counter()
    columns, kept = hand_results.c, kept_findings.c
    mine: list[ColumnElement[bool]] = [asked.judged]
    if asked.meant.findings is not None:
        mine.append(asked.meant.findings)
    group = HANDS.get(by, ())
    asked = asked.of_population()
    others = asked.others()
    joined = select(columns.position, kept.book, kept.clause, kept.seat, *group).join_from(
        hand_results, kept_findings, kept.position == columns.position
    )
    if by == "player":
        at = (seat_results.c.position == columns.position) & (seat_results.c.seat == kept.seat)
        joined = joined.join(seat_results, at).add_columns(seat_results.c.player)
    total = asked.count()
    for position, book, clause, _, *names in asked.every(joined.where(asked.condition, *mine)):
        if position not in others:
            found[(f"{book} {clause}",) if by == "clause" else name_of(by, names, day)] += 1
    if by == "clause":
        hands.update(dict.fromkeys(found, total))
    elif by == "player":
        hands.update((player,) for (player,) in asked.seats(seat_results.c.player))
    else:
        hands.update(name_of(by, row, day) for row in asked.hands(*group))
    whole = Rate(sum(found.values()), total)
    return {name: Rate(found[name], count) for name, count in hands.items()}, whole


def name_of(by: str, group: Sequence[object], day: int) -> By:
    """Return what a group is called; a day is the gaming day that the room's clock shows."""
    if by != "day":
        return tuple("" if part is None else str(part) for part in group)
    wall, zone = group
    if not isinstance(wall, int):
        return ("",)
    days = (wall - (day if zone not in ("", "UTC") else 0)) // DAY
    return (date.fromordinal(_EPOCH + days).isoformat() if 0 < _EPOCH + days <= date.max.toordinal() else "",)
