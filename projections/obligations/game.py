"""What kind of game a hand is, as positions need it: how many blinds, what they cost, which method."""

from __future__ import annotations

from collections.abc import Mapping
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
"""Why a book may keep a player from the button."""

_ROLES: Final[tuple[tuple[BlindName, ...], ...]] = ((), ("big",), ("small", "big"), ("small", "big", "extra"))
"""The blinds of a structure, clockwise: a single one is a big blind, a third lies beyond the big."""


class Structure(NamedTuple):
    """The blinds of a game: their names clockwise, what each costs, which are dead money."""

    roles: tuple[BlindName, ...]
    amounts: Mapping[BlindName, Chips | None]
    dead: BlindName | None = None  # by the house's option: this blind is no bet
    ante: Chips = 0


class MethodReadings(NamedTuple):
    """The methods by which positions may move: several where the book or the record leaves it open."""

    methods: tuple[Method, ...]
    clauses: tuple[str, ...]
    is_house_choice: bool = False  # the book leaves the choice to the house


_BLIND_AMOUNTS: Final = int(Witness.BLIND_AMOUNTS)


def has_blinds(variant: str) -> bool:
    """Whether a game is opened by blinds. If the record doesn't name the game, we assume so."""
    known_variant = VARIANTS.get(variant)
    return known_variant is None or known_variant.opening == "blinds"


def find_structure(state: TableState, hand: HandPlayed | None) -> Structure | str:
    """Return the blinds of `hand`, or of the coming one; a sentence if they aren't known."""
    amounts = (hand.blinds if hand is not None else ()) or state.blinds
    if (
        hand is not None
        and len(amounts) < len(state.blinds)
        and amounts[-1:] == state.blinds[-1:]
        and not hand.witnesses & _BLIND_AMOUNTS
    ):
        # The source gives only what was posted, and the small blind was dead.
        amounts = state.blinds
    ante = hand.ante if hand is not None else state.ante
    source_hand = hand if hand is not None else state.last
    amounts = tuple([amount for amount in amounts if amount])
    for post in source_hand.posts if source_hand is not None else ():
        if post.role == "button":
            amounts = amounts[1:]  # the smallest is the button's own
            break
    if len(amounts) >= len(_ROLES):
        return unknowns.too_many_blinds(len(amounts))
    if amounts:
        return _build_structure(amounts, _find_dead_blind(state, hand), ante)
    posted = {post.role for post in source_hand.posts} if source_hand is not None else set()
    if "extra" in posted:
        roles = _ROLES[3]
    elif "small" in posted or not ({"ante", "bomb-pot"} & posted or ante):
        roles = _ROLES[2]  # not recorded: two are usual
    else:
        roles = _ROLES[1] if "big" in posted else _ROLES[0]
    return Structure(roles, dict.fromkeys(roles), _find_dead_blind(state, hand), ante)


@lru_cache(maxsize=256)
def _build_structure(amounts: tuple[Chips, ...], dead: BlindName | None, ante: Chips) -> Structure:
    roles = _ROLES[len(amounts)]
    return Structure(roles, dict(zip(roles, amounts, strict=True)), dead, ante)


def _find_dead_blind(state: TableState, hand: HandPlayed | None) -> BlindName | None:
    role = find_option(state, hand, "blind-dead")
    return None if role is None else next((name for name in _ROLES[3] if name == role), None)


def find_option(state: TableState, hand: HandPlayed | None, name: HouseOption) -> int | str | None:
    """Return a house option of the hand, else of the table; None = not recorded."""
    if hand is not None:
        for key, value in hand.options:
            if key == name:
                return value
    return state.options.get(name)


def read_methods(policy: Policy, form: GameFormat, betting: Betting | None, house: int | str | None) -> MethodReadings:
    """Return the methods by which the button may move in a game; `house` is the option `button-method`."""
    cash_kind = "cash_limit" if betting in ("limit", "spread") else "cash_big_bet"
    kinds = {
        "tournament": ("tournament",),
        "cash": ("cash_limit", "cash_big_bet") if betting is None else (cash_kind,),
    }.get(form, ("tournament", cash_kind))
    methods: list[Method] = []
    clauses: list[str] = []
    is_silent = is_house_choice = False
    for kind in kinds:
        ruling = policy.get(f"button.method.{kind}")
        if ruling is None:
            is_silent = True
            continue
        is_house_choice = is_house_choice or ruling.value == "house"
        methods += (method for method in _list_moving_methods(policy, ruling.value, house) if method not in methods)
        clauses += (clause for clause in ruling.clauses if clause not in clauses)
    if is_silent:
        return MethodReadings(("record",), ())
    return MethodReadings(tuple(methods), tuple(clauses), is_house_choice)


def _list_moving_methods(policy: Policy, value: str, house: int | str | None) -> tuple[Method, ...]:
    if value == "house":
        if house not in ("dead", "moving"):
            return ("dead", *_list_moving_methods(policy, "moving", house))
        value = str(house)
    if value == "dead":
        return ("dead",)
    moved = policy.value("blinds.when_button_moves")
    if moved in ("positional", "owed"):
        return (moved,)
    return ("positional", "owed")  # adjusted, or not said how
