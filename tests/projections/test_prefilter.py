"""The cheap pass may only ever err towards asking: it must never hide a finding."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account import Account
from ledger.formats import phh, pokerstars
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.notation import Chunk
from ledger.people import People
from ledger.replay import HandReplay
from ledger.vocabulary import Witness
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, list_names, load
from projections.findings.detector import Symptom
from projections.timeline.prefilter import ALL_SIGNS, find_signs

WITNESSES = int(~(Witness.BURNS | Witness.HAND_KILLS))
LIVE = int(~Witness.HAND_KILLS)


def make_plain_hand(betting: Any = "no-limit") -> list[HandEvent]:
    """A hand of three streets without anything unusual: the pass must follow all of it."""
    return [
        o.HandOpened("Room", "T1", "1", WITNESSES),
        o.GameSet("holdem", betting, "cash", "chips", 0, (5, 10), 0, (10, 20)),
        *(o.SeatDealtIn(seat, f"player{seat:010d}", 1000) for seat in (1, 3, 5, 6)),
        o.ButtonPlaced(6),
        o.BlindPosted(1, "small", 5),
        o.BlindPosted(3, "big", 10),
        d.HoleCardsDealt(1, "AhKd"),
        d.HoleCardsDealt(3, "2c7d"),
        b.Called(5, 10, 10),
        b.Folded(6),
        b.Called(1, 5, 10),
        b.Checked(3),
        d.BoardDealt("flop", "Ac7h2d"),
        b.Bet(1, 10, 10),
        b.Raised(3, 20, 20),
        b.Folded(5),
        b.Called(1, 10, 20),
        d.BoardDealt("turn", "9s"),
        b.Checked(1),
        b.Checked(3),
        d.BoardDealt("river", "Ts"),
        b.Bet(1, 20, 20),
        b.Called(3, 20, 20),
        e.ShowdownBegun(),
        e.CardsShown(1, "AhKd"),
        e.CardsShown(3, "2c7d"),
        e.PotAwarded(3, 110),
        e.ResultDeclared("total-pot", amount=110),
        e.HandCompleted(),
    ]


def live(betting: Any = "no-limit") -> list[HandEvent]:
    """The same hand as a dealer's table tells it: positions, options of the house, burns."""
    events_found = []
    for event in make_plain_hand(betting):
        if isinstance(event, d.BoardDealt):
            events_found.append(d.CardBurned(event.street))
        events_found.append(
            msgspec.structs.replace(event, witnesses=LIVE) if isinstance(event, o.HandOpened) else event
        )
        if isinstance(event, o.ButtonPlaced):
            events_found += [o.BlindPositionPlaced("small", 1), o.BlindPositionPlaced("big", 3)]
        if isinstance(event, o.GameSet):
            events_found.append(o.OptionSet("button-method", "dead"))
    return events_found


def entering(betting: Any = "no-limit") -> list[HandEvent]:
    """A newcomer posts the big blind to enter, another makes up what it missed."""
    events: list[HandEvent] = []
    for event in make_plain_hand(betting):
        if isinstance(event, o.SeatDealtIn) and event.seat == 5:
            events.append(o.SeatDealtIn(4, "player0000000004", 1000))
        if isinstance(event, d.HoleCardsDealt) and event.seat == 1:
            events += [
                o.BlindPosted(5, "entry", 10),
                o.BlindPosted(6, "makeup-big", 10),
                o.BlindPosted(6, "makeup-small", 0, 5),
            ]
        if isinstance(event, b.Called) and event.seat == 5:
            events += [b.Folded(4), b.Checked(5)]
        elif isinstance(event, e.PotAwarded | e.ResultDeclared):
            events.append(msgspec.structs.replace(event, amount=125))
        else:
            events.append(event)
    return events


def audit(events: list[HandEvent], books: list[Rulebook], *, screened: bool) -> AuditResult:
    running = Auditor(books, screened=screened)
    running.judge_hand(HandReplay(events))
    return running.result()


def answers(events: list[HandEvent], *, screened: bool) -> Any:
    result = audit(events, [load(name) for name in list_names()], screened=screened)
    return result.findings, [(c.book, c.clause, c.found, c.not_built) for c in result.coverage]


