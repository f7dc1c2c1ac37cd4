"""Sentences of the list of dues: what a floor manager calls out, and what is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ledger.text.language import join_each_or, join_list, join_options, phrase, phrase_count, translatable
from projections.sentences import as_sentence, capitalize
from projections.sentences.words import blind_name, live_and_dead


def open_question(question: str) -> str:
    """Say what we can't tell."""
    return phrase("Can't tell: {question}.", question=question)


def likely(reasons: str) -> str:
    """Say that dues are likely, and why not certain."""
    return phrase("Likely, not certain. {reasons}", reasons=reasons)


def unsettled() -> str:
    """Say that the book doesn't settle the positions."""
    return phrase("The book doesn't cover this. Shown: common practice; no finding rests on it.")


def unsettled_collision() -> str:
    """Say that the book doesn't say who has the button and a blind where two positions meet in one seat."""
    return phrase("The book doesn't cover this: a floor decides. No finding rests on it.")


def unsettled_readings(*, is_list_below: bool) -> str:
    """Say that the book doesn't settle the positions, and that it can be read in several ways."""
    if not is_list_below:
        return phrase("The book doesn't settle this: it can be read in several ways. No finding rests on them.")
    return phrase("The book doesn't settle this. Its possible readings are below; no finding rests on them.")


def possible_reading() -> str:
    """Say that a placement follows from a possible but unlikely reading."""
    return phrase("The rule can also be read this way, so a hand dealt this way is only likely to be wrong.")


def without_button(ways_in: str) -> str:
    """Return what a seat may do, and that it can't have the button."""
    return phrase("{ways_in}; can't have the button", ways_in=ways_in)


# Phrases of the call


def live_and_dead_sum(live_amount: str, dead_amount: str) -> str:
    """Return a sum with a dead part."""
    return live_and_dead(live_amount, dead_amount)


def unrecorded_amount() -> str:
    """Return that a sum isn't known."""
    return phrase("an amount that isn't recorded")


def seat_of(seat: int, holder: str) -> str:
    """Return a seat with its player, or without one if `holder` is empty."""
    return phrase("seat {seat} ({holder})", seat=seat, holder=holder) if holder else phrase("seat {seat}", seat=seat)


def empty_seat(seat: int, holder: str = "") -> str:
    """Return a seat that gets no cards; `holder` is empty if nobody sits in it."""
    if holder:
        return phrase("seat {seat} ({holder}, not dealt in)", seat=seat, holder=holder)
    return phrase("seat {seat} (empty)", seat=seat)


def blind_post(role: str, amount: str, poster: str) -> str:
    """Return who posts a blind; `amount` is empty if it's unknown."""
    if amount:
        return phrase("{blind} {amount} {poster}", blind=blind_name(role), amount=amount, poster=poster)
    return phrase("{blind} {poster}", blind=blind_name(role), poster=poster)


def dead_small_blind(seat: int | None) -> str:
    """Return where the small blind is dead."""
    return phrase("dead small blind seat {seat}", seat=seat)


def small_blind_open() -> str:
    """Say that the record or the book doesn't settle the small blind; part of a list."""
    return phrase("small blind open")


def no_small_blind() -> str:
    """Return that nobody posts the small blind."""
    return phrase("no small blind")


def purpose_of(other_post: Literal["entry", "makeup", "straddle", "kill"]) -> str:
    """Return what a post besides a blind is for."""
    return {
        "entry": phrase("to enter"),
        "makeup": phrase("for missed blinds"),
        "straddle": phrase("as the straddle"),
        "kill": phrase("as the kill"),
    }[other_post]


def wait_hands(count: int) -> str:
    """Return how long a player waits."""
    return phrase_count("wait {count} hand", "wait {count} hands", count)


def wait_until(position: Literal["big-blind", "button-passes", "position"]) -> str:
    """Return what a player waits for."""
    return {
        "big-blind": phrase("wait for the big blind"),
        "button-passes": phrase("wait until the button has passed"),
        "position": phrase("wait until the old position comes"),
    }[position]


def straddle_in(price: str) -> str:
    """Return that a player may straddle instead; `price` is empty if it's unknown."""
    return phrase("straddle for {price}", price=price) if price else phrase("straddle")


def buy_button(price: str) -> str:
    """Return that a player may buy the button; `price` is empty if it's unknown."""
    return phrase("buy the button for {price}", price=price) if price else phrase("buy the button")


# What a floor calls out: whole sentences, with seats and players as "seat 5 (Mo)".


def button_goes_to(holder: str) -> str:
    """Say where the button goes."""
    return phrase("Button {holder}.", holder=holder)


def button_open() -> str:
    """Say that the record or the book doesn't settle the button."""
    return phrase("The button is open.")


def no_button() -> str:
    """Say that the game is one without button and blinds."""
    return phrase("This game has no button and no blinds.")


def blinds(posts: Sequence[str]) -> str:
    """Say who posts which blind; each post is "small blind $5 seat 7 (Nell)"."""
    return as_sentence(join_list(posts))


def may_play(who: str, price: str, ways_to_wait: Sequence[str], is_likely: bool) -> str:
    """Say what a player pays to be dealt in, and what the player may do instead."""
    subject, other_ways = capitalize(who), join_options(ways_to_wait)
    if not ways_to_wait:
        if is_likely:
            return phrase("{player} may probably play for {price}.", player=subject, price=price)
        return phrase("{player} may play for {price}.", player=subject, price=price)
    if is_likely:
        message = translatable("{player} may probably play for {price}, or {other_ways}.")
    else:
        message = translatable("{player} may play for {price}, or {other_ways}.")
    return phrase(message, player=subject, price=price, other_ways=other_ways)


def may_kill_pot(who: str) -> str:
    """Say that a player is dealt in by killing the pot."""
    return phrase("{player} may play by killing the pot; the book gives no amount.", player=capitalize(who))


def posts_besides(who: str, price: str, purpose: str) -> str:
    """Say that a player posts something besides a blind."""
    return phrase("{player} posts {price} {purpose}.", player=capitalize(who), price=price, purpose=purpose)


def must_wait(who: str, ways_to_wait: Sequence[str]) -> str:
    """Say that a player isn't dealt in, and how the player comes back."""
    if not ways_to_wait:
        return phrase("{player} gets no cards.", player=capitalize(who))
    return phrase("{player} must {ways_to_wait}.", player=capitalize(who), ways_to_wait=join_each_or(ways_to_wait))


def player_open(who: str) -> str:
    """Say that the record or the book doesn't settle whether a player is dealt in."""
    return phrase("We can't tell whether {player} may play.", player=who)


def depends_on_choice(condition: str, *, is_list_below: bool) -> str:
    """Say which choices of players the answer assumes."""
    if not is_list_below:
        return phrase("This holds if {condition}.", condition=condition)
    return phrase("This holds if {condition}; the other choices are below.", condition=condition)


def other_readings(*, is_list_below: bool) -> str:
    """Say that the book allows another placement."""
    if not is_list_below:
        return phrase("The book allows another reading.")
    return phrase("The book allows another reading; it is below.")


def more_players(count: int, *, is_list_below: bool) -> str:
    """Say how many further players don't simply play."""
    if not is_list_below:
        return phrase_count(
            "One more player has a choice or must wait.", "{count} more players have a choice or must wait.", count
        )
    return phrase_count(
        "One more player has a choice or must wait; see below.",
        "{count} more players have a choice or must wait; see below.",
        count,
    )
