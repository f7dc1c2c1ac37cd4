"""Lines about people without a seat in the hand, which stand anywhere in it and behind it."""

from __future__ import annotations

from ledger.formats.betonline.header import PREFACE, chair
from ledger.formats.betonline.words import Hand
from ledger.hand.ending import RemarkNoted
from ledger.presence import SeatTaken, WordsSaid


def newcomer(hand: Hand, line: str) -> bool:
    """Read what somebody without a seat in this hand does: come, go, speak."""
    name, found, seat = line.rpartition(" joins the table at seat #")
    to = chair(seat) if found else None
    if name and to is not None:
        hand.put(SeatTaken(to, hand.player(name)))
        return True
    name, found, words = line.partition(' said "')
    if name and found:
        hand.put(WordsSaid(hand.people.text(words.removesuffix('"')), None, hand.player(name)))
        return True
    if line.endswith("has left the table") or line in PREFACE:
        hand.put(RemarkNoted(hand.people.text(line)))
        return True
    return False
