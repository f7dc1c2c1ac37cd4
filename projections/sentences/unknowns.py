"""Open questions that follow "Can't tell:", in lower case and without a full stop."""

from __future__ import annotations

from typing import Final, Literal

from ledger.text.language import phrase, translatable, without_full_stop
from projections.sentences.words import silent_book, undefined_by_book

_Subject = Literal["missed blinds", "new players", "playing over", "players who went broke", "seat changes"]
_SILENCES: Final[dict[_Subject, str]] = {
    "missed blinds": translatable("what is due, since the book has no rule on missed blinds"),
    "new players": translatable("what is due, since the book has no rule on new players"),
    "playing over": translatable("what is due, since the book has no rule on playing over"),
    "players who went broke": translatable("what is due, since the book has no rule on players who went broke"),
    "seat changes": translatable("what is due, since the book has no rule on seat changes"),
}
_Position = Literal["button", "small blind", "big blind", "third blind"]
_MISSING_POSITIONS: Final[dict[_Position, str]] = {
    "button": translatable("hand {hand} doesn't record where the button was"),
    "small blind": translatable("hand {hand} doesn't record where the small blind was"),
    "big blind": translatable("hand {hand} doesn't record where the big blind was"),
    "third blind": translatable("hand {hand} doesn't record where the third blind was"),
}
_Game = Literal["two players", "three players and a moving button"]
_THREE_BLINDS: Final[dict[_Game, str]] = {
    "two players": translatable("no rulebook says where three blinds go with two players"),
    "three players and a moving button": translatable(
        "no rulebook says where three blinds go with three players and a moving button"
    ),
}

# Players


def sat_out_or_left(seat: int, hand: str) -> str:
    """Ask whether a player was still in the game."""
    return phrase("whether the player in seat {seat} sat out in hand {hand} or had left", seat=seat, hand=hand)


def sat_out_or_left_before(seat: int, hand: str) -> str:
    """Ask whether a player was in the game before the record begins."""
    return phrase(
        "whether the player in seat {seat} sat out in hand {hand} or had left before it", seat=seat, hand=hand
    )


def same_person(seat: int) -> str:
    """Ask whether the same person is in a seat again, if the source has no names."""
    return phrase("whether the same person is in seat {seat} again: the source names nobody", seat=seat)


def new_or_sat_out() -> str:
    """Ask whether a player is new."""
    return phrase("whether the player is new or sat out: the source doesn't record who sits out")


def owner_of_chair(seat: int) -> str:
    """Ask whether the player in a seat is the one whose seat was played over."""
    return phrase("whether the player in seat {seat} is the one whose seat was played over", seat=seat)


def owes_or_new(seat: int) -> str:
    """Ask whether a player who left with debts still owes them."""
    return phrase(
        "whether the player in seat {seat}, who owed blinds and left, still owes them or is a new player", seat=seat
    )


def rebuys_or_new(seat: int, hand: str) -> str:
    """Ask whether a player who went broke is new."""
    return phrase(
        "whether the player in seat {seat}, who lost the last chip in hand {hand}, is coming back or is a new player",
        seat=seat,
        hand=hand,
    )


def origin_of_newcomer(seat: int) -> str:
    """Ask whether the house moved a player."""
    return phrase(
        "where the player in seat {seat} came from: if the house moved the player here, nothing is posted", seat=seat
    )


def in_room(seat: int) -> str:
    """Ask whether an absent player was in the room."""
    return phrase("whether the player in seat {seat} was in the room", seat=seat)


def away_or_present() -> str:
    """Ask whether a player without chips stayed at the table."""
    return phrase("whether the player was away from the table when the blinds passed")


def acted_before_post(hand: str) -> str:
    """Ask whether a player acted before the missing post was noticed."""
    return phrase("whether the player had acted in hand {hand} before the missing post was noticed", hand=hand)


def moved_or_came_back(seat: int, old_seat: int) -> str:
    """Ask whether a player moved."""
    return phrase(
        "whether the player in seat {seat} moved there from seat {old_seat}, or left and came back",
        seat=seat,
        old_seat=old_seat,
    )


def passed_absent_player() -> str:
    """Ask whether a mover passed somebody."""
    return phrase("whether the move passed a player who wasn't dealt in")


def blind_before_move() -> str:
    """Ask where the blind was before a move."""
    return phrase("where the big blind was before the seat change")


# The game


def format_of_game() -> str:
    """Ask whether blinds are owed at all."""
    return phrase("whether the game is a tournament or a cash game")


def size_of_game() -> str:
    """Ask how large the game is."""
    return phrase("the size of the game: its bets and blinds aren't recorded")


def game_begins_here() -> str:
    """Ask whether a game is new."""
    return phrase(
        "whether the game begins with this hand: several players are new, or a new one has the button or the small blind"
    )


def game_asks_post() -> str:
    """Ask whether the game has an entry post."""
    return phrase("whether the game asks new players for a post")


def blinds_since_start() -> str:
    """Ask where the blinds have been."""
    return phrase("where the blinds have been since the game began")


def button_and_blind() -> str:
    """Ask where the button and the big blind were."""
    return phrase("where the button and the big blind were")


def method_in_force() -> str:
    """Ask which method of moving the button applies."""
    return phrase("which method of moving the button applies")


def hands_missing(first_hand: str, last_hand: str, count: int, *, is_certain: bool) -> str:
    """Say that hands are missing between two hands; `count` 0 = unknown how many."""
    if is_certain and count > 1:
        message = translatable("{count} hands are missing between hand {first_hand} and hand {last_hand}")
    elif is_certain:
        message = translatable("hands are missing between hand {first_hand} and hand {last_hand}")
    elif count > 1:
        message = translatable("{count} hands may be missing between hand {first_hand} and hand {last_hand}")
    else:
        message = translatable("hands may be missing between hand {first_hand} and hand {last_hand}")
    return phrase(message, count=count, first_hand=first_hand, last_hand=last_hand)


