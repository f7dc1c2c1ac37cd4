"""What `log` may list of the hands that fit a query: single fields, in any order, or sums by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, select

from projections.queries.fields import FIELDS, STREETS, WORDS
from projections.queries.sums import HANDS, Purse, name_of
from projections.tables.kept_results import hand_results

if TYPE_CHECKING:
    from projections.queries.query_run import Asked

Value: TypeAlias = str | int | bool | None
_C: Final = hand_results.c


class Money(NamedTuple):
    """Chips with what they are of."""

    chips: int
    purse: Purse


class Column(NamedTuple):
    """A field that can be listed: what it is made of."""

    columns: tuple[ColumnElement[object], ...]
    kind: str  # text, number, money, day, time, choice or yes


def _columns() -> dict[str, Column]:
    found = {
        name: Column((_C[field.column],), "street" if name == "street" else field.kind)
        for name, field in FIELDS.items()
        if field.level == "hand" and field.column
    }
    found["time"] = Column((_C.wall, _C.zone), "time")
    found["day"] = Column((_C.wall, _C.zone), "day")
    found |= {word: Column((_C[field.column],), "yes") for word, field in WORDS.items() if field.level == "hand"}
    return found


COLUMNS: Final = _columns()
"""What `--fields` knows, by its name in a query."""

GROUPS: Final = tuple(HANDS)
"""What `--by` knows."""


def listed(
    asked: Asked, fields: Sequence[str], sort: str | None, day: int, limit: int | None
) -> Iterator[dict[str, Value | Money]]:
    """Yield the hands that fit, of each the fields; sorted by one, `-` before it for the highest first.

    Money is sorted by its amount in the table's currency; what is not told comes last.
    """
    wanted = [column for name in fields for column in COLUMNS[name].columns]
    question = select(_C.position, _C.unit, _C.scale, _C.format, *wanted).where(asked.condition)
    others = asked.others()
    name = (sort or "").removeprefix("-")
    key = COLUMNS[name].columns[0] if name else _C.position
    order = key * 1.0 / _C.scale if name and COLUMNS[name].kind == "money" else key
    question = question.order_by((order.desc() if (sort or "").startswith("-") else order).nulls_last(), _C.position)
    count = 0
    for position, unit, scale, form, *values in asked.every(question):
        if position in others:
            continue
        at = iter(values)
        purse = Purse(unit, scale, form)
        yield {one: _value(COLUMNS[one], [next(at) for _ in COLUMNS[one].columns], purse, day) for one in fields}
        count += 1
        if count == limit:
            return


def _value(column: Column, values: list[object], purse: Purse, day: int) -> Value | Money:
    first = values[0]
    if column.kind == "money":
        return Money(first, purse) if isinstance(first, int) else None
    if column.kind == "yes":
        return bool(first)
    if column.kind == "street":
        return STREETS[first] if isinstance(first, int) else ""
    if column.kind == "day":
        return name_of("day", values, day)[0]
    if column.kind == "time":
        return _time(first, str(values[1])) if isinstance(first, int) else ""
    return first if isinstance(first, str | int) or first is None else str(first)


def _time(wall: int, zone: str) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415 - only where times are asked for

    if not -62_135_596_800_000 < wall < 253_402_300_800_000:  # years 1 to 9999
        return ""
    return f"{datetime.fromtimestamp(wall / 1000, UTC):%Y-%m-%dT%H:%M:%S}{' ' if zone else ''}{zone}"


@dataclass
class Sum:
    """What some hands came to together."""

    hands: int = 0
    pot: int = 0
    rake: int = 0


def summed(asked: Asked, by: Sequence[str], day: int) -> dict[tuple[tuple[str, ...], Purse], Sum]:
    """Return hands, pots and rake by one or several groups, and by what the chips are of."""
    found: dict[tuple[tuple[str, ...], Purse], Sum] = {}
    columns = [column for name in by for column in HANDS[name]]
    for pot, rake, unit, scale, form, *values in asked.hands(_C.pot, _C.rake, _C.unit, _C.scale, _C.format, *columns):
        at = iter(values)
        names = tuple(
            " ".join(part for part in name_of(one, [next(at) for _ in HANDS[one]], day) if part) for one in by
        )
        some = found.setdefault((names, Purse(unit, scale, form)), Sum())
        some.hands += 1
        some.pot += pot
        some.rake += rake
    return found
