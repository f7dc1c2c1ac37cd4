"""The games of poker as data: the cards of each street, who opens, which hand wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from ledger.errors import VariantError
from ledger.vocabulary import Street

Opening: TypeAlias = Literal["blinds", "bring-in-low", "bring-in-high"]
"""What opens the first street: blinds, or the lowest or highest door card."""

HandType: TypeAlias = Literal[
    "high",  # the usual ranking
    "short-deck",  # without 2 to 5: a flush beats a full house, A6789 is a straight
    "short-deck-trips",  # the same, and three of a kind beat a straight
    "eight",  # ace to five, and eight or better or no low at all
    "ace-to-five",  # straights and flushes do not count, the ace is low
    "deuce-to-seven",  # the usual ranking reversed, the ace is high
    "badugi",  # most cards of different ranks and suits, then the lowest, the ace is low
    "badugi-high-ace",  # the same with the ace high
]


@dataclass(frozen=True, slots=True)
class StreetPlan:
    """The cards that a street begins with."""

    name: Street
    board: int = 0  # community cards
    down: int = 0  # cards to each seat, face down
    up: int = 0  # cards to each seat, face up
    draw: bool = False  # each seat may change cards
    discard: int = 0  # each seat must discard this many


@dataclass(frozen=True, slots=True)
class Variant:
    """One game. A pot is split between `high` and `low` where both are set."""

    id: str
    title: str
    streets: tuple[StreetPlan, ...]
    high: HandType | None = "high"  # badeucey and badacey: the half that isn't a badugi
    low: HandType | None = None
    hole_exact: int = 0  # how many hole cards a hand must use; 0 = any number
    opening: Opening = "blinds"
    showing: Literal["", "high", "low"] = ""  # later streets: which open cards act first; "" = by position
    deck: int = 52
    boards: int = 1  # boards dealt from the start
    big_streets: tuple[Street, ...] = ("turn", "river")  # split limits: the streets of the big bet

    @property
    def hole_cards(self) -> int:
        """The number of cards that a seat is dealt in all, without draws."""
        return sum(plan.down + plan.up for plan in self.streets)

    @property
    def start_cards(self) -> int:
        """The number of cards that a seat is dealt before the first betting."""
        return self.streets[0].down + self.streets[0].up

    @property
    def board_cards(self) -> int:
        """The number of cards of a complete board."""
        return sum(plan.board for plan in self.streets)

    def uses_upper_bet(self, street: Street, schedule: object = None) -> bool:
        """Whether the upper bet of a split limit applies on a street. `schedule`: a posted one."""
        if isinstance(schedule, str) and schedule.startswith("upper-from-"):
            names = [plan.name for plan in self.streets]
            first = schedule.removeprefix("upper-from-")
            return first in names and street in names[names.index(first) :]
        if schedule in ("lower-all-streets", "upper-all-streets"):
            return schedule == "upper-all-streets"
        return street in self.big_streets

    def plan(self, street: Street) -> StreetPlan | None:
        """Return what comes with `street`, or None if the game doesn't have it."""
        return next((plan for plan in self.streets if plan.name == street), None)


def _build_flop_streets(hole: int) -> tuple[StreetPlan, ...]:
    return (
        StreetPlan("preflop", down=hole),
        StreetPlan("flop", board=3),
        StreetPlan("turn", board=1),
        StreetPlan("river", board=1),
    )


def _build_courchevel_streets() -> tuple[StreetPlan, ...]:
    """Return the streets of a game whose first flop card is dealt at the start."""
    first, flop, *other_streets = _build_flop_streets(5)
    return (StreetPlan(first.name, board=1, down=5), StreetPlan(flop.name, board=2), *other_streets)


_STUD: Final = (
    StreetPlan("third", down=2, up=1),
    StreetPlan("fourth", up=1),
    StreetPlan("fifth", up=1),
    StreetPlan("sixth", up=1),
    StreetPlan("seventh", down=1),
)
_STUD_BIG: Final[tuple[Street, ...]] = ("fifth", "sixth", "seventh")
_DRAWS: Final[tuple[Street, ...]] = ("first-draw", "second-draw", "third-draw")


def _build_draw_streets(hole: int, draws: int) -> tuple[StreetPlan, ...]:
    return (StreetPlan("preflop", down=hole), *(StreetPlan(name, draw=True) for name in _DRAWS[:draws]))


