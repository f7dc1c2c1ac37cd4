"""Read what is pressed or typed in a hurry during a hand: `f`, `c`, `r 40`, three cards, Enter alone.

Each is a choice of `ledger.recording.choices` or a line of handscript. Ambiguous keys aren't guessed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import UsageError
from ledger.hand import ending as e
from ledger.hand.fold import apply
from ledger.recording import recording_errors
from ledger.recording.choices import HandChoice, build_board_event, build_wager_event, find_choices
from ledger.text.language import join_or, phrase, translatable
from ledger.vocabulary import in_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.recording.choices import ChoiceWord

KEYS: Final[dict[str, tuple[str, tuple[ChoiceWord, ...]]]] = {
    "f": ("fold", ("fold",)),
    "c": ("call, or check", ("call", "check")),
    "k": ("check", ("check",)),
    "b": ("bet: b 25", ("bet", "raise")),
    "r": ("raise to: r 40", ("raise", "bet")),
    "a": ("all-in", ("all-in",)),
    "s": ("show: s AhAd", ("show",)),
    "m": ("muck", ("muck",)),
    "u": ("take the last line back", ()),
}
"""Each key, its meaning, and the choices that it takes."""

INSTANT_KEYS: Final = ("f", "c", "k", "a", "m", "u")
"""Keys that need neither an argument nor Enter."""

_WORD_STARTS: Final = frozenset(("ac", "ca", "cu", "fa", "ka", "kc", "ma", "mu"))
"""Pairs of letters that begin a word, a name or a card: card, muck, Fay, ac."""

CONFIRM_TEXTS: Final = ("", ".")
"""Accepts a proposal: Enter alone, or a dot in lines of a file."""

_CHOICE_NAMES: Final = {
    "fold": translatable("fold"),
    "check": translatable("check"),
    "call": translatable("call"),
    "bet": translatable("bet"),
    "raise": translatable("raise"),
    "all-in": translatable("all-in"),
}
_STREET_NAMES: Final = {"flop": translatable("flop"), "turn": translatable("turn"), "river": translatable("river")}
_TURN_WORDS: Final = ("check", "bet", "fold", "call", "raise", "all-in")
_FLOP_CARDS: Final = 3
_COUNTS: Final = {2: translatable("two"), 3: translatable("three")}
_RANKS: Final = "23456789TJQKA"
_NEXT: Final = {
    "deal done": translatable("The cards aren't dealt yet: press Enter when they are."),
    "uncalled": translatable("The betting is over: press Enter to return the uncalled bet."),
    "showdown": translatable("The betting is over: press Enter for the showdown, or say who wins: 5 wins"),
    "win": translatable("The betting is over: say who wins, as in 5 wins."),
    "show": translatable("The betting is over: say who shows or wins, as in 5 wins."),
    "muck": translatable("The betting is over: say who shows or wins, as in 5 wins."),
    "end": translatable("The hand is over: press Enter."),
}
"""A description of the next step, by the first choice."""

_CARDS_PATTERN: Final = re.compile(r"(?:(?:10|[2-9TJQKAtjqka?])[shdcSHDC?])+")
_KEY_PATTERN: Final = re.compile(r"([a-z])(?:\s*)(.*)", re.DOTALL)
_WINNER_PATTERN: Final = re.compile(r"(\d{1,2}) +(?:wins?|takes it)")
_CONFIRMABLE: Final = ("deal done", "street", "uncalled", "showdown", "win", "end")
"""Choices that Enter alone confirms, since no player decides them."""
_IMPLIED: Final = ("uncalled", "showdown")
"""Choices that need no confirmation before a board or shown cards."""


class KeyMeaning(NamedTuple):
    """The meaning of a text: events to record, a line to read, or an undo."""

    events: tuple[HandEvent, ...] = ()
    line: str = ""
    undo: bool = False
    inferred: tuple[int, ...] = ()  # indexes of events that were proposed or implied


def read_key(text: str, state: HandState, scale: int) -> KeyMeaning:
    """Return the meaning of a text in this state of a hand; `scale`: decimals of its amounts.

    Steps that must come first and that no player decides are implied: a returned bet, the showdown. `UsageError` says
    why a key means nothing here.
    """
    try:
        return _read_text(text, state, scale)
    except UsageError as error:
        first_choice = next(iter(find_choices(state)), None)
        if first_choice is None or first_choice.word not in _IMPLIED:
            raise
        later_state = state.copy()
        for event in first_choice.events:
            apply(later_state, event)
        try:
            later_meaning = read_key(text, later_state, scale)
        except UsageError:
            raise error from None
        count = len(first_choice.events)
        return KeyMeaning(
            (*first_choice.events, *later_meaning.events),
            inferred=(*range(count), *(count + event_index for event_index in later_meaning.inferred)),
        )


def _read_text(text: str, state: HandState, scale: int) -> KeyMeaning:
    text = text.strip()
    if text in CONFIRM_TEXTS:
        return _confirm_choice(state)
    if text == "u":
        return KeyMeaning(undo=True)
    if are_cards(text):
        return _read_board(text, state)
    _require_sound_key(text, scale)
    if (winner := _WINNER_PATTERN.fullmatch(text)) is not None:
        return _read_winner(int(winner[1]), state)
    key_match = _KEY_PATTERN.fullmatch(text)
    if key_match is None or not _is_key(key_match[1], key_match[2], scale):
        return KeyMeaning(line=text)
    if key_match[1] == "s" and not key_match[2]:
        raise recording_errors.shown_cards_missing()
    return _choose_by_key(key_match[1], key_match[2], state, scale)


def _require_sound_key(text: str, scale: int) -> None:
    """Refuse a bad card among others, a bet or raise with a word for its amount, and a key in capitals."""
    if bad_card := _find_bad_card(text):
        raise recording_errors.bad_card(bad_card)
    first_word, _, key_argument = text.partition(" ")
    amount_text = key_argument.strip()
    if first_word in ("b", "r") and key_argument and _parse_amount(amount_text, scale) is None:
        raise recording_errors.bad_amount(amount_text, first_word)
    if len(first_word) == 1 and first_word.isupper() and first_word.lower() in KEYS:
        raise recording_errors.key_in_capitals(first_word, text)


def _is_key(key: str, key_argument: str, scale: int) -> bool:
    """Whether a letter is a key and takes what follows: an amount, or cards."""
    if key not in KEYS:
        return False
    if not key_argument:
        return True
    if key == "s":
        return are_cards(key_argument)
    return key in "br" and _parse_amount(key_argument, scale) is not None


def _find_bad_card(text: str) -> str:
    """Return the pair that isn't a card in a text like `7h2cKx`; "" = the text is something else."""
    word = text.replace("10", "T")
    pairs = [word[position : position + 2] for position in range(0, len(word), 2)]
    if len(pairs) < 2 or not are_cards(pairs[0]) or any(pair[0].upper() not in _RANKS for pair in pairs):
        return ""
    return next((pair for pair in pairs if not are_cards(pair)), "")


