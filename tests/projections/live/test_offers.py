"""The acts that a kept table offers as buttons: each is taken as it is, and the drawing of the next hand is right."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ledger.errors import HandledgerError
from projections.live.deal_drawing import DealRequest
from projections.live.live_document import FindingSoFar
from projections.live.live_session import TableSession
from projections.live.table_offers import DealDrawing
from tests.laws import size
from tests.projections.live.kept_table import fingerprint, kept_table, offers_of, play_on, presses_of, requests_of

BOOKS = ("hilton", "rrop4", "bicycle", "tda2024", "house-burn", "")


def take(session: TableSession, line: str, name: str) -> None:
    try:
        session.take(line)
    except HandledgerError as error:
        state = session.document()
        pytest.fail(
            f"{name} was offered and is refused: {line}: {error} {error.hint} ({state.stage}, hand {state.hand})"
        )


def seat_players(session: TableSession, seats: tuple[int, ...]) -> None:
    for seat in seats:
        sheet = next(sheet for sheet in offers_of(session).chairs if sheet.seat == seat)
        (offer,) = sheet.offers
        line = offer.line.replace("{who}", f'"{sheet.new_player}"').replace("{chips}", offer.presets[2].text)
        take(session, line, "sit")


def deal(session: TableSession, request: DealRequest | None = None) -> None:
    """Deal the next hand; where the button isn't known, a chair is tapped first."""
    drawing = offers_of(session, request).deal
    assert drawing is not None
    if not drawing.line:
        drawing = offers_of(session, DealRequest({}, drawing.button_seats[0])).deal
    assert drawing is not None
    assert drawing.line, drawing.lacks
    take(session, drawing.line, drawing.label)


def press_every_button(session: TableSession, rnd: random.Random) -> int:
    """Press each button that is offered now, and take it back."""
    before, presses = fingerprint(session.document()), presses_of(offers_of(session), rnd)
    for press in presses:
        take(session, press.line, press.name)
        for _ in range(3):
            if fingerprint(session.document()) == before:
                break
            session.take("u")
        assert fingerprint(session.document()) == before, f"{press.line} can't be taken back"
    return len(presses)


@pytest.mark.law
@pytest.mark.parametrize("book", BOOKS)
def test_every_offered_button_is_taken_and_can_be_taken_back(book: str, tmp_path: Path) -> None:
    pressed = 0
    for seed in range(size(1, 20)):
        rnd = random.Random(f"{book} {seed}")
        (tmp_path / str(seed)).mkdir()
        with kept_table(tmp_path / str(seed), book) as session:
            seat_players(session, (1, 2, 3, 5, 6))
            for _ in range(size(4, 12)):
                if rnd.random() < 0.7:
                    pressed += press_every_button(session, rnd)
                for name in rnd.sample(("away", "back", "sit", "leave", "add", "move", "stakes blinds-5-10"), 2):
                    presses = [press for press in presses_of(offers_of(session), rnd) if press.name == name]
                    if presses:
                        take(session, *reversed(rnd.choice(presses)))
                drawing = offers_of(session).deal
                assert drawing is not None
                if len([seat for seat in drawing.seats if seat.is_dealt]) < 3:
                    break
                deal(session)
                press_at = rnd.randrange(8)
                for act in range(80):
                    if not session.recorder.running:
                        break
                    if act == press_at:
                        pressed += press_every_button(session, rnd)
                    play_on(session, rnd)
                assert not session.recorder.running
    assert pressed > 50


def certain(drawing: DealDrawing) -> list[FindingSoFar]:
    """What a drawing certainly breaks. Where a book has several readings, another one may be broken."""
    return [finding for finding in drawing.broken if finding.certainty == "certain"]


def clauses_of(findings: list[FindingSoFar]) -> set[str]:
    return {f"{finding.book} {finding.clause}" for finding in findings}


