"""Fixed limits by a model of their own: rounds that the texts allow are clean, one wrong size is found.

The model knows the text's words and nothing of `projections.detectors.shared.bet_limits`: a raise goes a bet beyond the
last full one; an all-in of half a bet counts as one, by either measure; a shorter one is only filled,
and lets nobody raise who has acted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.projections.pages import Case, column
from tests.projections.running import run

CLAUSES = {"hilton": {"B3", "B7", "B24"}, "bicycle": {"p25a", "p25b", "p25c", "p06a", "p06b", "p26c", "p31a"}}


@dataclass
class Round:
    """A first round while it is played; amounts are totals of the round."""

    rng: Random
    unit: int
    stacks: dict[int, int]
    bring_in: int = 0
    lines: list[str] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)
    level: int = 0
    full: int = 0  # the last level that was a whole bet
    short: int = 0  # by how much a short all-in lies above it
    raises: int = 0
    acted: set[int] = field(default_factory=set)
    fresh: set[int] = field(default_factory=set)  # may raise though they have acted

    def legal(self, seat: int) -> list[int]:
        """The whole raises that a seat may make."""
        if self.raises == 3 or (seat in self.acted and seat not in self.fresh):
            return []
        if self.bring_in and self.level < self.bring_in:
            return [self.bring_in, self.bring_in + self.unit]
        if not self.short:
            return [self.level + self.unit]
        if 2 * self.short < self.unit:
            return [self.full + self.unit]
        return [self.level + self.unit, self.full + 2 * self.unit]

    def raise_to(self, seat: int, new_level: int) -> None:
        """Put a raise in, whole or as far as the stack goes."""
        total = min(new_level, self.stacks[seat])
        all_in = " all-in" if total == self.stacks[seat] else ""
        opens = 0 < self.level < self.bring_in and total == self.bring_in
        gain = total - self.full
        self.lines.append(f"{seat} raises to {total}{all_in}")
        other_seats = set(self.stacks) - {seat}
        if total in self.legal(seat):
            self.raises += not opens and 2 * (total - self.level) >= self.unit
            self.full, self.short, self.fresh = total, 0, other_seats
        elif 2 * gain >= self.unit:
            self.raises += 2 * (total - self.level) >= self.unit
            self.short, self.fresh = gain, other_seats
        else:
            self.short = gain
        self.bets[seat] = self.level = total
        self.acted.add(seat)
        self.fresh.discard(seat)

    def act(self, seat: int) -> bool:
        """Act at random; whether it was a raise."""
        has_chips_behind = self.stacks[seat] > self.level
        legal = [new_level for new_level in self.legal(seat) if has_chips_behind]
        if self.short or (self.bring_in and self.level < self.bring_in):
            # one short all-in at a time: several together are read in two ways
            legal = [new_level for new_level in legal if new_level <= self.stacks[seat]]
        if legal and self.rng.random() < 0.6:
            self.raise_to(seat, self.rng.choice(legal))
            return True
        self.acted.add(seat)
        self.fresh.discard(seat)
        if self.bets[seat] == self.level:
            self.lines.append(f"{seat} checks")
        elif self.rng.random() < 0.5:
            self.lines.append(f"{seat} folds")
            del self.stacks[seat]
        else:
            new_level = min(self.level, self.stacks[seat])
            all_in = " all-in" if new_level == self.stacks[seat] else ""
            self.lines.append(f"{seat} calls {new_level - self.bets[seat]}{all_in}")
            self.bets[seat] = new_level
        return False

    def play(self) -> None:
        """Go round until nobody has to act."""
        order = [*range(3, len(self.stacks) + 1), 1, 2]
        waiting = list(order)
        while waiting:
            seat = waiting.pop(0)
            able = seat in self.stacks and self.bets[seat] < self.stacks[seat]
            if able and len(self.stacks) > 1 and self.act(seat):
                index = order.index(seat)
                waiting = order[index + 1 :] + order[:index]


def start_round(seed: int, unit: int, bring_in: int) -> tuple[Round, list[str]]:
    rng = Random(seed)
    stacks = {seat: rng.choice([20 * unit, rng.randint(2 * unit, 5 * unit)]) for seat in range(1, rng.randint(4, 7))}
    big = bring_in // 2 or unit
    new_round = Round(rng, unit, dict(stacks), bring_in, bets=dict.fromkeys(stacks, 0))
    new_round.bets |= {1: big // 2, 2: big}
    new_round.level = new_round.full = big
    head = [f"game holdem limit cash blinds {big // 2}/{big} bets {unit}/{2 * unit}"]
    head += [f"option bring-in {bring_in}"] * bool(bring_in)
    head += [f"seat {seat} P{seat} {stack}" for seat, stack in stacks.items()]
    head += [f"button {len(stacks)}", f"1 posts small {big // 2}", f"2 posts big {big}", "deal done"]
    return new_round, head


def find_limit_clauses(lines: list[str], book: str) -> set[str]:
    text = "\n".join(lines) + "\n"
    case = Case(book, "limits", "random", column(book), evening=False, text=text)
    return {finding.clause for _, finding in run(case).findings if finding.clause in CLAUSES[book]}


@given(st.integers(0, 2**32), st.sampled_from([(10, 0), (20, 0), (20, 20)]))
def test_a_legal_round_is_clean_and_a_wrong_size_is_not(seed: int, limits: tuple[int, int]) -> None:
    limit_round, head = start_round(seed, *limits)
    limit_round.play()
    for book in CLAUSES:
        assert find_limit_clauses([*head, *limit_round.lines], book) == set(), "\n".join([*head, *limit_round.lines])
    short_indexes = [index for index, line in enumerate(limit_round.lines) if "all-in" in line]
    plain_lines = limit_round.lines[: min(short_indexes, default=None)]  # of raises over short all-ins B3 says nothing
    full_raises = [index for index, line in enumerate(plain_lines) if "raises" in line]
    if full_raises:
        index = limit_round.rng.choice(full_raises)
        seat, _, _, new_level = limit_round.lines[index].split()
        other_level = int(new_level) + limit_round.unit // 5
        stack = next(line for line in head if line.startswith(f"seat {seat} "))
        wrong = [*head, *limit_round.lines[:index], f"{seat} raises to {other_level}"]
        if int(stack.split()[-1]) <= other_level:
            return  # it would be all-in
        assert find_limit_clauses(wrong, "hilton") == {"B3"}, "\n".join(wrong)
