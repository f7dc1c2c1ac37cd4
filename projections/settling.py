"""What is settled of a hand without asking: by its game, its source, its signs, and how it stands.

Hands that are alike in all of it share a plan of the clauses that are left to be asked.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.event import Event
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import witness_names
from projections.detector import SEEN_BY, About
from projections.rulebook import Clause
from projections.sitting import Sitting

Verdict: TypeAlias = Literal[
    "clean", "found", "cannot_tell", "not_applicable", "not_built", "no_judgement"
]
_BETTINGS: Final = {
    "limit": {"limit"}, "pot_limit": {"pot-limit"}, "no_limit": {"no-limit"},
    "big_bet": {"pot-limit", "no-limit"},
}  # fmt: skip

IN_ORDER: Final = "the table's hands in order"
"""What is wanting where a hand is judged by itself and a clause is about several."""
BEFORE: Final = "the hands before it"
"""What is wanting where hands are missing before a hand, or its record begins there."""


class Make(NamedTuple):
    """What a hand shares with the hands that are judged by the same plan."""

    variant: str
    betting: str
    form: str
    witnesses: int
    triggers: frozenset[frozenset[type[Event]]]
    shown: int
    seated: bool  # the table's hands before it are at hand
    plain: bool  # nothing in the hand itself that a clause about tables looks at


_LOST: Final = 1  # nobody can tell what was due
_QUIET: Final = 2  # nothing happened that is about several hands
_CALM: Final = 4  # the book asks nothing of those who are dealt in
_FITS: Final = 8  # button and blinds are where they belong
_SETTLED_BY: Final[dict[About, int]] = {
    "": _QUIET,
    "seats": _QUIET | _CALM,
    "places": _QUIET | _FITS,
}


_UNJUDGED: Final[dict[str, Verdict]] = {
    "defines": "no_judgement", "permits": "no_judgement", "undetectable": "no_judgement",
    "not-built": "not_built", "off": "no_judgement",
}  # fmt: skip


def stands(sitting: Sitting, faint: bool, plain: bool) -> int:
    """Say how a hand stands among the table's under a book: what no clause need look at."""
    if sitting.placed.unknown:
        return _LOST
    if not faint:
        return 0
    if plain and sitting.quiet:
        return _QUIET
    return _CALM * sitting.calm + _FITS * sitting.fits


def settle(clause: Clause, make: Make, standing: int) -> tuple[Verdict | None, str]:
    """Return the verdict that all hands of this make share, and for want of what; None: ask."""
    variant, betting, form, witnesses, triggers, shown, seated, plain = make
    if clause.kind in _UNJUDGED:
        return _UNJUDGED[clause.kind], ""
    scope, trait = clause.entry.applies_to, clause.trait
    assert trait is not None  # noqa: S101 - the loader gives every detector's clause its trait
    if (clause.variants is not None and variant not in VARIANTS) or (
        scope.betting != "all" and not betting
    ):
        return "cannot_tell", "game"
    if clause.variants is not None and variant not in clause.variants:
        return "not_applicable", ""
    if scope.betting != "all" and betting not in _BETTINGS[scope.betting]:
        return "not_applicable", ""
    if scope.format not in ("both", form):
        if form != "unknown":
            return "not_applicable", ""
        return "cannot_tell", "game-format"
    if trait.on and trait.on not in triggers:
        wanted = 0
        for kind in trait.on:
            wanted |= SEEN_BY.get(kind, 0)
        if wanted & ~witnesses:
            return "cannot_tell", _names(wanted & ~witnesses)
        return "not_applicable", ""
    if lacking := int(trait.needs) & ~witnesses:
        return "cannot_tell", _names(lacking)
    untold = IN_ORDER if trait.table and not seated else ""
    if trait.anchored and standing & _LOST:
        untold = BEFORE
    # One that judges a hand by itself as well is asked only where there is something to look at.
    if untold and (not trait.alone or (plain and not trait.signs)):
        return "cannot_tell", untold
    if (trait.signs and not int(trait.signs) & shown) or (
        trait.table and standing & _SETTLED_BY[trait.about]
    ):
        if trait.rare and not int(trait.occasion) & shown:
            return "not_applicable", ""
        return "not_built" if clause.entry.partly else "clean", ""
    return None, ""


@cache
def _names(witnesses: int) -> str:
    return ", ".join(witness_names(witnesses))
