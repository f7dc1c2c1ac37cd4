"""Sentences of findings about posts to be dealt in: missing, of the wrong size, or not due."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_and, join_options, phrase, phrase_count
from projections.sentences.words import blind_name

# Headlines


def dealt_in_owing(seat: int, price: str) -> str:
    """Headline: a player who owes blinds didn't post; `price` is "" if it isn't settled."""
    if not price:
        return phrase("Seat {seat} was dealt in without making up the blinds it missed", seat=seat)
    return phrase("Seat {seat} was dealt in without posting the {price} it owes", seat=seat, price=price)


def dealt_in_on_straddle(seat: int) -> str:
    """Headline: a player who owes blinds straddled instead."""
    return phrase("Seat {seat} was dealt in on a straddle instead of making up its missed blinds", seat=seat)


def dealt_in_too_early(seat: int) -> str:
    """Headline: a player who owes blinds was dealt in from a seat where none can be made up."""
    return phrase("Seat {seat} was dealt in before the button passed it, with a missed blind unpaid", seat=seat)


def dealt_in_owing_again(seat: int, hand: str) -> str:
    """Headline: a player who owes blinds didn't post for the second time."""
    return phrase("Seat {seat} was dealt in again without posting, as in hand {hand}", seat=seat, hand=hand)


def wrong_make_up(seat: int, amount: str, price: str) -> str:
    """Headline: a player made up the wrong sum for one or more missed blinds."""
    return phrase(
        "Seat {seat} posted {amount} instead of {price} for missed blinds", seat=seat, amount=amount, price=price
    )


def unknown_sum_owed() -> str:
    """Return the words for a sum that isn't known, as a part of headlines such as `wrong_make_up`."""
    return phrase("what it owed")


