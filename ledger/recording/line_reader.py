"""Read one line typed at a table, given its hand and its seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from ledger.errors import UnreadableHandError
from ledger.formats.handscript import slots
from ledger.formats.handscript.live import LineResult, LiveLines
from ledger.formats.handscript.phrasebook import BOOK, KINDS_OF
from ledger.formats.handscript.shorthand import VERBS
from ledger.hand.opening import GameSet
from ledger.recording import recording_errors
from ledger.recording.keys import KEYS, are_cards
from ledger.text.language import is_english

if TYPE_CHECKING:
    from ledger.hand.state import HandState
    from ledger.table.state import SeatState
    from ledger.vocabulary import Seat

ReadSeats = Callable[[], "Mapping[Seat, SeatState]"]
"""Returns who sits at the table, which only some lines need."""

_TOO_MANY_DIGITS: Final = 4
"""An amount with more digits than any seat has."""


def read_line(text: str, lines: LiveLines, read_seats: ReadSeats, moment: datetime) -> LineResult:
    """Return the facts of a line. If it names nobody, the player of the seat is added.

    `UnreadableHandError` and `UsageError` say what is wrong; then nothing was applied.
    """
    _require_game(text, lines)
    try:
        return lines.take(text, moment)
    except UnreadableHandError as error:
        may_lack_player = (
            not lines.in_hand or slots.PLAYER.expected in error.reason
        )  # otherwise a name could be read as an amount
        completed_text = (
            _add_player(text, lines, lines.state if lines.in_hand else None, read_seats) if may_lack_player else None
        )
        if completed_text is None:
            _require_hand(text, lines)
            _require_sitter(text, error)
            raise
        try:
            return lines.take(completed_text, moment)
        except UnreadableHandError:
            pass
        raise


def _require_sitter(text: str, error: UnreadableHandError) -> None:
    """Refuse a line about an empty seat: its player is missing."""
    seat, verb = [*text.split(), "", ""][:2]
    if slots.PLAYER.expected in error.reason and seat.isdigit() and verb != "sits":
        raise recording_errors.empty_seat(seat)


def _require_game(text: str, lines: LiveLines) -> None:
    """Refuse a hand at a table whose game is unknown."""
    if lines.in_hand or text.split()[:1] != ["hand"]:
        return
    if not any(isinstance(event, GameSet) for event in lines.opening):
        raise recording_errors.game_unknown()


def _require_hand(text: str, lines: LiveLines) -> None:
    """Refuse a key, an act's verb or cards between hands, where no line begins with them."""
    first_word = text.split(maxsplit=1)[0].lower() if text.split() else ""
    if lines.in_hand or not first_word:
        return
    verb = VERBS.get(first_word, first_word)
    is_act = verb in BOOK.verbs and BOOK.verbs[verb].kind not in KINDS_OF["table"]
    if are_cards(text):
        raise recording_errors.cards_between_hands(lines.settings.table)
    meaning = KEYS[first_word][0].partition(":")[0] if first_word in KEYS else verb if is_act else ""
    if meaning:
        named_act = first_word if meaning == first_word or not is_english() else f"{first_word} ({meaning})"
        raise recording_errors.act_between_hands(lines.settings.table, named_act)


def _add_player(text: str, lines: LiveLines, hand_state: HandState | None, read_seats: ReadSeats) -> str | None:
    """Return a line such as `4 leaves` with its player's name after the verb. None: nobody is known to sit there."""
    words = text.split(None, 2)
    if len(words) < 2 or not words[0].isdigit() or len(words[0]) >= _TOO_MANY_DIGITS:
        return None
    seat = int(words[0])
    dealt_player = None if hand_state is None else hand_state.dealt.get(seat)
    sitter = read_seats().get(seat) if dealt_player is None else dealt_player
    return None if sitter is None else " ".join((*words[:2], lines.player(sitter.player), *words[2:]))
