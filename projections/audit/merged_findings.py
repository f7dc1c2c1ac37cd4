"""Merge breaches of several clauses of a book about the same violation into one breach, its leader.

The book says which clause yields to which (`yields_to`): the breach that yields merges into the other one. A step of a
remedy that wasn't followed (`Breach.wrong_event`) merges into the violation that it would correct. If no clause of the
book finds that violation, it merges into the first step of the same remedy.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from projections.books.rulebook import Clause
from projections.findings.finding import Breach
from projections.sentences import as_sentence


@dataclass(slots=True)
class ClauseBreach:
    """A breach with its clause."""

    clause_index: int  # among all clauses of the audit
    breach_index: int  # among the clause's breaches in this hand, before any merging
    clause: Clause
    breach: Breach
    merged_breaches: list[ClauseBreach] = field(default_factory=list)  # breaches of clauses that yield to this one

    @property
    def order(self) -> tuple[int, int, int]:
        """The sort key when breaches of a hand merge; it also identifies the breach."""
        return self.breach.key[0], self.clause_index, self.breach_index


def merge_breaches(breaches: list[ClauseBreach]) -> list[ClauseBreach]:
    """Return the leaders among the breaches of one hand, in order, with the other breaches merged into them."""
    in_order = sorted(breaches, key=lambda clause_breach: clause_breach.order)
    leaders = _find_leaders(in_order)
    if not leaders:
        return _sort_by_event(in_order)
    for clause_breach in in_order:
        final_leader = clause_breach
        while id(final_leader) in leaders:  # this ends: the loader rejects clauses that yield in a circle
            final_leader = leaders[id(final_leader)]
        if final_leader is not clause_breach:
            final_leader.merged_breaches.append(clause_breach)
            final_leader.breach = _add_step(final_leader.breach, clause_breach.breach)
    return _sort_by_event([clause_breach for clause_breach in in_order if id(clause_breach) not in leaders])


def _find_leaders(in_order: list[ClauseBreach]) -> dict[int, ClauseBreach]:
    """Return the breach that each merged one goes to: the one that it yields to, or whose remedy it is a step of."""
    leaders: dict[int, ClauseBreach] = {}
    if any(clause_breach.clause.entry.yields_to for clause_breach in in_order):
        yielding = _YieldTargets(in_order)
        for clause_breach in in_order:
            leader = yielding.find_leader(clause_breach)
            if leader is not None:
                leaders[id(clause_breach)] = leader
    # A breach that yields can't be a leader.
    independent = [clause_breach for clause_breach in in_order if id(clause_breach) not in leaders]
    if any(clause_breach.breach.wrong_event for clause_breach in independent):
        accidents = _RemedyTargets(independent)
        for clause_breach in independent:
            leader = accidents.find_leader(clause_breach) if clause_breach.breach.wrong_event else None
            if leader is not None:
                leaders[id(clause_breach)] = leader
    return leaders


def _sort_by_event(breaches: list[ClauseBreach]) -> list[ClauseBreach]:
    """Return breaches in the order of the events that they mark."""
    return sorted(breaches, key=lambda clause_breach: clause_breach.breach.version)


def _add_step(breach: Breach, step: Breach) -> Breach:
    """Return a breach that also demands a step of its remedy, if that step wasn't followed."""
    if not step.wrong_event or step.remedy != "not-followed":
        return breach
    shared_demand = breach.should if step.should in breach.should else ""
    should = shared_demand or "; ".join(part for part in (breach.should, step.should) if part)
    if breach.remedy in ("not-followed", "none"):
        return replace(breach, should=should)
    return replace(breach, should=should, remedy="not-followed", severity=None, because=as_sentence(step.saw))


