"""Which reasons of a placement are worth a line: a reason that the line above gives isn't given again."""

from __future__ import annotations

from projections.obligations.dues import Ground, Placement


def drop_repeated_grounds(placement: Placement) -> tuple[tuple[Ground, ...], tuple[Ground, ...]]:
    """Return the reasons of small and big blind; () for those that the button's or the small blind's line gives."""
    sentences = [
        [ground.sentence for ground in grounds]
        for grounds in (placement.button_grounds, placement.small_grounds, placement.big_grounds)
    ]
    small_grounds = () if sentences[1] == sentences[0] else placement.small_grounds
    return small_grounds, () if sentences[2] in sentences[:2] else placement.big_grounds
