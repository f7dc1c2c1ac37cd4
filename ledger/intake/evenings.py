"""Decide whether a file has another evening's hands, since hand numbers restart.

A single hand can seldom show it: a slip of the pen looks the same. All hands of a file at a table can, since their
numbers count on from hand to hand, so they are of one evening.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ledger.table.events import HandPlayed
from ledger.table.identity import Identity, do_positions_differ, has_own_stacks, rests_on_stacks_alone

Evening: TypeAlias = Literal["", "apart", "undated"]
"""`apart`: another evening's, as its positions differ. `undated`: it may be another evening's, as it has no date."""


class Rival(NamedTuple):
    """An account in a table's stream that may describe the same hand as a new one."""

    hand: HandPlayed
    source: str  # SHA-256, "" = it came from no file
    position: int = 0  # in the log, 0 = not stored yet


class Comparison:
    """A new hand, compared with the earlier accounts of its number."""

    def __init__(
        self, hand: HandPlayed, rivals: Sequence[Rival], answer: Callable[[Rival, HandPlayed], Identity]
    ) -> None:
        """Take the hand, the accounts, and the function that decides whether one describes the same hand."""
        self.hand = hand
        self.rivals = {rival.hand.hand: rival for rival in rivals}
        self.answers = {name: answer(rival, hand) for name, rival in self.rivals.items()}
        self.weak_matches = {name: rests_on_stacks_alone(rival.hand, hand) for name, rival in self.rivals.items()}
        self.is_other_evening = False
        self.is_undated = False

    @property
    def has_no_match(self) -> bool:
        """Whether all accounts of the number are of other hands."""
        return bool(self.answers) and set(self.answers.values()) == {"other"}

    def is_certain(self, name: str) -> bool:
        """Whether an account of this hand matches in more than number, players and stacks."""
        return self.answers[name] == "same" and not self.weak_matches[name]

    def is_uncertain(self, name: str) -> bool:
        """Whether an account may be of this hand, or of one of another evening."""
        return self.answers[name] == "doubtful" or (self.answers[name] == "same" and self.weak_matches[name])


_ComparedAccount: TypeAlias = tuple[Comparison, str]
"""A comparison, and the id of one of its rivals."""


def settle_run(comparisons: Sequence[Comparison], is_edition: Callable[[str], bool], other_evenings: set[str]) -> None:
    """Let the certain hands of a run decide about the uncertain ones.

    `is_edition`: whether a source is another edition of this file. `other_evenings`: the sources of other evenings in
    this run so far; new ones are added.
    """
    _apply_certain_hands(comparisons)
    for rival_source, pairs in _pair_by_source(comparisons).items():
        if any(comparison.is_certain(rival_account) for comparison, rival_account in pairs):
            continue
        uncertain_pairs = [pair for pair in pairs if pair[0].is_uncertain(pair[1])]
        is_other_evening = rival_source in other_evenings or _is_other_evening(uncertain_pairs)
        if is_other_evening and not is_edition(rival_source):
            other_evenings.add(rival_source)
            for comparison, rival_account in uncertain_pairs:
                comparison.answers[rival_account], comparison.is_other_evening = "other", True
        elif is_other_evening or not _have_own_stacks(uncertain_pairs):
            for comparison, _ in uncertain_pairs:
                comparison.is_undated = True


def _pair_by_source(comparisons: Sequence[Comparison]) -> dict[str, list[_ComparedAccount]]:
    """Group the comparisons with each rival by the rival's source."""
    pairs: dict[str, list[_ComparedAccount]] = defaultdict(list)
    for comparison in comparisons:
        for rival_account, rival in comparison.rivals.items():
            pairs[rival.source].append((comparison, rival_account))
    return pairs


def _have_own_stacks(pairs: Sequence[_ComparedAccount]) -> bool:
    """Whether the stacks of a hand and its rival are enough to identify the hand."""
    return any(
        has_own_stacks(comparison.rivals[rival_account].hand, comparison.hand) for comparison, rival_account in pairs
    )


def _apply_certain_hands(comparisons: Sequence[Comparison]) -> None:
    """Treat uncertain hands as another evening's if a hand of the run certainly is."""
    has_certain = any(
        comparison.is_certain(rival_account) for comparison in comparisons for rival_account in comparison.answers
    )
    if not any(comparison.has_no_match for comparison in comparisons):
        return
    for comparison in comparisons:
        for rival_account in comparison.answers:
            if comparison.is_uncertain(rival_account):
                comparison.answers[rival_account] = "doubtful" if has_certain else "other"


def _is_other_evening(pairs: Sequence[_ComparedAccount]) -> bool:
    """Whether button, players or blinds differ in several hands, and in most of them."""
    differences = [
        do_positions_differ(comparison.rivals[rival_account].hand, comparison.hand)
        for comparison, rival_account in pairs
    ]
    differing_count = differences.count(True)
    return differing_count > 1 and 2 * differing_count > differing_count + differences.count(False)
