"""When an error in the deal came to light, and whether a misdeal was declared for it."""

from __future__ import annotations

from projections.timeline.hand_timeline import Timeline


def is_before_substantial_action(hand: Timeline, version: int) -> bool:
    """Whether an event came before substantial action on its deal: on the acts since the last misdeal."""
    deal_start = max(
        (misdeal_version for misdeal_version, _ in hand.misdeals() if misdeal_version < version), default=0
    )
    return not hand.is_substantial([act for act in hand.acts_before(version) if act.version > deal_start])


def is_misdealt(hand: Timeline, start_version: int = 0) -> bool:
    """Whether a misdeal was declared, or the hand voided for one, after an event."""
    return any(version > start_version for version, _ in hand.misdeals())
