"""Answers about a house's rules that contradict each other, though a book may hold each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from ledger.text.language import phrase, translatable
from projections.obligations.policy import Policy

ValueLookup: TypeAlias = Callable[[str], Any]
"""The policy's value of a point; None if it is silent."""


class Conflict(NamedTuple):
    """Two points that contradict each other."""

    points: tuple[str, ...]
    message: str  # untranslated

    def describe(self) -> str:
        """Return what contradicts what."""
        return phrase(self.message)


_METHODS: Final = ("button.method.tournament", "button.method.cash_limit", "button.method.cash_big_bet")
_MAKE_UPS: Final = ("missed.both.limit", "missed.both.big_bet", "missed.small_only", "missed.big_only")


def find_conflicts(policy: Policy) -> list[Conflict]:
    """Return what contradicts itself in a policy. A silent point contradicts nothing."""
    return [conflict for rule in _RULES for conflict in rule(policy.value)]


def _check_dead_button(get_value: ValueLookup) -> Iterator[Conflict]:
    if any(get_value(method) in ("dead", "house") for method in _METHODS):
        for point in ("blinds.dead_blind_posted", "button.last_action_when_dead"):
            if get_value(point) == "cannot-arise":
                yield Conflict(
                    (point, *_METHODS),
                    translatable("The button can be dead in some of your games, so this can happen."),
                )


def _check_straddles(get_value: ValueLookup) -> Iterator[Conflict]:
    ways_back = get_value("missed.ways_back") or []
    if get_value("straddle.allowed") == "no" and "straddle" in ways_back:
        yield Conflict(
            ("missed.ways_back", "straddle.allowed"), translatable("Nobody may straddle, so a straddle is no way back.")
        )
    if get_value("straddle.allowed") == "no" and get_value("straddle.clears_missed_blind"):
        yield Conflict(
            ("straddle.clears_missed_blind", "straddle.allowed"),
            translatable("Nobody may straddle, so a straddle can't settle blinds."),
        )
    if "straddle" in ways_back and get_value("straddle.clears_missed_blind") is False:
        yield Conflict(
            ("missed.ways_back", "straddle.clears_missed_blind"),
            translatable("A straddle is a way back only if it settles missed blinds."),
        )
    size, multiple = get_value("straddle.size"), get_value("straddle.multiple")
    if size is not None and size.fixed and size.above:
        yield Conflict(("straddle.size",), translatable("A fixed amount can't be larger."))
    if size is not None and multiple is not None and size.at_least != multiple:
        yield Conflict(
            ("straddle.size", "straddle.multiple"),
            translatable("How large a straddle is and how many big blinds it is differ."),
        )


def _check_ways_back(get_value: ValueLookup) -> Iterator[Conflict]:
    if get_value("missed.ways_back") == []:
        yield Conflict(("missed.ways_back",), translatable("Players need at least one way back."))
    if "button" in (get_value("missed.ways_back") or []) and get_value("button.buy") is False:
        yield Conflict(
            ("missed.ways_back", "button.buy"), translatable("Nobody may buy the button, so that is no way back.")
        )
    for point in _MAKE_UPS:
        make_up = get_value(point)
        if make_up is not None and bool(make_up.option) != bool(make_up.option_total and make_up.option_live):
            yield Conflict((point,), translatable("An option needs both amounts, and amounts need the option."))


def _check_cards(get_value: ValueLookup) -> Iterator[Conflict]:
    indexes = get_value("deal.exposed.indexes")
    for number, point in ((1, "deal.exposed.index1"), (2, "deal.exposed.index2")):
        if (
            indexes is not None
            and get_value(point) is not None
            and (get_value(point) == "misdeal") != (number in indexes)
        ):
            yield Conflict(
                (point, "deal.exposed.indexes"),
                translatable("This card is a misdeal in one answer and not in the other."),
            )
    for point in ("game.holdem.hole_use", "game.omaha.hole_use"):
        if get_value(point) == []:
            yield Conflict((point,), translatable("Choose at least one number."))


def _check_lowball(get_value: ValueLookup) -> Iterator[Conflict]:
    if get_value("entry.post.lowball") == "twice-big" and get_value("entry.lowball_multiple") not in (None, 2):
        yield Conflict(
            ("entry.lowball_multiple", "entry.post.lowball"),
            translatable("A new player in lowball posts twice the big blind, so this is 2."),
        )


_RULES: Final = (_check_dead_button, _check_straddles, _check_ways_back, _check_cards, _check_lowball)
