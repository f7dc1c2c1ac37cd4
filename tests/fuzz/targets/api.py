"""The API of devices: whatever is sent is answered, and the table can be read and verified behind it."""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from tests.fuzz.asgi import BETWEEN
from tests.fuzz.served import DEVICE, HOST, Site
from tests.fuzz.target import Target

_TABLE: Final = "?venue=Riverside&table=T9"
_BEGIN: Final = [
    "hand 1",
    "seat 1 Ana 500",
    "seat 2 Bo 500",
    "seat 3 Cy 500",
    "button 1",
    "2 posts small 2",
    "3 posts big 5",
    "deal done",
]
_NEXT: Final = (
    (
        "/table/lines",
        {"lines": ["1 raises to 15", "2 folds", "3 calls"], "behind": 9, "key": "k1", "sent": 1_790_000_000_000},
    ),
    ("/table/lines", {"lines": ["r 40", "f", "c", ".", "7h2cKd", "u"]}),
    ("/table/lines", {"lines": ["stop", "hand 2", "1 leaves", "4 sits Dee stack 300"], "key": "k2"}),
    ("/table/events", {"events": [["Folded", 1], ["Called", 2, 300, 500]], "at": [1_790_000_000_000, None]}),
    ("/table/events", {"events": [["BoardDealt", "flop", "7h2cKd"], ["PotAwarded", 1, 500, "main"]], "key": "e"}),
    ("/table/undo", {"why": "typing error", "key": "u1"}),
)


def targets() -> list[Target]:
    """Return the one target."""
    modules = ("web.api", "ledger.recording", "ledger.formats.handscript", "ledger.hand", "ledger.table")
    return [Target("api", seeds, run, modules, work=3_000_000, work_per_byte=300, share=1.5)]


def seeds() -> list[bytes]:
    """Return every address, and hands that are recorded in several ways."""
    gets = [_get(path) for path in ("/openapi.json", "/me", f"/table{_TABLE}", f"/table/live{_TABLE}", "/nowhere")]
    begin = [
        _post("/table", {"game": "holdem no-limit cash blinds 2/5 unit USD 2", "seats": 9}),
        _post("/table/lines", {"lines": _BEGIN, "key": "begin"}),
    ]
    last_request = _get(f"/table{_TABLE}")
    nights = [BETWEEN.join((*begin, _post(path, body), last_request)) for path, body in _NEXT]
    return [*gets, *begin, *nights, BETWEEN.join((*begin, *(_post(*request) for request in _NEXT), last_request))]


def run(data: bytes) -> None:
    """Ask the server."""
    _site().run(data)


def _get(path: str) -> bytes:
    return f"GET /api/1{path}\nhost: {HOST}\nauthorization: Bearer {DEVICE}\n\n".encode()


def _post(path: str, body: object) -> bytes:
    head = (
        f"POST /api/1{path}{_TABLE}\nhost: {HOST}\nauthorization: Bearer {DEVICE}\ncontent-type: application/json\n\n"
    )
    return head.encode() + json.dumps(body).encode()


@cache
def _site() -> Site:
    return Site()
