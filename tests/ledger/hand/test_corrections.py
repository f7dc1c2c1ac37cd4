"""Which events hold once a stream's corrections are applied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.event import Event
from ledger.hand.betting import Checked
from ledger.hand.corrections import Replacement, apply_corrections, find_replacement
from ledger.hand.ending import CorrectionMade


def versions(*events: Event) -> list[int]:
    return [version for version, _ in apply_corrections(list(enumerate(events, 1)))]


def test_without_corrections_all_holds() -> None:
    assert versions(Checked(1), Checked(2)) == [1, 2]


def test_events_are_replaced_where_the_correction_says() -> None:
    assert versions(Checked(1), Checked(2), Checked(3), CorrectionMade((2,), 1, 1), Checked(9)) == [1, 5, 3]


def test_what_was_forgotten_is_inserted() -> None:
    assert versions(Checked(1), Checked(2), CorrectionMade((), 1, 2), Checked(8), Checked(9)) == [1, 4, 5, 2]
    assert versions(Checked(1), CorrectionMade((), 0, 1), Checked(9)) == [3, 1]


def test_what_replaced_an_event_can_itself_be_replaced() -> None:
    once = (Checked(1), Checked(2), CorrectionMade((1,), 0, 1), Checked(9))
    assert versions(*once) == [4, 2]
    assert versions(*once, CorrectionMade((4,), 4, 1), Checked(10)) == [6, 2]


def test_a_correction_that_is_voided_takes_what_came_with_it_along() -> None:
    events = (Checked(1), CorrectionMade((1,), 0, 1), Checked(9), CorrectionMade((2,), 4))
    assert versions(*events) == [1]


def test_a_correction_that_was_cut_off_replaces_with_what_there_is() -> None:
    assert versions(Checked(1), CorrectionMade((1,), 0, 5), Checked(9)) == [3]


FIRST = (Checked(1), Checked(2), CorrectionMade((1,), 0, 1), Checked(9))
TWICE = (*FIRST, CorrectionMade((4,), 4, 2), Checked(10), Checked(11))
UNDONE = (*TWICE, CorrectionMade((5,), 4))


@pytest.mark.parametrize(
    ("events", "version", "replacement"),
    [
        (FIRST, 2, None),
        (FIRST, 4, None),
        (FIRST, 3, None),  # a correction in force
        (FIRST, 1, Replacement(3, (4,))),
        (TWICE, 4, Replacement(5, (6, 7))),
        (TWICE, 1, Replacement(5, (6, 7))),  # through both corrections
        ((Checked(1), Checked(2), CorrectionMade((2,), 1)), 2, Replacement(3, ())),  # taken away
        (UNDONE, 1, Replacement(3, (4,))),
        (UNDONE, 6, Replacement(8, (4,))),  # what it had replaced counts again
        (UNDONE, 5, Replacement(8, (4,))),
    ],
)
def test_what_replaced_an_event_is_found_through_later_corrections(
    events: tuple[Event, ...], version: int, replacement: Replacement | None
) -> None:
    assert find_replacement(list(enumerate(events, 1)), version) == replacement


@given(
    st.lists(
        st.builds(Checked, st.integers(1, 9))
        | st.builds(
            CorrectionMade,
            st.lists(st.integers(-2, 12), max_size=3).map(tuple),
            st.integers(-2, 12),
            st.integers(-2, 4),
        ),
        max_size=10,
    )
)
def test_nothing_is_told_twice_and_corrections_are_not_among_the_result(events: list) -> None:
    event_versions = versions(*events)
    assert len(event_versions) == len(set(event_versions))
    numbered = list(enumerate(events, 1))
    for version, event in numbered:
        replacement = find_replacement(numbered, version)
        if not isinstance(event, CorrectionMade):
            assert (replacement is None) == (version in event_versions)
        assert replacement is None or set(replacement.versions) <= set(event_versions)
    assert all(isinstance(events[version - 1], Checked) for version in event_versions)
