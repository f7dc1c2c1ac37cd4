"""Findings about posts that are no regular blind, and about their live and dead parts."""

from __future__ import annotations

from projections.sentences.words import blind_name

# Headlines


def live_part_dead(seat: int, role: str, amount: str) -> str:
    """Headline: chips of a blind were taken as dead."""
    post = f"{role} post" if role == "entry" else blind_name(role)
    return f"{amount} of seat {seat}'s {post} was treated as dead"


def wrong_part_counted(seat: int, amount: str, due_amount: str) -> str:
    """Headline: more or less than the live part counted toward the bet."""
    return f"{amount} of seat {seat}'s post counted toward its bet, should be {due_amount}"


def dead_blind_live(seat: int, role: str, amount: str) -> str:
    """Headline: a blind that is dead in this game was live."""
    return f"{amount} of seat {seat}'s {blind_name(role)} was treated as live"


def wrong_split(seat: int, live: str, dead_amount: str) -> str:
    """Headline: a make-up post was split otherwise than the book asks."""
    return f"Seat {seat} made up its blinds with {live} live and {dead_amount} dead"


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


# Should be


def all_live() -> str:
    """Return that the post counts toward the bet."""
    return "a live post that counts toward the bet"


def live_part(due_amount: str) -> str:
    """Return the live part."""
    return f"{due_amount}, the live part"


def dead_in_structure(role: str) -> str:
    """Return that the blind is dead."""
    return f"a dead {blind_name(role)} in this game"


def split_of(live: str, dead_amount: str) -> str:
    """Return a live and a dead part."""
    return f"{live} live and {dead_amount} dead"


def fold_call_or_raise(due_amount: str) -> str:
    """Return the choices without a live post."""
    return f"fold, call {due_amount} or raise"


def post_first() -> str:
    """Return that the post comes first."""
    return "a post before looking at the cards"


def dead_hand() -> str:
    """Return that the hand is dead."""
    return "a dead hand"


def live_hand_once_posted() -> str:
    """Return that the hand plays."""
    return "a live hand once the blind is posted"


# Because


def collection_is_dead(seat: int) -> str:
    """Say why a post gives no option."""
    return f"Seat {seat} only posted for the collection, and that post is dead."


# Notes on other events


def note_looked() -> str:
    """Note: the look at the cards."""
    return "looked"


# What can't be told


def split_beside_blind() -> str:
    """Ask how a make-up post is split."""
    return "how a make-up post is split when the player also posts a blind in turn"


def may_mean_total(amount: str) -> str:
    """Say that a live and a dead part may be meant as one sum."""
    return f"The record may mean {amount} in all, with the small blind part dead."
