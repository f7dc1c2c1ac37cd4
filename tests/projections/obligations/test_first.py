"""The button where no last hand gives it: the blinds behind it, and where two players have them."""

from __future__ import annotations

import pytest

from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground
from projections.obligations.first_button import draft_behind_button, repeat_positions
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import Citations, Draft

GROUND = Ground("drew the button", (), "record")
TWO: tuple[BlindName, ...] = ("small", "big")
THREE: tuple[BlindName, ...] = ("small", "big", "extra")
BIG_ONLY: tuple[BlindName, ...] = ("big",)


def first(
    button: int,
    dealt: tuple[int, ...],
    roles: tuple[BlindName, ...] = TWO,
    *,
    is_known: bool = True,
    judged: bool = True,
    reading: str = "",
) -> Draft | str:
    cites = Citations(heads_up=("two",), order=("order",), heads_up_known=is_known)
    return draft_behind_button("dead", button, GROUND, dealt, roles, cites, judged=judged, reading=reading)


@pytest.mark.parametrize(
    ("button", "dealt", "roles", "blinds"),
    [
        (2, (1, 2, 4, 6), TWO, (4, 6)),
        (6, (1, 2, 4, 6), TWO, (1, 2)),
        (5, (1, 2, 4, 6), TWO, (6, 1)),  # a button in an empty seat
        (2, (1, 2, 4), TWO, (4, 1)),
        (2, (1, 2, 4, 6), THREE, (4, 6, 1)),
        (2, (2, 4), BIG_ONLY, (4,)),  # one blind: no small one to have on the button
        (3, (2, 4), BIG_ONLY, (4,)),
        (4, (2, 4), TWO, (4, 2)),
        (2, (2, 4), TWO, (2, 4)),
    ],
)
def test_the_blinds_are_the_next_players_behind_a_given_button(
    button: int, dealt: tuple[int, ...], roles: tuple[BlindName, ...], blinds: tuple[int, ...]
) -> None:
    draft = first(button, dealt, roles)
    assert isinstance(draft, Draft)
    assert (draft.button, draft.blinds, draft.dealt) == (button, blinds, dealt)
    assert draft.heads_up == (len(dealt) == 2 and len(roles) == 2)
    assert (draft.judged, draft.button_grounds) == (True, (GROUND,))
    cited = ("two",) if draft.heads_up else ("order",)
    assert [ground.clauses for (ground,) in draft.blind_grounds] == [cited] * len(roles)


@pytest.mark.parametrize(
    ("button", "dealt", "roles", "reason"),
    [
        (2, (2,), BIG_ONLY, "fewer than two players can be dealt in"),
        (5, (2,), BIG_ONLY, "fewer than two players can be dealt in"),
        (3, (2, 4), TWO, "where the blinds go with two players"),
        (2, (2, 4), THREE, "where the blinds go with two players"),
        (2, (2, 4, 6), THREE, "there are fewer players than blinds"),
    ],
)
def test_where_the_blinds_do_not_fit_it_is_open(
    button: int, dealt: tuple[int, ...], roles: tuple[BlindName, ...], reason: str
) -> None:
    assert first(button, dealt, roles) == reason


def test_two_players_are_judged_where_the_book_speaks_of_them() -> None:
    def judged(dealt: tuple[int, ...], *, is_known: bool, is_asked: bool) -> bool:
        draft = first(2, dealt, is_known=is_known, judged=is_asked, reading="bought")
        assert isinstance(draft, Draft)
        assert draft.reading == "bought"
        return draft.judged

    assert judged((2, 4), is_known=True, is_asked=True)
    assert not judged((2, 4), is_known=False, is_asked=True)
    assert not judged((2, 4), is_known=True, is_asked=False)
    assert judged((2, 4, 6), is_known=False, is_asked=True)
    assert not judged((2, 4, 6), is_known=True, is_asked=False)


def test_a_hand_that_did_not_count_leaves_the_positions_where_they_were() -> None:
    def stays(dealt: tuple[int, ...], cites: tuple[str, ...] = ()) -> Draft | None:
        hand_positions = HandPositions("7", 1, 2, 3, None, (1, 2, 3, 4), ("a", "b", "c", "d"), TWO)
        return repeat_positions(hand_positions, "dead", dealt, cites, judged=True)

    assert stays((1, 2, 4)) is None  # whose big blind it was is gone
    draft = stays((1, 2, 3, 4))
    assert draft is not None
    assert (draft.button, draft.blinds, draft.heads_up, draft.judged) == (1, (2, 3), False, True)
    assert draft.button_grounds[0].basis == "fallback"
    two = stays((2, 3), ("17.1",))
    assert two is not None
    assert (two.heads_up, two.button_grounds[0].basis) == (True, "book")
