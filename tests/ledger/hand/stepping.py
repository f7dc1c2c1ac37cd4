"""A hand step by step: each event with the state before it and the state after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.hand.events import HandEvent
from ledger.hand.fold import begin, iterate_states
from ledger.hand.state import HandState


def steps(events: Sequence[HandEvent]) -> Iterator[tuple[HandEvent, HandState, HandState]]:
    """Yield each event with copies of the states around it."""
    state_before = begin()
    for event, state in zip(events, iterate_states(events), strict=True):
        state_after = state.copy()
        yield event, state_before, state_after
        state_before = state_after
