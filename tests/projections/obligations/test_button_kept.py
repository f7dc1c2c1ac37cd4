"""Who may have the button, who is called to it, and who is in the game: one condition at a time."""

from __future__ import annotations

import pytest

from ledger.table.events import Post
from ledger.table.state import SeatState, TableState
from projections.obligations.button_rights import ButtonRights, bar_from_button, find_absent_button_seat
from projections.obligations.dealt_in import HandRoster, find_roster, find_zone_entrants, read_roster
from projections.obligations.dues import Ground, Missed, SeatDue
from projections.obligations.game import ButtonBarKind
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy, Ruling
from projections.obligations.presence_rules import find_active_seats
from projections.obligations.tab import Tab
from tests.projections.obligations.desk import policy
from tests.projections.obligations.test_debts_measures import hand, table

MISSED = Missed("big", "6", Ground("went by"))
KINDS = ("new", "made-up-between", "missed-blind", "short-blind")


def barring(*kinds: str) -> Policy:
    return Policy({"button.eligibility": Ruling(list(kinds), ("bars",))})


def may(
    policy: Policy, kind: str = "", *, coming: bool = False, zone: str = "", is_given: bool = True
) -> tuple[str, str]:
    """Whether seat 4 may have the button, and what is said of it."""
    memory = PlayerTabs(policy)
    memory.tabs["p4"] = Tab(
        4,
        established=kind != "new",
        made_up_in_zone=kind == "made-up-between",
        short_big=kind == "short-blind",
        missed=[MISSED] if kind == "missed-blind" else [],
    )
    hand_roster = HandRoster((1, 2), (4,) if coming else (), frozenset(), {4: "p4"}, {}, is_recorded=is_given)
    zones: dict[str, ButtonBarKind] = {"p4": zone} if zone else {}  # type: ignore[dict-item]  # a kind
    answer, reasons = ButtonRights(policy, memory, hand_roster, zones).judge(4)
    return answer, reasons.sentence if reasons is not None else ""


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_that_a_book_bars_is_passed_over_and_no_other(kind: str) -> None:
    answer, reasons = may(barring(kind), kind)
    assert answer == "no"
    assert reasons.startswith("The button skips seat 4, which ")
    for other_kind in KINDS:
        if other_kind != kind:
            assert may(barring(other_kind), kind)[0] == ("rather-no" if kind == "new" else "rather-yes")
    assert may(barring(kind), zone=kind)[0] == "no"
    assert may(barring(*KINDS))[0] == "yes"


def test_who_has_had_no_big_blind_is_new() -> None:
    assert may(barring("no-big-blind"), "new")[0] == "no"
    assert may(barring("no-big-blind"), "missed-blind")[0] == "rather-yes"
    assert may(barring("no-big-blind"), zone="new")[0] == "no"


def test_who_comes_in_on_the_hand_rather_has_no_button() -> None:
    silent = barring("short-blind")
    assert may(silent, coming=True)[0] == "rather-no"
    assert may(barring("new"), coming=True)[0] == "no"
    assert may(silent, "missed-blind", coming=True)[0] == "rather-no"
    assert may(barring("new"), "missed-blind", coming=True)[0] == "rather-no", "it is no new player"
    assert may(Policy({}), coming=True)[0] == "rather-no"
    assert may(Policy({}))[0] == "yes"


