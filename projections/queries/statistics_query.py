"""Read the statistics of players in the hands that match a query, by player, position, stakes or day."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.requests.erasure import group_same_people, same_person
from ledger.streams import HOUSE
from projections.addresses.person_address import find_person
from projections.addresses.room_days import parse_day_start
from projections.queries.fields import POSITIONS
from projections.queries.ledger_query import select_hands
from projections.queries.result_query import NameLookup, name_group_for_display
from projections.queries.statistics_row import Ratio, StatisticsRow, WinLine
from projections.queries.statistics_sums import Currency, StatisticsSum, count_left_out, sum_statistics
from projections.queries.win_lines import read_win_lines
from projections.tables.result_tables import seat_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from projections.queries.sums import GroupName
    from projections.tables.judgement_update import Progress


class StatisticsReport(NamedTuple):
    """Statistics, and the hands that they leave out."""

    rows: list[StatisticsRow]
    lines: list[WinLine]  # what a person won over time, one for each unit; [] for everybody
    left_out: dict[str, int]  # hands that aren't counted, by reason
    showdown_unknown: int  # hands in which the record can't show whether there was a showdown


def read_statistics(
    ledger: Ledger,
    text: str | None,
    group_field: str,
    player_ids: list[PlayerId],
    day_begins: str,
    *,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> StatisticsReport:
    """Return the statistics of seats in matching hands, and what a person won over time.

    Without a query, all hands match. `player_ids`: all ids of one person; [] = everybody, without lines over time.
    `day_begins`: clock time such as 06:00. `progress` and `on_log_progress`: as for `open_tables`.
    """
    reports = read_grouped_statistics(
        ledger, text, [group_field], player_ids, day_begins, progress=progress, on_log_progress=on_log_progress
    )
    return reports[group_field]


def read_grouped_statistics(
    ledger: Ledger,
    text: str | None,
    group_fields: Sequence[str],
    player_ids: list[PlayerId],
    day_begins: str,
    *,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> dict[str, StatisticsReport]:
    """Return the report of `read_statistics` for each of several fields. Data that the reports share is read once."""
    main_ids = dict.fromkeys(player_ids, player_ids[0]) if player_ids else _find_main_ids(ledger)
    with select_hands(
        ledger,
        text,
        day_begins,
        group_fields=group_fields,
        statistics=True,
        progress=progress,
        on_log_progress=on_log_progress,
    ) as selection:
        seats = selection.conditions.seats
        if player_ids:
            own_seats = seat_results.c.player.in_(player_ids)
            seats = own_seats if seats is None else seats & own_seats
        day_start = parse_day_start(day_begins)
        sums_by_field = {
            group_field: sum_statistics(selection, group_field, seats, day_start, main_ids)
            for group_field in group_fields
        }
        lines = read_win_lines(selection, seats) if player_ids and seats is not None else []
        left_out, showdown_unknown = count_left_out(selection, seats)
    rows_by_field = {
        group_field: build_rows(sums, group_field, ledger.people.name, main_ids)
        for group_field, sums in sums_by_field.items()
    }
    _set_rooms(rows_by_field.get("player", []), ledger.people.names)
    return {
        group_field: StatisticsReport(rows, lines, left_out, showdown_unknown)
        for group_field, rows in rows_by_field.items()
    }


def find_person_ids(ledger: Ledger, name: str) -> list[PlayerId]:
    """Return all ids of the one person with a name, a venue/name, or the beginning of an id.

    Raise `AddressError` if several people have that name, and `NothingFoundError` if nobody does.
    """
    namesakes = ledger.people.find_players(name)
    if namesakes:
        person_ids = same_person(ledger, namesakes[0])
        if set(namesakes) <= set(person_ids):
            return person_ids
    return same_person(ledger, find_person(ledger, name))


def _find_main_ids(ledger: Ledger) -> dict[PlayerId, PlayerId]:
    """Return each merged id with the id that stands for the person."""
    return {player_id: min(person_ids) for player_id, person_ids in group_same_people(ledger.events(HOUSE)).items()}


def build_rows(
    sums: Mapping[tuple[GroupName, Currency], StatisticsSum],
    group_field: str,
    find_name: NameLookup,
    main_ids: Mapping[PlayerId, PlayerId],
) -> list[StatisticsRow]:
    """Return the rows of sums, in the order for display: the unit with most hands first."""
    hand_counts = Counter[Currency]()
    for (_, currency), statistics_sum in sums.items():
        hand_counts[currency] += statistics_sum.hands
    ordered_sums = sorted(
        sums.items(),
        key=lambda pair: (
            -hand_counts[pair[0][1]],
            pair[0][1],
            _get_order_key(group_field, pair[0][0], pair[1]),
            pair[0][0],
        ),
    )
    return [
        _build_row(
            name_group(find_name, group_field, group_name),
            currency,
            statistics_sum,
            _list_ids(group_name[0], main_ids) if group_field == "player" else [],
        )
        for (group_name, currency), statistics_sum in ordered_sums
    ]


_BETTING_LABELS: Final = {"limit": "limit", "pot-limit": "PL", "no-limit": "NL", "spread": "spread"}


def name_group(find_name: NameLookup, group_field: str, group_name: GroupName) -> str:
    """Return a group's name for display. Stakes are named as in a card room: `0.50/1 USD NL`."""
    if group_field == "stakes" and group_name[0]:
        amounts, unit, betting = group_name
        return " ".join(part for part in (amounts, unit, _BETTING_LABELS.get(betting, betting)) if part)
    if group_field == "stakes":
        return name_group_for_display(find_name, group_field, ("", "", ""))
    return name_group_for_display(find_name, group_field, group_name)


