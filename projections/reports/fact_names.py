"""Names of missing facts as a card room calls them ("hole cards" for `own-cards`), and how to record them next time."""

from __future__ import annotations

import re
from typing import Final

from ledger.text.language import join_list, phrase, translatable
from projections.findings.finding import MAX_EVENTS, MAX_JUDGED_PLAYERS, TOO_MANY_EVENTS, TOO_MANY_PLAYERS
from projections.sentences import record_next_time as say
from projections.sentences.words import find_open_point

_FACT_NAMES: Final[dict[str, str]] = {
    "button": translatable("where the button was"),
    "blind-positions": translatable("where the blinds were"),
    "blind-amounts": translatable("what the blinds are"),
    "posts": translatable("blinds posted"),
    "post-liveness": translatable("which part of a post was live"),
    "post-reasons": translatable("why a blind was not posted"),
    "antes": translatable("antes"),
    "stacks-before": translatable("stacks before the hand"),
    "stacks-after": translatable("stacks after the hand"),
    "acts": translatable("the betting"),
    "motions": translatable("how chips were moved"),
    "words": translatable("what players said"),
    "board": translatable("the board"),
    "burns": translatable("burn cards"),
    "deal-order": translatable("the order of the deal"),
    "own-cards": translatable("hole cards"),
    "all-cards": translatable("everybody's hole cards"),
    "exposed-cards": translatable("exposed cards"),
    "deal-errors": translatable("mistakes in the deal"),
    "shuffles": translatable("shuffles and cuts"),
    "looks": translatable("who looked at their cards"),
    "errors-noticed": translatable("when an error was noticed"),
    "permissions": translatable("permissions"),
    "showdown": translatable("the showdown"),
    "board-plays": translatable("who played the board"),
    "hand-kills": translatable("which hands were killed"),
    "awards": translatable("who won"),
    "pots": translatable("which pot was won"),
    "drop": translatable("the rake"),
    "returned-bets": translatable("uncalled bets"),
    "round-ends": translatable("when a betting round closed"),
    "times": translatable("when it happened"),
    "clocks": translatable("clocks called"),
    "presence": translatable("who was away"),
    "in-room": translatable("who was in the room"),
    "seating": translatable("who took and left seats"),
    "origins": translatable("where a new player came from"),
    "chip-purchases": translatable("chips bought at the table"),
    "markers": translatable("missed-blind markers"),
    "game-starts": translatable("when the game started"),
    "house-options": translatable("what the house allows"),
    "runs": translatable("which boards were run more than once"),
    "connections": translatable("lost connections"),
    "missing-hands": translatable("whether hands are missing"),
    "discards": translatable("discards"),
    "chat": translatable("chat"),
    "dealt-in": translatable("who was dealt in"),
    "game-format": translatable("whether it was a cash game or a tournament"),
    "smallest-chip": translatable("the smallest chip"),
    "blind-round": "whether blinds were due",
    "the hands before it": translatable("the hands before this one"),
    "the table's hands in order": translatable("the order of the table's hands"),
    "a line that was not understood": translatable("a line that can't be read"),
}


_HOUSE_OPTIONS: Final[dict[str, str]] = {
    "straddle-allowed": translatable("the house's straddle allowed"),
    "straddle-amount": translatable("the house's straddle amount"),
    "smallest-chip": translatable("the house's smallest chip"),
    "low-qualifier": translatable("the house's low qualifier"),
    "joker-used": translatable("the house's joker used"),
    "entry-post-required": translatable("the house's entry post required"),
    "makeup-option": translatable("the house's makeup option"),
    "button-method": translatable("the house's button method"),
    "limit-schedule": translatable("the house's limit schedule"),
    "bring-in": translatable("the house's bring in"),
    "blind-dead": translatable("the house's blind dead"),
    "raise-cap": translatable("the house's raise cap"),
    "bet-cap": translatable("the house's bet cap"),
    "antes-count-as-blinds": translatable("the house's antes count as blinds"),
    "dealer-box": translatable("the house's dealer box"),
    "half-bet-rule": translatable("the house's half bet rule"),
    "minimum-open": translatable("the house's minimum open"),
    "bomb-pot": translatable("the house's bomb pot"),
    "trips-beat-straights": translatable("the house's trips beat straights"),
    "other": translatable("the house's other"),
}
"""Names of missing house options."""

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
    "blind-round": "option bomb-pot 30",
    "times": "hand 12 2026-11-20T20:10:00-05:00",
    "the table's hands in order": "hand 12 2026-11-20T20:10:00-05:00",
}
_MAX_EXAMPLE_LINES: Final = 3
"""The most example lines in one hint."""


def describe_fact(fact: str) -> str:
    """Return the name of a missing fact, or of several facts joined by commas. An unknown fact is returned unchanged.

    >>> describe_fact("own-cards"), describe_fact("house-option bomb-pot")
    ('hole cards', "the house's bomb pot")
    """
    option = fact.removeprefix("house-option ")
    if option != fact:
        return phrase(_HOUSE_OPTIONS[option]) if option in _HOUSE_OPTIONS else fact
    if fact == TOO_MANY_EVENTS:
        return phrase("not judged: more than {most_events} events", most_events=format(MAX_EVENTS, ","))
    if fact == TOO_MANY_PLAYERS:
        return phrase("not judged: more than {most_players} players", most_players=MAX_JUDGED_PLAYERS)
    single_facts = fact.split(", ")
    if all(single_fact in _FACT_NAMES for single_fact in single_facts):
        return join_list([phrase(_FACT_NAMES[single_fact]) for single_fact in single_facts])
    return phrase(fact)  # a detector's own words


_SILENT_POINTS: Final = {
    "the book does not say who opens after a straddle": translatable("who opens after a straddle"),
    "the book does not say whether a gesture declares": translatable("whether a gesture declares"),
    "the book does not say whether words declare": translatable("whether words declare"),
}
_SILENCES: Final = (
    re.compile(r"the book (?:doesn't|does not) (?:say|settle) (?P<point>.+)"),
    re.compile(r"(?P<point>.+): the book (?:doesn't|does not) (?:say|define it|settle it)"),
)


def find_silence(fact: str) -> str:
    """Return the point that the book leaves open, or "" if it's the record that lacks a fact.

    >>> find_silence("the book does not say who opens after a straddle"), find_silence("own-cards")
    ('who opens after a straddle', '')
    """
    if fact in _SILENT_POINTS:
        return phrase(_SILENT_POINTS[fact])
    matches = (silence.fullmatch(fact) for silence in _SILENCES)
    return next((match["point"] for match in matches if match), "") or find_open_point(fact)


def advise_recording(fact: str) -> str:
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
    example_lines = list(dict.fromkeys(EXAMPLE_LINES[single_fact] for single_fact in single_facts))
    return say.witness_kinds(single_facts, example_lines[:_MAX_EXAMPLE_LINES])
