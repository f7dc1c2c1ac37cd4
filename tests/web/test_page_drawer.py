"""Pages are drawn in another process: they show the same, hold up no act, and contain what was recorded before."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.errors import NoFileError
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled
from ledger.intake import import_paths
from ledger.streams import HOUSE
from tests.projections.tables.test_announcing import adopt, night
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving
from tests.web.test_api import BEGIN
from web.server import judging_desk, page_drawer
from web.server.judging_worker import JudgingWorker
from web.server.page_drawer import PAGES, PageDrawer, PageVisit, SiteSettings

WAIT_SECONDS = 60
TABLE = {"venue": "Room", "tournament": "", "name": "T1"}
GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
DRAWN_APART = [name for name, page in PAGES.items() if not page.needs_server and name != "open-case"]
QUERIES = {
    "table": "?venue=Riverside+Cardroom&tournament=&name=T7",
    "hand": "?id=1",
    "person": "?name=Ana",
    "case": "?number=1",
}


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A ledger of an evening with findings, under a rulebook that the house adopted."""
    address = str(tmp_path / "x.ledger")
    with ledger.open(address) as book:
        adopt(book, "hilton")
        import_paths(book, [*night(tmp_path, [])])
    return address


@contextmanager
def served_apart(url: str, *, writes: bool = False) -> Iterator[tuple[Served, JudgingWorker]]:
    """Serve a ledger with the process that draws pages."""
    with ledger.open(url, create=False, read_only=True) as book, JudgingWorker(book, wait_seconds=120.0) as worker:
        book.judging = worker
        with serving(book, writes=writes) as served:
            yield served, worker
        book.judging = None


def refuse_to_draw(*_: object) -> None:
    raise AssertionError("drawn in the server's process")


def test_a_page_from_the_other_process_is_the_same(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        (f"/{name}{kind}{QUERIES.get(name, '?')}&language={language}", key)
        for name in DRAWN_APART
        for kind, language, key in (("", "en", FLOOR), (".json", "es", AUDITOR), (".json", "en", VIEWER))
    ]
    with ledger.open(url, create=False, read_only=True) as book, serving(book) as served:
        expected = [served.ask(path, key=key)[:2] for path, key in asked]
    assert {status for status, _ in expected} == {200, 403, 404}
    with served_apart(url) as (served, _):
        monkeypatch.setattr(PageDrawer, "draw", refuse_to_draw)
        for (path, key), answer in zip(asked, expected, strict=True):
            assert served.ask(path, key=key)[:2] == answer, (path, key)


def test_a_page_contains_every_act_that_was_answered_before(url: str) -> None:
    with served_apart(url, writes=True) as (served, _):
        assert served.tell("/keep.json", **TABLE, game=GAME, seats="9")[0] == 200
        for line in (*BEGIN, "1 folds"):
            assert served.tell("/keep.json", **TABLE, written=line)[0] == 200
            hands = json.loads(served.ask("/log.json")[1])["hands"]
        (hand,) = (hand for hand in hands if hand["table"] == "T1")
        assert hand["number"] == "1"
        assert "T1" in served.ask("/tables")[1]
        frames = json.loads(served.ask(f"/hand.json?id={hand['id']}")[1])["hand"]["frames"]
        assert served.tell("/keep.json", **TABLE, written="2 folds")[0] == 200
        assert len(json.loads(served.ask(f"/hand.json?id={hand['id']}")[1])["hand"]["frames"]) > len(frames)


def test_acts_go_on_while_the_other_process_hangs(url: str) -> None:
    pages: list[tuple[int, str]] = []
    with served_apart(url, writes=True) as (served, worker):
        assert served.ask("/log.json")[0] == 200
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        readers = [
            threading.Thread(target=lambda: pages.append(served.ask("/tables.json?q=T1")[:2]), daemon=True)
            for _ in range(8)
        ]
        try:
            for reader in readers:
                reader.start()
            assert served.tell("/keep.json", **TABLE, game=GAME, seats="9")[0] == 200
            for line in BEGIN:
                assert served.tell("/keep.json", **TABLE, written=line)[0] == 200
            assert json.loads(served.ask("/keep.json?venue=Room&name=T1", key=FLOOR)[1])["live"]["hand"] == "1"
            assert pages == []
        finally:
            os.kill(worker.pid, signal.SIGCONT)
        for reader in readers:
            reader.join(WAIT_SECONDS)
    assert [status for status, _ in pages] == [200] * len(readers)


def test_a_floor_sees_requests_while_all_drawers_hang(url: str) -> None:
    with served_apart(url, writes=True) as (served, worker):
        assert served.ask("/findings.json")[0] == 200
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        readers = [
            threading.Thread(target=served.ask, args=(f"/tables.json?q=T{index}",), daemon=True) for index in range(4)
        ]
        try:
            for reader in readers:
                reader.start()
            while len(worker._jobs_by_number) < len(readers):
                threading.Event().wait(0.01)
            for page_name in ("requests", "start", "me"):
                assert served.ask(f"/{page_name}.json", key=FLOOR)[0] == 200
            assert all(reader.is_alive() for reader in readers)
        finally:
            os.kill(worker.pid, signal.SIGCONT)
        for reader in readers:
            reader.join(WAIT_SECONDS)


