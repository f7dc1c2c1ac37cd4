"""The order of a table's hands and facts: by time, by source, by number, and what of it is a guess."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.presence import PlayerAway, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed, HandsMissing, OrderTold, TableEvent, TableOpened
from ledger.table.fold import fold_table_entries
from ledger.table.numbers import number_key
from ledger.table.order import TableEntry, number_table_events, put_in_order, sort_entries
from tests.ledger.table.tables import hand

FOUR = (1, 2, 3, 4)


def make_hand(number: str, started: int | None = None, **more: object) -> HandPlayed:
    return hand(number, 1, 2, 3, FOUR, started=started, **more)


def numbers(*sources: list[TableEvent]) -> list[str]:
    """The hands of some sources, imported one after the other, in the table's order."""
    return [entry.event.number for entry in walked(*sources) if isinstance(entry.event, HandPlayed)]


def walked(*sources: list[TableEvent]) -> list[TableEntry]:
    events = [event for source in sources for event in source]
    names = [str(index) for index, source in enumerate(sources) for _ in source]
    return sort_entries(number_table_events(events, sources=names))


def guesses(*sources: list[TableEvent]) -> list[str]:
    return [entry.event.number for entry in walked(*sources) if entry.is_guess]  # type: ignore[union-attr]  # only hands are asked


@pytest.mark.parametrize(
    ("lower", "higher"), [("9", "10"), ("2-9", "2-10"), ("007", "8"), ("1" * 40, "2" * 40), ("", "1")]
)
def test_numbers_sort_as_people_read_them(lower: str, higher: str) -> None:
    assert number_key(lower) < number_key(higher)


# without times


@pytest.mark.parametrize(
    "hand_numbers",
    [
        ["P0", "1", "2", "3"],
        ["before-1", "1", "2"],
        ["1", "2", "extra", "3"],
        ["3", "2", "9", "1"],
        ["", "1", ""],
        ["b", "a", "c"],
    ],
)
def test_one_source_keeps_its_order(hand_numbers: list[str]) -> None:
    assert numbers([make_hand(number) for number in hand_numbers]) == hand_numbers
    assert guesses([make_hand(number) for number in hand_numbers]) == []


def test_sources_come_together_by_the_numbers_of_one_series() -> None:
    first, second = [make_hand(n) for n in ("P0", "1", "2")], [make_hand(n) for n in ("3", "4")]
    assert numbers(first, second) == numbers(second, first) == ["P0", "1", "2", "3", "4"]
    mixed = [[make_hand("2")], [make_hand("10")], [make_hand("1")], [make_hand("9")]]
    assert {tuple(numbers(*sources)) for sources in itertools.permutations(mixed)} == {("1", "2", "9", "10")}
    assert guesses(*mixed) == []


def test_what_a_source_says_outranks_numbers() -> None:
    assert numbers([make_hand("5"), make_hand("4"), make_hand("3")], [make_hand("6"), make_hand("7")]) == [
        "5",
        "4",
        "3",
        "6",
        "7",
    ]


def test_where_nothing_tells_it_is_a_guess_and_the_same_one_each_time() -> None:
    first, second = [make_hand("P0"), make_hand("P1")], [make_hand("1"), make_hand("2")]
    assert numbers(first, second) == numbers(second, first) == ["1", "2", "P0", "P1"]
    assert guesses(first, second) == guesses(second, first) == ["P0"]


def test_what_was_brought_in_on_an_earlier_day_is_guessed_to_be_the_earlier() -> None:
    entries = [TableEntry(1, make_hand("P0"), source="a", day=1), TableEntry(2, make_hand("1"), source="b", day=2)]
    assert [entry.event.number for entry in sort_entries(entries)] == ["P0", "1"]  # type: ignore[union-attr]  # only hands are asked
    assert [entry.is_guess for entry in sort_entries(entries)] == [False, True]


def test_order_is_told_where_arrival_does_not_show_it() -> None:
    sources = [make_hand("1"), make_hand("2")], [make_hand("P0"), OrderTold("P0", "1")]
    assert numbers(*sources) == ["P0", "1", "2"]
    assert guesses(*sources) == []
    assert not any(isinstance(entry.event, OrderTold) for entry in walked(*sources))


# with times


def test_hands_with_times_go_by_them() -> None:
    sources = [make_hand("9", 1000), make_hand("1", 3000)], [make_hand("5", 2000)]
    assert numbers(*sources) == ["9", "5", "1"]
    assert guesses(*sources) == []


def test_hands_of_one_moment_go_by_source_then_number() -> None:
    assert numbers([make_hand("P0", 1000), make_hand("1", 1000), make_hand("2", 1000)]) == ["P0", "1", "2"]
    assert numbers([make_hand("3", 1000)], [make_hand("1", 1000), make_hand("2", 1000)]) == ["1", "2", "3"]


