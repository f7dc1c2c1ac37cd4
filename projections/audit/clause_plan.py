"""What is settled of a hand without asking: by its game, its source, its signs, and how it stands.

Hands that are alike in all of it share a plan of the clauses that are left to be asked.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.event import Event
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import witness_names
from projections.books.rulebook import BUILT_IN, Clause
from projections.findings.detector import SEEN_BY, About
from projections.findings.doubts import SOUND, UNREAD, Spoiled
from projections.table_walk.table_context import TableContext

Verdict: TypeAlias = Literal[
    "clean", "found", "cannot_tell", "not_applicable", "did_not_come_up", "not_built", "no_judgement"
]
"""`not_applicable`: the clause is about other games. `did_not_come_up`: it is about such games, and
what it is about did not happen."""
_BETTINGS: Final = {
    "limit": {"limit"},
    "pot_limit": {"pot-limit"},
    "no_limit": {"no-limit"},
    "big_bet": {"pot-limit", "no-limit"},
}

IN_ORDER: Final = "the table's hands in order"
"""What is wanting where a hand is judged by itself and a clause is about several."""
BEFORE: Final = "the hands before it"
"""What is wanting where hands are missing before a hand, or its record begins there."""
DEALT_IN: Final = "dealt-in"
"""What is wanting where no seat is told: half a record, or a hand that is only being begun."""


class HandProfile(NamedTuple):
    """What a hand shares with the hands that are judged by the same plan."""

    variant: str
    betting: str
    form: str
    witnesses: int
    triggers: frozenset[frozenset[type[Event]]]
    shown: int
    seated: bool  # the table's hands before it are at hand
    plain: bool  # nothing in the hand itself that a clause about tables looks at
    spoiled: Spoiled = SOUND  # lines of it, or of what lies before it, that were not understood
    nobody: bool = False  # the record does not say who was dealt in
    not_judged: str = ""  # why it is not; only what reads its events once is asked


_LOST: Final = 1  # nobody can tell where button and blinds belong
_QUIET: Final = 2  # nothing happened that is about several hands
_CALM: Final = 4  # the book asks nothing of those who are dealt in
_FITS: Final = 8  # button and blinds are where they belong
_ASKED: Final = 16  # lost, but of somebody who is dealt in it is known what the book asks
_SETTLED_BY: Final[dict[About, int]] = {"": _QUIET, "seats": _QUIET | _CALM, "places": _QUIET | _FITS}


_UNJUDGED: Final[dict[str, Verdict]] = {
    "defines": "no_judgement",
    "permits": "no_judgement",
    "undetectable": "no_judgement",
    "not-built": "not_built",
    "off": "no_judgement",
}


def table_shortcuts(context: TableContext, faint: bool, plain: bool) -> int:
    """Say how a hand stands among the table's under a book: what no clause need look at.

    Of judging complete evenings it saves 28 %, of sampled hands, with others missing, 10 %.
    """
    if context.placed.unknown:
        told = plain and bool(context.between or context.state.seats)
        return _LOST | _ASKED * (told and not context.blank)
    if not faint:
        return 0
    if plain and context.quiet:
        return _QUIET
    return _CALM * context.calm + _FITS * context.fits


def settle(clause: Clause, make: HandProfile, standing: int) -> tuple[Verdict | None, str]:
    """Return the verdict that all hands of this make share, and for want of what; None: ask."""
    if clause.kind in _UNJUDGED:
        return _UNJUDGED[clause.kind], ""
    if make.not_judged and (clause.book != BUILT_IN or _is_heavy(clause)):
        return "cannot_tell", make.not_judged
    outside = _outside(clause, make)
    if outside is not None:
        return outside
    verdict, fact = _come_up(clause, make, standing)
    if verdict is not None and unread(clause, make.spoiled, verdict):
        return "cannot_tell", UNREAD
    return verdict, fact


def _is_heavy(clause: Clause) -> bool:
    return clause.trait is not None and clause.trait.heavy


def unread(clause: Clause, spoiled: Spoiled, verdict: Verdict) -> bool:
    """Whether silence proves nothing: what a clause is about may stand in a line nobody understood.

    `record` speaks of what the record says, and of nothing else.
    """
    if verdict not in ("clean", "did_not_come_up") or clause.book == BUILT_IN:
        return False
    trait = clause.trait
    return spoiled.within or (spoiled.before and trait is not None and trait.anchored)


def _outside(clause: Clause, make: HandProfile) -> tuple[Verdict, str] | None:
    """Say whether the clause is about other games than the hand's; None: it is about such games."""
    scope = clause.entry.applies_to
    by_betting = scope.betting != "all"
    if (clause.variants is not None and make.variant not in VARIANTS) or (by_betting and not make.betting):
        return "cannot_tell", "game"
    if clause.variants is not None and make.variant not in clause.variants:
        return "not_applicable", ""
    if by_betting and make.betting not in _BETTINGS[scope.betting]:
        return "not_applicable", ""
    if scope.format not in ("both", make.form):
        if make.form != "unknown":
            return "not_applicable", ""
        return "cannot_tell", "game-format"
    return None


def _come_up(clause: Clause, make: HandProfile, standing: int) -> tuple[Verdict | None, str]:
    """Say what signs, witnesses and the hand's place at the table settle; None: ask."""
    _, _, _, witnesses, triggers, shown, seated, plain, _, nobody, _ = make
    trait = clause.trait
    assert trait is not None  # noqa: S101 - the loader gives every detector's clause its trait
    if trait.on and trait.on not in triggers:
        wanted = 0
        for kind in trait.on:
            wanted |= int(SEEN_BY.get(kind, 0))
        if wanted & ~witnesses:
            return "cannot_tell", _names(wanted & ~witnesses)
        return "did_not_come_up", ""
    if nobody and clause.book != BUILT_IN:
        return "cannot_tell", DEALT_IN
    lacking = int(trait.needs) & ~witnesses
    if lacking & ~int(trait.written):
        return "cannot_tell", _names(lacking)
    untold = IN_ORDER if trait.table and not seated else ""
    if trait.anchored and standing & _LOST:
        untold = BEFORE
    # One that judges a hand by itself as well is asked only where there is something to look at.
    shows = untold is BEFORE and trait.shown and (not plain or standing & _ASKED != 0)
    if untold and not shows and (not trait.alone or (plain and not trait.signs)):
        return "cannot_tell", untold
    if (trait.signs and not int(trait.signs) & shown) or (trait.table and standing & _SETTLED_BY[trait.about]):
        if lacking:
            return "cannot_tell", _names(lacking)
        if trait.rare and not int(trait.occasion) & shown:
            return "did_not_come_up", ""
        return "not_built" if clause.entry.partly else "clean", ""
    return None, ""


def unwitnessed(clause: Clause, make: HandProfile) -> str:
    """Return the facts of which a clause sees those that a hand states, though its source need not record them."""
    return "" if clause.trait is None else _names(int(clause.trait.needs) & ~make.witnesses)


@cache
def _names(witnesses: int) -> str:
    return ", ".join(witness_names(witnesses))
