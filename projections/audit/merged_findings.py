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
    if any(one.clause.entry.yields_to for one in left):
        yielding = _Yielding(left)
        for one in left:
            found = yielding.to(one)
            if found is not None:
                into[id(one)] = found
    own = [one for one in left if id(one) not in into]  # what yields already leads nothing else
    if any(one.breach.of for one in own):
        accidents = _Accidents(own)
        for one in own:
            found = accidents.of(one) if one.breach.of else None
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


class _Yielding:
    """Breaches of a hand, to be found by what makes another breach the same wrong."""

    def __init__(self, spoken: list[Spoken]) -> None:
        """Take them in their order."""
        self._spoken = spoken
        self._first: dict[tuple[object, ...], int] = {}  # the first of each kind, by what it is looked up by
        for index in range(len(spoken) - 1, -1, -1):
            one = spoken[index]
            clause = one.clause.book, one.clause.id
            self._first[*clause, "at", one.breach.version] = index
            if _of_table(one):
                self._first[*clause, "seat", one.breach.seat] = self._first[*clause, "table"] = index

    def to(self, one: Spoken) -> Spoken | None:
        """Return the breach that one gives way to; the book's order of clauses decides.

        It is the same wrong: one event, or at a table one seat.
        """
        for name in one.clause.entry.yields_to:
            clause = one.clause.book, name
            keys: list[tuple[object, ...]] = [(*clause, "at", one.breach.version)]
            if _of_table(one):
                seats = (*clause, "table") if one.breach.seat is None else (*clause, "seat", one.breach.seat)
                keys += [seats, (*clause, "seat", None)]
            found = [self._first[key] for key in keys if key in self._first]
            if found:
                return self._spoken[min(found)]
        return None


class _Accidents:
    """Breaches of a hand, to be found by the event that went wrong."""

    def __init__(self, spoken: list[Spoken]) -> None:
        """Take them in their order."""
        self._wrongs: dict[tuple[object, ...], Spoken] = {}
        self._steps: dict[tuple[str, int], Spoken] = {}
        for one in reversed(spoken):
            where, of = (one.clause.book, one.breach.version), (one.clause.book, one.breach.of)
            if not one.breach.of:
                self._wrongs[*where, one.clause.id] = one
                if one.breach.remedy != "none":
                    self._wrongs[where] = one
            elif of not in self._steps or _precedence(one) < _precedence(self._steps[of]):
                self._steps[of] = one

    def of(self, one: Spoken) -> Spoken | None:
        """Return the breach about the wrong that one is a step of; failing that, the first such step.

        A step that the book asks for and that was not followed goes before one that is no remedy.
        """
        where = one.clause.book, one.breach.of
        wrongs = [self._wrongs[key] for key in (where, (*where, one.clause.id)) if key in self._wrongs]
        if wrongs:
            return min(wrongs, key=lambda wrong: wrong.order)
        first = self._steps[where]
        return first if first is not one else None


def _precedence(step: Spoken) -> tuple[bool, tuple[int, int, int]]:
    return step.breach.remedy != "not-followed", step.order


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
