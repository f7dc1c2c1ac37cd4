"""The same wrong under several clauses of one book: one finding, under the most specific of them.

A book says which clause yields to which (`yields_to`). A clause that spoke of the same wrong and
yields is named beside the finding of the one that it yields to. A step of putting a wrong right
that was not followed (`Breach.of`) is named beside the finding of that wrong, or, where no clause of
the book speaks of it, beside the first such step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from projections.finding import Breach
from projections.rulebook import Clause


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
    left = sorted(spoken, key=lambda one: one.order)
    into: dict[int, Spoken] = {}
    for one in left:
        found = _yields(one, left) if one.clause.entry.yields_to else None
        if found is not None:
            into[id(one)] = found
    own = [one for one in left if id(one) not in into]  # what yields already leads nothing else
    for one in own:
        found = _accident(one, own) if one.breach.of else None
        if found is not None:
            into[id(one)] = found
    if not into:
        return left
    for one in left:
        last = one
        while id(last) in into:  # the loader refuses clauses that yield in a ring
            last = into[id(last)]
        if last is not one:
            last.merged.append(one)
            last.breach = _with_step(last.breach, one.breach)
    return [one for one in left if id(one) not in into]


def _with_step(breach: Breach, step: Breach) -> Breach:
    """Return a wrong with what a step asks that was not followed, and with the fate of its remedy then."""
    if not step.of or step.remedy != "not-followed":
        return breach
    known = breach.should if step.should in breach.should else ""
    should = known or "; ".join(part for part in (breach.should, step.should) if part)
    if breach.remedy in ("not-followed", "none"):
        return replace(breach, should=should)
    return replace(breach, should=should, remedy="not-followed", severity=None, because=step.saw)


def _yields(one: Spoken, spoken: list[Spoken]) -> Spoken | None:
    """Return the breach that this one gives way to; the book's order of clauses decides."""
    for clause in one.clause.entry.yields_to:
        for other in spoken:
            if other.clause.id == clause and other.clause.book == one.clause.book and _same(one, other):
                return other
    return None


def _accident(one: Spoken, spoken: list[Spoken]) -> Spoken | None:
    """Return the breach about the wrong that this one is a step of; failing that, the first such step.

    A step that the book asks for and that was not followed goes before one that is no remedy.
    """
    mine = [other for other in spoken if other.clause.book == one.clause.book]
    for other in mine:
        its = other.breach.remedy != "none" or other.clause.id == one.clause.id
        if other.breach.version == one.breach.of and not other.breach.of and its:
            return other
    steps = [other for other in mine if other.breach.of == one.breach.of]
    first = min(steps, key=lambda other: (other.breach.remedy != "not-followed", other.order))
    return first if first is not one else None


def _same(one: Spoken, other: Spoken) -> bool:
    """Whether two breaches of a hand are the same wrong: one event, or at a table one seat."""
    if one.breach.version == other.breach.version:
        return True
    if not (_of_table(one) and _of_table(other)):
        return False
    return None in (one.breach.seat, other.breach.seat) or one.breach.seat == other.breach.seat


def _of_table(one: Spoken) -> bool:
    trait = one.clause.trait
    return trait is not None and (trait.table or trait.of_seat)


def beside(one: Spoken) -> tuple[tuple[int, str], ...]:
    """Return the events that show a finding, those of the merged breaches too."""
    found = list(one.breach.beside)
    known = {one.breach.version, *(version for version, _ in found)}
    for other in one.merged:
        for version, note in ((other.breach.version, other.breach.saw), *other.breach.beside):
            if version not in known:
                known.add(version)
                found.append((version, note))
    return tuple(found)
