"""Acts at tables come first: they ask the ledger few times, and wait for no page, no other table and no judge."""

from __future__ import annotations

import itertools
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.house.events import DeviceEnrolled
from ledger.replay import HandReplay
from ledger.store.hands.hand_accounts import TableKey
from projections.books import rulebook
from projections.live.deal_drawing import parse_request
from projections.live.live_table import fork_live_auditor
from projections.tables import table_set
from tests.web.serving import FLOOR, Served, serving
from tests.web.test_api import BEGIN
from web.api.device_requests import Lines, NewTable
from web.api.page_acts import PageAct
from web.api.problems import ProblemError
from web.api.tables import RecordedTables
from web.server.answer_cache import AnswerCache, RenderedAnswer, is_worth_keeping
from web.server.answers import Server
from web.server.judging_worker import JudgingWorker
from web.server.worker_jobs import UNFINISHED_HAND

T1, T2 = TableKey("Room", "", "T1"), TableKey("Room", "", "T2")
DEVICE = DeviceEnrolled("tablet", "", cards=True)
GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
WAIT_SECONDS = 60


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[RecordedTables]:
    with ledger.open(str(tmp_path / "x.ledger")) as book:
        recorded = RecordedTables(book, ["hilton"])
        for place in (T1, T2):
            recorded.open(place, DEVICE, NewTable(GAME))
            recorded.record_lines(place, DEVICE, Lines(list(BEGIN)))
        yield recorded


