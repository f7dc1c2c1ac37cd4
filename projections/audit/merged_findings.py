"""The same wrong under several clauses of one book: one finding, under the most specific of them.

A book says which clause yields to which (`yields_to`). A clause that spoke of the same wrong and
yields is named beside the finding of the one that it yields to. A step of putting a wrong right
that was not followed (`Breach.of`) is named beside the finding of that wrong, or, where no clause of
the book speaks of it, beside the first such step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from projections.books.rulebook import Clause
from projections.findings.finding import Breach
from projections.sentences import as_sentence


@dataclass(slots=True)
class Spoken:
    """A breach with its clause; `nth` of the clause in this hand, counted before anything is merged."""

    at: int  # of the clause among all clauses of the audit
    nth: int
    clause: Clause
    breach: Breach
    merged: list[Spoken] = field(default_factory=list)  # breaches of clauses that yield to this one

    @property
    def order(self) -> tuple[int, int, int]:
        """Where it stands among the breaches of a hand."""
        return self.breach.version, self.at, self.nth


def merged(spoken: list[Spoken]) -> list[Spoken]:
    """Return what is left of the breaches of one hand once those that yield have gone, in order."""
    in_order = sorted(spoken, key=lambda clause_breach: clause_breach.order)
    merge_targets: dict[int, Spoken] = {}
    if any(clause_breach.clause.entry.yields_to for clause_breach in in_order):
        yielding = _Yielding(in_order)
        for clause_breach in in_order:
            leading = yielding.to(clause_breach)
            if leading is not None:
                merge_targets[id(clause_breach)] = leading
    independent = [
        clause_breach for clause_breach in in_order if id(clause_breach) not in merge_targets
    ]  # what yields already leads nothing else
    if any(clause_breach.breach.of for clause_breach in independent):
        accidents = _Accidents(independent)
        for clause_breach in independent:
            leading = accidents.of(clause_breach) if clause_breach.breach.of else None
            if leading is not None:
                merge_targets[id(clause_breach)] = leading
    if not merge_targets:
        return in_order
    for clause_breach in in_order:
        final_target = clause_breach
        while id(final_target) in merge_targets:  # the loader refuses clauses that yield in a ring
            final_target = merge_targets[id(final_target)]
        if final_target is not clause_breach:
            final_target.merged.append(clause_breach)
            final_target.breach = _with_step(final_target.breach, clause_breach.breach)
    return [clause_breach for clause_breach in in_order if id(clause_breach) not in merge_targets]


def _with_step(breach: Breach, step: Breach) -> Breach:
    """Return a wrong with what a step asks that was not followed, and with the fate of its remedy then."""
    if not step.of or step.remedy != "not-followed":
        return breach
    wanted_already = breach.should if step.should in breach.should else ""
    should = wanted_already or "; ".join(part for part in (breach.should, step.should) if part)
    if breach.remedy in ("not-followed", "none"):
        return replace(breach, should=should)
    return replace(breach, should=should, remedy="not-followed", severity=None, because=as_sentence(step.saw))


class _Yielding:
    """Breaches of a hand, to be found by what makes another breach the same wrong."""

    def __init__(self, spoken: list[Spoken]) -> None:
        """Take them in their order."""
        self._spoken = spoken
        self._first: dict[tuple[object, ...], int] = {}  # the first of each kind, by what it is looked up by
        for index in range(len(spoken) - 1, -1, -1):
            clause_breach = spoken[index]
            clause_key = clause_breach.clause.book, clause_breach.clause.id
            self._first[*clause_key, "at", clause_breach.breach.version] = index
            if is_about_table(clause_breach):
                self._first[*clause_key, "seat", clause_breach.breach.seat] = self._first[*clause_key, "table"] = index

    def to(self, one: Spoken) -> Spoken | None:
        """Return the breach that one gives way to; the book's order of clauses decides.

        It is the same wrong: one event, or at a table one seat.
        """
        for name in one.clause.entry.yields_to:
            clause_key = one.clause.book, name
            keys: list[tuple[object, ...]] = [(*clause_key, "at", one.breach.version)]
            if is_about_table(one):
                seats = (*clause_key, "table") if one.breach.seat is None else (*clause_key, "seat", one.breach.seat)
                keys += [seats, (*clause_key, "seat", None)]
            first_indexes = [self._first[key] for key in keys if key in self._first]
            if first_indexes:
                return self._spoken[min(first_indexes)]
        return None


class _Accidents:
    """Breaches of a hand, to be found by the event that went wrong."""

    def __init__(self, spoken: list[Spoken]) -> None:
        """Take them in their order."""
        self._wrongs: dict[tuple[object, ...], Spoken] = {}
        self._steps: dict[tuple[str, int], Spoken] = {}
        for clause_breach in reversed(spoken):
            event_key, wrong_key = (
                (clause_breach.clause.book, clause_breach.breach.version),
                (clause_breach.clause.book, clause_breach.breach.of),
            )
            if not clause_breach.breach.of:
                self._wrongs[*event_key, clause_breach.clause.id] = clause_breach
                if clause_breach.breach.remedy != "none":
                    self._wrongs[event_key] = clause_breach
            elif wrong_key not in self._steps or _precedence(clause_breach) < _precedence(self._steps[wrong_key]):
                self._steps[wrong_key] = clause_breach

    def of(self, one: Spoken) -> Spoken | None:
        """Return the breach about the wrong that one is a step of; failing that, the first such step.

        A step that the book asks for and that was not followed goes before one that is no remedy.
        """
        wrong_key = one.clause.book, one.breach.of
        wrongs = [self._wrongs[key] for key in (wrong_key, (*wrong_key, one.clause.id)) if key in self._wrongs]
        if wrongs:
            return min(wrongs, key=lambda wrong: wrong.order)
        first_step = self._steps[wrong_key]
        return first_step if first_step is not one else None


def _precedence(step: Spoken) -> tuple[bool, tuple[int, int, int]]:
    return step.breach.remedy != "not-followed", step.order


def is_about_table(clause_breach: Spoken) -> bool:
    """Whether a breach is about the table or a seat's debts, and not about an act or a card."""
    spec = clause_breach.clause.spec
    return spec is not None and (spec.reads_table or spec.subject == "seats")


def beside(one: Spoken) -> tuple[tuple[int, str], ...]:
    """Return the events that show a finding, those of the merged breaches too."""
    events = list(one.breach.beside)
    shown_versions = {one.breach.version, *(version for version, _ in events)}
    for merged_breach in one.merged:
        for version, note in ((merged_breach.breach.version, merged_breach.breach.saw), *merged_breach.breach.beside):
            if version not in shown_versions:
                shown_versions.add(version)
                events.append((version, note))
    return tuple(events)
