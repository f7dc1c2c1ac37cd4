"""Strategies for every event with every value that can be stored."""

from __future__ import annotations

import types
import typing
from functools import cache
from typing import Any, Literal

import msgspec
from hypothesis import strategies as st

from ledger.hand.opening import HouseOption, OptionSet
from ledger.hand.options import OPTIONS
from ledger.people import People
from ledger.vocabulary import DECK

PEOPLE = People(b"k" * 32)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12) | st.sampled_from(
    ["at", "derived", "unit", "none", "-", "?", "#", "5", "a b", "\u202e", '"\\', "7h"]
)
NUMBER = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 600)
CARDS = st.lists(st.sampled_from((*DECK, "??", "Jk", "{" + "a1" * 32 + "}")), max_size=5).map("".join)
SPECIAL = {
    "PlayerId": st.builds(PEOPLE.player, st.sampled_from(["", "Riverside", "a b"]), TEXT) | TEXT,
    "TextRef": st.builds(PEOPLE.text, TEXT) | TEXT,
    "Cards": CARDS | TEXT,
    "ChipCount": st.integers(0, 2**63 - 1) | st.integers(0, 600),
    "Cents": st.integers(0, 2**63 - 1) | st.integers(0, 600),
    "Rank": st.integers(1, 2**63 - 1) | st.integers(1, 20),
    "Millis": st.integers(-(2**62), 2**62) | st.integers(0, 2 * 10**12),
}


def _option(name: HouseOption) -> st.SearchStrategy[tuple[HouseOption, int | str]]:
    option = OPTIONS[name]
    values: dict[str, st.SearchStrategy[Any]] = {
        "yes-no": st.integers(0, 1),
        "chips": st.integers(0, 2**63 - 1),
        "number": st.integers(option.minimum, 2**63 - 1),
        "word": st.sampled_from(sorted(option.words) or [""]),
        "text": NUMBER | TEXT,
    }
    return st.tuples(st.just(name), values[option.value_kind])


OPTION = st.sampled_from(sorted(OPTIONS)).flatmap(_option)
"""An option with one of the values that it takes: handscript refuses the others."""


@cache
def events(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Every value of every field of an event or a struct within one."""
    if kind is OptionSet:
        return OPTION.map(lambda told: OptionSet(*told))
    hints = typing.get_type_hints(kind)
    return st.builds(
        kind, **{name: _special(kind.__annotations__[name], hints[name]) for name in kind.__struct_fields__}
    )


def _special(annotation: str, hint: Any) -> st.SearchStrategy[Any]:
    strategy = SPECIAL.get(annotation.removesuffix(" | None"))
    if strategy is None:
        return values(hint)
    return st.none() | strategy if annotation.endswith("None") else strategy


def values(hint: Any) -> st.SearchStrategy[Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values(arg) for arg in args])
    if origin is tuple and args[-1] is ...:
        return st.lists(st.deferred(lambda: values(args[0])), max_size=3).map(tuple)
    if origin is tuple and args[0] is HouseOption:
        return OPTION
    if origin is tuple:
        return st.tuples(*map(values, args))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return st.deferred(lambda: events(hint))
    return {int: NUMBER, str: TEXT, bool: st.booleans(), type(None): st.none()}[hint]
