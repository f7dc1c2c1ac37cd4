"""Rank hands of every hand type.

A rank is a number; lower is better. Only ranks of one hand type can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Final

from ledger.errors import VariantError
from ledger.hand.card_evaluator import CARD_NUMBERS, load_evaluator, load_omaha_evaluator
from ledger.hand.variants import HandType, Variant
from ledger.vocabulary import RANKS

_HIGH_RANK: Final = {rank: index + 2 for index, rank in enumerate(RANKS)}
_LOW_RANK: Final = {**_HIGH_RANK, "A": 1}

# Categories of five cards; each hand type puts them in its own order.
_NO_PAIR, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH = range(9)
_GROUPS: Final = {
    (1, 1, 1, 1, 1): _NO_PAIR,
    (2, 1, 1, 1): _PAIR,
    (2, 2, 1): _TWO_PAIR,
    (3, 1, 1): _TRIPS,
    (3, 2): _FULL,
    (4, 1): _QUADS,
}
_SHORT_DECK: Final = (0, 1, 2, 3, 4, 6, 5, 7, 8)  # a flush beats a full house
_SHORT_DECK_TRIPS: Final = (0, 1, 2, 4, 3, 6, 5, 7, 8)  # and three of a kind a straight


_MAX_CARDS: Final = 16
"""No game gives a seat this many cards, even with a few too many. Checking every five of very many takes for ever."""


def rank_hand(
    variant: Variant, hole: Sequence[str], board: Sequence[str] = (), *, qualifier: bool = True
) -> tuple[int | None, int | None]:
    """Return the ranks for the high and the low part of the pot; None = no such part or no low.

    All cards must be known, and there must be enough of them: `VariantError` otherwise. Without `qualifier`, any low of
    a split game counts.
    """
    low = variant.low
    if low == "eight" and not qualifier:
        low = "ace-to-five"
    high_rank = None if variant.high is None else find_best_rank(variant.high, hole, board, variant)
    low_rank = None if low is None else find_best_rank(low, hole, board, variant)
    return high_rank, low_rank


def find_best_rank(kind: HandType, hole: Sequence[str], board: Sequence[str], variant: Variant) -> int | None:
    """Return the best rank of the cards for one hand type, or None if no hand qualifies."""
    if not CARD_NUMBERS.keys() >= {*hole, *board}:
        raise VariantError("a hand with an unknown card has no rank")
    if len(hole) + len(board) > _MAX_CARDS:
        raise VariantError(f"{len(hole) + len(board)} cards make no hand of {variant.title}")
    if variant.hole_exact:
        return _find_best_exact(kind, hole, board, variant.hole_exact)
    cards = [*hole, *board]
    if kind in ("badugi", "badugi-high-ace"):
        return rank_badugi(cards, ace_high=kind == "badugi-high-ace")
    if len(cards) < 5:
        raise VariantError(f"{len(cards)} cards make no hand of {variant.title}")
    if kind == "high" and len(cards) <= 7:
        return int(load_evaluator()(*map(CARD_NUMBERS.__getitem__, cards)))
    if kind == "eight":
        return rank_eight_or_better(cards)
    if kind == "ace-to-five" and (low := _rank_unpaired_low(cards)) is not None:
        return low
    rank_five = _FIVE_CARD_RANKERS[kind]
    return min(rank_five(five) for five in combinations(cards, 5))


def _find_best_exact(kind: HandType, hole: Sequence[str], board: Sequence[str], hole_count: int) -> int | None:
    """Rank a hand of exactly `hole_count` hole cards and board cards (Omaha)."""
    if len(board) < 5 - hole_count or len(hole) < hole_count:
        raise VariantError("too few cards are dealt to make a hand")
    fours = _FOURS.get(len(hole))
    if kind == "high" and hole_count == 2 and len(board) == 5 and fours is not None:
        numbers, on_board = [CARD_NUMBERS[card] for card in hole], [CARD_NUMBERS[card] for card in board]
        evaluate = load_omaha_evaluator()
        return min(int(evaluate(*on_board, *(numbers[index] for index in four))) for four in fours)
    if kind == "eight":
        return _find_exact_eight(hole, board, hole_count)
    rank_five = _FIVE_CARD_RANKERS[kind]
    return min(
        rank_five((*own_cards, *board_cards))
        for own_cards in combinations(hole, hole_count)
        for board_cards in combinations(board, 5 - hole_count)
    )


_FOURS: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    4: ((0, 1, 2, 3),),
    5: ((0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4)),
    6: ((0, 1, 2, 3), (0, 1, 4, 5), (2, 3, 4, 5)),
}
"""Sets of four hole cards in which every two of 4, 5 or 6 occur together.

