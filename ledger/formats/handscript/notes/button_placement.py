"""The button of a hand of notes: as written, by a player's position, or derived from the hand before."""

from __future__ import annotations

from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import ask_who_sits, question


def place_button(hand: NotedHand) -> None:
    """Write the button, or ask who has it."""
    button_statements = [statement for statement in hand.statements if statement.kind == "button"]
    if button_statements:
        button_player = button_statements[-1].players[0]
        seat = button_player.seat or hand.roster.find(button_player)
        if not seat:
            raise question(button_statements[-1].line, f"Which seat is {button_player.text}?", "button SEAT")
        if seat not in hand.roster.used_seats and not button_statements[-1].qualifier:
            raise ask_who_sits(
                button_statements[-1].line,
                seat,
                f"Nobody sits in seat {seat}: a dead button?",
                f"dead button seat {seat}",
            )
        hand.betting.button = seat
        hand.write(f"button {seat}", button_statements[-1].line)
        return
    if seat := _find_tagged_button(hand):
        hand.betting.button = seat
        hand.write(f"button {seat}", hand.first)
        return
    repeated = next((statement for statement in hand.statements if statement.kind == "same-button"), None)
    if repeated is not None and hand.previous.button:
        hand.betting.button = hand.previous.button
        hand.write(f"button {hand.previous.button}", repeated.line)
        return
    seat = _derive_button(hand)
    if not seat:
        raise question(hand.first, f"Hand {hand.number}: who has the button?", "button SEAT")
    hand.betting.button = seat
    hand.write(f"button {seat}", hand.first, is_derived=True, derivation="the next seat, as the blinds confirm")


def _find_tagged_button(hand: NotedHand) -> int:
    """Return the seat of the player whom the notes call the button, `Hank (BTN)`; 0 if there is none."""
    tagged = [statement for statement in hand.statements if statement.kind == "place" and statement.verb == "button"]
    seats = {hand.roster.find(statement.players[0]) for statement in tagged}
    seat = seats.pop() if len(seats) == 1 else None
    return seat if seat in hand.dealt and seat else 0


def _derive_button(hand: NotedHand) -> int:
    """Return the seat after the previous button if the blinds confirm it; 0 otherwise."""
    previous_hand = hand.previous
    small_seat = find_poster(hand, "small")
    if (
        previous_hand.played
        and previous_hand.button
        and not small_seat
        and not previous_hand.misdealt
        and previous_hand.dealt == hand.dealt
    ):
        return hand.betting.seats_after(previous_hand.button)[0]  # same players: every way of moving the button agrees
    if not (previous_hand.played and previous_hand.button and small_seat):
        return 0
    betting = hand.betting
    seat = previous_hand.button if previous_hand.misdealt else betting.seats_after(previous_hand.button)[0]
    is_heads_up = len(hand.dealt) == 2
    first_poster = seat if is_heads_up else betting.seats_after(seat)[0]
    return seat if first_poster == small_seat and seat in hand.dealt else 0


def find_poster(hand: NotedHand, role: str) -> int:
    """Return the seat that posts a blind according to the notes; 0 if they don't name one."""
    for statement in hand.statements:
        if statement.kind == "post" and statement.verb == role and statement.players:
            return hand.roster.find(statement.players[0]) or 0
    return 0