@pytest.mark.parametrize("make_hand", [make_plain_hand, live])
@pytest.mark.parametrize("betting", ["no-limit", "limit", "pot-limit"])
def test_a_plain_hand_is_followed_to_its_end(betting: str, make_hand: Any) -> None:
    events = make_hand(betting)
    assert find_signs(events, frozenset(map(type, events))) == SHOWDOWN
    assert not answers(events, screened=True)[0]


@pytest.mark.parametrize("betting", ["no-limit", "limit", "pot-limit"])
def test_posts_to_enter_show_themselves_and_no_other_sign(betting: str) -> None:
    events = entering(betting)
    symptom = Symptom(find_signs(events, frozenset(map(type, events))))
    assert symptom == SHOWDOWN | Symptom.ENTRY_POSTS | Symptom.MAKEUP_POSTS
    alone = [x for x in events if not (isinstance(x, o.BlindPosted) and x.seat == 6)]
    assert Symptom(find_signs(alone, frozenset(map(type, alone)))) & ~_CHIPS == (SHOWDOWN | Symptom.ENTRY_POSTS)


def end_plain_hand(*ending: HandEvent, stack: int = 1000) -> list[HandEvent]:
    """The plain hand with another ending; `stack` is what seat 3, which wins, began with."""
    events = make_plain_hand()
    index = next(index for index, event in enumerate(events) if isinstance(event, e.ShowdownBegun))
    new_events = [*events[: index + 1], *ending, e.HandCompleted()]
    return [
        o.SeatDealtIn(3, event.player, stack) if isinstance(event, o.SeatDealtIn) and event.seat == 3 else event
        for event in new_events
    ]


def said_all_in(events: list[HandEvent]) -> list[HandEvent]:
    """The big blind is said to be all-in, and has chips left."""
    return [
        msgspec.structs.replace(event, all_in=True)
        if isinstance(event, o.BlindPosted) and event.role == "big"
        else event
        for event in events
    ]


ACE, TWO_PAIR, PAID = e.CardsShown(1, "AhKd"), e.CardsShown(3, "2c7d"), e.PotAwarded(3, 110)
SHOWDOWN = Symptom.SHOWDOWN | Symptom.CONTESTED


@pytest.mark.parametrize(
    ("events", "symptoms_shown"),
    [
        (end_plain_hand(TWO_PAIR, ACE, PAID), Symptom(0)),
        (end_plain_hand(TWO_PAIR, PAID, ACE), Symptom(0)),
        (end_plain_hand(TWO_PAIR, e.CardsMucked(1), PAID), Symptom(0)),
        (end_plain_hand(ACE, PAID), Symptom.UNSHOWN),
        (end_plain_hand(ACE, PAID, TWO_PAIR), Symptom.UNSHOWN),
        (end_plain_hand(ACE, e.CardsShown(3, "2c"), PAID), Symptom.UNSHOWN | Symptom.DUPLICATE | Symptom.AWARD),
        (end_plain_hand(ACE, e.CardsShown(3, "2c??"), PAID), Symptom.UNSHOWN | Symptom.DUPLICATE | Symptom.AWARD),
        (end_plain_hand(ACE, e.CardsMucked(3), PAID), Symptom.UNSHOWN | Symptom.LET_GO | Symptom.AWARD),
        (end_plain_hand(TWO_PAIR, ACE, e.CardsMucked(3), PAID), Symptom.LET_GO | Symptom.AWARD),
        (end_plain_hand(TWO_PAIR, ACE, PAID, stack=50), Symptom.ALL_IN),
        (end_plain_hand(TWO_PAIR, e.CardsMucked(1), PAID, stack=50), Symptom.ALL_IN),
        (end_plain_hand(ACE, e.CardsMucked(3), e.PotAwarded(1, 110), stack=50), Symptom.ALL_IN),
        (said_all_in(end_plain_hand(TWO_PAIR, ACE, PAID)), Symptom.ALL_IN | Symptom.STACK),
        (
            end_plain_hand(TWO_PAIR, ACE, e.PotAwarded(1, 110), stack=50),
            Symptom.ALL_IN | Symptom.AWARD | Symptom.ALL_IN_AWARD,
        ),
        (
            end_plain_hand(TWO_PAIR, ACE, e.PotAwarded(1, 55), e.PotAwarded(3, 55), stack=50),
            Symptom.ALL_IN | Symptom.AWARD | Symptom.ALL_IN_AWARD,
        ),
    ],
)
def test_a_showdown_shows_what_its_cards_and_awards_ask_for(events: list[HandEvent], symptoms_shown: Symptom) -> None:
    assert Symptom(find_signs(events, frozenset(map(type, events)))) & ~_CHIPS == SHOWDOWN | symptoms_shown
    books = [load(name) for name in list_names()]
    screened_result, complete_result = (audit(events, books, screened=screened) for screened in (True, False))
    assert screened_result.findings == complete_result.findings
    for own_coverage, other_coverage in zip(screened_result.coverage, complete_result.coverage, strict=True):
        assert own_coverage.found == other_coverage.found, own_coverage.clause
        if own_coverage.clause in ("p19b", "p20", "p31b", "B1", "holdem.6", "13a", "R9"):
            assert own_coverage == other_coverage


