"""Render the sentences of a module: each public function, with sample values by the names of its parameters."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType
from typing import Any, Final, Literal, get_args, get_origin

from ledger.errors import HandledgerError
from tests.wording.error_samples import ERROR_SAMPLES, ERROR_SAMPLES_OF_FUNCTIONS

MOST_PER_FUNCTION: Final = 24
"""Functions with more combinations of values show the first ones; better to split such a function."""

SAMPLES: Final[dict[str, tuple[Any, ...]]] = {
    "left_out": (
        {},
        {"voided": 1},
        {"cut-off": 2, "unread-lines": 1, "unbalanced": 3, "acts-missing": 1, "game-unknown": 2},
    ),
    "seat": (5,),
    "due_seat": (4,),
    "next_seat": (2,),
    "other_seat": (3,),
    "seats": ([3], [3, 4, 9]),
    "hand": ("104",),
    "waited": (0, 1),
    "gained": (3,),
    "street": ("flop", "turn"),
    "amount": ("$10",),
    "chip": ("$25",),
    "due_amount": ("$5",),
    "guaranteed_amount": ("$100",),
    "transfers": ([("$10", 3)], [("$3", 3), ("$7", 4)]),
    "reading": ("the big blind is the smallest bet",),
    "count": (0, 1, 3),
    "post": ("big blind",),
    "players": (4,),
    "cap": (3,),
    "betting": ("no-limit", "pot-limit", "spread"),
    "limit": ("$20",),
    "bet": ("$5",),
    "minimum": ("$10",),
    "maximum": ("$70",),
    "full_maximum": ("$75",),
    "pot": ("$30",),
    "call": ("$5",),
    "part": ("0.5", "0.1"),
    "remaining": ("$3",),
    "stack": ("$8",),
    "due_street": ("river",),
    "cards": (1, 4),
    "chips_in": ("$70",),
    "paid": ("$69",),
    "rake": ("$3",),
    "added": ("$120",),
    "excess": ("$1",),
    "shortfall": ("$1",),
    "percent": ("5",),
    "share": ("$1.50",),
    "returned": ("$15",),
    "games": (["Limit Hold'em 2/4 or 4/8", "No-Limit Hold'em 1/2"],),
    "stakes": ("$1/$2",),
    "label": ("rake", "end stack"),
    "board": ("the board",),
    "card": ("Ah",),
    "first_place": ("in seat 3's hand",),
    "next_place": ("on the board",),
    "board_cards": ("Ah 7c 2d",),
    "payments": ([("$50", 3), ("$50", 4)],),
    "action": ("called $20",),
    "steps": ("a new flop with a shuffle, but no burn",),
    "redeal_text": ("a cut, but no burn",),
    "names": (["7c"], ["7c", "8d"]),
    "faults": (
        ["cards 14, 15, 16 of the deck didn't come next"],
        ["the deck wasn't cut"],
        ["the deck wasn't shuffled", "the deck wasn't cut", "no card was burned"],
    ),
    "facts": (["whether the deck was cut"], ["whether the deck was shuffled", "whether the deck was cut"]),
    "places": ("cards 14, 15, 16",),
    "deck_positions": ([18], [14, 15, 16]),
    "remedy_parts": (["a new flop with a cut"], ["a new flop with a cut", "burns and mucked cards stay out"]),
    "place": (14,),
    "due_place": (15,),
    "shown_cards": ("cards 15, 16, 17",),
    "notice_time": ("before any action", "before the pot was awarded"),
    "scrap": ("boxed card", "joker"),
    "burns": (1,),
    "burn_count": (0, 1, 2),
    "shuffle": (True, False, None),
    "rank": (8,),
    "hand_numbers": (["714"], ["714", "715"]),
    "more_count": (0, 2),
    "direction": ("much", "little"),
    "method": ("the dead-button rule",),
    "ante": ("$1",),
    "reason": ("exposed-card",),
    "severity": ("error", "warning", "info"),
    "certainty": ("certain", "likely", "needs-video"),
    "error_kind": ("exposed-card", "premature-flop", "other"),
    "chips": ("$500",),
    "total": ("$60",),
    "word": ("raise",),
    "role": ("small", "big", "extra"),
    "last_seat": (1,),
    "old_seat": (8,),
    "assumption": ("", "Hand 3 doesn't record the button; we assume it was just before the small blind."),
    "words": (["flop"], ["flop", "turn", "river"]),
    "live": ("$10",),
    "live_amount": ("$10",),
    "dead": ("", "$5"),
    "unit": ("hand",),
    "big_blind": ("$20",),
    "blinds": ("small and big blind",),
    "price": ("$10 live and $5 dead",),
    "book_words": ("post all missed, or wait for the big blind", ""),
    "usual_practice": ("Hand 3 didn't count, so the button and blinds stay.",),
    "kinds": (["looks"], ["burns", "shuffles"]),
    "lines": (["3 looks"], ["burn flop", "shuffle"]),
    "holder": ("seat 5 (Mo)", "seat 5 (empty)"),
    "posts": (
        ["small blind $5 seat 7 (Nell)", "big blind $10 seat 8 (Otto)"],
        ["dead small blind seat 7", "big blind $10 seat 8 (Otto)"],
    ),
    "who": ("Kim", "seat 3"),
    "poster": ("seat 7 (Nell)",),
    "ways_to_wait": ([], ["wait 3 hands"], ["wait for the big blind", "buy the button"]),
    "condition": ("seat 3 (Kim) posts",),
    "purpose": ("for missed blinds",),
    "missed_roles": (["big"], ["small", "big"], ["small", "big", "extra"]),
    "tournament": ("", "Autumn Cup"),
    "table": ("T3",),
    "tables": (["T3"], ["T3", "T7"]),
    "new_table": ("T7",),
    "due_table": ("T8",),
    "kept_table": ("T1",),
    "fullest_table": ("T1",),
    "payment_texts": (["$585 to Mo", "$585 to Kim"],),
    "new_stack": ("$12",),
    "full_stack": ("5000",),
    "title": ("What is due on the coming hand",),
    "book": ("hilton",),
    "books": (["hilton (2024)"], ["hilton (2024)", "tda2024 (2024)"]),
    "debt": ("posts $10 live, away",),
    "edition": ("2024",),
    "heading": ("What is due on the coming hand, under hilton (2024)",),
    "day": ("2026-11-20",),
    "period": ("for one day",),
    "distinctions": ([], ["the big blind moves on"]),
    "name": ("Walter",),
    "player": ("", "Mo"),
    "play": ("plays",),
    "prices": (["$10"], ["$10", "$15"]),
    "absence_text": ("gets no cards",),
    "case_status": ("open", "closed"),
    "deal": ("may play if it posts $10",),
    "ways": ("waits for the big blind or straddles",),
    "text": ("may play if it posts $10",),
    "way_in": ("waits for the big blind",),
    "awaited": ("reply", "footage"),
    "question": ("whether the player in seat 3 was in the room",),
    "reasons": ("A line of hand 3 couldn't be read.",),
    "button_seat": (1,),
    "empty_seat": (7,),
    "empty_small_seat": (None, 7),
    "due_seats": ([4], [4, 6]),
    "doubtful_seats": ([], [9]),
    "readings": (["button in seat 2"],),
    "doubtful_readings": ([], ["button in seat 5"]),
    "other_role": ("big",),
    "positions_text": ("button in seat 1, small blind in seat 2, big blind in seat 3",),
    "blind_seats": ([("small", 3), ("big", 4)], [("big", 4), ("big", 5)], []),
    "new_seat": (9,),
    "bar": ("made-up-between", "short-blind", "missed-blind", "new"),
    "granter": ("shift-manager",),
    "straddle": ("$20",),
    "dead_amount": ("$5",),
    "ruling": ("a call of $10",),
    "one_chip_ruling": ("a call of $10",),
    "several_ruling": ("a raise to $30",),
    "hands": (None, 1, 3),
    "live_post": ("a live post of $10",),
    "options": (["a live post of $10", "no cards until the big blind (3 hands)"],),
    "missed_blinds": ([("big", "2"), ("small", "3")], [("big", "")], []),
    "origin": ("broken-game",),
    "ways_in": ("may play if it posts $10, or waits for the big blind (3 hands)",),
    "leaving": ("button", "small", "big"),
    "first_hand": ("2",),
    "last_hand": ("4",),
    "hand_count": (0, 1, 3),
    "stacks": ([], ["seat 3 has $50 more", "seat 5 has $50 less"]),
    "statement": ("Seat 3 left with $250; by the record it should be $300",),
    "other_table": ("T7",),
    "moves": ([], ["$1500 in fills", "$300 sold to players"]),
    "paths": ([], ["the chips that players added came from the cage"]),
    "fills": ("$1500",),
    "credits_total": ("$200",),
    "drops": ("$5",),
}
"""Values by parameter. Amounts are printed already, so that a sentence never knows a unit."""

_WRONG_BURNS: Final[dict[str, tuple[Any, ...]]] = {"count": (0, 2)}
_WRONG_BURNS_OF_FLOP: Final[dict[str, tuple[Any, ...]]] = {**_WRONG_BURNS, "street": ("flop",)}
SAMPLES_OF_FUNCTIONS: Final[dict[str, dict[str, tuple[Any, ...]]]] = {
    "amounts_unknown": {"count": (1, 3)},
    "empty_seat": {"holder": ("", "Mo")},
    "beaten_by": {"cards": ("Jc Js",)},
    "nobody_qualified": {"hand": ("aces full of jacks",)},
    "other_game": {"game": ("No-Limit Hold'em 1/2",)},
    "payment_only_for": {"hand": ("aces full of jacks",)},
    "players_too_few": {"players": (3,), "minimum": (4,)},
    "may_have_qualified": {"hand_count": (1, 3)},
    "players_were": {"players": (1, 4)},
    "qualified_unpaid": {"cards": ("Ah As",)},
    "rounded": {"step": ("$0.50",)},
    "should_be": {"demand": ("a payment only for four tens or better",)},
    "winner_too_weak": {"hand": ("four twos",)},
    "over_cap": {"cap": ("$5",)},
    "cap_is": {"cap": ("$5",)},
    "game_unlisted": {"game": ("Limit Razz",)},
    "stakes_unlisted": {"game": ("No-Limit Hold'em",)},
    "last_game_without_blinds": {"game": ("Limit Seven-Card Stud $10/$20",)},
    "seat_debt": {"player": ("Mo",)},
    "without_book": {"names": (["T3"], ["T3", "T7"])},
    "cannot_follow": {"reason": ("the hand did not count",)},
    "flop_kept": {"cards": (4,)},
    "moved_with": {"player": ("Mo",)},
    "never_back_in_step": {"reason": ("the record ends with hand 104",)},
    "noticed_after_award": _WRONG_BURNS,
    "noticed_and_card_stayed": _WRONG_BURNS,
    "noticed_and_flop_kept": _WRONG_BURNS_OF_FLOP,
    "noticed_and_flop_partly_kept": _WRONG_BURNS_OF_FLOP,
    "noticed_and_not_shuffled": _WRONG_BURNS_OF_FLOP,
    "noticed_and_other_card_came": _WRONG_BURNS,
    "paid_and_got": {"player": ("Mo",)},
    "paid_stranger": {"player": ("Mo",)},
    "paid_twice": {"player": ("Mo",)},
    "prize_without_payment": {"player": ("Mo",)},
    "raise_over_cap": {"count": (4,)},
    "street_shows_other_cards": _WRONG_BURNS,
    "too_many_blinds": {"count": (4,)},
    **ERROR_SAMPLES_OF_FUNCTIONS,
}
"""Values by function and parameter, where those of `SAMPLES` can't occur."""


