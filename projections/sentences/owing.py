"""Findings about posts to be dealt in: missing, of another sum, or charged without a reason."""

from __future__ import annotations

from collections.abc import Sequence

from projections.sentences import join_and
from projections.sentences.words import blind_name, count_of

# Headlines


def dealt_in_owing(seat: int, price: str) -> str:
    """Headline: a player who owes blinds didn't post; `price` is empty where it isn't settled."""
    if not price:
        return f"Seat {seat} was dealt in without making up the blinds it missed"
    return f"Seat {seat} was dealt in without posting the {price} it owes"


def dealt_in_on_straddle(seat: int) -> str:
    """Headline: a player who owes blinds straddled instead."""
    return f"Seat {seat} was dealt in on a straddle instead of making up its missed blinds"


def dealt_in_too_early(seat: int) -> str:
    """Headline: a player who owes blinds was dealt in where none can be made up."""
    return f"Seat {seat} was dealt in before the button passed it, with a missed blind unpaid"


def dealt_in_owing_again(seat: int, hand: str) -> str:
    """Headline: a player who owes blinds didn't post for the second time."""
    return f"Seat {seat} was dealt in again without posting, as in hand {hand}"


def wrong_make_up(seat: int, amount: str, price: str) -> str:
    """Headline: a player made up another sum."""
    return f"Seat {seat} posted {amount} for missed blinds, should be {price}"


def another_sum() -> str:
    """Return a sum that isn't known."""
    return "another sum"


