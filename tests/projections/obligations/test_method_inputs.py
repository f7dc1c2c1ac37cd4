"""The methods asked directly: who owes what first, who may have the button, who is there at all."""

from __future__ import annotations

import pytest

from ledger.table.events import DealtIn, Post
from ledger.table.state import SeatState
from projections.obligations.button_rights import ButtonRights, bar_from_button, find_absent_button_seat
from projections.obligations.button_round import HandPositions
from projections.obligations.dealt_in import HandRoster, find_roster, find_zone_entrants, is_out, read_roster
from projections.obligations.dues import Ground, Missed, SeatDue
from projections.obligations.game import BlindName
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.position_inputs import ButtonRight, Citations, Draft, PositionInputs
from projections.obligations.positions import draft_positions
from projections.obligations.post_order import find_straddler
from projections.obligations.tab import Tab
from tests.projections.obligations.desk import policy
from tests.projections.obligations.test_debts_measures import hand, table

TWO: tuple[BlindName, ...] = ("small", "big")


def ask(
    *core: int,
    was: tuple[int, int, int] = (1, 2, 3),
    before: tuple[int, ...] = (1, 2, 3, 4, 5, 6),
    coming: tuple[int, ...] = (),
    posters: tuple[int, ...] = (),
    given: bool = True,
    debts: dict[int, tuple[BlindName, ...]] | None = None,
    late: dict[int, tuple[BlindName, ...]] | None = None,
    may: dict[int, ButtonRight] | None = None,
    free: tuple[int, ...] = (),
) -> PositionInputs:
    button, small, big = was
    players = tuple(f"p{seat}" for seat in before)
    hand_positions = HandPositions("7", button, small, big, None, before, players, TWO)

    def may_have(seat: int) -> tuple[ButtonRight, Ground | None]:
        return (may or {}).get(seat, "yes"), None

    return PositionInputs(
        hand_positions,
        TWO,
        core,
        coming,
        given,
        frozenset(posters),
        may_have,
        {seat: f"p{seat}" for seat in (*core, *coming)},
        {f"p{seat}": roles for seat, roles in (debts or {}).items()},
        {f"p{seat}": roles for seat, roles in (late or {}).items()},
        frozenset(free),
    )


def owed(position_inputs: PositionInputs) -> list[dict[int, str] | None]:
    drafts = draft_positions(position_inputs, "owed", Citations(heads_up_known=True))
    assert not isinstance(drafts, str)
    return [None if draft.owed_posts is None else dict(draft.owed_posts) for draft in drafts]


SIX = (1, 2, 3, 4, 5, 6)


def test_whom_the_big_blind_has_reached_owes_the_larger_blind_first() -> None:
    assert owed(ask(*SIX, debts={3: ("small",)})) == [{3: "small", 4: "big"}]
    assert owed(ask(1, 2, 3, 5, 6, debts={3: ("small",)})) == [{3: "small", 5: "big"}]
    skipped = ask(1, 2, 4, 5, 6, debts={})
    assert owed(skipped) == [{5: "big", 4: "big"}]


def test_what_was_not_paid_on_the_last_hand_may_be_made_good_or_not() -> None:
    position_inputs = ask(*SIX, debts={3: ("small",), 2: ("small",)}, late={2: ("small",)})
    assert owed(position_inputs) == [{4: "big", 2: "small", 3: "small"}, {4: "big", 3: "small"}]


def test_what_is_left_of_a_round_comes_before_the_next_or_after_it() -> None:
    position_inputs = ask(1, 3, 4, 5, 6, debts={3: ("small",), 4: ("small",)})
    assert owed(position_inputs) == [{5: "big", 3: "small", 4: "small"}, {4: "big", 5: "big", 3: "small"}]


def test_with_old_debts_left_out_the_others_still_come_first() -> None:
    owed_blinds = {3: ("small",), 4: ("small",), 6: ("small",)}
    position_inputs = ask(1, 3, 4, 5, 6, debts=owed_blinds, late={6: ("small",)})  # type: ignore[arg-type]  # roles
    assert owed(position_inputs) == [
        {5: "big", 3: "small", 4: "small", 6: "small"},
        {5: "big", 3: "small", 4: "small"},
        {4: "big", 5: "big", 3: "small", 6: "small"},
    ]


def test_after_two_players_the_debts_may_carry_over_or_not() -> None:
    three = ask(1, 2, 3, was=(1, 1, 2), before=(1, 2), debts={2: ("small",)})
    readings = owed(three)
    assert readings[-1] is None
    assert len(readings) >= 3
    assert 2 not in (readings[0] or {})
    assert owed(ask(1, 2, was=(1, 1, 2), before=(1, 2), debts={2: ("small",)})) == [None]


# Who is there


def seat(**more: object) -> SeatState:
    return SeatState(4, "p4", **more)  # type: ignore[arg-type]  # by name


