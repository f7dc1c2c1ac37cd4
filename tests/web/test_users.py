"""People sign in to the pages by a link or a code, and the record has who did what."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled, DeviceRetired
from ledger.recording.author import parse_writer
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.requests import sign_ins
from ledger.streams import HOUSE, table_stream
from ledger.table.events import DealerChanged
from tests.cli.conftest import Run, run
from tests.web.serving import FLOOR, KEYS, Served, listening
from web.server.application import build_application

__all__ = ["run"]

TABLE = {"venue": "Riverside Cardroom", "tournament": "", "name": "T7"}
KEEP = "/keep?" + urlencode(TABLE)
GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
HAND = ("hand 412", "seat 1 Ana 500", "seat 2 Bo 500", "seat 3 Cy 500", "button 1", "2 posts small 2", "3 posts big 5")


class Tablet:
    """A browser of its own, with its cookies."""

    def __init__(self, served: Served, address: str = "127.0.0.1") -> None:
        self.served, self.cookies = served, dict[str, str]()
        self.address = address

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, str, HTTPResponse]:
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        status, text, answer = self.served.ask(path, key="", method=method, body=body, **headers)
        for cookie in answer.msg.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies.pop(name, None)
            if value.strip('"'):
                self.cookies[name] = value
        return status, text, answer

    def token(self) -> str:
        match = re.search(r'name="token" value="([0-9a-f]{64})"', self.ask("/me")[1])
        assert match
        return match[1]

    def send(self, path: str, *, with_token: bool = True, **fields: str) -> tuple[int, str, HTTPResponse]:
        sent = {"token": self.token(), **fields} if with_token else fields
        headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": self.served.origin}
        return self.ask(path, "POST", urlencode(sent).encode(), **headers)

    def sign_in(self, code: str, target: str = "/tables") -> int:
        return self.send("/sign-in", with_token=False, code=code, next=target)[0]

    def open_link(self, secret: str) -> int:
        status, _, answer = self.ask(f"/?key={secret}")
        assert status == 303
        assert answer.getheader("location").startswith("/sign-in")
        return self.send("/sign-in", with_token=False, link="yes", next="/tables")[0]

    def press(self, line: str) -> tuple[int, str]:
        return self.send("/keep", **TABLE, line=line)[:2]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = build_application(ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"], is_writable=True, books=["hilton"])
        with listening(app, sock):
            yield Served(ledger, port)


def enrolled(ledger: Ledger, name: str, role: str = "dealer") -> str:
    """Enrol a user; return the link's secret."""
    return sign_ins.enrol_user(ledger, name, role)[1]  # type: ignore[arg-type]  # one of the roles


def code_of(ledger: Ledger, name: str) -> str:
    return sign_ins.issue_code(ledger, sign_ins.find_user(ledger, name).user).code


def signed_in(served: Served, name: str, role: str = "dealer") -> Tablet:
    enrolled(served.ledger, name, role)
    tablet = Tablet(served)
    assert tablet.sign_in(code_of(served.ledger, name)) == 303
    return tablet


def begin(served: Served) -> None:
    """A floor opens the table and begins a hand."""
    floor = signed_in(served, "Flo", "floor")
    assert floor.send("/keep", **TABLE, game=GAME, seats="9")[0] == 303
    for line in HAND:
        assert floor.press(line)[0] == 303


def test_a_link_asks_before_it_signs_in_and_is_good_again(served: Served) -> None:
    secret = enrolled(served.ledger, "Maria")
    tablet = Tablet(served)
    status, _, answer = tablet.ask(f"/log?q=pot>0&key={secret}")
    assert status == 303
    assert secret not in answer.getheader("location")
    page = tablet.ask(answer.getheader("location"))[1]
    assert "Sign in as Maria" in page
    assert not [entry for entry in served.ledger.entries(HOUSE) if type(entry.event).__name__ == "UserSignedIn"]
    status, _, answer = tablet.send("/sign-in", with_token=False, link="yes", next="/log?q=pot>0")
    assert (status, answer.getheader("location")) == (303, "/log?q=pot%3E0")
    assert "handledger-link" not in tablet.cookies
    assert "Maria" in tablet.ask("/tables")[1]
    assert Tablet(served).open_link(secret) == 303


