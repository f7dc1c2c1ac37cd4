"""From positions to posts and order of action, and what went past whom: asked directly."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import ButtonBought, Post
from projections.obligations.button_round import ButtonRound, HandPositions
from projections.obligations.dues import Ground
from projections.obligations.game import BlindName, BlindStructure
from projections.obligations.missed_blinds import Spot, measure_passage
from projections.obligations.position_inputs import Citations, Draft
from projections.obligations.positions import draft_positions
from projections.obligations.post_order import Setting, build_placements
from tests.projections.obligations.desk import Desk, due_at, terms
from tests.projections.obligations.rooms import DEAD, MOVING, dues, posts, shown_placement
from tests.projections.obligations.test_debts_measures import hand
from tests.projections.obligations.test_debts_measures import make_placement as placement
from tests.projections.obligations.test_debts_missed import return_between_blinds
from tests.projections.obligations.test_method_inputs import ask
from tests.projections.obligations.test_positions_closely import played

TWO: tuple[BlindName, ...] = ("small", "big")
THREE: tuple[BlindName, ...] = ("small", "big", "extra")
SIX = (1, 2, 3, 4, 5, 6)


def setting(
    roles: tuple[BlindName, ...] = TWO,
    *,
    stacks: dict[int, int | None] | None = None,
    newcomers: tuple[int, ...] = (),
    straddler: int | None = None,
    half: tuple[str, ...] | None = None,
    is_sure: bool = True,
    dead: BlindName | None = None,
    ante: int = 0,
) -> Setting:
    chips: dict[BlindName, int | None] = dict(zip(roles, (5, 10, 20), strict=False))
    return Setting(
        BlindStructure(roles, chips, dead, ante), stacks or {}, frozenset(newcomers), straddler, half, is_sure
    )


def draft(
    button: int | None,
    *blinds: int | None,
    dealt: tuple[int, ...] = SIX,
    heads_up: bool = False,
    owes: tuple[tuple[int, BlindName], ...] | None = None,
) -> Draft:
    grounds = tuple((Ground(f"blind {index}"),) for index in range(len(blinds)))
    return Draft("dead", button, blinds, dealt, (Ground("button"),), grounds, heads_up=heads_up, owed_posts=owes)


def paid(draft: Draft, setting: Setting) -> list[str]:
    """The posts of each reading: seat, role, live and dead chips."""
    return [
        " ".join(f"{post.seat}:{post.role}:{post.live}+{post.dead}" for post in placement.posts)
        for placement in build_placements(draft, setting)
    ]


def test_a_newcomer_posts_the_last_blind_or_any_of_two_players_but_no_other() -> None:
    usual = ["2:small:5+0 3:big:10+0"]
    assert paid(draft(1, 2, 3), setting()) == usual
    assert paid(draft(1, 2, 3), setting(newcomers=(3,))) == usual
    assert paid(draft(1, 2, 3), setting(newcomers=(2,))) == ["3:big:10+0"]
    assert paid(draft(2, 2, 3, dealt=(2, 3), heads_up=True), setting(newcomers=(2,))) == usual
    assert paid(draft(1, 2, 3, 4), setting(THREE, newcomers=(3, 4))) == ["2:small:5+0 4:extra:20+0"]
    assert paid(draft(1, 2, 3, dealt=(1, 3, 4)), setting()) == ["3:big:10+0"], "a dead small blind"
    assert paid(draft(1, None, 3), setting()) == ["3:big:10+0"]


def test_what_a_stack_does_not_cover_is_not_posted() -> None:
    def big(stack: int, ante: int = 0, dead: BlindName | None = None) -> str:
        (post,) = paid(draft(1, 2, 3), setting(stacks={3: stack}, ante=ante, dead=dead))
        return post.split()[1]

    assert [big(stack) for stack in (9, 10, 11)] == ["3:big:9+0", "3:big:10+0", "3:big:10+0"]
    assert [big(stack, 2) for stack in (11, 12)] == ["3:big:None+0", "3:big:10+0"]
    assert big(9, dead="big") == "3:big:0+9"
    assert big(9, dead="small") == "3:big:9+0"


def test_order_of_action_goes_from_the_last_blind_or_the_straddle() -> None:
    def acting(draft: Draft, setting: Setting) -> tuple[int | None, int | None, int | None]:
        (placement,) = build_placements(draft, setting)
        return placement.opener, placement.first, placement.last

    assert acting(draft(1, 2, 3), setting()) == (4, 2, 1)
    assert acting(draft(1, 2, 3), setting(straddler=4)) == (5, 2, 1)
    assert acting(draft(1, 2, 3), setting(straddler=9)) == (4, 2, 1), "who is not dealt in"
    assert acting(draft(1, 2, 3, 4), setting(THREE)) == (5, 2, 1)
    assert acting(draft(1), setting(())) == (2, 2, 1)
    assert acting(draft(1, 2, 3, dealt=(3, 4, 6)), setting()) == (4, 3, 6), "nobody on the button"
    assert acting(draft(None, 2, 3), setting()) == (4, None, None)
    assert acting(draft(2, 2, 3, dealt=(2, 3), heads_up=True), setting()) == (2, 3, 2)


def test_empty_positions_are_named_as_such() -> None:
    def empty(*told: int | None, dealt: tuple[int, ...] = SIX) -> tuple[bool, bool]:
        (placement,) = build_placements(draft(told[0], *told[1:], dealt=dealt), setting())
        return placement.button_empty, placement.small_empty

    assert empty(1, 2, 3) == (False, False)
    assert empty(1, 2, 3, dealt=(2, 3, 4)) == (True, False)
    assert empty(1, 2, 3, dealt=(1, 3, 4)) == (False, True)
    assert empty(None, None, 3) == (False, False)


def test_owed_blinds_are_posted_by_whom_they_are_owed_from() -> None:
    draft_owed = draft(1, 2, 3, owes=((4, "big"), (3, "big"), (2, "small")))
    assert paid(draft_owed, setting()) == ["4:big:10+0 3:big:10+0 2:small:5+0"]
    sentences = [post.grounds[0].sentence for post in build_placements(draft_owed, setting())[0].posts]
    assert sentences == ["The big blind has reached or passed seat 4, which hasn't posted it.", "blind 1", "blind 0"]


@pytest.mark.parametrize(
    ("stack", "stack_setting", "expected"),
    [
        (4, setting(half=("04b",), stacks={3: 4}), ["2:small:5+0 3:big:4+0 4:big:10+0", "2:small:5+0 4:big:10+0"]),
        (5, setting(half=("04b",), stacks={3: 5}), ["2:small:5+0 3:big:5+0"]),
        (4, setting(stacks={3: 4}), ["2:small:5+0 3:big:4+0"]),
        (
            4,
            setting(half=("04b",), is_sure=False, stacks={3: 4}),
            ["2:small:5+0 3:big:4+0 4:big:10+0", "2:small:5+0 4:big:10+0", "2:small:5+0 3:big:4+0"],
        ),
        (4, setting(half=("04b",), stacks={2: 1}), ["2:small:1+0 3:big:10+0"]),
    ],
)
def test_who_stands_in_for_a_short_big_blind(stack: int, stack_setting: Setting, expected: list[str]) -> None:
    assert paid(draft(1, 2, 3), stack_setting) == expected
    assert (build_placements(draft(1, 2, 3), stack_setting)[0].opener == 5) is ("4:big" in expected[0])


def test_of_two_players_or_of_none_with_a_big_blind_nobody_stands_in() -> None:
    half = setting(half=("04b",), stacks={3: 4})
    assert paid(draft(2, 2, 3, dealt=(2, 3), heads_up=True), half) == ["2:small:5+0 3:big:4+0"]
    assert paid(draft(1, 2, 3, dealt=(1, 2, 4)), half) == ["2:small:5+0"]
    assert paid(draft(1, 2, 3, owes=((3, "big"), (4, "big"))), half) == ["3:big:4+0 4:big:10+0"]


# Where the blinds belong


def draft_seats(**more: object) -> list[tuple[int | None, tuple[int | None, ...]]] | str:
    seats = more.pop("seats", SIX)
    method = more.pop("method", "dead")
    inputs = ask(*seats, **more)  # type: ignore[misc, arg-type]  # by name
    drafts = draft_positions(inputs, method, Citations(heads_up_known=True))  # type: ignore[arg-type]  # a method
    return drafts if isinstance(drafts, str) else [(inputs.button, inputs.blinds) for inputs in drafts]


def test_the_dead_button_follows_the_blinds_over_empty_seats() -> None:
    assert draft_seats() == [(2, (3, 4))]
    assert draft_seats(seats=(1, 4, 5, 6)) == [(2, (3, 4))]
    assert draft_seats(seats=(1, 2, 3, 5, 6)) == [(2, (3, 5))]
    assert draft_seats(seats=(1, 2, 3)) == [(2, (3, 1))]
    assert draft_seats(seats=(5, 6)) == [(6, (6, 5))]
    assert draft_seats(seats=(5,)) == "fewer than two players can be dealt in"
    assert draft_seats(seats=()) == "fewer than two players can be dealt in"


def test_a_single_blind_before_leaves_the_button_of_two_unknown() -> None:
    hand_positions = HandPositions("7", 1, None, 2, None, SIX, tuple(f"p{seat}" for seat in SIX), ("big",))
    drafts = draft_positions(ask(*SIX)._replace(last_positions=hand_positions, roles=THREE), "dead", Citations())
    assert not isinstance(drafts, str)
    assert [(draft.button, draft.blinds) for draft in drafts] == [(None, (1, 2, 3))]
    lost = draft_positions(ask(*SIX)._replace(last_positions=hand_positions._replace(big=None)), "dead", Citations())
    assert lost == "hand 7 doesn't record where the big blind was"
    antes = draft_positions(ask(*SIX)._replace(last_positions=hand_positions._replace(roles=())), "dead", Citations())
    assert "doesn't record" in str(antes)


def test_the_moving_button_goes_to_the_next_player_and_the_blinds_behind_it() -> None:
    assert draft_seats(method="positional") == [(2, (3, 4))]
    assert draft_seats(method="positional", seats=(1, 4, 5, 6)) == [(4, (5, 6))]
    assert draft_seats(method="positional", seats=(1, 5)) == [(5, (5, 1))]
    assert draft_seats(method="positional", seats=(4,)) == "fewer than two players can be dealt in"
    assert draft_seats(method="positional", seats=(1, 2, 4), coming=(3,), given=False) == [(2, (4, 1))]
    late_drafts = draft_seats(method="positional", seats=(1, 2, 3), coming=(4,), given=False)
    assert late_drafts == [(2, (3, 4))], "the big blind comes to who waits for it"


def test_a_newcomer_dealt_in_behind_the_button_may_have_the_small_blind() -> None:
    (posted,) = draft_positions(ask(1, 2, 4, 5, coming=(3,), posters=(3,)), "positional", Citations())
    assert posted.blinds == (4, 5)  # type: ignore[union-attr]  # a draft
    drafts = draft_positions(ask(1, 2, 4, 5, coming=(3,)), "positional", Citations())
    assert [draft.blinds for draft in drafts] == [(4, 5), (3, 4)]  # type: ignore[union-attr]  # drafts


def test_heads_up_a_newcomer_has_the_big_blind_and_not_the_button() -> None:
    first = played(1, 2, "2:small 4:big", (2, 4))
    events = [first, SeatLeft(4, "p4"), SeatTaken(3, "p3", "walk-in", 200)]
    second = played(2, 3, "3:small 2:big", (2, 3))
    assert posts(shown_placement(dues(DEAD, *events, second)[1])) == "2:5 3:10"
    assert not shown_placement(dues(DEAD, *events, second)[1]).judged, "by its turn the big blind is seat 2's"
    assert posts(shown_placement(dues(MOVING, *events, second)[1])) == "2:5 3:10", "new: no button yet"


# What went past whom


def test_a_big_blind_that_skips_some_of_many_players_did_not_go_backwards() -> None:
    def backwards(was: int, spot_now: int, *dealt: int, due: int | None = None) -> bool:
        belongs = placement(None, None, due) if due is not None else None
        hand_played = hand(None, None, spot_now, *dealt)
        return measure_passage(hand_played, Spot(None, None, was), Spot(None, None, spot_now), belongs).is_backwards

    assert not backwards(1, 4, 1, 2, 3, 4, 5)  # two of five were skipped
    assert not backwards(1, 4, *SIX)
    assert backwards(1, 5, 1, 2, 3, 4, 5)
    assert backwards(1, 6, *SIX)
    assert not backwards(1, 6, *SIX, due=6)
    assert backwards(1, 6, *SIX, due=2)
    assert not backwards(1, 3, 1, 2, 3)  # one of three
    assert backwards(1, 4, 1, 2, 3, 4)
    assert not backwards(3, 3, 1, 2, 3)


# How a player stands


def test_a_broke_player_whom_the_small_blind_alone_went_past_makes_it_up() -> None:
    other_seats = [1, 2, 4, 5, 6, 7, 8, 9]
    for stack, expected in ((0, "5+0"), (50, "yes")):
        desk = Desk("hilton")
        desk.play(1, 2, 3, range(1, 10), stacks={3: (100, stack)})
        if not stack:
            for button, small, big in ((2, 3, 4), (3, 4, 5)):
                desk.play(button, small, big, other_seats, out={3: "no-chips"})
            desk.tell(PlayerBack(3), ChipsAdded(3, 1000, "rebuy"))
            assert [missed_blind.role for missed_blind in due_at(desk.coming(), 3).missed] == ["small"]
        assert terms(desk.coming(), 3) == expected


def test_who_bought_the_button_owing_is_dealt_in_and_owes_until_then() -> None:
    desk = return_between_blinds("bicycle", "limit")
    desk.tell(ButtonBought(3, 15))
    assert due_at(desk.coming(), 3).status == "owing"
    desk = return_between_blinds("bicycle", "limit")
    desk.tell(ButtonBought(4, 15))
    assert (due_at(desk.coming(), 4).status, due_at(desk.coming(), 4).deal) == ("playing", "yes")


# Who has paid what of a round


def test_a_first_hand_leaves_its_big_blind_owing_the_small_one() -> None:
    button_round = ButtonRound()
    posts_stated = (Post(2, "small", 5), Post(3, "big", 10))
    due = dues(DEAD, played(1, 1, "2:small 3:big"))[0]
    button_round.apply_hand(hand(1, 2, 3, *SIX, posts=posts_stated, variant="holdem"), due, TWO)
    assert button_round.debts == {"p3": ("small",)}
