"""What is pressed or typed in a hurry while a hand runs: `f`, `c`, `r 40`, three cards, nothing but Enter.

Each is a choice of `ledger.recording.choices` or a line of handscript. What may mean two things is not guessed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import UsageError
from ledger.hand import ending as e
from ledger.hand.fold import apply
from ledger.recording.choices import HandChoice, board_event, find_choices, wager_event
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
"""Each key, what it does, and which choices it takes."""

INSTANT_KEYS: Final = ("f", "c", "k", "a", "m", "u")
"""Keys that say all there is to say: they need no Enter."""

_WORD_STARTS: Final = frozenset(("ac", "ca", "cu", "fa", "ka", "kc", "ma", "mu"))
"""Two such letters with which a word, a name or a card begins: card, muck, Fay, ac."""

CONFIRM_TEXTS: Final = ("", ".")
"""What takes a proposal: nothing but Enter, or, in lines of a file, a dot."""

_CARDS_PATTERN: Final = re.compile(r"(?:(?:10|[2-9TJQKAtjqka?])[shdcSHDC?])+")
_KEY_PATTERN: Final = re.compile(r"([a-z])(?:\s*)(.*)", re.DOTALL)
_WINNER_PATTERN: Final = re.compile(r"(\d{1,2}) +(?:wins?|takes it)")
_CONFIRMABLE: Final = ("deal done", "street", "uncalled", "showdown", "win", "end")
"""What Enter alone confirms: nobody's will is in it."""
_IMPLIED: Final = ("uncalled", "showdown")
"""What need not be confirmed either, where a board or shown cards follow."""


class KeyMeaning(NamedTuple):
    """What was meant: events to be recorded, a line to be read, or that the last entry falls."""

    events: tuple[HandEvent, ...] = ()
    line: str = ""
    undo: bool = False
    inferred: tuple[int, ...] = ()  # which of the events were confirmed as proposed, or go without saying


def read_key(text: str, state: HandState, scale: int) -> KeyMeaning:
    """Return what a text means in a hand that stands so; `scale`: decimals of its amounts.

    What can only come before it, and is nobody's will, goes without saying: a bet that goes back, the showdown.
    `UsageError` says why a key means nothing here.
    """
    try:
        return _read_text(text, state, scale)
    except UsageError as error:
        first = next(iter(find_choices(state)), None)
        if first is None or first.word not in _IMPLIED:
            raise
        after = state.copy()
        for event in first.events:
            apply(after, event)
        try:
            later = read_key(text, after, scale)
        except UsageError:
            raise error from None
        count = len(first.events)
        return KeyMeaning(
            (*first.events, *later.events), inferred=(*range(count), *(count + at for at in later.inferred))
        )


def _read_text(text: str, state: HandState, scale: int) -> KeyMeaning:
    text = text.strip()
    if text in CONFIRM_TEXTS:
        return _confirm_choice(state)
    if text == "u":
        return KeyMeaning(undo=True)
    if _are_cards(text):
        return _read_board(text, state)
    word, _, rest = text.partition(" ")
    if word in ("b", "r") and rest and _parse_amount(rest.strip(), scale) is None:
        return _refuse(f"{rest.strip()!r} is no amount here", f"Digits, with a point where needed: {word} 40")
    if len(word) == 1 and word.isupper() and word.lower() in KEYS:
        return _refuse(f"{word} is no key", f"Keys are small letters: {text.lower()}")
    if (winner := _WINNER_PATTERN.fullmatch(text)) is not None:
        return _read_winner(int(winner[1]), state)
    key = _KEY_PATTERN.fullmatch(text)
    if key is None or key[1] not in KEYS or (key[2] and key[1] not in "brs"):
        return KeyMeaning(line=text)
    if key[1] in "br" and key[2] and _parse_amount(key[2], scale) is None:
        return KeyMeaning(line=text)
    if key[1] == "s" and not _are_cards(key[2]):
        return KeyMeaning(line=text) if key[2] else _refuse("which cards were shown is missing", "As in: s AhAd")
    return _choose_by_key(key[1], key[2], state, scale)


def _read_winner(seat: int, state: HandState) -> KeyMeaning:
    """Return what a seat is paid that wins, and nobody said how much: what is left of the pot."""
    choice = next((one for one in find_choices(state) if one.word == "win" and _pays_only(one, seat)), None)
    if choice is None:
        return KeyMeaning(line=f"{seat} wins")
    return KeyMeaning(choice.events, inferred=tuple(range(len(choice.events))))


