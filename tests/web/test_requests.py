"""A floor has a list of what dealers asked to have approved, over all tables, and answers each in one tap."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled, DeviceRetired
from ledger.recording.author import parse_writer
from ledger.store import open as open_ledger
from ledger.store.requests import sign_ins
from ledger.store.requests.approvals import record_answer
from ledger.store.requests.erasure import erase
from ledger.streams import HOUSE, table_stream
from tests.web.serving import FLOOR, KEYS, Served, listening, serving
from tests.web.test_users import TABLE, Tablet, begin, code_of, served, signed_in
from web.api.tables import RecordedTables
from web.server.application import build_application

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["served"]

OTHER_TABLE = {**TABLE, "name": "T8"}


def listed(tablet: Tablet) -> list[dict[str, Any]]:
    page = json.loads(tablet.ask("/requests.json")[1])
    requests = page["requests"]
    assert isinstance(requests, list)
    return requests


def ask(tablet: Tablet, line: str, table: Mapping[str, str] = TABLE) -> None:
    assert tablet.send("/keep", **table, line=line)[0] == 403


def answer(floor: Tablet, request: dict[str, Any], word: str) -> int:
    return floor.send("/requests", id=request["id"], answer=word)[0]


def signed_in_floor(served: Served) -> Tablet:
    tablet = Tablet(served)
    secret = sign_ins.enrol_user(served.ledger, "Flo", "floor")[1]
    assert tablet.open_link(secret) == 303
    return tablet


def last_recording(served: Served) -> tuple[str, str, str]:
    (hand,) = served.ledger.hands(number="412")
    entries = [*served.ledger.entries(hand.stream), *served.ledger.entries(table_stream(*TABLE.values()))]
    recording = parse_writer(max(entries, key=lambda entry: entry.position).recorded.writer)
    name = served.ledger.people.name
    return name(recording.user) or "", name(recording.approver) or "", recording.device


def count_table_events(served: Served) -> int:
    """Count what is recorded at the table and in its hand."""
    (hand,) = served.ledger.hands(number="412")
    return len(served.ledger.events(hand.stream)) + len(served.ledger.events(table_stream(*TABLE.values())))


@contextmanager
def served_again(served: Served) -> Iterator[Served]:
    """Start another server of the ledger: what a server only remembers, this one doesn't know."""
    url = served.ledger.database.address.full_url
    with open_ledger(url, create=False) as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = build_application(ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"], is_writable=True, books=["hilton"])
        with listening(app, sock):
            yield Served(ledger, port)


def moved(tablet: Tablet, served: Served) -> Tablet:
    """The same browser at another server."""
    other_tablet = Tablet(served)
    other_tablet.cookies |= tablet.cookies
    return other_tablet


def test_a_floor_approves_in_one_tap_and_the_record_has_both(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    assert listed(floor) == []
    ask(maria, "1 killed fouled")
    ask(maria, "1 killed fouled")  # pressed again: the list has it once
    (request,) = listed(floor)
    assert (request["dealer"], request["table"], request["line"]) == ("Maria", "T7", "1 killed fouled")
    assert request["act"] == "a hand killed or given back"
    assert (request["state"], request["waited"]) == ("waiting", "just now")
    assert answer(floor, request, "approve") == 303
    assert last_recording(served) == ("Maria", "Flo", "")
    (request,) = listed(floor)
    assert (request["state"], request["floor"]) == ("approved", "Flo")
    before = served.ledger.head()
    assert answer(floor, request, "approve") == 409
    assert answer(floor, request, "refuse") == 409
    assert served.ledger.head() == before


def test_a_refused_act_is_not_recorded_and_the_dealers_page_learns_of_it(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    before = count_table_events(served)
    (request,) = listed(floor)
    assert answer(floor, request, "refuse") == 303
    assert count_table_events(served) == before
    page = json.loads(maria.ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])
    (asked,) = page["approvals"]
    assert (asked["state"], asked["floor"]) == ("refused", "Flo")
    assert asked["approve"].startswith("/approve?")
    other = signed_in(served, "Jo")
    assert json.loads(other.ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])["approvals"] == []


def test_requests_wait_for_the_next_server(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    ask(maria, "1 killed fouled")
    (request,) = listed(floor)
    with served_again(served) as other:
        other_maria, other_floor = moved(maria, other), moved(floor, other)
        assert listed(other_floor) == [request]
        ask(other_maria, "1 killed fouled")  # pressed again after the restart: the list has it once
        assert listed(other_floor) == [request]
        assert answer(other_floor, request, "approve") == 303
        assert last_recording(other) == ("Maria", "Flo", "")
        (asked,) = json.loads(other_maria.ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])["approvals"]
        assert (asked["state"], asked["floor"]) == ("approved", "Flo")
    (request,) = listed(floor)
    assert (request["state"], request["floor"]) == ("approved", "Flo")


def test_what_one_server_refused_another_does_not_approve(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    with served_again(served) as other:
        (request,) = listed(moved(floor, other))
        assert answer(floor, request, "refuse") == 303
        before = count_table_events(served)
        assert answer(moved(floor, other), request, "approve") == 409
        assert answer(moved(floor, other), request, "refuse") == 409
        assert count_table_events(served) == before
        (asked,) = json.loads(moved(maria, other).ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])["approvals"]
        assert asked["state"] == "refused"


def test_what_a_code_approved_is_not_refused_from_an_old_list(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    ask(maria, "1 killed fouled")
    (request,) = listed(floor)
    page = json.loads(maria.ask(f"/keep.json?{urlencode(TABLE)}")[1])
    act = {**TABLE, "line": request["line"], "since": str(page["position"]), "seat": "", "once": "page-1"}
    assert maria.send("/approve", **act, code=code_of(served.ledger, "Flo"))[0] == 303
    assert answer(floor, request, "refuse") == 409
    approvals = json.loads(maria.ask(f"/keep.json?{urlencode(TABLE)}")[1])["approvals"]
    assert [asked["state"] for asked in approvals if asked["state"] == "refused"] == []


def test_an_approval_outweighs_a_refusal_of_the_same_moment(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    ask(maria, "1 killed fouled")
    (request,) = listed(floor)
    record_approved = RecordedTables.record_approved

    def record_while_another_server_refuses(*arguments: Any) -> bool:
        with open_ledger(served.ledger.database.address.full_url, create=False) as ledger:
            assert record_answer(ledger, request["id"], "refused", sign_ins.find_user(ledger, "Flo").user)
        return record_approved(*arguments)

    monkeypatch.setattr(RecordedTables, "record_approved", record_while_another_server_refuses)
    assert answer(floor, request, "approve") == 303
    assert last_recording(served) == ("Maria", "Flo", "")
    assert [listed_request["state"] for listed_request in listed(floor)] == ["approved"]
    (asked,) = json.loads(maria.ask(f"/keep.json?{urlencode(TABLE)}")[1])["approvals"]
    assert asked["state"] == "approved"


def test_a_line_with_half_a_letter_is_a_request_like_any_other(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    body = json.dumps({**TABLE, "line": "voided ruling # \ud800", "token": maria.token()}).encode()
    headers = {"Content_Type": "application/json", "Origin": served.origin}
    status, problem, _ = maria.ask("/keep.json", "POST", body, **headers)
    assert (status, json.loads(problem)["approve"].startswith("/approve?")) == (403, True)
    (request,) = listed(floor)
    assert floor.ask("/requests")[0] == 200
    assert maria.ask(f"/keep?{urlencode(TABLE)}")[0] == 200
    assert answer(floor, request, "refuse") == 303


def test_a_request_is_forgotten_after_half_a_day(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    (request,) = listed(floor)
    moment = served.ledger.now()
    monkeypatch.setattr(served.ledger, "now", lambda: moment + 11 * 60 * 60 * 1000)
    assert len(listed(floor)) == 1
    monkeypatch.setattr(served.ledger, "now", lambda: moment + 13 * 60 * 60 * 1000)
    assert listed(floor) == []
    assert answer(floor, request, "approve") == 409


def test_a_request_names_nobody_who_was_forgotten(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    ask(maria, "voided ruling # Ana hid a chip")
    assert "Ana" in listed(floor)[0]["line"]
    (player,) = served.ledger.people.find_players("Ana", "Riverside Cardroom")
    erase(served.ledger, player)
    assert all("Ana" not in request["line"] for request in listed(floor))


def test_a_tablet_that_was_retired_meanwhile_records_nothing(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    served.ledger.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of("tablet-3-key"), "all")])
    maria.cookies["handledger-device"] = "tablet-3-key"
    ask(maria, "misdeal wrong-button")
    (request,) = listed(floor)
    assert request["device"] == "tablet-3"
    served.ledger.append("house", HOUSE, [DeviceRetired("tablet-3")])
    before = count_table_events(served)
    assert answer(floor, request, "approve") == 403
    served.ledger.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of("another-key"), "all")])
    assert answer(floor, request, "approve") == 403
    assert count_table_events(served) == before


def test_a_dealer_asks_again_after_the_tablet_gets_a_new_key(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    for key in ("tablet-3-key", "another-key"):
        served.ledger.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of(key), "all")])
        maria.cookies["handledger-device"] = key
        ask(maria, "misdeal wrong-button")
    old_request, new_request = listed(floor)
    assert answer(floor, old_request, "approve") == 403
    assert answer(floor, new_request, "approve") == 303
    assert last_recording(served) == ("Maria", "Flo", "tablet-3")