def _get_order_key(group_field: str, group_name: GroupName, statistics_sum: StatisticsSum) -> float:
    """Return the sort key of a group within its unit: positions in turn, stakes and players by size, days by date."""
    if group_field == "position":
        return POSITIONS.index(group_name[0]) if group_name[0] in POSITIONS else len(POSITIONS)
    if group_field == "players":
        return int(group_name[0] or 0)
    if group_field == "stakes":
        return max((float(amount) for amount in re.split("[/+]", group_name[0]) if amount), default=0.0)
    return 0 if group_field == "day" else -statistics_sum.hands


def _list_ids(player_id: PlayerId, main_ids: Mapping[PlayerId, PlayerId]) -> list[PlayerId]:
    return sorted({player_id, *(other for other, main_id in main_ids.items() if main_id == player_id)})


def _build_row(name: str, currency: Currency, statistics_sum: StatisticsSum, ids: list[PlayerId]) -> StatisticsRow:
    counts = statistics_sum.counts
    per_hundred = (
        float(statistics_sum.big_blinds * 100 / statistics_sum.hands_with_blind)
        if statistics_sum.hands_with_blind
        else None
    )
    return StatisticsRow(
        name=name,
        ids=ids,
        format=currency.format,
        unit=currency.unit,
        exponent=statistics_sum.exponent,
        hands=statistics_sum.hands,
        net=int(statistics_sum.net * 10**statistics_sum.exponent),
        per_hundred=None if per_hundred is None else round(per_hundred, 1),
        vpip=Ratio(counts["vpip"], counts["preflop"]),
        pfr=Ratio(counts["pfr"], counts["preflop"]),
        three_bet=Ratio(counts["three_bet"], counts["three_bet_chance"]),
        bets=counts["bets"],
        raises=counts["raises"],
        calls=counts["calls"],
        folds=counts["folds"],
        went_to_showdown=Ratio(counts["showdown"], counts["saw_flop"]),
        won_at_showdown=Ratio(counts["showdown_won"], counts["showdown_judged"]),
        left_out=dict(sorted((gap, hands) for gap, hands in statistics_sum.left_out.items() if hands)),
        showdown_unknown=statistics_sum.showdown_unknown,
    )


def _set_rooms(rows: list[StatisticsRow], names: Mapping[str, tuple[str, str]]) -> None:
    """Set the room of players who share a name but aren't one person. `names`: id → room and name."""
    ids_by_name: dict[str, set[str]] = {}
    for row in rows:
        ids_by_name.setdefault(row.name, set()).update(row.ids)
    for row in rows:
        if len(ids_by_name[row.name]) > len(row.ids):
            row.room = _join_rooms(row.ids, names)


def _join_rooms(ids: Iterable[PlayerId], names: Mapping[str, tuple[str, str]]) -> str:
    return " + ".join(sorted({names[player_id][0] for player_id in ids if player_id in names}))
