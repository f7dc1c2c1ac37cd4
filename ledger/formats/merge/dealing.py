"""Cards: the board round by round, hole cards street by street, draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.formats.merge.words import BOARDS, DRAW, STUD, cards
from ledger.hand.dealing import BoardDealt, CardsDiscarded, CardsDrawn, HoleCardsDealt
from ledger.vocabulary import UNKNOWN_CARD

if TYPE_CHECKING:
    from ledger.formats.merge.game import Game
    from ledger.formats.merge.parts import Line, Round
    from ledger.vocabulary import Seat

KINDS: Final = frozenset(("COMMUNITY", "HOLE", "DRAW_DRAWN_CARDS", "SHOWN", "MUCKED"))
"""The types of `cards`."""

_FACES: Final = "dduuuud"
"""How the cards of a stud hand lie."""


def board(told: Game, one: Round) -> None:
    """Deal a round's new community cards.

    A round may lack its own; then a later one, which tells all that lie there, is believed.
    """
    street, first, behind = BOARDS[one.name]
    lines = one.of("COMMUNITY")
    for line in lines:
        told.at_line(line)
        found = cards(line.get("cards"))
        if found is None or len(found) < behind:
            told.unknown(line)
            continue
        if street != told.street:
            told.board(street, "".join(found[first:behind]))
    if street != told.street:
        told.place(one.tag)
        told.next_street(street)
        known = _whole(told)[first:behind]
        told.derive(BoardDealt(street, "".join(known) or UNKNOWN_CARD * (behind - first)))


def _whole(told: Game) -> list[str]:
    """Return the longest board that any round tells."""
    found = [cards(line.get("cards")) or [] for one in told.found.rounds for line in one.of("COMMUNITY")]
    return max(found, key=len, default=[])


def hole(told: Game, one: Round) -> None:
    """Deal a round's cards to players: those that were not told before."""
    for line in one.of("HOLE", "DRAW_DRAWN_CARDS"):
        told.at_line(line)
        seat, found = line.seat, cards(line.get("cards"))
        if seat is None or seat not in told.stacks or found is None:
            told.unknown(line)
            continue
        own = line.get("type") == "HOLE" or told.game.variant in DRAW
        told.own = told.own or own
        if told.game.variant in STUD:
            _upwards(told, seat, found, own=own)
        elif told.game.variant in DRAW and seat in told.holds:
            _drawn(told, seat, found)
        elif seat not in told.holds:
            told.put(HoleCardsDealt(seat, "".join(found)))
        told.holds[seat] = found


def _upwards(told: Game, seat: Seat, found: list[str], *, own: bool) -> None:
    """Deal the cards of a stud hand that lie behind those told before."""
    before = len(told.holds.get(seat, ()))
    new = found[before:]
    if new:
        faces = _FACES[before : before + len(new)].ljust(len(new), "d")
        how = "owner" if own else "dealt-up" if "u" in faces else "unknown"
        told.put(HoleCardsDealt(seat, "".join(new), faces, how))  # type: ignore[arg-type]  # one of three


def _drawn(told: Game, seat: Seat, found: list[str]) -> None:
    """Tell a draw: each new card lies where the one did that was thrown away."""
    before = told.holds[seat]
    pairs = [(old, new) for old, new in zip(before, found, strict=False) if old != new]
    index = told.thrown.get(seat, -1)
    event = told.events[index] if index >= 0 else None
    if isinstance(event, CardsDiscarded) and event.count == len(pairs):
        told.events[index] = CardsDiscarded(seat, event.count, "".join(old for old, _ in pairs))
    if pairs:
        told.put(CardsDrawn(seat, "".join(new for _, new in pairs)))


def draw(told: Game, seat: Seat, line: Line) -> bool:
    """Tell how many cards a seat throws away; False if that is no number."""
    text = line.get("text").strip()
    if not (text.isascii() and text.isdecimal() and len(text) == 1):
        return False
    told.thrown[seat] = len(told.events)
    told.put(CardsDiscarded(seat, int(text)))
    return True