class _YieldTargets:
    """Finds the breach of a hand that another one yields to."""

    def __init__(self, breaches: list[ClauseBreach]) -> None:
        """Take the breaches in order."""
        self._breaches = breaches
        self._first: dict[tuple[object, ...], int] = {}  # index of the first breach with each key
        for index in range(len(breaches) - 1, -1, -1):
            clause_breach = breaches[index]
            clause_key = clause_breach.clause.book, clause_breach.clause.id
            version, seat = clause_breach.breach.key
            self._first[*clause_key, "at", version] = index
            if is_about_table(clause_breach):
                self._first[*clause_key, "seat", seat] = self._first[*clause_key, "table"] = index

    def find_leader(self, yielding: ClauseBreach) -> ClauseBreach | None:
        """Return the breach that `yielding` yields to, by the book's order of clauses, or None.

        Both must be about the same violation: the same event or, for clauses about tables, the same seat.
        """
        for leading_clause in yielding.clause.entry.yields_to:
            clause_key = yielding.clause.book, leading_clause
            version, seat = yielding.breach.key
            keys: list[tuple[object, ...]] = [(*clause_key, "at", version)]
            if is_about_table(yielding):
                seat_key = (*clause_key, "table") if seat is None else (*clause_key, "seat", seat)
                keys += [seat_key, (*clause_key, "seat", None)]
            first_indexes = [self._first[key] for key in keys if key in self._first]
            if first_indexes:
                return self._breaches[min(first_indexes)]
        return None


class _RemedyTargets:
    """Finds the violation that a step of a remedy would correct."""

    def __init__(self, breaches: list[ClauseBreach]) -> None:
        """Take the breaches in order."""
        self._wrongs: dict[tuple[object, ...], ClauseBreach] = {}
        self._steps: dict[tuple[str, int], ClauseBreach] = {}
        for clause_breach in reversed(breaches):
            event_key = clause_breach.clause.book, clause_breach.breach.version
            wrong_key = clause_breach.clause.book, clause_breach.breach.wrong_event
            if not clause_breach.breach.wrong_event:
                self._wrongs[*event_key, clause_breach.clause.id] = clause_breach
                if clause_breach.breach.remedy != "none":
                    self._wrongs[event_key] = clause_breach
            elif wrong_key not in self._steps or _rank_step(clause_breach) < _rank_step(self._steps[wrong_key]):
                self._steps[wrong_key] = clause_breach

    def find_leader(self, step: ClauseBreach) -> ClauseBreach | None:
        """Return the violation that the step would correct, else the first step of the same remedy.

        Steps that weren't followed come first. Return None for that first step itself.
        """
        wrong_key = step.clause.book, step.breach.wrong_event
        wrongs = [self._wrongs[key] for key in (wrong_key, (*wrong_key, step.clause.id)) if key in self._wrongs]
        if wrongs:
            return min(wrongs, key=lambda wrong: wrong.order)
        first_step = self._steps[wrong_key]
        return first_step if first_step is not step else None


def _rank_step(step: ClauseBreach) -> tuple[bool, tuple[int, int, int]]:
    """Return the sort key of a step: what was not put right comes first, then by order in the hand."""
    return step.breach.remedy != "not-followed", step.order


def is_about_table(clause_breach: ClauseBreach) -> bool:
    """Whether a breach is about positions or debts, not about an act or a card."""
    spec = clause_breach.clause.spec
    return spec is not None and (spec.reads_table or spec.subject == "seats")


def list_shown_events(clause_breach: ClauseBreach) -> tuple[tuple[int, str], ...]:
    """Return the further events that show a finding (version and note), including those of its merged breaches."""
    events = list(clause_breach.breach.other_events)
    shown_versions = {clause_breach.breach.version, *(version for version, _ in events)}
    for merged_breach in clause_breach.merged_breaches:
        for version, note in (
            (merged_breach.breach.version, merged_breach.breach.saw),
            *merged_breach.breach.other_events,
        ):
            if version not in shown_versions:
                shown_versions.add(version)
                events.append((version, note))
    return tuple(events)