def _pays_only(choice: HandChoice, seat: int) -> bool:
    return bool(choice.events) and all(getattr(event, "seat", None) == seat for event in choice.events)


def continues_word(key: str, letter: str) -> bool:
    """Whether a letter behind a key of `AT_ONCE` makes a word of the two, rather than being the next key.

    >>> goes_on("f", "l"), goes_on("c", "a"), goes_on("f", "f"), goes_on("f", "c")
    (True, True, False, False)
    """
    return letter not in INSTANT_KEYS or key + letter in _WORD_STARTS


def _confirm_choice(state: HandState) -> KeyMeaning:
    """Return what Enter confirms: a proposal that is the only one of its kind."""
    found = find_choices(state)
    first = found[0] if found else None
    same = [one for one in found if first is not None and one.word == first.word]
    if first is None or first.word not in _CONFIRMABLE or len(same) > 1:
        raise UsageError("nothing is proposed that could be confirmed", "Say what happened.")
    if not first.events:  # a board that nobody saw
        return KeyMeaning((board_event(first.street, "??" * first.cards),))
    return KeyMeaning(
        first.events, inferred=tuple(range(len(first.events))) if first.word in ("uncalled", "win") else ()
    )


def _read_board(text: str, state: HandState) -> KeyMeaning:
    street = next((one for one in find_choices(state) if one.word == "street" and one.cards), None)
    cards = normalize_cards(text)
    if street is None:
        return _refuse("no board is due here", "Whose cards are they? As in: 6 shows Ah Kd")
    if len(cards) != 2 * street.cards:
        return _refuse(
            f"the {street.street} has {street.cards} cards", "Another number is written out: flop 7h 2c Kd 3s"
        )
    return KeyMeaning((board_event(street.street, cards),))


def _choose_by_key(key: str, rest: str, state: HandState, scale: int) -> KeyMeaning:
    words = KEYS[key][1]
    found = find_choices(state)
    choice = next((one for word in words for one in found if one.word == word), None)
    if choice is None and key == "a":  # all it has is less than the bet
        choice = next((one for one in found if one.word == "call" and getattr(one.events[0], "all_in", None)), None)
    if choice is None:
        now = ", ".join(dict.fromkeys(one.word for one in found)) or "nothing"
        return _refuse(f"{KEYS[key][0].partition(':')[0]} is not what comes next", f"Next: {now}. Or write the line.")
    if key == "s" and choice.seat is not None:
        return KeyMeaning((e.CardsShown(choice.seat, normalize_cards(rest)),))
    if key in "br" and choice.seat is not None:
        return _read_wager(choice, choice.seat, rest, state, scale)
    return KeyMeaning(choice.events)


def _read_wager(choice: HandChoice, seat: int, rest: str, state: HandState, scale: int) -> KeyMeaning:
    total = _parse_amount(rest, scale) if rest else None
    if total is not None and total <= state.round.bet_to_call:
        return _refuse(
            f"the bet is {in_units(state.round.bet_to_call, scale)} already, and {rest} is no raise",
            "c calls it; r takes the total on this street. Or write the line.",
        )
    if total is None and not choice.events:
        return _refuse("to how much?", "As in: r 40, the total on this street.")
    return KeyMeaning(choice.events if total is None else (wager_event(state, seat, total),))


def _are_cards(text: str) -> bool:
    return bool(_CARDS_PATTERN.fullmatch("".join(text.split())))


def normalize_cards(text: str) -> str:
    """Return cards as they stand in events: `10h kd` is `ThKd`."""
    flat = "".join(text.split()).replace("10", "T")
    pairs: Sequence[str] = [flat[at : at + 2] for at in range(0, len(flat), 2)]
    return "".join(one[0].upper() + one[1].lower() for one in pairs)


def _parse_amount(text: str, scale: int) -> int | None:
    """Return an amount in the table's smallest unit, None if the text is none, or finer than that."""
    whole, _, part = text.strip().lstrip("$€£").partition(".")
    part = part.rstrip("0")
    if not (whole.isascii() and whole.isdigit()) or len(whole) > 12 or len(part) > scale:
        return None
    if part and not (part.isascii() and part.isdigit()):
        return None
    return int(whole + part.ljust(scale, "0"))


def _refuse(what: str, hint: str) -> KeyMeaning:
    raise UsageError(what, hint)
