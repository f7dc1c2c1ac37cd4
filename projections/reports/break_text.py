"""Sentences on the breaks in a table's chain of hands."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import safe
from ledger.table.breaks import Break, StackBreak
from ledger.table.numbers import counts_on
from projections.amount_text import amount


def format_breaks(breaks: Sequence[Break], unit: str, exponent: int, *, max_breaks: int) -> list[str]:
    """Return a line with the number of breaks, then an indented line for each of the last `max_breaks`."""
    if not breaks:
        return []
    places_text = "1 place" if len(breaks) == 1 else f"{len(breaks):,} places"
    introduction = f"; the last {max_breaks}:" if len(breaks) > max_breaks else ":"
    return [
        f"hands don't follow on in {places_text}{introduction}",
        *(f"  {_format_break(chain_break, unit, exponent)}" for chain_break in breaks[-max_breaks:]),
    ]


def _format_break(chain_break: Break, unit: str, exponent: int) -> str:
    location = f"between hand {safe.terminal(chain_break.after, 24)} and hand {safe.terminal(chain_break.before, 24)}"
    return f"{location}: {_describe_break(chain_break, unit, exponent)}"


def _describe_break(chain_break: Break, unit: str, exponent: int) -> str:
    """Return what doesn't fit between two hands, by the kind of break."""
    if chain_break.how == "button":
        seat_list = ", ".join(map(str, chain_break.seats))
        seats_text = f"seat {seat_list}" if len(chain_break.seats) == 1 else f"seats {seat_list}"
        return f"the button jumps over {seats_text}, which played both"  # that is, both hands
    if chain_break.how == "stacks":
        stack_list = ", ".join(_describe_stack(stack_break, unit, exponent) for stack_break in chain_break.stacks)
        return f"stacks don't carry over ({stack_list})"
    if chain_break.how == "players":
        return "the players are different; hands may be missing"
    if chain_break.how == "order":
        return "the record doesn't show which was played first"
    if not counts_on(chain_break.after, chain_break.before):
        return "the numbers start over: another night, or missing hands"
    if chain_break.count == 1:
        return "a hand is missing"
    return f"{chain_break.count:,} hands are missing" if chain_break.count else "hands are missing"


def _describe_stack(stack_break: StackBreak, unit: str, exponent: int) -> str:
    direction = "more" if stack_break.difference > 0 else "less"
    return f"seat {stack_break.seat} has {amount(abs(stack_break.difference), unit, exponent)} {direction}"