def test_a_request_leaves_the_list_when_its_table_goes_on(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    (request,) = listed(floor)
    assert maria.press("deal done")[0] == 303
    assert answer(floor, request, "approve") == 409
    assert listed(floor) == []


def test_the_list_is_for_floors_who_are_signed_in(served: Served) -> None:
    begin(served)
    maria = signed_in(served, "Maria")
    ask(maria, "misdeal wrong-button")
    assert maria.ask("/requests.json")[0] == 403
    status, page, _ = served.ask("/requests", key=FLOOR)
    assert status == 200
    assert "<button" not in page.partition('<ol class="requests">')[2]  # a printed key is nobody's
    (request,) = json.loads(served.ask("/requests.json", key=FLOOR)[1])["requests"]
    assert answer(maria, request, "approve") == 403
    assert served.send("/requests", id=request["id"], answer="approve")[0] == 403
    assert listed(signed_in_floor(served))[0]["state"] == "waiting"


def test_who_was_revoked_meanwhile_records_nothing(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    (request,) = listed(floor)
    sign_ins.revoke_user(served.ledger, sign_ins.find_user(served.ledger, "Maria").user)
    before = served.ledger.head()
    assert answer(floor, request, "approve") == 403
    assert served.ledger.head() == before


def test_a_floor_with_a_tablet_of_another_table_sees_and_answers_its_own_alone(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    (request,) = listed(floor)
    key = "tablet-9-key"
    enrolled = DeviceEnrolled("tablet-9", digest_of(key), "all", "Riverside Cardroom", "T9")
    served.ledger.append("house", HOUSE, [enrolled])
    floor.cookies["handledger-device"] = key
    assert listed(floor) == []
    assert answer(floor, request, "approve") == 409


def test_one_dealer_pushes_nobody_elses_requests_off_the_list(served: Served) -> None:
    begin(served)
    maria, jo, floor = signed_in(served, "Maria"), signed_in(served, "Jo"), signed_in_floor(served)
    assert maria.press("deal done")[0] == 303
    ask(jo, "misdeal wrong-button")
    for count in range(30):
        ask(maria, f"voided ruling # {count}")
    dealers = [request["dealer"] for request in listed(floor)]
    assert dealers[0] == "Jo"
    assert dealers.count("Maria") == 20


def test_the_list_is_in_the_floors_language(served: Served) -> None:
    begin(served)
    maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
    ask(maria, "misdeal wrong-button")
    for language, word in (("es", "Aprobar"), ("vi", "Duyệt"), ("zh", "批准")):
        page = floor.ask(f"/requests?language={language}")[1]
        main = re.sub(r"<[^>]*>", " ", page.partition("<main")[2].partition("</main>")[0])
        assert word in main
        assert "Waiting" not in main
        assert "misdeal, or" not in main  # what has to be approved, in words


def test_a_request_that_names_hidden_cards_is_not_kept(tmp_path: Path) -> None:
    with (
        open_ledger(tmp_path / "x.ledger") as ledger,
        serving(ledger, writes=True, books=["hilton"], hides_cards=True) as served,
    ):
        begin(served)
        maria, floor = signed_in(served, "Maria"), signed_in_floor(served)
        assert maria.press("deal done")[0] == 303
        ask(maria, "voided ruling # Ana held AhKd")
        assert listed(floor) == []
        ask(maria, "1 killed fouled")
        assert [request["line"] for request in listed(floor)] == ["1 killed fouled"]
