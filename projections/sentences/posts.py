"""Sentences of findings about entry, make-up and dead posts, and about their live and dead parts."""

from __future__ import annotations

from projections.sentences.words import blind_name

# Headlines


def live_part_dead(seat: int, role: str, amount: str) -> str:
    """Headline: live chips were treated as dead."""
    post = f"{role} post" if role == "entry" else blind_name(role)
    return f"{amount} of seat {seat}'s {post} was treated as dead"


def wrong_part_counted(seat: int, amount: str, due_amount: str) -> str:
    """Headline: not exactly the live part counted toward the bet."""
    return f"{amount} instead of {due_amount} of seat {seat}'s post counted toward its bet"


def dead_blind_live(seat: int, role: str, amount: str) -> str:
    """Headline: a dead blind was treated as live."""
    return f"{amount} of seat {seat}'s {blind_name(role)} was treated as live"


def wrong_split(seat: int, live_amount: str, dead_amount: str) -> str:
    """Headline: a make-up post was split wrong into live and dead."""
    return f"Seat {seat} made up its blinds with {live_amount} live and {dead_amount} dead"


def checked_without_option(seat: int, amount: str) -> str:
    """Headline: a seat without a live post checked."""
    return f"Seat {seat} checked facing {amount}"


def looked_before_blind(seat: int) -> str:
    """Headline: a seat posted after a look at its cards."""
    return f"Seat {seat} looked at its cards before posting"


def looked_and_stayed_live(seat: int) -> str:
    """Headline: a hand stayed live after a look before the post."""
    return f"Seat {seat} looked at its cards before posting, and its hand stayed live"


def killed_without_look(seat: int) -> str:
    """Headline: a hand was killed for a look that isn't recorded."""
    return f"Seat {seat}'s hand was killed for looking before posting, but no such look is recorded"


# Correct


def all_live() -> str:
    """Correct: a post that counts toward the bet."""
    return "a live post that counts toward the bet"


def live_part(due_amount: str) -> str:
    """Correct: the live part."""
    return f"{due_amount}, the live part"


def dead_in_structure(role: str) -> str:
    """Correct: a dead blind."""
    return f"a dead {blind_name(role)} in this game"


def split_of(live_amount: str, dead_amount: str) -> str:
    """Correct: a live and a dead part."""
    return f"{live_amount} live and {dead_amount} dead"


def fold_call_or_raise(due_amount: str) -> str:
    """Correct: the choices without a live post."""
    return f"fold, call {due_amount} or raise"


def post_first() -> str:
    """Correct: the post before the look."""
    return "a post before looking at the cards"


def dead_hand() -> str:
    """Correct: the hand killed."""
    return "a dead hand"


def live_hand_once_posted() -> str:
    """Correct: a live hand."""
    return "a live hand once the blind is posted"


# Because


def collection_is_dead(seat: int) -> str:
    """Because: a post for the collection gives no option."""
    return f"Seat {seat} only posted for the collection, and that post is dead."


# Notes on other events


def note_looked() -> str:
    """Note: the look at the cards."""
    return "looked"


# Unknown


def split_beside_blind() -> str:
    """Unknown: how a make-up post is split."""
    return "how a make-up post is split when the player also posts a blind in turn"


# Because


def may_mean_total(amount: str) -> str:
    """Because: the record may give one sum for the live and dead parts, so the split is only likely wrong."""
    return f"The record may mean {amount} in all, with the small blind part dead."
