"""Advise on lines that can't be read: their form, and the nearest valid line.

An advised line is never recorded by itself: the writer decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from msgspec import structs

from ledger.account import Problem
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import candidates, interpreter, phrases, several, shorthand, slots
from ledger.formats.handscript.candidates import EventKinds
from ledger.formats.handscript.cards import normalize_cards
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.counts import is_number
from ledger.formats.handscript.grammar import Value, Wording
from ledger.formats.handscript.hint_checks import find_new_player, is_faithful
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.tokens import Counted, LineError, format_word, get_text, is_quoted, split_placed_words
from ledger.hand.betting import Called, Raised
from ledger.hand.opening import HandOpened
from ledger.table.events import DealerChanged
from ledger.vocabulary import PlayerId, Seat, in_units


def advise(
    error: UnreadableHandError,
    line: Sequence[str],
    context: Context,
    previous_time: str = "",
    kinds: EventKinds = frozenset(),
) -> tuple[UnreadableHandError, Sequence[Event]]:
    """Return the error with the nearest valid line, and that line's events, if there is one.

    `previous_time`: when the previous hand began, as written. `kinds`: the events that are allowed here.
    """
    if not isinstance(error, LineError) or error.write or not shorthand.is_short(line):
        return error, ()
    words = shorthand.clean_line(line, context)
    if error.kind == "place":
        moved = next(candidates.suggest_move(words, context), None)
        if moved is not None:  # `seat 2 moved to seat 7` begins as a line of a hand does
            error.write = " ".join(map(format_word, moved))
        return error, ()
    if _EMPTY_SEAT.fullmatch(" ".join(line)):
        return LineError("nobody sits in an empty seat", hint="Leave this line out."), ()
    if (unclear := _find_unclear_error(" ".join(line), kinds)) is not None:
        return unclear, ()
    error = _find_later_error(error, words, context)
    mark, started = context.people.mark(), context.started_text
    try:
        events = _advise_by_phrase(error, line, context, kinds)
        if not error.write:
            events = _advise_by_candidate(error, words, line, context, previous_time, kinds)
    finally:
        context.people.unlearn(mark)
        context.started_text = started
    if not error.write:
        error.form = error.form or _find_usage(words)
        write = _write_form(list(line) if get_text(line[0]) in BOOK.openers else words)
        error.write = write if write and _is_allowed_form(write, kinds) else ""
        error.hint = _build_hint(error, words, line, context, kinds) or error.hint
    return error, events


def _advise_by_phrase(error: LineError, line: Sequence[str], context: Context, kinds: EventKinds) -> Sequence[Event]:
    """Add a table phrase's meaning to the error; return its events."""
    text = shorthand.build_phrase_text(line, context)
    answers = [
        (phrase.build_hint(text), lines) for phrase, lines in phrases.find_meanings(phrases.ADVISED, text, context)
    ]
    for hint, lines in [*answers, *several.advise_seats(line, context), *_write_acts(line, context)]:
        if not all(_is_allowed_line(part, kinds) for part in phrases.split_lines(lines)):
            continue
        places = _PLACEHOLDER.search(lines)  # a line with placeholders can't be read yet
        events = () if places else shorthand.attempt_lines(lines, context)
        if places or events:
            error.write, error.hint = lines, hint
            return events
    return ()


def _find_unclear_error(text: str, kinds: EventKinds) -> LineError | None:
    """Return the error for a line of valid words that doesn't say who or what it is about."""
    if _DEALER_CHANGE.fullmatch(text):
        error = LineError("the new dealer's name is missing")
        error.write = "dealer DEALER" if not kinds or DealerChanged in kinds else ""
        error.hint = "" if error.write else "Write it between hands, with the name of the dealer."
        return error
    if _BREAK_PATTERN.fullmatch(text):
        hint = "Between hands, a pause is: paused break. A game that ends is: game-broken."
        return LineError("a break is a pause, or the end of the game", hint=hint)
    return None


def _write_event(event: Event, line: Sequence[str], context: Context) -> str:
    """Return the line of an event. Leave out a call's amount if the given line has none."""
    event_line = BOOK.format_line(event, context)
    if isinstance(event, Called) and not any(
        is_number(word) and previous_word != "to" for previous_word, word in pairwise(line)
    ):
        return event_line.replace(f"calls {in_units(event.added, context.scale)}", "calls", 1)
    return event_line


