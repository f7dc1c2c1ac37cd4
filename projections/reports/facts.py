"""Names of facts for card-room people. The facts' own names are for programs."""

from __future__ import annotations

from typing import Final

_FACTS: Final[dict[str, str]] = {
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


def describe_fact(name: str) -> str:
    """Return the name of a missing fact for people: `own-cards` is "hole cards"."""
    option = name.removeprefix("house-option ")
    if option != name:
        return f"the house's {option.replace('-', ' ')}"
    return _FACTS.get(name, name)
