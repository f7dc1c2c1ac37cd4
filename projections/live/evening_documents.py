"""The JSON documents of a table's evening: its hands, and the players' stacks from hand to hand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.vocabulary import Chips, Seat


class EveningHand(msgspec.Struct):
    """One hand of the evening."""

    id: str
    address: str
    local: str  # when it began on the room's clock; "" = unknown
    findings: int | None  # None: the reader may not see findings
    severity: str  # the worst of its findings; "" = nothing found, or not for the reader
    not_judged: str  # the reason why it wasn't judged; "" = it was
    report_page: int = msgspec.field(default=0, name="page")  # the number of its page in a report; 0 = none


class StackLine(msgspec.Struct):
    """A player's stack before each hand of the evening, and after the last one. None = not recorded, or not dealt in."""

    player: str
    seats: list[Seat]  # in which the player sat, in order
    stacks: list[Chips | None]
    net: Chips  # over the hands that the player was dealt


class TableEvening(msgspec.Struct):
    """The last evening of a table. Amounts are in units of 10^-exponent of `unit`."""

    hands: list[EveningHand]
    stacks: list[StackLine]
    unit: str = ""
    exponent: int = 0
    has_earlier_hands: bool = msgspec.field(default=False, name="earlier")
    hands_for_other_money: int = msgspec.field(default=0, name="other_money")  # the stacks leave them out


def iter_stack_summary(line: StackLine) -> Iterator[Chips | None]:
    """Yield a player's first, lowest, highest and last recorded stack; None if none is recorded."""
    recorded_stacks = [stack for stack in line.stacks if stack is not None]
    if not recorded_stacks:
        yield from (None, None, None, None)
        return
    yield from (recorded_stacks[0], min(recorded_stacks), max(recorded_stacks), recorded_stacks[-1])
