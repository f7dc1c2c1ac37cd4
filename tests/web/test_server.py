"""The local web server: who is answered, what each page says, what goes wrong, what comes live."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import jsonschema
import pytest

from cli.documents.published import find_schema
from cli.serve import _choose_host
from ledger.case.events import CaseOpened
from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import open_case
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.children import child
from tests.conftest import ROOT
from tests.limits import cpu_time_limit
from tests.mentions import mentions
from tests.web.browser import chromium, needs_chromium
from tests.web.nights import NAMES, wrong_button
from tests.web.serving import FLOOR, VIEWER, Served, serving
from web.server.access.access_guard import read_key_cookie
from web.server.access.roles import WRITING_RIGHTS, AccessRight, require_right
from web.server.error_pages import RequestRefusedError
from web.server.page_drawer import PAGES

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of an evening with a wrong button, under a book that the house adopted."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "night.hand").write_text(wrong_button((NAMES[0], HOSTILE, *NAMES[2:])), encoding="utf-8")
    (folder / "broken.hand").write_text("handscript 1\nhand 9\nnobody knows this line\n", encoding="utf-8")
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [folder])
        book = rulebook.load("rrop4")
        ledger.append(
            "house", HOUSE, [RulebookAdopted(book.name, book.edition, book.digest)], recorded=Provenance(ledger.now())
        )
        opened = open_case(
            ledger, CaseOpened("", "button", "player", claim=ledger.people.text("the button")), [], "2026-1"
        )
        assert opened.number == "2026-1"
        with serving(ledger) as server:
            yield server


ADDRESSES = {
    "tables": "",
    "table": "?venue=Riverside&name=T7",
    "log": "?q=table:T7",
    "hand": "?id=412",
    "findings": "",
    "rules": "?book=hilton&clause=B15a.1",
    "house-rules": "?base=rrop4&button.method.cash_big_bet=moving&see=yes",
    "imports": "",
    "search": "?q=t7",
    "results": "?by=position",
    "person": "?name=Ana",
    "counts": "",
    "cases": "",
    "looks": "",
    "case": "?number=2026-1",
    "me": "",
}
QUESTIONS = [
    path for path, page in PAGES.items() if page.required_right not in WRITING_RIGHTS
]  # those are tried beside what they write


@pytest.mark.parametrize("path", QUESTIONS)
def test_every_page_is_there_and_so_is_its_document(served: Served, path: str) -> None:
    status, html, _ = served.ask(f"/{path}{ADDRESSES[path]}")
    assert status == 200
    assert "<main" in html
    assert "<img src=x" not in html, "a player's name acts"
    status, text, _ = served.ask(f"/{path}.json{ADDRESSES[path]}")
    assert status == 200
    document = json.loads(text)
    jsonschema.Draft202012Validator(find_schema(document["schema"].split("/")[1])).validate(document)


def test_two_letters_search_the_names_of_people_and_the_texts_of_clauses(served: Served) -> None:
    def search_kinds(letters: str) -> set[str]:
        answer = json.loads(served.ask(f"/search.json?q={letters}")[1])
        return {match["kind"] for match in answer["matches"]}

    assert {"person", "clause"} <= search_kinds("an")
    assert not {"person", "clause"} & search_kinds("a")


def test_pages_print_addresses_and_take_them(served: Served) -> None:
    finding = json.loads(served.ask("/findings.json")[1])["findings"][0]
    assert finding["show"] == f"T7/412@{finding['version']}"
    assert f">{finding['show']}</a>" in served.ask("/findings")[1]
    page = json.loads(served.ask(f"/hand.json?id={finding['show']}")[1])["hand"]
    assert page["frames"][page["first"]]["version"] == finding["version"]
    assert page["hand"]["address"] == "T7/412"
    assert f">{finding['show']}</a>" in served.ask(f"/hand?id={finding['show']}")[1]
    for path in ("/log?q=hand:T7/412", "/table?venue=Riverside&name=T7"):
        assert ">T7/412</a>" in served.ask(path)[1]
    status, html, _ = served.ask("/hand?id=T7%23412")
    assert (status, "# could mean a hand or an event" in html) == (400, True)


def test_what_is_wrong_stands_in_the_header_and_on_its_page(served: Served) -> None:
    html = served.ask("/tables")[1]
    assert "finding" in html
    assert "/findings" in html
    document = json.loads(served.ask("/findings.json")[1])
    assert document["open"] == len(document["findings"])
    assert any("Button" in row["saw"] for row in document["findings"])
    assert f"{document['open']} finding" in served.ask("/hand?id=999")[1], "nor is it gone where a page is not found"
    assert "finding" not in served.ask("/hand?id=999", key=VIEWER)[1]
    rejects = json.loads(served.ask("/imports.json")[1])["rejects"]
    assert [row["place"]["file"] for row in rejects]


def test_the_list_of_tables_tells_the_last_hand_by_its_rooms_clock(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [ROOT / "cli/samples/evening-online.txt"])
        with serving(ledger) as server:
            (line,) = json.loads(server.ask("/tables.json")[1])["tables"]
            html = server.ask("/tables")[1]
    assert (line["local"], line["zone"]) == ("2026-11-22T16:30:13", "ET")
    assert ">2026-11-22 16:30 ET</td>" in html


def test_where_no_rulebook_was_adopted_the_page_of_findings_offers_all(tmp_path: Path) -> None:
    (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
        with serving(ledger) as server:
            status, html, _ = server.ask("/findings?q=table:T7")
            assert status == 200
            for book in rulebook.list_names():
                assert f'href="/findings?q=table%3AT7&amp;book={book}"' in html
            assert "button" in server.ask("/findings?q=table%3AT7&book=rrop4")[1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/hand?id=999", 404),
        ("/hand", 400),
        ("/log?q=nonsense:", 400),
        ("/log?page=0", 400),
        ("/log?page=99999999", 400),
        ("/log?page=" + "9" * 5_000, 400),
        ("/findings?page=" + "9" * 5_000, 400),
        ("/tables?page=%C2%B2", 400),
        ("/table?name=none", 404),
        ("/rules?book=/etc/passwd", 404),
        ("/rules?book=hilton&clause=Z9", 404),
        ("/results?by=moon", 400),
        ("/nowhere", 404),
        ("/static/../application.py", 404),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(served: Served, path: str, status: int) -> None:
    answered, text, _ = served.ask(path)
    assert answered == status
    assert "Traceback" not in text
    if status == 400:
        assert json.loads(served.ask(path.replace("?", ".json?", 1) if "?" in path else f"{path}.json")[1])["message"]


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"Host": "evil.example"}, 421),
        ("GET", {"Host": "localhost.evil.example"}, 421),
        ("GET", {"Host": "127.0.0.1"}, 421),
        ("GET", {"Origin": "http://evil.example"}, 403),
        ("GET", {"Sec_Fetch_Site": "cross-site"}, 403),
        ("GET", {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "cors"}, 403),
        ("GET", {"X": "y" * 40_000}, 413),
        ("POST", {}, 405),
        ("DELETE", {}, 405),
    ],
)
def test_nobody_else_is_answered(served: Served, method: str, headers: dict[str, str], status: int) -> None:
    answered = served.ask("/tables", method=method, **headers)
    assert answered[0] == status
    assert not mentions(answered[1], "T7")


def test_the_key_is_needed_and_goes_into_a_cookie(served: Served) -> None:
    assert served.ask("/tables", key="")[0] == 401
    assert served.ask("/tables", key="b" * 32)[0] == 401
    assert served.ask("/tables?key=wrong", key="")[0] == 401
    status, _, answer = served.ask(f"/log?key={'a' * 32}&q=table:T7", key="")
    assert status == 303
    assert answer.headers["location"] == "/log?q=table%3AT7"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert served.ask(f"//evil.example?key={'a' * 32}", key="")[2].headers["location"].startswith("/evil.example")


def test_no_cookie_takes_time_that_grows_with_its_square() -> None:
    key, noise = "a" * 32, 'other="' + "\\0" * 30_000 + '"'
    with cpu_time_limit(1):
        assert read_key_cookie({"cookie": f"{noise}; handledger={key}"}) == key
        assert read_key_cookie({"cookie": f"handledger={key}{' ' * 60_000}"}) == key
        assert read_key_cookie({"cookie": noise}) == read_key_cookie({}) == ""


def test_every_answer_forbids_what_pages_do_not_need(served: Served) -> None:
    for path in ("/tables", "/nowhere", "/tables.json", "/static/page.css"):
        headers = served.ask(path)[2].headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_a_viewer_sees_no_cards_that_were_not_shown(served: Served) -> None:
    assert served.ask("/findings", key="v" * 32)[0] == 403
    assert served.ask("/imports.json", key="v" * 32)[0] == 403
    house, viewer_view = (served.ask("/hand.json?id=412", key=key)[1] for key in ("a" * 32, "v" * 32))
    assert "7s2d" in house.replace(" ", ""), "folded cards that the record tells"
    assert "7s2d" not in viewer_view.replace(" ", "")


def live(served: Served, on_position: Callable[[int], None], upto: int) -> None:
    link = HTTPConnection("127.0.0.1", served.port, timeout=30)
    link.request("GET", "/live", headers={"Host": f"127.0.0.1:{served.port}", "Cookie": f"handledger={'a' * 32}"})
    with closing(link), link.getresponse() as answer:
        while line := answer.readline():
            if line.startswith(b"data: "):
                position = int(line[6:].split()[0])
                on_position(position)
                if position >= upto:
                    return


def test_pages_are_told_that_the_log_grew_and_positions_only_rise(served: Served, tmp_path: Path) -> None:
    positions_heard: list[list[int]] = [[] for _ in range(5)]
    position_before = served.ledger.head()[0]
    threads = [
        threading.Thread(target=live, args=(served, positions.append, position_before + 1))
        for positions in positions_heard
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 20
    while not all(positions_heard) and time.monotonic() < deadline:
        time.sleep(0.05)
    (tmp_path / "more.hand").write_text(
        wrong_button().replace("venue Riverside table T7", "venue Riverside table T8"), encoding="utf-8"
    )
    import_paths(served.ledger, [tmp_path / "more.hand"])
    for thread in threads:
        thread.join(timeout=20)
    assert all(
        positions[0] == position_before and positions[-1] > position_before and positions == sorted(positions)
        for positions in positions_heard
    )
    assert "T8" in served.ask("/tables")[1]


@pytest.mark.slow
@needs_chromium
def test_a_page_in_a_browser_follows_the_log(served: Served, tmp_path: Path) -> None:
    with chromium() as browser:
        page = browser.new_page()
        messages: list[str] = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(f"http://127.0.0.1:{served.port}/?key={'a' * 32}")
        page.get_by_text("live", exact=True).wait_for()
        assert "key=" not in page.url
        (tmp_path / "late.hand").write_text(
            wrong_button().replace("venue Riverside table T7", "venue Riverside table Late"), encoding="utf-8"
        )
        import_paths(served.ledger, [tmp_path / "late.hand"])
        page.get_by_role("link", name="Late", exact=True).wait_for()
        page.get_by_role("link", name="findings", exact=True).click()
        page.locator(".found a[href^='/hand']").first.click()
        page.get_by_role("button", name="next event").click()
        assert page.locator(".now").inner_text()
        assert messages == []


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_says_where_it_is_and_ends_with_ctrl_c(tmp_path: Path, form: str) -> None:
    with open_ledger(tmp_path / "x.ledger"):
        pass
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--ledger", str(tmp_path / "x.ledger")]
    with child([*command, "--format", form], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        line = program.stdout.readline()
        if form == "json":
            while not line.endswith("\n}\n"):
                line += program.stdout.readline()
            document = json.loads(line)
            jsonschema.Draft202012Validator(find_schema("serve")).validate(document)
            address = document["addresses"][0]["url"]
        else:
            assert line.startswith("Showing ")
            address = program.stdout.readline().split()[0]
        port, key = address.removeprefix("http://127.0.0.1:").split("/?key=")
        assert Served(None, int(port)).ask("/tables", key=key)[0] == 200  # type: ignore[arg-type]  # no ledger is asked
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=30)
    assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_ends_while_pages_listen(tmp_path: Path, signal_number: signal.Signals) -> None:
    with open_ledger(tmp_path / "x.ledger"):
        pass
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--ledger", str(tmp_path / "x.ledger")]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        program.stdout.readline()
        port, key = program.stdout.readline().split()[0].removeprefix("http://127.0.0.1:").split("/?key=")
        links = [HTTPConnection("127.0.0.1", int(port), timeout=20) for _ in range(3)]
        for link in links:
            link.request("GET", "/live", headers={"Authorization": f"Bearer {key}"})
            assert link.getresponse().readline().startswith(b"id:")
        program.send_signal(signal_number)
        _, errors = program.communicate(timeout=30)
        for link in links:
            link.close()
    assert "Traceback" not in errors


def test_what_is_due_goes_by_the_book_that_the_server_was_started_with(tmp_path: Path) -> None:
    (tmp_path / "x.hand").write_text(
        "handscript 1\nvenue V  table T3\nwitness live-table\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
        "\nhand 1\nseat 1 Ana 100\nseat 2 Bo 100\nseat 3 Cy 100\nbutton 1\n2 posts small 1\n3 posts big 2\n"
        "deal done\n1 calls\n2 calls\n3 checks\nflop ?? ?? ??\n2 checks\n3 bets 2\n1 2 fold\n"
        "3 uncalled 2\n3 wins 6\nend\n"
    )
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "x.hand"])
        for books, due in (((), []), (("rrop4",), ["rrop4"])):
            with serving(ledger, books=books) as server:
                document = json.loads(server.ask("/table.json?venue=V&name=T3", key=FLOOR)[1])
                assert [table["book"] for table in (document["due"] or {"due": []})["due"]] == due
                assert [table["book"] for table in json.loads(server.ask("/tables.json")[1])["tables"]] == [*due, ""][
                    :1
                ]
                assert server.ask("/log")[1].count(">?</span>") == 3  # cards that nobody saw


def test_of_very_many_tables_those_played_last_come_first_and_a_name_finds_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = "".join(
        f"handscript 1\nvenue V  table T{number}\nwitness live-table\ngame holdem no-limit cash blinds 1/2 unit USD 2\n"
        f"\nhand {number} 2026-11-20T20:0{number}:00Z\nseat 1 Ana 100\nseat 2 Bo 100\nbutton 1\n1 posts small 1\n2 posts big 2\n"
        "deal done\n1 folds\n2 uncalled 1\n2 wins 2\nend\n"
        for number in (3, 1, 2, 5, 4)
    )
    (tmp_path / "x.hand").write_text(hands)

    def list_tables(path: str) -> tuple[list[str], bool]:
        page = json.loads(served.ask(path)[1])
        return [table["table"] for table in page["tables"]], page["more"]

    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "x.hand"])
        with serving(ledger, books=("hilton",)) as served:
            assert list_tables("/tables.json") == (["T1", "T2", "T3", "T4", "T5"], False)
            assert 'type="search"' not in served.ask("/tables")[1]
        monkeypatch.setattr("web.server.pages._TABLES_PER_PAGE", 2)
        with serving(ledger, books=("hilton",)) as served:
            assert list_tables("/tables.json") == (["T5", "T4"], True)
            assert list_tables("/tables.json?page=3") == (["T1"], False)
            assert list_tables("/tables.json?q=v+/t3") == (["T3"], False)
            html = served.ask("/tables")[1]
            assert 'type="search"' in html
            assert "/tables?q=&amp;page=2" in html
            assert "button" in served.ask("/tables?q=T3")[1]
            assert "No table" in served.ask("/tables?q=nowhere")[1]


def test_a_port_that_is_taken_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger"):
        pass
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        command = [sys.executable, "-m", "cli.main", "serve", "--port", port, "--ledger", str(tmp_path / "x.ledger")]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert "--port 0" in result.stderr


def test_a_refused_role_is_told_whose_address_serves() -> None:
    with pytest.raises(RequestRefusedError) as refusal:
        require_right("auditor", AccessRight.WORK, is_writable=True)
    assert refusal.value.error_page.message == "The auditor's key doesn't cover this: work cases."
    assert refusal.value.error_page.hint == "Sign in as a floor, or use their address."


def test_nobody_is_sent_to_an_address_that_cannot_be_opened() -> None:
    hosts = ["0.0.0.0", "127.0.0.1"]
    assert _choose_host(hosts, ()) == "127.0.0.1"
    assert _choose_host(hosts, ("room-pc",)) == "room-pc"
    assert _choose_host(["[::]"], ("room-pc",)) == "room-pc"
    assert _choose_host(["192.0.2.7", "127.0.0.1"], ("room-pc",)) == "192.0.2.7"


def test_a_program_is_told_where_a_hands_id_comes_from(served: Served) -> None:
    status, body, _ = served.ask("/hand.json?hand=T7/999")
    assert status == 400
    assert "lacks the parameter id" in body
    assert "Programs find its id in /log.json." in body
