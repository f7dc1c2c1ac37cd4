"""Sum the results of seats in the hands that match a query, by player, position, table or day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from projections.addresses.room_days import parse_day_start
from projections.queries.ledger_query import LedgerNames, select_hands
from projections.queries.result_row import ResultDocument
from projections.queries.sums import sum_results
from projections.tables.result_tables import seat_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.queries.query_run import HandSelection
    from projections.queries.sums import GroupName
    from projections.tables.judgement_update import Progress

NameLookup: TypeAlias = Callable[[str], str | None]
"""Returns the name of a player's id, or None if it has no name."""


def sum_matching_results(
    ledger: Ledger,
    text: str | None,
    group_field: str,
    player_names: list[str],
    day_begins: str,
    *,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> list[ResultDocument]:
    """Return the results of seats in matching hands, highest net first in each currency.

    Without a query, all hands match. `player_names` limit the seats to one person's. `day_begins`: clock time such as
    06:00. `progress` and `on_log_progress`: as for `open_tables`.
    """
    names = LedgerNames(ledger)
    player_ids = [player_id for name in player_names for player_id in names.find_people(name)]
    with select_hands(
        ledger, text, day_begins, group_fields=[group_field], progress=progress, on_log_progress=on_log_progress
    ) as selection:
        results = build_results(selection, group_field, player_ids, day_begins, ledger.people.name)
    return results if group_field != "player" else add_rooms(results, ledger.people.names)


def add_rooms(rows: list[ResultDocument], names: Mapping[str, tuple[str, str]]) -> list[ResultDocument]:
    """Set the room of players who share a name but aren't one person. `names`: id → room and name."""
    ids_by_name: dict[str, set[str]] = {}
    for row in rows:
        ids_by_name.setdefault(row.name, set()).update(row.ids)
    for row in rows:
        if len(ids_by_name[row.name]) > len(row.ids):
            row.room = " + ".join(sorted({names[player_id][0] for player_id in row.ids if player_id in names}))
    return rows


def build_results(
    selection: HandSelection, group_field: str, player_ids: list[str], day_begins: str, find_name: NameLookup
) -> list[ResultDocument]:
    """Return the results of a selection's seats, as sorted for display. `player_ids`: one person's ids; [] = everybody."""
    main_ids = dict.fromkeys(player_ids, player_ids[0] if player_ids else "")
    rows = []
    seats = selection.conditions.seats
    if player_ids:
        own_seats = seat_results.c.player.in_(player_ids)
        seats = own_seats if seats is None else seats & own_seats
    for (name, purse), result in sum_results(
        selection, group_field, seats, parse_day_start(day_begins), main_ids
    ).items():
        rows.append(
            ResultDocument(
                name=name_group_for_display(find_name, group_field, name),
                hands=result.hands,
                net=result.net,
                rake=result.rake,
                won=result.won,
                showdowns=result.showdowns,
                all_ins=result.all_ins,
                unit=purse.unit,
                exponent=len(str(purse.scale)) - 1,
                format=purse.format,
                per_hundred=None if result.per_hundred is None else round(result.per_hundred, 1),
                ids=(player_ids or [name[0]]) if group_field == "player" else [],
                unsure=result.unsure,
                unraked=result.unraked,
            )
        )
    hand_counts = Counter[tuple[str, str]]()
    for row in rows:
        hand_counts[row.format, row.unit] += row.hands
    is_by_day = group_field == "day"
    return sorted(
        rows,
        key=lambda group: (
            -hand_counts[group.format, group.unit],
            group.unit,
            group.name if is_by_day else "",
            -group.net,
            group.name,
        ),
    )


_NOT_RECORDED: Final = "not recorded"


def name_group_for_display(find_name: NameLookup, group_field: str, group_name: GroupName) -> str:
    """Return a group's name for display: a player or dealer by name, else the parts of its name."""
    if group_field in ("player", "dealer"):
        return find_name(group_name[0]) or group_name[0] or _NOT_RECORDED
    return " ".join(part for part in group_name if part) or _NOT_RECORDED
