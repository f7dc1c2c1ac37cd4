"""Sentences of findings about entry, make-up and dead posts, and about their live and dead parts."""

from __future__ import annotations

from ledger.text.language import phrase
from projections.sentences.words import blind_name

# Headlines


def live_part_dead(seat: int, role: str, amount: str) -> str:
    """Headline: live chips were treated as dead."""
    post = phrase("entry post") if role == "entry" else blind_name(role)
    return phrase("{amount} of seat {seat}'s {post} was treated as dead", amount=amount, seat=seat, post=post)


def wrong_part_counted(seat: int, amount: str, due_amount: str) -> str:
    """Headline: not exactly the live part counted toward the bet."""
    return phrase(
        "{amount} instead of {due_amount} of seat {seat}'s post counted toward its bet",
        amount=amount,
        due_amount=due_amount,
        seat=seat,
    )


def dead_blind_live(seat: int, role: str, amount: str) -> str:
    """Headline: a dead blind was treated as live."""
    return phrase(
        "{amount} of seat {seat}'s {blind} was treated as live", amount=amount, seat=seat, blind=blind_name(role)
    )


def wrong_split(seat: int, price: str) -> str:
    """Headline: a make-up post was split wrong into live and dead."""
    return phrase("Seat {seat} made up its blinds with {price}", seat=seat, price=price)


def checked_without_option(seat: int, amount: str) -> str:
    """Headline: a seat without a live post checked."""
    return phrase("Seat {seat} checked facing {amount}", seat=seat, amount=amount)


def looked_before_blind(seat: int) -> str:
    """Headline: a seat posted after a look at its cards."""
    return phrase("Seat {seat} looked at its cards before posting", seat=seat)


def looked_and_stayed_live(seat: int) -> str:
    """Headline: a hand stayed live after a look before the post."""
    return phrase("Seat {seat} looked at its cards before posting, and its hand stayed live", seat=seat)


def killed_without_look(seat: int) -> str:
    """Headline: a hand was killed for a look that isn't recorded."""
    return phrase("Seat {seat}'s hand was killed for looking before posting, but no such look is recorded", seat=seat)


# Correct


def all_live() -> str:
    """Correct: a post that counts toward the bet."""
    return phrase("a live post that counts toward the bet")


def live_part(due_amount: str) -> str:
    """Correct: the live part."""
    return phrase("{due_amount}, the live part", due_amount=due_amount)


def dead_in_structure(role: str) -> str:
    """Correct: a dead blind."""
    return phrase("a dead {blind} in this game", blind=blind_name(role))


def split_if_allowed(price: str) -> str:
    """Correct: the live and dead parts of a post that another rule may not allow."""
    return phrase("{price}, if the seat may post at all", price=price)


def fold_call_or_raise(due_amount: str) -> str:
    """Correct: the choices without a live post."""
    return phrase("fold, call {due_amount} or raise", due_amount=due_amount)


def post_first() -> str:
    """Correct: the post before the look."""
    return phrase("a post before looking at the cards")


def dead_hand() -> str:
    """Correct: the hand killed."""
    return phrase("a dead hand")


def live_hand_once_posted() -> str:
    """Correct: a live hand."""
    return phrase("a live hand once the blind is posted")


# Because


def collection_is_dead(seat: int) -> str:
    """Because: a post for the collection gives no option."""
    return phrase("Seat {seat} only posted for the collection, and that post is dead.", seat=seat)


# Notes on other events


def note_looked() -> str:
    """Note: the look at the cards."""
    return phrase("looked")


# Unknown


def split_beside_blind() -> str:
    """Unknown: how a make-up post is split."""
    return phrase("how a make-up post is split when the player also posts a blind in turn")


# Because


def may_mean_total(amount: str) -> str:
    """Because: the record may give one sum for the live and dead parts, so the split is only likely wrong."""
    return phrase("The record may mean {amount} in all, with the small blind part dead.", amount=amount)
