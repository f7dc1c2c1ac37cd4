"""The game of a hand, as positions need it: its blinds, and the methods by which the button may move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.hand.opening import Betting, GameFormat, HouseOption
from ledger.hand.variants import VARIANTS
from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Chips, Witness
from projections.obligations.dues import Method
from projections.obligations.policy import Policy
from projections.sentences import unknowns

BlindName: TypeAlias = Literal["small", "big", "extra"]

ButtonBarKind: TypeAlias = Literal["new", "made-up-between", "missed-blind", "short-blind"]
"""What a book may bar a player from the button for."""

_ROLES: Final[tuple[tuple[BlindName, ...], ...]] = ((), ("big",), ("small", "big"), ("small", "big", "extra"))
"""The blinds of a game with none, one, two and three, clockwise: a single one is a big blind, a third comes after the big."""


class BlindStructure(NamedTuple):
    """The blinds of a game: their names clockwise, and what each costs, or None if that's unknown."""

    roles: tuple[BlindName, ...]
    amounts: Mapping[BlindName, Chips | None]
    dead: BlindName | None = None  # the blind that is dead money by a house option
    ante: Chips = 0


class MethodReadings(NamedTuple):
    """The methods by which button and blinds may move: several if the book or the record leaves it open."""

    methods: tuple[Method, ...]
    clauses: tuple[str, ...]
    is_house_choice: bool = False  # the book leaves the choice to the house


_BLIND_AMOUNTS: Final = int(Witness.BLIND_AMOUNTS)


def has_blinds(variant: str) -> bool:
    """Whether a game is opened by blinds. An unknown game is assumed to be."""
    known_variant = VARIANTS.get(variant)
    return known_variant is None or known_variant.opening == "blinds"


def find_structure(state: TableState, hand: HandPlayed | None) -> BlindStructure | str:
    """Return the blinds of `hand`, or of the coming hand if it's None. More than three give a sentence that says so."""
    source_hand = hand if hand is not None else state.last_hand
    posts = source_hand.posts if source_hand is not None else ()
    amounts = _find_blind_amounts(state, hand)
    if "button" in [post.role for post in posts]:
        amounts = amounts[1:]  # the smallest is the button blind
    ante = hand.ante if hand is not None else state.ante
    if len(amounts) >= len(_ROLES):
        return unknowns.too_many_blinds(len(amounts))
    if amounts:
        return _build_structure(amounts, _find_dead_blind(state, hand), ante)
    roles = _guess_roles({post.role for post in posts}, has_ante=bool(ante))
    return BlindStructure(roles, dict.fromkeys(roles), _find_dead_blind(state, hand), ante)


def _find_blind_amounts(state: TableState, hand: HandPlayed | None) -> tuple[Chips, ...]:
    """Return the recorded amounts of the blinds, the smallest first: of the hand, else of the table."""
    amounts = (hand.blinds if hand is not None else ()) or state.blinds
    if (
        hand is not None
        and len(amounts) < len(state.blinds)
        and amounts[-1:] == state.blinds[-1:]
        and not hand.witnesses & _BLIND_AMOUNTS
    ):
        # The source records only posted blinds, and the small blind was dead.
        amounts = state.blinds
    return tuple([amount for amount in amounts if amount])


def _guess_roles(posted_roles: Collection[str], *, has_ante: bool) -> tuple[BlindName, ...]:
    """Return the blinds of a game whose amounts aren't recorded, judged by what was posted."""
    if "extra" in posted_roles:
        return _ROLES[3]
    if "small" in posted_roles:
        return _ROLES[2]
    is_ante_game = has_ante or "ante" in posted_roles or "bomb-pot" in posted_roles
    if not is_ante_game:
        return _ROLES[2]  # two blinds are usual
    return _ROLES[1] if "big" in posted_roles else _ROLES[0]


@lru_cache(maxsize=256)
def _build_structure(amounts: tuple[Chips, ...], dead: BlindName | None, ante: Chips) -> BlindStructure:
    roles = _ROLES[len(amounts)]
    return BlindStructure(roles, dict(zip(roles, amounts, strict=True)), dead, ante)


def _find_dead_blind(state: TableState, hand: HandPlayed | None) -> BlindName | None:
    role = find_option(state, hand, "blind-dead")
    return None if role is None else next((name for name in _ROLES[3] if name == role), None)


def find_option(state: TableState, hand: HandPlayed | None, name: HouseOption) -> int | str | None:
    """Return the value of a house option: of the hand, else of the table, or None if it isn't recorded."""
    if hand is not None:
        for key, value in hand.options:
            if key == name:
                return value
    return state.options.get(name)


def read_methods(
    policy: Policy, game_format: GameFormat, betting: Betting | None, house_method: int | str | None
) -> MethodReadings:
    """Return the methods by which the button may move in a game. `house_method`: the house option `button-method`."""
    cash_kind = "cash_limit" if betting in ("limit", "spread") else "cash_big_bet"
    game_kinds = {
        "tournament": ("tournament",),
        "cash": ("cash_limit", "cash_big_bet") if betting is None else (cash_kind,),
    }.get(game_format, ("tournament", cash_kind))
    methods: list[Method] = []
    clauses: list[str] = []
    is_silent = is_house_choice = False
    for game_kind in game_kinds:
        ruling = policy.get(f"button.method.{game_kind}")
        if ruling is None:
            is_silent = True
            continue
        is_house_choice = is_house_choice or ruling.value == "house"
        methods += (
            method for method in _list_moving_methods(policy, ruling.value, house_method) if method not in methods
        )
        clauses += (clause for clause in ruling.clauses if clause not in clauses)
    if is_silent:
        return MethodReadings(("record",), ())
    return MethodReadings(tuple(methods), tuple(clauses), is_house_choice)


def _list_moving_methods(policy: Policy, value: str, house_method: int | str | None) -> tuple[Method, ...]:
    """Return the methods that a ruling on the button allows: several if the house or the book leaves it open."""
    if value == "house":
        if house_method not in ("dead", "moving"):
            return ("dead", *_list_moving_methods(policy, "moving", house_method))
        value = str(house_method)
    if value == "dead":
        return ("dead",)
    blinds_ruling = policy.value("blinds.when_button_moves")
    if blinds_ruling in ("positional", "owed"):
        return (blinds_ruling,)
    return ("positional", "owed")  # the book adjusts the blinds, or doesn't say how