def test_a_code_signs_in_once(served: Served) -> None:
    enrolled(served.ledger, "Maria")
    code = code_of(served.ledger, "Maria")
    first, second = Tablet(served), Tablet(served)
    assert first.sign_in(f" {code[:4]} {code[4:]} ") == 303
    assert first.ask("/tables")[0] == 200
    assert second.sign_in(code) == 403
    assert second.ask("/tables")[0] == 401


def test_a_session_survives_a_restart_and_ends_with_the_person(served: Served) -> None:
    tablet, other = signed_in(served, "Maria"), signed_in(served, "Jo")
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = build_application(served.ledger, "x.ledger", [], [f"127.0.0.1:{port}"], is_writable=True)
        with listening(app, sock):
            tablet.served = Served(served.ledger, port)
            assert tablet.ask("/tables")[0] == 200
            with open_ledger(served.ledger.database.address.full_url) as elsewhere:  # as the command does
                sign_ins.revoke_user(elsewhere, sign_ins.find_user(elsewhere, "Maria").user)
            assert tablet.ask("/tables")[0] == 401
    assert other.ask("/tables")[0] == 200


def test_a_new_link_voids_what_was_before(served: Served) -> None:
    old = enrolled(served.ledger, "Maria")
    tablet, code = Tablet(served), code_of(served.ledger, "Maria")
    assert tablet.open_link(old) == 303
    new = enrolled(served.ledger, "Maria", "floor")
    assert tablet.ask("/tables")[0] == 401
    assert Tablet(served).ask(f"/?key={old}")[0] == 401
    assert Tablet(served).sign_in(code) == 403
    assert tablet.open_link(new) == 303
    assert "floor" in tablet.ask("/me")[1]


def test_who_signs_out_is_out(served: Served) -> None:
    tablet = signed_in(served, "Maria")
    cookies = dict(tablet.cookies)
    status, _, answer = tablet.send("/sign-out", next=KEEP)
    assert status == 303
    assert parse_qs(urlsplit(answer.getheader("location")).query)["next"] == [KEEP]
    tablet.cookies = cookies
    assert tablet.ask("/tables")[0] == 401


def test_the_record_has_the_person_and_the_device(served: Served) -> None:
    begin(served)
    served.ledger.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of("k" * 40), table="T7")])
    enrolled(served.ledger, "Maria")
    tablet = Tablet(served)
    assert tablet.ask(f"/?device={'k' * 40}")[0] == 303
    assert tablet.sign_in(code_of(served.ledger, "Maria"), KEEP) == 303
    page = tablet.ask(KEEP)[1]
    assert "Maria deals" in page
    assert "tablet-3" in page
    assert tablet.press("deal done")[0] == 303
    maria = sign_ins.find_user(served.ledger, "Maria").user
    (hand,) = served.ledger.hands(number="412")
    assert parse_writer(served.ledger.entries(hand.stream)[-1].recorded.writer) == (maria, "tablet-3", "")
    changes = [
        entry.event
        for entry in served.ledger.entries(table_stream(*TABLE.values()))
        if isinstance(entry.event, DealerChanged)
    ]
    assert changes == [DealerChanged(maria)]
    # the tablet is for that table alone, and its session ends with its key
    assert tablet.send("/keep", **{**TABLE, "name": "T8"}, line="f")[0] == 403
    del tablet.cookies["handledger-device"]
    assert tablet.send("/keep", **{**TABLE, "name": "T8"}, line="f")[0] == 403
    served.ledger.append("house", HOUSE, [DeviceRetired("tablet-3")])
    assert tablet.ask("/tables")[0] == 401


def test_dealers_take_turns_at_one_table(served: Served) -> None:
    begin(served)
    tablet = signed_in(served, "Maria")
    assert "I deal now" in tablet.ask(KEEP)[1]
    assert tablet.send("/dealer", **TABLE)[0] == 303
    assert tablet.press("deal done")[0] == 303
    tablet.send("/sign-out")
    enrolled(served.ledger, "Jo")
    assert tablet.sign_in(code_of(served.ledger, "Jo"), KEEP) == 303
    assert "Jo deals" in tablet.ask(KEEP)[1]
    assert tablet.press("f")[0] == 303
    (hand,) = served.ledger.hands(number="412")
    writers = [parse_writer(entry.recorded.writer).user for entry in served.ledger.entries(hand.stream)]
    assert [served.ledger.people.name(user) for user in writers[-2:]] == ["Maria", "Jo"]


