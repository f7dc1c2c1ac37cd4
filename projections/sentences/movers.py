"""Sentences of findings about seat changes; `seat_changes` holds the reasons of what a mover owes."""

from __future__ import annotations

from ledger.text.language import phrase
from projections.sentences.words import blind_name, count_of

# Headlines


def dealt_in_after_far_move(seat: int, amount: str) -> str:
    """Headline: a far move without a post; `amount` is empty where nothing was posted."""
    if not amount:
        return phrase(
            "The player in seat {seat} moved past several players and was dealt in without posting", seat=seat
        )
    return phrase(
        "The player in seat {seat} moved past several players and was dealt in after posting only {amount}",
        seat=seat,
        amount=amount,
    )


def dealt_in_before_waiting(seat: int, waited: int, gained: int) -> str:
    """Headline: a mover played before it had waited long enough."""
    hands = count_of(gained, "hand")
    if not waited:
        return phrase(
            "The player in seat {seat} changed seats and was dealt in at once instead of sitting out {hands}",
            seat=seat,
            hands=hands,
        )
    return phrase(
        "The player in seat {seat} changed seats and was dealt in after sitting out only {waited} of {hands}",
        seat=seat,
        waited=waited,
        hands=hands,
    )


def dealt_in_before_position(seat: int) -> str:
    """Headline: a mover played before its position came round."""
    return phrase(
        "The player in seat {seat} changed seats and was dealt in before its old position came around", seat=seat
    )


def posted_owing_more(seat: int, amount: str) -> str:
    """Headline: a mover posted the big blind and owes a missed one."""
    return phrase(
        "The player in seat {seat} changed seats and posted {amount}, but also owed a missed blind",
        seat=seat,
        amount=amount,
    )


def wrong_post(seat: int, amount: str) -> str:
    """Headline: a mover posted another amount than the big blind."""
    return phrase(
        "The player in seat {seat} changed seats and posted {amount}, which isn't the big blind",
        seat=seat,
        amount=amount,
    )


def played_without_kill(seat: int) -> str:
    """Headline: a mover played without killing the pot."""
    return phrase("The player in seat {seat} changed seats and was dealt in without killing the pot", seat=seat)


def made_to_wait(seat: int) -> str:
    """Headline: a player got no cards after a move that costs nothing."""
    return phrase("Seat {seat} got no cards after moving closer to the big blind", seat=seat)


# Correct


def cards_for(seat: int) -> str:
    """Correct: the player who moved dealt in."""
    return phrase("seat {seat} dealt in without a post", seat=seat)


# Because


def moved_closer(seat: int, old_seat: int) -> str:
    """Because: a move closer to the big blind costs nothing."""
    return phrase(
        "The player moved from seat {old_seat} to seat {seat}, no farther from the big blind.",
        old_seat=old_seat,
        seat=seat,
    )


def blinds_may_pass(old_seat: int, leaving: str) -> str:
    """Because: a move out of the blinds costs nothing yet."""
    if leaving == "button":
        return phrase(
            "The player left seat {old_seat} on the button, so may miss the blinds once free.", old_seat=old_seat
        )
    return phrase(
        "The player left seat {old_seat} on the {blind}, so may miss the blinds once free.",
        old_seat=old_seat,
        blind=blind_name(leaving),
    )
