"""Where a table's chain of hands breaks, in words."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import safe
from ledger.table.breaks import Break, StackBreak
from ledger.table.numbers import counts_on
from projections.amount_text import amount


def sentences(breaks: Sequence[Break], unit: str, exponent: int, *, most: int) -> list[str]:
    """Return a sentence for each of the last breaks, at most `most`, after one that counts them."""
    if not breaks:
        return []
    times = "once" if len(breaks) == 1 else f"{len(breaks):,} times"
    last = f"; the last {most}:" if len(breaks) > most else ":"
    return [
        f"the chain of hands breaks {times}{last}",
        *(f"  {_sentence(one, unit, exponent)}" for one in breaks[-most:]),
    ]


def _sentence(one: Break, unit: str, exponent: int) -> str:
    where = f"between hand {safe.terminal(one.after, 24)} and hand {safe.terminal(one.before, 24)}"
    return f"{where}: {_shown(one, unit, exponent)}"


def _shown(one: Break, unit: str, exponent: int) -> str:
    if one.how == "button":
        seats = ", ".join(map(str, one.seats))
        who = f"seat {seats}, which" if len(one.seats) == 1 else f"seats {seats}, which"
        return f"the button jumps over {who} played both"
    if one.how == "stacks":
        stacks = ", ".join(_stack(each, unit, exponent) for each in one.stacks)
        return f"stacks do not continue ({stacks})"
    if one.how == "players":
        return "the players are others; hands may be missing"
    if one.how == "order":
        return "nothing tells that the one was played after the other"
    if not counts_on(one.after, one.before):
        return "the numbers begin anew: another night, or hands are missing"
    count = "a hand is" if one.count == 1 else f"{one.count:,} hands are" if one.count else "hands are"
    return f"{count} missing"


def _stack(one: StackBreak, unit: str, exponent: int) -> str:
    more = "more" if one.difference > 0 else "less"
    return f"seat {one.seat} has {amount(abs(one.difference), unit, exponent)} {more}"
