"""Describe the breaks in a table's chain of hands."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import safe
from ledger.table.breaks import Break
from ledger.table.numbers import is_later_in_series
from ledger.text.language import join_list, phrase, phrase_count
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount


def format_breaks(breaks: Sequence[Break], unit: str, exponent: int, *, max_breaks: int) -> list[str]:
    """Return a line with the number of breaks, then an indented line for each of the last `max_breaks`."""
    if not breaks:
        return []
    places_text = f"{len(breaks):,}"
    if len(breaks) == 1:
        introduction = phrase("hands don't follow on in 1 place:")
    elif len(breaks) > max_breaks:
        introduction = phrase(
            "hands don't follow on in {places} places; the last {shown}:", places=places_text, shown=max_breaks
        )
    else:
        introduction = phrase("hands don't follow on in {places} places:", places=places_text)
    return [introduction, *(f"  {_format_break(chain_break, unit, exponent)}" for chain_break in breaks[-max_breaks:])]


def _format_break(chain_break: Break, unit: str, exponent: int) -> str:
    return phrase(
        "between hand {first_hand} and hand {next_hand}: {break_text}",
        first_hand=safe.terminal(chain_break.after, 24),
        next_hand=safe.terminal(chain_break.before, 24),
        break_text=_describe_break(chain_break, unit, exponent),
    )


def _describe_break(chain_break: Break, unit: str, exponent: int) -> str:
    """Return what doesn't fit between two hands, by the kind of break."""
    if chain_break.how == "button":
        return phrase_count(  # "both" means both hands
            "the button jumps over seat {seats}, which played both",
            "the button jumps over seats {seats}, which played both",
            len(chain_break.seats),
            seats=join_list([*map(str, chain_break.seats)]),
        )
    if chain_break.how == "stacks":
        stack_list = join_list(
            [describe_stack_change(change.seat, change.difference, unit, exponent) for change in chain_break.stacks]
        )
        return phrase("stacks don't carry over ({stacks})", stacks=stack_list)
    if chain_break.how == "players":
        return phrase("the players are different; hands may be missing")
    if chain_break.how == "order":
        return phrase("the record doesn't show which was played first")
    if not is_later_in_series(chain_break.after, chain_break.before):
        return phrase("the numbers start over: another night, or missing hands")
    if chain_break.count == 1:
        return phrase("a hand is missing")
    if chain_break.count:
        number_text = f"{chain_break.count:,}"
        return phrase("{number} hands are missing", number=number_text)
    return phrase("hands are missing")


def describe_stack_change(seat: Seat, change: Chips, unit: str, exponent: int) -> str:
    """Return how much more a seat has than before, or less if `change` is negative: "seat 3 has $50 more"."""
    chips = amount(abs(change), unit, exponent)
    if change > 0:
        return phrase("seat {seat} has {amount} more", seat=seat, amount=chips)
    return phrase("seat {seat} has {amount} less", seat=seat, amount=chips)
