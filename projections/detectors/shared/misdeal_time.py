"""Whether an error of the deal shows before substantial action, and whether a misdeal followed."""

from __future__ import annotations

from projections.timeline.hand_timeline import Timeline


def is_before_action(hand: Timeline, version: int) -> bool:
    """Whether an error shows before substantial action on its deal."""
    start = max((misdealt_at for misdealt_at, _ in hand.misdeals() if misdealt_at < version), default=0)
    return not hand.is_substantial([act for act in hand.acts_before(version) if act.version > start])


def is_misdealt(hand: Timeline, start_version: int = 0) -> bool:
    """Whether a misdeal was declared after an event, or the hand was void for one."""
    return any(version > start_version for version, _ in hand.misdeals())