def test_a_hand_without_a_time_stays_behind_the_one_told_before_it() -> None:
    night = [make_hand("a", 1000), make_hand("x"), make_hand("b", 2000)]
    assert numbers(night, [make_hand("c", 3000), make_hand("y"), make_hand("z")]) == ["a", "x", "b", "c", "y", "z"]
    assert numbers([make_hand("c", 3000), make_hand("y")], night) == ["a", "x", "b", "c", "y"]
    assert numbers([make_hand("first"), make_hand("c", 3000)], [make_hand("d", 4000)]) == ["first", "c", "d"]


def test_a_source_without_a_zone_goes_by_its_own_clock() -> None:
    newest_first = [make_hand(n, clock=clock) for n, clock in (("x", 3000), ("b", 2000), ("m", 1000))]
    assert numbers(newest_first) == ["m", "b", "x"]


# facts between hands


def shape(entries: list[TableEntry]) -> list[str]:
    return [
        entry.event.number if isinstance(entry.event, HandPlayed) else type(entry.event).__name__ for entry in entries
    ]


def test_a_timed_event_stands_between_the_hands_of_its_time_whenever_it_came() -> None:
    events = [*(make_hand(str(n), n * 1000) for n in (1, 2, 3)), PlayerAway(4, "p4")]
    assert shape(sort_entries(number_table_events(events, {3: 1500}))) == ["1", "PlayerAway", "2", "3"]


def test_an_event_without_a_time_stays_behind_the_one_told_before_it() -> None:
    second, first = [make_hand("2"), SeatLeft(4, "p4")], [make_hand("1"), SeatTaken(4, "p9")]
    assert shape(walked(second, first)) == ["1", "SeatTaken", "2", "SeatLeft"]


def test_what_a_source_begins_with_stands_before_its_first_hand() -> None:
    first, second = [make_hand("1")], [SeatTaken(4, "p9"), make_hand("2")]
    for sources in ([first, second], [second, first]):
        assert shape(walked(*sources)) == ["1", "SeatTaken", "2"]
    assert shape(walked(second, [TableOpened("V", "1"), make_hand("1")]))[0] == "TableOpened"


def test_a_fact_told_later_stands_where_its_source_says() -> None:
    night = [make_hand("1"), make_hand("2"), make_hand("3")]
    assert shape(walked(night, [OrderTold("1", "2"), PlayerAway(4, "p4")])) == ["1", "PlayerAway", "2", "3"]
    assert shape(walked(night, [OrderTold("", "1"), PlayerAway(4, "p4")])) == ["PlayerAway", "1", "2", "3"]
    assert shape(walked(night, [HandsMissing("1", "2")])) == ["1", "HandsMissing", "2", "3"]


# a guess breaks the chain where stacks do not show it


def test_a_guess_is_a_gap_unless_stacks_continue() -> None:
    entries = walked([make_hand("P0", witnesses=0)], [make_hand("1", witnesses=0)])
    assert fold_table_entries(entries).gaps == []
    blind = [hand(n, 1, 2, 3, FOUR, before=dict.fromkeys(FOUR)) for n in ("P0", "1")]  # type: ignore[arg-type]  # stacks that are not told
    [gap] = fold_table_entries(number_table_events(blind, sources=["a", "b"])).gaps
    assert gap.how == "order"


# laws


nights = st.lists(
    st.tuples(st.sampled_from(["", "P", "x-"]), st.integers(0, 30), st.none() | st.integers(1, 20)),
    unique_by=lambda drawn: drawn[:2],
    min_size=1,
    max_size=12,
)


@given(night=nights, cuts=st.lists(st.integers(0, 12), max_size=4), seed=st.randoms(use_true_random=False))
def test_the_order_is_the_same_whatever_the_sequence_of_imports(
    night: list[tuple[str, int, int | None]], cuts: list[int], seed: random.Random
) -> None:
    """Sources that share no hand: however they come in, the walk is the same."""
    hands = [make_hand(f"{word}{number}", started) for word, number, started in night]
    edges = [0, *sorted(min(cut, len(hands)) for cut in cuts), len(hands)]
    sources: list[list[TableEvent]] = [
        [*hands[a:b], PlayerAway(1, f"p{a}")] for a, b in itertools.pairwise(edges) if a < b
    ]
    first = [entry.event for entry in walked(*sources)]
    seed.shuffle(sources)
    second_walk = walked(*sources)
    assert [entry.event for entry in second_walk] == first


@given(night=nights)
def test_a_night_written_without_times_is_walked_as_it_is_written(night: list[tuple[str, int, int | None]]) -> None:
    events: list[TableEvent] = [make_hand(f"{word}{number}") for word, number, _ in night]
    assert [entry.event for entry in sort_entries(number_table_events(events))] == events


# without putting them in order

_TIMES = st.one_of(st.none(), st.integers(1, 6))
_FACTS = st.sampled_from(
    [
        PlayerAway("p1", 1),
        SeatLeft("p2", 2),
        SeatTaken("p9", 3),
        TableOpened("room", "t"),
        HandsMissing("2", 1),
        OrderTold("1", "3"),
    ]
)


