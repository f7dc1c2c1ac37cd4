"""The page on which a table is kept: with and without its script, and while the connection is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe

from ledger.entry import Provenance
from ledger.formats.handscript import tell
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries as told_to
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import fold_table_entries
from ledger.table.order import put_in_order
from projections.books import rulebook
from tests.web.browser import SIZES, chromium, needs_chromium, wait_until_settled
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

T7 = {"venue": "Riverside Cardroom", "tournament": "", "name": "T7"}
PAGE = f"/keep?{urlencode(T7)}"
BEGIN = (
    "hand 1",
    "seat 1 Ana 500",
    "seat 2 Bo 500",
    "seat 3 Cy 500",
    "button 1",
    "2 posts small 2",
    "3 posts big 5",
    "deal done",
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            yield server


def press(served: Served, **said: str) -> tuple[int, str]:
    status, text, _ = served.send("/keep", **T7, **said)
    return status, text


def begin(served: Served) -> None:
    assert press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")[0] == 303
    for line in BEGIN:
        assert press(served, written=line)[0] == 303


def lines(served: Served) -> list[str]:
    row = max(served.ledger.hands(), key=lambda one: one.position)
    return tell(served.ledger.events(row.stream), served.ledger.people)


def test_a_hand_is_kept_with_buttons_alone(served: Served) -> None:
    assert "What is played here?" in served.ask(PAGE, key=FLOOR)[1]
    begin(served)
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Seat 1 Ana is to act" in text
    assert "Call $5" in text
    for act in (
        {"line": "r {amount}", "amount": "15"},
        {"line": "f"},
        {"line": "c"},
        {"line": "{cards}", "cards": "7h2cKd"},
        {"line": "k"},
        {"line": "r {amount}", "amount": "20"},
        {"line": "f"},
        {"line": "."},
        {"line": "."},
        {"line": "."},
    ):
        assert press(served, **act)[0] == 303, act
    assert (
        lines(served)[-9:]
        == [
            *(
                "1 raises to 15",
                "2 folds",
                "3 calls 10",
                "flop 7h 2c Kd",
                "3 checks",
                "1 bets 20",
                "3 folds",
                "1 uncalled 20",
                "1 wins 32",
            ),
            "completed",
        ][-9:]
    )
    assert "Next hand 2" in served.ask(PAGE, key=FLOOR)[1]
    assert press(served, line=".")[0] == 303
    assert not list(served.ledger.verify())


def table_lines(served: Served) -> list[str]:
    """What the table was told, as lines, amounts in cents."""
    events = served.ledger.events(table_stream(T7["venue"], "", "T7"))
    return [
        tell([event], served.ledger.people)[0] for event in events if not isinstance(event, HandPlayed | TableOpened)
    ]


def test_between_hands_each_seat_has_a_menu_and_empty_chairs_are_taken(served: Served) -> None:
    assert press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")[0] == 303
    sits = "{seat} sits {who} walk-in[ stack {chips}]"
    assert press(served, line=sits, seat="3", who='Lu "Ace" Bo', chips="200")[0] == 303
    assert press(served, line=sits, seat="5", who="Kim", chips="")[0] == 303
    for line in ("3 away", "3 back", "5 leaves"):
        assert press(served, line=line)[0] == 303
    assert press(served, line="3 adds {chips}", chips="50")[0] == 303
    assert press(served, line="3 removes {chips}", chips="25.50")[0] == 303
    assert table_lines(served) == [
        '3 sits "Lu \\"Ace\\" Bo" walk-in stack 20000',
        "5 sits Kim walk-in",
        "3 away",
        "3 back",
        "5 leaves Kim",
        "3 adds 5000",
        "3 removes 2550",
    ]
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Lu &#34;Ace&#34; Bo" in text
    assert "$224.50" in text
    assert 'value="3 leaves"' in text
    assert "<option>3</option>" not in text
    assert "<option>5</option>" in text


def test_a_name_that_is_typed_is_never_more_than_a_name(served: Served) -> None:
    press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")
    name = 'Eve" walk-in; 4 sits "Mal \\'
    assert press(served, line="{seat} sits {who} walk-in[ stack {chips}]", seat="3", who=name, chips="")[0] == 303
    assert len(table_lines(served)) == 1
    (seat,) = fold_table_entries(put_in_order(told_to(served.ledger, TableKey(T7["venue"], "", "T7")))).seats.values()
    assert served.ledger.people.name(seat.player) == name


def test_what_is_wrong_is_said_on_the_page_and_what_was_typed_stays(served: Served) -> None:
    begin(served)
    status, text = press(served, written="1 raises 20")
    assert status == 422
    assert "Write: 1 raises to 20" in text
    assert 'value="1 raises 20"' in text


def test_a_finding_is_shown_at_once(served: Served) -> None:
    begin(served)
    press(served, written="3 calls 0")
    press(served, line="2 folds")
    assert "Found so far" in served.ask(PAGE, key=FLOOR)[1]


def test_what_only_the_end_of_a_hand_shows_is_shown_when_it_ended(served: Served) -> None:
    begin(served)
    press(served, line="1 wins 5; end")
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Found in the last hand" in text
    assert "record R1" in text


def test_the_same_press_sent_twice_is_recorded_once(served: Served) -> None:
    begin(served)
    assert press(served, line="f", once="abc")[0] == 303
    assert press(served, line="f", once="abc")[0] == 303
    assert lines(served)[-1] == "1 folds"


def test_a_page_numbers_its_acts_and_each_number_is_taken_once(served: Served) -> None:
    begin(served)
    position = json.loads(served.ask(PAGE.replace("/keep?", "/keep.json?"), key=FLOOR)[1])["position"]
    first = {"written": "f", "sender": "pad", "number": 1, "seat": 1, "since": position}
    for is_repeated in (False, True):
        status, answer = served.tell("/keep.json", **T7, **first)
        assert (status, answer["recorded"], answer["again"], answer["reached"]) == (
            200,
            True,
            is_repeated,
            position + 1,
        )
    status, answer = served.tell("/keep.json", **T7, **{**first, "written": "c"})
    assert (status, answer["last"]) == (409, 1)
    assert answer["message"] == "something else is recorded under this key: 1 folds"
    status, answer = served.tell("/keep.json", **T7, written="c", sender="pad", number=3, seat=2)
    assert (status, answer["last"], answer["message"]) == (
        *(409, 1),
        "act 2 is missing: act 3 of this page comes after it",
    )
    assert served.tell("/keep.json", **T7, written="c", sender="pad", number=2, seat=2)[0] == 200
    assert lines(served)[-2:] == ["1 folds", "2 calls 3"]


def test_braces_in_a_numbered_act_are_words(served: Served) -> None:
    begin(served)
    position = json.loads(served.ask(PAGE.replace("/keep?", "/keep.json?"), key=FLOOR)[1])["position"]
    act = {"written": 'remark "a {who} b[ {x}]"', "sender": "pad", "number": 1, "since": position}
    assert served.tell("/keep.json", **T7, **act)[0] == 200
    assert lines(served)[-1] == 'remark "a {who} b[ {x}]"'


def test_who_is_late_is_told_what_the_other_did(served: Served) -> None:
    begin(served)
    assert press(served, line="f", behind="9")[0] == 303
    status, text = press(served, line="c", behind="9")
    assert status == 409
    assert "this table has moved on" in text
    assert "1 folds" in text


def test_who_is_ahead_is_told_what_is_missing(served: Served) -> None:
    begin(served)
    status, text = press(served, line="f", behind="12")
    assert status == 409
    assert "this hand has 9 events, not 12: events 10 to 12 are missing" in text
    assert "the hand ended" not in text


@pytest.mark.parametrize("key", [AUDITOR, VIEWER])
def test_only_the_floor_keeps_tables(served: Served, key: str) -> None:
    assert served.ask(PAGE, key=key)[0] == 403


def test_for_reading_there_is_no_such_page(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger) as server:
        assert server.ask(PAGE, key=FLOOR)[0] == 403
        assert server.ask("/api/1/me", key=FLOOR)[0] == 404


# in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def opened(browser: Browser, served: Served, size: str = "laptop", *, script: bool = True, dark: bool = True) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled=script,
        color_scheme="dark" if dark else "light",
    )
    page = context.new_page()
    page.goto(f"{served.origin}{PAGE}&key={FLOOR}")
    return page


def holding_a_page(page: Page) -> list[Route]:
    """Hold back the page that the script asks for next; those behind it come at once."""
    routes: list[Route] = []
    page.route("**/keep?*", lambda route: route.continue_() if routes else routes.append(route))
    return routes


def wait_for_request(page: Page, routes: list[Route]) -> None:
    """Wait until the page that is held back was asked for."""
    while not routes:
        page.wait_for_timeout(20)


@needs_chromium
@pytest.mark.slow
def test_a_tablet_keeps_a_hand_and_its_events_are_those_of_the_file(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.get_by_role("button", name="Call $5").click()
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_label("Flop").focus()
    for key in ("7", "♥", "2", "♣", "K", "♦"):
        page.get_by_role("button", name=f"card: {key}").click()
    page.get_by_role("button", name="Deal it").click()
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    wait_until_settled(page)
    assert lines(served)[-4:] == ["1 calls 5", "2 folds", "3 checks", "flop 7h 2c Kd"]


@needs_chromium
@pytest.mark.slow
def test_a_tablet_tells_who_comes_and_goes_between_hands(browser: Browser, served: Served) -> None:
    press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")
    page = opened(browser, served)
    for seat, name in (("2", "Bo Lee"), ("7", 'Al "x" \\ Z')):
        page.get_by_text("Somebody sits down").click()
        page.locator(".arrives select").select_option(seat)
        page.locator(".arrives input[name=who]").fill(name)
        page.locator(".arrives input[name=chips]").fill("300")
        page.get_by_role("button", name="sits").click()
        page.locator(".seats summary", has_text=name).wait_for()
    seven = page.locator(".seats li", has_text="Al")
    seven.locator("summary").click()
    seven.get_by_role("button", name="away").click()
    page.locator(".seats li.left-out", has_text="Al").wait_for()
    assert Axe().run(page).violations_count == 0
    wait_until_settled(page)
    assert table_lines(served)[-1] == "7 away"


@needs_chromium
@pytest.mark.slow
def test_what_is_typed_while_the_line_before_is_on_its_way_stays(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.context.set_offline(True)
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_text("No connection: 1 waiting").wait_for()
    page.get_by_role("combobox", name="a line").fill("2 cal")
    page.context.set_offline(False)
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    assert page.get_by_role("combobox", name="a line").input_value() == "2 cal"


@needs_chromium
@pytest.mark.slow
def test_a_line_that_is_refused_is_answered_with_the_right_one_and_stays_to_be_put_right(
    browser: Browser, served: Served
) -> None:
    begin(served)
    page = opened(browser, served)
    field = page.get_by_role("combobox", name="a line")
    field.fill("1 raises 20")
    page.get_by_role("button", name="Record").click()
    page.get_by_text("Write: 1 raises to 20").wait_for()
    assert field.input_value() == "1 raises 20"


@needs_chromium
@pytest.mark.slow
def test_what_is_pressed_without_a_connection_is_kept_and_sent_in_its_order(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.context.set_offline(True)
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_text("No connection: 1 waiting").wait_for()
    for line in ("2 calls 3", "3 checks"):
        page.get_by_role("combobox", name="a line").fill(line)
        page.get_by_role("button", name="Record").click()
    page.get_by_text("No connection: 3 waiting").wait_for()
    assert lines(served)[-1] == "deal done"
    page.context.set_offline(False)
    page.get_by_text("Flop", exact=True).wait_for()
    wait_until_settled(page)
    assert lines(served)[-3:] == ["1 folds", "2 calls 3", "3 checks"]


@needs_chromium
@pytest.mark.slow
def test_what_is_pressed_before_the_page_shows_the_last_line_is_recorded_behind_it(
    browser: Browser, served: Served
) -> None:
    begin(served)
    page = opened(browser, served)
    routes = holding_a_page(page)
    page.get_by_role("button", name="Fold", exact=True).click()
    wait_for_request(page, routes)
    for line in ("2 calls 3", "3 checks"):
        page.get_by_role("combobox", name="a line").fill(line)
        page.get_by_role("button", name="Record").click()
    routes[0].continue_()
    page.get_by_text("Flop", exact=True).wait_for()
    wait_until_settled(page)
    assert lines(served)[-3:] == ["1 folds", "2 calls 3", "3 checks"]


@needs_chromium
@pytest.mark.slow
def test_two_taps_are_two_acts_however_fast(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.get_by_role("button", name="Fold", exact=True).dblclick()
    page.get_by_text("uncalled").first.wait_for()
    wait_until_settled(page)
    assert [line for line in lines(served) if line.endswith("folds")] == ["1 folds", "2 folds"]


@needs_chromium
@pytest.mark.slow
def test_a_page_that_was_drawn_before_a_press_does_not_come_back_behind_it(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    routes = holding_a_page(page)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('log-grown'))")
    wait_for_request(page, routes)
    old = routes[0].fetch()
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    routes[0].fulfill(response=old)
    page.get_by_role("button", name="Call $3").click()
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    wait_until_settled(page)
    assert lines(served)[-2:] == ["1 folds", "2 calls 3"]


@needs_chromium
@pytest.mark.slow
def test_a_button_under_a_finger_is_not_drawn_anew(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.get_by_role("button", name="Fold", exact=True).hover()
    page.mouse.down()
    with page.expect_response("**/keep?*"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('log-grown'))")
    page.wait_for_timeout(50)
    page.mouse.up()
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    wait_until_settled(page)
    assert lines(served)[-1] == "1 folds"


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("dark", [True, False])
def test_a_screen_reader_can_use_it_and_fingers_too(browser: Browser, served: Served, size: str, dark: bool) -> None:
    begin(served)
    page = opened(browser, served, size, dark=dark)
    assert Axe().run(page).violations_count == 0
    for button in page.locator(".acts form:first-child button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


@needs_chromium
@pytest.mark.slow
def test_it_works_without_a_script(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served, script=False)
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    assert lines(served)[-1] == "1 folds"
