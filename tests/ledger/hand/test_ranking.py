"""Every kind of five-card hand stands where PokerKit's tables put it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from random import Random

import pokerkit
import pytest

from ledger.errors import VariantError
from ledger.hand.hand_strength import find_best_rank, rank_hand
from ledger.hand.variants import VARIANTS, Variant, get_variant
from ledger.vocabulary import DECK, RANKS, SUITS

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

LOW_DRAW, RAZZ, BADUGI = VARIANTS["single-27"], VARIANTS["razz"], VARIANTS["badugi"]


def every_kind_of_five(ranks: str) -> Iterator[list[str]]:
    """Yield a hand of every multiset of ranks, and of every flush."""
    for five_ranks in combinations_with_replacement(ranks, 5):
        if max(five_ranks.count(rank) for rank in five_ranks) < 5:
            counts: dict[str, int] = {}
            cards = []
            for index, rank in enumerate(five_ranks):
                cards.append(rank + SUITS[(counts.get(rank, index % 2)) % 4])
                counts[rank] = counts.get(rank, index % 2) + 1
            if len(set(five_ranks)) == 5:
                yield [rank + "c" for rank in five_ranks]
                cards[0] = cards[0][0] + "s"
                cards[1] = cards[1][0] + "h"
            yield cards


def same_order(our_ranks: list[int], pokerkit_ranks: list[int]) -> None:
    """Both rank the same hands alike: equal where equal, and in one order (theirs: more = better)."""
    pairs = sorted(set(zip(our_ranks, pokerkit_ranks, strict=True)))
    assert len({our_rank for our_rank, _ in pairs}) == len(pairs) == len({pokerkit_rank for _, pokerkit_rank in pairs})
    assert [pokerkit_rank for _, pokerkit_rank in pairs] == sorted(
        (pokerkit_rank for _, pokerkit_rank in pairs), reverse=True
    )


@pytest.mark.parametrize(
    ("game", "kind", "pokerkit_type", "ranks"),
    [
        ("draw5", "high", pokerkit.StandardHighHand, RANKS),
        ("short-deck", "short-deck", pokerkit.ShortDeckHoldemHand, RANKS[4:]),
        ("single-27", "deuce-to-seven", pokerkit.StandardLowHand, RANKS),
        ("razz", "ace-to-five", pokerkit.RegularLowHand, RANKS),
    ],
)
def test_every_kind_of_hand_is_ranked_as_in_pokerkit(game: str, kind: str, pokerkit_type: type, ranks: str) -> None:
    hands = list(every_kind_of_five(ranks))
    ours = [find_best_rank(kind, cards, (), VARIANTS[game]) for cards in hands]
    more_is_better = pokerkit_type is not pokerkit.RegularLowHand and pokerkit_type is not pokerkit.StandardLowHand
    sign = 1 if more_is_better else -1
    same_order(ours, [sign * pokerkit_type("".join(cards)).entry.index for cards in hands])


def test_every_eight_or_better_is_ranked_as_in_pokerkit() -> None:
    game, hands = VARIANTS["stud8"], list(every_kind_of_five(RANKS))
    lows = {}
    for cards in hands:
        ours = find_best_rank("eight", cards, (), game)
        pokerkit_hand = pokerkit.EightOrBetterLowHand.from_game_or_none("", "".join(cards))
        assert (ours is None) == (pokerkit_hand is None), cards
        if ours is not None:
            lows[ours] = -pokerkit_hand.entry.index
    same_order(list(lows), list(lows.values()))


@pytest.mark.parametrize(
    ("kind", "pokerkit_type"), [("badugi", pokerkit.BadugiHand), ("badugi-high-ace", pokerkit.StandardBadugiHand)]
)
def test_badugis_are_ranked_as_in_pokerkit(kind: str, pokerkit_type: type) -> None:
    rng = Random(kind)
    hands = [rng.sample(DECK, 4) for _ in range(3000)]
    hands += [[a + "c", b + "d", c + "h", d + "s"] for a, b, c, d in combinations(RANKS, 4)]
    ours = [find_best_rank(kind, cards, (), BADUGI) for cards in hands]
    same_order(ours, [-pokerkit_type.from_game("".join(cards)).entry.index for cards in hands])


@pytest.mark.parametrize("name", ["omaha8", "omaha5-8", "omaha6-8", "courchevel8"])
def test_omaha_hands_use_two_hole_cards_and_three_of_the_board(name: str) -> None:
    rng, game = Random(name), get_variant(name)
    for _ in range(40):
        cards = rng.sample(DECK, 5 + game.hole_cards)
        board, hole = cards[:5], cards[5:]
        high, low = rank_hand(game, hole, board)
        fives = [[*hole_pair, *common] for hole_pair in combinations(hole, 2) for common in combinations(board, 3)]
        assert high == min(find_best_rank("high", five, (), VARIANTS["draw5"]) for five in fives)
        lows = [find_best_rank("eight", five, (), VARIANTS["stud8"]) for five in fives]
        assert low == min((found_low for found_low in lows if found_low is not None), default=None)


def test_the_board_alone_is_a_hand_in_holdem_and_not_in_omaha() -> None:
    royal = ["As", "Ks", "Qs", "Js", "Ts"]
    assert rank_hand(get_variant("holdem"), ["2c", "3d"], royal)[0] == 1
    assert rank_hand(get_variant("omaha"), ["2c", "3d", "4h", "4c"], royal)[0] > 1


def test_seven_cards_hold_the_best_low_of_five() -> None:
    razz = get_variant("razz")
    wheel = rank_hand(razz, ["Ac", "2d", "3h", "4s", "5c", "Kd", "Kh"])
    paired = rank_hand(razz, ["Ac", "Ad", "2h", "2s", "3c", "3d", "4h"])
    assert wheel == (None, rank_hand(razz, ["Ac", "2d", "3h", "4s", "5c"])[1])
    assert paired[1] > wheel[1]  # ace, two, three, four and a pair


def test_badeucey_splits_between_a_low_hand_and_a_badugi() -> None:
    hole = ["2c", "3d", "4h", "5s", "7c"]
    high, low = rank_hand(get_variant("badeucey"), hole)
    assert high == find_best_rank("deuce-to-seven", hole, (), LOW_DRAW)
    assert low == find_best_rank("badugi-high-ace", ["2c", "3d", "4h", "5s"], (), BADUGI)


def test_without_the_qualifier_any_low_counts() -> None:
    hole, board = ["Kc", "Kd", "Qh", "Js"], ["9c", "Td", "2h", "3s", "4c"]
    assert rank_hand(get_variant("omaha8"), hole, board)[1] is None
    assert rank_hand(get_variant("omaha8"), hole, board, qualifier=False)[1] is not None


@pytest.mark.parametrize("hole", [["As"], ["As", "??"], ["As", "Jk"]])
def test_what_cannot_be_ranked_says_so(hole: list[str]) -> None:
    with pytest.raises(VariantError):
        rank_hand(get_variant("holdem"), hole, ["2c", "3d"])


@pytest.mark.parametrize("game", VARIANTS.values(), ids=lambda game: game.id)
def test_every_game_can_rank_its_own_cards(game: Variant) -> None:
    deck = [card for card in DECK if game.deck == 52 or card[0] not in "2345"]
    cards = Random(game.id).sample(deck, game.hole_cards + game.board_cards)
    hole = cards[: game.hole_cards - sum(plan.discard for plan in game.streets)]
    high, low = rank_hand(game, hole, cards[game.hole_cards :])
    assert (high is None) == (game.high is None)
    assert low is None or game.low is not None


def test_an_unknown_game_names_those_that_are_known() -> None:
    with pytest.raises(VariantError, match="chess") as caught:
        get_variant("chess")
    assert "holdem" in caught.value.hint
