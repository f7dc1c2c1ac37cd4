"""A house writes its own rules on a page: questions, the preview, the file, and the adoption."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.house.events import FindingChanged, RulebookAdopted
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.books.adoption import AdoptionScope, adopt_rulebook
from projections.books.house_questions import QUESTIONS
from projections.books.shelf import Shelf
from projections.tables import book_comparison
from tests.cli.conftest import Run, run
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving
from web.server.judging_worker import JudgingWorker

__all__ = ["run"]

MOVING = {"base": "rrop4", "button.method.cash_big_bet": "moving"}
HOSTILE = "<img src=x onerror=alert(1)>"
_NOT_TRANSLATED = re.compile(
    r'<(\w+)[^>]*(?:translate="no"|class="clause")[^>]*>.*?</\1>|<(code|pre|script)\b.*?</\2>', re.DOTALL
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
        with serving(ledger, writes=True) as running:
            yield running


def address(fields: dict[str, str], page: str = "/house-rules") -> str:
    return f"{page}?{urlencode(fields)}"


def document(served: Served, fields: dict[str, str], key: str = AUDITOR) -> dict:  # type: ignore[type-arg]  # JSON
    status, text, _ = served.ask(address(fields, "/house-rules.json"), key=key)
    assert status == 200
    page: dict = json.loads(text)  # type: ignore[type-arg]  # as above
    jsonschema.Draft202012Validator(find_schema("page-house-rules")).validate(page)
    return page


def events(served: Served) -> list[RulebookAdopted]:
    return [event for event in served.ledger.events(HOUSE) if isinstance(event, RulebookAdopted)]


def adopt(served: Served, fields: dict[str, str], **others: str) -> tuple[int, str, str]:
    """Send the form. Return the status, the page, and where it leads."""
    form = {"version": str(document(served, {})["version"]), "name": "my-room", **fields, **others}
    status, text, answer = served.send("/house-rules", **form)
    return status, text, answer.headers.get("location") or ""


def test_every_point_is_asked_with_the_answer_of_the_book(served: Served) -> None:
    html = unescape(served.ask("/house-rules?base=rrop4")[1])
    for question in QUESTIONS.values():
        assert question.text in html
    assert "As in rrop4: The house chooses for each game" in html
    assert html.count("rrop4 is silent") == sum(rulebook.load("rrop4").policy.get(key) is None for key in QUESTIONS)
    page = document(served, {"base": "rrop4"})
    assert [point["key"] for point in page["points"]] == list(QUESTIONS)
    assert page["changed"] == 0
    assert page["toml"] == ""


@pytest.mark.parametrize("name", rulebook.list_names())
def test_any_book_can_be_the_start(served: Served, name: str) -> None:
    page = document(served, {"base": name})
    assert (page["base"], page["changed"], page["problems"]) == (name, 0, {})
    assert served.ask(address({"base": name}))[0] == 200


def test_the_preview_is_what_rules_diff_says(served: Served, run: Run, tmp_path: Path) -> None:
    page = document(served, {**MOVING, "see": "yes", "against": "base"})
    comparison = page["comparison"]
    (tmp_path / "draft.toml").write_text(page["toml"], encoding="utf-8")
    url = served.ledger.database.address.full_url
    told = json.loads(
        run("rules", "diff", "rrop4", str(tmp_path / "draft.toml"), "--ledger", url, "--format", "json").out
    )
    assert comparison["hands"] == told["hands"] == 2
    assert [(change["becomes"], (change["new"] or change["old"])["saw"]) for change in comparison["findings"]] == [
        (turn["becomes"], (turn["new"] or turn["old"])["saw"]) for turn in told["turns"]
    ]
    assert comparison["at_stake"] == [stake for stake in told["at_stake"] if stake["chips"]]
    assert comparison["counts"] == {"appears": 1, "vanishes": 1, "changes": 0}
    html = served.ask(address({**MOVING, "see": "yes"}))[1]
    assert "2 hands were judged under both books." in html
    assert "Period: 2026-10-20 to 2026-11-20 22:41, UTC." in html
    assert "New findings: 1 · $3" in html


def test_dues_that_change_are_named(served: Served, tmp_path: Path) -> None:
    changes = {"base": "hilton", "button.method.cash_big_bet": "dead", "see": "yes"}
    assert document(served, changes)["comparison"]["dues"] == []
    assert "The dues on the next hands are the same." in served.ask(address(changes))[1]
    (tmp_path / "later.hand").write_text(wrong_button() + '\n6 leaves "Flo" left stack 398\n', encoding="utf-8")
    with open_ledger(tmp_path / "later.ledger") as ledger:
        import_paths(ledger, [tmp_path / "later.hand"])
        with serving(ledger) as server:
            (dues,) = document(server, changes)["comparison"]["dues"]
            html = unescape(server.ask(address(changes))[1])
    assert dues["table"] == "T7"
    assert "Small blind $2 seat 2 (Bo), big blind $5 seat 3 (Cy)" in dues["old"]
    assert "Small blind $2 seat 1 (Ana), big blind $5 seat 2 (Bo)" in dues["new"]
    assert "What is due on the next hand: 1 table differs" in html
    assert dues["new"] in html


def test_a_preview_leaves_nothing_in_the_ledger(served: Served) -> None:
    head = served.ledger.head()
    document(served, {**MOVING, "see": "yes"})
    assert served.ledger.head() == head
    assert "draft" not in Shelf(served.ledger).list_names()
    with served.ledger.database.reading() as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        kept = connection.execute("SELECT book FROM judgements").fetchall() if "judgements" in tables else []
    assert ("draft",) not in [tuple(row) for row in kept]


def test_the_process_that_judges_compares_and_says_how_far_it_is(served: Served) -> None:
    draft = {**MOVING, "see": "yes"}
    expected = document(served, draft)["comparison"]
    with JudgingWorker(served.ledger, wait_seconds=120.0) as worker:
        served.ledger.judging = worker
        try:
            assert document(served, draft)["comparison"] == expected
        finally:
            served.ledger.judging = None
    with JudgingWorker(served.ledger, wait_seconds=0.0) as worker:
        served.ledger.judging = worker
        try:
            html = served.ask(address({**MOVING, "see": "yes"}))[1]
            assert "Judging the hands of the last month" in html
            assert 'hx-trigger="every 2s"' in html
            while (page := document(served, draft))["comparing"]:
                assert page["judged"] <= page["total"]
            assert page["comparison"] == expected
        finally:
            served.ledger.judging = None


def test_too_many_hands_are_left_out_and_it_is_said(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_comparison, "MAX_JUDGED_HANDS", 1)
    comparison = document(served, {**MOVING, "see": "yes"})["comparison"]
    assert (comparison["tables"], comparison["tables_left_out"], comparison["hands"]) == (0, 1, 0)
    html = served.ask(address({**MOVING, "see": "yes"}))[1]
    assert "1 table is left out: it has too many hands for this page." in html


def test_older_hands_are_judged_and_not_compared(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_comparison, "RECENT_MILLIS", 60_000)
    comparison = document(served, {**MOVING, "see": "yes"})["comparison"]
    assert (comparison["hands"], comparison["judged_hands"]) == (1, 2)


def test_an_empty_ledger_says_that_there_is_nothing_to_compare(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger) as server:
        assert server.ask(address(MOVING))[0] == 200
        status, html, _ = server.ask(address({**MOVING, "see": "yes"}))
        assert "There are no hands to compare." in html
        assert status == 200


def test_a_viewer_sees_the_questions_and_no_finding(served: Served) -> None:
    assert served.ask(address({**MOVING, "see": "yes"}), key=VIEWER)[0] == 200
    assert document(served, {**MOVING, "see": "yes"}, key=VIEWER)["comparison"] is None


def test_the_file_can_be_downloaded_and_loads(served: Served, tmp_path: Path) -> None:
    fields = {**MOVING, "name": "my-room", "title": "The Rose", "edition": "3"}
    status, text, answer = served.ask(address(fields, "/house-rules.toml"))
    assert status == 200
    assert "my-room.toml" in (answer.headers["content-disposition"] or "")
    (tmp_path / "my-room.toml").write_text(text, encoding="utf-8")
    book = rulebook.load(str(tmp_path / "my-room.toml"))
    assert (book.title, book.edition, book.policy.value("button.method.cash_big_bet")) == ("The Rose", "3", "moving")
    assert text == document(served, fields)["toml"]
    assert served.ask(address({"base": "rrop4"}, "/house-rules.toml"))[0] == 400
    assert served.ask(address({"base": "none"}, "/house-rules.toml"))[0] == 404
    assert served.ask(address(fields, "/house-rules.toml"), key="")[0] == 401


def test_a_house_states_its_games_and_rake_in_lines(served: Served) -> None:
    lines = {"house.games": "limit holdem 2/4\r\nno-limit holdem 1/2", "house.rake": "holdem: 5% up to 5"}
    page = document(served, {"base": "rrop4", **lines})
    assert (page["changed"], page["problems"]) == (2, {})
    tables = tomllib.loads(page["toml"])
    assert tables["policy"]["house.rake"]["is"] == [{"percent": 5, "cap": 5, "game": "holdem"}]
    assert tables["house"]["rake"]["1"]["says"] == "The house takes at most: holdem: 5% up to 5."
    html = served.ask(address({"base": "rrop4", **lines}))[1]
    assert ">holdem: 5% up to 5</textarea>" in html
    fields = [field for point in page["points"] for field in point["fields"] if field["kind"] == "lines"]
    assert [field["text"] for field in fields][1:] == ["holdem: 5% up to 5", ""]
    assert "no flop no drop" in fields[1]["example"]


def test_the_floor_adopts_the_book_as_rules_adopt_does(served: Served, tmp_path: Path) -> None:
    toml = document(served, {**MOVING, "name": "my-room"})["toml"]
    status, _, location = adopt(served, MOVING, since="2026-11-01", venue="Riverside", table="T7")
    assert status == 303
    html = served.ask(location, key=FLOOR)[1]
    assert "my-room (1) is adopted at table T7 of Riverside, from 2026-11-01 00:00 UTC on." in html
    (event,) = events(served)
    (tmp_path / "my-room.toml").write_text(toml, encoding="utf-8")
    with open_ledger(tmp_path / "y.ledger") as other:
        scope = AdoptionScope("Riverside", "T7", 1_793_491_200_000)
        adopt_rulebook(other, str(tmp_path / "my-room.toml"), scope)
        (expected,) = [entry for entry in other.events(HOUSE) if isinstance(entry, RulebookAdopted)]
    assert event == expected
    assert Shelf(served.ledger).load("my-room").policy.value("button.method.cash_big_bet") == "moving"
    assert [event.book for event in served.ledger.events(HOUSE) if isinstance(event, FindingChanged)] == ["my-room"]
    assert "my-room at table T7: 1 new, " in html


def test_the_own_book_is_the_next_start_and_gets_the_next_edition(served: Served) -> None:
    assert adopt(served, MOVING)[0] == 303
    page = document(served, {})
    assert (page["base"], page["own"], page["name"], page["edition"]) == ("my-room", True, "my-room", "2")
    assert page["in_force"] == "my-room (1)"
    changes = {"base": "my-room", "button.buy": "yes", "see": "yes"}
    page = document(served, changes)
    assert page["against"] == "force"
    assert page["comparison"]["counts"] == {"appears": 0, "vanishes": 0, "changes": 0}
    tables = tomllib.loads(page["toml"])
    assert set(tables["policy"]) == {"button.method.cash_big_bet", "button.buy"}
    assert adopt(served, changes, name="", since="2026-11-21")[0] == 303
    assert [(event.book, event.edition) for event in events(served)] == [("my-room", "1"), ("my-room", "2")]


def test_only_the_floor_of_a_writable_server_adopts(served: Served) -> None:
    assert "Adopt this book" in served.ask(address(MOVING), key=FLOOR)[1]
    for key in (AUDITOR, VIEWER):
        assert "Adopt this book" not in served.ask(address(MOVING), key=key)[1]
        assert served.tell("/house-rules.json", key=key, **MOVING, name="x", version="0")[0] == 403
    with serving(served.ledger) as reading:
        assert "Adopt this book" not in reading.ask(address(MOVING), key=FLOOR)[1]
        assert reading.tell("/house-rules.json", key=FLOOR, **MOVING, name="x", version="0")[0] in (403, 405)
    assert events(served) == []


def test_a_form_of_another_site_is_refused(served: Served) -> None:
    body = urlencode({**MOVING, "name": "my-room", "version": "0", "token": "0" * 64}).encode()
    headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": served.origin}
    assert served.ask("/house-rules", key=FLOOR, method="POST", body=body, **headers)[0] == 403
    assert events(served) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": ""}, "Write a name of up to 60 letters"),
        ({"name": HOSTILE}, "Write a name of up to 60 letters"),
        ({"name": "rrop4"}, "Choose another, such as our-rrop4."),
        ({"title": "a\x07b"}, "Write a title of up to 120 characters."),
        ({"edition": "e" * 61}, "Write an edition of up to 60 characters"),
        ({"betting.raise_cap": HOSTILE}, "Write a whole number from 0 to 99."),
        ({"house.rake": HOSTILE}, "Line 1: I can't read"),
        ({"deal.exposed.index1": "replaced"}, "This card is a misdeal in one answer and not in the other."),
        ({"entry.lowball_multiple/off": "yes"}, "be loaded with this answer"),
        ({"since": "next week"}, "next week"),
        ({"table": "T99"}, "There is no hand from this room or table."),
        ({"version": "x"}, "The form lacks its version."),
    ],
)
def test_a_refused_form_loses_no_answer(served: Served, wrong: dict[str, str], words: str) -> None:
    answers = {"missed.marker": "no", "straddle.max_count/most": "4", "name": "the-rose", "title": "Rose & <Crown>"}
    answers |= {"missed.ways_back": "list", "missed.ways_back/big-blind": "yes", **wrong}
    status, html, _ = adopt(served, MOVING, **answers)
    assert status in (400, 409, 422)
    assert events(served) == []
    assert words in unescape(html)
    assert HOSTILE not in html
    assert 'name="missed.marker" value="no" checked' in html
    assert 'name="button.method.cash_big_bet" value="moving" checked' in html
    assert re.search(r'name="straddle.max_count/most" value="4"', html)
    assert 'name="missed.ways_back/big-blind" value="yes" checked' in html
    assert 'name="missed.ways_back/post" value="yes">' in html
    if "title" not in wrong:
        assert 'value="Rose &amp; &lt;Crown&gt;"' in html
    if wrong.get("name") is None:
        assert 'value="the-rose"' in html


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
@pytest.mark.parametrize(
    "answers",
    [
        {},
        {**MOVING, "see": "yes"},
        {"base": "hilton", "button.method.cash_big_bet": "dead", "house.rake": "?", "house.games": "?\n" * 300},
        {"straddle.allowed": "no", "missed.ways_back": "list", "missed.ways_back/straddle": "yes", "name": "rrop4"},
        {"entry.lowball_multiple/off": "yes", "betting.raise_cap": "-1", "missed.marker": "?", "title": "t" * 121},
    ],
)
def test_the_page_is_in_the_browsers_language(served: Served, answers: dict[str, str], language: str) -> None:
    """No English is left but names, clauses, and lines that are typed."""
    page = address({"base": "rrop4", "sent": "yes", **answers})
    english, translated = (_list_texts(served.ask(page, Accept_Language=tag)[1]) for tag in ("en", language))
    assert len(translated) > 200
    same_texts = {text for text in english & translated if re.search("[A-Za-z]{3}", text)}
    assert same_texts <= {"x.ledger", "Riverside", "Straddle", *rulebook.list_names()}


def _list_texts(html: str) -> set[str]:
    """Return what a page shows or reads out, without what no language changes."""
    shown_texts = re.findall(r">([^<>]+)<", _NOT_TRANSLATED.sub("", html))
    return {unescape(text).strip(" :\n") for text in (*shown_texts, *re.findall(r'aria-label="([^"]+)"', html))}


def test_an_unchanged_book_is_no_book_of_ones_own(served: Served) -> None:
    status, html, _ = adopt(served, {"base": "rrop4"})
    assert status == 400
    assert "Nothing is changed" in html
    assert events(served) == []


def test_the_same_edition_with_another_text_is_refused(served: Served) -> None:
    assert adopt(served, MOVING)[0] == 303
    status, html, _ = adopt(served, {"base": "rrop4", "button.buy": "yes"}, edition="1")
    assert status == 400
    assert "Edition 1 of my-room is adopted with another text. Write another edition." in html
    assert len(events(served)) == 1


def test_two_people_who_adopt_at_once_do_not_overrule_each_other(served: Served) -> None:
    version = str(document(served, {})["version"])
    assert adopt(served, MOVING, version=version)[0] == 303
    late = {"base": "rrop4", "button.buy": "yes", "name": "other", "version": version}
    status, html, _ = adopt(served, late)
    assert status == 409
    assert "Somebody adopted or retired a rulebook since you opened the page." in html
    assert 'name="button.buy" value="yes" checked' in html
    assert len(events(served)) == 1
    (new_version,) = re.findall(r'name="version" value="(\d+)"', html)
    assert adopt(served, {**late, "version": new_version})[0] == 303
    assert len(events(served)) == 2


def test_of_two_forms_that_arrive_together_one_is_recorded(served: Served) -> None:
    version, token = str(document(served, {})["version"]), served.token()
    drafts = [
        {"base": "rrop4", "button.buy": answer, "name": name, "version": version, "token": token}
        for name, answer in (("ours", "yes"), ("theirs", "no"))
    ]
    headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": served.origin}

    def send(draft: dict[str, str]) -> int:
        body = urlencode(draft).encode()
        return served.ask("/house-rules", key=FLOOR, method="POST", body=body, **headers)[0]

    with ThreadPoolExecutor(len(drafts)) as pool:
        statuses = list(pool.map(send, drafts))
    assert sorted(statuses) == [303, 409]
    assert len(events(served)) == 1


def test_a_form_that_is_sent_twice_is_recorded_once(served: Served) -> None:
    version = str(document(served, {})["version"])
    for _ in range(2):
        assert adopt(served, MOVING, version=version)[0] == 303
    assert len(events(served)) == 1


def test_a_program_adopts_with_json(served: Served) -> None:
    version = document(served, {})["version"]
    status, page = served.tell("/house-rules.json", **MOVING, name="my-room", version=str(version))
    assert status == 201
    jsonschema.Draft202012Validator(find_schema("page-house-rules")).validate(page)
    assert page["done"][0] == "my-room (1) is adopted in every room, for all hands."
    status, problem = served.tell("/house-rules.json", **MOVING, name="my room", version=str(version))
    assert status == 400
    assert "Some answers don" in problem["message"]
    assert "Write a name" in problem["hint"]


@pytest.mark.parametrize("name", ["none", "/etc/passwd.toml", "../x.toml", "record", "rrop4@9", HOSTILE])
def test_a_base_that_is_no_book_is_refused(served: Served, name: str) -> None:
    status, html, _ = served.ask(address({"base": name}))
    assert status == 404
    assert HOSTILE not in html


def test_hostile_texts_stay_texts(served: Served) -> None:
    fields = {**MOVING, "title": HOSTILE, "edition": HOSTILE, "name": "my-room", "against": HOSTILE, "see": HOSTILE}
    html = served.ask(address(fields))[1]
    assert HOSTILE not in html
    status, _, location = adopt(served, fields)
    assert status == 303
    assert HOSTILE not in served.ask(location, key=FLOOR)[1]
    assert HOSTILE not in served.ask("/house-rules", key=FLOOR)[1]
    assert events(served)[0].edition == HOSTILE


def test_the_rules_page_leads_to_it(served: Served) -> None:
    assert 'href="/house-rules"' in served.ask("/rules")[1]
    assert 'href="/house-rules?base=hilton"' in served.ask("/rules?book=hilton")[1]
