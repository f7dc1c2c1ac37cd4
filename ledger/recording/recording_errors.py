"""Errors of a recording at the table: what can't be recorded now, and what to type or send instead."""

from __future__ import annotations

from typing import Final

from ledger.errors import ConflictError, CorrectionError, UnreadableHandError, UsageError
from ledger.text.language import phrase, translatable

# Lines that a dealer types

_GAME_LINE: Final = "game holdem no-limit cash blinds 2/5 unit USD 2"
_START_HINT: Final = translatable("Begin with a line: {line}. In `record`, Enter takes the proposed hand.")


def empty_seat(seat: str) -> UsageError:
    """Return the error for a line about a seat in which nobody sits."""
    return UsageError(
        phrase("nobody sits in seat {seat}", seat=seat),
        phrase("To seat a player there: {line}", line=seat + " Ana 500"),
    )


def game_unknown() -> UsageError:
    """Return the error for a hand at a table whose game nobody recorded."""
    return UsageError(phrase("no game is recorded for this table"), phrase("Record it first: {line}", line=_GAME_LINE))


def cards_between_hands(table: str) -> UsageError:
    """Return the error for cards while no hand is running."""
    return UsageError(
        phrase("no hand is running at {table}; cards need one", table=table), phrase(_START_HINT, line="hand NUMBER")
    )


def act_between_hands(table: str, action: str) -> UsageError:
    """Return the error for an action while no hand is running; `action`: the word or key that was typed."""
    return UsageError(
        phrase("no hand is running at {table}; {act} needs one", table=table, act=action),
        phrase(_START_HINT, line="hand NUMBER"),
    )


def no_hand_running() -> UsageError:
    """Return the error for an action or the end of a hand while none is running."""
    return UsageError(
        phrase("no hand is running at this table"),
        phrase('Begin one: "{line}", or take the proposed one.', line="hand 412"),
    )


def two_hands_on_line() -> UsageError:
    """Return the error for a line that goes on into the next hand."""
    return UsageError(phrase("this line continues in the next hand"), phrase("Write the next hand on its own line."))


def nothing_to_confirm() -> UsageError:
    """Return the error for Enter where several things may have happened."""
    return UsageError(phrase("there is more than one choice"), phrase("Type what happened."))


def bad_card(card: str) -> UsageError:
    """Return the error for a card that doesn't exist."""
    return UsageError(phrase("{card} isn't a card", card=card), phrase("A card is rank and suit, as in Kd."))


def bad_amount(text: str, key: str) -> UsageError:
    """Return the error for a bet or raise whose amount isn't one."""
    return UsageError(
        phrase("{text} is no amount here", text=repr(text)),
        phrase("Digits, with a point where needed: {line}", line=key + " 40"),
    )


def key_in_capitals(key: str, text: str) -> UsageError:
    """Return the error for a key that was typed as a capital letter."""
    return UsageError(phrase("{text} is no key", text=key), phrase("Keys are small letters: {line}", line=text.lower()))


_NOT_TIME_TO: Final = {
    "f": translatable("it isn't time to fold"),
    "c": translatable("it isn't time to call or check"),
    "k": translatable("it isn't time to check"),
    "b": translatable("it isn't time to bet"),
    "r": translatable("it isn't time to raise"),
    "a": translatable("it isn't time to go all-in"),
    "s": translatable("it isn't time to show"),
    "m": translatable("it isn't time to muck"),
}


def key_not_due(key: str, next_steps: str) -> UsageError:
    """Return the error for a key that means an action of another moment; `next_steps`: what can be typed now."""
    return UsageError(phrase(_NOT_TIME_TO[key]), next_steps)


def shown_cards_missing() -> UsageError:
    """Return the error for a show without cards."""
    return UsageError(phrase("which cards were shown is missing"), phrase("As in: {line}", line="s AhAd"))


def board_not_due(next_steps: str) -> UsageError:
    """Return the error for a board at the wrong time; `next_steps` is "" if the cards may be a player's."""
    return UsageError(
        phrase("no board is due here"),
        next_steps or phrase("Whose cards are they? As in: {line}", line="6 shows Ah Kd"),
    )


