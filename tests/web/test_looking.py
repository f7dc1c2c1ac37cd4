"""Hidden cards: opened by auditors, with a name and a reason, on record first; and who opened which is a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from cli.documents.published import find_schema
from ledger.house.events import HiddenCardsViewed
from ledger.intake import ImportOptions, import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from tests.cli.conftest import Run, run
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving

__all__ = ["run"]

FOLDED = "7s2d"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"], ImportOptions(hide_cards=True))
    with open_ledger(tmp_path / "x.ledger", read_only=True) as ledger, serving(ledger, writes=True) as running:
        yield running


def views(served: Served) -> list[HiddenCardsViewed]:
    return [event for event in served.ledger.events(HOUSE) if isinstance(event, HiddenCardsViewed)]


def hand(served: Served) -> str:
    (row,) = served.ledger.hands(number="412")
    return row.stream.hex


def cards(text: str) -> str:
    return text.replace(" ", "").replace('"', "")


def test_an_auditor_opens_hidden_cards_and_that_is_on_record_first(served: Served) -> None:
    for key in (AUDITOR, FLOOR, VIEWER):
        assert FOLDED not in cards(served.ask("/hand.json?id=412", key=key)[1])
        assert (served.ask("/hand?id=412", key=key)[1].count("Open the hidden cards") > 0) is (key == AUDITOR)
    for _ in range(2):
        status, answer = served.tell(
            "/open-cards.json", key=AUDITOR, id=hand(served), person="Iris", why="a complaint about seat 2"
        )
        assert status == 200
        jsonschema.Draft202012Validator(find_schema("page-hand")).validate(answer)
        assert FOLDED in cards(json.dumps(answer))
    events = views(served)
    assert [event.by for event in events] == ["auditor", "auditor"], "each time it is asked it is noted"
    assert {served.ledger.people.name(event.person) for event in events} == {"Iris"}
    assert {served.ledger.people.words(event.why) for event in events} == {"a complaint about seat 2"}
    assert 2 in events[0].seats
    assert FOLDED not in cards(served.ask("/hand.json?id=412")[1]), "a page that was opened is remembered for nobody"


def test_no_card_is_opened_without_a_name_a_reason_and_the_right(served: Served) -> None:
    fields = {"id": hand(served), "person": "Iris", "why": "x"}
    for key in (FLOOR, VIEWER):
        assert served.tell("/open-cards.json", key=key, **fields)[0] == 403
    for gap in ("person", "why"):
        status, answer = served.tell("/open-cards.json", key=AUDITOR, **{**fields, gap: " "})
        assert status == 400
        assert "name or the reason is missing" in answer["message"]
    status, answer = served.tell("/open-cards.json", key=AUDITOR, **{**fields, "id": "none"})
    assert status == 404
    assert views(served) == []


def test_in_the_browser_a_form_asks_and_keeps_what_was_typed(served: Served) -> None:
    page = served.ask("/hand?id=412")[1]
    token = page.partition('name="token" value="')[2][:64]
    form = f"token={token}&id={hand(served)}&person=Iris"
    headers = {"Content_Type": "application/x-www-form-urlencoded", "Origin": served.origin}
    status, text, _ = served.ask("/open-cards", method="POST", body=form.encode(), **headers)
    assert status == 400
    assert 'value="Iris"' in text
    assert views(served) == []
    status, text, _ = served.ask("/open-cards", method="POST", body=f"{form}&why=a+complaint".encode(), **headers)
    assert status == 200
    assert "are open on this page" in text
    assert len(views(served)) == 1


def test_who_opened_which_cards_is_a_page_for_auditors_whatever_opened_them(served: Served, run: Run) -> None:
    url = served.ledger.database.address.full_url
    look_options = ["--open-cards", "--why", "a dispute", "--by", "surveillance", "--person", "Jon", "--ledger", url]
    for command in (["show", "412"], ["replay", "412", "--all"], ["audit", "412", "-r", "hilton"]):
        assert run(*command, *look_options).code in (0, 1)
    assert run("report", "412", "-o", str(Path(url).with_name("r.html")), *look_options).code == 0
    served.tell("/open-cards.json", key=AUDITOR, id=hand(served), person="Iris", why="the same")
    assert [look.by for look in views(served)] == ["surveillance"] * 4 + ["auditor"]
    document = json.loads(served.ask("/looks.json")[1])
    jsonschema.Draft202012Validator(find_schema("page-looks")).validate(document)
    assert [(look["person"], look["why"], look["number"], look["program"]) for look in document["looks"]] == [
        ("Iris", "the same", "412", "serve"),
        *(("Jon", "a dispute", "412", program) for program in ("report", "audit", "replay", "show")),
    ]
    assert "Jon" in served.ask("/looks")[1]
    for key in (FLOOR, VIEWER):
        assert served.ask("/looks", key=key)[0] == 403
        assert "/looks" not in served.ask("/tables", key=key)[1]
