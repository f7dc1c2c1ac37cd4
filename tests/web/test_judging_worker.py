"""Hands are judged in a process of its own: a page waits a moment, says what is still being judged, and never holds up others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from sqlalchemy import text

from ledger.errors import StoreError
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.addresses.address_book import AddressBook
from projections.books import rulebook
from projections.tables import finding_events, table_set
from projections.tables.judgement import TableJudgement
from tests.children import child
from tests.conftest import ROOT
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_announcing import adopt, night
from tests.security.long_hands import SLOW_HANDS
from tests.web.serving import serving
from web.pages import page_judgement
from web.pages.hand_frames import Viewer
from web.server import judging_desk, page_drawer
from web.server.judging_desk import draw_hand
from web.server.judging_worker import JudgingWorker
from web.server.page_drawer import draw_page
from web.server.worker_jobs import UNFINISHED_HAND, UNNAMED_HANDS

BOOK = "hilton"


def heavy(tmp_path: Path, raises: int = 4_900) -> Path:
    """A hand with as many events as are judged, or few."""
    path = tmp_path / "heavy.hand"
    path.write_text(SLOW_HANDS[3].text(raises * len("1 raises to 9 adding 9")))
    return path


@contextmanager
def filled(url: str, tmp_path: Path, raises: int = 4_900) -> Iterator[Ledger]:
    with open_ledger(url) as ledger:
        adopt(ledger, BOOK)
        import_paths(ledger, [heavy(tmp_path, raises)])
    with open_ledger(url, create=False, read_only=True) as ledger:
        yield ledger


def judged(ledger: Ledger) -> list[str]:
    return [
        finding.fingerprint
        for finding in TableJudgement(ledger, rulebook.load(BOOK), ledger.database).load_result().findings
    ]


def check(url: str, tmp_path: Path) -> None:
    book = rulebook.load(BOOK)
    with filled(url, tmp_path) as ledger:
        with JudgingWorker(ledger, wait_seconds=0.0) as hurried:
            UNFINISHED_HAND.set("")
            hurried.bring_up([book], None)
            assert UNFINISHED_HAND.get()
        with JudgingWorker(ledger, wait_seconds=120.0) as patient:
            UNFINISHED_HAND.set("")
            patient.bring_up([book], None)
            assert UNFINISHED_HAND.get() == ""
            judgements = judged(ledger)
            assert TableJudgement(ledger, book, ledger.database).is_at_end()
    with open_ledger(url) as ledger:
        import_paths(ledger, [*night(tmp_path, [])])
    with open_ledger(url, create=False, read_only=True) as ledger, JudgingWorker(ledger, wait_seconds=120.0) as patient:
        patient.bring_up([book], None)
        later = judged(ledger)
    assert judgements
    assert set(judgements) < set(later)


def test_what_is_new_is_judged_apart(tmp_path: Path) -> None:
    check(str(tmp_path / "x.ledger"), tmp_path)


@pytest.mark.postgres
def test_what_is_new_is_judged_apart_on_postgresql(tmp_path: Path) -> None:
    try:
        with server() as url:
            check(url, tmp_path)
    except NoPostgresError as error:
        pytest.skip(str(error))


def test_a_ledger_that_grows_is_opened_for_writing_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, openings = str(tmp_path / "x.ledger"), []

    def open_counted(*arguments: Any, **options: Any) -> Ledger:
        openings.append(arguments)
        return open_ledger(*arguments, **options)

    with filled(url, tmp_path, raises=10) as ledger, JudgingWorker(ledger) as worker:
        ledger.judging = worker
        monkeypatch.setattr(judging_desk, "open_ledger", open_counted)
        monkeypatch.setattr(table_set, "open_ledger", open_counted)
        for index in range(3):
            (tmp_path / f"{index}.hand").write_text(
                heavy(tmp_path, 5 + index).read_text().replace("table ", f"table {index}")
            )
            with open_ledger(url) as writer:
                import_paths(writer, [tmp_path / f"{index}.hand"])
            with table_set.open_tables(ledger) as (table_store, _), table_store.core() as connection:
                position = connection.execute(text("SELECT min(position) FROM tracking")).scalar_one()
            assert position == ledger.head()[0]
        assert openings == []  # the process that judges keeps it open
        with pytest.raises(StoreError), worker.writable_ledger():
            raise StoreError("the disk is full")
        with worker.writable_ledger() as writable:
            assert writable.head() == ledger.head()
        assert len(openings) == 2, "after an error it is opened anew"
        with worker.writable_ledger():
            assert len(openings) == 2


def test_a_page_says_what_is_still_being_judged_and_is_made_again(tmp_path: Path) -> None:
    with filled(str(tmp_path / "x.ledger"), tmp_path) as ledger, JudgingWorker(ledger, wait_seconds=0.0) as worker:
        ledger.judging = worker
        with serving(ledger) as served:
            for path in ("findings", "tables", "log", "cases", "results"):
                status, page, _ = served.ask(f"/{path}")
                assert status == 200
                if "Still judging" not in page:
                    break
                assert "✓ no findings" not in page
                assert json.loads(served.ask(f"/{path}.json")[1])["judging"] or path != "findings"
            deadline = time.monotonic() + 120
            while "Still judging" in served.ask("/findings")[1] and time.monotonic() < deadline:
                time.sleep(0.2)
            assert "Still judging" not in served.ask("/findings")[1]
        ledger.judging = None


def test_a_process_that_was_killed_is_begun_again(tmp_path: Path) -> None:
    with filled(str(tmp_path / "x.ledger"), tmp_path) as ledger, JudgingWorker(ledger, wait_seconds=120.0) as worker:
        first = worker.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while is_there(first) and time.monotonic() < deadline:
            time.sleep(0.05)
        worker.bring_up([rulebook.load(BOOK)], None)
        assert worker.pid != first
        assert judged(ledger)


def wait_for_go(ledger: Ledger, *rest: Any) -> Any:
    """Do what the process does once a file says so: until then it hangs, as at a hand without end."""
    go = Path(f"{ledger.database.address.full_url}.go")
    deadline = time.monotonic() + 120
    while not go.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return finding_events.announce_new_findings(ledger) if not rest else draw_hand(ledger, *rest)


def draw_with_slow_hands(*arguments: Any) -> Any:
    """Draw a page as the other process does, but wait with each hand until a file says so."""
    judging_desk.draw_hand = wait_for_go
    return draw_page(*arguments)


def test_a_page_waits_for_no_name_from_a_process_that_is_just_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(str(tmp_path / "x.ledger"), tmp_path) as ledger, JudgingWorker(ledger, wait_seconds=0.0) as worker:
        UNFINISHED_HAND.set("")
        server_pipe, worker_pipe = Pipe()
        worker_pipe.close()
        monkeypatch.setattr(worker, "_find_current_hand", partial(ask_through, worker, server_pipe))
        worker.bring_up([rulebook.load(BOOK)], None)
        assert UNFINISHED_HAND.get() == UNNAMED_HANDS


def ask_through(worker: JudgingWorker, pipe: Connection) -> str:
    """Ask for the current hand as the worker does, but through another pipe."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "_connect", lambda: pipe)
        return JudgingWorker._find_current_hand(worker)


