"""Read the header of a handscript file: words and their values, several on a line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import EXPONENT_MOST, Settings, count_decimals
from ledger.formats.handscript.tokens import (
    TAIL,
    Group,
    LineError,
    build_word_error,
    format_word,
    get_column,
    get_text,
    is_quoted,
    parse_whole_number,
    quote,
    replace_text,
)
from ledger.formats.handscript.tokens import write_word as in_words
from ledger.formats.handscript.witnesses import WITNESS_WORDS, names_written_button
from ledger.hand.opening import GameSet
from ledger.table.events import GameChanged, StakesChanged

SETTINGS: Final = frozenset({"venue", "table", "seats", "tournament", "club", "witness", "unit", "book", "source"})
OPENING: Final = frozenset({"game", "option", "level"})
"""Events that the header may contain. They apply to every hand."""

MAGIC: Final = "handscript"
SECTIONS: Final = {"hand": "hand", "between-hands": "table", "case": "case", "house": "house"}
END, STOP, STACKS = "end", "stop", "stacks"
FILE_WORDS: Final = frozenset((*SECTIONS, *SETTINGS, *OPENING, MAGIC, END, STOP))
"""Words that begin or end a section, or apply to all lines below."""

WORD_ALIASES: Final = {
    "room": "venue",
    "casino": "venue",
    "cardroom": "venue",
    "rulebook": "book",
    "records": "witness",
}
"""Synonyms of the header's words."""

_NAMES: Final = ("venue", "table", "tournament", "club", "book", "source")
_WITNESS_WORDS: Final = frozenset(WITNESS_WORDS)

_HAPPENING_TEXT: Final = (
    "break breaks broke broken breaking close closes closed closing open opens opened opening end ends ended ending "
    "over change changes changed changing move moves moved moving start starts started starting stop stops stopped "
    "pause pauses paused resume resumes resumed shut shuts down up again full empty short is was has takes goes gets"
)
HAPPENING_WORDS: Final = frozenset(_HAPPENING_TEXT.split())
"""Words of events at a table or elsewhere: `table breaks` names no table. Equal names need quotes."""


def is_happening(words: Sequence[str]) -> bool:
    """Whether a line with a header's first word is an event: `table breaks`, `table 7 moved to 9`."""
    if words[0] not in _NAMES:
        return False
    names = [word for word, next_word in pairwise((*words[1:], "table")) if next_word in SETTINGS]
    return any(word in HAPPENING_WORDS for word in words[1:]) or any(word.lower() in HAPPENING_WORDS for word in names)


def suggest_meaning(words: Sequence[str]) -> str:
    """Return the likely meaning of such a line, if it names something."""
    if not all(map(_is_single_text, words)):
        return ""
    number = words[-1]
    if words[0] == "table" and number.isdecimal() and words[-2].lower() not in SETTINGS:
        return f"Where play goes on at another table, its name begins a new header: table {number}"
    return f"If it is a name, write it in quotes: {words[0]} {quote(' '.join(map(get_text, words[1:])))}"


def build_unknown_error(words: Sequence[str]) -> LineError:
    """Return the error for a line such as `table change`, which names no table."""
    problem = f"{' '.join(map(format_word, words))} tells nothing that is known here"
    return LineError(problem, column=get_column(words[0]), kind="verb", hint=suggest_meaning(words))


def name_in_words(text: str) -> str:
    """Return a name as the header writes it."""
    return quote(text) if text.lower() in HAPPENING_WORDS else in_words(text)


def is_replaced_by(words: Sequence[str], earlier_words: Sequence[str]) -> bool:
    """Whether a line of the header replaces an earlier line."""
    return earlier_words[0] == words[0] and (earlier_words[0] != "option" or earlier_words[1] == words[1])


def changes_game(events: Sequence[Event]) -> bool:
    """Whether events between hands change the header's game."""
    return any(isinstance(event, StakesChanged | GameChanged) for event in events)


def apply_changes(event: Event, table_events: Sequence[Event]) -> Event:
    """Return an event of the header as it applies to hands after these events between hands.

    If the blinds changed without new bets, the bets are unknown.
    """
    if not isinstance(event, GameSet):
        return event
    game = event
    for table_event in table_events:
        if isinstance(table_event, StakesChanged):
            bets = table_event.bets or (() if table_event.blinds else game.bets)
            ante = game.ante if table_event.ante is None else table_event.ante
            game = replace(game, blinds=table_event.blinds or game.blinds, ante=ante, bets=bets)
        elif isinstance(table_event, GameChanged):
            game = replace(game, variant=table_event.variant, betting=table_event.betting, written="")
    return game


def understand_settings(settings: Settings, words: Sequence[str]) -> None:
    """Read a line of the header, as written or after normalizing it."""
    try:
        read_settings(settings, words)
    except LineError as error:
        if not all(_is_single_text(word) for word in words):
            error.write = _quote_names(words)
            raise
        normalized = normalize_line(words)
        if normalized == words:
            error.write = suggest_line(error, normalized)
            raise
        try:
            read_settings(settings, normalized)
        except LineError as further:
            further.write = suggest_line(further, normalized)
            raise further from None


def _is_single_text(word: str) -> bool:
    """Whether a word is a single text. Only a player's name has a room after an `@`."""
    return TAIL not in word and not isinstance(word, Group)


