"""What a house states for itself: the games that it spreads, its rake, and the hands that win a jackpot.

No published book decides these points. A house's own book does, with a list of entries for each. Amounts are decimals of
the table's currency. The first entry that fits a hand holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.hand.variants import VARIANTS

GAMES_POINT: Final = "house.games"
RAKE_POINT: Final = "house.rake"
JACKPOT_POINT: Final = "house.jackpot"

RakedChips: TypeAlias = Literal["called", "all-bets", "each-pot", "main-pot"]
"""The chips that a rake is a part of.

`called`: all pots together, without an uncalled bet. `all-bets`: the same with the uncalled bet. `each-pot`: each pot
by itself, without an uncalled bet. `main-pot`: the main pot alone.
"""
DropKind: TypeAlias = Literal["rake", "jackpot"]
Rounding: TypeAlias = Literal["down", "nearest", "up"]

_MAX_AMOUNT: Final = 1_000_000_000
_MAX_PLAYERS: Final = 23
_STAKES: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?(?:/[0-9]{1,9}(?:\.[0-9]{1,4})?){0,3}", re.ASCII)
_RANK_WORDS: Final = {
    "two": "2",
    "deuce": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "T",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
}
_HAND_HINT: Final = (
    'Write it as "aces full of jacks", "any full house", "four tens", "straight flush" or "royal flush".'
)
_RANKS: Final = "23456789TJQKA"
_FULL_HOUSE: Final = re.compile(r"([a-z]+) full(?: of ([a-z]+))?")
_QUADS: Final = re.compile(r"(?:four|quad) ([a-z]+)")
_STRAIGHT_FLUSH: Final = re.compile(r"([a-z]+)-high straight flush")


class HousePointError(ValueError):
    """An entry of a house's list that is impossible or unreadable. `hint` says what to write."""

    def __init__(self, message: str, hint: str) -> None:
        """Take what is wrong, and what to write."""
        super().__init__(message)
        self.hint = hint


class SpreadGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game that the house spreads."""

    game: str
    betting: Literal["", "no-limit", "pot-limit", "limit", "spread"] = ""  # "" = any
    stakes: list[str] = []  # limit: the two bets, "2/4"; other games: the blinds, "1/2"; [] = any
    buy_in_min: float | None = None
    buy_in_max: float | None = None

    def __post_init__(self) -> None:
        """Check that the game exists, and that the amounts are possible."""
        _check_game(self.game, is_needed=True)
        _check_stakes(self.stakes)
        _check_amounts(buy_in_min=self.buy_in_min, buy_in_max=self.buy_in_max)
        if self.buy_in_min is not None and self.buy_in_max is not None and self.buy_in_min > self.buy_in_max:
            raise HousePointError(
                f"the smallest buy-in {self.buy_in_min:g} is above the largest, {self.buy_in_max:g}",
                "Exchange buy_in_min and buy_in_max.",
            )


class DropStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A fixed drop: what the house takes in all from a pot of at least `pot`."""

    pot: float
    take: float

    def __post_init__(self) -> None:
        """Check that the amounts are possible."""
        _check_amounts(pot=self.pot, take=self.take)


class RakeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the house takes from the pots of some games: a percentage, or fixed amounts by the size of the pot."""

    percent: float | None = None
    cap: float | None = None  # the most that it takes from a hand
    drops: list[DropStep] = []  # in place of `percent`, smallest pot first
    step: float | None = None  # the percentage is taken in multiples of it; None = the table's smallest unit
    rounding: Rounding = "down"  # to a multiple of the step
    no_flop_no_drop: bool = False
    raked: RakedChips = "called"
    kind: DropKind = "rake"
    game: str = ""  # "" = any
    betting: Literal["", "no-limit", "pot-limit", "limit", "spread"] = ""
    stakes: list[str] = []
    players_min: int = 0  # dealt in
    players_max: int | None = None

    def __post_init__(self) -> None:
        """Check that it states one way to take chips, and that the amounts are possible."""
        _check_game(self.game)
        _check_stakes(self.stakes)
        _check_players(self.players_min, self.players_max)
        _check_amounts(percent=self.percent, cap=self.cap, step=self.step)
        if self.percent is not None:
            self._check_percent()
        elif self.drops:
            self._check_drops()
        elif self.cap is not None:
            raise HousePointError(
                f"a cap of {self.cap:g}, but no percent to cap", "Write percent = 5 as well, or drops in place of both."
            )
        else:
            raise HousePointError(
                "it doesn't say what is taken",
                "Write percent = 5 and cap = 5, or drops = [{ pot = 10, take = 1 }], or percent = 0 for no rake.",
            )

    def _check_percent(self) -> None:
        assert self.percent is not None  # noqa: S101 - the caller asks
        if self.percent > 100:
            raise HousePointError(
                f"{self.percent:g} percent is more than the pot",
                "Write a percentage from 0 to 100, such as percent = 5.",
            )
        if self.drops:
            raise HousePointError("it has both a percent and drops", "Leave out one of them, or write two entries.")
        if self.step == 0:
            raise HousePointError("a step of 0", "Write the smallest chip that the dealer takes, such as step = 0.5.")

    def _check_drops(self) -> None:
        if self.cap is not None or self.step is not None:
            raise HousePointError(
                "cap and step belong to a percent, not to drops", "Leave them out: the last drop is the most."
            )
        pots = [drop.pot for drop in self.drops]
        if pots != sorted(set(pots)):
            raise HousePointError("its drops aren't in order", "Begin with the smallest pot, and list each pot once.")


class QualifyingHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a hand needs to win a jackpot or a high-hand promotion."""

    kind: Literal["bad-beat", "high-hand"]
    hand: str  # at least, in words: "aces full of jacks", "four tens"; of a bad beat, the hand that is beaten
    beaten_by: str = ""  # of a bad beat: what the winning hand must be at least; "" = anything better
    both_hole_cards: bool = False  # both must play, in the winning hand too
    pot_min: float | None = None  # without an uncalled bet, before the drop
    players_min: int = 0  # dealt in
    pays: Literal["each", "best"] = "each"  # each hand that qualifies, or only the best of a period
    game: str = ""
    betting: Literal["", "no-limit", "pot-limit", "limit", "spread"] = ""
    stakes: list[str] = []

    def __post_init__(self) -> None:
        """Check that the hands can be read, and that the other fields are possible and fit together."""
        _check_game(self.game)
        if self.game and VARIANTS[self.game].high != "high":
            raise HousePointError(f"no full house or four of a kind wins in {self.game}", "Name a game where they do.")
        _check_stakes(self.stakes)
        _check_players(self.players_min, None)
        _check_amounts(pot_min=self.pot_min)
        find_weakest_cards(self.hand)
        if self.beaten_by:
            find_weakest_cards(self.beaten_by)
            if self.kind == "high-hand":
                raise HousePointError("a high hand isn't beaten", "Leave out beaten_by.")
        if self.kind == "bad-beat" and self.pays == "best":
            raise HousePointError('pays = "best" is about high hands', 'Leave out pays, or write kind = "high-hand".')


def find_weakest_cards(words: str) -> tuple[str, ...]:
    """Return the five cards of the weakest hand that the words name; `HousePointError` if they name none.

    >>> find_weakest_cards("aces full of jacks"), find_weakest_cards("four tens")
    (('As', 'Ah', 'Ad', 'Js', 'Jh'), ('Ts', 'Th', 'Td', 'Tc', '2s'))
    """
    plain_words = " ".join(words.lower().replace(",", " ").split())
    if plain_words in ("any full house", "full house"):
        return find_weakest_cards("twos full")
    if plain_words in ("any four of a kind", "four of a kind", "any quads", "quads"):
        return find_weakest_cards("four twos")
    if plain_words == "straight flush":
        return find_weakest_cards("five-high straight flush")
    if plain_words == "royal flush":
        return find_weakest_cards("ace-high straight flush")
    cards = _read_full_house(plain_words) or _read_quads(plain_words) or _read_straight_flush(plain_words)
    if not cards:
        raise HousePointError(f"I can't read the hand {words[:60]!r}", _HAND_HINT)
    return cards


