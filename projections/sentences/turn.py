"""Sentences of findings about acting out of turn."""

from __future__ import annotations

from ledger.text.language import phrase
from projections.sentences import on_street
from projections.sentences.words import blind_name


def opened_out_of_turn(seat: int, street: str, due_seat: int) -> str:
    """Headline: another seat than the first opened a betting round."""
    return phrase(
        "Seat {seat} opened the betting {street}; seat {due_seat} was first to act",
        seat=seat,
        street=on_street(street),
        due_seat=due_seat,
    )


def acts_first(due_seat: int) -> str:
    """Correct: who opens."""
    return phrase("seat {due_seat} acts first", due_seat=due_seat)


def acts_first_unless_straddle_is_void(due_seat: int, other_seat: int) -> str:
    """Correct: who opens, and who does if a straddle from a wrong seat doesn't count."""
    return phrase(
        "seat {due_seat} acts first, or seat {other_seat} if that straddle doesn't count",
        due_seat=due_seat,
        other_seat=other_seat,
    )


def acts_first_heads_up(due_seat: int) -> str:
    """Correct: who opens with two players."""
    return phrase(
        "seat {due_seat} acts first; heads-up, the button opens before the flop and acts last after it",
        due_seat=due_seat,
    )


def post_name(role: str) -> str:
    """Return what a post in turn is called: "big blind", "straddle"."""
    return phrase("straddle") if role == "straddle" else blind_name(role)


def made_up_blind() -> str:
    """Return what a made-up blind is called."""
    return phrase("made-up blind")


def last_post(seat: int, post: str) -> str:
    """Because: who made the last post before the first to act."""
    return phrase("Seat {seat} posted the {post}, so the next player opens the betting.", seat=seat, post=post)


def last_post_note(seat: int, post: str) -> str:
    """Note: the last post before the first to act."""
    return phrase("the {post}, from seat {seat}", post=post, seat=seat)


def made_up_in_straddle_seat(seat: int) -> str:
    """Because: a blind was made up from the straddle seat."""
    return phrase("Seat {seat} made up a blind in the straddle seat and opens the betting.", seat=seat)


def button_is_in(button_seat: int) -> str:
    """Because: where the button is."""
    return phrase("The button is in seat {button_seat}.", button_seat=button_seat)


def small_blind_shows_button() -> str:
    """Because: the small blind shows where the button is."""
    return phrase("The small blind shows where the button is.")


def earlier_bet_may_be_missing(seat: int) -> str:
    """Why it's only likely: a bet that came back may be missing."""
    return phrase(
        "Seat {seat} had nothing to call. A bet ahead of it may have been returned and left out of the record.",
        seat=seat,
    )


def acted_ahead(seat: int, street: str, next_seat: int) -> str:
    """Headline: the seat with last action acted before another."""
    return phrase(
        "Seat {seat} acted ahead of seat {next_seat} {street}", seat=seat, next_seat=next_seat, street=on_street(street)
    )


def acts_now_and_last(seat: int, due_seat: int) -> str:
    """Correct: whose turn it was, and who acts last."""
    return phrase("seat {due_seat} to act now, seat {seat} last", due_seat=due_seat, seat=seat)


def acts_last(seat: int) -> str:
    """Correct: who acts last."""
    return phrase("seat {seat} acts last", seat=seat)


def blind_acted_ahead(seat: int, next_seat: int) -> str:
    """Headline: a blind acted before a seat without a blind had its first turn."""
    return phrase(
        "Seat {seat}, in the blinds, acted ahead of seat {next_seat} before the flop", seat=seat, next_seat=next_seat
    )


def acts_now(due_seat: int) -> str:
    """Correct: whose turn it was."""
    return phrase("seat {due_seat} to act", due_seat=due_seat)


def taken_back_in_time() -> str:
    """Because: an act out of turn was taken back before anybody else acted."""
    return phrase("The action out of turn was taken back before anybody else acted.")


def taken_back_note() -> str:
    """Note: the act was taken back there."""
    return phrase("taken back here")