def _is_allowed_line(line: str, kinds: EventKinds) -> bool:
    """Whether a line's event is allowed here."""
    try:
        return not kinds or BOOK.find_wording(split_placed_words(line)[0]).kind in kinds
    except UnreadableHandError:
        return False


def _is_allowed_form(write: str, kinds: EventKinds) -> bool:
    """Whether a line with placeholders in capitals is allowed here."""
    return _is_allowed_line(re.sub(r"^SEAT\b", "1", write), kinds)


def _write_acts(line: Sequence[str], context: Context) -> list[tuple[str, str]]:
    """Return the lines of several acts that commas or words separate: `4 folds, 1 calls`."""
    splits = (_split_acts(line, separators) for separators in (_ACT_SEPARATORS, _ACT_SEPARATORS | {"and", "&"}))
    return next((answer for parts in splits if len(parts) > 1 and (answer := _read_acts(parts, context))), [])


def _split_acts(line: Sequence[str], separators: frozenset[str]) -> list[list[str]]:
    """Split a line at commas and the words that separate acts."""
    parts: list[list[str]] = [[]]
    for word in line:
        if not is_quoted(word) and word.lower() in separators:
            parts.append([])
            continue
        parts[-1].append(word)
        if not is_quoted(word) and word.endswith(","):
            parts.append([])
    return [part for part in parts if part]


def _read_acts(parts: Sequence[Sequence[str]], context: Context) -> list[tuple[str, str]]:
    """Return the lines of acts, each read after the one before, or [] if one can't be read."""
    if not all(len(part) > 1 for part in parts):
        return []
    copied_context = structs.replace(context, state=context.state.copy())  # a call after a raise is another amount
    lines: list[str] = []
    for part in parts:
        events = _attempt_event(part, copied_context) or interpreter.understand(part, copied_context)
        if not events:
            return []
        lines += [_write_event(event, part, copied_context) for event in events]
        for event in events:
            copied_context.follow(event)
    return [("", "; ".join(lines))]


_ACT_SEPARATORS: Final = frozenset(("then", "/"))


def _attempt_event(line: Sequence[str], context: Context) -> Sequence[Event]:
    event = shorthand.attempt(line, context)
    return () if event is None else (event,)


_EMPTY_SEAT: Final = re.compile(r"(?:seat )?[0-9]+(?: is)?(?: left)? (?:empty|vacant|unoccupied)[.,]?", re.IGNORECASE)
_DEALER_CHANGE: Final = re.compile(
    r"(?:the )?dealers? (?:is )?chang(?:es?|ed|ing)|chang(?:es?|ed|ing)(?: of)?(?: the)? dealers?", re.IGNORECASE
)
_BREAK_PATTERN: Final = re.compile(r"(?:(?:we )?takes? a |on (?:a )?|a |the |dinner )?breaks?", re.IGNORECASE)
_QUOTE_MARK: Final = '"'
_PLACEHOLDER: Final = re.compile(r"\b(?:CARDS|AMOUNT|PLAYER)\b")


def _advise_by_candidate(
    error: LineError, words: list[str], line: Sequence[str], context: Context, previous_time: str, kinds: EventKinds
) -> Sequence[Event]:
    """Add the likeliest candidate that keeps all facts of the line to the error; return its event."""
    known_count = context.people.mark()[0]
    for candidate in candidates.iter_candidates(error, words, line, context, previous_time, kinds):
        event = shorthand.attempt(candidate, context)
        if event is None or (kinds and type(event) not in kinds):
            continue
        write = _write_event(event, candidate, context)
        if not is_faithful(event, line, write, context):
            continue
        hint = _hint_raise_by(words, event, context) or _hint_clock(words, event, previous_time)
        player = find_new_player(line, context, known_count)
        if (
            candidate[0] != "seat"
            and words[1:2] != ["sits"]
            and (player or _has_uncapitalized_name(context, known_count))
        ):
            continue  # an unknown act
        if player:
            name = slots.PLAYER.write(player, context)
            hint = f"If a player is called {name.strip(_QUOTE_MARK)}, write: {write}"
            write = write.replace(f" {name} ", " PLAYER ", 1)
        error.write, error.hint = write, hint
        error.form = _find_usage(candidate) or error.form
        return (event,)
    return ()


