"""A case: what its events come to, and which of them may follow which."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.case import events as c
from ledger.case.fold import fold_case
from ledger.case.rules import HANDLERS, add_events, find_versions_to_void
from ledger.case.state import Party, VersionSpan
from ledger.errors import CaseError, UnknownEventError
from ledger.event import Event
from ledger.events import STREAMS
from ledger.hand.ending import CorrectionMade, RemarkNoted
from ledger.house.events import PersonHeld

HAND, OTHER_HAND = "a" * 32, "b" * 32
DIGEST = "0" * 64
OPENED = c.CaseOpened("2026-1", "blinds", "player", "p" * 16, "Riverside", "T3", "t-claim")
RULED = c.RulingMade("floor", decision="t-decision")
CLOSED = c.CaseClosed("upheld")


def refused(events: Sequence[Event], *new: Event) -> CaseError:
    with pytest.raises(CaseError) as error:
        add_events(events, new)
    assert error.value.hint, "an error says the way out"
    return error.value


def test_every_event_of_a_case_has_its_place_in_the_fold_and_its_rule() -> None:
    assert set(HANDLERS) == set(STREAMS["case"]), "one line in HANDLERS of ledger/case/rules.py"
    fold_case([kind_made(kind) for kind in STREAMS["case"]])


def kind_made(kind: type[Event]) -> Event:
    """Any event of a kind: the fold takes all of them, in any order."""
    event_samples: dict[type[Event], Event] = {
        c.CaseOpened: OPENED,
        c.CaseLinked: c.CaseLinked(HAND),
        c.StatementTaken: c.StatementTaken("dealer"),
        c.EvidenceAttached: c.EvidenceAttached("video"),
        c.HoldPlaced: c.HoldPlaced("hand", HAND),
        c.HoldLifted: c.HoldLifted("hand", HAND),
        c.FindingCited: c.FindingCited("f", "B1", "hilton"),
        c.CaseAssigned: c.CaseAssigned("p", "floor"),
        c.DeadlineSet: c.DeadlineSet(5),
        c.RegulatorNotified: c.RegulatorNotified("the board"),
        c.RulingMade: RULED,
        c.PaymentOrdered: c.PaymentOrdered(5, "USD"),
        c.RulingAppealed: c.RulingAppealed("player"),
        c.CaseClosed: CLOSED,
        c.CaseReopened: c.CaseReopened(),
        RemarkNoted: RemarkNoted("t"),
        CorrectionMade: CorrectionMade((), 0),
    }
    return event_samples[kind]


def test_a_dispute_from_the_claim_to_the_second_ruling() -> None:
    course: list[Event] = [
        OPENED,
        c.CaseLinked(HAND, 3, 9),
        c.CaseLinked(HAND, 12, 12),
        c.CaseLinked(OTHER_HAND),
        c.DeadlineSet(1_000, "decision"),
        c.DeadlineSet(2_000, "footage"),
        c.StatementTaken("dealer", words="t1"),
        c.EvidenceAttached("video", DIGEST),
        c.FindingCited("f" * 16, "B8a.1", "hilton"),
        RULED,
        c.PaymentOrdered(10, "USD", seat=6),
        c.PaymentOrdered(-10, "USD", seat=5),
    ]
    decided = add_events([], course)
    assert decided.status == "decided"
    assert decided.hands == {HAND: [VersionSpan(3, 9), VersionSpan(12, 12)], OTHER_HAND: [VersionSpan(0, 0)]}
    assert decided.open_dues() == []
    assert decided.balance == {Party(6, "", "USD"): 10, Party(5, "", "USD"): -10}
    events: list[Event] = [
        c.RulingAppealed("player", to="the manager"),
        RULED,
        c.PaymentOrdered(-10, "USD", seat=6),
        c.PaymentOrdered(10, "USD", house=True),
        CLOSED,
    ]
    case_state = add_events(course, events)
    assert (case_state.status, case_state.outcome) == ("closed", "upheld")
    assert sum(case_state.balance.values()) == 0
    assert case_state.balance[Party(6, "", "USD")] == 0
    assert [len(ruling.payments) for ruling in case_state.rulings] == [2, 2]
    reopened = add_events([*course, *events], [c.CaseReopened("t-why")])
    assert (reopened.status, reopened.outcome, reopened.reopened) == ("open", "", 1)


def test_what_is_due_is_done_by_what_answers_it_and_late_until_then() -> None:
    course: list[Event] = [OPENED, c.DeadlineSet(100, "reply"), c.DeadlineSet(200, "decision")]
    state = fold_case(course)
    assert [due_item.event.what for due_item in state.list_overdue(150)] == ["reply"]
    assert state.list_overdue(100) == []
    witness = fold_case([*course, c.StatementTaken("player", words="t")])
    assert len(witness.list_overdue(999)) == 2, "a player's statement is no reply of the house"
    answered = fold_case([*course, c.StatementTaken("manager", words="t")])
    assert [due_item.event.what for due_item in answered.list_overdue(999)] == ["decision"]
    assert fold_case([*course, RULED]).list_overdue(999) == []
    assert fold_case([*course, c.CaseClosed("withdrawn")]).list_overdue(999) == []
    moved = fold_case([*course, c.DeadlineSet(300, "decision")])
    assert [due_item.event.due for due_item in moved.open_dues()] == [100, 300]


def test_a_hold_lasts_as_long_as_it_says_or_as_the_case() -> None:
    course: list[Event] = [
        OPENED,
        c.HoldPlaced("hand", HAND),
        c.HoldPlaced("person", "p", 500),
        c.CaseClosed("settled"),
    ]
    assert [hold.what for hold in fold_case(course[:3]).list_holds_in_force(100)] == ["hand", "person"]
    assert [hold.what for hold in fold_case(course).list_holds_in_force(100)] == ["person"]
    assert fold_case(course).list_holds_in_force(500) == []
    assert [h.what for h in fold_case([*course, c.CaseReopened()]).list_holds_in_force(500)] == ["hand"]
    assert fold_case([*course[:3], c.HoldLifted("hand", HAND)]).list_holds_in_force(500) == []


@pytest.mark.parametrize("kind", STREAMS["case"])
def test_a_closed_case_takes_nothing_but_a_reopening(kind: type[Event]) -> None:
    events: list[Event] = [OPENED, RULED, CLOSED]
    if kind is c.CaseReopened:
        assert add_events(events, [c.CaseReopened("t")]).status == "open"
        return
    case_error = refused(events, kind_made(kind))
    assert ("closed" in case_error.message) is (kind is not c.CaseOpened)


@pytest.mark.parametrize(
    ("earlier_events", "new", "reason"),
    [
        ([], [RULED], "doesn't exist yet"),
        ([OPENED], [OPENED], "already"),
        ([], [c.CaseOpened("a b", "other", "floor")], "can't be the number"),
        ([], [c.CaseOpened("A", "other", "floor", amount=-1)], "less than nothing"),
        ([OPENED], [c.CaseLinked(HAND), c.CaseLinked(HAND)], "already"),
        ([OPENED], [c.CaseLinked(HAND, 5, 3)], "part of a hand"),
        ([OPENED], [c.StatementTaken("floor")], "statement is empty"),
        ([OPENED], [RemarkNoted("")], "remark is empty"),
        ([OPENED], [c.EvidenceAttached("video")], "needs a file"),
        ([OPENED], [c.EvidenceAttached("video", "ABC")], "SHA-256"),
        ([OPENED], [c.EvidenceAttached("video", DIGEST, starts=5, ends=4)], "before it begins"),
        ([OPENED], [c.EvidenceAttached("video", DIGEST), c.EvidenceAttached("photo", DIGEST)], "already"),
        ([OPENED], [c.HoldLifted("hand", HAND)], "doesn't hold"),
        ([OPENED], [c.HoldPlaced("hand", HAND), c.HoldPlaced("hand", HAND)], "already"),
        ([OPENED], [c.FindingCited("f", "B1", "x"), c.FindingCited("f", "B1", "x")], "already"),
        ([OPENED], [c.CaseAssigned("p", "floor"), c.CaseAssigned("p", "floor")], "already"),
        ([OPENED], [c.DeadlineSet(5), c.DeadlineSet(5)], "already"),
        ([OPENED], [c.RegulatorNotified("")], "which authority"),
        ([OPENED, RULED], [RULED], "decided already"),
        ([OPENED], [c.RulingMade("floor")], "decision"),
        ([OPENED], [c.RulingMade("floor", decision="t", clause="B1")], "rulebook"),
        ([OPENED], [c.PaymentOrdered(5, "USD", seat=1)], "only a ruling"),
        ([OPENED], [RULED, c.PaymentOrdered(0, "USD", seat=1)], "can't be 0"),
        ([OPENED], [RULED, c.PaymentOrdered(5, "USD")], "the house"),
        ([OPENED], [RULED, c.PaymentOrdered(5, "USD", seat=1)], "add up"),
        ([OPENED], [RULED, c.PaymentOrdered(5, "USD", seat=1), c.PaymentOrdered(-5, "EUR", seat=2)], "are in"),
        ([OPENED], [c.RulingAppealed("player")], "no ruling"),
        ([OPENED, RULED], [c.RulingAppealed("player"), c.RulingAppealed("player")], "appealed already"),
        ([OPENED], [CLOSED], "nobody has ruled"),
        ([OPENED, RULED, c.RulingAppealed("player")], [CLOSED], "appeal isn't decided"),
        ([OPENED], [c.CaseReopened()], "isn't closed"),
        ([OPENED], [CorrectionMade((7,), 1)], "no entry 7"),
        ([OPENED], [CorrectionMade((), 1)], "nothing to void"),
        ([OPENED], [CorrectionMade((1,), 1)], "opening"),
        ([OPENED, RULED], [CorrectionMade((2,), 2, 1)], "voided"),
    ],
)
def test_what_contradicts_the_case_is_an_error_with_a_way_out(
    earlier_events: list[Event], new: list[Event], reason: str
) -> None:
    assert reason in refused(earlier_events, *new).message


def test_a_voided_ruling_takes_its_payments_along_and_another_may_follow() -> None:
    course: list[Event] = [OPENED, RULED, c.PaymentOrdered(5, "USD", seat=1), c.PaymentOrdered(-5, "USD", house=True)]
    voided_versions = find_versions_to_void(fold_case(course), [2], course)
    assert voided_versions == (2, 3, 4)
    state = add_events(course, [CorrectionMade(voided_versions, 4), c.RulingMade("manager", decision="t2")])
    assert (state.status, state.balance) == ("decided", {})
    assert 2 not in state.versions
    assert find_versions_to_void(fold_case(course), [3], course) == (3,)


def test_an_event_of_something_else_is_refused() -> None:
    with pytest.raises(UnknownEventError):
        fold_case([PersonHeld("p", "case")])
    with pytest.raises(UnknownEventError):
        add_events([OPENED], [PersonHeld("p", "case")])


ANY = st.sampled_from(
    [
        OPENED,
        RULED,
        CLOSED,
        c.CaseClosed("settled"),
        c.CaseReopened("t"),
        c.RulingAppealed("player"),
        c.CaseLinked(HAND),
        c.CaseLinked(HAND, 1, 2),
        c.HoldPlaced("hand", HAND),
        c.HoldLifted("hand", HAND),
        c.DeadlineSet(5),
        c.DeadlineSet(9, "decision"),
        c.StatementTaken("floor", words="t"),
        RemarkNoted("t"),
        c.EvidenceAttached("video", DIGEST),
        c.FindingCited("f", "B1", "hilton"),
        CorrectionMade((2,), 1),
        CorrectionMade((3,), 1),
        c.RegulatorNotified("the board"),
        c.CaseAssigned("p", "floor"),
    ]
)


def add_to_ledger(tried: list[Event]) -> list[Event]:
    """What of a course may be written: each event that does not contradict those before."""
    events: list[Event] = []
    for event in tried:
        try:
            add_events(events, [event])
        except CaseError:
            continue
        events.append(event)
    return events


@given(st.lists(ANY, max_size=30))
def test_what_is_written_one_by_one_is_what_the_whole_stream_tells(tried: list[Event]) -> None:
    events = add_to_ledger([OPENED, *tried])
    assert add_events([], events) == fold_case(events)
    assert add_events(events[:1], events[1:]) == fold_case(events)


@given(st.lists(ANY, max_size=30))
def test_closed_stays_closed_until_it_is_reopened(tried: list[Event]) -> None:
    events = add_to_ledger([OPENED, *tried])
    for index, event in enumerate(events):
        if isinstance(event, c.CaseClosed) and index + 1 < len(events):
            assert isinstance(events[index + 1], c.CaseReopened)


@given(st.lists(ANY, max_size=30))
def test_every_record_has_a_state_whatever_its_order(tried: list[Event]) -> None:
    state = fold_case(tried)
    assert state.status in ("open", "decided", "appealed", "closed")
    assert {due_item.event.due for due_item in state.list_overdue(99)} <= {5, 9}


@given(st.lists(st.integers(-50, 50).filter(bool), min_size=1, max_size=6), st.booleans())
def test_payments_are_taken_only_if_nothing_comes_from_nowhere(amounts: list[int], house: bool) -> None:
    paid: list[Event] = [c.PaymentOrdered(x, "USD", seat=n) for n, x in enumerate(amounts, 1)]
    remainder = sum(amounts)
    if house and remainder:
        paid.append(c.PaymentOrdered(-remainder, "USD", house=True))
    if remainder and not house:
        assert "add up" in refused([OPENED], RULED, *paid).message
    else:
        assert sum(add_events([OPENED], [RULED, *paid]).balance.values()) == 0
