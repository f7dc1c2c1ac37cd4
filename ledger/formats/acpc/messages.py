"""A hand in the messages between dealer and players: `TO 1 at 134.5 MATCHSTATE:0:7:cr20:9hQd|`.

Each message to a player repeats the hand so far, as far as that player may see it. A message from
a player adds the act. The messages of a hand make one account. Each act cites the message that
contains it and has that message's time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.acpc.play import (
    MESSAGE,
    MESSAGE_WITNESSES,
    VENUE,
    AcpcHand,
    AcpcMatch,
    build_structure,
    count_players,
    is_message,
    parse_cards,
)
from ledger.hand.ending import CardsShown, HandCompleted, RemarkNoted, ShowdownBegun
from ledger.hand.opening import HandOpened
from ledger.readers.payouts import award_by_play
from ledger.readers.spans import Spans
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Millis, Witness

_MAX_SECONDS_DIGITS: Final = 12


@dataclass(slots=True)
class AcpcMessage:
    """One message: the player's position, the time it was sent, and the hand so far."""

    player: str  # "1" is the first player of the match; "" = the log has one side only
    sent_at: Millis | None
    position: int
    hand_number: str
    betting: str
    hole_cards: list[str]
    boards: list[str]
    act: str  # the player's answer; "" in the dealer's messages
    place_number: int
    line: str


def parse_moment(text: str) -> Millis | None:
    """Read `9000000011.914700`, seconds since 1970, as milliseconds. Return None if it is no such number."""
    seconds, _, fraction_digits = text.strip().partition(".")
    digits = seconds + fraction_digits[:3].ljust(3, "0")
    if len(seconds) > _MAX_SECONDS_DIGITS or not (digits.isascii() and digits.isdecimal()):
        return None
    return int(digits)


def find_hand_number(line: str) -> str:
    """Return the number of the hand that a message is about, or "" if the message is cut."""
    number_fields = line.partition(MESSAGE)[2].split(":", 2)
    return number_fields[1] if len(number_fields) > 2 else ""


def find_hand_end(line_texts: list[str], first_line: int) -> int:
    """Return the line after the messages of the hand that begins in `first_line`."""
    hand_number = find_hand_number(line_texts[first_line])
    end_line = first_line + 1
    while end_line < len(line_texts) and (
        (is_message(line_texts[end_line]) and find_hand_number(line_texts[end_line]) == hand_number)
        or not line_texts[end_line].strip()
    ):
        end_line += 1
    return end_line


def read_messages(page: HandLines, match: AcpcMatch) -> AcpcHand:
    """Read a hand's messages. Damaged ones raise `UnreadableHandError`."""
    lines = page.lines
    message_spans = Spans()
    messages: list[AcpcMessage] = []
    for line_number in range(page.first_line, page.end_line):
        if lines.text[line_number].strip():
            place_number = message_spans.add(lines.starts[line_number], lines.lengths[line_number])
            messages.append(_parse_message(lines.text[line_number].rstrip(), place_number))
    first_message = messages[0]
    if first_message.betting:
        raise UnreadableHandError(
            "the messages begin in the middle of the hand",
            kind="no-header",
            hint="The beginning of the hand lies before this; is it in another file?",
        )
    player_count = count_players(first_message.hole_cards)
    structure_of_game = build_structure(
        player_count, no_limit=_is_no_limit(messages, match), reverse_blinds=match.reverse_blinds
    )
    acpc_hand = AcpcHand(message_spans, page.people, structure_of_game, first_message.place_number)
    dealt_positions = _seat_players(acpc_hand, messages)
    _apply_messages(acpc_hand, messages)
    _infer_awards(acpc_hand)
    witnesses = MESSAGE_WITNESSES
    if len(dealt_positions) < player_count:
        witnesses = (witnesses & ~int(Witness.ALL_CARDS)) | int(Witness.OWN_CARDS)
    acpc_hand.set_opening(
        HandOpened(VENUE, match.name, first_message.hand_number, witnesses, first_message.sent_at, "", player_count)
    )
    return acpc_hand


def _parse_message(line: str, place_number: int) -> AcpcMessage:
    envelope, _, state_text = line.partition(MESSAGE)
    envelope_words = envelope.split()
    has_time = len(envelope_words) == 4 and envelope_words[2] == "at"
    state_fields = state_text.split(":")
    position_text = state_fields[0]
    if len(state_fields) not in (4, 5) or not _is_number(position_text, 2) or not _is_number(state_fields[1], 20):
        raise UnreadableHandError("the message breaks off or is damaged", kind="cut-off")
    card_groups = state_fields[3].split("/")
    return AcpcMessage(
        envelope_words[1] if has_time and len(envelope_words[1]) < 3 else "",
        parse_moment(envelope_words[3]) if has_time else None,
        int(position_text),
        state_fields[1],
        state_fields[2],
        card_groups[0].split("|"),
        card_groups[1:],
        state_fields[4] if len(state_fields) == 5 else "",
        place_number,
        line,
    )


