"""A person whom another program forgets while the server runs is named on no page from then on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.intake import import_paths
from ledger.store.database.database import Link
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.erasure import erase
from tests.projections.tables.test_announcing import adopt
from tests.web.nights import wrong_button
from tests.web.serving import FLOOR, Served, serving
from tests.web.test_page_drawer import served_apart
from web.api.api_errors import ProblemError
from web.api.tables import RecordedTables

PAGES = (
    "/hand.json?id=412",
    "/hand?id=412",
    "/results.json",
    "/results",
    "/search.json?q=An",
    "/table.json?venue=Riverside&tournament=&name=T7",
    "/keep.json?venue=Riverside&name=T7",
    "/keep?venue=Riverside&name=T7",
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    address = str(tmp_path / "x.ledger")
    (tmp_path / "night.hand").write_text(wrong_button())
    with ledger.open(address) as book:
        adopt(book, "hilton")
        import_paths(book, [tmp_path / "night.hand"])
    return address


def named_on(served: Served) -> list[str]:
    return [path for path in PAGES if "Ana" in served.ask(path, key=FLOOR)[1]]


def forget_elsewhere(url: str) -> None:
    """Forget Ana as another program does: it has the ledger open by itself."""
    with ledger.open(url, create=False) as book:
        (player,) = book.people.find_players("Ana")
        erase(book, player)


def check(served: Served, url: str) -> None:
    assert named_on(served) == [*PAGES]
    forget_elsewhere(url)
    assert named_on(served) == []
    assert served.ask("/hand.json?id=412", key=FLOOR)[0] == 200


def test_pages_from_the_other_process_name_nobody_who_was_forgotten(url: str) -> None:
    with served_apart(url, writes=True) as (served, _):
        check(served, url)


def test_pages_from_the_server_name_nobody_who_was_forgotten(url: str) -> None:
    with ledger.open(url, create=False, read_only=True) as book, serving(book, writes=True) as served:
        check(served, url)


def test_search_finds_people_whom_no_page_has_named_since(url: str) -> None:
    with ledger.open(url, create=False, read_only=True) as book, serving(book, writes=True) as served:
        assert '"Bo"' in served.ask("/search.json?q=bo", key=FLOOR)[1]
        forget_elsewhere(url)
        assert '"Bo"' in served.ask("/search.json?q=bo", key=FLOOR)[1]


def test_what_is_read_while_a_person_is_forgotten_is_not_kept(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ledger.open(url, create=False) as book:
        (player,) = book.people.find_players("Ana")
        read, forgotten = book.database.reading, list[str]()

        @contextmanager
        def read_then_forget() -> Iterator[Link]:
            with read() as link:
                yield link
            if not forgotten:
                forgotten.append(player)
                forget_elsewhere(url)
                assert book.drop_erased()

        monkeypatch.setattr(book.database, "reading", read_then_forget)
        assert book.people.name(player) == "Ana"
        assert book.people.name(player) is None


def test_a_table_that_was_read_before_a_person_was_forgotten_is_read_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_key, early_tables = TableKey("Riverside", "", "T7"), []
    with ledger.open(url, create=False) as book:
        tables = RecordedTables(book)
        read_table = tables._read_table

        def read_then_forget(table_key: TableKey) -> Any:
            monkeypatch.undo()
            early_tables.append(read_table(table_key))
            forget_elsewhere(url)
            with pytest.raises(ProblemError):  # a request for another table notices the erasure
                tables.find_position(TableKey("Riverside", "", "T8"))
            return early_tables[0]

        monkeypatch.setattr(tables, "_read_table", read_then_forget)
        assert tables._find_table(table_key) is early_tables[0]
        assert tables._find_table(table_key) is not early_tables[0]


def test_what_is_not_stored_yet_outlasts_somebody_elses_erasure(url: str) -> None:
    with ledger.open(url, create=False) as book:
        assert book.drop_erased()
        assert not book.drop_erased()
        newcomer = book.people.player("Riverside", "Zoe")
        forget_elsewhere(url)
        assert book.drop_erased()
        assert book.people.name(newcomer) == "Zoe"