def wrong_board_count(street_name: str, number_name: str, count: int, turned_count: int, line: str) -> UsageError:
    """Return the error for a board with too many or too few cards; `line` is "" if it replaces the flop."""
    if count == 1:
        message = phrase("the {street} is one card", street=street_name)
    else:
        message = phrase("the {street} is {number} cards", street=street_name, number=number_name)
    if not line:
        return UsageError(message, phrase("To replace the flop, take it back first: u"))
    return UsageError(message, phrase("If the dealer turned {number}, write: {line}", number=turned_count, line=line))


def raise_too_small(bet: str, amount: str) -> UsageError:
    """Return the error for a raise to no more than the bet."""
    return UsageError(
        phrase("the bet is {bet} already, and {amount} isn't a raise", bet=bet, amount=amount),
        phrase("c calls it; r takes the total on this street. Or write the whole line."),
    )


def amount_missing() -> UsageError:
    """Return the error for a bet or raise without its amount."""
    return UsageError(phrase("to how much?"), phrase("As in: {line}, the total on this street.", line="r 40"))


# Taking back


def only_begun() -> UsageError:
    """Return the error for taking back in a hand in which nothing happened yet."""
    return UsageError(
        phrase("there is nothing to take back"),
        phrase(
            'The hand\'s beginning stays on record. Write "voided" if it wasn\'t played, or "stop" if nobody saw its end.'
        ),
    )


def nothing_recorded() -> UsageError:
    """Return the error for taking back at a new table."""
    return UsageError(
        phrase("there is nothing to take back"), phrase("Nobody sits here yet, and no hand was recorded.")
    )


def last_line_imported() -> UsageError:
    """Return the error for taking back a line that came from a file."""
    return UsageError(
        phrase("there is nothing to take back"),
        phrase("The last line was imported. Mend its hand with handledger correct."),
    )


def last_hand_imported(hand: str) -> UsageError:
    """Return the error for taking back a hand that came from a file."""
    return UsageError(
        phrase("there is nothing to take back"),
        phrase("Hand {hand} was imported. Mend it with handledger correct.", hand=hand),
    )


def opening_corrected() -> UnreadableHandError:
    """Return the error for a correction of the line that opens a hand."""
    return UnreadableHandError(
        "the first line of a hand can't be replaced", kind="place", hint="Correct one of its other lines."
    )


def correction_not_of_hand(text: str) -> UnreadableHandError:
    """Return the error for a correction whose line isn't about a hand."""
    return UnreadableHandError(
        f"{text}: this line isn't about what happened in a hand", kind="place", hint="Write a line as in: 6 bets 120"
    )


def correction_not_of_table(text: str) -> UnreadableHandError:
    """Return the error for a correction whose line isn't about what happened between hands."""
    return UnreadableHandError(
        f"{text}: this line isn't about what happened between hands",
        kind="place",
        hint="Write a line as in: drop-box 412",
    )


def fact_missing(table: str, version: int, last_version: int) -> CorrectionError:
    """Return the error for a correction of an event that the table doesn't have."""
    return CorrectionError(
        phrase("table {table} has no event {version}", table=table, version=version),
        phrase("Its last event is {version}.", version=last_version),
    )


def no_fact(table: str, version: int, *, is_hand: bool) -> CorrectionError:
    """Return the error for a correction of an event that nobody recorded between hands."""
    problem = phrase("event {version} of table {table} isn't a fact between hands", table=table, version=version)
    if is_hand:
        return CorrectionError(
            problem, phrase("It's a hand. Correct an event of the hand, as in {address}.", address="T7/426@33")
        )
    return CorrectionError(problem, phrase("The ledger made it. It can't be corrected."))


# Several devices at one table


def event_missing(version: int, seen_version: int) -> ConflictError:
    """Return the error for a device that knows of more events than the hand has."""
    if seen_version == version + 1:
        message = phrase(
            "this hand has {version} events, not {seen_version}: event {seen_version} is missing",
            version=version,
            seen_version=seen_version,
        )
    else:
        message = phrase(
            "this hand has {version} events, not {seen_version}: events {first_missing} to {seen_version} are missing",
            version=version,
            seen_version=seen_version,
            first_missing=version + 1,
        )
    return ConflictError(
        message, phrase("Send what is missing first. If the hand is another one, look at the table again.")
    )