def describe_next(state: HandState) -> str:
    """Return the possible next acts in a dealer's words."""
    choices = find_choices(state)
    words = list(dict.fromkeys(choice.word for choice in choices))
    first_choice = next(iter(choices), None)
    if first_choice is None:
        return phrase("Nothing is due here: write the whole line.")
    if first_choice.word in _TURN_WORDS:
        acts = join_or([phrase(_CHOICE_NAMES[word]) for word in words if word in _TURN_WORDS])
        if "call" in words:
            return phrase("Seat {seat} faces a bet: {acts}.", seat=first_choice.seat, acts=acts)
        return phrase("Seat {seat}'s turn: {acts}.", seat=first_choice.seat, acts=acts)
    if first_choice.word == "street":
        return _describe_street(first_choice)
    return phrase(_NEXT[first_choice.word])


def _describe_street(choice: HandChoice) -> str:
    """Return how the next street is recorded."""
    street = _name_street(choice.street)
    if not choice.cards:
        return phrase("The betting is over: Enter for the {street}.", street=street)
    if choice.cards == 1:
        return phrase("The betting is over: type the {street} card, as in As.", street=street)
    return phrase(
        "The betting is over: type the {street}: {number} cards, as in AhKd7s.",
        street=street,
        number=_spell_count(choice.cards),
    )


def _name_street(street: str) -> str:
    return phrase(_STREET_NAMES.get(street, street))


def _spell_count(count: int) -> str:
    return phrase(_COUNTS[count]) if count in _COUNTS else str(count)


def _read_winner(seat: int, state: HandState) -> KeyMeaning:
    """Return the award of a winning seat without an amount: all that is left of the pot."""
    choice = next(
        (candidate for candidate in find_choices(state) if candidate.word == "win" and _pays_only(candidate, seat)),
        None,
    )
    if choice is None:
        return KeyMeaning(line=f"{seat} wins")
    return KeyMeaning(choice.events, inferred=tuple(range(len(choice.events))))


def _pays_only(choice: HandChoice, seat: int) -> bool:
    return bool(choice.events) and all(getattr(event, "seat", None) == seat for event in choice.events)


