"""Sentences of findings about jackpots and high-hand promotions."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ledger.text.language import phrase, phrase_count, translatable, translatable_count

PrizeKind: TypeAlias = Literal["bad-beat", "high-hand"]

_QUALIFIED: Final = {
    "bad-beat": translatable("Seat {seat} lost with {cards}, which wins the jackpot; no payment is on record"),
    "high-hand": translatable(
        "Seat {seat} showed {cards}, which wins the high-hand promotion; no payment is on record"
    ),
}
_PAID: Final = {
    "bad-beat": translatable("The jackpot paid {amount} after a hand that doesn't qualify"),
    "high-hand": translatable("The high-hand promotion paid {amount} after a hand that doesn't qualify"),
}
_NOBODY: Final = {
    "bad-beat": translatable("Nobody lost with {hand} or better."),
    "high-hand": translatable("Nobody showed {hand} or better."),
}
_ASKS: Final = {
    "bad-beat": translatable("a payment only if {hand} or better is beaten"),
    "high-hand": translatable("a payment only for {hand} or better"),
}

_MAYBE: Final = {
    "bad-beat": translatable_count(
        "{hand_count} hand may have won the jackpot.", "{hand_count} hands may have won the jackpot."
    ),
    "high-hand": translatable_count(
        "{hand_count} hand may have won the high-hand promotion.",
        "{hand_count} hands may have won the high-hand promotion.",
    ),
}
_UNCLEAR: Final = {
    "bad-beat": translatable("Nobody can tell whether the jackpot was paid for a hand that qualifies."),
    "high-hand": translatable("Nobody can tell whether the high-hand promotion was paid for a hand that qualifies."),
}

# Headlines


def qualified_unpaid(kind: PrizeKind, seat: int, cards: str) -> str:
    """Headline: a hand qualified, and no payment is on record."""
    return phrase(_QUALIFIED[kind], seat=seat, cards=cards)


def paid_unqualified(kind: PrizeKind, amount: str) -> str:
    """Headline: the house paid after a hand that doesn't qualify."""
    return phrase(_PAID[kind], amount=amount)


# What should be


_PAID_FOR: Final = {
    "bad-beat": translatable("The jackpot paid {amount} for hand {hand}, which doesn't qualify"),
    "high-hand": translatable("The high-hand promotion paid {amount} for hand {hand}, which doesn't qualify"),
}


def paid_for_unqualified(kind: PrizeKind, amount: str, hand: str) -> str:
    """Headline: a payment names a hand that doesn't qualify."""
    return phrase(_PAID_FOR[kind], amount=amount, hand=hand)


def payment_only_for(kind: PrizeKind, hand: str) -> str:
    """Correct: the house pays only for such a hand."""
    return phrase(_ASKS[kind], hand=hand)


# Why


def beaten_by(seat: int, cards: str) -> str:
    """Because: which hand won."""
    return phrase("Seat {seat} won with {cards}.", seat=seat, cards=cards)


def pot_was(pot: str) -> str:
    """Because: the pot was large enough."""
    return phrase("The pot was {pot}.", pot=pot)


def players_were(players: int) -> str:
    """Because: how many players were dealt in."""
    return phrase_count("{players} player was dealt in.", "{players} players were dealt in.", players, players=players)


def nobody_qualified(kind: PrizeKind, hand: str) -> str:
    """Because: no hand is good enough."""
    return phrase(_NOBODY[kind], hand=hand)


def hole_cards_idle(seat: int) -> str:
    """Because: a hand doesn't use both hole cards."""
    return phrase("Both hole cards must play. Seat {seat} plays fewer.", seat=seat)


def winner_too_weak(seat: int, hand: str) -> str:
    """Because: the winning hand isn't good enough."""
    return phrase("The winning hand must be {hand} or better. Seat {seat} has less.", seat=seat, hand=hand)


def pot_too_small(pot: str, minimum: str) -> str:
    """Because: the pot is too small."""
    return phrase("The pot must be {minimum} or more. It was {pot}.", pot=pot, minimum=minimum)


def players_too_few(players: int, minimum: int) -> str:
    """Because: too few players were dealt in."""
    return phrase("{minimum} players must be dealt in. There were {players}.", players=players, minimum=minimum)


def other_game(game: str) -> str:
    """Because: the house pays for other games."""
    return phrase("The house pays only for {game}.", game=game)


def no_high_hand() -> str:
    """Because: the usual ranking of hands doesn't hold in this game."""
    return phrase("The usual ranking of hands doesn't hold in this game.")


def not_in_tournaments() -> str:
    """Because: the hand is of a tournament."""
    return phrase("Hands of a tournament don't qualify.")


def should_be(demand: str) -> str:
    """Because: what should have happened."""
    return phrase("Should be: {demand}.", demand=demand)


# Gaps


def payment_unclear(kind: PrizeKind) -> str:
    """Say that nobody can tell whether a payment was right."""
    return phrase(_UNCLEAR[kind])


def named_hand_missing(hand: str) -> str:
    """Say that a payment names a hand that isn't on record before it."""
    return phrase(
        "The payment is for hand {hand}, which isn't on record before it. Nobody can say whether it was right.",
        hand=hand,
    )


def may_have_qualified(kind: PrizeKind, hand_count: int) -> str:
    """Say how many hands may have qualified."""
    return phrase_count(*_MAYBE[kind], hand_count, hand_count=hand_count)


def hands_missing() -> str:
    """Say that hands are missing in the record."""
    return phrase("The record lacks hands before the payment.")


def record_ends() -> str:
    """Say that a payment may follow."""
    return phrase("The record ends with this hand: the payment may follow.")