_LOOK_HINT: Final = translatable("Look at the table, and enter it again if it still holds.")


def hand_moved_on(version: int, seen_version: int, later_lines: str) -> ConflictError:
    """Return the error for a device with an old screen; `later_lines`: what was recorded since."""
    return ConflictError(
        phrase(
            "this table has moved on to event {version}, from {seen_version}: {later_lines}",
            version=version,
            seen_version=seen_version,
            later_lines=later_lines,
        ),
        phrase(_LOOK_HINT),
    )


def table_moved_on(later_lines: str) -> ConflictError:
    """Return the error for a device with an old screen between two hands."""
    return ConflictError(phrase("this table has moved on: {later_lines}", later_lines=later_lines), phrase(_LOOK_HINT))


def key_used(act: str) -> ConflictError:
    """Return the error for an act under the key of another one."""
    return ConflictError(
        phrase("something else is recorded under this key: {act}", act=act),
        phrase("Nothing was recorded now. Send each act under a key of its own."),
    )


def nothing_proposed() -> UsageError:
    """Return the error for a key under which no proposed hand was begun."""
    return UsageError(phrase("no proposed hand was begun under this key"), phrase("Send the act under a new key."))


# Events that a program sends


def no_event() -> UsageError:
    """Return the error for a request without events."""
    return UsageError("the request has no event", "Send at least one.")


def correction_sent() -> UsageError:
    """Return the error for a correction among events."""
    return UsageError("a correction can't be sent as an event", "Send undo, or use handledger correct.")


def hand_within_hand() -> UsageError:
    """Return the error for a hand that begins before the last one has ended."""
    return UsageError("a hand begins while another is running", "End it first.")


def event_during_hand(topic: str) -> UsageError:
    """Return the error for an event of a table while a hand is running."""
    return UsageError(f"a hand is running, so {topic} can't be recorded", "End the hand first.")


def event_between_hands(topic: str) -> UsageError:
    """Return the error for an event of a hand while none is running."""
    return UsageError(f"no hand is running, so {topic} can't be recorded", "Start a hand first.")


def event_without_line(reason: str) -> UsageError:
    """Return the error for an event that handscript has no line for; `reason`: what is wrong with it."""
    return UsageError(f"this event can't be written as a line: {reason}", "Check it against the schema of the event.")


def event_changes_as_line(topic: str) -> UsageError:
    """Return the error for an event that isn't the same when it's read again from its line."""
    return UsageError(
        f"{topic} has a value that no line of handscript can hold", "Check it against the schema of the event."
    )


def unknown_player_id(topic: str, player: str) -> UsageError:
    """Return the error for an event about a player whom the ledger doesn't know."""
    return UsageError(
        f"{topic}: no player has the id {player[:40]!r}", "Send a line with the player's name instead: 4 sits Ana 500"
    )


def unknown_text(topic: str, field: str) -> UsageError:
    """Return the error for an event with a text that the ledger doesn't know."""
    return UsageError(f"{topic}: the ledger has no text for {field}", "Send a line with the text instead.")


def bad_cards(topic: str, cards: str) -> UsageError:
    """Return the error for an event with cards that don't exist."""
    return UsageError(f"{topic}: {cards[:40]!r} aren't cards", "Write cards without blanks: 7h2cKd.")


def hand_of_other_table(table: str, venue: str) -> UsageError:
    """Return the error for a hand that was sent to another table."""
    return UsageError("this hand is from another table", f"This is table {table!r} in {venue!r}.")


# The command


def unknown_table(table: str) -> UsageError:
    """Return the error for `record` at a table that the ledger doesn't know."""
    return UsageError(
        f"there is no table {table!r} here yet",
        'Name its room and game: --venue "Riverside Cardroom" --game "holdem no-limit cash blinds 2/5 unit USD 2".',
    )


def bad_game(game: str, suggestion: str) -> UsageError:
    """Return the error for a game that can't be read."""
    return UsageError(f"I can't read --game {game!r}", f'Write: --game "{suggestion}"')


def terminal_only(word: str) -> UsageError:
    """Return the error for a word that leaves the screen, where lines come through a pipe."""
    return UsageError(
        f"{word} works only on a terminal",
        "Leave the line out: the recording stops after the last line, and anyone can go on from there.",
    )