def test_a_page_is_drawn_by_the_next_process_if_one_ends(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawer, "draw_page", end_process_once)
    with served_apart(url) as (served, worker):
        first = worker.pid
        status, page, _ = served.ask("/log.json")
        assert (status, len(json.loads(page)["hands"]) > 0) == (200, True)
        assert worker.pid != first


def test_a_page_that_ends_each_process_is_refused_and_acts_go_on(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawer, "draw_page", end_process)
    with served_apart(url, writes=True) as (served, _):
        status, page, _ = served.ask("/log")
        assert status == 503
        assert "The process that draws pages stopped" in page
        assert "judging_stopped" not in page
        assert json.loads(served.ask("/tables.json")[1])["status"] == 503
        assert served.tell("/keep.json", **TABLE, game=GAME, seats="9")[0] == 200
        monkeypatch.setattr(page_drawer, "draw_page", DRAW_PAGE)
        assert served.ask("/log")[0] == 200


DRAW_PAGE = page_drawer.draw_page


def end_process(*_: Any) -> Any:
    """End the process that draws, as the system does if memory runs out."""
    os._exit(9)


def end_process_once(drawer: PageDrawer, *rest: Any) -> Any:
    """End the first process that draws."""
    mark = Path(f"{drawer.ledger.database.address.full_url}.ended")
    if not mark.exists():
        mark.touch()
        end_process()
    return DRAW_PAGE(drawer, *rest)


def test_a_fault_of_the_judge_takes_only_its_own_page_away(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawer, "draw_page", draw_with_faulty_judge)
    with served_apart(url) as (served, worker):
        first = worker.pid
        page = served.ask("/findings")[1]
        assert "This page can&#39;t be shown: IndexError." in page
        assert served.ask("/log.json", key=VIEWER)[0] == 200
        assert worker.pid == first
    monkeypatch.setattr(page_drawer, "draw_page", DRAW_PAGE)
    with served_apart(url) as (served, _):
        assert json.loads(served.ask("/findings.json")[1])["findings"]


def draw_with_faulty_judge(*arguments: Any) -> Any:
    """Draw a page where the judge has a fault."""
    judging_desk._judge = judge_with_fault
    return DRAW_PAGE(*arguments)


def judge_with_fault(*_: Any) -> Any:
    """Fail as a detector does that counts wrongly."""
    raise IndexError("list index out of range")


def test_an_error_with_several_parts_comes_through_the_pipe(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawer, "draw_page", refuse_book)
    with served_apart(url) as (served, _):
        assert "own.toml" in served.ask("/log")[1]
        monkeypatch.setattr(page_drawer, "draw_page", DRAW_PAGE)
        assert served.ask("/log")[0] == 200


def refuse_book(*_: Any) -> Any:
    """Refuse a page because of a file."""
    raise NoFileError("own.toml", "no such file")


def test_a_page_has_the_device_that_asks(url: str) -> None:
    with ledger.open(url) as book:
        book.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of("tablet-3-key"), "all")])
    with ledger.open(url, create=False, read_only=True) as book, serving(book) as served:
        assert "tablet-3" not in served.ask("/log", key=FLOOR)[1]
        cookies = f"handledger={FLOOR}; handledger-device=tablet-3-key"
        assert "tablet-3" in served.ask("/log", key="", Cookie=cookies)[1]
        assert "tablet-3" not in served.ask("/log", key=FLOOR)[1]


def test_a_page_that_takes_too_long_is_given_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.server.judging_worker._DRAWING_MINUTES", 0)
    with served_apart(url, writes=True) as (served, worker):
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        try:
            status, page, _ = served.ask("/log")
        finally:
            os.kill(worker.pid, signal.SIGCONT)
        assert status == 503
        assert "Tables can still be recorded" in page


def test_many_readers_of_a_page_share_one_document(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    spec = PAGES["log"]

    def build_counted(page_request: Any) -> Any:
        built.append(page_request.role)
        return spec.build(page_request)

    monkeypatch.setitem(PAGES, "log", spec._replace(build=build_counted))
    with ledger.open(url) as book:
        drawer = PageDrawer(book, SiteSettings("x.ledger"))
        tablets = [PageVisit("floor", {}, "en", user=f"user-{index}", token=f"token-{index}") for index in range(5)]
        bodies = {drawer.draw("log", "html", visit).body for visit in tablets}
        assert built == ["floor"]
        assert len(bodies) == len(tablets), "each page has its visitor's name"
        assert drawer.draw("log", "json", tablets[0]).status == 200
        assert built == ["floor"]
        drawer.draw("log", "html", tablets[0]._replace(role="viewer"))
        drawer.draw("log", "json", tablets[0]._replace(parameters={"page": "2"}))
        drawer.draw("log", "json", tablets[0]._replace(language="es"))
        assert built == ["floor", "viewer", "floor", "floor"]
        adopt(book, "rrop4")
        assert drawer.draw("log", "html", tablets[0]).status == 200
        assert len(built) == 5