@pytest.mark.law
@pytest.mark.parametrize("book", ["hilton", "rrop4", "bicycle"])
def test_what_the_book_allows_breaks_nothing_and_what_is_foretold_is_found(book: str, tmp_path: Path) -> None:
    """The drawing says before the deal what the record finds after it."""
    drawn = 0
    for seed in range(size(2, 40)):
        rnd = random.Random(f"{book} {seed}")
        (tmp_path / str(seed)).mkdir()
        with kept_table(tmp_path / str(seed), book) as session:
            seat_players(session, (1, 2, 3, 5, 6))
            deal(session)
            for _ in range(size(8, 14)):
                while session.recorder.running:
                    play_on(session, rnd)
                for name in rnd.sample(("away", "back", "sit", "move", "sit"), 2):
                    presses = [press for press in presses_of(offers_of(session), rnd) if press.name == name]
                    if presses:
                        take(session, *reversed(rnd.choice(presses)))
                offers = offers_of(session)
                assert offers.deal is not None
                if len([seat for seat in offers.deal.seats if seat.is_dealt]) < 3 or not offers.deal.line:
                    break
                assert certain(offers.deal) == []
                requests = list(requests_of(offers))
                for request in requests:
                    drawing = offers_of(session, request).deal
                    assert drawing is not None
                    if request.button is None:
                        assert certain(drawing) == [], request
                        drawn += 1
                request = rnd.choice([DealRequest(), *requests])
                drawing = offers_of(session, request).deal
                assert drawing is not None
                deal(session, request)
                take(session, "deal done", "deal done")
                assert clauses_of(session.document().findings) == clauses_of(drawing.broken)
    assert drawn > 5


def test_a_tournament_deals_in_its_absent_players_without_a_rulebook_too(tmp_path: Path) -> None:
    with kept_table(tmp_path, "", "holdem no-limit tournament blinds 100/200") as session:
        for seat in (1, 2, 3, 4):
            session.take(f"{seat} sits P{seat} stack 10000")
        deal(session)
        for line in ("4 folds", "1 folds", "2 folds", "end"):
            session.take(line)
        session.take("4 away")
        drawing = offers_of(session, DealRequest(button=2)).deal
        assert drawing is not None
        assert [seat.seat for seat in drawing.seats if seat.is_dealt] == [1, 2, 3, 4]


def fold_to_the_big_blind(session: TableSession, request: DealRequest | None = None) -> None:
    """Deal the next hand, which everybody folds to the big blind."""
    deal(session, request)
    session.take(".")
    while (moment := session.document().moment) is not None and moment.turn is not None:
        session.take("f")
    while session.document().running:
        session.take(".")


def test_a_player_who_moved_into_the_blinds_posts_while_another_may_return(tmp_path: Path) -> None:
    with kept_table(tmp_path, "hilton") as session:
        session.take("option entry-post-required 1")
        seat_players(session, (1, 2, 3, 4, 5, 6, 7, 8))
        fold_to_the_big_blind(session, DealRequest({}, 5))
        session.take("1 away")
        fold_to_the_big_blind(session)
        fold_to_the_big_blind(session)  # the big blind passes seat 1
        session.take("1 back")
        session.take('moved "Player 4" from 4 to 9')
        drawing = offers_of(session).deal
        assert drawing is not None
        picks = {
            seat.seat: [pick.pick for pick in seat.picks if pick.is_chosen] for seat in drawing.seats if seat.picks
        }
        assert picks == {1: ["wait"], 9: ["post"]}
        assert [(post.seat, post.role) for post in drawing.posts] == [(9, "small"), (1, "big"), (9, "entry")]
        assert drawing.broken == []
        waiting = offers_of(session, DealRequest({9: "wait"})).deal
        assert waiting is not None
        assert (waiting.line, waiting.lacks.partition(".")[0]) == ("", "Seat 9 has a blind on this hand")
        deal(session)
        assert "9 posts entry 3" in [line.line for line in session.document().lines]
        session.take(".")
        moment = session.document().moment
        assert moment is not None
        assert moment.turn is not None
        assert moment.turn.to_call == 500  # both posts together are one big blind
        assert session.document().findings == []