def count_uses(database: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each time that a connection is borrowed from a database: each is a way to a server and back."""
    uses: list[str] = []

    def counted(name: str) -> Callable[..., AbstractContextManager[Any]]:
        borrow = getattr(database, name)

        @contextmanager
        def lend(*arguments: Any, **options: Any) -> Iterator[Any]:
            uses.append(name)
            with borrow(*arguments, **options) as link:
                yield link

        return lend

    for name in ("reading", "writing"):
        monkeypatch.setattr(database, name, counted(name))
    return uses


def act(tables: RecordedTables, line: str, number: int, seat: int, seen_position: int) -> int:
    return tables.record_act(T1, DEVICE, PageAct(line, "pad", number, number - 1, seat, seen_position)).position


def test_an_act_asks_the_ledger_twice_and_writes_once(tables: RecordedTables, monkeypatch: pytest.MonkeyPatch) -> None:
    position = act(tables, "f", 1, 1, tables.build_table_view(T1, DEVICE, parse_request("", "")).position)
    uses = count_uses(tables.ledger.database, monkeypatch)
    assert act(tables, "c", 2, 2, position) == position + 1
    assert uses == ["reading", "reading", "writing"]


def test_a_table_is_drawn_from_one_look_at_it(tables: RecordedTables, monkeypatch: pytest.MonkeyPatch) -> None:
    request = parse_request("", "")
    before = tables.build_table_view(T1, DEVICE, request)
    position = act(tables, "f", 1, 1, before.position)
    uses = count_uses(tables.ledger.database, monkeypatch)
    view = tables.build_table_view(T1, DEVICE, request)
    assert view.live.lines[-1].line == "1 folds"
    assert view.position == position
    assert len(uses) <= 12


def test_what_another_server_recorded_is_seen_by_the_next_look(tables: RecordedTables) -> None:
    request = parse_request("", "")
    position = tables.build_table_view(T1, DEVICE, request).position
    position = act(tables, "f", 1, 1, position)
    other_tables = RecordedTables(tables.ledger, ["hilton"])
    other_tables.record_lines(T1, DEVICE, Lines(["2 calls"]))
    with pytest.raises(ProblemError) as caught:
        act(tables, "k", 2, 3, position)
    assert caught.value.status == 409
    view = tables.build_table_view(T1, DEVICE, request)
    assert view.live.lines[-1].line == "2 calls 3"
    assert act(tables, "k", 2, 3, view.position) == view.position + 1


def test_a_table_that_is_being_read_holds_up_no_other(tables: RecordedTables, monkeypatch: pytest.MonkeyPatch) -> None:
    started_again, may_go_on, is_reading = (
        RecordedTables(tables.ledger, ["hilton"]),
        threading.Event(),
        threading.Event(),
    )
    read_table = started_again._read_table

    def read_slowly(table_key: TableKey) -> Any:
        if table_key == T1:
            is_reading.set()
            assert may_go_on.wait(WAIT_SECONDS)
        return read_table(table_key)

    monkeypatch.setattr(started_again, "_read_table", read_slowly)
    slow = threading.Thread(target=started_again.build_live_document, args=(T1, DEVICE), daemon=True)
    slow.start()
    assert is_reading.wait(WAIT_SECONDS)
    assert started_again.build_live_document(T2, DEVICE).hand == "1"
    assert slow.is_alive()
    may_go_on.set()
    slow.join(WAIT_SECONDS)


def test_an_act_waits_for_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    answer_page = Server.answer_page

    def answer_slowly(server: Server, page_name: str, request: Any) -> Any:
        assert may_go_on.wait(WAIT_SECONDS)
        return answer_page(server, page_name, request)

    with ledger.open(str(tmp_path / "x.ledger")) as book, serving(book, writes=True) as served:
        monkeypatch.setattr(Server, "answer_page", answer_slowly)
        links = [ask_and_leave(served, "/log") for _ in range(60)]  # more than a server has threads
        try:
            status, document = served.tell("/keep.json", venue="Room", tournament="", name="T1", game=GAME, seats="9")
            assert (status, document["table"]) == (200, "T1")
            assert not may_go_on.is_set()
        finally:
            may_go_on.set()
            for link in links:
                with closing(link), link.getresponse() as answer:
                    assert answer.status == 200


def ask_and_leave(served: Served, path: str) -> HTTPConnection:
    """Ask for a page without waiting for the answer."""
    link = HTTPConnection("127.0.0.1", served.port, timeout=WAIT_SECONDS)
    for first_path in ("/keep.json?name=T1", path):  # a server holds only so many connections whose key it hasn't seen
        link.request("GET", first_path, headers={"Authorization": f"Bearer {FLOOR}"})
        if first_path != path:
            link.getresponse().read()
    return link


def test_an_answer_says_how_long_the_server_took(tmp_path: Path) -> None:
    with ledger.open(str(tmp_path / "x.ledger")) as book, serving(book) as served:
        timing = served.ask("/log")[2].getheader("server-timing", "")
    assert timing.startswith("app;dur=")
    assert float(timing.removeprefix("app;dur=")) > 0


def test_answers_of_an_earlier_log_are_dropped() -> None:
    answers = AnswerCache(64, is_worth_keeping)
    for index in range(5):
        answers.answer((f"page {index}",), 1, lambda: RenderedAnswer(200, b"old"))
    assert len(answers) == 5
    assert answers.answer(("page 0",), 2, lambda: RenderedAnswer(200, b"new")).body == b"new"
    assert len(answers) == 1


def test_a_log_that_grows_all_the_time_does_not_hold_up_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = str(tmp_path / "x.ledger")
    with ledger.open(url) as book:
        RecordedTables(book, ["hilton"]).open(T1, DEVICE, NewTable(GAME))
        RecordedTables(book, ["hilton"])
    with ledger.open(url, create=False, read_only=True) as book, JudgingWorker(book) as worker:
        end, later = book.head(), itertools.count()
        monkeypatch.setattr(book, "head", lambda: (end[0] + next(later), end[1]))
        assert worker.update(results=True, seats=False, statistics=False)


def test_tables_of_a_served_ledger_are_updated_by_the_other_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = str(tmp_path / "x.ledger")
    with ledger.open(url) as book:
        recorded = RecordedTables(book, ["hilton"])
        recorded.open(T1, DEVICE, NewTable(GAME))
        recorded.record_lines(T1, DEVICE, Lines([*BEGIN, "1 folds", "2 folds", "end"]))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("updated in the process that answers")

    monkeypatch.setattr(table_set, "_update_writable", refuse)
    with ledger.open(url, create=False, read_only=True) as book, JudgingWorker(book) as worker:
        book.judging = worker
        with table_set.open_tables(book, seats=True) as (table_store, _), table_store.snapshot() as link:
            positions = dict(link.execute("SELECT name, position FROM tracking").fetchall())
            assert set(positions.values()) >= {book.head()[0]}
            assert link.execute("SELECT count(*) FROM hand_results").fetchone()[0] == 1


def test_a_page_waits_a_moment_for_the_tables_and_says_so(tmp_path: Path) -> None:
    url = str(tmp_path / "x.ledger")
    with ledger.open(url) as book:
        recorded = RecordedTables(book, ["hilton"])
        recorded.open(T1, DEVICE, NewTable(GAME))
        recorded.record_lines(T1, DEVICE, Lines(list(BEGIN)))
        with ledger.open(url, create=False, read_only=True) as served_book:
            with JudgingWorker(served_book, wait_seconds=0.0) as worker:
                UNFINISHED_HAND.set("")
                assert worker.update(results=True, seats=False, statistics=False)
                assert UNFINISHED_HAND.get() == "", "there were no tables to show"
                recorded.record_lines(T1, DEVICE, Lines(["1 folds"]))
                assert worker.pid is not None
                os.kill(worker.pid, signal.SIGSTOP)  # a fast process would finish even within no time
                try:
                    assert worker.update(results=True, seats=False, statistics=False)
                finally:
                    os.kill(worker.pid, signal.SIGCONT)
                assert UNFINISHED_HAND.get()
            UNFINISHED_HAND.set("")


def test_tables_under_one_book_share_its_plans_and_remember_no_hands(tables: RecordedTables) -> None:
    book = rulebook.load("hilton")
    auditors = [fork_live_auditor([book]) for _ in range(2)]
    rows = list(tables.ledger.hands())
    for auditor in auditors:
        for row in rows:
            auditor.judge_hand(HandReplay(tables.ledger.events(row.stream), None, row.stream))  # type: ignore[arg-type]  # a hand's stream
    plans = [json.dumps(sorted(map(str, map(id, auditor._plans.values())))) for auditor in auditors]
    assert plans[0] == plans[1]
    assert all(
        missing.hands > 0 and not missing.named for line in auditors[0].result().coverage for missing in line.missing
    )
