"""How often may be raised on one street."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.betting import Raised
from ledger.vocabulary import Witness
from projections.course import Act, Course
from projections.detector import Sign, detects
from projections.finding import Answer, Breach


def _beyond(hand: Course, raises: int) -> Iterator[tuple[Act, Act, int]]:
    """Yield each raise beyond the cap, the raise that reached the cap, and its number."""
    for street, acts in hand.rounds():
        unit = hand.unit(street)
        count, capped = 0, None
        for act in acts:
            if act.kind != "raise" or not act.level or (unit and 2 * act.gain < unit):
                continue
            count += 1
            if count == raises:
                capped = act
            elif capped is not None:
                yield act, capped, count


@detects(on=(Raised,), needs=Witness.ACTS | Witness.POSTS, signs=Sign.CAP)
def too_many(hand: Course, *, raises: int) -> Iterator[Answer]:
    """There were more raises on a street than the cap, with three or more players to bet."""
    for act, _, count in _beyond(hand, raises):
        if len(act.able) > 2:
            yield Breach(
                act.version, f"raise number {count} on the {act.street}, by seat {act.seat}", seat=act.seat,
                should=f"at most {raises} raises; then call or fold",
            )  # fmt: skip


@detects(on=(Raised,), needs=Witness.ACTS | Witness.POSTS, signs=Sign.CAP)
def after_capped(hand: Course, *, raises: int) -> Iterator[Answer]:
    """A street was capped with three or more players and was raised again when two were left."""
    for act, capped, count in _beyond(hand, raises):
        if len(act.able) <= 2 < len(capped.able):
            yield Breach(
                act.version, f"raise number {count} on the {act.street}, by seat {act.seat}", seat=act.seat,
                should=f"no raise after raise number {raises}: it was made with {len(capped.able)} players to bet",
                beside=((capped.version, f"raise number {raises}"),),
            )  # fmt: skip
