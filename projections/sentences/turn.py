"""Sentences of findings about acting out of turn."""

from __future__ import annotations

from projections.sentences import on_street


def opened_out_of_turn(seat: int, street: str, due_seat: int) -> str:
    """Headline: another seat than the first opened a betting round."""
    return f"Seat {seat} opened the betting {on_street(street)}; seat {due_seat} was first to act"


def acts_first(due_seat: int) -> str:
    """Correct: who opens."""
    return f"seat {due_seat} acts first"


def acts_first_unless_straddle_is_void(due_seat: int, other_seat: int) -> str:
    """Correct: who opens, and who does if a straddle from a wrong seat doesn't count."""
    return f"seat {due_seat} acts first, or seat {other_seat} if that straddle doesn't count"


def acts_first_heads_up(due_seat: int) -> str:
    """Correct: who opens with two players."""
    return f"seat {due_seat} acts first; heads-up, the button opens before the flop and acts last after it"


def last_post(seat: int, post: str) -> str:
    """Because: who made the last post before the first to act."""
    return f"Seat {seat} posted the {post}, so the next player opens the betting."


def last_post_note(seat: int, post: str) -> str:
    """Note: the last post before the first to act."""
    return f"the {post}, from seat {seat}"


def made_up_in_straddle_seat(seat: int) -> str:
    """Because: a blind was made up from the straddle seat."""
    return f"Seat {seat} made up a blind in the straddle seat and opens the betting."


def button_is_in(button_seat: int) -> str:
    """Because: where the button is."""
    return f"The button is in seat {button_seat}."


def small_blind_shows_button() -> str:
    """Because: the small blind shows where the button is."""
    return "The small blind shows where the button is."


def earlier_bet_may_be_missing(seat: int) -> str:
    """Why it's only likely: a bet that came back may be missing."""
    return f"Seat {seat} had nothing to call. A bet ahead of it may have been returned and left out of the record."


def acted_ahead(seat: int, street: str, next_seat: int) -> str:
    """Headline: the seat with last action acted before another."""
    return f"Seat {seat} acted ahead of seat {next_seat} {on_street(street)}"


def acts_now_and_last(seat: int, due_seat: int) -> str:
    """Correct: whose turn it was, and who acts last."""
    return f"seat {due_seat} to act now, seat {seat} last"


def acts_last(seat: int) -> str:
    """Correct: who acts last."""
    return f"seat {seat} acts last"


def blind_acted_ahead(seat: int, next_seat: int) -> str:
    """Headline: a blind acted before a seat without a blind had its first turn."""
    return f"Seat {seat}, in the blinds, acted ahead of seat {next_seat} before the flop"


def acts_now(due_seat: int) -> str:
    """Correct: whose turn it was."""
    return f"seat {due_seat} to act"


def taken_back_in_time() -> str:
    """Because: an act out of turn was taken back before anybody else acted."""
    return "The action out of turn was taken back before anybody else acted."


def taken_back_note() -> str:
    """Note: the act was taken back there."""
    return "taken back here"