def test_the_last_acts_name_who_deals(served: Served) -> None:
    floor = signed_in(served, "Flo", "floor")
    assert floor.send("/keep", **TABLE, game=GAME, seats="9")[0] == 303
    tablet = signed_in(served, "Maria")
    assert tablet.send("/dealer", **TABLE)[0] == 303
    offers = json.loads(tablet.ask(KEEP.replace("/keep", "/keep.json"))[1])["offers"]
    assert [act["label"] for act in offers["recent"]] == ["Maria deals"]
    assert offers["undo"] == "Maria deals"


FLOOR_LINES = {
    "misdeal wrong-button": "a misdeal, or a hand that is void",
    "1 killed": "a hand killed or given back",
    "stop": "a hand left without its end",
    "voided": "a misdeal, or a hand that is void",
}


@pytest.mark.parametrize("line", FLOOR_LINES)
def test_what_a_floor_decides_is_refused_and_then_approved_with_a_code(served: Served, line: str) -> None:
    begin(served)
    tablet = signed_in(served, "Maria")
    assert tablet.press("deal done")[0] == 303
    status, page = tablet.press(line)
    assert status == 403, page
    assert "A floor has to approve this" in page
    match = re.search(r'href="(/approve\?[^"]+)"', page)
    assert match
    approve = match[1].replace("&amp;", "&")
    parameters = {name: values[0] for name, values in parse_qs(urlsplit(approve).query).items()}
    page = tablet.ask(approve)[1]
    assert line in page
    assert f"<b>{FLOOR_LINES[line]}</b>" in page
    once = re.search(r'name="once" value="([^"]+)"', page)
    assert once
    before = served.ledger.head()[0]
    for wrong in ("12345678", code_of(served.ledger, "Maria")):
        assert tablet.send("/approve", **parameters, once=once[1], code=wrong)[0] == 403
    assert served.ledger.head()[0] == before + 1  # the code that was made
    code = code_of(served.ledger, "Flo")
    assert tablet.send("/approve", **parameters, once=once[1], code=code)[0] == 303
    assert tablet.send("/approve", **parameters, once="other", code=code)[0] in (403, 409)
    (hand,) = served.ledger.hands(number="412")
    table_entries = served.ledger.entries(table_stream(*TABLE.values()))
    last = max([*served.ledger.entries(hand.stream), *table_entries], key=lambda entry: entry.position)
    recording = parse_writer(last.recorded.writer)
    assert served.ledger.people.name(recording.user) == "Maria"
    assert served.ledger.people.name(recording.approver) == "Flo"


def test_a_floor_needs_nobody(served: Served) -> None:
    begin(served)
    floor = Tablet(served)
    floor.sign_in(code_of(served.ledger, "Flo"))
    assert floor.press("deal done")[0] == 303
    assert floor.press("1 killed")[0] == 303


def test_an_approval_is_for_the_table_as_the_dealer_saw_it(served: Served) -> None:
    begin(served)
    tablet = signed_in(served, "Maria")
    tablet.press("deal done")
    page = tablet.press("1 killed")[1]
    match = re.search(r'href="(/approve\?[^"]+)"', page)
    assert match
    parameters = {name: values[0] for name, values in parse_qs(urlsplit(match[1].replace("&amp;", "&")).query).items()}
    tablet.press("f")
    code = code_of(served.ledger, "Flo")
    assert tablet.send("/approve", **parameters, code=code)[0] == 409
    assert Tablet(served).sign_in(code) == 303  # the code is still good


def test_a_dealer_takes_back_the_last_act_and_no_ended_hand(served: Served) -> None:
    begin(served)
    tablet = signed_in(served, "Maria")
    for line in ("deal done", "f", "f", "u", "f"):
        assert tablet.press(line)[0] == 303
    while "412" in tablet.ask(KEEP)[1] and served.ask(f"/keep.json?{urlencode(TABLE)}", key=FLOOR)[1].count(
        '"running": true'
    ):
        assert tablet.press(".")[0] == 303
    status, page = tablet.press("u")
    assert status == 403
    assert "opened again" in page
    status, page = tablet.press("game holdem no-limit cash blinds 5/10 unit USD 2")
    assert status == 403
    assert tablet.press("b 2")[0] == 403
    assert tablet.press(".")[0] == 303  # the next hand, as it's proposed