def _read_full_house(words: str) -> tuple[str, ...]:
    """Return the cards of a full house such as "aces full of kings"; () = the words name none."""
    match = _FULL_HOUSE.fullmatch(words)
    triple = _read_rank(match[1]) if match is not None else ""
    if match is None or not triple:
        return ()
    pair = _read_rank(match[2]) if match[2] else _find_lowest_rank_but(triple)
    if pair in ("", triple):
        return ()
    return (f"{triple}s", f"{triple}h", f"{triple}d", f"{pair}s", f"{pair}h")


def _read_quads(words: str) -> tuple[str, ...]:
    """Return the cards of four of a kind such as "quad jacks"; () = the words name none."""
    match = _QUADS.fullmatch(words)
    rank = _read_rank(match[1]) if match is not None else ""
    if not rank:
        return ()
    return (*(f"{rank}{suit}" for suit in "shdc"), f"{_find_lowest_rank_but(rank)}s")


def _read_straight_flush(words: str) -> tuple[str, ...]:
    """Return the cards of a straight flush by its highest rank; () = the words name none."""
    match = _STRAIGHT_FLUSH.fullmatch(words)
    high_rank = _read_rank(match[1]) if match is not None else ""
    if not high_rank or high_rank in "234":
        return ()
    high_index = _RANKS.index(high_rank)
    ranks = "5432A" if high_rank == "5" else _RANKS[high_index - 4 : high_index + 1][::-1]
    return tuple(f"{rank}s" for rank in ranks)


def _find_lowest_rank_but(excluded_rank: str) -> str:
    """Return the lowest rank that isn't `excluded_rank`."""
    return next(rank for rank in _RANKS if rank != excluded_rank)


def _read_rank(word: str) -> str:
    """Return the rank that a word such as `jacks` names; "" = none."""
    return (
        _RANK_WORDS.get(word) or _RANK_WORDS.get(word.removesuffix("s")) or _RANK_WORDS.get(word.removesuffix("es"), "")
    )


def _check_game(game: str, *, is_needed: bool = False) -> None:
    """Raise `HousePointError` for a game that the product doesn't know, with similar names."""
    if game in VARIANTS or (not game and not is_needed):
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only for an error message

    near = get_close_matches(game, VARIANTS, 3, 0.5)
    raise HousePointError(f"there is no game {game[:40]!r}", f"Known: {', '.join(near or sorted(VARIANTS))}.")


def _check_stakes(stakes: Sequence[str]) -> None:
    """Raise `HousePointError` for stakes that can't be read."""
    for text in stakes:
        if not _STAKES.fullmatch(text):
            raise HousePointError(
                f"I can't read the stakes {text[:40]!r}",
                'Write the blinds as "1/2" or "1/2/5"; of a limit game, the two bets: "2/4".',
            )


def _check_players(minimum: int, maximum: int | None) -> None:
    """Raise `HousePointError` for numbers of players that no table has."""
    is_maximum_possible = maximum is None or 0 < maximum <= _MAX_PLAYERS
    if not 0 <= minimum <= _MAX_PLAYERS or not is_maximum_possible:
        raise HousePointError("no table has so many players", f"Write a number from 1 to {_MAX_PLAYERS}.")
    if maximum is not None and minimum > maximum:
        raise HousePointError(f"from {minimum} to {maximum} players", "Exchange players_min and players_max.")


def _check_amounts(**amounts: float | None) -> None:
    """Raise `HousePointError` for an amount that is negative, infinite or too large."""
    for name, number in amounts.items():
        if number is not None and (not isfinite(number) or not 0 <= number <= _MAX_AMOUNT):
            raise HousePointError(
                f"{name} = {number:g} is no amount", "Write a number from 0 up, in the table's currency."
            )


HOUSE_POINTS: Final[dict[str, tuple[str, object]]] = {
    GAMES_POINT: ("games and stakes that are spread", list[SpreadGame]),
    RAKE_POINT: ("rake and drop", list[RakeRow]),
    JACKPOT_POINT: ("hands that win a jackpot or a high-hand promotion", list[QualifyingHand]),
}
"""The points with their titles and the types of their values."""

HouseEntry: TypeAlias = SpreadGame | RakeRow | QualifyingHand


def explain_entry_error(error: msgspec.ValidationError) -> HousePointError | None:
    """Return the `HousePointError` behind a validation error, or None if a type was wrong."""
    cause = error.__cause__
    return cause if isinstance(cause, HousePointError) else None