def is_word_start(key: str, letter: str) -> bool:
    """Whether two letters begin a word, although the first is in `INSTANT_KEYS`.

    >>> is_word_start("f", "l"), is_word_start("c", "a"), is_word_start("f", "f"), is_word_start("f", "c")
    (True, True, False, False)
    """
    return letter not in INSTANT_KEYS or key + letter in _WORD_STARTS


def _confirm_choice(state: HandState) -> KeyMeaning:
    """Return the choice that Enter confirms: a proposal that is the only one of its kind."""
    possible_choices = find_choices(state)
    first_choice = possible_choices[0] if possible_choices else None
    same_word = [
        candidate for candidate in possible_choices if first_choice is not None and candidate.word == first_choice.word
    ]
    if first_choice is None or first_choice.word not in _CONFIRMABLE or len(same_word) > 1:
        raise recording_errors.nothing_to_confirm()
    if not first_choice.events:  # an unseen board
        return KeyMeaning((build_board_event(first_choice.street, "??" * first_choice.cards),))
    return KeyMeaning(
        first_choice.events,
        inferred=tuple(range(len(first_choice.events))) if first_choice.word in ("uncalled", "win") else (),
    )


def _read_board(text: str, state: HandState) -> KeyMeaning:
    street_choice = next(
        (candidate for candidate in find_choices(state) if candidate.word == "street" and candidate.cards), None
    )
    cards = normalize_cards(text)
    if street_choice is None:
        choices = find_choices(state)
        is_betting = any(choice.word in _TURN_WORDS for choice in choices)
        raise recording_errors.board_not_due(describe_next(state) if is_betting else "")
    count, street = street_choice.cards, street_choice.street
    if len(cards) != 2 * count:
        turned = " ".join(cards[start : start + 2] for start in range(0, len(cards), 2))
        is_flop_again = count == 1 and len(cards) == 2 * _FLOP_CARDS
        line = "" if is_flop_again else f"{street} {turned}"
        raise recording_errors.wrong_board_count(
            _name_street(street), _spell_count(count), count, len(cards) // 2, line
        )
    return KeyMeaning((build_board_event(street_choice.street, cards),))


def _choose_by_key(key: str, key_argument: str, state: HandState, scale: int) -> KeyMeaning:
    choice = _find_choice(key, find_choices(state))
    if choice is None:
        raise recording_errors.key_not_due(key, describe_next(state))
    if key == "s" and choice.seat is not None:
        return KeyMeaning((e.CardsShown(choice.seat, normalize_cards(key_argument)),))
    if key in "br" and choice.seat is not None:
        return _read_wager(choice, choice.seat, key_argument, state, scale)
    return KeyMeaning(choice.events)


def _find_choice(key: str, possible_choices: Sequence[HandChoice]) -> HandChoice | None:
    """Return the choice for a key. All-in is also a call if the seat's stack is less than the bet."""
    for choice_word in KEYS[key][1]:
        for choice in possible_choices:
            if choice.word == choice_word:
                return choice
    all_in_calls = (
        choice for choice in possible_choices if choice.word == "call" and getattr(choice.events[0], "all_in", None)
    )
    return next(all_in_calls, None) if key == "a" else None


def _read_wager(choice: HandChoice, seat: int, amount_text: str, state: HandState, scale: int) -> KeyMeaning:
    total = _parse_amount(amount_text, scale) if amount_text else None
    if total is not None and total <= state.round.bet_to_call:
        raise recording_errors.raise_too_small(in_units(state.round.bet_to_call, scale), amount_text)
    if total is None and not choice.events:
        raise recording_errors.amount_missing()
    return KeyMeaning(choice.events if total is None else (build_wager_event(state, seat, total),))


def are_cards(text: str) -> bool:
    """Whether a text consists only of cards: `7h 2c`, `10h kd`."""
    return bool(_CARDS_PATTERN.fullmatch("".join(text.split())))


def normalize_cards(text: str) -> str:
    """Return cards as events have them: `10h kd` is `ThKd`."""
    card_text = "".join(text.split()).replace("10", "T")
    pairs: Sequence[str] = [card_text[position : position + 2] for position in range(0, len(card_text), 2)]
    return "".join(pair[0].upper() + pair[1].lower() for pair in pairs)


def _parse_amount(text: str, scale: int) -> int | None:
    """Return an amount in the table's smallest unit. None: the text isn't one, or has too many decimals."""
    whole_units, _, decimals = text.strip().lstrip("$€£").partition(".")
    decimals = decimals.rstrip("0")
    if not (whole_units.isascii() and whole_units.isdigit()) or len(whole_units) > 12 or len(decimals) > scale:
        return None
    if decimals and not (decimals.isascii() and decimals.isdigit()):
        return None
    return int(whole_units + decimals.ljust(scale, "0"))
