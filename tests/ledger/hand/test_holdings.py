"""Who holds which cards, and what lies on the board."""

from __future__ import annotations

from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.fold import fold

SEALED = "ab" * 32


def test_cards_that_are_shown_fill_in_what_was_unknown() -> None:
    state = fold([d.HoleCardsDealt(1, "????"), e.CardsShown(1, "??Kd"), e.CardsShown(1, "Ah??")])
    assert sorted(state.hole_cards(1)) == ["Ah", "Kd"]


def test_a_stud_hand_keeps_its_open_cards_when_it_is_shown() -> None:
    dealt = [d.HoleCardsDealt(1, "????Ah", "ddu"), d.HoleCardsDealt(1, "2c", "u")]
    assert fold(dealt).up_cards(1) == ["Ah", "2c"]
    state = fold([*dealt, e.CardsShown(1, "KdKsAh2c")])
    assert sorted(state.hole_cards(1)) == ["2c", "Ah", "Kd", "Ks"]
    assert state.up_cards(1) == ["Ah", "2c"]


def test_a_draw_takes_known_cards_by_name_and_unknown_ones_by_number() -> None:
    known_cards = [d.HoleCardsDealt(1, "2c3d4h5sKd"), d.CardsDiscarded(1, 1, "Kd"), d.CardsDrawn(1, "7c")]
    assert fold(known_cards).hole_cards(1) == ["2c", "3d", "4h", "5s", "7c"]
    unknown = [d.HoleCardsDealt(1, "??" * 5), d.CardsDiscarded(1, 2), d.CardsDrawn(1, "????")]
    assert fold(unknown).hole_cards(1) == ["??"] * 5


def test_a_discard_that_is_not_named_leaves_the_rest_unknown() -> None:
    state = fold([d.HoleCardsDealt(1, "2c3d4h5sKd"), d.CardsDiscarded(1, 1)])
    assert state.hole_cards(1) == ["??"] * 4


def test_a_committed_card_can_be_opened() -> None:
    dealt = [d.HoleCardsDealt(1, f"{{{SEALED}}}Kd")]
    assert fold(dealt).hole_cards(1) == [f"{{{SEALED}}}", "Kd"]
    assert fold([*dealt, d.CardsOpened(1, SEALED, "Ah")]).hole_cards(1) == ["Ah", "Kd"]


def test_replaced_returned_and_extra_cards_change_the_hand() -> None:
    dealt = d.HoleCardsDealt(1, "2c3d")
    assert fold([dealt, d.CardReplaced(1, "3d", "9h")]).hole_cards(1) == ["2c", "9h"]
    extra = fold([dealt, d.ExtraCardDealt(1, "9h")])
    assert extra.hole_cards(1) == ["2c", "3d", "9h"]
    state = fold([dealt, d.ExtraCardDealt(1, "9h"), d.CardReturned("9h", seat=1, source="extra")])
    assert state.hole_cards(1) == ["2c", "3d"]


def test_a_misdeal_takes_all_cards_back() -> None:
    state = fold([d.HoleCardsDealt(1, "2c3d"), d.MisdealDeclared(), d.HoleCardsDealt(1, "KcKd")])
    assert state.hole_cards(1) == ["Kc", "Kd"]


def test_two_boards_lie_beside_each_other_and_burns_are_kept() -> None:
    state = fold(
        [
            d.CardBurned("flop", "2h"),
            d.BoardDealt("flop", "AsKd2c"),
            d.BoardDealt("flop", "3s4d5c", board=2),
            d.CardBurned("turn"),
            d.BoardDealt("turn", "9c"),
        ]
    )
    assert state.boards == [["As", "Kd", "2c", "9c"], ["3s", "4d", "5c"]]
    assert state.burns == ["2h", "??"]


def test_one_withdrawn_card_leaves_the_others() -> None:
    state = fold([d.BoardDealt("flop", "AsKd2c9h"), d.BoardWithdrawn("flop", "9h")])
    assert state.boards == [["As", "Kd", "2c"]]