def test_a_hand_page_names_the_hand_that_is_still_being_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawer, "draw_page", draw_with_slow_hands)
    with filled(str(tmp_path / "x.ledger"), tmp_path) as ledger, JudgingWorker(ledger) as worker:
        address = AddressBook(ledger).find_hand_address(next(ledger.hands()))
        ledger.judging = worker
        with serving(ledger) as served:
            status, page, _ = served.ask("/hand?id=1")
            assert status == 200
            assert page.count(f"Still judging {address}") == 1
            assert "This page shows the findings so far" not in page
            assert "nothing found" not in page
            assert "✓ no findings" not in page
            document = json.loads(served.ask("/hand.json?id=1")[1])
            assert (document["hand"], document["judging"]) == (None, address)
            assert served.ask("/rules")[0] == 200
            Path(f"{tmp_path / 'x.ledger'}.go").touch()
            deadline = time.monotonic() + 120
            while (document := json.loads(served.ask("/hand.json?id=1")[1]))[
                "hand"
            ] is None and time.monotonic() < deadline:
                time.sleep(0.1)
            assert document["hand"]["frames"]
            assert document["hand"]["hand"]["address"] == address
        ledger.judging = None


def test_a_hand_page_is_drawn_apart_under_any_book_that_was_asked_for(tmp_path: Path) -> None:
    """`serve -r`: our books, a house's own, and one that the address of the page names."""
    own_book = tmp_path / "own.toml"
    own_book.write_bytes((files("projections.rulebooks") / "hilton.toml").read_bytes())
    with filled(str(tmp_path / "x.ledger"), tmp_path, 3) as ledger, JudgingWorker(ledger, wait_seconds=120.0) as worker:
        ledger.judging = worker
        for books in ([], ["hilton", "rrop4"], [str(own_book)]):
            with serving(ledger, books=books) as served:
                for query in ("", "&book=bicycle"):
                    status, page, _ = served.ask(f"/hand?id=1{query}")
                    assert (status, "Still judging" in page, "badge" in page) == (200, False, True), (books, query)
        ledger.judging = None


