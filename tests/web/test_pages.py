"""The document of a page says what the ledger's own fold and judgement say, and nothing that its eyes may not see."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.hand.fold import fold
from ledger.replay import list_corrected
from ledger.store import Ledger
from projections.audit.knock_on import ButtonAndBlinds
from tests.conftest import scale_examples
from tests.evenings import ROOMS, evening
from tests.evenings.script import script
from tests.web.conftest import Opened, html_of, page_of
from tests.web.nights import table_of, wrong_button
from web.pages.documents import HandPage
from web.pages.hand_frames import Viewer, parse_audience
from web.pages.hand_page import build_pages
from web.pages.page_judgement import BookChoice, choose_default_books

HIDDEN = ("Jc", "7s", "2d", "9c", "4h")  # of seats 1, 2 and 6, who folded


def as_folded(ledger: Ledger, page: HandPage) -> None:
    """Compare every frame of a page with the state that the fold has after as many events."""
    events = [event for _, event in list_corrected(ledger.events(next(ledger.hands(number=page.hand.number)).stream))]
    assert len(page.frames) == len(events)
    for count, frame in enumerate(page.frames, 1):
        state = fold(events[:count])
        for seat in frame.seats:
            assert (seat.stack, seat.bet, seat.put) == (
                state.stack(seat.seat),
                state.street_bet(seat.seat),
                state.chips.put_in.get(seat.seat, 0),
            )
        assert sum(pot.amount for pot in frame.pots) == state.pot_size()


def test_each_frame_has_the_money_of_the_fold(wrong: Ledger) -> None:
    as_folded(wrong, page_of(wrong, "412", "rrop4"))


def test_money_sums_to_zero_and_is_that_of_the_hand(wrong: Ledger) -> None:
    money = page_of(wrong, "412", "rrop4").money
    assert sum(account.net for account in money.accounts) == 0
    assert {account.seat: account.net for account in money.accounts} == {1: -15, 2: 0, 3: -382, 5: 394, 6: -2, None: 5}


@settings(max_examples=scale_examples(8))
@given(room=st.sampled_from(sorted(ROOMS)), seed=st.integers(0, 10_000))
def test_money_of_any_evening_sums_to_zero(room: str, seed: int, opened: Opened) -> None:
    ledger = opened(script(evening(room, seed, 3)))
    for page in build_pages(ledger, ledger.hands(), BookChoice([]), Viewer()):
        assert sum(account.net for account in page.money.accounts) == 0
        as_folded(ledger, page)


def test_what_a_book_says_of_button_and_blinds(wrong: Ledger) -> None:
    page = page_of(wrong, "412", "rrop4", "hilton")
    dead, moving, record = page.judgements
    assert page.recorded == ButtonAndBlinds(5, 6, 1)
    assert (dead.should, dead.is_position_right) == (ButtonAndBlinds(4, 5, 6), False)
    assert (moving.should, moving.is_position_right) == (ButtonAndBlinds(5, 6, 1), True)
    assert record.should is None
    assert [finding.clause for finding in dead.findings] == ["blinds.1b.1"]
    assert not moving.findings
    assert dead.knock_on is not None
    assert {share.seat: share.amount for share in dead.knock_on.money} == {1: 5, 5: -2, 6: -3}
    assert any("blinds.1b.2" in ground.clauses for ground in dead.position_grounds[0])
    assert 4 in [chair.seat for chair in page.chairs], "the empty seat of the button is drawn"


def test_without_a_book_a_page_goes_by_the_record(wrong: Ledger) -> None:
    row = next(wrong.hands(number="412"))
    (page,) = build_pages(wrong, [row], choose_default_books(wrong, [row]), Viewer())
    assert page.judgements[0].book.name == "record"
    assert "tda2024" not in [judgement.book.name for judgement in page.judgements], (
        "it has nothing to say of a cash game"
    )
    assert "No rulebook was chosen" in html_of(wrong, page)


def test_a_page_opens_at_the_first_wrong_but_not_before_the_deal(wrong: Ledger) -> None:
    page = page_of(wrong, "412", "rrop4")
    assert page.frames[page.first].event_text == "the cards are dealt"


def test_pieces_of_the_source_make_up_its_text(wrong: Ledger) -> None:
    page = page_of(wrong, "412", "rrop4")
    assert page.source is not None
    text = "".join(segment.text for segment in page.source.segments)
    assert text.startswith("hand 412 ")
    assert text.rstrip().endswith("end")
    index = next(index for index, frame in enumerate(page.frames) if frame.event_text.startswith("the button"))
    assert [piece.text for piece in page.source.segments if index in piece.frames] == ["button 5"]


@pytest.mark.parametrize("audience", ["public", "5", "3"])
def test_hidden_cards_are_not_in_the_bytes(audience: str, wrong: Ledger) -> None:
    house_html = html_of(wrong, page_of(wrong, "412", "rrop4"))
    for card in (*HIDDEN, "AhAd", "Ah Ad"):
        assert card in house_html, "for the house all are there: this test can see them"
    eyes = Viewer(audience)
    html = html_of(wrong, page_of(wrong, "412", "rrop4", eyes=eyes), eyes=eyes)
    body = html.split("</style>")[1].split('<script>"use strict"')[0]
    body = re.sub(r"[0-9a-f]{8,}", "", body)  # hashes: 9c may stand in any of them
    for card in HIDDEN:
        assert card not in body
    for card in ("AhAd", "Ah Ad"):
        assert (card in body) == (audience == "3"), "aces were thrown away unseen"
    assert "KsKc" in body, "they were shown"
    assert "leaves out the bytes of the source" in body


def test_names_are_not_in_the_bytes(wrong: Ledger) -> None:
    assert "Flo" in html_of(wrong, page_of(wrong, "412", "rrop4"))
    for naming in ("position", "pseudonym"):
        eyes = Viewer(naming=naming)
        html = html_of(wrong, page_of(wrong, "412", "rrop4", eyes=eyes), eyes=eyes)
        for name in ("Ana", "Bo<", "Cy<", "Dee", "Eli", "Flo", "night.hand"):
            assert name not in html


def test_findings_for_other_eyes_are_those_of_the_house(wrong: Ledger) -> None:
    house = page_of(wrong, "412", "rrop4").judgements[0].findings
    findings = page_of(wrong, "412", "rrop4", eyes=Viewer("5")).judgements[0].findings
    assert [(finding.fingerprint, finding.version) for finding in findings] == [
        (finding.fingerprint, finding.version) for finding in house
    ]


def test_audiences_as_people_say_them() -> None:
    spellings = ["floor", "house", "public", "5", "seat:5", "seat5", "Anna"]
    assert [parse_audience(spelling) for spelling in spellings] == ["house", "house", "public", "5", "5", "5", "Anna"]


def test_a_long_hand_stays_small(opened: Opened) -> None:
    lines = wrong_button().splitlines()
    index = lines.index("flop 7h 2c Kd")
    extra = [f'remark "the clock shows {number}"' for number in range(40)]
    ledger = opened("\n".join([*lines[: index + 1], *extra, *lines[index + 1 :]]) + "\n")
    page = page_of(ledger, "412", "rrop4", "hilton", "bicycle")
    assert len(page.frames) > 80
    assert len(html_of(ledger, page).encode()) < 60_000


def test_ten_seats_stay_small(opened: Opened) -> None:
    ledger = opened(table_of(10))
    assert len(html_of(ledger, page_of(ledger, "1", "rrop4")).encode()) < 60_000