@pytest.mark.parametrize(
    ("kind", "bars", "expected"),
    [
        ("new", ("new",), ("new",)),
        ("new", ("no-big-blind",), ("no-big-blind",)),
        ("new", ("new", "no-big-blind", "missed-blind"), ("new", "no-big-blind")),
        ("made-up-between", ("new", "made-up-between"), ("made-up-between",)),
        ("missed-blind", ("no-big-blind", "missed-blind"), ("missed-blind",)),
        ("missed-blind", ("new", "no-big-blind"), ()),
    ],
)
def test_who_came_in_ahead_of_the_big_blind_is_kept_off_by_the_kind(
    kind: ButtonBarKind, bars: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    seats = (SeatDue(3, "p3", "playing", "yes", button=True), SeatDue(4, "p4", "new", "yes"))
    first, second = bar_from_button(barring(*bars), seats, {"p3": kind})
    assert (first.button, first.barred) == (not expected, expected)
    assert [ground.clauses for ground in first.grounds] == ([("bars",)] if expected else [])
    assert second is seats[1]
    assert bar_from_button(Policy({}), seats, {"p3": kind}) is seats


def test_who_owes_or_waits_is_not_called_to_the_button() -> None:
    def called_seats(tab: Tab | None = None, *, enters: bool = True, **more: Tab) -> frozenset[int]:
        under = policy("hilton")
        state = table(1, 2, 3, 4, 5, 6, away=(2,))
        state.seats[2].in_room = True
        memory = PlayerTabs(under)
        memory.tabs = {"p2": tab or Tab(2)} | more
        hand_roster = HandRoster(
            (1, 3, 4, 5, 6),
            (),
            frozenset(),
            {n: f"p{n}" for n in range(1, 7)},
            {},
            is_recorded=False,
            enters_by_blinds=enters,
        )
        return find_absent_button_seat(under, memory, state, 1, hand_roster)

    assert called_seats() == frozenset({2})
    assert called_seats(Tab(2, missed=[MISSED])) == frozenset()
    assert called_seats(Tab(2, established=False)) == frozenset()
    assert called_seats(Tab(2, made_up_in_zone=True)) == frozenset()
    assert called_seats(enters=False) == frozenset(), "a tournament deals him in anyway"


def test_the_next_who_may_have_it_is_called_past_one_who_may_not() -> None:
    book_policy = policy("hilton")
    state = table(1, 2, 3, 4, 5, 6, away=(3,))
    state.seats[3].in_room = True
    memory = PlayerTabs(book_policy)
    everybody = {seat: f"p{seat}" for seat in range(1, 7)}
    hand_roster = HandRoster((1, 2, 4, 5, 6), (), frozenset(), everybody, {}, is_recorded=False)
    assert find_absent_button_seat(book_policy, memory, state, 1, hand_roster) == frozenset(), "seat 2 has it first"
    memory.tabs["p2"] = Tab(2, established=False)
    assert find_absent_button_seat(book_policy, memory, state, 1, hand_roster) == frozenset({3})


# Who is in the game


def test_who_owes_nothing_plays_on_though_he_missed_a_hand_and_a_stranger_comes_in() -> None:
    def core(tab: Tab | None = None, **told: object) -> tuple[int, ...]:
        state = table(1, 2, 4, 6, late_seats=(6,))
        seat = state.seats[6]
        seat.first_hand_dealt = "3"
        for name, value in told.items():
            setattr(seat, name, value)
        memory = PlayerTabs(policy("rrop4"))
        if tab is not None:
            memory.tabs["p6"] = tab
        settled_seats = read_roster(hand(1, 2, 4, 1, 2, 4, 6), state, memory).settled_seats
        assert find_roster(state, memory).settled_seats == settled_seats
        return settled_seats

    assert core() == (1, 2, 4, 6)
    assert core(first_hand_dealt="") == (1, 2, 4)
    assert core(Tab(6, missed=[MISSED])) == (1, 2, 4)
    assert core(Tab(6, missed=[MISSED]), last_hand_dealt="7") == (1, 2, 4, 6), "was in the last hand"


def test_who_moved_to_another_seat_is_known_there() -> None:
    state = table(1, 2, 4)
    state.seats[6] = SeatState(6, "other", last_hand_dealt="7")
    state.seats[8] = SeatState(8, "p6", last_hand_dealt="7")
    hand_roster = read_roster(hand(1, 2, 4, 1, 2, 4, 6), state, PlayerTabs(policy("rrop4")))
    assert (hand_roster.settled_seats, hand_roster.entrants) == ((1, 2, 4, 6), ())
    del state.seats[8]
    hand_roster = read_roster(hand(1, 2, 4, 1, 2, 4, 6), state, PlayerTabs(policy("rrop4")))
    assert (hand_roster.settled_seats, hand_roster.entrants) == ((1, 2, 4), (6,))


def test_on_the_first_hand_of_a_game_all_are_in_it() -> None:
    state = TableState()
    hand_roster = read_roster(hand(1, 2, 4, 1, 2, 4), state, PlayerTabs(policy("rrop4")))
    assert (hand_roster.settled_seats, hand_roster.newcomers) == ((1, 2, 4), frozenset())
    state.seats = {seat: SeatState(seat, f"p{seat}") for seat in (1, 2, 4)}
    assert find_roster(state, PlayerTabs(policy("rrop4"))).settled_seats == (1, 2, 4)
    state.format = "tournament"
    assert find_roster(state, PlayerTabs(policy("rrop4"))).newcomers == frozenset()


def test_whose_seat_change_passes_whom() -> None:
    def counted(tab: Tab | None = None, **told: object) -> bool:
        state = table(1, 2, 4)
        state.seats[4].first_hand_dealt = "3"
        for name, value in told.items():
            setattr(state.seats[4], name, value)
        memory = PlayerTabs(policy("rrop4"))
        if tab is not None:
            memory.tabs["p4"] = tab
        return 4 in find_active_seats(memory, state)

    assert counted()
    assert counted(stack=5)
    assert not counted(stack=0)
    assert not counted(is_busted=True)
    assert not counted(first_hand_dealt="")
    assert not counted(Tab(4, missed=[MISSED]))


def test_who_comes_in_with_a_blind_of_his_own_or_unpaid_came_in_owing() -> None:
    memory = PlayerTabs(policy("rrop4"))
    memory.tabs["p3"] = Tab(3, missed=[MISSED])
    hand_roster = HandRoster((1,), (3,), frozenset(), {3: "p3"}, {}, is_recorded=True)

    def entry_reasons(*posts: Post, at: int = 3, furthest: int = 5) -> list[str]:
        return list(find_zone_entrants(hand(2, 3, 5, 1, posts=posts), hand_roster, at, furthest, memory).values())

    assert entry_reasons() == ["missed-blind"]
    assert entry_reasons(Post(3, "big", 10)) == []
    assert entry_reasons(Post(1, "big", 10)) == ["missed-blind"]
    assert entry_reasons(at=2) == ["missed-blind"]
    assert entry_reasons(at=2, furthest=3) == []
    assert entry_reasons(at=5, furthest=2) == []