def _has_uncapitalized_name(context: Context, known_count: int) -> bool:
    """Whether an attempt added a player whose name begins without a capital: `4 stays 3x`."""
    return any(not name[:1].isupper() for _, name in list(context.people.fresh_names.values())[known_count:])


def _hint_raise_by(words: list[str], event: Event, context: Context) -> str:
    """Return the other meaning of `5 raises 40`: raise by 40 instead of to 40."""
    if not isinstance(event, Raised) or "to" in words:
        return ""
    if "by" in words or event.all_in or not context.state.round.bet_to_call:
        return ""
    dealt_seat, raise_total = context.state.dealt.get(event.seat), context.state.round.bet_to_call + event.to
    remaining_stack = context.state.stack_left(event.seat) if dealt_seat else None
    if remaining_stack is not None and raise_total > context.bet(event.seat) + remaining_stack:
        return ""
    total = in_units(raise_total, context.scale)
    return f"Or, if it was raised by so much: {event.seat} raises to {total}"


def _hint_clock(words: list[str], event: Event, previous_time: str) -> str:
    """Return which parts of a suggested time are examples, if no earlier hand has a zone or the line has no day."""
    if not isinstance(event, HandOpened) or event.started is None or candidates.has_zone(previous_time):
        return ""
    day = (
        ""
        if candidates.DATE.search(" ".join(map(get_text, words)))
        else f"the day, and in place of {candidates.EXAMPLE_TIME[1]} "
    )
    return f"In place of {candidates.EXAMPLE_TIME[0] + ' write ' if day else candidates.EXAMPLE_TIME[1] + ' write '}{day}how far the room's clock is from UTC."


def _find_later_error(error: LineError, words: list[str], context: Context) -> LineError:
    """Return the error that remains after a line is normalized."""
    mark = context.people.mark()
    try:
        BOOK.parse(words, context)
    except LineError as further:
        if further.column > error.column or not further.column:
            return further
    except UnreadableHandError:
        pass
    finally:
        context.people.unlearn(mark)
    return error


def _build_hint(error: LineError, words: list[str], line: Sequence[str], context: Context, kinds: EventKinds) -> str:
    """Return a hint for a line without a valid suggestion."""
    if currency_sign := _find_foreign_sign(line, context):
        return f"The amounts of this table are in {context.settings.unit}, not in {currency_sign}."
    if any("," in word and get_text(word)[:1].isdigit() for word in words):
        return "Amounts are written 1200 or 12.50."
    if error.kind != "verb":
        return ""
    if {"chop", "chops", "split", "splits", "chopped"} & {get_text(word).lower() for word in line}:
        return "Write what each of them is paid: 6 wins 50; 8 wins 50."
    if hint := _build_name_hint(words, line, context):
        return hint
    nearest_words = get_close_matches(
        get_text(words[0]), candidates.list_allowed_words(error.choices, kinds), 3, candidates.WORD_SIMILARITY
    )
    return f"Nearest: {', '.join(nearest_words)}." if nearest_words else ""


def _find_foreign_sign(line: Sequence[str], context: Context) -> str:
    """Return the first sign of another currency than the table's, or ""."""
    unit = context.settings.unit
    return next((get_text(word)[0] for word in line if shorthand.has_foreign_sign(get_text(word), unit)), "")


def _build_name_hint(words: list[str], line: Sequence[str], context: Context) -> str:
    """Return who sits at the table if a line begins with an unknown name before a verb, or ""."""
    is_opened = context.state.opened is not None
    present_players = context.state.players if is_opened else context.sitting()
    if not present_players or len(words) < 2:
        return ""
    if shorthand.normalize_verb(words[1]) not in BOOK.verbs and words[1].lower() not in _BLIND_WORDS:
        return ""
    seat_list = ", ".join(f"{seat} {context.people.name(player)}" for seat, player in present_players.items() if player)
    presence_text = "is dealt in" if is_opened else "sits here"
    suggestion = _suggest_name(words, context, present_players)
    return f"Nobody called {format_word(line[0])} {presence_text}; seats: {seat_list}.{suggestion}"


