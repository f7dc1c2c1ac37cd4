"""Games and limits by the names that rooms give them."""

from __future__ import annotations

import pytest

from ledger.hand.opening import Betting
from ledger.hand.variants import VARIANTS
from ledger.readers import games

EVERY = frozenset(VARIANTS)


@pytest.mark.parametrize(
    ("words", "variant", "betting"),
    [
        ("No Limit Hold'em", "holdem", "no-limit"),
        ("Texas Hold-Em NL", "holdem", "no-limit"),
        ("Omaha half pot limit", "omaha", "pot-limit"),
        ("FIXED_LIMIT SEVEN_CARD_STUD_HI_LO", "stud8", "limit"),
        ("5-Card Omaha Hi/Lo", "omaha5-8", None),
        ("OmahaHiLo", "omaha8", None),
        ("Omaha High", "omaha", None),
        ("7 Card Stud Eight or Better", "stud8", None),
        ("Lowball27 fixed limit", "triple-27", "limit"),
        ("Limit", None, None),
        ("Razz Hi/Lo", None, None),
        ("Hold'em Hold'em", None, None),
        ("", None, None),
    ],
)
def test_a_name_is_a_game_and_perhaps_a_limit(words: str, variant: str | None, betting: Betting | None) -> None:
    assert games.split_limit(words, EVERY) == (variant, betting)


def test_a_game_that_a_room_is_not_read_with_is_none() -> None:
    assert games.find_variant("Razz", games.FLOP) is None
    assert games.find_variant("Razz", games.STUD) == "razz"


def test_every_variant_that_has_a_name_has_rules() -> None:
    assert {games.find_variant(name, EVERY) for name in games.NAMES} <= EVERY
    assert set(games.NAMES.values()) <= EVERY


def test_stakes_are_bets_where_the_limit_is_fixed() -> None:
    fixed = games.build_game_set("holdem", "limit", (5, 10), unit="USD", exponent=2)
    free = games.build_game_set("holdem", "no-limit", (5, 10), unit="chips", exponent=0, tournament=True, ante=1)
    assert (fixed.blinds, fixed.bets, fixed.format) == ((), (5, 10), "cash")
    assert (free.blinds, free.bets, free.format, free.ante) == ((5, 10), (), "tournament", 1)


def test_a_hostile_name_is_no_game_soon() -> None:
    assert games.find_variant("omaha" + " hi/lo" * 30_000, EVERY) is None
    assert games.find_variant("8" * 100_000, EVERY) is None
