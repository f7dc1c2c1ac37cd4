"""Sentences of the list of dues below the call: its headings, the positions, and what each seat does to be dealt in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from ledger.text.language import (
    join_clauses,
    join_each_or,
    join_statements,
    phrase,
    phrase_count,
    phrase_in_context,
    translatable,
)
from projections.sentences.words import blind_name

Standing: TypeAlias = Literal["playing", "new", "owing", "waiting", "away", "broke", "unknown"]
Way: TypeAlias = Literal["big-blind", "button-passes", "position", "straddle", "buy-button", "free", "kill", "post"]
PostRole: TypeAlias = Literal["small", "big", "extra", "entry", "makeup", "straddle", "kill"]

# Headings


def table_title(tournament: str, table: str) -> str:
    """Return a table's name; `tournament` is "" for a cash game."""
    if tournament:
        return phrase("tournament {tournament} table {table}", tournament=tournament, table=table)
    return phrase("table {table}", table=table)


def due_on_coming(last_hand: str) -> str:
    """Return the heading of what is due on the coming hand; `last_hand` is "" if none is recorded."""
    if not last_hand:
        return phrase("What is due on the coming hand")
    return phrase("What is due on the coming hand, after hand {hand}", hand=last_hand)


def due_on_running(hand: str) -> str:
    """Return the heading of what is due on a hand that isn't over."""
    return phrase("What is due on hand {hand}, which is being played", hand=hand)


def was_due_on(hand: str) -> str:
    """Return the heading of what was due on a past hand."""
    return phrase("What was due on hand {hand}", hand=hand)


def under_book(title: str, book: str, edition: str) -> str:
    """Return a heading with its rulebook."""
    return phrase("{title}, under {book} ({edition})", title=title, book=book, edition=edition)


def adopted_since(heading: str, day: str) -> str:
    """Return a heading with the day on which the house adopted its rulebook."""
    return phrase("{heading}, adopted from {day}", heading=heading, day=day)


def adopted_for(heading: str, period: str) -> str:
    """Return a heading with the time for which the house adopted its rulebook."""
    return phrase("{heading}, adopted {period}", heading=heading, period=period)


def positions_heading() -> str:
    """Return the heading of the button and blinds."""
    return phrase("positions")


def record_heading() -> str:
    """Return the heading of what the record shows."""
    return phrase("on record")


def seats_heading() -> str:
    """Return the heading of the players."""
    return phrase("seats")


def other_positions(condition: str, distinctions: Sequence[str]) -> str:
    """Return the heading of another placement: the players' choice that it needs, and what tells it from the others."""
    if not distinctions:
        return phrase("or, if {condition}", condition=condition) if condition else phrase("or, by another reading")
    if condition:
        return phrase("or, if {condition} ({reading})", condition=condition, reading=_join_distinctions(distinctions))
    return phrase("or, by another reading ({reading})", reading=_join_distinctions(distinctions))


def _join_distinctions(distinctions: Sequence[str]) -> str:
    return join_clauses(distinctions)


# Seats and positions


def seat_name(seat: int, player: str) -> str:
    """Return a seat with its player; `player` is "" if the name isn't known."""
    return phrase("seat {seat} {player}", seat=seat, player=player) if player else phrase("seat {seat}", seat=seat)


def undealt_seat(seat: int) -> str:
    """Return a seat where nobody is dealt in, in the list of positions. Its player may be away."""
    return phrase("seat {seat}, nobody dealt in", seat=seat)


def undealt_seat_unposted(seat: int) -> str:
    """Return the seat of a small blind that nobody posts, as nobody is dealt in there."""
    return phrase("seat {seat}, nobody dealt in (not posted)", seat=seat)


def no_holder() -> str:
    """Return that no seat has a position."""
    return phrase("nobody")


def open_position() -> str:
    """Return that a position is not settled."""
    return phrase_in_context("button or blind", "open")


def not_recorded() -> str:
    """Return that the record doesn't show a position."""
    return phrase("not recorded")