def repeat_marks(error: LineError, moment_word: str | None, *, derived: bool) -> None:
    """Add a line's time and `derived` to the advised line."""
    if not error.write:
        return
    if moment_word and ":" in moment_word:
        error.write += f" at {get_text(moment_word)}"
    if derived:
        error.write += " derived"


def _suggest_name(words: Sequence[str], context: Context, present_players: Mapping[Seat, PlayerId]) -> str:
    """Ask whether a player with a similar name is meant, with the line for it; return "" if there is none."""
    seat_by_name = {(context.people.name(player) or "").casefold(): seat for seat, player in present_players.items()}
    name = get_text(words[0]).casefold()
    similar_names = [] if name in RESERVED_WORDS else get_close_matches(name, seat_by_name, 1, _NAME_SIMILARITY)
    if not similar_names:
        return ""
    seat, mark = seat_by_name[similar_names[0]], context.people.mark()
    event = shorthand.attempt([str(seat), *words[1:]], context)
    context.people.unlearn(mark)
    write = "" if event is None else _write_event(event, words, context)
    if event is None or not is_faithful(event, words, write, context):
        return ""
    return f" Did you mean {context.people.name(present_players[seat])}? Then write: {write}"


_NAME_SIMILARITY: Final = 0.7
_BLIND_WORDS: Final = frozenset(("sb", "bb", "small", "big"))


def build_problem(error: UnreadableHandError, line: int) -> Problem:
    """Return an error as a problem of a line in the file."""
    if isinstance(error, LineError):
        return Problem(line, error.column, error.reason, error.write, error.form, error.hint)
    return Problem(line, 0, error.reason, hint=error.hint)


def write_hint(problem: Problem) -> str:
    """Return a sentence about how the line should be written."""
    parts = [f"Write: {problem.write}" if problem.write else "", problem.hint]
    if problem.form and problem.form != problem.write:
        parts.insert(1, f"The line reads: {problem.form}")
    return "  ".join(part for part in parts if part)


def _find_usage(words: Sequence[str]) -> str:
    try:
        return BOOK.find_wording(words).usage()
    except UnreadableHandError:
        return ""


def _write_form(words: list[str]) -> str:
    """Return the valid part of a line, with placeholders for the missing words; "" if nothing is valid."""
    counts = any(type(word) is Counted for word in words[1:])
    if len(words) > 1 and words[1] == "calls" and is_seat(words[0]) and counts:
        amount = next((word for word in words[2:] if is_number(word) and type(word) is not Counted), "")
        return f"{words[0]} calls {amount}".strip()  # the other number isn't an amount
    if shorthand.normalize_verb(words[0]) in BOOK.verbs and not is_seat(words[0]):
        if shorthand.normalize_verb(words[1] if len(words) > 1 else "") in BOOK.verbs:
            return ""  # a player's name
        words = ["SEAT", shorthand.normalize_verb(words[0]), *words[1:]]
        return _fill_places(BOOK.verbs[words[1]], words)
    try:
        wording = BOOK.find_wording(words)
    except UnreadableHandError:
        return ""
    return _fill_places(wording, words)


def _fill_places(wording: Wording[Event], words: Sequence[str]) -> str:
    """Return the form of a line, filled with the line's words up to the first invalid word."""
    parts = wording.usage().split(" [", 1)[0].split()
    counts = any(type(word) is Counted for word in words)
    if len(parts) != len(wording.head) or (len(words) > len(parts) and not counts and _has_values(words[1:])):
        return ""
    for index, (part, word) in enumerate(zip(wording.head, words, strict=False)):
        if index == 0 and word == "SEAT":
            continue
        if isinstance(part, Value) and _is_possible_value(part, word, index):
            parts[index] = format_word(word)
        elif isinstance(part, Value) or word != part:
            break
    return " ".join(parts) if any(part.isupper() for part in parts) else ""


def _is_possible_value(part: Value, word: str, index: int) -> bool:
    """Whether a word can be a value of a line."""
    return part.slot.starts(word) and "," not in word and not (index and type(word) is Counted)


def _has_values(words: Sequence[str]) -> bool:
    """Whether words contain a number or cards, which a line with placeholders would lose."""
    return any(word[:1].isdigit() or is_quoted(word) or normalize_cards(word) for word in words)
