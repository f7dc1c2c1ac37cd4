"""Findings and coverage: nothing is called clean that could not be seen, the same in gives the same out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.entry import EventOrigin, Provenance, SourceSpan
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.replay import HandReplay
from ledger.vocabulary import Witness
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor, audit, judge
from projections.books.rulebook import list_names, load
from projections.findings.finding import Coverage
from projections.reports.audit_json import encode_document
from tests.conftest import scale_examples
from tests.laws import size
from tests.projections.pages import book_cases, cases

ONLINE = (
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.BLIND_AMOUNTS
    | Witness.OWN_CARDS
)


def hand(*rest: HandEvent, witnesses: int = int(ONLINE), form: str = "cash") -> list[HandEvent]:
    return [
        o.HandOpened("Room", "T1", "7", witnesses),
        o.GameSet("holdem", "no-limit", form, "USD", 2, (500, 1000), 0, (1000,)),
        *(o.SeatDealtIn(seat, f"player{seat:010d}", 100_000) for seat in (1, 2, 3)),
        o.ButtonPlaced(3),
        o.BlindPosted(1, "small", 500),
        o.BlindPosted(2, "big", 1000),
        *rest,
    ]


def walk(*rest: HandEvent) -> list[HandEvent]:
    return hand(b.Folded(3), b.Folded(1), b.BetReturned(2, 500), e.PotAwarded(2, 1000), *rest, e.HandCompleted())


def row(result: AuditResult, clause: str, book: str = "hilton") -> Coverage:
    return next(c for c in result.coverage if (c.book, c.clause) == (book, clause))


def all_cases() -> Iterator[HandReplay]:
    """Yield the hands of all case pages in `make laws`, of every fifth case in CI."""
    return (hand for case in cases()[:: size(5, 1)] for hand in case.told.hands)


@cache
def of_every_book() -> AuditResult:
    return audit(all_cases(), [load(name) for name in list_names()])


def test_a_clean_hand_is_clean_only_where_it_could_be_seen() -> None:
    result = judge(HandReplay(walk()), load("hilton"))
    assert not result.findings
    assert row(result, "B9.1").clean == 1
    assert row(result, "B7").clean == 1
    assert row(result, "B11b.2").cannot_tell == 1  # it is about a hand among the table's hands
    assert row(result, "B9.2").no_judgement == 1
    assert row(result, "B8a.1").not_applicable == 1  # posts are witnessed and no straddle is there


def test_what_a_source_never_records_is_never_clean() -> None:
    flop = hand(b.Called(3, 1000, 1000), b.Called(1, 500, 1000), b.Checked(2), d.BoardDealt("flop", "AhKd7s"))
    result = audit([HandReplay(flop)], [load(name) for name in list_names()])
    burns = row(result, "intro.1b")
    assert (burns.clean, burns.cannot_tell) == (0, 1)
    assert [m.fact for m in burns.missing] == ["burns"]
    exposed = row(result, "1a", "house-burn")
    assert (exposed.clean, exposed.not_applicable, exposed.cannot_tell) == (0, 0, 1)
    assert "exposed-cards" in [m.fact for m in exposed.missing]
    assert row(result, "p08a", "bicycle").cannot_tell == 1


def test_a_format_that_is_not_told_is_no_cash_game() -> None:
    result = judge(HandReplay(hand(form="unknown")), load("hilton"))
    assert [m.fact for m in row(result, "B8a.1").missing] == ["game-format"]


def test_a_game_that_is_not_told_is_no_other_game() -> None:
    events = [event for event in walk() if not isinstance(event, o.GameSet)]
    coverage = row(judge(HandReplay(events), load("bicycle")), "p01a", "bicycle")
    assert (coverage.not_applicable, [m.fact for m in coverage.missing]) == (0, ["game"])


@pytest.mark.law
@pytest.mark.slow
def test_every_clause_accounts_for_every_hand() -> None:
    for c in of_every_book().coverage:
        accounted = c.clean + c.found + c.cannot_tell + c.not_applicable + c.not_built + c.no_judgement
        assert accounted == of_every_book().hands, f"{c.book} {c.clause}"


@pytest.mark.law
@pytest.mark.slow
def test_money_moved_sums_to_zero() -> None:
    with_money = [f for f in of_every_book().findings if f.money]
    assert with_money
    assert all(sum(share.amount for share in f.money) == 0 for f in with_money)


@pytest.mark.law
@pytest.mark.slow
def test_the_same_hands_give_the_same_bytes() -> None:
    books = [load("hilton"), load("bicycle")]
    assert encode_document(audit(all_cases(), books)) == encode_document(audit(all_cases(), books))


@cache
def undivided() -> bytes:
    return encode_document(audit(all_cases(), [load("rrop4")]))


@pytest.mark.law
@pytest.mark.slow
@settings(max_examples=scale_examples(15))  # each judges all cases anew; where the cuts fall is all that varies
@given(cuts=st.lists(st.integers(0, len(cases())), max_size=3))
def test_parts_judged_apart_and_merged_are_the_whole(cuts: list[int]) -> None:
    books = [load("rrop4")]
    hands = list(all_cases())
    edges = [0, *sorted(cuts), len(hands)]
    audit_result = audit([], books)
    for start, end in pairwise(edges):
        audit_result.append(audit(hands[start:end], books))
    assert encode_document(audit_result) == undivided()


def test_a_fingerprint_does_not_hang_on_the_file() -> None:
    case = next(case for case in book_cases() if case.marks and not case.evening)
    marks = [EventOrigin(10 * index, 5) for index in range(len(case.events))]
    place = Provenance(0, source=SourceSpan("ab" * 32, 700, 999))
    book = load(case.book)
    finding = judge(HandReplay(case.events), book).findings[0]
    placed_finding = judge(HandReplay(case.events, marks, recorded=place), book).findings[0]
    assert finding.fingerprint == placed_finding.fingerprint
    assert placed_finding.source == "ab" * 32
    assert placed_finding.lines[0].start == 700 + 10 * (placed_finding.version - 1)


def test_a_corrected_hand_is_judged_as_corrected() -> None:
    wrong = hand(o.StraddlePosted(3, 2000), witnesses=-1)
    version = len(wrong)
    voided = [*wrong, e.CorrectionMade(voids=(version,), after=version)]
    assert "B8f" in {f.clause for f in judge(HandReplay(wrong), load("hilton")).findings}
    assert "B8f" not in {f.clause for f in judge(HandReplay(voided), load("hilton")).findings}


def test_a_hand_that_is_not_understood_in_full_accuses_nobody_for_certain() -> None:
    wrong = hand(o.StraddlePosted(3, 2000), witnesses=-1)
    partly = [*wrong, e.LineUnread("t" + "x" * 16)]
    assert {f.certainty for f in judge(HandReplay(wrong), load("hilton")).findings} == {"certain"}
    hilton_findings = [f for f in judge(HandReplay(partly), load("hilton")).findings if f.book == "hilton"]
    assert hilton_findings
    assert {f.certainty for f in hilton_findings} == {"likely"}
    assert all("couldn't be read" in f.because for f in hilton_findings)


def test_a_button_blind_is_a_set_of_blinds_of_its_own() -> None:
    events = [event for event in hand() if not isinstance(event, o.BlindPosted)]
    acts = (b.Raised(1, 2000, 2000), b.Folded(2), b.Folded(3))

    def clauses(*posts: HandEvent) -> set[str]:
        return {f.clause for f in judge(HandReplay([*events, *posts, *acts]), load("hilton")).findings}

    assert "B12b.2" in clauses()
    assert "B12b.2" not in clauses(o.BlindPosted(3, "button", 1000))


def test_no_book_is_judged_by_anothers_rule() -> None:
    three_raises = hand(*(b.Raised(s, 0, raised_to) for s, raised_to in ((3, 2000), (1, 3000), (2, 4000), (3, 5000))))
    books = [load(name) for name in list_names()]
    books_found = {
        f.book for f in audit([HandReplay(three_raises)], books).findings if "raise" in f.saw and "the cap is" in f.saw
    }
    assert books_found == {"bicycle"}


def test_an_audit_may_be_asked_on_the_way() -> None:
    running = Auditor([load("hilton")])
    running.judge_hand(HandReplay(walk()))
    first = running.result()
    running.judge_hand(HandReplay(walk()))
    assert (first.hands, running.result().hands) == (1, 2)
    assert row(running.result(), "B9.1").clean == 2


def record_findings(events: list[HandEvent]) -> dict[str, str]:
    return {f.clause: f.saw for f in judge(HandReplay(events), load("hilton")).findings if f.book == "record"}


def test_chips_that_do_not_come_out_are_said_by_how_much() -> None:
    events = [event for event in walk() if not isinstance(event, e.PotAwarded)]
    events.insert(-1, e.PotAwarded(2, 900))
    result = judge(HandReplay(events), load("hilton"))
    (finding,) = result.findings
    assert (finding.citation, finding.certainty) == ("record R1", "likely")
    assert finding.saw == "The pot is short $1: $10 went in, $9 came out"
    assert finding.because == "No rake is on record, so some may have been taken."
    opened = msgspec.structs.replace(events[0], witnesses=int(ONLINE | Witness.DROP))
    (finding,) = judge(HandReplay([opened, *events[1:]]), load("hilton")).findings
    assert (finding.citation, finding.certainty) == ("record R1", "certain")
    assert finding.because == ""


def test_in_a_tournament_nobody_takes_a_drop_and_what_is_missing_may_have_come_back() -> None:
    events = [event for event in walk() if not isinstance(event, e.PotAwarded)]
    events.insert(-1, e.PotAwarded(2, 900))
    game = next(index for index, event in enumerate(events) if isinstance(event, o.GameSet))
    events[game] = msgspec.structs.replace(events[game], format="tournament")
    doubt = "Not every returned bet is on record, so one may be missing."
    for seen, because in ((0, doubt), (Witness.RETURNED_BETS, "")):
        witnesses = int(ONLINE) & ~int(Witness.RETURNED_BETS) | int(seen)
        opened = msgspec.structs.replace(events[0], witnesses=witnesses)
        (finding,) = judge(HandReplay([opened, *events[1:]]), load("record")).findings
        assert finding.because == because


def test_what_a_record_declares_is_compared_and_never_used() -> None:
    events = walk(
        e.ResultDeclared("total-pot", amount=1100),
        e.ResultDeclared("rake", amount=50),
        e.ResultDeclared("end-stack", 2, 999),
        e.ResultDeclared("winnings", 2, 1),
    )
    assert set(record_findings(events)) == {"R2", "R3", "R4", "R5"}
    right_state = walk(
        e.ResultDeclared("total-pot", amount=1000),
        e.ResultDeclared("rake", amount=0),
        e.ResultDeclared("end-stack", 2, 100_500),
        e.ResultDeclared("winnings", 2, 1000),
    )
    assert not record_findings(right_state)


def test_one_card_in_two_places_is_found() -> None:
    events = hand(
        d.HoleCardsDealt(1, "AhKh"),
        b.Called(3, 1000, 1000),
        b.Called(1, 500, 1000),
        b.Checked(2),
        d.BoardDealt("flop", "Ah7d2c"),
    )
    assert record_findings(events)["R6"] == "The Ah is in seat 1's hand and on the board"


def test_one_card_twice_in_one_place_is_said_so() -> None:
    acts = b.Called(3, 1000, 1000), b.Called(1, 500, 1000), b.Checked(2)
    assert record_findings(hand(*acts, d.BoardDealt("flop", "7c7c2d")))["R6"] == "The 7c is on the board twice"


def test_an_act_that_changes_nothing_is_said_without_an_amount() -> None:
    repeated_findings = record_findings(hand(b.Called(3, 1000, 1000), b.Called(3, 0, 1000)))
    assert "Seat 3 called again with nothing to call" in repeated_findings.values()
    assert not any("$0" in saw or "called 0" in saw for saw in repeated_findings.values())


def test_a_raise_of_nothing_is_said_to_face_the_bet() -> None:
    findings_told = record_findings(hand(b.Raised(3, 1000, 1000, 0)))
    assert any(saw.endswith(" facing a bet of $10") for saw in findings_told.values()), findings_told


def test_a_seat_that_is_not_dealt_in_and_a_line_nobody_knows_are_found() -> None:
    assert "R7" in record_findings(hand(b.Folded(5)))
    assert "R8" in record_findings(walk(e.LineUnread("t0123456789abcdef")))


def test_a_pot_paid_to_the_worse_hand_is_found_with_the_money() -> None:
    played = [
        d.HoleCardsDealt(1, "2h7d"),
        d.HoleCardsDealt(2, "AsAd"),
        b.Folded(3),
        b.Called(1, 500, 1000),
        b.Checked(2),
        d.BoardDealt("flop", "Kc9h4s"),
        b.Checked(1),
        b.Checked(2),
        d.BoardDealt("turn", "Jc"),
        b.Checked(1),
        b.Checked(2),
        d.BoardDealt("river", "3h"),
        b.Checked(1),
        b.Checked(2),
        e.ShowdownBegun(),
        e.CardsShown(1, "2h7d"),
        e.CardsShown(2, "AsAd"),
    ]
    result = judge(HandReplay(hand(*played, e.PotAwarded(1, 2000))), load("hilton"))
    assert [(f.citation, f.seat) for f in result.findings] == [("record R9", 1)]
    assert {share.seat: share.amount for share in result.findings[0].money} == {1: 2000, 2: -2000}
    assert not judge(HandReplay(hand(*played, e.PotAwarded(2, 2000))), load("hilton")).findings


@pytest.mark.law
@pytest.mark.slow
def test_findings_survive_json() -> None:
    result = audit(all_cases(), [load("bicycle")])
    document = msgspec.json.decode(encode_document(result))
    assert document["schema"] == "handledger/findings/1"
    assert document["summary"]["findings"] == len(document["findings"]) > 0
