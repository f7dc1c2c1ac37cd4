"""Build the pages about players: results with statistics, and one player's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.store.database.derived_tables import STATISTICS_NAME
from ledger.store.requests.erasure import same_person
from projections.addresses.room_days import DEFAULT_DAY_START
from projections.queries import result_query
from projections.queries.statistics_query import find_person_ids, read_grouped_statistics, read_statistics
from projections.queries.statistics_sums import STATISTICS_GROUPS
from projections.tables.table_set import count_commits_behind
from web.server import page_errors
from web.server.documents import PersonPage, ResultsPage

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from projections.queries.result_row import ResultDocument
    from projections.queries.statistics_row import StatisticsRow
    from web.server.page_request import PageRequest

_STAKES: Final = "stakes"  # no group of results: only statistics know them
RESULT_GROUPS: Final = ("player", "position", _STAKES, "table", "day", "game", "seat", "dealer")
_MAX_LISTED: Final = 500
_MAX_COMMITS: Final = 20_000
"""Commits at most that a page counts before it answers: some seconds of work."""


def build_results_page(page_request: PageRequest) -> ResultsPage:
    """Return the sums of seats in hands that match a query, with how they played."""
    ledger = page_request.ledger
    grouping = page_request.parameters.get("by", "player")
    if grouping not in RESULT_GROUPS:
        raise page_errors.grouping_unknown(grouping, RESULT_GROUPS)
    query = page_request.permitted_query or None
    sums = (
        [] if grouping == _STAKES else result_query.sum_matching_results(ledger, query, grouping, [], DEFAULT_DAY_START)
    )
    page = ResultsPage(
        finding_count=page_request.finding_count,
        query=page_request.query,
        grouped_by=grouping,
        results=sums[:_MAX_LISTED],
        more_count=max(0, len(sums) - _MAX_LISTED),
        uncounted=_count_uncounted(ledger),
    )
    if not page.uncounted and grouping in STATISTICS_GROUPS:
        report = read_statistics(ledger, query, grouping, [], DEFAULT_DAY_START)
        page.statistics = (
            list(report.rows[:_MAX_LISTED]) if grouping == _STAKES else match_statistics(page.results, report.rows)
        )
        page.left_out, page.showdown_unknown = report.left_out, report.showdown_unknown
    return page


def match_statistics(results_rows: list[ResultDocument], rows: list[StatisticsRow]) -> list[StatisticsRow | None]:
    """Return the statistics of each row of results, or None if there are none.

    Results have a row for each smallest chip of a currency, statistics one for all: the row with most hands gets it.
    """
    row_by_key = {(key, row.format, row.unit): row for row in rows for key in (row.ids or [row.name])}
    matches: dict[int, int] = {}  # statistics, by identity → index of the row of results
    for index, result in enumerate(results_rows):
        row = row_by_key.get(((result.ids or [result.name])[0], result.format, result.unit))
        if row is not None and results_rows[matches.setdefault(id(row), index)].hands < result.hands:
            matches[id(row)] = index
    row_by_index = {matches[id(row)]: row for row in rows if id(row) in matches}
    return [row_by_index.get(index) for index in range(len(results_rows))]


def build_person_page(page_request: PageRequest) -> PersonPage:
    """Return how a person plays and what the person won over time.

    The address has an `id`, or a `name` and perhaps the `venue` where the person plays.
    """
    ledger, query = page_request.ledger, page_request.permitted_query or None
    ids = _find_ids(page_request)
    names = [ledger.people.find_person(player_id) for player_id in ids]
    name = next((person_name[1] for person_name in names if person_name is not None), "")
    page = PersonPage(
        finding_count=page_request.finding_count,
        name=name or ids[0],
        ids=ids,
        rooms=sorted({person_name[0] for person_name in names if person_name is not None}),
        query=page_request.query,
        uncounted=_count_uncounted(ledger),
    )
    if page.uncounted:
        return page
    reports = read_grouped_statistics(ledger, query, ["player", "position", "stakes"], ids, DEFAULT_DAY_START)
    total = reports["player"]
    page.totals, page.positions, page.stakes = total.rows, reports["position"].rows, reports["stakes"].rows
    page.lines, page.left_out, page.showdown_unknown = total.lines, total.left_out, total.showdown_unknown
    return page


def _find_ids(page_request: PageRequest) -> list[PlayerId]:
    """Return all ids of the person that the address names."""
    ledger = page_request.ledger
    typed_id = page_request.parameters.get("id")
    if typed_id is None:
        name, venue = page_request.require_parameter("name"), page_request.parameters.get("venue")
        player_ids = [] if venue is None else ledger.people.find_players(name, venue)
        return same_person(ledger, player_ids[0]) if player_ids else find_person_ids(ledger, name)
    if ledger.people.find_person(typed_id) is None:
        raise page_errors.player_unknown(typed_id)
    return same_person(ledger, typed_id)


def _count_uncounted(ledger: Ledger) -> int:
    """Return how many commits must be counted first, if they are too many for a page; else 0."""
    behind = count_commits_behind(ledger, STATISTICS_NAME)
    return behind if behind > _MAX_COMMITS else 0