def hands_missing_after(hand: str) -> str:
    """Say that hands are missing at the end."""
    return phrase("hands are missing after hand {hand}, and no later hand is recorded", hand=hand)


def missed_blinds_of(seat: int) -> str:
    """Ask what a player missed before the record."""
    return phrase("which blinds seat {seat} missed while nothing was recorded", seat=seat)


def missed_blinds_of_marker(seat: int) -> str:
    """Ask what a marker is for."""
    return phrase("which blinds seat {seat} missed: it has a marker, but no record of them", seat=seat)


# The book


def silent_on(subject: _Subject) -> str:
    """Say that the book has no rule."""
    return phrase(_SILENCES[subject])


def two_moves_as_one() -> str:
    """Ask whether two moves count as one."""
    return phrase("whether two seat changes with no hand dealt in between count as one")


def free_between_button_and_blind() -> str:
    """Ask whether a player may come back free between the button and the big blind."""
    return phrase("whether a player between the button and the big blind may also come back without a post")


def credit_for_short_blind() -> str:
    """Ask whether posting for a short blind counts as the player's own big blind."""
    return phrase("whether posting for a short blind counts as the player's own big blind: no book says")


def positions_with(seat: int) -> str:
    """Ask where the positions are with one player more."""
    return silent_book(phrase("where the button and blinds go if seat {seat} is dealt in", seat=seat))


def position_of(hand: str, position: _Position) -> str:
    """Say that the last hand lacks a position."""
    return phrase(_MISSING_POSITIONS[position], hand=hand)


def positions_of(hand: str) -> str:
    """Say that the last hand lacks all positions."""
    return phrase("hand {hand} doesn't record the button or the blinds", hand=hand)


def hand_without_blinds(hand: str) -> str:
    """Say that no blinds were due in a hand, so it shows no positions."""
    return phrase("hand {hand} had no blinds", hand=hand)


def missed_in_blindless_hand(seat: int, hand: str) -> str:
    """Say that a blind may have passed a player in a hand without blinds."""
    return phrase(
        "whether hand {hand}, which had no blinds, counts as a missed blind for seat {seat}", hand=hand, seat=seat
    )


def hand_without_button(hand: str) -> str:
    """Say that the last hand was a game without a button."""
    return phrase("hand {hand} was a game without a button", hand=hand)


def too_few_players() -> str:
    """Say that nobody can be dealt in."""
    return phrase("fewer than two players can be dealt in")


def fewer_players_than_blinds() -> str:
    """Say that there are more blinds than players."""
    return phrase("there are fewer players than blinds")


def three_blinds(game: _Game) -> str:
    """Say that no book covers three blinds."""
    return phrase(_THREE_BLINDS[game])


def too_many_blinds(count: int) -> str:
    """Say that no book covers so many blinds."""
    return phrase("the game has {count} blinds, and no rulebook says where more than three go", count=count)


def first_button() -> str:
    """Say that nothing shows the first button."""
    return phrase("no hand of this game is recorded, and no draw for the button")


def no_rule_on_positions() -> str:
    """Say that the book has no positions."""
    return phrase("the book has no rule on the button and blinds")


def blinds_of_two() -> str:
    """Say that the blinds of two players are open."""
    return phrase("where the blinds go with two players")


def blinds_of_two_in_book() -> str:
    """Say that the book has no rule for two players."""
    return silent_book(phrase("where the blinds go with two players"))


def positions_unsettled(usual_practice: str) -> str:
    """Say that the book doesn't settle the positions; `usual_practice` explains the shown ones."""
    return phrase(
        "where the book puts the button and blinds; usual practice: {usual_practice}",
        usual_practice=without_full_stop(usual_practice),
    )


def house_method() -> str:
    """Ask how the house moves the button."""
    return phrase("which method of moving the button the house uses")


def completed_deal(hand: str) -> str:
    """Ask whether the button moves after a hand."""
    return phrase("whether hand {hand} counts as a completed deal", hand=hand)


def seats_given_out() -> str:
    """Ask how the seats were given out."""
    return phrase("how the seats were given out")


def blinds_in_hand() -> str:
    """Ask where the book puts the blinds in this hand."""
    return phrase("where the book puts the blinds in this hand")


def substantial_action() -> str:
    """Ask what counts as substantial action."""
    return undefined_by_book(phrase("whether that was substantial action"))


def numbers_start_over(hand: str) -> str:
    """Say that hand numbers start over."""
    return phrase("the hand numbers start over at hand {hand}: another night, or missing hands", hand=hand)


# Misdeals and flops


def misdeal_reason() -> str:
    """Ask why a misdeal was declared: a fouled deck is a misdeal at any time."""
    return phrase("why the misdeal was declared: a fouled deck is one at any time")


def four_cards_scrambled() -> str:
    """Ask whether a flop of four cards was scrambled."""
    return phrase("whether the four flop cards were scrambled before one was taken away")


# Bets over the pot


def short_blind_counts_in_full() -> str:
    """Ask whether the pot counts a blind that is all-in for less as a whole blind."""
    return phrase("whether a blind that is all-in for less counts in full")


def agreement_beside_all_in() -> str:
    """Ask whether two players may agree to exceed the pot limit while a third is all-in."""
    return phrase("whether two players may agree while another is all-in")