def wrong_total(seat: int, amount: str, due_amount: str) -> str:
    """Headline: a player who missed every blind of a round made up the wrong sum."""
    return phrase(
        "Seat {seat} posted {amount} instead of {due_amount} for all the blinds it missed",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def made_up_too_early(seat: int) -> str:
    """Headline: a blind was made up from a seat where none can be made up."""
    return phrase("Seat {seat} made up a blind between the button and the big blind", seat=seat)


def charged_after_straddle(seat: int, amount: str) -> str:
    """Headline: a player whose straddle settled its blinds posted them as well."""
    return phrase("Seat {seat} straddled and was charged {amount} on top", seat=seat, amount=amount)


def needless_make_up(seat: int, amount: str) -> str:
    """Headline: a player who owes nothing made up a blind."""
    return phrase("Seat {seat} posted {amount} for missed blinds it didn't owe", seat=seat, amount=amount)


def needless_post(seat: int, amount: str) -> str:
    """Headline: a player who needn't post did so to be dealt in."""
    return phrase("Seat {seat} posted {amount} to be dealt in but owed nothing", seat=seat, amount=amount)


def no_marker(seat: int) -> str:
    """Headline: a player missed a blind and has no marker."""
    return phrase("Seat {seat} has no missed-blind marker", seat=seat)


def killed_after_acting(seat: int) -> str:
    """Headline: a hand was killed after its player had acted."""
    return phrase("Seat {seat}'s hand was killed after it had acted", seat=seat)


# Correct: what a player does to be dealt in


def live_post_of(amount: str) -> str:
    """Correct: a post that is all live."""
    return phrase("a live post of {amount}", amount=amount)


def post_of(live: str, dead_amount: str) -> str:
    """Correct: a post with a dead part."""
    return phrase("a post of {live} live and {dead_amount} dead", live=live, dead_amount=dead_amount)


def post_of_unknown_sum() -> str:
    """Correct: a post of an unknown amount."""
    return phrase("a post (its amount isn't in the book or the record)")


def kill() -> str:
    """Correct: a post of an unknown amount that kills the pot."""
    return phrase("a post that kills the pot")


def kill_of(live_post: str) -> str:
    """Correct: a post of a known amount that kills the pot; `live_post` is that post in words."""
    return phrase("{live_post} that kills the pot", live_post=live_post)


def wait_for_big_blind(hands: int | None) -> str:
    """Correct: no cards until the big blind."""
    if hands is None:
        return phrase("no cards until the big blind")
    return phrase_count(
        "no cards until the big blind ({count} hand)", "no cards until the big blind ({count} hands)", hands
    )


def wait_for_button(hands: int | None) -> str:
    """Correct: no cards until the button has passed."""
    if hands is None:
        return phrase("no cards until the button has passed")
    return phrase_count(
        "no cards until the button has passed ({count} hand)",
        "no cards until the button has passed ({count} hands)",
        hands,
    )


def wait_for_position(hands: int | None) -> str:
    """Correct: no cards until the old position comes around."""
    if hands is None:
        return phrase("no cards until its old position comes around")
    return phrase_count(
        "no cards until its old position comes around ({count} hand)",
        "no cards until its old position comes around ({count} hands)",
        hands,
    )


def no_cards() -> str:
    """Correct: no cards in this hand."""
    return phrase("no cards on this hand")


def choices(options: Sequence[str]) -> str:
    """Correct: any of the player's choices."""
    return join_options(options)


def big_blind_or_no_cards(seat: int) -> str:
    """Correct: the big blind or no cards."""
    return phrase("big blind from seat {seat}, or no cards", seat=seat)


# Correct: anything else


def sum_in_all(due_amount: str) -> str:
    """Correct: how much to post, live and dead together."""
    return phrase("{due_amount} in all", due_amount=due_amount)


def no_post_from(seat: int) -> str:
    """Correct: no post from this seat."""
    return phrase("no post from seat {seat}", seat=seat)


def no_post_before_button() -> str:
    """Correct: no post from a seat where blinds can't be made up."""
    return phrase("no post from that seat until the button has passed")


def straddle_alone() -> str:
    """Correct: only the straddle."""
    return phrase("the straddle alone")


def cards_without_post() -> str:
    """Correct: cards without a post."""
    return phrase("dealt in without a post")


def marker_first() -> str:
    """Correct: a missed-blind marker."""
    return phrase("a missed-blind marker before this hand")


def live_hand(*, is_due_next: bool) -> str:
    """Correct: a live hand, and when the blind is due."""
    if is_due_next:
        return phrase("a live hand; the blind is owed on the next deal")
    return phrase("a live hand; the blind is owed on a later deal")


# Because


def missed(seat: int, missed_blinds: Sequence[tuple[str, str]], price: str) -> str:
    """Because: what a seat missed, and what it posts for that.

    Missed blinds are pairs of role and hand number. If `price` is "", the sentence leaves out what the seat posts.
    """
    blinds = _list_missed(missed_blinds)
    if not price:
        return phrase("Seat {seat} missed {blinds}.", seat=seat, blinds=blinds)
    return phrase("Seat {seat} missed {blinds}, so it posts {price}.", seat=seat, blinds=blinds, price=price)


def _list_missed(missed_blinds: Sequence[tuple[str, str]]) -> str:
    if not missed_blinds:
        return phrase("a blind, as its marker shows")
    return join_and(
        [
            phrase("the {blind} in hand {hand}", blind=blind_name(role), hand=hand)
            if hand
            else phrase("the {blind}", blind=blind_name(role))
            for role, hand in missed_blinds
        ]
    )


def makes_up(seat: int, price: str) -> str:
    """Because: what a seat posts for the debts that the sentence before lists."""
    return phrase("Seat {seat} makes that up with {price}.", seat=seat, price=price)


def dead_only(dead_amount: str) -> str:
    """Return the words for a sum that is all dead, as a part of other sentences."""
    return phrase("{dead_amount} dead", dead_amount=dead_amount)


def barred_there(seat: int) -> str:
    """Because: the position of a seat that can't make up a blind there."""
    return phrase(
        "Seat {seat} is between the button and the big blind, where a missed blind can't be made up.", seat=seat
    )


def straddle_settles(seat: int, missed_blinds: Sequence[tuple[str, str]]) -> str:
    """Because: a straddle in this hand settles missed blinds."""
    return phrase(
        "Seat {seat} missed {blinds}; its straddle settles that.", seat=seat, blinds=_list_missed(missed_blinds)
    )


def straddle_settled(seat: int, hand: str) -> str:
    """Because: an earlier straddle settled the missed blinds."""
    return phrase("Seat {seat}'s straddle in hand {hand} settled what it had missed.", seat=seat, hand=hand)


def same_either_way(question: str) -> str:
    """Because: an open question makes no difference."""
    return phrase("The record doesn't show {question}; the finding is the same either way.", question=question)


def wrong_either_way(question: str) -> str:
    """Because: the seat was dealt in wrongly, whatever the answer to an open question."""
    return phrase("Can't tell: {question}. Either way the player couldn't be dealt in like this.", question=question)


def posted_in_time() -> str:
    """Because: the error was corrected by a post in time."""
    return phrase("The player posted before looking and before anybody acted.")


def dead_in_time() -> str:
    """Because: the error was corrected by killing the hand in time."""
    return phrase("The hand was dead before the player acted.")


def owes_nothing(seat: int) -> str:
    """Because: no missed blind of the seat is recorded."""
    return phrase("No missed blind of seat {seat} is recorded.", seat=seat)


def perhaps_voluntary() -> str:
    """Because: the player may have chosen to post."""
    return phrase("The player may have posted voluntarily; the record doesn't show whether the post was asked for.")


def make_up_excuses_nothing(seat: int, hand: str) -> str:
    """Because: a make-up post doesn't replace the next big blind."""
    return phrase(
        "Seat {seat} made up a blind in hand {hand}, which doesn't excuse it from the next big blind.",
        seat=seat,
        hand=hand,
    )


def no_markers_so_far() -> str:
    """Because: the record may leave out markers."""
    return phrase("This record has no markers so far.")


# Unknown


def amount_owed() -> str:
    """Unknown: what a seat owed, as an open question by itself."""
    return phrase("what the seat owed")


def short_blind_made_good() -> str:
    """Unknown: whether the next small blind made up a short big blind."""
    return phrase("whether a player who posted the big blind short made it good with the small blind")


def make_up_or_penalty() -> str:
    """Unknown: what the dead money was for."""
    return phrase("whether the dead money was a make-up or a penalty")


def blinds_missed() -> str:
    """Unknown: which blinds were missed."""
    return phrase("which blinds were missed")


def zone_of_two() -> str:
    """Unknown: which seats are between button and big blind heads-up."""
    return phrase("which seats count as between the button and the big blind heads-up")


def marker_before_record() -> str:
    """Unknown: whether a marker was given earlier."""
    return phrase("whether a marker was given before the record begins")
