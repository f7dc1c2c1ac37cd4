"""Sentences of findings about a house's rake and drop."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.text.language import phrase, translatable

DropKind: TypeAlias = Literal["rake", "jackpot"]
RakedChips: TypeAlias = Literal["called", "all-bets", "each-pot", "main-pot"]
Rounding: TypeAlias = Literal["down", "nearest", "up"]

_OVER_CAP: Final = {
    "rake": translatable("{amount} rake was taken; the cap is {cap}"),
    "jackpot": translatable("{amount} was dropped for the jackpot; the most is {cap}"),
}
_OVER_SCHEDULE: Final = {
    "rake": translatable("{amount} rake was taken from a pot of {pot}: {excess} too much"),
    "jackpot": translatable("{amount} was dropped for the jackpot from a pot of {pot}: {excess} too much"),
}
_WITHOUT_FLOP: Final = {
    "rake": translatable("{amount} rake was taken from a hand without a flop"),
    "jackpot": translatable("{amount} was dropped for the jackpot from a hand without a flop"),
}
_MISSING: Final = {
    "rake": translatable("No rake was taken from a pot of {pot}"),
    "jackpot": translatable("Nothing was dropped for the jackpot from a pot of {pot}"),
}
_SHORTFALL: Final = {
    "rake": translatable("{amount} rake was taken from a pot of {pot}: {shortfall} too little"),
    "jackpot": translatable("{amount} was dropped for the jackpot from a pot of {pot}: {shortfall} too little"),
}
_DUE: Final = {"rake": translatable("a rake of {amount}"), "jackpot": translatable("a jackpot drop of {amount}")}
_NOTHING_DUE: Final = {"rake": translatable("no rake"), "jackpot": translatable("no jackpot drop")}
_FREE: Final = {
    "rake": translatable("The house takes no rake from this game."),
    "jackpot": translatable("The house drops nothing for the jackpot from this game."),
}
_AT_MOST: Final = {
    "rake": translatable("a rake of at most {amount}"),
    "jackpot": translatable("a jackpot drop of at most {amount}"),
}
_RAKED: Final = {
    "called": translatable("The uncalled bet of {returned} isn't part of the pot."),
    "all-bets": translatable("The uncalled bet of {returned} counts as part of the pot."),
    "each-pot": translatable("The house takes its part of each pot by itself."),
    "main-pot": translatable("The house takes its part of the main pot only."),
}
_ROUNDED: Final = {
    "down": translatable("That is rounded down to a multiple of {step}."),
    "nearest": translatable("That is rounded to the nearest multiple of {step}."),
    "up": translatable("That is rounded up to a multiple of {step}."),
}

# Headlines


def over_cap(kind: DropKind, amount: str, cap: str) -> str:
    """Headline: more was taken than the schedule ever takes."""
    return phrase(_OVER_CAP[kind], amount=amount, cap=cap)


def over_schedule(kind: DropKind, amount: str, pot: str, excess: str) -> str:
    """Headline: more was taken than the schedule takes from this pot."""
    return phrase(_OVER_SCHEDULE[kind], amount=amount, pot=pot, excess=excess)


def without_flop(kind: DropKind, amount: str) -> str:
    """Headline: something was taken though there was no flop."""
    return phrase(_WITHOUT_FLOP[kind], amount=amount)


def missing(kind: DropKind, pot: str) -> str:
    """Headline: nothing was taken."""
    return phrase(_MISSING[kind], pot=pot)


def too_little(kind: DropKind, amount: str, pot: str, shortfall: str) -> str:
    """Headline: less was taken than the schedule takes from this pot."""
    return phrase(_SHORTFALL[kind], amount=amount, pot=pot, shortfall=shortfall)


# What should be


def due(kind: DropKind, amount: str) -> str:
    """Correct: what the schedule takes."""
    return phrase(_DUE[kind], amount=amount)


def nothing_due(kind: DropKind) -> str:
    """Correct: the schedule takes nothing."""
    return phrase(_NOTHING_DUE[kind])


def at_most(kind: DropKind, amount: str) -> str:
    """Correct: the most that the schedule takes, if the pot isn't known."""
    return phrase(_AT_MOST[kind], amount=amount)


# Why


def share_of_pot(percent: str, pot: str, share: str) -> str:
    """Because: the percentage of the pot."""
    return phrase("{percent}% of {pot} is {share}.", percent=percent, pot=pot, share=share)


def rounded(rounding: Rounding, step: str) -> str:
    """Because: how the percentage is rounded."""
    return phrase(_ROUNDED[rounding], step=step)


def cap_is(cap: str) -> str:
    """Because: the most that is taken from a hand."""
    return phrase("The cap is {cap}.", cap=cap)


def fixed_drop(pot: str, amount: str) -> str:
    """Because: a fixed drop by the size of the pot."""
    return phrase("From a pot of {pot} the house takes {amount}.", pot=pot, amount=amount)


def raked_chips(raked: RakedChips, returned: str) -> str:
    """Because: which chips the house takes its part of."""
    return phrase(_RAKED[raked], returned=returned)


def no_rake(kind: DropKind) -> str:
    """Because: the schedule takes nothing from this game."""
    return phrase(_FREE[kind])


def no_flop_no_drop() -> str:
    """Because: the house takes nothing from a hand without a flop."""
    return phrase("No flop, no drop.")


def drop_may_be_derived() -> str:
    """Why it's only likely: the source doesn't always record what the house takes."""
    return phrase("The source doesn't always record what the house takes.")