def _is_number(text: str, max_digits: int) -> bool:
    return 0 < len(text) <= max_digits and text.isascii() and text.isdecimal()


def _is_no_limit(messages: list[AcpcMessage], match: AcpcMatch) -> bool:
    for message in messages:
        betting_so_far = message.betting + message.act
        raise_index = betting_so_far.find("r")
        if raise_index >= 0:
            return betting_so_far[raise_index + 1 : raise_index + 2].isdecimal()
    return (match.likely_no_limit if match.no_limit is None else match.no_limit) is not False


def _seat_players(acpc_hand: AcpcHand, messages: list[AcpcMessage]) -> set[int]:
    """Seat the players and deal each the cards that messages to that player show.

    Returns the positions that got cards.
    """
    player_names = [f"position {position + 1}" for position in range(acpc_hand.player_count)]
    name_places = [messages[0].place_number] * acpc_hand.player_count
    message_of_position: dict[int, AcpcMessage] = {}
    for message in reversed(messages):
        position = message.position
        if position >= acpc_hand.player_count or len(message.hole_cards) != acpc_hand.player_count:
            raise UnreadableHandError("the messages differ in how many play", kind="seat")
        if message.player:
            player_names[position] = message.player
        name_places[position] = message.place_number
        message_of_position[position] = message
    acpc_hand.seat_all(player_names, name_places)
    for position, message in sorted(message_of_position.items()):
        acpc_hand.deal_hole_cards(position, message.hole_cards[position], message.place_number, "owner")
    acpc_hand.complete_deal()
    return {position for position, message in message_of_position.items() if message.hole_cards[position]}


def _apply_messages(acpc_hand: AcpcHand, messages: list[AcpcMessage]) -> None:
    """Add the acts by which each message differs from those before it."""
    known_betting = ""
    boards: list[str] = []
    hands_shown = False
    dealer_states = _list_dealer_states(messages)
    for message, dealer_state in zip(messages, dealer_states, strict=True):
        if len(message.boards) > len(boards):
            boards = message.boards
        if not message.betting.startswith(known_betting):
            raise UnreadableHandError("two messages tell different betting", kind="betting")
        _apply_betting(acpc_hand, message, message.betting[len(known_betting) :], boards)
        known_betting = message.betting
        if not message.act:
            hands_shown = hands_shown or _show_hands(acpc_hand, message)
        elif dealer_state is None or _is_act_accepted(dealer_state, known_betting, message.act):
            _apply_betting(acpc_hand, message, message.act, boards)
            known_betting += message.act
        else:
            # The dealer turned it into another act, which the next message contains.
            acpc_hand.place = message.place_number
            acpc_hand.add_event(RemarkNoted(acpc_hand.people.text(message.line)))


def _list_dealer_states(messages: list[AcpcMessage]) -> list[str | None]:
    """Return the betting in the dealer's next message for each message, or None after the last."""
    next_states: list[str | None] = []
    next_state: str | None = None
    for message in reversed(messages):
        next_states.append(next_state)
        if not message.act:
            next_state = message.betting
    next_states.reverse()
    return next_states


def _is_act_accepted(dealer_state: str, known_betting: str, act: str) -> bool:
    """Whether the dealer accepted the act as the player sent it."""
    act_end = len(known_betting) + len(act)
    return dealer_state.startswith(known_betting + act) and not dealer_state[act_end : act_end + 1].isdecimal()


def _apply_betting(acpc_hand: AcpcHand, message: AcpcMessage, betting: str, boards: list[str]) -> None:
    """Add acts, and streets with the board's cards so far."""
    event_count = len(acpc_hand.events)
    acpc_hand.apply_betting(betting, message.place_number, 0, boards, [message.place_number] * len(boards))
    if betting:
        acpc_hand.place = message.place_number
    if message.sent_at is not None:
        acpc_hand.times.update(dict.fromkeys(range(event_count, len(acpc_hand.events)), message.sent_at))


def _show_hands(acpc_hand: AcpcHand, message: AcpcMessage) -> bool:
    """Show the hands still in the pot if a message contains at least two of them. Return whether it does."""
    live_seats = [seat for seat in acpc_hand.list_seats_in_hand() if message.hole_cards[seat - 1]]
    if len(live_seats) < 2:
        return False
    acpc_hand.place = message.place_number
    acpc_hand.add_event(ShowdownBegun())
    for seat in live_seats:
        acpc_hand.add_event(CardsShown(seat, parse_cards(message.hole_cards[seat - 1], 4)))
    return True


def _infer_awards(acpc_hand: AcpcHand) -> None:
    """Infer from folds or cards who won the pot, which the messages don't say."""
    if not acpc_hand.is_over:
        return
    acpc_hand.infer_returns()
    award_by_play(acpc_hand)
    acpc_hand.add_event(HandCompleted())