def button_label() -> str:
    """Return the label of the button."""
    return phrase("button")


def opener_label() -> str:
    """Return the label of the player who acts first."""
    return phrase("acts first")


def last_label() -> str:
    """Return the label of the player who acts last."""
    return phrase("acts last")


def posted_label() -> str:
    """Return the label of a post on record."""
    return phrase("posted")


def acts_first(seat: str) -> str:
    """Return who acts first."""
    return phrase("{seat}, in the first round", seat=seat)


def acts_last(seat: str) -> str:
    """Return who acts last."""
    return phrase("{seat}, in later rounds, if nobody folds", seat=seat)


def position_of(position: Literal["button", "small", "big", "extra", "opener"], seats: str) -> str:
    """Return who has a position, in the short list."""
    return phrase(_POSITIONS[position], seats=seats)


_POSITIONS: Final = {
    "button": translatable("button {seats}"),
    "small": translatable("small blind {seats}"),
    "big": translatable("big blind {seats}"),
    "extra": translatable("third blind {seats}"),
    "opener": translatable("opens {seats}"),
}


# Posts


def posts(seat: str, price: str, role: PostRole) -> str:
    """Return who posts what, and what for."""
    return phrase(_POSTS[role], seat=seat, price=price)


_POSTS: Final[dict[PostRole, str]] = {
    "small": translatable("{seat} posts {price}, the small blind"),
    "big": translatable("{seat} posts {price}, the big blind"),
    "extra": translatable("{seat} posts {price}, the third blind"),
    "entry": translatable("{seat} posts {price} to enter"),
    "makeup": translatable("{seat} posts {price} for missed blinds"),
    "straddle": translatable("{seat} posts {price}, the straddle"),
    "kill": translatable("{seat} posts {price}, the kill"),
}


def posts_price(seat: int, price: str) -> str:
    """Return who posts what."""
    return phrase("seat {seat} posts {price}", seat=seat, price=price)


def nobody_posts() -> str:
    """Return that nothing is due."""
    return phrase("nobody posts")


def dead_amount(dead: str) -> str:
    """Return the dead part of a post on record."""
    return phrase("{dead} dead", dead=dead)


def post_for(post: str, role: str) -> str:
    """Return a recorded post, with what it was for in brackets."""
    return phrase(_POSTED[role], post=post) if role in _POSTED else f"{post} ({role})"


_POSTED: Final = {
    "small": translatable("{post} (small blind)"),
    "big": translatable("{post} (big blind)"),
    "extra": translatable("{post} (extra blind)"),
    "makeup": translatable("{post} (missed blinds)"),
    "makeup-small": translatable("{post} (missed small blind)"),
    "makeup-big": translatable("{post} (missed big blind)"),
    "entry": translatable("{post} (entry)"),
    "ante": translatable("{post} (ante)"),
    "bring-in": translatable("{post} (bring-in)"),
    "penalty": translatable("{post} (penalty)"),
    "dead-money": translatable("{post} (dead-money)"),
    "bomb-pot": translatable("{post} (bomb-pot)"),
    "straddle": translatable("{post} (straddle)"),
    "sleeper": translatable("{post} (sleeper)"),
    "button-straddle": translatable("{post} (button-straddle)"),
    "mississippi": translatable("{post} (mississippi)"),
    "restraddle": translatable("{post} (restraddle)"),
}


# Seats: what each player does to be dealt in


def plays(status: Standing) -> str:
    """Return that a seat is dealt in."""
    return phrase("may play at once") if status == "new" else phrase("plays")


def plays_free(play: str) -> str:
    """Return that a seat is dealt in and posts nothing; `play` is one of the texts above or below."""
    return phrase("{play} without a post", play=play)


def plays_in_blind(role: str, price: str) -> str:
    """Return that a seat plays in a blind, and what it posts in another position."""
    return phrase("may play in the {blind}, elsewhere if it posts {price}", blind=blind_name(role), price=price)


