"""Describe the game of a live table, for a page that works out whose turn it is before the server answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.hand.opening import GameSet, OptionSet
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Chips
from projections.live.voluntary_posts import find_kill_chips, find_straddle_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.event import Event
    from ledger.recording.recorder import Recorder
    from projections.books.rulebook import Rulebook


class StreetFacts(msgspec.Struct):
    """A street of a game. `board`: community cards."""

    name: str
    board: int


class GameFacts(msgspec.Struct):
    """A game and its stakes, and what a hand of it is dealt. Amounts are in units of the table."""

    variant: str
    title: str
    betting: str
    blinds: list[Chips]
    ante: Chips
    bets: list[Chips]
    bring_in: Chips
    streets: list[StreetFacts]  # empty = unknown game
    big_streets: list[str]  # of a split limit
    hole_cards: int
    hole_exact: int  # hole cards that a hand must use; 0 = any number
    boards: int
    high: str  # what wins; "" = no such half
    low: str
    opening: str
    options: dict[str, int | str]
    straddle: Chips = 0  # 0 = nobody may straddle
    button_straddle: bool = False
    kill: Chips = 0  # 0 = the game has no kills


def find_blinds(recorder: Recorder) -> tuple[Chips, ...]:
    """Return the blinds of a table's game, or an empty tuple if they aren't recorded."""
    return next((event.blinds for event in reversed(recorder.lines.opening) if isinstance(event, GameSet)), ())


def find_game_facts(events: Iterable[Event], book: Rulebook | None) -> GameFacts | None:
    """Return the game that some events of a hand set, and what may be posted under a book; None without a game."""
    game, options = None, {}
    for event in events:
        if isinstance(event, GameSet):
            game = event
        elif isinstance(event, OptionSet):
            options[str(event.option)] = event.value
    if game is None:
        return None
    variant, straddle_rule = VARIANTS.get(game.variant), find_straddle_rule(game, options, book)
    return GameFacts(
        variant=game.variant,
        title=variant.title if variant else game.variant,
        betting=game.betting,
        blinds=list(game.blinds),
        ante=game.ante,
        bets=list(game.bets),
        bring_in=game.bring_in,
        streets=[StreetFacts(plan.name, plan.board) for plan in variant.streets] if variant else [],
        big_streets=list(variant.big_streets) if variant else [],
        hole_cards=variant.hole_cards if variant else 0,
        hole_exact=variant.hole_exact if variant else 0,
        boards=variant.boards if variant else 1,
        high=(variant.high or "") if variant else "",
        low=(variant.low or "") if variant else "",
        opening=variant.opening if variant else "",
        options=options,
        straddle=0 if straddle_rule is None else straddle_rule.chips,
        button_straddle=straddle_rule is not None and straddle_rule.has_button_straddle,
        kill=find_kill_chips(game),
    )