The evaluator's wheel has tables for four hole cards only.
"""


def rank_eight_or_better(cards: Iterable[str]) -> int | None:
    """Return the rank of the best low, or None without five ranks up to eight."""
    return _keep_lowest_ranks(_encode_low_ranks(cards), 5, 8)


def _find_exact_eight(hole: Sequence[str], board: Sequence[str], hole_count: int) -> int | None:
    lowest_bits: int | None = None
    board_choices = {_encode_low_ranks(board_bits) for board_bits in combinations(board, 5 - hole_count)}
    for own_bits in {_encode_low_ranks(pair) for pair in combinations(hole, hole_count)}:
        for board_bits in board_choices:
            bits = own_bits | board_bits
            if bits.bit_count() == 5 and bits < 1 << 9 and (lowest_bits is None or bits < lowest_bits):
                lowest_bits = bits
    return lowest_bits


def _encode_low_ranks(cards: Iterable[str]) -> int:
    """Return a bit for each rank, bit 1 for the ace. With equally many bits, the smaller number is better."""
    bits = 0
    for card in cards:
        bits |= 1 << _LOW_RANK[card[0]]
    return bits


def _keep_lowest_ranks(bits: int, count: int, highest: int) -> int | None:
    """Return the lowest `count` of the bits up to bit `highest`, or None if there are fewer."""
    lowest_bits = 0
    for bit_index in range(1, highest + 1):
        if bits >> bit_index & 1:
            lowest_bits |= 1 << bit_index
            if lowest_bits.bit_count() == count:
                return lowest_bits
    return None


def _rank_unpaired_low(cards: Sequence[str]) -> int | None:
    """Rank five cards without a pair for ace-to-five, or return None if every five have one."""
    return _keep_lowest_ranks(_encode_low_ranks(cards), 5, 13)


@lru_cache(maxsize=1 << 14)
def _rank_ace_to_five(cards: tuple[str, ...]) -> int:
    """Rank five cards if straights and flushes don't count and the ace is low."""
    category, ranks = _categorize(cards, _LOW_RANK, straights=False, flushes=False, wheel="")
    if category == _NO_PAIR:
        return _encode_low_ranks(cards)
    return (category << 20) + _pack_ranks(ranks)


@lru_cache(maxsize=1 << 14)
def _rank_deuce_to_seven(cards: tuple[str, ...]) -> int:
    """Rank five cards if the worst usual hand wins; A2345 is no straight."""
    category, ranks = _categorize(cards, _HIGH_RANK, straights=True, flushes=True, wheel="")
    return (category << 20) + _pack_ranks(ranks)


@lru_cache(maxsize=1 << 14)
def _rank_short_deck(cards: tuple[str, ...], order: Sequence[int] = _SHORT_DECK) -> int:
    category, ranks = _categorize(cards, _HIGH_RANK, straights=True, flushes=True, wheel="A9876")
    return -((order[category] << 20) + _pack_ranks(ranks))


@lru_cache(maxsize=1 << 14)
def _rank_high(cards: tuple[str, ...]) -> int:
    return int(load_evaluator()(*cards))


_FIVE_CARD_RANKERS: Final[dict[HandType, Callable[[tuple[str, ...]], int]]] = {
    "high": _rank_high,
    "short-deck": _rank_short_deck,
    "short-deck-trips": partial(_rank_short_deck, order=_SHORT_DECK_TRIPS),
    "ace-to-five": _rank_ace_to_five,
    "deuce-to-seven": _rank_deuce_to_seven,
}


def _categorize(
    cards: tuple[str, ...], rank_values: dict[str, int], *, straights: bool, flushes: bool, wheel: str
) -> tuple[int, list[int]]:
    """Return the category of five cards and their ranks, the largest groups first."""
    counts: dict[int, int] = {}
    for card in cards:
        value = rank_values[card[0]]
        counts[value] = counts.get(value, 0) + 1
    groups = sorted(((card_count, value) for value, card_count in counts.items()), reverse=True)
    ranks = [value for _, value in groups]
    category = _GROUPS[tuple(card_count for card_count, _ in groups)]
    if category != _NO_PAIR:
        return category, ranks
    straight = straights and ranks[0] - ranks[4] == 4
    if wheel and ranks == [rank_values[name] for name in wheel]:
        straight, ranks = True, [*ranks[1:], 1]  # the ace is the lowest card of this straight
    flush = flushes and len({card[1] for card in cards}) == 1
    if straight:
        return (_STRAIGHT_FLUSH if flush else _STRAIGHT), ranks
    return (_FLUSH if flush else _NO_PAIR), ranks


def _pack_ranks(ranks: Iterable[int]) -> int:
    """Pack up to five ranks into one number, the first one as the most significant."""
    number = 0
    for place, value in enumerate(ranks):
        number |= value << 4 * (4 - place)
    return number


def rank_badugi(cards: Sequence[str], *, ace_high: bool = False) -> int:
    """Rank the best badugi: more cards of different ranks and suits, then the lowest ranks."""
    rank_values = _HIGH_RANK if ace_high else _LOW_RANK
    for card_count in range(min(4, len(cards)), 0, -1):
        badugi_bits = [
            sum(1 << rank_values[card[0]] for card in chosen_cards)
            for chosen_cards in combinations(cards, card_count)
            if len({card[0] for card in chosen_cards}) == card_count == len({card[1] for card in chosen_cards})
        ]
        if badugi_bits:
            return (4 - card_count << 16) + min(badugi_bits)
    raise VariantError("no card makes no badugi")
