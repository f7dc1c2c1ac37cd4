"""Format the reasons of dues: each with its weight and the clauses it cites, and what makes dues uncertain."""

from __future__ import annotations

from collections.abc import Iterable

from ledger import safe
from ledger.vocabulary import Seat
from projections.findings.doubts import summarize_doubts
from projections.obligations.dues import Due, Ground, SeatDue
from projections.sentences import due as say
from projections.sentences.due_list import by_assumption, by_practice


def list_reasons(seat_due: SeatDue, due: Due) -> tuple[str, ...]:
    """Return why a seat owes something or isn't dealt in; () for a seat that simply plays."""
    if seat_due.deal == "yes" and not seat_due.post and not seat_due.missed:
        return ()
    grounds = drop_duplicate_grounds((*seat_due.grounds, *(missed_blind.ground for missed_blind in seat_due.missed)))
    likely_text = describe_doubts(due, seat_due.seat) if seat_due.deal != "open" else ""
    reasons = tuple(map(format_ground, grounds))
    return (*reasons, likely_text) if likely_text else reasons


def drop_duplicate_grounds(grounds: Iterable[Ground]) -> list[Ground]:
    """Return the grounds without those that repeat a sentence."""
    return list({ground.sentence: ground for ground in grounds}.values())


def format_ground(ground: Ground) -> str:
    """Return a reason with its weight and the clauses it cites. An open question begins with "Can't tell:"."""
    citation = f" [{', '.join(ground.clauses)}]" if ground.clauses else ""
    reason = safe.terminal(ground.sentence, 300)
    if ground.is_question:
        return f"{say.open_question(reason)}{citation}"
    if ground.basis == "fallback":
        return f"{by_practice(reason)}{citation}"
    if ground.basis == "assumed":
        return f"{by_assumption(reason)}{citation}"
    return f"{reason}{citation}"


def describe_doubts(due: Due, seat: Seat | None) -> str:
    """Return why a seat's dues, or the positions (seat None), are uncertain; "" = they are certain.

    A seat's doubts that the positions share are left out.
    """
    doubt_by_seat = {doubt.seat: doubt for doubt in due.doubts}
    seat_doubt, position_doubt = doubt_by_seat.get(seat), doubt_by_seat.get(None)
    if seat_doubt is None:
        return ""
    position_reasons = position_doubt.sentences if position_doubt is not None and seat is not None else ()
    seat_reasons = [reason for reason in seat_doubt.sentences if reason not in position_reasons]
    if not seat_reasons:
        return ""
    return say.likely(safe.terminal(summarize_doubts(seat_reasons, seat_doubt.farther_doubt_count), 400))
