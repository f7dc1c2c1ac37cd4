"""A rulebook that the house made: its clauses are cited on every page, and whatever stands in it is text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ledger.case.events import CaseOpened
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.requests.case_streams import open_case
from projections.books import rulebook
from projections.books.adoption import AdoptionScope, adopt_rulebook
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, FLOOR, Served, serving

HOSTILE = "<img src=x onerror=alert(1)>"
NUMBER = "7.<u>1</u>"
BOOK = f"""[rulebook]
title = "Lantern {HOSTILE}"
edition = "{{edition}}"
source = "{HOSTILE}"
extends = "rrop4@4-r1"
[cite]
"{{clause}}" = "{NUMBER}"
[{{clause}}]
says = "The button moves on. {HOSTILE}</script><script>alert(2)</script>"
note = "{HOSTILE}"
[policy]
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of an evening with a wrong button, under the house's own book; its file is gone."""
    folder = tmp_path_factory.mktemp("served")
    night, file = folder / "night.hand", folder / "lantern.toml"
    night.write_text(wrong_button(), encoding="utf-8")
    file.write_text(BOOK.format(edition=f"1 {HOSTILE}", clause="blinds.1b.1"))
    with open_ledger(folder / "x.ledger") as ledger:
        import_paths(ledger, [night])
        adopt_rulebook(ledger, str(file), AdoptionScope("", "", None))
        file.unlink()
        open_case(ledger, CaseOpened("", "button", "player", claim=ledger.people.text("the button")), [], "2026-1")
        with serving(ledger, writes=True) as server:
            yield server


PAGES = (
    "/tables",
    "/table?venue=Riverside&name=T7",
    "/findings",
    f"/findings?q={quote('book:lantern')}",
    "/hand?id=412",
    "/hand?id=412&book=lantern",
    "/hand?id=412&book=lantern,hilton",
    "/rules",
    "/rules?book=lantern",
    f"/rules?book=lantern&clause={quote(NUMBER)}",
    "/case?number=2026-1",
    "/keep?venue=Riverside&tournament=&name=T7",
)


@pytest.mark.parametrize("address", PAGES)
def test_what_stands_in_a_book_is_text_on_every_page(served: Served, address: str) -> None:
    status, html, _ = served.ask(address, key=FLOOR if address.startswith(("/case", "/keep")) else AUDITOR)
    assert status == 200
    assert "lantern" in html or address.startswith(("/table", "/keep"))
    for wrong in ("<img src=x", "<u>1</u>", "<script>alert"):
        assert wrong not in html


def test_its_clauses_are_cited_by_their_own_numbers(served: Served) -> None:
    (first_finding, *_) = json.loads(served.ask("/findings.json")[1])["findings"]
    assert first_finding["book"] == "lantern"
    clauses = {row["clause"] for row in json.loads(served.ask("/findings.json")[1])["findings"]}
    assert NUMBER in clauses
    document = json.loads(served.ask(f"/rules.json?book=lantern&clause={quote(NUMBER)}")[1])
    assert document["clause"]["says"].startswith("The button moves on.")
    assert "lantern" in {row["name"] for row in document["books"]}
    assert "lantern" in json.loads(served.ask("/case.json?number=2026-1", key=FLOOR)[1])["books"]


@pytest.mark.parametrize("name", ["/etc/passwd.toml", "lantern.toml", "none", "lantern@9"])
def test_a_path_in_an_address_is_no_book(served: Served, name: str) -> None:
    assert served.ask(f"/rules?book={quote(name)}")[0] in (400, 404)
    assert served.ask(f"/hand?id=412&book={quote(name)}")[0] in (400, 404)


def test_a_table_that_is_kept_goes_by_it(served: Served) -> None:
    document = json.loads(served.ask("/keep.json?venue=Riverside&tournament=&name=T7", key=FLOOR)[1])
    assert '"lantern"' in json.dumps(document)


def test_a_finding_leads_to_the_clause_of_its_own_edition(tmp_path: Path) -> None:
    night, file = tmp_path / "night.hand", tmp_path / "lantern.toml"
    night.write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [night])
        for edition, since_ms in (("1", 0), ("2", ledger.now())):
            rulebook.load.cache_clear()
            file.write_text(BOOK.format(edition=edition, clause="blinds.1b.1"))
            adopt_rulebook(ledger, str(file), AdoptionScope("", "", since_ms))
        with serving(ledger) as server:
            (finding,) = json.loads(server.ask("/findings.json")[1])["findings"]
            assert (finding["book"], finding["edition"]) == ("lantern@1", "1")
            assert "book=lantern%401" in server.ask("/findings")[1]
