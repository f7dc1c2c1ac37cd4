"""A server of a small ledger, in process, that is new again after each input that may have written to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from ledger.case.events import CaseOpened
from ledger.entry import Provenance
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import open_case
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.fuzz.asgi import ask, parse_requests, shut_down
from tests.fuzz.scratch import scratch_folder
from tests.web.nights import wrong_button
from web.api import device_requests
from web.server.access.visitors import Key
from web.server.application import build_application

HOST: Final = "room:8000"
KEYS: Final = [Key(role, role[0] * 32) for role in ("auditor", "floor", "viewer")]
DEVICE: Final = "d" * 40
SERVER_FAULT: Final = 500


class Site:
    """The server, its ledger, and the folder from which both are made again."""

    def __init__(
        self, prepare: Callable[[Ledger], None] | None = None, check: Callable[[Ledger, bytes], None] | None = None
    ) -> None:
        """`prepare` adds to the ledger before the first input. `check` raises if an input did what it may not."""
        self._check = check
        device_requests._MAX_BURST = float("inf")  # type: ignore[misc] # a device may ask as often as it likes here
        self._folder = scratch_folder()
        self._original = self._folder / "original"
        _make_ledger(self._original)
        if prepare is not None:
            with open_ledger(self._original / "x.ledger") as ledger:
                prepare(ledger)
        self._copy: Path | None = None
        self._ledger: Ledger | None = None
        self._app: ASGIApp | None = None
        self._count = 0

    def run(self, data: bytes) -> None:
        """Answer the requests of an input: none with a fault of ours, none with a traceback."""
        requests = parse_requests(data)
        app = self._opened()
        writes = any(request.method not in ("GET", "HEAD") for request in requests)
        try:
            for request in requests:
                status, body = ask(app, request)
                assert 200 <= status < SERVER_FAULT, f"{status}: {body[:300]!r}"
            if writes and self._ledger is not None:
                assert not list(self._ledger.verify()), "what was written isn't sound"
                if self._check is not None:
                    self._check(self._ledger, data)
        except BaseException:
            writes = True
            raise
        finally:
            if writes:
                self._close()

    def _opened(self) -> ASGIApp:
        if self._app is None:
            self._count += 1
            self._copy = self._folder / f"copy-{self._count}"
            shutil.copytree(self._original, self._copy)
            self._ledger = open_ledger(self._copy / "x.ledger")
            self._app = build_application(self._ledger, "x.ledger", KEYS, [HOST], is_writable=True, books=["hilton"])
        return self._app

    def _close(self) -> None:
        if self._app is not None:
            shut_down(self._app)
        if self._ledger is not None:
            self._ledger.close()
        if self._copy is not None:
            shutil.rmtree(self._copy, ignore_errors=True)
        self._app = self._ledger = self._copy = None


def _make_ledger(folder: Path) -> None:
    folder.mkdir()
    (folder / "night.hand").write_text(wrong_button(), encoding="utf-8")
    (folder / "broken.hand").write_text("handscript 1\nhand 9\nnobody knows this line\n", encoding="utf-8")
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [folder / "night.hand", folder / "broken.hand"])
        book = rulebook.load("hilton")
        house = [
            RulebookAdopted(book.name, book.edition, book.digest),
            DeviceEnrolled("tablet", digest_of(DEVICE), cards=True),
        ]
        ledger.append("house", HOUSE, house, recorded=Provenance(ledger.now()))
        open_case(ledger, CaseOpened("", "button", "player", claim=ledger.people.text("the button")), [], "2026-1")