def test_a_tournament_deals_in_whoever_has_chips() -> None:
    assert [
        is_out(seat(**seat_state), is_tournament=True)
        for seat_state in (
            {},
            {"is_busted": True},
            {"stack": 0},
            {"stack": 5},
            {"presence": "away"},
            {"is_busted": True, "stack": 0},
            {"is_busted": True, "stack": 5},
        )
    ] == [False, True, True, False, False, True, True]  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize(
    ("seat_fields", "out"),
    [
        ({}, False),
        ({"presence": "away"}, True),
        ({"has_asked_out": True}, True),
        ({"is_busted": True}, True),
        ({"stack": 0}, True),
        ({"stack": 5}, False),
        ({"deferred_until": "button-passed"}, True),
        ({"deferred_until": "big-blind"}, False),
        ({"deferred_until": "unknown"}, True),
        ({"awaited_position": "button"}, True),
        ({"awaited_position": "position"}, True),
        ({"awaited_position": "big-blind"}, False),
    ],
)
def test_who_is_away_or_waits_is_out_of_a_cash_hand(seat_fields: dict[str, object], out: bool) -> None:
    assert is_out(seat(**({"presence": "present"} | seat_fields))) is out


def there_of(**told: object) -> HandRoster:
    state = table(1, 2, 4, 6)
    state.seats[6].last_hand_dealt = "5"
    return read_roster(hand(1, 2, 4, 1, 2, 4, 6, **told), state, PlayerTabs(policy("rrop4")))


def test_who_was_not_in_the_last_hand_comes_in() -> None:
    posts = (Post(2, "small", 5), Post(4, "big", 10), Post(6, "makeup", 10), Post(1, "entry", 10))
    hand_roster = there_of(posts=posts)
    assert (hand_roster.settled_seats, hand_roster.entrants, hand_roster.posters) == ((1, 2, 4), (6,), frozenset({6}))
    assert (hand_roster.is_recorded, hand_roster.enters_by_blinds, hand_roster.newcomers) == (True, True, frozenset())
    blind = there_of(posts=(Post(6, "big", 10), Post(6, "makeup-small", 5)))
    assert blind.posters == frozenset()
    event = there_of(format="tournament")
    assert (event.settled_seats, event.entrants, event.newcomers) == ((1, 2, 4, 6), (), frozenset({6}))
    assert not event.enters_by_blinds


def test_who_is_there_for_the_coming_hand() -> None:
    state = table(1, 2, 4, 6, away=(2,))
    for seat_state in state.seats.values():
        seat_state.stack = 100
    state.seats[6].last_hand_dealt = "5"
    memory = PlayerTabs(policy("rrop4"))
    hand_roster = find_roster(state, memory)
    assert (hand_roster.settled_seats, hand_roster.entrants, hand_roster.free_entrants) == ((1, 4), (6,), frozenset())
    assert find_roster(state, memory, frozenset({2})).settled_seats == (1, 2, 4)
    assert not hand_roster.is_recorded
    state.format = "tournament"
    event = find_roster(state, memory)
    assert (event.settled_seats, event.entrants, event.newcomers) == ((1, 2, 4, 6), (), frozenset({6}))


def chosen(*kinds: str, book: str = "hilton", coming: bool = False, zone: str = "") -> str:
    memory = PlayerTabs(policy(book))
    tab = Tab(
        4,
        established="new" not in kinds,
        made_up_in_zone="made" in kinds,
        short_big="short" in kinds,
        missed=[Missed("big", "6", Ground("went by"))] if "missed" in kinds else [],
    )
    memory.tabs["p4"] = tab
    hand_roster = HandRoster((1, 2), (4,) if coming else (), frozenset(), {4: "p4"}, {}, is_recorded=True)
    zones = {"p4": zone} if zone else {}
    return ButtonRights(policy(book), memory, hand_roster, zones).judge(4)[0]  # type: ignore[arg-type]  # a kind


def test_who_may_have_the_button_by_the_book() -> None:
    assert chosen() == "yes"
    assert policy("hilton").value("button.eligibility")
    assert chosen("new") == "no"
    assert chosen(coming=True) == "no"
    assert chosen(zone="new") == "no"


def test_a_newcomer_of_a_tournament_rather_has_no_button() -> None:
    hand_roster = HandRoster(
        (1, 4), (), frozenset(), {}, {}, is_recorded=True, newcomers=frozenset({4}), enters_by_blinds=False
    )
    may = ButtonRights(policy("hilton"), PlayerTabs(policy("hilton")), hand_roster, {}).judge
    assert [may(seat)[0] for seat in (1, 4)] == ["yes", "rather-no"]


