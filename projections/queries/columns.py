"""The columns of `log`: fields of each matching hand, or sums by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, select

from projections.queries.fields import FIELDS, STREETS, WORDS, ValueKind
from projections.queries.sums import HAND_GROUPS, Purse, build_group_name
from projections.tables.result_tables import hand_results

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection

FieldValue: TypeAlias = str | int | bool | None
_HAND: Final = hand_results.c
"""The columns of the table of hands."""
_WALL_RANGE: Final = range(-62_135_596_800_000, 253_402_300_800_000)
"""Years 1 to 9999, in milliseconds since 1970: the times that `datetime` can format."""


class ChipAmount(NamedTuple):
    """An amount of chips and the purse that it belongs to."""

    chips: int
    purse: Purse


ListedKind: TypeAlias = ValueKind | Literal["time", "street", "flag"]
"""The kinds of listed values. `flag`: true or false."""


class ListedField(NamedTuple):
    """A field that `log --fields` can list, and the table columns that hold it."""

    sql_columns: tuple[ColumnElement[object], ...]
    kind: ListedKind  # how `_convert_value` converts it


def _build_listed_fields() -> dict[str, ListedField]:
    """Return the fields of a hand that have a column, its time and its day, and its true-or-false words."""
    listed_fields = {
        name: ListedField((_HAND[field.column],), "street" if name == "street" else field.kind)
        for name, field in FIELDS.items()
        if field.level == "hand" and field.column
    }
    listed_fields["time"] = ListedField((_HAND.wall, _HAND.zone), "time")
    listed_fields["day"] = ListedField((_HAND.wall, _HAND.zone), "day")
    listed_fields |= {
        word: ListedField((_HAND[field.column],), "flag") for word, field in WORDS.items() if field.level == "hand"
    }
    return listed_fields


LISTED_FIELDS: Final = _build_listed_fields()
"""Fields that `--fields` accepts, by name."""

GROUP_FIELDS: Final = tuple(HAND_GROUPS)
"""Groups that `--by` accepts."""


def list_field_values(
    selection: HandSelection, fields: Sequence[str], sort: str | None, day_start: int, max_hands: int | None
) -> Iterator[dict[str, FieldValue | ChipAmount]]:
    """Yield these fields of each matching hand, by name.

    `sort` names the field to sort by; `-` before it puts the highest first. If it is None, hands keep their order in
    the log. Money is sorted by its amount in the table's currency. Missing values come last. `day_start` is in
    milliseconds after midnight. If `max_hands` is None, there is no limit.
    """
    columns_by_field = {field: LISTED_FIELDS[field].sql_columns for field in fields}
    sql_columns = [column for columns in columns_by_field.values() for column in columns]
    statement = select(_HAND.position, _HAND.unit, _HAND.scale, _HAND.format, *sql_columns).where(selection.condition)
    statement = statement.order_by(_build_order(sort), _HAND.position)
    superseded = selection.find_superseded_positions()
    hand_count = 0
    for position, unit, scale, hand_format, *values in selection.fetch_rows(statement):
        if position in superseded:
            continue
        purse = Purse(unit, scale, hand_format)
        field_values: dict[str, FieldValue | ChipAmount] = {}
        start = 0
        for field, columns in columns_by_field.items():
            end = start + len(columns)
            field_values[field] = _convert_value(LISTED_FIELDS[field], values[start:end], purse, day_start)
            start = end
        yield field_values
        hand_count += 1
        if hand_count == max_hands:
            return


def _build_order(sort: str | None) -> ColumnElement[object]:
    """Return the column to sort by, as `list_field_values` describes `sort`."""
    sort_name = (sort or "").removeprefix("-")
    if not sort_name:
        order: ColumnElement[object] = _HAND.position
    else:
        listed_field = LISTED_FIELDS[sort_name]
        order = listed_field.sql_columns[0]
        if listed_field.kind == "money":
            # Chips divided by the table's scale are an amount in its currency; 1.0 keeps the fraction.
            order = order * 1.0 / _HAND.scale
    if sort is not None and sort.startswith("-"):
        order = order.desc()
    return order.nulls_last()


def _convert_value(
    listed_field: ListedField, values: list[object], purse: Purse, day_start: int
) -> FieldValue | ChipAmount:
    """Convert the values of a field's columns to one value for the list.

    A missing street, day or time becomes "", and any other missing value None.
    """
    first = values[0]
    match listed_field.kind:
        case "money":
            return ChipAmount(first, purse) if isinstance(first, int) else None
        case "flag":
            return bool(first)
        case "street":
            return STREETS[first] if isinstance(first, int) else ""
        case "day":
            return build_group_name("day", values, day_start)[0]
        case "time":
            return _format_time(first, str(values[1])) if isinstance(first, int) else ""
    return first if isinstance(first, str | int) or first is None else str(first)


def _format_time(wall: int, zone: str) -> str:
    """Format a time, in milliseconds since 1970, with its zone if known; "" if `datetime` can't format it."""
    from datetime import UTC, datetime  # noqa: PLC0415 - only a list of times needs it

    if wall not in _WALL_RANGE:
        return ""
    return f"{datetime.fromtimestamp(wall / 1000, UTC):%Y-%m-%dT%H:%M:%S}{' ' if zone else ''}{zone}"


@dataclass
class GroupTotal:
    """Hands, pots and rake of a group of hands."""

    hands: int = 0
    pot: int = 0
    rake: int = 0


def sum_groups(
    selection: HandSelection, group_fields: Sequence[str], day_start: int
) -> dict[tuple[tuple[str, ...], Purse], GroupTotal]:
    """Return totals by the names of the groups, in the order of `group_fields`, and by purse."""
    totals: dict[tuple[tuple[str, ...], Purse], GroupTotal] = {}
    columns = [column for name in group_fields for column in HAND_GROUPS[name]]
    for pot, rake, unit, scale, hand_format, *values in selection.iter_hand_values(
        _HAND.pot, _HAND.rake, _HAND.unit, _HAND.scale, _HAND.format, *columns
    ):
        group_names = _name_groups(group_fields, iter(values), day_start)
        total = totals.setdefault((group_names, Purse(unit, scale, hand_format)), GroupTotal())
        total.hands += 1
        total.pot += pot
        total.rake += rake
    return totals


def _name_groups(group_fields: Sequence[str], values: Iterator[object], day_start: int) -> tuple[str, ...]:
    """Return the names of a hand's groups, one for each field; `values` has the columns of all fields in order."""
    group_names = []
    for group_field in group_fields:
        field_values = [next(values) for _ in HAND_GROUPS[group_field]]
        group_names.append(" ".join(part for part in build_group_name(group_field, field_values, day_start) if part))
    return tuple(group_names)