_CHIPS = Symptom.CONSERVATION | Symptom.DECLARED


CHANGES = st.one_of(
    st.tuples(st.just("drop"), st.integers(2, 33), st.just(0)),
    st.tuples(st.just("twice"), st.integers(2, 33), st.just(0)),
    st.tuples(st.just("swap"), st.integers(2, 32), st.just(0)),
    st.tuples(st.just("seat"), st.integers(2, 40), st.sampled_from([1, 2, 3, 5, 6])),
    st.tuples(
        st.sampled_from(["amount", "to", "added", "live", "stack"]),
        st.integers(2, 40),
        st.sampled_from([0, 4, 5, 10, 14, 15, 20, 30, 40, 60, 990, 1000, 5000]),
    ),
)


def changed(events: list[HandEvent], changes: list[tuple[str, int, int]]) -> list[HandEvent]:
    for change, place, value in changes:
        event_index = min(place, len(events) - 2)
        event = events[event_index]
        if change == "drop":
            del events[event_index]
        elif change == "twice":
            events.insert(event_index, event)
        elif change == "swap":
            events[event_index], events[event_index + 1] = events[event_index + 1], events[event_index]
        elif hasattr(event, change):
            events[event_index] = msgspec.structs.replace(event, **{change: value})
    return events


@given(
    make_hand=st.sampled_from([make_plain_hand, live, entering]),
    betting=st.sampled_from(["no-limit", "limit", "pot-limit"]),
    changes=st.lists(CHANGES, min_size=1, max_size=3),
)
def test_a_damaged_hand_is_found_out_as_well_as_by_asking_everybody(
    make_hand: Any, betting: str, changes: list[tuple[str, int, int]]
) -> None:
    events = changed(make_hand(betting), changes)
    if not any(isinstance(event, o.GameSet) for event in events):
        return
    assert answers(events, screened=True) == answers(events, screened=False)


@pytest.mark.parametrize(
    ("event_index", "event"),
    [
        (33, d.DeckShuffled()),
        (12, d.CardBurned("flop", "2h")),
        (2, o.OptionSet("raise-cap", 2)),
        (2, o.OptionSet("limit-schedule", "lower-all-streets")),
        (7, o.BlindPositionPlaced("small", 5)),
        (7, o.BlindPositionPlaced("extra", 5)),
    ],
)
def test_anything_unusual_shows_all_signs(event_index: int, event: HandEvent) -> None:
    events = make_plain_hand()
    events.insert(event_index, event)
    assert find_signs(events, frozenset(map(type, events))) == ALL_SIGNS


@pytest.mark.data
@pytest.mark.slow
def test_real_hands_are_found_out_as_well_as_by_asking_everybody(data_dir) -> None:
    people = People(b"r" * 32)
    files = [*sorted((data_dir / "pokerstars").rglob("*.txt"))[::4], *sorted((data_dir / "phh").rglob("*.phhs"))[:3]]
    books = [load(name) for name in list_names()]
    quick, auditor = Auditor(books), Auditor(books, screened=False)
    for file in files:
        form = phh.FORMAT if file.suffix == ".phhs" else pokerstars.FORMAT
        for item in form.read(Chunk(file.read_bytes(), name=file.name), people):
            if isinstance(item, Account):
                quick.judge_hand(HandReplay(item.events))
                auditor.judge_hand(HandReplay(item.events))
    assert quick.result().hands > 100
    assert quick.result().findings == auditor.result().findings
