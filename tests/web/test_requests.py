"""A floor has a list of what dealers asked to have approved, over all tables, and answers each in one tap."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled
from ledger.recording.author import parse_writer
from ledger.store.requests import sign_ins
from ledger.streams import HOUSE, table_stream
from tests.web.serving import FLOOR, Served
from tests.web.test_users import TABLE, Tablet, begin, served, signed_in

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    before = served.ledger.head()
    (request,) = listed(floor)
    assert answer(floor, request, "refuse") == 303
    assert served.ledger.head() == before
    page = json.loads(maria.ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])
    (asked,) = page["approvals"]
    assert (asked["state"], asked["floor"]) == ("refused", "Flo")
    assert asked["approve"].startswith("/approve?")
    other = signed_in(served, "Jo")
    assert json.loads(other.ask("/keep.json?venue=Riverside+Cardroom&name=T7")[1])["approvals"] == []


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
