"""Turn the drafts of a hand into its placements: add late players, mark doubtful readings, merge equal ones."""

from __future__ import annotations

import msgspec

from ledger.vocabulary import Seat
from projections.obligations.dues import Placement
from projections.obligations.position_inputs import Draft
from projections.obligations.post_order import Setting, build_placements
from projections.sentences import readings


def add_late_players(draft: Draft, late_seats: frozenset[Seat]) -> Draft:
    """Return a draft that also deals in the players who came back after the blinds were posted."""
    dealt = tuple(sorted({*draft.dealt, *late_seats}))
    if not draft.heads_up:
        return draft._replace(dealt=dealt)
    return draft._replace(dealt=dealt, heads_up=False, judged=False)  # placed for two players, but played by three


def mark_doubtful(draft: Draft) -> Draft:
    """Return a draft marked as the less likely reading of the book: each blind from its position, not as owed."""
    if draft.doubtful or draft.heads_up:
        return draft._replace(doubtful=True)
    return draft._replace(doubtful=True, reading=readings.each_from_position_despite_debts())


def merge_placements(drafts: list[Draft], setting: Setting) -> tuple[Placement, ...]:
    """Return the placements of these drafts, each once; equal ones from another method are noted in the first."""
    placements: list[Placement] = []
    indexes: dict[object, int] = {}
    for draft in drafts:
        for placement in build_placements(draft, setting):
            posts = tuple((post.seat, post.role) for post in placement.posts)
            key = (placement.button, placement.small, placement.big, placement.extra, posts, placement.judged)
            index = indexes.setdefault(key, len(placements))
            if index == len(placements):
                placements.append(placement)
            elif not placement.doubtful and placement.method not in (
                placements[index].method,
                *placements[index].equal_methods,
            ):
                placements[index] = msgspec.structs.replace(
                    placements[index], equal_methods=(*placements[index].equal_methods, placement.method)
                )
    return tuple(placements)
