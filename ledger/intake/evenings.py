"""Numbers that restart: whether a file tells another evening, or accounts of hands that are on record.

One hand can seldom tell, as a slip of the pen looks alike. All hands of a file at a table can: numbers run on
from hand to hand, so that all of them are one evening's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ledger.table.events import HandPlayed
from ledger.table.identity import Identity, do_positions_differ, has_own_stacks, rests_on_stacks_alone

Evening: TypeAlias = Literal["", "apart", "undated"]
"""`apart`: another evening's, as its positions differ. `undated`: nothing dates it, and it may be another evening's."""


class Rival(NamedTuple):
    """An account of which its table was told, as it is weighed against another."""

    hand: HandPlayed
    source: str  # SHA-256, "" = it came from no file
    position: int = 0  # in the log, 0 = it is being stored


class Comparison:
    """A hand on its way in, compared with the accounts of its number that came before."""

    def __init__(
        self, hand: HandPlayed, rivals: Sequence[Rival], answer: Callable[[Rival, HandPlayed], Identity]
    ) -> None:
        """Take the hand, the accounts, and what says of one whether it tells the same hand."""
        self.hand = hand
        self.rivals = {rival.hand.hand: rival for rival in rivals}
        self.answers = {name: answer(rival, hand) for name, rival in self.rivals.items()}
        self.weak_matches = {name: rests_on_stacks_alone(rival.hand, hand) for name, rival in self.rivals.items()}
        self.is_other_evening = self.is_undated = (
            False  # from another evening, and whether it may be of one all the same
        )

    @property
    def has_no_match(self) -> bool:
        """Whether no account of the number can be of this hand."""
        return bool(self.answers) and set(self.answers.values()) == {"other"}

    def is_certain(self, name: str) -> bool:
        """Whether more than number, players and stacks makes an account one of this hand."""
        return self.answers[name] == "same" and not self.weak_matches[name]

    def is_uncertain(self, name: str) -> bool:
        """Whether an account may be of this hand, or of one of another evening."""
        return self.answers[name] == "doubtful" or (self.answers[name] == "same" and self.weak_matches[name])


def settle_run(run: Sequence[Comparison], is_edition: Callable[[str], bool], parted: set[str]) -> None:
    """Let the hands of a run that can be told apart decide for those that cannot.

    `is_edition` says of a source whether it is this file as it was before. `parted`: the sources whose evening
    is another one, as hands of this run showed before; those that these show are added.
    """
    _follow_the_sure(run)
    pairs: dict[str, list[tuple[Comparison, str]]] = defaultdict(list)
    for one in run:
        for name, rival in one.rivals.items():
            pairs[rival.source].append((one, name))
    for source, of_source in pairs.items():
        if any(one.is_certain(name) for one, name in of_source):
            continue
        doubtful = [(one, name) for one, name in of_source if one.is_uncertain(name)]
        apart = source in parted or _is_other_evening(doubtful)
        if apart and not is_edition(source):
            parted.add(source)
            for one, name in doubtful:
                one.answers[name], one.is_other_evening = "other", True
        elif apart or not any(has_own_stacks(one.rivals[name].hand, one.hand) for one, name in doubtful):
            for one, _ in doubtful:
                one.is_undated = True


def _follow_the_sure(run: Sequence[Comparison]) -> None:
    """Take hands that may be either for another evening's where one of the run is."""
    firm = any(one.is_certain(name) for one in run for name in one.answers)
    if not any(one.has_no_match for one in run):
        return
    for one in run:
        for name in one.answers:
            if one.is_uncertain(name):
                one.answers[name] = "doubtful" if firm else "other"


def _is_other_evening(pairs: Sequence[tuple[Comparison, str]]) -> bool:
    """Whether button, players or blinds differ over the hands as a whole: on several, and on most of them."""
    found = [do_positions_differ(one.rivals[name].hand, one.hand) for one, name in pairs]
    differing = found.count(True)
    return differing > 1 and 2 * differing > differing + found.count(False)
