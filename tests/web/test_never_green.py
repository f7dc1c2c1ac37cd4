"""No page's header is green while a hand of the ledger is not judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books import rulebook
from projections.findings.finding import MAX_EVENTS, TOO_MANY_EVENTS
from projections.tables.counted_findings import count_overlong_hands
from projections.tables.table_set import open_tables
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_announcing import adopt
from tests.security.long_hands import SLOW_HANDS
from tests.web.serving import VIEWER, Served, serving
from web.server.worker_jobs import UNFINISHED_HAND

PAGES = (
    "tables",
    "table?venue=J&name=J",
    "log",
    "findings",
    "rules",
    "imports",
    "cases",
    "looks",
    "results",
    "results?by=nothing",
    "log?q=pot%3E",
    "table?venue=J&name=nowhere",
    "case?number=9",
    "open-case",
    "house-rules",
)
GREEN = "badge good"
BADGE = f"? 1 hand {TOO_MANY_EVENTS}"


def hand(tmp_path: Path, padding: int) -> Path:
    """A file of one hand in which nothing is wrong, and a seat loses its connection again and again."""
    path = tmp_path / "padded.hand"
    path.write_text(SLOW_HANDS[2].text(0).replace("2 folds\n", "2 offline\n" * padding + "2 folds\n", 1))
    return path


def fill(url: str, tmp_path: Path, padding: int, book: str = "house-burn") -> None:
    with open_ledger(url) as ledger:
        if book:
            adopt(ledger, book)
        import_paths(ledger, [hand(tmp_path, padding)])


@contextmanager
def served(tmp_path: Path, padding: int, book: str = "house-burn") -> Iterator[Served]:
    url = str(tmp_path / "x.ledger")
    fill(url, tmp_path, padding, book)
    with open_ledger(url, create=False) as ledger, serving(ledger, writes=True) as server:
        yield server


def test_a_short_hand_of_the_kind_is_green(tmp_path: Path) -> None:
    with served(tmp_path, 1) as server:
        assert json.loads(server.ask("/tables.json")[1])["open"] == 0
        for path in PAGES:
            page = server.ask(f"/{path}")[1]
            assert GREEN in page, path
            assert TOO_MANY_EVENTS not in page, path


def test_no_header_is_green_where_a_hand_has_too_many_events(tmp_path: Path) -> None:
    with served(tmp_path, MAX_EVENTS + 1) as server:
        for path in PAGES:
            page = server.ask(f"/{path}")[1]
            assert GREEN not in page, path
            assert BADGE in page, path
            assert BADGE not in server.ask(f"/{path}", key=VIEWER)[1], path
        tables = json.loads(server.ask("/tables.json")[1])
        assert (tables["open"], tables["overlong_hands"]) == (0, 1)
        assert tables["tables"][0]["overlong_hands"] == 1
        assert ">0</td>" not in server.ask("/tables")[1]
        assert TOO_MANY_EVENTS in server.ask("/findings")[1].split("<main")[1]


def test_a_form_that_was_sent_is_answered_without_green(tmp_path: Path) -> None:
    with served(tmp_path, MAX_EVENTS + 1) as server:
        page = server.send("/open-case")[1]
        assert GREEN not in page
        assert BADGE in page
        second_page = server.drop(("padded.hand", hand(tmp_path, MAX_EVENTS + 1).read_bytes()), key="f" * 32)[1]
        assert GREEN not in second_page


def test_without_a_rulebook_the_findings_page_names_the_hand_that_is_not_judged(tmp_path: Path) -> None:
    with served(tmp_path, MAX_EVENTS + 1, book="") as server:
        for query in ("", "?book=hilton", "?q=clause%3Ahilton.*"):
            page = server.ask(f"/findings{query}")[1]
            assert GREEN not in page
            assert TOO_MANY_EVENTS in page, query


def test_no_page_is_green_while_a_hand_is_being_judged(tmp_path: Path) -> None:
    class Slow:
        """A process that never comes to an end with a hand."""

        def bring_up(self, books: object, only: object) -> None:
            del books, only
            UNFINISHED_HAND.set("J/1")

    with served(tmp_path, 1) as server:
        counted(server.ledger)  # judged, so that the tables are there
        server.ledger.judging = Slow()
        for path in PAGES:
            page = server.ask(f"/{path}")[1]
            assert GREEN not in page, path
            assert "? still judging" in page, path
        assert ">0</td>" not in server.ask("/tables")[1]
        assert "Nothing was found" not in server.ask("/findings")[1]
        assert GREEN not in server.send("/open-case")[1]
        server.ledger.judging = None


def counted(ledger: Ledger) -> int:
    with open_tables(ledger, [rulebook.load("hilton"), rulebook.load("rrop4")]) as (keeping, numbers):
        return sum(count_overlong_hands(keeping, numbers).values())


@pytest.mark.postgres
def test_hands_of_too_many_events_are_counted_on_postgresql(tmp_path: Path) -> None:
    try:
        with server() as url:
            fill(url, tmp_path, MAX_EVENTS + 1)
            with open_ledger(url, create=False) as ledger:
                assert counted(ledger) == 1
    except NoPostgresError as error:
        pytest.skip(str(error))


def test_a_comparison_of_books_names_hands_that_it_does_not_judge(tmp_path: Path) -> None:
    with served(tmp_path, MAX_EVENTS + 1) as server:
        html = server.ask("/house-rules?base=house-burn&against=base&board.burns_per_street=2&see=yes")[1]
        assert f"1 hand {TOO_MANY_EVENTS}" in html.partition('id="compared"')[2]