def test_an_act_that_another_pressed_is_not_recorded_for_who_is_signed_in(served: Served) -> None:
    begin(served)
    tablet = signed_in(served, "Maria")
    position = json.loads(tablet.ask(KEEP.replace("/keep", "/keep.json"))[1])["position"]
    act = {**TABLE, "written": "deal done", "sender": "s1", "number": "1", "after": "0", "since": str(position)}
    status, text, _ = tablet.send("/keep.json", **act, by="somebody")
    assert status == 409
    assert "somebody else" in text
    maria = sign_ins.find_user(served.ledger, "Maria").user
    assert tablet.send("/keep.json", **act, by=maria)[0] == 200
    # the same act again, by whoever: it's recorded already
    tablet.send("/sign-out")
    enrolled(served.ledger, "Jo")
    tablet.sign_in(code_of(served.ledger, "Jo"))
    assert tablet.send("/keep.json", **act, by=maria)[0] == 200


def test_a_floor_makes_codes_for_dealers_and_each_for_himself(served: Served) -> None:
    floor, dealer = signed_in(served, "Flo", "floor"), signed_in(served, "Maria")
    maria, flo = (sign_ins.find_user(served.ledger, name).user for name in ("Maria", "Flo"))
    for who, user, name in ((floor, "", "Flo"), (floor, maria, "Maria"), (dealer, "", "Maria")):
        status, page, _ = who.send("/me", user=user)
        assert status == 200
        code = re.search(r"<b>(\d{4} \d{4})</b>", page)
        assert code
        tablet = Tablet(served)
        assert tablet.sign_in(code[1]) == 303
        assert f">{name}</a>" in tablet.ask("/tables")[1]
    assert dealer.send("/me", user=flo)[0] == 403


@pytest.mark.parametrize(
    "target", ["//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:alert(1)", "/sign-in", "evil"]
)
def test_who_signs_in_stays_here(served: Served, target: str) -> None:
    enrolled(served.ledger, "Maria")
    _, _, answer = Tablet(served).send("/sign-in", with_token=False, code=code_of(served.ledger, "Maria"), next=target)
    assert answer.getheader("location") == "/tables"


def test_pages_of_two_people_are_never_mixed(served: Served) -> None:
    maria, jo = signed_in(served, "Maria"), signed_in(served, "Jo")
    for tablet, name, other in ((maria, "Maria", "Jo"), (jo, "Jo", "Maria"), (maria, "Maria", "Jo")):
        page = tablet.ask("/tables")[1]
        assert f">{name}</a>" in page
        assert f">{other}</a>" not in page


def test_without_write_nobody_signs_in(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        enrolled(ledger, "Maria")
        port = sock.getsockname()[1]
        with listening(build_application(ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"]), sock):
            assert Tablet(Served(ledger, port)).sign_in(code_of(ledger, "Maria")) == 405


def finish_hand(tablet: Tablet) -> None:
    """Deal, fold to the last player, and confirm what is proposed."""
    for line in ("deal done", "f", "f"):
        assert tablet.press(line)[0] == 303
    while json.loads(tablet.ask(KEEP.replace("/keep", "/keep.json"))[1])["live"]["running"]:
        assert tablet.press(".")[0] == 303


def test_show_why_and_log_name_who_recorded(served: Served, run: Run) -> None:
    begin(served)
    served.ledger.append("house", HOUSE, [DeviceEnrolled("tablet-3", digest_of("k" * 40))])
    enrolled(served.ledger, "Maria")
    tablet = Tablet(served)
    tablet.ask(f"/?device={'k' * 40}")
    tablet.sign_in(code_of(served.ledger, "Maria"), KEEP)
    finish_hand(tablet)
    assert tablet.press(".")[0] == 303
    finish_hand(tablet)
    url = served.ledger.database.address.full_url
    shown = run("show", "412", "--ledger", url).out
    assert shown.count("recorded by Flo") == 1
    assert shown.count("recorded by Maria on tablet-3") == 1
    events = json.loads(run("show", "412", "--format", "json", "--ledger", url).out)["events"]
    assert events[-1]["recorder"] == {"user": "Maria", "device": "tablet-3", "approver": ""}
    assert "recorded by Maria on tablet-3" in run("why", "412", "won:3", "--ledger", url).out
    by_dealer = run("log", "--by", "dealer", "--ledger", url).out.splitlines()
    assert [line.split()[:2] for line in by_dealer if "Maria" in line] == [["Maria", "1"]]  # the hand that she began