def test_who_comes_in_ahead_of_the_big_blind_is_remembered() -> None:
    memory = PlayerTabs(policy("rrop4"))
    memory.tabs["p8"] = Tab(8, missed=[Missed("big", "6", Ground("went by"))])

    def entry_inputs(
        one: int,
        who: str,
        button: int | None,
        big: int | None,
        posters: tuple[int, ...] = (),
        posts: tuple[Post, ...] = (),
    ) -> dict[str, str]:
        hand_roster = HandRoster((1,), (one,), frozenset(posters), {one: who}, {}, is_recorded=True)
        return dict(find_zone_entrants(hand(1, 2, 4, 1, posts=posts), hand_roster, button, big, memory))

    assert entry_inputs(3, "new", 2, 5) == {"new": "new"}
    assert entry_inputs(2, "new", 2, 5) == {"new": "new"}
    assert entry_inputs(5, "new", 2, 5) == {}
    assert entry_inputs(6, "new", 2, 5) == {}
    assert entry_inputs(3, "new", None, 5) == {}
    assert entry_inputs(3, "new", 2, None) == {}
    assert entry_inputs(3, "new", 2, 2) == {}
    assert entry_inputs(3, "p8", 2, 5) == {"p8": "missed-blind"}
    assert entry_inputs(3, "p8", 2, 5, (3,)) == {"p8": "made-up-between"}
    assert entry_inputs(3, "p8", 2, 5, posts=(Post(3, "small", 5),)) == {}


def test_they_are_kept_off_the_button_where_the_book_bars_them() -> None:
    seats = (SeatDue(3, "p3", "playing", "yes", barred=("new",)), SeatDue(4, "p4", "playing", "yes"))
    first, second = bar_from_button(policy("hilton"), seats, {"p3": "new"})
    assert (first.button, first.barred.count("new"), second.button) == (False, 1, None)
    assert bar_from_button(policy("hilton"), seats, {}) is seats


def test_who_is_away_is_called_to_the_button_in_the_room_only() -> None:
    def called_players(book: str = "hilton", **told: object) -> frozenset[int]:
        state = table(1, 2, 3, 4, 5, 6, away=(2,))
        seat = state.seats[2]
        seat.in_room = True
        for name, value in told.items():
            setattr(seat, name, value)
        hand_roster = HandRoster((1, 3, 4, 5, 6), (), frozenset(), {n: f"p{n}" for n in SIX}, {}, is_recorded=False)
        return find_absent_button_seat(policy(book), PlayerTabs(policy(book)), state, 1, hand_roster)

    assert called_players() == frozenset({2})
    assert called_players(in_room=False) == frozenset()
    assert called_players(in_room=None) == frozenset()
    assert called_players(has_asked_out=True) == frozenset()
    assert called_players(is_busted=True) == frozenset()
    assert called_players(stack=0) == frozenset()
    assert called_players(presence="present") == frozenset()
    assert called_players("rrop4") == frozenset()


def test_a_draft_names_the_last_blind() -> None:
    assert Draft("dead", 1, (2, 3), SIX, (), ()).furthest == 3
    assert Draft("dead", 1, (), SIX, (), ()).furthest is None
    assert DealtIn(1, "p1", 5, 5).seat == 1


def buttons(may: dict[int, ButtonRight], **more: object) -> list[tuple[int | None, str]]:
    drafts = draft_positions(ask(*SIX, may=may, **more), "positional", Citations())  # type: ignore[arg-type]  # by name
    assert not isinstance(drafts, str)
    return [(draft.button, draft.reading) for draft in drafts]


def test_where_a_book_is_silent_about_a_button_there_is_more_than_one_reading() -> None:
    seat_two, seat_three = "the button in seat 2", "the button in seat 3"
    assert buttons({}) == [(2, "")]
    assert buttons({2: "no"}) == [(3, "")]
    assert buttons({2: "rather-yes"}) == [(2, seat_two), (3, seat_three)]
    assert buttons({2: "rather-no"}) == [(3, seat_three), (2, seat_two)]
    assert [seat for seat, _ in buttons(dict.fromkeys(SIX, "rather-no"))] == [2, 3, 4, 5, 6]  # it never stays
    alone: dict[int, ButtonRight] = dict.fromkeys((3, 4, 5, 6, 1), "no")
    assert buttons({2: "rather-no", **alone}) == [(2, "")]
    assert buttons({2: "no", **alone}) == [(2, "")]


def test_two_neighbours_of_whom_the_book_is_silent_leave_three_readings() -> None:
    assert [seat for seat, _ in buttons({2: "rather-no", 3: "rather-no"})] == [4, 2, 3]
    assert [seat for seat, _ in buttons({2: "rather-yes", 3: "rather-no"})] == [2, 4, 3]


def test_a_newcomer_may_have_the_button_on_record_only() -> None:
    def first(*, is_given: bool) -> int | None:
        position_inputs = ask(1, 3, 4, 5, 6, coming=(2,), posters=(2,), given=is_given)
        drafts = draft_positions(position_inputs, "positional", Citations())
        assert not isinstance(drafts, str)
        return drafts[0].button

    assert (first(is_given=True), first(is_given=False)) == (2, 3)


def test_the_highest_straddle_opens() -> None:
    def highest(*posts: Post) -> int | None:
        return find_straddler(hand(1, 2, 3, *SIX, posts=posts))

    low, high = Post(4, "straddle", 20), Post(5, "restraddle", 40)
    assert (highest(low, high), highest(high, low), highest(low)) == (5, 5, 4)
    assert highest(Post(4, "sleeper", 0, 30), Post(5, "straddle", 20)) == 4
    assert (highest(), highest(Post(1, "button-straddle", 20)), find_straddler(None)) == (None,) * 3
