"""Cases worked through the server: each form, what is refused and how, who may, and that nothing is done twice."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.case.events import EvidenceAttached, FindingCited, StatementTaken
from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import all_cases, find_case
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, multipart, serving
from web.server.access.bodies import IntakeBounds
from web.server.access.roles import format_roles_table
from web.server.cases.case_forms import FORMS

BOUNDS = IntakeBounds(form=64 * 1024, file=1024 * 1024, wait=1.0, slowest=100)
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    folder = tmp_path_factory.mktemp("written")
    (folder / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [folder / "night.hand"])
        rules = rulebook.load("rrop4")
        ledger.append(
            "house",
            HOUSE,
            [RulebookAdopted(rules.name, rules.edition, rules.digest)],
            recorded=Provenance(ledger.now()),
        )
    with open_ledger(folder / "x.ledger", read_only=True) as ledger:
        yield ledger


@pytest.fixture(scope="module")
def served(book: Ledger) -> Iterator[Served]:
    with serving(book, writes=True, bounds=BOUNDS) as server:
        yield server


@pytest.fixture
def case(served: Served) -> str:
    """A case about the hand with the wrong button."""
    status, answer = served.tell("/open-case.json", claim="the button was wrong", by="player", hands="412")
    assert status == 201, answer
    number = answer["case"]["number"]
    assert isinstance(number, str)
    return number


def page(served: Served, number: str) -> dict[str, Any]:
    status, text, _ = served.ask(f"/case.json?number={number}", key=FLOOR)
    assert status == 200
    document: dict[str, Any] = json.loads(text)
    return document


def test_a_dispute_is_worked_in_forms_from_the_claim_to_the_end(served: Served) -> None:
    match = re.search(r'name="once" value="([^"]+)"', served.ask("/open-case?hands=412", key=FLOOR)[1])
    assert match
    claim_fields = {
        "claim": "the button passed me",
        "by": "player",
        "person": "Ana",
        "hands": "412@1-9",
        "amount": "15",
    }
    status, _, answer = served.send("/open-case", **claim_fields, subject="button", asked="before", once=match[1])
    assert status == 303
    location = answer.headers["location"]
    number = re.fullmatch(r"/case\?number=([^&]+)&done=open", location)
    assert number
    assert "The case is open" in served.ask(location, key=FLOOR)[1]
    second_location = served.send("/open-case", **claim_fields, once=match[1])[2].headers["location"]
    assert second_location == location, "the same form sent twice opens one case"
    finding = page(served, number[1])["findings"][0]["fingerprint"]
    sent: list[tuple[str, dict[str, str | list[str]]]] = [
        ("statement", {"words": "I saw it", "by": "dealer", "person": "Kim", "seat": "2"}),
        ("remark", {"words": "looked at the camera"}),
        ("cite", {"finding": finding}),
        ("attach", {"kind": "video", "label": "camera 12", "camera": "12", "from": "2026-11-20T22:39"}),
        ("link", {"hands": "411"}),
        ("due", {"what": "decision", "days": "10"}),
        ("assign", {"person": "Maria", "by": "floor"}),
        ("hold", {"what": "table", "target": "T7", "until": "2099-01-01"}),
        ("lift", {"what": "table", "target": "T7"}),
        ("notify", {"authority": "Gaming board", "reference": "17/3"}),
        (
            "rule",
            {
                "decision": "the blind goes back",
                "by": "floor",
                "book": "rrop4",
                "clause": "blinds.1",
                "pay-who": ["3", "5", ""],
                "pay-amount": ["15", "-15", ""],
            },
        ),
        ("appeal", {"by": "player", "to": "the manager"}),
        ("rule", {"decision": "it stays so", "by": "manager"}),
        ("void", {"events": "2", "why": "misheard", "by": "floor"}),
        ("close", {"outcome": "upheld"}),
        ("reopen", {"why": "a recording turned up"}),
    ]
    clauses = rulebook.load("rrop4").clauses
    for name, fields in sent:
        if fields.get("clause"):
            fields["clause"] = next(iter(clauses))
        version = str(page(served, number[1])["version"])
        status, text, answer = served.send(f"/case/{name}", number=number[1], version=version, **fields)
        assert status == 303, (name, text)
        assert FORMS[name].success_text in served.ask(answer.headers["location"], key=FLOOR)[1].replace("&#39;", "'")
    assert {name for name, _ in sent} == set(FORMS), "every form is tried"
    case = find_case(served.ledger, number[1])
    assert case.state.status == "open"
    assert [payment.amount for payment in case.state.payments] == [15, -15]
    assert [payment.number for payment in all_cases(served.ledger)].count(number[1]) == 1
    assert any(isinstance(event, FindingCited) for event in case.events)


def test_the_page_of_a_case_is_a_document_with_a_schema(served: Served, case: str) -> None:
    for path in (f"/case.json?number={case}", "/cases.json", "/open-case.json"):
        document = json.loads(served.ask(path, key=FLOOR)[1])
        jsonschema.Draft202012Validator(find_schema(document["schema"].split("/")[1])).validate(document)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "fields", "message"),
    [
        ("statement", {"words": "", "by": "player"}, "statement is empty"),
        ("statement", {"words": "x", "by": "king"}, "isn't in the list"),
        ("statement", {"words": "x", "by": "player", "seat": "two"}, "isn't a number"),
        ("cite", {"finding": "0123456789"}, "no finding"),
        ("attach", {"kind": "video"}, "evidence needs"),
        ("attach", {"kind": "video", "label": "x", "camera": "Ana's"}, "names a person"),
        ("link", {"hands": "999"}, "999"),
        ("rule", {"decision": "x", "by": "floor", "pay-who": "3", "pay-amount": "15"}, "do not add up"),
        ("rule", {"decision": "x", "by": "floor", "pay-who": "3", "pay-amount": ""}, "both who and how much"),
        ("rule", {"decision": "x", "by": "floor", "pay-who": "9", "pay-amount": "15"}, "nobody sat in seat 9"),
        ("rule", {"decision": "x", "by": "floor", "pay-who": "3", "pay-amount": "lots"}, "isn't an amount"),
        ("due", {"what": "reply"}, "when is it due"),
        ("due", {"what": "reply", "time": "soon"}, "as a date or time"),
        ("close", {"outcome": "upheld"}, "nobody has ruled"),
        ("reopen", {"why": "x"}, "isn't closed"),
        ("void", {"why": "x", "by": "floor"}, "nothing to void"),
        ("appeal", {"by": "player"}, "no ruling"),
        ("lift", {"what": "table", "target": "T7"}, "doesn't hold"),
    ],
)
def test_a_form_that_is_refused_says_why_and_keeps_what_was_typed(
    served: Served, case: str, form: str, fields: dict[str, str], message: str
) -> None:
    version = page(served, case)["version"]
    typed = {
        **fields,
        "words" if "words" in fields and not fields["words"] else "person": HOSTILE if form == "rule" else "",
    }
    status, text, _ = served.send(f"/case/{form}", number=case, **typed)
    assert status in (400, 404, 422), text
    changed_text = text.replace("&#39;", "'")
    assert message in changed_text
    assert "Not recorded" in changed_text
    assert "<img src=x" not in text
    assert not re.search(r"Not recorded.*?(--[a-z]|handledger [a-z]).*?</div>", changed_text, re.DOTALL), (
        "words of a terminal"
    )
    for value in fields.values():
        if form not in ("cite", "reopen", "appeal") and value not in ("king", "video"):
            assert value.replace("'", "&#39;") in text, "what was typed is lost"
    assert page(served, case)["version"] == version
    status, answer = served.tell(f"/case/{form}.json", number=case, **fields)
    assert status in (400, 404, 422)
    assert message in str(answer["message"])


def test_what_was_written_in_view_of_a_case_that_grew_since_is_not_added_unseen(served: Served, case: str) -> None:
    version = str(page(served, case)["version"])
    assert served.send("/case/remark", number=case, version=version, words="first")[0] == 303
    status, text, _ = served.send("/case/remark", number=case, version=version, words="the very same form again")
    assert status == 409
    assert "the very same form again" in text
    assert "since you opened the page" in text
    match = re.search(r'name="version" value="(\d+)"', text)
    assert match
    assert served.send("/case/remark", number=case, version=match[1], words="the very same form again")[0] == 303
    assert len(find_case(served.ledger, case).state.remarks) == 2


def test_many_who_add_at_once_lose_nothing(served: Served, case: str) -> None:
    statuses: list[int] = []

    def add(number: int) -> None:
        statuses.append(served.tell("/case/statement.json", number=case, words=f"no {number}", by="player")[0])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses.count(201) == sum(
        isinstance(event, StatementTaken) for event in find_case(served.ledger, case).events
    )
    assert set(statuses) <= {201, 422, 503}
    assert statuses.count(201) >= 6


def test_of_a_file_that_is_attached_its_digest_is_kept(served: Served, case: str) -> None:
    parts = {"token": served.token(), "number": case, "kind": "video"}
    body, kind = multipart(parts, [("file", "cam12.mp4", b"a" * 300_000)])
    status, _, _ = served.ask(
        "/case/attach", key=FLOOR, method="POST", body=body, Content_Type=kind, Origin=served.origin
    )
    assert status == 303
    (event,) = [
        stored_event
        for stored_event in find_case(served.ledger, case).events
        if isinstance(stored_event, EvidenceAttached)
    ]
    assert event.digest.startswith("ac8e96bd") or len(event.digest) == 64
    assert served.ledger.people.words(event.label) == "cam12.mp4"
    pages = {key: served.ask(f"/case?number={case}", key=key)[1] for key in (FLOOR, AUDITOR)}
    assert event.digest not in pages[FLOOR], "a floor manager sees no hash"
    assert event.digest in pages[AUDITOR]


FORM = "application/x-www-form-urlencoded"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", ".json"])
@pytest.mark.parametrize(
    ("status", "change"),
    [
        (401, {"key": ""}),
        (401, {"key": "b" * 32}),
        (403, {"key": VIEWER}),
        (403, {"key": AUDITOR}),
        (403, {"token": "0" * 64}),
        (403, {"token": ""}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (403, {"Origin": ""}),
        (403, {"Sec_Fetch_Site": "cross-site"}),
        (403, {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}),
        (405, {"method": "PUT"}),
        (405, {"path": "/tables"}),
        (413, {"words": "w" * 70_000}),
        (415, {"Content_Type": "text/plain"}),
        (421, {"Host": "evil.example"}),
    ],
)
def test_nothing_is_taken_from_whom_it_is_not_theirs(
    served: Served, case: str, ending: str, status: int, change: dict[str, str]
) -> None:
    version = page(served, case)["version"]
    change = dict(change)
    key, method = change.pop("key", FLOOR), change.pop("method", "POST")
    path = change.pop("path", "/case/remark") + ending
    words, token = change.pop("words", "in"), change.pop("token", served.token())
    headers = {"Content_Type": FORM, "Origin": served.origin, **change}
    if not headers["Origin"]:
        del headers["Origin"]
    body = f"token={token}&number={case}&words={words}".encode()
    answered, text, answer = served.ask(path, key=key, method=method, body=body, **headers)
    assert answered == status, text
    told_for_programs = bool(ending)
    assert answer.headers["content-type"].startswith("application/problem+json" if told_for_programs else "text/html")
    if told_for_programs:
        document = json.loads(text)
        assert document["status"] == status
        jsonschema.Draft202012Validator(find_schema("page-error")).validate(document)
    else:
        assert f"<small>{status}</small>" in text
    assert page(served, case)["version"] == version


def test_without_write_nothing_is_taken_in(book: Ledger) -> None:
    with serving(book) as served:
        body = b"token=x&number=1&words=x"
        status, text, _ = served.ask(
            "/case/remark", key=FLOOR, method="POST", body=body, Content_Type=FORM, Origin=served.origin
        )
        assert status == 405
        assert "--write" in text
        assert served.ask("/open-case", key=FLOOR)[0] == 403
        assert 'action="/case' not in served.ask("/cases", key=FLOOR)[1]


@pytest.mark.slow
def test_who_sends_too_slowly_or_leaves_keeps_nobody_waiting(served: Served, case: str) -> None:
    version = page(served, case)["version"]
    head = (
        f"POST /case/remark HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: handledger={FLOOR}\r\n"
        f"Origin: {served.origin}\r\nContent-Type: {FORM}\r\nContent-Length: 5000\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as silent:
        silent.sendall(head + b"token=")
        assert b"408" in silent.recv(4000).split(b"\r\n")[0]
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as dripping:
        dripping.sendall(head)
        dripping.settimeout(0.3)
        answered = b""
        deadline = time.monotonic() + 15
        while not answered and time.monotonic() < deadline:
            dripping.sendall(b"t")
            try:
                answered = dripping.recv(4000)
            except TimeoutError:
                continue
        assert b"408" in answered.split(b"\r\n")[0]
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(head + b"token=")
    connections = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(40)]
    for link in connections:
        link.sendall(b"GET /tables HTTP/1.1\r\nHost: ")
    assert served.ask("/tables")[0] == 200
    for link in connections:
        link.close()
    assert page(served, case)["version"] == version


def test_what_is_too_large_is_said_before_it_is_sent(served: Served) -> None:
    link = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    link.putrequest("POST", "/case/attach", skip_host=True)
    for name, value in {
        "Host": f"127.0.0.1:{served.port}",
        "Cookie": f"handledger={FLOOR}",
        "Origin": served.origin,
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": str(5 * 1024**3),
    }.items():
        link.putheader(name, value)
    link.endheaders()
    with link.getresponse() as answer:
        assert answer.status == 413
        assert b"1 MB" in answer.read()
    link.close()


def test_a_viewer_sees_no_cases(served: Served, case: str) -> None:
    for path in ("/cases", f"/case?number={case}", "/open-case", "/cases.json"):
        assert served.ask(path, key=VIEWER)[0] == 403
    assert "/cases" not in served.ask("/tables", key=VIEWER)[1]


def test_a_name_in_a_case_acts_nowhere(served: Served) -> None:
    status, answer = served.tell("/open-case.json", claim=HOSTILE, by="player", person=HOSTILE, table=f"T{HOSTILE}")
    assert status == 201
    number = answer["case"]["number"]
    assert "<img src=x" not in served.ask("/cases", key=FLOOR)[1]
    assert "<img src=x" not in served.ask(f"/case?number={number}", key=FLOOR)[1]
    assert "<img src=x" not in served.ask(f"/case?number={number}&done={HOSTILE.replace(' ', '%20')}", key=FLOOR)[1]


def test_the_documentation_says_what_each_role_may() -> None:
    page = Path(__file__).resolve().parents[2].joinpath("docs", "serving.md").read_text(encoding="utf-8")
    assert format_roles_table() in page
