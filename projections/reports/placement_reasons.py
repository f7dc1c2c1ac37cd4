"""Drop the reasons of a placement that repeat those of the line above."""

from __future__ import annotations

from projections.obligations.dues import Ground, Placement


def drop_repeated_grounds(placement: Placement) -> tuple[tuple[Ground, ...], tuple[Ground, ...]]:
    """Return the reasons of the small and the big blind; () for reasons that an earlier line gives already."""
    button_sentences, small_sentences, big_sentences = (
        [ground.sentence for ground in grounds]
        for grounds in (placement.button_grounds, placement.small_grounds, placement.big_grounds)
    )
    small_grounds = () if small_sentences == button_sentences else placement.small_grounds
    big_grounds = () if big_sentences in (button_sentences, small_sentences) else placement.big_grounds
    return small_grounds, big_grounds
