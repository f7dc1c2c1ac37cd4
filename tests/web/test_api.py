"""The append API: what devices may, what they are answered, and that nothing acknowledged is lost or doubled."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import jsonschema
import pytest
from starlette.applications import Starlette

from cli.documents.published import build_files
from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.devices import digest_of
from ledger.house.events import ClockChecked, DeviceEnrolled, DeviceRetired, RulebookAdopted
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.mentions import mentions
from tests.web.serving import listening
from web.api.application import ApiDispatcher
from web.api.application import build_api as api
from web.api.client import Client, RefusedError
from web.api.tables import RecordedTables
from web.log_growth import LogGrowth

KEY, LOOKS, NO_CARDS_KEY, OTHER_TABLE_KEY = ("k" * 40, "l" * 40, "b" * 40, "o" * 40)
T7 = {"venue": "Riverside", "table": "T7"}
GAME = {"game": "holdem no-limit cash blinds 2/5 unit USD 2", "seats": 9}
BEGIN = [
    "hand 1",
    "seat 1 Ana 500",
    "seat 2 Bo 500",
    "seat 3 Cy 500",
    "button 1",
    "2 posts small 2",
    "3 posts big 5",
    "deal done",
]


class Api(NamedTuple):
    """A server that runs, and how to ask it."""

    ledger: Ledger
    port: int

    def ask(
        self,
        method: str,
        path: str,
        document: object = None,
        *,
        key: str = KEY,
        table: dict[str, str] | None = None,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any, dict[str, str]]:
        link = HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent_headers = {"Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json"}
        if key:
            sent_headers["Authorization"] = f"Bearer {key}"
        query = urlencode(T7 if table is None else table)
        data = body if body is not None else None if document is None else json.dumps(document).encode()
        link.request(method, f"/api/1{path}?{query}", data, sent_headers | (headers or {}))
        with closing(link), link.getresponse() as answer:
            text = answer.read().decode()
            kind = answer.headers.get("content-type", "")
            return answer.status, json.loads(text) if "json" in kind else text, dict(answer.headers)

    def lines(self, *lines: str, **more: Any) -> tuple[int, Any]:
        options = {name: more.pop(name) for name in ("key", "table", "headers") if name in more}
        if "idempotent" in more:
            more["key"] = more.pop("idempotent")
        return self.ask("POST", "/table/lines", {"lines": list(lines), **more}, **options)[:2]

    def begin(self) -> None:
        assert self.ask("POST", "/table", GAME)[0] == 200
        assert self.lines(*BEGIN)[0] == 200


def enrol(ledger: Ledger) -> None:
    house = [
        DeviceEnrolled("tablet", digest_of(KEY), cards=True),
        DeviceEnrolled("looks", digest_of(LOOKS), may="look"),
        DeviceEnrolled("bare", digest_of(NO_CARDS_KEY), "all", "Riverside", "T7"),
        DeviceEnrolled("other", digest_of(OTHER_TABLE_KEY), "hand", "Riverside", "T8"),
        RulebookAdopted("hilton", rulebook.load("hilton").edition, rulebook.load("hilton").digest),
    ]
    ledger.append("house", HOUSE, house, recorded=Provenance(ledger.now()))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Api]:
    yield from running(str(tmp_path / "x.ledger"))


def running(url: str, *, hide: bool = False) -> Iterator[Api]:
    with open_ledger(url) as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        enrol(ledger)
        port = sock.getsockname()[1]
        growth = LogGrowth(ledger)

        @asynccontextmanager
        async def living(_: Starlette) -> Any:
            with growth:
                yield

        app = ApiDispatcher(
            Starlette(lifespan=living), api(RecordedTables(ledger, hides_cards=hide), growth, [f"127.0.0.1:{port}"])
        )
        with listening(app, sock):
            yield Api(ledger, port)


def test_a_hand_is_recorded_line_by_line_and_judged_at_once(served: Api) -> None:
    served.begin()
    status, answer = served.lines("2 calls 3")
    assert status == 200
    assert answer["schema"] == "handledger/appended/1"
    live = answer["live"]
    assert (live["hand"], live["stage"], live["version"]) == ("1", "betting", 10)
    assert any(finding["book"] == "hilton" and finding["seat"] == 2 for finding in live["findings"])
    assert served.ask("GET", "/table")[1] == live


def test_keys_and_proposals_are_taken_as_on_a_terminal(served: Api) -> None:
    served.begin()
    status, answer = served.lines("f", "f", ".", ".", ".")
    assert (status, answer["live"]["running"]) == (200, False)
    assert answer["live"]["next"]["number"] == "2"
    assert served.lines("", ".")[1]["live"]["hand"] == "2"
    assert not list(served.ledger.verify())


def test_events_are_recorded_as_they_are_and_all_or_none(served: Api) -> None:
    served.begin()
    status, _, _ = served.ask(
        "POST", "/table/events", {"events": [["Folded", 1], ["Called", 2, 300, 500]], "at": [None, 1_700_000_000_000]}
    )
    assert status == 200
    (row,) = served.ledger.hands()
    last = served.ledger.entries(row.stream)[-1]
    assert (type(last.event).__name__, last.mark.time, last.recorded.writer) == (
        "Called",
        1_700_000_000_000,
        "device:tablet",
    )
    head_before = served.ledger.head()
    for wrong in (
        [["Folded", 3], ["Folded", "x"]],
        [["Folded", 3], ["Flew", 3]],
        [["Folded"]],
        ["Folded"],
        [[]],
        [3],
        [["BoardDealt", "flop", "7h 2c Kd"]],
        [["BoardDealt", "flop", "7h2cXx"]],
        [["CorrectionMade", [3], 3]],
        [["HandOpened", "Elsewhere", "T9", "1", 0]],
        [["SeatDealtIn", 4, "nobodyhasthisid0", 100]],
        [["RemarkNoted", "tnobodywrotethis0"]],
        [["PlayerLeft", 3]],
        [["RulebookAdopted", "hilton", "1", "x"]],
    ):
        status, answer, headers = served.ask("POST", "/table/events", {"events": wrong})
        assert (status, headers["content-type"]) == (422, "application/problem+json"), (wrong, answer)
    assert served.ledger.head() == head_before


def test_a_line_that_is_wrong_is_answered_with_the_right_one(served: Api) -> None:
    served.begin()
    status, answer = served.lines("f", "2 raises 20", "f")
    assert status == 422
    assert answer["write"] == "2 raises to 20"
    assert "1 line before it is recorded." in answer["detail"]
    assert served.ask("GET", "/table")[1]["version"] == 10


def test_what_is_sent_again_under_its_key_is_recorded_once(served: Api) -> None:
    served.begin()
    first = served.lines("f", "f", idempotent="7")[1]
    repeated = served.lines("f", "f", idempotent="7")[1]
    assert (first["again"], repeated["again"]) == (False, True)
    assert repeated["live"]["version"] == first["live"]["version"] == 11
    # another device's key is another: nobody is to act
    assert served.lines("f", key=NO_CARDS_KEY, idempotent="7")[0] == 422


def test_the_later_of_two_devices_is_told_what_the_other_did(served: Api) -> None:
    served.begin()
    version = served.ask("GET", "/table")[1]["version"]
    assert served.lines("f", behind=version)[0] == 200
    status, answer = served.lines("c", behind=version, key=NO_CARDS_KEY)
    assert status == 409
    assert "1 folds" in answer["title"]


def test_undo_is_a_correction(served: Api) -> None:
    served.begin()
    served.lines("f")
    status, answer, _ = served.ask("POST", "/table/undo", {"why": "wrong seat"})
    assert (status, answer["live"]["stage"]) == (200, "betting")
    (row,) = served.ledger.hands()
    assert "correction" in write_lines(served.ledger.events(row.stream), served.ledger.people)[-1]


@pytest.mark.parametrize(
    ("key", "status"), [("", 401), ("x" * 40, 401), ("x" * 400, 401), (LOOKS, 403), (OTHER_TABLE_KEY, 403)]
)
def test_who_may_not_is_refused(served: Api, key: str, status: int) -> None:
    served.begin()
    assert served.lines("f", key=key)[0] == status


def test_a_device_that_only_looks_sees_where_the_table_stands_but_no_cards(served: Api) -> None:
    served.begin()
    assert served.lines("2 gets AhKd")[0] == 200
    text = json.dumps(served.ask("GET", "/table", key=LOOKS)[1])
    assert not mentions(text, "Ah", "AhKd")
    assert mentions(json.dumps(served.ask("GET", "/table")[1]), "Ah", "AhKd")
    assert served.ask("GET", "/table", key=OTHER_TABLE_KEY)[0] == 403
    # its own: nothing was played there
    assert served.ask("GET", "/table", key=OTHER_TABLE_KEY, table={"table": "T8"})[0] == 404


def test_a_device_without_cards_may_tell_none(served: Api) -> None:
    served.begin()
    for line in ("2 gets AhKd", "2 held Ah Kd", "2 mucks Ah Kd"):
        assert served.lines(line, key=NO_CARDS_KEY)[0] == 403
    assert served.lines("2 gets ????", key=NO_CARDS_KEY)[0] == 200
    status, _, _ = served.ask("POST", "/table/events", {"events": [["HoleCardsDealt", 2, "AhKd"]]}, key=NO_CARDS_KEY)
    assert status == 403


def test_a_device_that_is_retired_or_enrolled_anew_is_not_let_in_by_its_old_key(served: Api) -> None:
    served.begin()
    new = DeviceEnrolled("bare", digest_of("n" * 40))
    served.ledger.append("house", HOUSE, [DeviceRetired("looks"), new], recorded=Provenance(served.ledger.now()))
    assert served.ask("GET", "/table", key=LOOKS)[0] == 401
    assert served.ask("GET", "/table", key=NO_CARDS_KEY)[0] == 401
    assert served.ask("GET", "/table", key="n" * 40)[0] == 200


def test_a_clock_that_is_off_is_kept_beside_the_servers_time(served: Api) -> None:
    served.begin()
    for _ in range(3):
        served.lines('remark "hello"', sent=served.ledger.now() + 90_000)
    events = [event for event in served.ledger.events(HOUSE) if isinstance(event, ClockChecked)]
    assert len(events) == 1
    assert events[0].clock == "device:tablet"
    assert 80_000 < events[0].offset <= 90_000


def test_hidden_cards_go_in_as_commitments_where_the_house_says_so(tmp_path: Path) -> None:
    for served in running(str(tmp_path / "x.ledger"), hide=True):
        served.begin()
        assert served.lines("2 gets AhKd", "3 gets QcQd", "f", "c", "k")[0] == 200
        (row,) = served.ledger.hands()
        dealt = [event for event in served.ledger.events(row.stream) if type(event).__name__ == "HoleCardsDealt"]
        assert all(event.cards.startswith("{") for event in dealt)  # type: ignore[attr-defined] # hole cards
        assert not mentions(json.dumps(served.ask("GET", "/table")[1]), "Ah", "AhKd")
        assert not list(served.ledger.verify())


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b'{"lines": ["f"], "more": 1}', {}, 400),
        (b'{"lines": "f"}', {}, 400),
        (b'{"lines": []}', {}, 422),
        (b'{"lines": ["f"], "key": "' + b"x" * 200 + b'"}', {}, 422),
        (b"\xff\xfe", {}, 400),
        (b"[" * 100_00, {}, 400),
        (b"x" * 70_000, {}, 413),
        (b'{"lines": ["f"]}', {"Content-Type": "text/plain"}, 415),
        (b'{"lines": ["f"]}', {"Host": "evil.example"}, 421),
        (json.dumps({"lines": ["remark x"] * 201}).encode(), {}, 422),
        (json.dumps({"lines": ["remark \x00"]}).encode(), {}, 422),
        (json.dumps({"lines": ["f"], "key": "tablet\x00"}).encode(), {}, 422),
        (json.dumps({"lines": ["\ud800"]}).encode(), {}, 400),
    ],
)
def test_bad_input_has_a_status_and_a_sentence(served: Api, body: bytes, headers: dict[str, str], status: int) -> None:
    served.begin()
    head_before = served.ledger.head()
    code, answer, _ = served.ask("POST", "/table/lines", body=body, headers=headers)
    assert code == status
    assert answer["status"] == status
    assert answer["title"]
    assert served.ledger.head() == head_before


def test_other_addresses_and_methods_are_answered_too(served: Api) -> None:
    assert served.ask("GET", "/nothing")[0] == 404
    assert served.ask("DELETE", "/table")[0] == 405
    assert served.ask("GET", "/table", table={"venue": "Nowhere", "table": "T1"})[0] == 404
    assert served.ask("GET", "/table", table={})[0] == 422
    assert served.ask("POST", "/table", {"game": "cards"})[0] == 422
    assert served.ask("GET", "/me")[1]["device"] == "tablet"


def test_a_device_that_asks_too_often_is_told_to_wait(served: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.api.device_requests._MAX_BURST", 20.0)
    monkeypatch.setattr(
        "web.api.device_requests._REQUESTS_PER_SECOND", 1e-6
    )  # no machine is so slow that another request fits in
    assert [served.ask("GET", "/me")[0] for _ in range(22)] == [200] * 20 + [429] * 2
    monkeypatch.setattr("web.api.device_requests._REQUESTS_PER_SECOND", 1e6)
    assert served.ask("GET", "/me")[0] == 200


def test_a_body_that_does_not_come_is_not_waited_for(served: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.api.device_requests.MAX_BODY_SECONDS", 0.2)
    served.begin()
    with socket.create_connection(("127.0.0.1", served.port)) as link:
        head = f"POST /api/1/table/lines?{urlencode(T7)} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        head += f"Authorization: Bearer {KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n" + "{"
        link.sendall(head.encode())
        assert b"408" in link.recv(100)


def test_where_the_table_stands_is_told_as_it_changes(served: Api) -> None:
    served.begin()
    link = HTTPConnection("127.0.0.1", served.port, timeout=30)
    link.request("GET", f"/api/1/table/live?{urlencode(T7)}", headers={"Authorization": f"Bearer {KEY}"})
    with closing(link), link.getresponse() as stream:
        assert _next(stream)["version"] == 9
        threading.Thread(target=served.lines, args=("f",)).start()
        assert _next(stream)["version"] == 10


@pytest.mark.parametrize("key", [None, "another key"])
def test_a_device_that_lost_its_key_is_told_nothing_more(served: Api, key: str | None) -> None:
    served.begin()
    link = HTTPConnection("127.0.0.1", served.port, timeout=30)
    link.request("GET", f"/api/1/table/live?{urlencode(T7)}", headers={"Authorization": f"Bearer {KEY}"})
    with closing(link), link.getresponse() as stream:
        assert _next(stream)["version"] == 9
        device = served.ask("GET", "/me")[1]["device"]
        lost = DeviceRetired(device) if key is None else DeviceEnrolled(device, digest_of(key))
        served.ledger.append("house", HOUSE, [lost])
        assert b"data: " not in stream.read()  # it ends


def _next(stream: Any) -> Any:
    while True:
        line = stream.readline().decode()
        if line.startswith("data: "):
            return json.loads(line.removeprefix("data: "))


def test_the_description_is_openapi_and_fits_what_is_answered(served: Api) -> None:
    openapi = served.ask("GET", "/openapi.json", key="")[1]
    assert openapi["openapi"] == "3.1.0"
    assert "hand.folded.v1" in openapi["components"]["schemas"]
    matches = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(openapi)))
    assert matches <= openapi["components"]["schemas"].keys()
    assert "#/$defs/" not in json.dumps(openapi)
    served.begin()
    schema = {"$ref": "#/components/schemas/Answer", "components": openapi["components"]}
    answer = served.lines("f")[1]
    for published in (schema, build_files()[answer["schema"].split("/")[1]]):
        jsonschema.Draft202012Validator(published).validate(answer)


def test_four_devices_at_one_table_lose_and_double_nothing(served: Api) -> None:
    """Each sends remarks of its own under keys, some twice; each stands once, in the order of its device."""
    served.begin()
    for name in ("p", "q", "r", "s"):
        served.ledger.append(
            "house", HOUSE, [DeviceEnrolled(name, digest_of(name * 40))], recorded=Provenance(served.ledger.now())
        )

    def send(name: str) -> None:
        for index in range(8):
            for _ in range(1 + index % 2):
                while (answer := served.lines(f'remark "{name}{index}"', key=name * 40, idempotent=str(index)))[0] in (
                    429,
                    503,
                ):
                    time.sleep(0.1)
                assert answer[0] == 200, answer

    senders = [threading.Thread(target=send, args=(name,)) for name in ("p", "q", "r", "s")]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    (row,) = served.ledger.hands()
    words = [
        line.split('"')[1]
        for line in write_lines(served.ledger.events(row.stream), served.ledger.people)
        if line.startswith("remark")
    ]
    assert sorted(words) == sorted(f"{name}{index}" for name in "pqrs" for index in range(8))
    for name in "pqrs":
        assert [word for word in words if word[0] == name] == [f"{name}{index}" for index in range(8)]
    assert not list(served.ledger.verify())


def test_the_client_records_a_hand_and_hears_of_what_it_may_not(served: Api) -> None:
    client = Client(f"http://127.0.0.1:{served.port}", KEY, **T7)
    client.open(GAME["game"], seats=9)  # type: ignore[arg-type] # a text
    client.tell(*BEGIN)
    version = client.live["version"]
    client.append([["Folded", 1]], behind=version)
    with pytest.raises(RefusedError, match="this table has moved on"):
        client.tell("2 folds", behind=version)
    client.undo()
    assert client.live["stage"] == "betting"
    with closing(client.follow()) as following:
        assert next(following)["version"] == client.live["version"]
    with pytest.raises(RefusedError) as caught:
        Client(f"http://127.0.0.1:{served.port}", "x", **T7).stands()
    assert caught.value.status == 401


def test_the_client_asks_again_under_its_key_where_no_answer_came(served: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(f"http://127.0.0.1:{served.port}", KEY, **T7)
    client.open(GAME["game"], seats=9)  # type: ignore[arg-type] # a text
    client.tell(*BEGIN)
    once, lost = client._send, []

    def unanswered(method: str, path: str, document: Any = None) -> Any:
        answer = once(method, path, document)
        if not lost:
            lost.append(answer)
            raise ConnectionResetError
        return answer

    monkeypatch.setattr(client, "_send", unanswered)
    assert client.tell("f")["again"]
    assert client.live["version"] == 10


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/table/lines", '{"lines": ["f"], "behind": 0}', 422, "no hand is running at T7; f (fold) needs one"),
        ("/table/lines", '{"lines": ["r 20"]}', 422, "no hand is running at T7; r (raise to) needs one"),
        ("/table/lines", '{"lines": ["folds"]}', 422, "no hand is running at T7; folds needs one"),
        ("/table/lines", "[1", 400, "the body isn't valid JSON: "),
        ("/table/lines", '{"line": "f"}', 400, "the body doesn't match the schema: "),
        ("/table/events", '{"events": [["Folded", 1]]}', 422, "no hand is running, so hand.folded can't be recorded"),
        ("/table/events", '{"events": [["Folded"]]}', 422, "event Folded is malformed: it needs 2 elements or more"),
    ],
)
def test_a_refusal_names_what_is_wrong_and_what_to_do(
    served: Api, path: str, body: str, status: int, said: str
) -> None:
    assert served.ask("POST", "/table", GAME)[0] == 200
    code, answer, _ = served.ask("POST", path, body=body.encode())
    assert (code, said in answer["title"]) == (status, True), answer
    assert answer["detail"]


def test_a_request_without_a_table_says_how_to_name_one(served: Api) -> None:
    code, answer, _ = served.ask("GET", "/table", table={})
    assert (code, answer["title"]) == (422, "no table is named")
    assert answer["detail"] == "Add it to the address: ?venue=ROOM&table=NAME"
