"""What a missing fact is called in a card room ("hole cards" for `own-cards`), and how to record it next time."""

from __future__ import annotations

import re
from typing import Final

from projections.sentences import record_next_time as say
from projections.sentences.words import find_open_point

_FACT_NAMES: Final[dict[str, str]] = {
    "button": "where the button was",
    "blind-positions": "where the blinds were",
    "blind-amounts": "what the blinds are",
    "posts": "blinds posted",
    "post-liveness": "which part of a post was live",
    "post-reasons": "why a blind was not posted",
    "antes": "antes",
    "stacks-before": "stacks before the hand",
    "stacks-after": "stacks after the hand",
    "acts": "the betting",
    "motions": "how chips were moved",
    "words": "what players said",
    "board": "the board",
    "burns": "burn cards",
    "deal-order": "the order of the deal",
    "own-cards": "hole cards",
    "all-cards": "everybody's hole cards",
    "exposed-cards": "exposed cards",
    "deal-errors": "mistakes in the deal",
    "shuffles": "shuffles and cuts",
    "looks": "who looked at their cards",
    "errors-noticed": "when an error was noticed",
    "permissions": "permissions",
    "showdown": "the showdown",
    "board-plays": "who played the board",
    "hand-kills": "which hands were killed",
    "awards": "who won",
    "pots": "which pot was won",
    "drop": "the rake",
    "returned-bets": "uncalled bets",
    "round-ends": "when a betting round closed",
    "times": "when it happened",
    "clocks": "clocks called",
    "presence": "who was away",
    "in-room": "who was in the room",
    "seating": "who took and left seats",
    "origins": "where a new player came from",
    "chip-purchases": "chips bought at the table",
    "markers": "missed-blind markers",
    "game-starts": "when the game started",
    "house-options": "what the house allows",
    "runs": "which boards were run more than once",
    "connections": "lost connections",
    "missing-hands": "whether hands are missing",
    "discards": "discards",
    "chat": "chat",
    "dealt-in": "who was dealt in",
    "game-format": "whether it was a cash game or a tournament",
    "smallest-chip": "the smallest chip",
    "the hands before it": "the hands before this one",
    "the table's hands in order": "the order of the table's hands",
    "a line that was not understood": "a line that can't be read",
}


EXAMPLE_LINES: Final[dict[str, str]] = {
    "button": "button 3",
    "blind-positions": "position small 4",
    "posts": "4 posts small 2",
    "post-liveness": "3 posts makeup 5 dead 2",
    "post-reasons": "skipped small seat 4",
    "antes": "4 antes 1",
    "stacks-before": "seat 3 Kim 500",
    "stacks-after": "3 counted 500",
    "acts": "5 raises to 20",
    "motions": "5 moves 10",
    "words": "5 says raise",
    "board": "flop Qc Jd 7s",
    "burns": "burn flop",
    "deal-order": "3 gets Qc deck 5",
    "own-cards": "3 gets Qc Jd",
    "all-cards": "3 gets Qc Jd",
    "exposed-cards": "exposed Qc seat 3",
    "deal-errors": "3 gets-extra Qc",
    "shuffles": "shuffle",
    "looks": "3 looks",
    "errors-noticed": "noticed wrong-count by dealer",
    "permissions": "allowed straddle by floor",
    "showdown": "3 shows Qc Jd",
    "board-plays": "3 plays-board",
    "hand-kills": "3 killed",
    "awards": "3 wins 120",
    "pots": "3 wins 120 from main",
    "drop": "rake 4",
    "returned-bets": "3 uncalled 10",
    "round-ends": "closed flop",
    "clocks": "clock 3",
    "presence": "3 away",
    "in-room": "3 away in-room",
    "seating": "3 sits Kim",
    "origins": "3 sits Kim walk-in",
    "chip-purchases": "3 adds 200",
    "markers": "3 marker missed-blind",
    "game-starts": "game-started",
    "house-options": "option straddle-allowed 1",
    "runs": "runs 2",
    "connections": "3 offline",
    "discards": "3 discards 2",
    "chat": 'said "nice hand" seat 3',
}
"""A line of handscript that records each kind of fact."""

_FURTHER_EXAMPLE_LINES: Final[dict[str, str]] = {
    "blind-amounts": "game holdem no-limit cash blinds 2/5 unit USD 2",
    "game-format": "game holdem no-limit cash blinds 2/5 unit USD 2",
    "smallest-chip": "option smallest-chip 1",
    "dealt-in": "seat 3 Kim 500",
    "times": "hand 12 2026-11-20T20:10:00-05:00",
    "the table's hands in order": "hand 12 2026-11-20T20:10:00-05:00",
}
_MAX_EXAMPLE_LINES: Final = 3
"""The most example lines in one hint."""


def describe_fact(fact: str) -> str:
    """Return what people call a missing fact, or several joined by commas; an unknown name stays as it is.

    >>> describe_fact("own-cards"), describe_fact("house-option bomb-pot")
    ('hole cards', "the house's bomb pot")
    """
    option = fact.removeprefix("house-option ")
    if option != fact:
        return f"the house's {option.replace('-', ' ')}"
    single_facts = fact.split(", ")
    return (
        ", ".join(_FACT_NAMES[single_fact] for single_fact in single_facts)
        if all(single_fact in _FACT_NAMES for single_fact in single_facts)
        else fact
    )


_SILENCES: Final = (
    re.compile(r"the book (?:doesn't|does not) (?:say|settle) (?P<point>.+)"),
    re.compile(r"(?P<point>.+): the book (?:doesn't|does not) (?:say|define it|settle it)"),
)


def find_silence(fact: str) -> str:
    """Return the point that the book leaves open, if that's what is missing; "" = the record lacks a fact.

    >>> find_silence("the book does not say who opens behind a straddle"), find_silence("own-cards")
    ('who opens behind a straddle', '')
    """
    matches = (silence.fullmatch(fact) for silence in _SILENCES)
    return next((match["point"] for match in matches if match), "") or find_open_point(fact)


def how_to_record(fact: str) -> str:
    """Return how to record a missing fact next time, or "" if nobody can write it down."""
    if fact == "the hands before it":
        return say.import_earlier_hands()
    if fact == "missing-hands":
        return say.number_every_hand()
    if fact == "a line that was not understood":
        return say.correct_line()
    option = fact.removeprefix("house-option ")
    if option != fact:
        return say.write_lines([f"option {option} …"])
    if fact in _FURTHER_EXAMPLE_LINES:
        return say.write_lines([_FURTHER_EXAMPLE_LINES[fact]])
    single_facts = fact.split(", ")
    if not all(single_fact in EXAMPLE_LINES for single_fact in single_facts):
        return ""
    return say.witness_kinds(
        single_facts,
        list(dict.fromkeys(EXAMPLE_LINES[single_fact] for single_fact in single_facts))[:_MAX_EXAMPLE_LINES],
    )