def test_nobody_waits_for_a_page_that_cannot_be_asked_for(tmp_path: Path) -> None:
    with filled(str(tmp_path / "x.ledger"), tmp_path, 3) as ledger, JudgingWorker(ledger, wait_seconds=120.0) as worker:
        (row, *_) = ledger.hands()
        for _ in range(2):
            with pytest.raises(TypeError):
                worker.hand_page(row, page_judgement.BookChoice([], adoption_dates=MappingProxyType({})), Viewer(), "1")


def test_nobody_reads_the_pipe_when_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listeners_at_close: list[set[threading.Thread]] = []
    close = Connection.close

    def close_and_look(pipe: Connection) -> None:
        listeners_at_close.append(set(threading.enumerate()) - threads_before)
        close(pipe)

    with filled(str(tmp_path / "x.ledger"), tmp_path, 3) as ledger:
        threads_before = set(threading.enumerate())
        with JudgingWorker(ledger):
            assert set(threading.enumerate()) > threads_before
            monkeypatch.setattr(Connection, "close", close_and_look)
    assert listeners_at_close == [set()]


def test_an_import_through_a_page_does_not_wait_for_its_judgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.tables.finding_events.announce_new_findings", wait_for_go)
    (new,) = night(tmp_path, [])
    with filled(str(tmp_path / "x.ledger"), tmp_path) as ledger, JudgingWorker(ledger) as worker:
        ledger.judging = worker
        with serving(ledger, writes=True) as served:
            status, page = served.drop(("new.hand", new.read_bytes()))
            assert status == 200
            assert "New hands aren't judged yet: still judging" in page
            Path(f"{tmp_path / 'x.ledger'}.go").touch()
        ledger.judging = None


def is_there(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    return [
        int(part) for task in Path(f"/proc/{pid}/task").iterdir() for part in (task / "children").read_text().split()
    ]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="what runs is read from /proc")
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT])
def test_the_process_ends_with_the_server_however_that_ends(signal_number: signal.Signals, tmp_path: Path) -> None:
    url = str(tmp_path / "x.ledger")
    with filled(url, tmp_path):
        pass
    program = [sys.executable, "-c", "import cli.main; cli.main.run()", "serve", "--port", "0", "--ledger", url]
    with child([*program, "--format", "json"], cwd=ROOT, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert b"{" in running.stdout.readline()
        workers = children(running.pid)
        assert workers
        running.send_signal(signal_number)
        running.wait(timeout=60)
        deadline = time.monotonic() + 60
        while any(map(is_there, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(is_there, workers))
