"""Writes the summary: total pot, rake, board, and what became of each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.formats.pokerstars.words import DRAW, ORDINALS
from ledger.hand.betting import Folded
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, PotAwarded, ResultDeclared
from ledger.hand.opening import BlindPosted
from ledger.readers.games import STUD
from ledger.vocabulary import Chips, Seat

if TYPE_CHECKING:
    from ledger.formats.pokerstars.writing import Writer

_FOLDED = {
    "preflop": "before Flop",
    "flop": "on the Flop",
    "turn": "on the Turn",
    "river": "on the River",
    "third": "on the 3rd Street",
    "fourth": "on the 4th Street",
    "fifth": "on the 5th Street",
    "sixth": "on the 6th Street",
    "seventh": "on the River",
    "first-draw": "after the 1st Draw",
    "second-draw": "after the 2nd Draw",
    "third-draw": "after the 3rd Draw",
}


def summary_lines(w: Writer) -> list[str]:
    """Return the summary's lines."""
    lines = ["*** SUMMARY ***"]
    if w.state.voided and not w.state.awarded:
        return [*lines, *_seats(w)]
    lines.append(_totals(w))
    if w.runs > 1:
        lines.append(f"Hand was run {'twice' if w.runs == 2 else 'three times'}")
    several = len(w.boards) > 1
    for (run, board), cards in sorted(w.boards.items()):
        if cards:
            word = f"{ORDINALS.get(max(run, board), 'NEXT')} " if several else ""
            lines.append(f"{word}Board [{' '.join(cards)}]")
    return lines + _seats(w)


def _totals(w: Writer) -> str:
    told = [one for one in w.events if isinstance(one, ResultDeclared)]
    total = next((one.amount for one in told if one.what == "total-pot"), None)
    if total is None:
        total = w.state.total_put()
    line = f"Total pot {w.chips(total)}"
    for one in told:
        if one.what == "main-pot" and one.amount is not None:
            line += f" Main pot {w.chips(one.amount)}."
        elif one.what == "side-pot" and one.amount is not None:
            line += f" Side pot{f'-{one.number}' if one.number else ''} {w.chips(one.amount)}."
    drops: dict[str, Chips] = {"rake": 0}
    for event in w.events:
        if isinstance(event, DropTaken):
            drops[event.kind] = drops.get(event.kind, 0) + event.amount
    for kind, amount in drops.items():
        line += f" | {kind.capitalize()} {w.chips(amount)}"
    return line + " "


def _labels(w: Writer, seat: Seat) -> str:
    labels = " (button)" if seat == w.state.button and w.game.variant not in STUD else ""
    roles: dict[str, Seat] = {}
    for event in w.events:
        if isinstance(event, BlindPosted):
            roles.setdefault(event.role, event.seat)
    if w.state.voided:
        return labels
    if roles.get("button") == seat:
        return " (button blind)"
    for role in ("small", "big"):
        if roles.get(role) == seat:
            labels += f" ({role} blind)"
    return labels


def _seats(w: Writer) -> list[str]:
    lines = []
    for seat in w.state.dealt:
        words = _fate(w, seat)
        if words:
            lines.append(f"Seat {seat}: {w.seat(seat)}{_labels(w, seat)} {words}")
    return lines


def _fate(w: Writer, seat: Seat) -> str:
    shown = [one for one in w.events if isinstance(one, CardsShown) and one.seat == seat]
    learned = next((one for one in w.events if isinstance(one, HoleCardsLearned) and one.seat == seat), None)
    won = _won(w, seat)
    if shown and (won or seat not in w.folded):
        return _shown(w, seat, shown, won)
    if learned is not None and learned.how == "shown":
        cards = _cards(learned.cards)
        return f"showed [{cards}]" + (f" and won ({w.chips(won)})" if won else " and lost")
    if won:
        return f"collected ({w.chips(won)})"
    if learned is not None:
        return f"mucked [{_cards(learned.cards)}]"
    if seat in w.folded:
        return _folded(w, seat)
    mucked = any(isinstance(one, CardsMucked) and one.seat == seat for one in w.events)
    if w.state.voided:
        return f"collected ({w.chips(0)})"
    return "mucked" if mucked else ""


def _cards(cards: str) -> str:
    from ledger.formats.pokerstars.writing import spaced  # noqa: PLC0415 - they need each other

    return spaced(cards)


def _won(w: Writer, seat: Seat) -> Chips:
    for event in w.events:
        if isinstance(event, ResultDeclared) and event.what == "collected" and event.seat == seat:
            return event.amount or 0
    return w.state.awarded.get(seat, 0)


def _shown(w: Writer, seat: Seat, shown: list[CardsShown], won: Chips) -> str:
    parts = []
    cards = _cards(shown[-1].cards)
    if w.runs > 1 and len(shown) > 1:
        for run, one in enumerate(shown, 1):
            amount = sum(
                award.amount
                for award in w.events
                if isinstance(award, PotAwarded) and award.seat == seat and award.run == run
            )
            result = f"and won ({w.chips(amount)})" if amount else "and lost"
            parts.append(f"{result} with {w.words(one.claim)}")
        return f"showed [{cards}] " + ", ".join(parts)
    result = f"and won ({w.chips(won)})" if won else "and lost"
    claim = w.words(shown[-1].claim)
    cashed = " (cashed out)" if seat in w.state.cashed else ""
    return f"showed [{cards}] {result}" + (f" with {claim}" if claim else "") + cashed


def _folded(w: Writer, seat: Seat) -> str:
    fold = next((one for one in w.events if isinstance(one, Folded) and one.seat == seat), None)
    street = w.folded[seat]
    words = _FOLDED.get(street, "before Flop")
    if street == "preflop" and w.game.variant in DRAW:
        words = "before the Draw"
    bet = w.total[seat] > 0
    early = street in ("preflop", "third")
    return f"folded {words}" + (" (didn't bet)" if early and not bet and fold else "")
