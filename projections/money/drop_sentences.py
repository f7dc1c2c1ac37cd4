"""Sentences about drops and boxes. Names and free text are sanitized here."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import safe
from ledger.table.money_events import BoxKind
from ledger.text.language import join_list, phrase, phrase_count
from ledger.vocabulary import Role
from projections.reports.code_names import name_code
from projections.reports.money_text import BOX_NAMES

_NAME_LENGTH = 40
_TEXT_LENGTH = 160


def _name_box(kind: BoxKind) -> str:
    return phrase(BOX_NAMES[kind])


def box_differs(kind: BoxKind, counted: str, dropped: str, difference: str, *, is_short: bool) -> str:
    """Say that a box held less, or more, than its hands dropped."""
    texts = {"box": _name_box(kind), "counted": counted, "dropped": dropped, "difference": difference}
    if is_short:
        return phrase("The {box} is {difference} short. It held {counted}, and its hands dropped {dropped}.", **texts)
    return phrase("The {box} is {difference} over. It held {counted}, and its hands dropped {dropped}.", **texts)


def hands_of_box(count: int, first: str, last: str, *, is_first: bool) -> str:
    """Say which hands dropped into a box. `is_first`: no count of it came before."""
    texts = {"first": safe.terminal(first, _NAME_LENGTH), "last": safe.terminal(last, _NAME_LENGTH), "count": count}
    if count == 1 and is_first:
        return phrase("It is the box of hand {first}, with which the table's record begins.", first=texts["first"])
    if count == 1:
        return phrase("It is the box of hand {first}, the only one since the count before.", first=texts["first"])
    if is_first:
        return phrase("It is the box of {count} hands, {first} to {last}: the table's record begins there.", **texts)
    return phrase("It is the box of {count} hands since the count before: {first} to {last}.", **texts)


def no_hands_of_box() -> str:
    """Say that no hand was played since the count before."""
    return phrase("No hand was played since the count before.")


def silent_hands_in_box(count: int) -> str:
    """Say that some hands don't show their drop, though the box held less than the others dropped."""
    return phrase_count(
        "{count} of these hands doesn't show what it dropped.",
        "{count} of these hands don't show what they dropped.",
        count,
    )


def time_in_box(amount: str) -> str:
    """Say that time charges are in the sum."""
    return phrase("Time charges of {amount} are in the sum.", amount=amount)


def count_without_unit(counted: str, scaled: str) -> str:
    """Say that a count may be typed in whole units, in a file that doesn't state the table's unit."""
    return phrase(
        "Does the file of the count state the table's unit? Without it, a count of {scaled} is read as {counted}.",
        scaled=scaled,
        counted=counted,
    )


def dealers_of_box(dealers: Sequence[str]) -> str:
    """Say who dealt the hands of a box."""
    return phrase("Dealers: {dealers}.", dealers=join_list([safe.name(dealer, _NAME_LENGTH) for dealer in dealers]))


def corrected_count(earlier_amount: str, amount: str, role: Role, person: str, reason: str) -> str:
    """Say that somebody corrected a count: old, new, who and why."""
    texts = {
        "was": earlier_amount,
        "became": amount,
        "reason": safe.terminal(reason, _TEXT_LENGTH),
        "role": name_code(role),
    }
    if person:
        return phrase(
            "The count was corrected from {was} to {became} by {person} ({role}): “{reason}”.",
            person=safe.name(person, _NAME_LENGTH),
            **texts,
        )
    return phrase("The count was corrected from {was} to {became} (by: {role}): “{reason}”.", **texts)


def count_of_box(kind: BoxKind, shift: str, amount: str, recorder: str) -> str:
    """Say what somebody counted; `recorder`: who recorded it, as a clause."""
    texts = {"box": _name_box(kind), "amount": amount}
    if shift:
        texts["shift"] = safe.terminal(shift, _NAME_LENGTH)
        note = phrase("{box} counted after shift {shift}: {amount}", **texts)
    else:
        note = phrase("{box} counted: {amount}", **texts)
    return phrase("{event}, {recorder}", event=note, recorder=recorder) if recorder else note


def repeated_count() -> str:
    """Say that a count may be on record twice."""
    return phrase("the same amount was counted before, and no hand lies between: the count may be recorded twice")


def missing_hands(after: str) -> str:
    """Say that hands are missing from the record."""
    return phrase("hands are missing after hand {hand}", hand=safe.terminal(after, _NAME_LENGTH))


def uncounted_box(kind: BoxKind, hands: int, dropped: str, *, is_counted_later: bool) -> str:
    """Say that nobody counted the box of some hands, at least not in the shift."""
    texts = {"box": _name_box(kind), "dropped": dropped}
    if is_counted_later:
        return phrase_count(
            "The {box} was counted only after the shift. {count} hand of the shift, with a drop of {dropped}, is in it.",
            "The {box} was counted only after the shift. {count} hands of the shift, with a drop of {dropped}, are in it.",
            hands,
            **texts,
        )
    return phrase_count(
        "Nobody counted the {box}. {count} hand dropped {dropped}.",
        "Nobody counted the {box}. {count} hands dropped {dropped}.",
        hands,
        **texts,
    )


def silent_hands(kind: BoxKind, count: int, counted: str, dropped: str, *, is_in_pots: bool) -> str:
    """Say that some hands don't show their drop. `is_in_pots`: the surplus in the box is exactly what their pots lack."""
    texts = {"box": _name_box(kind), "counted": counted, "dropped": dropped}
    if is_in_pots:
        return phrase_count(
            "The {box} held {counted}, and the other hands dropped {dropped}. {count} hand doesn't show its drop. "
            "Its pot lacks just the rest.",
            "The {box} held {counted}, and the other hands dropped {dropped}. {count} hands don't show their drop. "
            "Their pots lack just the rest.",
            count,
            **texts,
        )
    return phrase_count(
        "The {box} held {counted}, and the other hands dropped {dropped}. {count} hand doesn't show its drop, "
        "so the box can't be checked.",
        "The {box} held {counted}, and the other hands dropped {dropped}. {count} hands don't show their drop, "
        "so the box can't be checked.",
        count,
        **texts,
    )


def several_units(kind: BoxKind) -> str:
    """Say that the hands of a box play for different units."""
    return phrase("The hands of one {box} are in different units, so it can't be checked.", box=_name_box(kind))


def hands_without_time(count: int) -> str:
    """Say that some hands may belong to the shift."""
    return phrase_count(
        "{count} hand has no time, so it can't be put into a shift.",
        "{count} hands have no time, so they can't be put into a shift.",
        count,
    )
