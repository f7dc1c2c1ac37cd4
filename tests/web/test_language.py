"""The page that keeps a table speaks the language of its address, of the choice before, or of the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store import open as open_ledger
from tests.web.serving import FLOOR, Served, serving

PAGE = "/keep?venue=Riverside&tournament=&name=T9"
ASKED = {"en": "What is played here?", "es": "¿Qué se juega aquí?", "vi": "Bàn này chơi gì?", "zh": "这桌打什么"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("spoken")
    with open_ledger(folder / "x.ledger") as ledger, serving(ledger, writes=True) as server:
        yield server


@pytest.mark.parametrize("language", ASKED)
def test_the_browser_the_address_and_the_choice_before_set_the_language(served: Served, language: str) -> None:
    by_browser = served.ask(PAGE, key=FLOOR, Accept_Language=f"de,{language};q=0.5,en;q=0.1")
    by_address = served.ask(f"{PAGE}&language={language}", key=FLOOR, Accept_Language="en")
    cookie = by_address[2].headers["set-cookie"].partition(";")[0]
    by_choice = served.ask(PAGE, key="", Cookie=f"handledger={FLOOR}; {cookie}", Accept_Language="en")
    for _, page, _ in (by_browser, by_address, by_choice):
        assert ASKED[language] in page
        assert f'<html lang="{"zh-Hans" if language == "zh" else language}">' in page
    assert by_browser[2].headers["set-cookie"] is None


@pytest.mark.parametrize("page", ["/tables", "/tables.json", "/keep"])
@pytest.mark.parametrize("text", ["", "tlh", "es%0d%0aX:%201", "%00", "es" * 9000])
def test_a_language_that_we_lack_is_english(served: Served, page: str, text: str) -> None:
    status, answer, response = served.ask(f"{page}?language={text}", key=FLOOR, Accept_Language="tlh;q=zz,,;q=")
    assert status in (200, 400, 404)
    assert "Traceback" not in answer
    assert response.headers["X"] is None
    assert 'lang="en"' in answer or page.endswith("json")


def test_one_readers_language_is_never_anothers(served: Served) -> None:
    pages = [served.ask(PAGE, key=FLOOR, Accept_Language=language)[1] for language in ("es", "zh", "es")]
    assert ['lang="es"' in page for page in pages] == [True, False, True]


@pytest.mark.parametrize("page", ["/tables", "/findings", "/rules", "/nowhere"])
def test_a_page_that_is_not_translated_is_wholly_english(served: Served, page: str) -> None:
    in_english, in_chinese = (served.ask(page, key=FLOOR, Accept_Language=language)[1] for language in ("en", "zh"))
    assert in_chinese == in_english
    assert '<html lang="en">' in in_chinese


@pytest.mark.parametrize(
    ("language", "title", "message"),
    [("es", "Falta la clave", "Esta página necesita la clave."), ("zh", "需要密钥", "这个页面需要密钥。")],
)
def test_a_refusal_of_the_tables_page_is_in_its_language(
    served: Served, language: str, title: str, message: str
) -> None:
    status, page, _ = served.ask(PAGE, key="", Accept_Language=language)
    assert status == 401
    assert title in page
    assert message in page
    assert f'lang="{"zh-Hans" if language == "zh" else language}"' in page


def test_findings_at_a_table_are_in_each_readers_language(tmp_path: Path) -> None:
    found = {"en": "The pot is short $2", "es": "entraron $4", "zh": "投入$4"}
    game = "holdem no-limit cash blinds 2/5 unit USD 2"
    hand = ["hand 1", "seat 1 Ana 500", "seat 2 Bo 500", "button 1", "1 posts small 2", "2 posts big 5", "deal done"]
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, writes=True, books=["record"]) as served:
        place = {"venue": "Riverside", "tournament": "", "name": "T9"}
        served.send("/keep", **place, game=game, seats="9")
        for line in hand:
            assert served.send("/keep", **place, written=line)[0] == 303
        for language in found:
            served.ask(PAGE, key=FLOOR, Accept_Language=language)
        served.send("/keep", **place, written="1 folds; 2 uncalled 3; 2 wins 2; end")
        for _ in range(2):
            for language, headline in found.items():
                page = served.ask(PAGE, key=FLOOR, Accept_Language=language)[1]
                assert headline in page, page
                assert ("The pot is short" in page) == (language == "en")
