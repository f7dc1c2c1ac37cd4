"""Find tables, hands, people, clauses, cases and pages by a few letters: the page behind the `/` key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from ledger.errors import HandledgerError
from ledger.store.requests.case_streams import all_cases
from ledger.store.requests.erasure import same_person
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import format_local_start
from projections.books.shelf import Shelf
from web.server.access.roles import AccessRight, has_right
from web.server.documents import SearchMatch, SearchPage

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from web.server.page_request import PageRequest

_MAX_MATCHES: Final = 8
"""Matches of one kind."""
_MIN_LETTERS: Final = 2
"""The letters at least that are looked up in names and clauses' texts. A single letter matches half of them."""
_SITE_PAGES: Final = {
    "tables": AccessRight.TABLES,
    "log": AccessRight.TABLES,
    "findings": AccessRight.FINDINGS,
    "cases": AccessRight.CASES,
    "results": AccessRight.TABLES,
    "rules": AccessRight.TABLES,
    "house-rules": AccessRight.TABLES,
    "imports": AccessRight.IMPORTS,
    "looks": AccessRight.OPENINGS,
}


def build_search_page(page_request: PageRequest) -> SearchPage:
    """Return what matches the query, at most a few of each kind."""
    query = page_request.query
    matches: list[SearchMatch] = []
    for find_matches in _FINDERS:
        matches += islice(find_matches(page_request, query.casefold()), _MAX_MATCHES)
    return SearchPage(finding_count=page_request.finding_count, query=query, matches=matches)


def _find_hands(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    if not any(letter.isdigit() for letter in query):
        return
    ledger = page_request.ledger
    try:
        rows = hand_address.find_matching(ledger, page_request.query)
    except HandledgerError:
        return
    address_book = AddressBook(ledger)
    for row in rows:
        local_time, _ = format_local_start(ledger, row)
        link = f"/hand?{urlencode({'id': row.stream.hex})}"
        yield SearchMatch("hand", address_book.find_hand_address(row), local_time.replace("T", " "), link)


def _find_tables(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    for row in page_request.ledger.tables():
        name = f"{row.tournament}/{row.table}" if row.tournament else row.table
        if query in f"{row.venue} {name}".casefold():
            address = {"venue": row.venue, "tournament": row.tournament, "name": row.table}
            yield SearchMatch("table", name, row.venue, f"/table?{urlencode(address)}")


def _find_people(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    if len(query) < _MIN_LETTERS:
        return
    ledger = page_request.ledger
    ids_by_name: dict[str, list[PlayerId]] = {}
    room_by_id: dict[PlayerId, str] = {}
    with ledger.database.reading() as link:
        for player_id, room, name in ledger.people.all_names(link):
            if query in name.casefold():
                ids_by_name.setdefault(name, []).append(player_id)
                room_by_id[player_id] = room
    for name in sorted(ids_by_name, key=lambda name: (not name.casefold().startswith(query), name.casefold())):
        namesakes = _group_namesakes(ledger, ids_by_name[name])
        for player_ids in namesakes:
            rooms = dict.fromkeys(room_by_id[player_id] for player_id in player_ids)
            address = {"name": name} if len(namesakes) == 1 else {"id": player_ids[0]}
            yield SearchMatch("person", name, ", ".join(rooms), f"/person?{urlencode(address)}")


def _group_namesakes(ledger: Ledger, player_ids: list[PlayerId]) -> list[list[PlayerId]]:
    """Return the ids of each person among some ids."""
    if len(player_ids) == 1:
        return [player_ids]
    persons: dict[PlayerId, list[PlayerId]] = {}
    for player_id in player_ids:
        persons.setdefault(min(same_person(ledger, player_id)), []).append(player_id)
    return list(persons.values())


def _find_clauses(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    for book in Shelf(page_request.ledger).load_all():
        for clause in book.clauses.values():
            citation = f"{book.name} {clause.id}"
            is_cited = citation.casefold().startswith(query) or clause.id.casefold().startswith(query)
            if is_cited or (len(query) >= _MIN_LETTERS and query in clause.entry.says.casefold()):
                link = f"/rules?{urlencode({'book': book.name, 'clause': clause.id})}"
                yield SearchMatch("clause", citation, clause.entry.says, link)


def _find_cases(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    if not has_right(page_request.role, AccessRight.CASES):
        return
    for case in all_cases(page_request.ledger):
        if query in case.number.casefold():
            yield SearchMatch("case", case.number, case.state.status, f"/case?{urlencode({'number': case.number})}")


def _find_site_pages(page_request: PageRequest, query: str) -> Iterator[SearchMatch]:
    for page_name, access_right in _SITE_PAGES.items():
        if page_name.startswith(query) and has_right(page_request.role, access_right):
            yield SearchMatch("page", page_name, "", f"/{page_name}")


_FINDERS: Final[tuple[Callable[[PageRequest, str], Iterator[SearchMatch]], ...]] = (
    _find_hands,
    _find_tables,
    _find_people,
    _find_cases,
    _find_clauses,
    _find_site_pages,
)
"""What is searched, in the order of the page."""