def _quote_names(words: Sequence[str]) -> str:
    """Quote names with an `@` or parentheses in a header's line; return "" if it isn't a header's line."""
    line = normalize_line(
        [word if _is_single_text(word) else replace_text(word, f'"{_get_word_text(word)}') for word in words]
    )
    try:
        read_settings(Settings(), line)
    except LineError:
        return ""
    return _write_line(line)


def _get_word_text(word: str) -> str:
    """Return a word as written, without quotes."""
    if isinstance(word, Group):
        return f"({' '.join(map(_get_word_text, word.words))})"
    return "@".join(part.removeprefix('"') for part in word.split(TAIL))


def _write_line(line: Sequence[str]) -> str:
    return " ".join(name_in_words(get_text(word)) if is_quoted(word) else get_text(word) for word in line)


def read_settings(settings: Settings, words: Sequence[str]) -> None:
    """Read a line of the header."""
    index = 0
    while index < len(words):
        name = words[index]
        if name not in SETTINGS:
            raise _build_setting_error(words, index)
        if index + 1 == len(words):
            raise LineError(f"expected a value after {name}", form=_find_usage(name))
        value = words[index + 1]
        index += 2
        if name == "witness":
            first = index - 1
            while index < len(words) and _is_witness_word(words[index]):
                index += 1
            names = ",".join(slots.read_text(word) for word in words[first:index]).replace(",,", ",").strip(",")
            settings.trusts_derived_button = names_written_button(names)
            settings.witnesses = slots.read_witness_set(replace_text(value, '"' * is_quoted(value) + names))
        elif name == "seats":
            settings.seats = parse_whole_number(value)
        elif name == "unit":
            settings.unit = slots.read_text(value)
            if index < len(words) and words[index].lstrip("-")[:1].isdigit():
                settings.exponent = parse_whole_number(words[index])
                if count_decimals(settings.exponent) != settings.exponent:
                    raise build_word_error(f"a number of decimals from 0 to {EXPONENT_MOST}", words[index])
                index += 1
        else:
            setattr(settings, name, slots.read_text(value))


def _build_setting_error(words: Sequence[str], index: int) -> LineError:
    """Return the error for a word that doesn't begin a part of a header's line."""
    last_setting = next((word for word in reversed(words[:index]) if word in SETTINGS), "")
    witness_words = WITNESS_WORDS if last_setting == "witness" else ()
    alternatives = "what is recorded, or " if witness_words else ""
    return LineError(
        f"expected {alternatives}one of {', '.join(sorted(SETTINGS))}, found {format_word(words[index])}",
        column=get_column(words[index]),
        form=_find_usage(last_setting),
        choices=(*witness_words, *sorted(SETTINGS)),
    )


def _find_usage(name: str) -> str:
    return {
        "witness": "witness PROFILE-OR-KIND ... [except KIND ...]",
        "unit": "unit CODE DECIMALS",
        "seats": "seats NUMBER",
        "": "",
    }.get(name, f"{name} NAME, in quotes if it has blanks")


def _is_witness_word(word: str) -> bool:
    return word in _WITNESS_WORDS or all(part in _WITNESS_WORDS for part in get_text(word).split(",") if part)


def normalize_first_word(words: Sequence[str]) -> Sequence[str]:
    """Normalize a first word such as `Hand 12:` or `GAME ...` to the notation's word."""
    if not _is_single_text(words[0]):
        return words
    first = get_text(words[0]).lower().rstrip(":")
    number = first.removeprefix("hand").lstrip("#")
    if first.startswith("hand") and number.isascii() and number.isdigit():
        return [replace_text(words[0], "hand"), replace_text(words[0], number), *words[1:]]
    if first == "end" and set(words[1:]) <= {"of", "hand", "the"}:
        return [replace_text(words[0], END)]
    header_word = WORD_ALIASES.get(first, first)
    if is_quoted(words[0]) or not (header_word in FILE_WORDS and header_word not in (MAGIC, END)):
        return words
    remaining_words = words[1:]
    if header_word == "hand" and remaining_words:
        remaining_words = [replace_text(remaining_words[0], remaining_words[0].rstrip(":,")), *remaining_words[1:]]
    return [replace_text(words[0], header_word), *remaining_words]


def normalize_line(line: Sequence[str]) -> list[str]:
    """Join names of several words and normalize the words of a header's line."""
    words: list[str] = []
    name, is_value_expected = "", False  # the value of a name is still to come
    for word in line:
        bare_text = get_text(word).rstrip(":,")
        lowered = bare_text.lower() if words else WORD_ALIASES.get(bare_text.lower(), bare_text.lower())
        if not is_value_expected and not is_quoted(word) and lowered in SETTINGS:
            name, is_value_expected = lowered, True
            words.append(replace_text(word, lowered))
        elif name in _NAMES and not is_value_expected:
            words[-1] = replace_text(words[-1], f'"{get_text(words[-1])} {bare_text}')
        elif bare_text or is_quoted(word):
            is_value_expected = False
            words.append(word if is_quoted(word) else replace_text(word, bare_text))
    return words


def suggest_line(error: LineError, words: Sequence[str]) -> str:
    """Return the header's line with the invalid word replaced by the most similar valid word."""
    word_index = next((index for index, word in enumerate(words) if get_column(word) == error.column), None)
    if word_index is None:
        return ""
    for choice in get_close_matches(get_text(words[word_index]).lower(), error.choices, 3):
        line = [*words[:word_index], choice, *words[word_index + 1 :]]
        try:
            read_settings(Settings(), line)
        except LineError:
            continue
        return _write_line(line)
    return ""
