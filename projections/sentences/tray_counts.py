"""Sentences on the dealer's tray: what it should hold by fills, credits and sales, and what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ledger.text.language import join_and, phrase, translatable
from projections.sentences import paragraph

TrayMove = Literal["fill", "credit", "sale", "buy-back"]
_MOVES: Final[dict[TrayMove, str]] = {
    "fill": translatable("{amount} in fills"),
    "credit": translatable("{amount} in credits"),
    "sale": translatable("{amount} sold to players"),
    "buy-back": translatable("{amount} bought back"),
}
ChipPath = Literal["first-stacks", "purchases", "cash-outs", "last-stacks"]
_FROM_TRAY: Final[dict[ChipPath, str]] = {
    "first-stacks": translatable("the chips that players sat down with came from the tray"),
    "purchases": translatable("the chips that players added came from the tray"),
    "cash-outs": translatable("the chips that players took off went into the tray"),
    "last-stacks": translatable("the chips that players left with went into the tray"),
}
_NOT_FROM_TRAY: Final[dict[ChipPath, str]] = {
    "first-stacks": translatable("the chips that players sat down with came from the cage"),
    "purchases": translatable("the chips that players added came from the cage"),
    "cash-outs": translatable("the chips that players took off went to the cage"),
    "last-stacks": translatable("the chips that players left with went to the cage"),
}


def tray_count(amount: str, due_amount: str) -> str:
    """Say that a tray holds more or less than it should."""
    return phrase(
        "The tray was counted at {amount}; by the record it should hold {due_amount}",
        amount=amount,
        due_amount=due_amount,
    )


def move_of_tray(move: TrayMove, amount: str) -> str:
    """Return what came into a tray or left it."""
    return phrase(_MOVES[move], amount=amount)


def chip_path(path: ChipPath, *, uses_tray: bool) -> str:
    """Return where chips came from or went to, as the part of a sentence."""
    return phrase((_FROM_TRAY if uses_tray else _NOT_FROM_TRAY)[path])


def tray_since(amount: str, moves: Sequence[str], paths: Sequence[str]) -> str:
    """Because: the last count, what moved since, and what we assume."""
    return paragraph(
        phrase("The last count was {amount}.", amount=amount),
        phrase("Since then: {moves}.", moves=join_and(moves)) if moves else phrase("Nothing is on record since then."),
        we_assume(paths),
    )


def we_assume(paths: Sequence[str]) -> str:
    """Say where we assume that chips came from; "" if the record says so."""
    return phrase("We assume that {facts}; the record doesn't say.", facts=join_and(paths)) if paths else ""


def fits_otherwise(statement: str, paths: Sequence[str]) -> str:
    """Say that a count fits if chips came from elsewhere than we assume; `statement` says that it doesn't fit."""
    return paragraph(statement, phrase("It fits if {facts}; the record doesn't say.", facts=join_and(paths)))


def hands_lack(statement: str) -> str:
    """Say that a count doesn't fit, and sales may be missing with the hands; `statement` says that it doesn't fit."""
    return paragraph(statement, phrase("Hands between the two counts are missing, so sales may be missing, too."))


def purchases_lack(statement: str) -> str:
    """Say that a count doesn't fit in a record that doesn't note every purchase."""
    return paragraph(statement, phrase("This record doesn't note all chips that players buy."))


def not_counted_after(fills: str, credits_total: str) -> str:
    """Say that a tray wasn't counted after its last fills and credits."""
    return phrase(
        "The tray wasn't counted after fills of {fills} and credits of {credits_total}, so nobody can say what it should "
        "hold.",
        fills=fills,
        credits_total=credits_total,
    )


def not_counted_before(fills: str, credits_total: str) -> str:
    """Say that a tray wasn't counted before its first fills and credits."""
    return phrase(
        "The tray wasn't counted before fills of {fills} and credits of {credits_total}, so nobody can say what it should "
        "hold.",
        fills=fills,
        credits_total=credits_total,
    )


def not_counted_again(amount: str, moves: Sequence[str]) -> str:
    """Say that a tray wasn't counted after chips were sold or bought back."""
    return paragraph(
        phrase("The tray was counted at {amount}, and nobody counted it again.", amount=amount),
        phrase("Since then: {moves}.", moves=join_and(moves)),
    )


def tray_shows_the_same(amount: str, due_amount: str) -> str:
    """Because: the count of the tray differs by the same chips."""
    return phrase(
        "The tray shows the same: it was counted at {amount} and should hold {due_amount}.",
        amount=amount,
        due_amount=due_amount,
    )