_FUSION: Final = (
    StreetPlan("preflop", down=2),
    StreetPlan("flop", board=3, down=1),
    StreetPlan("turn", board=1, down=1),
    StreetPlan("river", board=1),
)
_IRISH: Final = (
    StreetPlan("preflop", down=4),
    StreetPlan("flop", board=3),
    StreetPlan("turn", board=1, discard=2),
    StreetPlan("river", board=1),
)
_ONE_DRAW_BIG: Final[tuple[Street, ...]] = ("first-draw",)
_THREE_DRAW_BIG: Final[tuple[Street, ...]] = ("second-draw", "third-draw")

_ALL: Final = (
    Variant("holdem", "Hold'em", _build_flop_streets(2)),
    Variant("short-deck", "6+ Hold'em", _build_flop_streets(2), high="short-deck", deck=36),
    Variant("split-holdem", "Split Hold'em", _build_flop_streets(2), boards=2),
    Variant("irish", "Irish", _IRISH),
    Variant("fusion", "Fusion", _FUSION, hole_exact=2),
    Variant("omaha", "Omaha", _build_flop_streets(4), hole_exact=2),
    Variant("omaha8", "Omaha Hi/Lo", _build_flop_streets(4), low="eight", hole_exact=2),
    Variant("omaha5", "5 Card Omaha", _build_flop_streets(5), hole_exact=2),
    Variant("omaha5-8", "5 Card Omaha Hi/Lo", _build_flop_streets(5), low="eight", hole_exact=2),
    Variant("omaha6", "6 Card Omaha", _build_flop_streets(6), hole_exact=2),
    Variant("omaha6-8", "6 Card Omaha Hi/Lo", _build_flop_streets(6), low="eight", hole_exact=2),
    Variant("courchevel", "Courchevel", _build_courchevel_streets(), hole_exact=2),
    Variant("courchevel8", "Courchevel Hi/Lo", _build_courchevel_streets(), low="eight", hole_exact=2),
    Variant("stud", "7 Card Stud", _STUD, opening="bring-in-low", showing="high", big_streets=_STUD_BIG),
    Variant(
        "stud8", "7 Card Stud Hi/Lo", _STUD, low="eight", opening="bring-in-low", showing="high", big_streets=_STUD_BIG
    ),
    Variant(
        "razz",
        "Razz",
        _STUD,
        high=None,
        low="ace-to-five",
        opening="bring-in-high",
        showing="low",
        big_streets=_STUD_BIG,
    ),
    Variant("draw5", "5 Card Draw", _build_draw_streets(5, 1), big_streets=_ONE_DRAW_BIG),
    Variant(
        "single-27",
        "2-7 Single Draw",
        _build_draw_streets(5, 1),
        high=None,
        low="deuce-to-seven",
        big_streets=_ONE_DRAW_BIG,
    ),
    Variant(
        "triple-27",
        "2-7 Triple Draw",
        _build_draw_streets(5, 3),
        high=None,
        low="deuce-to-seven",
        big_streets=_THREE_DRAW_BIG,
    ),
    Variant(
        "triple-a5",
        "A-5 Triple Draw",
        _build_draw_streets(5, 3),
        high=None,
        low="ace-to-five",
        big_streets=_THREE_DRAW_BIG,
    ),
    Variant("badugi", "Badugi", _build_draw_streets(4, 3), high=None, low="badugi", big_streets=_THREE_DRAW_BIG),
    Variant(
        "badeucey",
        "Badeucey",
        _build_draw_streets(5, 3),
        high="deuce-to-seven",
        low="badugi-high-ace",
        big_streets=_THREE_DRAW_BIG,
    ),
    Variant(
        "badacey", "Badacey", _build_draw_streets(5, 3), high="ace-to-five", low="badugi", big_streets=_THREE_DRAW_BIG
    ),
)

VARIANTS: Final[dict[str, Variant]] = {get_variant.id: get_variant for get_variant in _ALL}
"""Every game that can be replayed, by its id in `GameSet.get_variant`."""

TRIPS_BEAT_STRAIGHTS: Final = replace(VARIANTS["short-deck"], high="short-deck-trips")
"""6+ hold'em with the house's option (`OptionSet`)."""

FIRST_STREET: Final[dict[str, Street]] = {v.id: v.streets[0].name for v in _ALL}
"""The street on which each game begins."""


def get_variant(name: str) -> Variant:
    """Return the game with this id. Raise `VariantError` with a list of all if there is none."""
    known_variant = VARIANTS.get(name)
    if known_variant is None:
        raise VariantError(f"no game is known by the id {name!r}", f"Known: {', '.join(sorted(VARIANTS))}.")
    return known_variant
