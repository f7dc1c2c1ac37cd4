"""Sentences of findings about straddles."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.text.language import phrase, phrase_count, translatable

PermissionProblem: TypeAlias = Literal["granter", "seat", "size", "late"]

_GRANTERS: Final = {
    "dealer": translatable("dealer"),
    "floor": translatable("floor"),
    "shift-manager": translatable("shift manager"),
    "manager": translatable("manager"),
    "host": translatable("host"),
    "house": translatable("house"),
    "player": translatable("player"),
    "surveillance": translatable("surveillance"),
}

# Headlines


def one_too_many(seat: int, amount: str, ordinal: int) -> str:
    """Headline: a hand has more straddles than the book allows."""
    return phrase(
        "Seat {seat} straddled for {amount}, straddle number {ordinal} of this hand",
        seat=seat,
        amount=amount,
        ordinal=ordinal,
    )


def second_wrongly_permitted(seat: int) -> str:
    """Headline: the permission for a second straddle doesn't cover it."""
    return phrase("Seat {seat} posted a second straddle without a valid permission", seat=seat)


def too_small(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a straddle is below the minimum."""
    return phrase(
        "Seat {seat} straddled for {amount}; the minimum is {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def too_large(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a straddle is above the game's size."""
    return phrase(
        "Seat {seat} straddled for {amount}; this game's straddle is {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def opened_too_low(seat: int, amount: str, straddle: str) -> str:
    """Headline: the betting opened for less than the raised bring-in."""
    return phrase(
        "Seat {seat} opened for only {amount} after a straddle of {straddle}",
        seat=seat,
        amount=amount,
        straddle=straddle,
    )


def option_skipped(seat: int) -> str:
    """Headline: a straddle didn't get its option."""
    return phrase("Seat {seat} never got its straddle option", seat=seat)


def from_button(seat: int) -> str:
    """Headline: the button straddled."""
    return phrase("Seat {seat} straddled from the button", seat=seat)


def out_of_position(seat: int) -> str:
    """Headline: a straddle came from a seat that may not straddle."""
    return phrase("Seat {seat} straddled out of position", seat=seat)


def barred(seat: int, amount: str) -> str:
    """Headline: the game has no straddles."""
    return phrase("Seat {seat} straddled for {amount} in a game without straddles", seat=seat, amount=amount)


def returned_late(seat: int) -> str:
    """Headline: a barred straddle went back too late."""
    return phrase("Seat {seat}'s straddle went back after substantial action", seat=seat)


def not_returned(seat: int) -> str:
    """Headline: a barred straddle stayed though it was noticed."""
    return phrase("Seat {seat}'s straddle stayed in, though it was caught in time", seat=seat)


def barred_at_limit(seat: int, amount: str) -> str:
    """Headline: a limit game has no straddles."""
    return phrase("Seat {seat} straddled for {amount} in a limit game", seat=seat, amount=amount)


# Correct


def at_most(allowed_count: int) -> str:
    """Correct: how many straddles the book allows."""
    return phrase_count("at most {count} straddle in a hand", "at most {count} straddles in a hand", allowed_count)


def permission_before(granter: str) -> str:
    """Correct: permission before the straddle."""
    return phrase("permission from the {granter} before the straddle", granter=_spell_granter(granter))


def at_least(due_amount: str) -> str:
    """Correct: the smallest straddle."""
    return phrase("at least {due_amount}", due_amount=due_amount)


def fixed_size(due_amount: str) -> str:
    """Correct: the game's fixed straddle."""
    return phrase("{due_amount}, the fixed straddle of this game", due_amount=due_amount)


def raised_opening(due_amount: str) -> str:
    """Correct: the opening bet after a straddle."""
    return phrase("{due_amount}: the bring-in goes up with the straddle", due_amount=due_amount)


def check_or_raise(seat: int) -> str:
    """Correct: the option."""
    return phrase("seat {seat}'s option to check or raise", seat=seat)


def none_from_button() -> str:
    """Correct: no straddle from the button."""
    return phrase("no straddle from the button")


def from_seat_or_permitted(due_seat: int, granter: str) -> str:
    """Correct: who may straddle."""
    return phrase(
        "a straddle from seat {due_seat} only, or permission from the {granter}",
        due_seat=due_seat,
        granter=_spell_granter(granter),
    )


def none_in_game() -> str:
    """Correct: no straddle in this game."""
    return phrase("no straddle in this game")


def stands_once_acted_on() -> str:
    """Correct: the straddle stays in."""
    return phrase("straddle stands and is live once acted on")


def goes_back() -> str:
    """Correct: the straddle returned."""
    return phrase("straddle returned")


def no_live_straddle() -> str:
    """Correct: no live straddle."""
    return phrase("no live straddle")


# Because


def no_permission() -> str:
    """Because: nobody permitted the straddle."""
    return phrase("No permission is recorded.")


def invalid_permission(problem: PermissionProblem, granter: str, seat: int | None) -> str:
    """Because: why a permission doesn't cover the straddle."""
    return {
        "granter": phrase("The permission came from the {granter}.", granter=_spell_granter(granter)),
        "seat": phrase("The permission was for seat {seat}.", seat=seat),
        "size": phrase("The permission was for a smaller straddle."),
        "late": phrase("The permission came after the straddle."),
    }[problem]


def went_back_late() -> str:
    """Because: the straddle went back too late."""
    return phrase("The straddle went back after substantial action.")


def noticed_and_stayed() -> str:
    """Because: the straddle stayed though it was noticed in time."""
    return phrase("The straddle was caught in time but stayed in.")


def undefined_action() -> str:
    """Because: we can't tell whether the remedy was followed."""
    return phrase("The book doesn't define substantial action, so it may or may not have been too late to return it.")


# Notes on other events


def note_returned() -> str:
    """Note: the straddle went back."""
    return phrase("the straddle went back")


def note_invalid_permission() -> str:
    """Note: the permission."""
    return phrase("this permission doesn't cover the straddle")


def _spell_granter(granter: str) -> str:
    """Return a granter in words: `shift-manager` becomes `shift manager`."""
    return phrase(_GRANTERS[granter]) if granter in _GRANTERS else granter.replace("-", " ")
