"""Sentences of the list of dues: what a floor manager calls out, and what is uncertain."""

from __future__ import annotations

from collections.abc import Sequence

from projections.sentences import as_sentence


def open_question(question: str) -> str:
    """Say what we can't tell."""
    return f"Can't tell: {question}."


def likely(reasons: str) -> str:
    """Say that dues are likely, and why not certain."""
    return f"Likely, not certain. {reasons}"


def unsettled() -> str:
    """Say that the book doesn't settle the positions."""
    return "The book doesn't cover this. Shown: common practice; no finding rests on it."


def possible_reading() -> str:
    """Say that a placement follows from a possible but unlikely reading."""
    return "The rule can also be read this way, so a hand dealt this way is only likely to be wrong."


def without_button(ways_in: str) -> str:
    """Return what a seat may do, and that it can't have the button."""
    return f"{ways_in}; can't have the button"


# What a floor calls out: whole sentences, with seats and players as "seat 5 (Mo)".


def button_goes_to(holder: str) -> str:
    """Say where the button goes."""
    return f"Button {holder}."


def button_open() -> str:
    """Say that the record or the book doesn't settle the button."""
    return "The button is open."


def no_button() -> str:
    """Say that the game is one without button and blinds."""
    return "This game has no button and no blinds."


def blinds(posts: Sequence[str]) -> str:
    """Say who posts which blind; each post is "small blind $5 seat 7 (Nell)"."""
    return as_sentence(", ".join(posts))


def may_play(who: str, price: str, ways_to_wait: Sequence[str], is_likely: bool) -> str:
    """Say what a player pays to be dealt in, and what the player may do instead."""
    probably = "probably " * is_likely
    return f"{_as_subject(who)} may {probably}play for {', or '.join([price, *ways_to_wait])}."


def may_kill_pot(who: str) -> str:
    """Say that a player is dealt in by killing the pot."""
    return f"{_as_subject(who)} may play by killing the pot; the book gives no amount."


def posts_besides(who: str, price: str, purpose: str) -> str:
    """Say that a player posts something besides a blind."""
    return f"{_as_subject(who)} posts {price} {purpose}."


def must_wait(who: str, ways_to_wait: Sequence[str]) -> str:
    """Say that a player isn't dealt in, and how the player comes back."""
    if not ways_to_wait:
        return f"{_as_subject(who)} gets no cards."
    return f"{_as_subject(who)} must {' or '.join(ways_to_wait)}."


def player_open(who: str) -> str:
    """Say that the record or the book doesn't settle whether a player is dealt in."""
    return f"We can't tell whether {who} may play."


def depends_on_choice(condition: str) -> str:
    """Say which choices of players the answer assumes."""
    return f"This holds if {condition}; the other choices are below."


def other_readings() -> str:
    """Say that the book allows another placement."""
    return "The book allows another reading; it is below."


def uncertain() -> str:
    """Say that the answer is likely; the list below has the reason."""
    return "This is likely, not certain; the reason is below."


def more_players(count: int) -> str:
    """Say that further players are listed below."""
    who = (
        "One more player has a choice or must wait"
        if count == 1
        else f"{count} more players have a choice or must wait"
    )
    return f"{who}; see below."


def _as_subject(who: str) -> str:
    """Return a player as the first word of a sentence."""
    return who[:1].upper() + who[1:]