@st.composite
def streams(draw: st.DrawFn) -> list[TableEntry]:
    """What a table was told, much of it in its order."""
    entries: list[TableEntry] = []
    number, time = 1, 1
    timed = draw(st.sampled_from(["at", "began", "clock", "none", "mixed"]))
    for version in range(1, draw(st.integers(1, 10)) + 1):
        source = draw(st.sampled_from("aaab"))
        time += draw(st.sampled_from([0, 0, 1, 1, -1] if draw(st.integers(0, 9)) > 7 else [0, 1]))
        if draw(st.integers(0, 2)):
            number += draw(st.sampled_from([1, 1, 1, 1, 1, 1, 2, 0, -1]))
            time_field = draw(st.sampled_from(["at", "began", "clock"])) if timed == "mixed" else timed
            series = draw(st.sampled_from([""] * 9 + ["P"]))
            event = hand(
                f"{series}{number}",
                1,
                2,
                3,
                FOUR,
                started=time if time_field == "began" else None,
                clock=time if time_field == "clock" else None,
            )
            entries.append(TableEntry(version, event, time if time_field == "at" else None, source))
        else:
            moment = time if draw(st.booleans()) else None
            entries.append(TableEntry(version, draw(_FACTS), moment, source))
    return entries


@given(streams())
def test_what_is_not_put_in_order_stands_as_ordering_would_put_it(entries: list[TableEntry]) -> None:
    assert list(put_in_order(entries)) == sort_entries(entries)


AWAY = PlayerAway("p1", 1)


@pytest.mark.parametrize(
    "events",
    [
        [make_hand("1"), make_hand("2"), make_hand("10")],
        [TableOpened("room", "t"), AWAY, make_hand("1", 1000), AWAY, make_hand("2", 1000), make_hand("3", 2000)],
        [make_hand("1", clock=1000), AWAY, make_hand("2", clock=1000)],
        [AWAY],
    ],
)
def test_what_stands_in_order_is_not_put_in_order_anew(events: list[TableEvent]) -> None:
    stream = number_table_events(events)
    assert put_in_order(stream) is stream
    assert sort_entries(stream) == stream


@pytest.mark.parametrize(
    ("began", "order"),
    [(3000, ["1", "away", "2"]), (2999, ["1", "2", "away"]), (3001, ["1", "2", "away"]), (4000, ["1", "away", "2"])],
)
def test_a_hand_whose_clock_tells_seconds_began_somewhere_in_its_second(began: int, order: list[str]) -> None:
    entries = number_table_events([make_hand("1", 1000), AWAY, make_hand("2", began)], {1: 3500})
    assert [
        entry.event.number if isinstance(entry.event, HandPlayed) else "away" for entry in sort_entries(entries)
    ] == order


@pytest.mark.parametrize("moment", [3000, 3500])
@pytest.mark.parametrize(("opened", "order"), [(1, ["1", "2", "away"]), (2, ["1", "away", "2"])])
def test_a_hand_that_was_recorded_while_it_ran_began_where_it_was_told_to(
    moment: int, opened: int, order: list[str]
) -> None:
    first, away, second = number_table_events([make_hand("1", 1000), AWAY, make_hand("2", 3000)], {1: moment})
    entries = put_in_order([first, away, second._replace(last_version_before=opened)])
    assert [entry.event.number if isinstance(entry.event, HandPlayed) else "away" for entry in entries] == order


def test_what_another_source_tells_within_the_second_of_a_hand_goes_by_its_time() -> None:
    entries = number_table_events([AWAY, make_hand("1", 3000)], {0: 3500}, sources=["a", "b"])
    assert [type(entry.event) for entry in sort_entries(entries)] == [HandPlayed, PlayerAway]


@pytest.mark.parametrize(
    ("events", "times"),
    [
        ([make_hand("2"), make_hand("1")], {}),
        ([make_hand("1", 2000), make_hand("2", 1000)], {}),
        ([make_hand("1", 1000), make_hand("2")], {}),
        ([make_hand("1"), make_hand("P2")], {}),
        ([make_hand("1"), make_hand("1")], {}),
        ([make_hand("1"), AWAY, make_hand("2")], {1: 5000}),
        ([make_hand("1", 1000), AWAY, make_hand("2", 3000)], {1: 3500}),
        ([make_hand("1", 1000), AWAY, AWAY, make_hand("2", 3000)], {1: 2500, 2: 2000}),
        ([make_hand("1"), make_hand("2"), TableOpened("room", "t")], {}),
        ([make_hand("1"), make_hand("3"), HandsMissing("1", 1)], {}),
        ([make_hand("1"), make_hand("2"), OrderTold("2", "1")], {}),
    ],
)
def test_what_may_stand_elsewhere_is_put_in_order(events: list[TableEvent], times: dict[int, int]) -> None:
    stream = number_table_events(events, times)
    assert put_in_order(stream) is not stream


def test_what_can_be_read_once_is_kept_to_be_put_in_order() -> None:
    entries = number_table_events([make_hand("1"), make_hand("2")])
    assert list(put_in_order(iter(entries))) == entries