def wrong_total(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a player who missed all blinds made up another sum."""
    return f"Seat {seat} posted {amount} for all the blinds it missed, should be {due_amount}"


def made_up_too_early(seat: int) -> str:
    """Headline: a blind was made up where none can be."""
    return f"Seat {seat} made up a blind between the button and the big blind"


def charged_after_straddle(seat: int, amount: str) -> str:
    """Headline: a player whose straddle settled its blinds posted them as well."""
    return f"Seat {seat} straddled and was charged {amount} on top"


def needless_make_up(seat: int, amount: str) -> str:
    """Headline: a player who owes nothing made a blind up."""
    return f"Seat {seat} posted {amount} for missed blinds it didn't owe"


def needless_post(seat: int, amount: str) -> str:
    """Headline: a player posted to be dealt in who needn't."""
    return f"Seat {seat} posted {amount} to be dealt in but owed nothing"


def no_marker(seat: int) -> str:
    """Headline: a player missed a blind and has no marker."""
    return f"Seat {seat} has no missed-blind marker"


def killed_after_acting(seat: int) -> str:
    """Headline: a hand was killed too late."""
    return f"Seat {seat}'s hand was killed after it had acted"


# Should be: what a player does to be dealt in


def live_post_of(amount: str) -> str:
    """Return a post that is all live."""
    return f"a live post of {amount}"


def post_of(live: str, dead_amount: str) -> str:
    """Return a post with a dead part."""
    return f"a post of {live} live and {dead_amount} dead"


def post_of_unknown_sum() -> str:
    """Return a post without its amount."""
    return "a post (its amount isn't in the book or the record)"


def kill() -> str:
    """Return a kill without its amount."""
    return "a post that kills the pot"


def kill_of(live_post: str) -> str:
    """Return a kill with its post."""
    return f"{live_post} that kills the pot"


def wait_for_big_blind(hands: int | None) -> str:
    """Return that the player may wait."""
    return f"no cards until the big blind{_after_hands(hands)}"


def wait_for_button(hands: int | None) -> str:
    """Return that the player waits."""
    return f"no cards until the button has passed{_after_hands(hands)}"


def wait_for_position(hands: int | None) -> str:
    """Return that the player waits."""
    return f"no cards until its old position comes around{_after_hands(hands)}"


def _after_hands(hands: int | None) -> str:
    return "" if hands is None else f" ({count_of(hands, 'hand')})"


def no_cards() -> str:
    """Return that the player can't be dealt in."""
    return "no cards on this hand"


def choices(options: Sequence[str]) -> str:
    """Return the choices of a player."""
    return ", or ".join(options)


def big_blind_or_no_cards(seat: int) -> str:
    """Return the choices of a player who is due the big blind."""
    return f"big blind from seat {seat}, or no cards"


# Should be, otherwise


def sum_in_all(due_amount: str) -> str:
    """Return the sum."""
    return f"{due_amount} in all"


def no_post_from(seat: int) -> str:
    """Return that the seat posts nothing."""
    return f"no post from seat {seat}"


def no_post_before_button() -> str:
    """Return that nothing is made up there."""
    return "no post from that seat until the button has passed"


def straddle_alone() -> str:
    """Return that the straddle is enough."""
    return "the straddle alone"


def cards_without_post() -> str:
    """Return that nothing is posted."""
    return "dealt in without a post"


def marker_first() -> str:
    """Return that a marker is due."""
    return "a missed-blind marker before this hand"


def live_hand(*, is_due_next: bool) -> str:
    """Return that the hand plays, and when the blind is due."""
    return f"a live hand; the blind is owed on {'the next' if is_due_next else 'a later'} deal"


# Because


def missed(seat: int, missed_blinds: Sequence[tuple[str, str]], price: str) -> str:
    """Say what a seat missed and what it posts; blinds are roles with hands, `price` is empty where it isn't settled."""
    parts = [f"the {blind_name(role)}{f' in hand {hand}' if hand else ''}" for role, hand in missed_blinds]
    missed_text = join_and(parts) if parts else "a blind, as its marker shows"
    return f"Seat {seat} missed {missed_text}{f', so it posts {price}' if price else ''}."


def makes_up(seat: int, price: str) -> str:
    """Say what a seat posts for what it owes."""
    return f"Seat {seat} makes that up with {price}."


def dead_only(dead_amount: str) -> str:
    """Return a sum that is all dead."""
    return f"{dead_amount} dead"


def barred_there(seat: int) -> str:
    """Say why a seat can't make up a blind."""
    return f"Seat {seat} is between the button and the big blind, where a missed blind can't be made up."


def straddle_settles(seat: int, missed_blinds: Sequence[tuple[str, str]]) -> str:
    """Say that a straddle is enough."""
    return f"{missed(seat, missed_blinds, '').removesuffix('.')}; its straddle settles that."


def straddle_settled(seat: int, hand: str) -> str:
    """Say that an earlier straddle was enough."""
    return f"Seat {seat}'s straddle in hand {hand} settled what it had missed."


def wrong_either_way(question: str) -> str:
    """Say that a seat was dealt in wrongly whatever the answer to a question."""
    return f"Can't tell: {question}. Either way it couldn't be dealt in like this."


def posted_in_time() -> str:
    """Say how it was put right."""
    return "It posted before it looked and before anybody acted."


def dead_in_time() -> str:
    """Say how it was put right."""
    return "Its hand was dead before it acted."


def owes_nothing(seat: int) -> str:
    """Say that nothing is owed."""
    return f"No missed blind of seat {seat} is recorded."


def perhaps_voluntary() -> str:
    """Say that a post may have been the player's wish."""
    return "The player may have posted voluntarily; the record doesn't show whether the post was asked for."


def make_up_excuses_nothing(seat: int, hand: str) -> str:
    """Say that the next big blind is due all the same."""
    return f"Seat {seat} made up a blind in hand {hand}, which doesn't excuse it from the next big blind."


def no_markers_so_far() -> str:
    """Say that nobody may have recorded markers."""
    return "This record has no markers so far."


# What can't be told


def amount_owed() -> str:
    """Ask what a seat owed."""
    return "what the seat owed"


def short_blind_made_good() -> str:
    """Ask whether a small blind in turn is enough."""
    return "whether a player who posted the big blind short made it good with the small blind"


def make_up_or_penalty() -> str:
    """Ask what dead money was for."""
    return "whether the dead money was a make-up or a penalty"


def blinds_missed() -> str:
    """Ask what was missed."""
    return "which blinds were missed"


def zone_of_two() -> str:
    """Ask where seats are with two players."""
    return "which seats count as between the button and the big blind heads-up"


def marker_before_record() -> str:
    """Ask whether a marker is there."""
    return "whether a marker was given before the record begins"
