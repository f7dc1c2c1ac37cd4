"""Columns that `log` lists for the hands that match a query: single fields in any order, or sums by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, select

from projections.queries.fields import FIELDS, STREETS, WORDS
from projections.queries.sums import HAND_GROUPS, Purse, name_group
from projections.tables.kept_results import hand_results

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection

Value: TypeAlias = str | int | bool | None
_C: Final = hand_results.c


class ChipAmount(NamedTuple):
    """An amount of chips and its purse: unit, scale and format."""

    chips: int
    purse: Purse


class Column(NamedTuple):
    """A field that `log --fields` can list, and the table columns it is made of."""

    columns: tuple[ColumnElement[object], ...]
    kind: str  # text, number, money, day, time, choice or yes


def _hand_columns() -> dict[str, Column]:
    columns = {
        name: Column((_C[field.column],), "street" if name == "street" else field.kind)
        for name, field in FIELDS.items()
        if field.level == "hand" and field.column
    }
    columns["time"] = Column((_C.wall, _C.zone), "time")
    columns["day"] = Column((_C.wall, _C.zone), "day")
    columns |= {word: Column((_C[field.column],), "yes") for word, field in WORDS.items() if field.level == "hand"}
    return columns


COLUMNS: Final = _hand_columns()
"""Fields that `--fields` accepts, by their name in a query."""

GROUPS: Final = tuple(HAND_GROUPS)
"""Groups that `--by` accepts."""


def list_hands(
    selection: HandSelection, fields: Sequence[str], sort: str | None, day: int, limit: int | None
) -> Iterator[dict[str, Value | ChipAmount]]:
    """Yield these fields of each matching hand, sorted by one field: `-` before its name puts the highest first.

    Money is sorted by its amount in the table's currency. Missing values come last.
    """
    sql_columns = [column for sort_name in fields for column in COLUMNS[sort_name].columns]
    statement = select(_C.position, _C.unit, _C.scale, _C.format, *sql_columns).where(selection.condition)
    superseded = selection.superseded_positions()
    sort_name = (sort or "").removeprefix("-")
    sort_column = COLUMNS[sort_name].columns[0] if sort_name else _C.position
    order = sort_column * 1.0 / _C.scale if sort_name and COLUMNS[sort_name].kind == "money" else sort_column
    statement = statement.order_by((order.desc() if (sort or "").startswith("-") else order).nulls_last(), _C.position)
    hand_count = 0
    for position, unit, scale, hand_format, *values in selection.fetch_rows(statement):
        if position in superseded:
            continue
        value_iterator = iter(values)
        purse = Purse(unit, scale, hand_format)
        yield {
            field: _value(COLUMNS[field], [next(value_iterator) for _ in COLUMNS[field].columns], purse, day)
            for field in fields
        }
        hand_count += 1
        if hand_count == limit:
            return


def _value(column: Column, values: list[object], purse: Purse, day: int) -> Value | ChipAmount:
    first = values[0]
    if column.kind == "money":
        return ChipAmount(first, purse) if isinstance(first, int) else None
    if column.kind == "yes":
        return bool(first)
    if column.kind == "street":
        return STREETS[first] if isinstance(first, int) else ""
    if column.kind == "day":
        return name_group("day", values, day)[0]
    if column.kind == "time":
        return _format_time(first, str(values[1])) if isinstance(first, int) else ""
    return first if isinstance(first, str | int) or first is None else str(first)


def _format_time(wall: int, zone: str) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415 - only a list of times needs it

    if not -62_135_596_800_000 < wall < 253_402_300_800_000:  # years 1 to 9999
        return ""
    return f"{datetime.fromtimestamp(wall / 1000, UTC):%Y-%m-%dT%H:%M:%S}{' ' if zone else ''}{zone}"


@dataclass
class GroupTotal:
    """Totals of a group of hands."""

    hands: int = 0
    pot: int = 0
    rake: int = 0


def sum_groups(
    selection: HandSelection, group_fields: Sequence[str], day: int
) -> dict[tuple[tuple[str, ...], Purse], GroupTotal]:
    """Return hands, pots and rake by these group fields and by purse."""
    totals: dict[tuple[tuple[str, ...], Purse], GroupTotal] = {}
    columns = [column for name in group_fields for column in HAND_GROUPS[name]]
    for pot, rake, unit, scale, hand_format, *values in selection.hands(
        _C.pot, _C.rake, _C.unit, _C.scale, _C.format, *columns
    ):
        value_iterator = iter(values)
        names = tuple(
            " ".join(
                part
                for part in name_group(group_field, [next(value_iterator) for _ in HAND_GROUPS[group_field]], day)
                if part
            )
            for group_field in group_fields
        )
        total = totals.setdefault((names, Purse(unit, scale, hand_format)), GroupTotal())
        total.hands += 1
        total.pot += pot
        total.rake += rake
    return totals