def plays_or_posts(play: str, price: str) -> str:
    """Return that a seat plays, and what it posts by another reading."""
    return phrase("{play}, by another reading if it posts {price}", play=play, price=price)


def plays_for(prices: Sequence[str]) -> str:
    """Return what a seat posts to be dealt in."""
    return phrase("may play if it posts {price}", price=join_each_or(prices))


def plays_if_kills() -> str:
    """Return that a seat kills the pot to be dealt in."""
    return phrase("may play if it kills the pot (the book gives no amount)")


def gets_no_cards() -> str:
    """Return that a seat isn't dealt in."""
    return phrase("gets no cards")


def by_first_reading(absence_text: str) -> str:
    """Return what holds by the first of several readings."""
    return phrase("{status} by the first reading", status=absence_text)


def cannot_tell(status: Standing) -> str:
    """Return that we can't tell whether a seat is dealt in."""
    if status == "unknown":
        return phrase("can't tell")
    return phrase("can't tell ({standing})", standing=standing_name(status))


def standing_name(status: Standing) -> str:
    """Return how a player stands."""
    return phrase(_STANDINGS[status])


_STANDINGS: Final[dict[Standing, str]] = {
    "playing": translatable("plays"),
    "new": translatable("new here"),
    "owing": translatable("owes"),
    "waiting": translatable("waits"),
    "away": translatable("away"),
    "broke": translatable("no chips"),
    "unknown": translatable("unknown"),
}


def absent_player(deal: str) -> str:
    """Return what a player who is away may do."""
    return join_statements([phrase("away"), deal])


def has_button() -> str:
    """Return that a seat has the button."""
    return phrase("has the button")


def has_blind(role: str) -> str:
    """Return that a seat has a blind."""
    return phrase("has the {blind}", blind=blind_name(role))


def or_waits() -> str:
    """Return that a seat may wait instead."""
    return phrase("or waits")


def or_ways(ways: str) -> str:
    """Return what a seat may do instead."""
    return phrase("or {ways}", ways=ways)


def as_seat(text: str, seat: int) -> str:
    """Return a seat's text with the seat whose reasons it shares."""
    return phrase("{text}, as seat {seat}", text=text, seat=seat)


def way_text(kind: Way) -> str:
    """Return a way to be dealt in, without a price."""
    return phrase(_WAYS[kind])


def priced_way(kind: Literal["straddle", "buy-button", "kill", "post"], price: str) -> str:
    """Return a way to be dealt in, with its price; `price` is "" if it isn't known."""
    return phrase(_WAYS_FOR[kind], price=price) if price else phrase(_WAYS_UNPRICED[kind])


def waiting_way(way_in: str, count: int) -> str:
    """Return a way to be dealt in, with the hands to wait."""
    return phrase_count("{way} ({count} hand)", "{way} ({count} hands)", count, way=way_in)


_WAYS: Final[dict[Way, str]] = {
    "big-blind": translatable("waits for the big blind"),
    "button-passes": translatable("waits until the button has passed"),
    "position": translatable("waits until its old position comes"),
    "straddle": translatable("straddles"),
    "buy-button": translatable("buys the button"),
    "free": translatable("plays without a post"),
    "kill": translatable("kills the pot"),
    "post": translatable("posts"),
}
_WAYS_FOR: Final = {
    "straddle": translatable("straddles {price}"),
    "buy-button": translatable("buys the button {price}"),
    "kill": translatable("kills the pot {price}"),
    "post": translatable("posts {price}"),
}
_WAYS_UNPRICED: Final = {
    "straddle": translatable("straddles (amount not recorded)"),
    "buy-button": translatable("buys the button (the book gives no price)"),
    "kill": translatable("kills the pot (amount not recorded)"),
    "post": translatable("posts (amount not recorded)"),
}


# Reasons


def by_practice(reason: str) -> str:
    """Return a reason that is usual practice, since the book is silent."""
    return phrase("{reason} (usual practice)", reason=reason)


def by_assumption(reason: str) -> str:
    """Return a reason that is assumed."""
    return phrase("{reason} (assumed)", reason=reason)