def public_functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., str | HandledgerError]]]:
    """Yield the functions that a module defines, in their order."""
    for name, value in vars(module).items():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
            yield name, value


def sample_values(
    function_name: str,
    name: str,
    parameter: inspect.Parameter,
    aliases: dict[str, Any],
    samples: dict[str, tuple[Any, ...]],
) -> tuple[Any, ...]:
    """Return sample values of a parameter: by its name, else by its annotation; `aliases` holds the module's types by name."""
    if name in SAMPLES_OF_FUNCTIONS.get(function_name, {}):
        return SAMPLES_OF_FUNCTIONS[function_name][name]
    if name in samples:
        return samples[name]
    annotation = str(parameter.annotation)
    if annotation == "bool":
        return (False, True)
    if annotation == "int":
        return (1, 3)
    if annotation.startswith("Literal["):
        values: tuple[Any, ...] = tuple(ast.literal_eval(annotation.removeprefix("Literal")))
        return values
    if get_origin(aliases.get(annotation)) is Literal:
        return get_args(aliases[annotation])
    message = f"tests/wording/rendering.py has no sample for the parameter {name}: {annotation}"
    raise LookupError(message)


def render_function(
    function: Callable[..., str | HandledgerError], samples: dict[str, tuple[Any, ...]] = SAMPLES
) -> list[str]:
    """Return a function's sentences: each combination of sample values once."""
    parameters = inspect.signature(function).parameters
    choices = [
        sample_values(function.__name__, name, parameter, vars(inspect.getmodule(function)), samples)
        for name, parameter in parameters.items()
    ]
    rendered: dict[str, None] = {}
    for values in list(product(*choices))[:MOST_PER_FUNCTION]:
        by_kind = list(zip(parameters.items(), values, strict=True))
        positional = [value for (_, parameter), value in by_kind if parameter.kind is not parameter.KEYWORD_ONLY]
        keywords = {name: value for (name, parameter), value in by_kind if parameter.kind is parameter.KEYWORD_ONLY}
        rendered[render_text(function(*positional, **keywords))] = None
    return [sentence for sentence in rendered if sentence]


def render_text(value: str | HandledgerError) -> str:
    """Return a sentence, or an error as a terminal shows it: what is wrong, and below it what to do."""
    if isinstance(value, str):
        return value
    return f"{value.message}\n  {value.hint}" if value.hint else value.message


def render_module(module: ModuleType) -> str:
    """Return a module's sentences, one a line. An error has two lines."""
    samples = SAMPLES | ERROR_SAMPLES if module.__name__.endswith("_errors") else SAMPLES
    return "".join(
        f"{sentence}\n" for _, function in public_functions(module) for sentence in render_function(function, samples)
    )
