"""Suggest valid lines for a rejected line, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.formats.handscript import shorthand, slots, tableside
from ledger.formats.handscript.cards import normalize_cards
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.hint_checks import is_name
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.tokens import TAIL, Counted, LineError, get_column, get_text
from ledger.hand.order import actor
from ledger.hand.variants import VARIANTS
from ledger.readers import games
from ledger.table.events import StakesChanged
from ledger.vocabulary import Chips, Seat, in_units

EventKinds: TypeAlias = frozenset[type[Event]]
"""The events that are allowed in a place; empty = all events."""

_CLOCK: Final = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::[0-9]{2})?\s*([ap]m)?", re.IGNORECASE)
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EXAMPLE_TIME: Final = "2026-11-22", "-05:00"
"""An example day and zone for a suggested time without them."""
_QUOTE: Final = '"'
WORD_SIMILARITY: Final = 0.65
_CLOSE_SIMILARITY: Final = 0.75

_GAME_WORDS: Final = shorthand.parse_forms(
    "holdem no-limit: nlhe nlh",
    "holdem limit: lhe",
    "omaha pot-limit: plo",
    "omaha8 pot-limit: plo8",
    "omaha8 limit: o8",
    "holdem: hold'em texas hold-em",
    "no-limit: nl nolimit",
    "pot-limit: pl potlimit",
    "limit: fixed-limit fl",
    "cash: ring",
    "tournament: mtt sng",
)
_MOVE_VERBS: Final = ("moves", "moved", "move", "changes", "switches")
_BETTING_LIMITS: Final = ("no-limit", "pot-limit", "limit", "spread")
_NON_GAME_WORDS: Final = (*_BETTING_LIMITS, "cash", "tournament", "blinds")


def list_allowed_words(choices: Sequence[str], event_kinds: EventKinds) -> list[str]:
    """Return the first words of lines that are allowed here."""
    wordings = [(word, BOOK.openers.get(word) or BOOK.verbs.get(word)) for word in choices]
    return [word for word, wording in wordings if not event_kinds or wording is None or wording.kind in event_kinds]


def iter_candidates(
    error: LineError, words: list[str], line: Sequence[str], context: Context, previous_time: str, kinds: EventKinds
) -> Iterator[list[str]]:
    """Yield valid lines that the writer may have meant, the likeliest first."""
    yield from suggest_move(line, context)
    yield from _suggest_sitting(words)
    yield from _suggest_floor(words, line, context)
    yield from _suggest_words(words)
    for suggest in (_suggest_raise, _suggest_post, _suggest_seat, _suggest_all_in, _suggest_actor):
        yield from suggest(words, context)
    yield from _suggest_game(words, kinds)
    yield from _suggest_time(words, previous_time)
    if len(words) > 1 and _is_dealt(words[1], context) and shorthand.normalize_verb(words[0]) in BOOK.verbs:
        yield (reordered := [words[1], shorthand.normalize_verb(words[0]), *words[2:]])
        yield from _suggest_raise(reordered, context)
    if words[0] == "board":
        for street, cards in (("flop", 3), ("turn", 1), ("river", 1)):
            if len(words) == cards + 1:
                yield [street, *words[1:]]
    if shorthand.normalize_verb(words[0]) not in BOOK.verbs:
        yield from _replace_words(error, words, kinds)
    for reading in shorthand.yield_readings(words, context):
        yield from shorthand.join_names(reading)
        if words[0] == "seat":  # the stack is missing
            yield from shorthand.join_names([*reading, "?"])
            yield [*reading, "?"]


def _replace_words(error: LineError, words: list[str], kinds: EventKinds) -> Iterator[list[str]]:
    """Yield the line with the invalid word replaced by the most similar valid words."""
    word_index = next((index for index, word in enumerate(words) if get_column(word) == error.column), None)
    if word_index is None and error.kind == "verb":
        word_index = min(len(words) - 1, int(is_seat(words[0])))
    if word_index is None or (word_index == 0 and len(words) > 1 and shorthand.normalize_verb(words[1]) in BOOK.verbs):
        return  # a word before a verb is a player
    for word in _find_similar_words(get_text(words[word_index]).lower(), list_allowed_words(error.choices, kinds)):
        yield [*words[:word_index], word, *words[word_index + 1 :]]
        if get_close_matches(get_text(words[word_index]).lower(), [word], 1, _CLOSE_SIMILARITY):
            yield [*words[:word_index], word, "to", *words[word_index + 1 :]]


def _find_similar_words(word: str, choices: Sequence[str]) -> list[str]:
    """Return the words that a word may be a misspelling of. With another first letter, they must be very similar."""
    similar_words = get_close_matches(word, choices, 3, WORD_SIMILARITY)
    return [
        similar_word
        for similar_word in similar_words
        if similar_word[:1] == word[:1] or similar_word in get_close_matches(word, similar_words, 3, _CLOSE_SIMILARITY)
    ]


def _suggest_raise(words: list[str], context: Context) -> Iterator[list[str]]:
    """Suggest a total for `5 raises 40`, likely to 40, and for `5 raises by 40`, to 40 more than the bet."""
    if words[1:2] not in (["raises"], ["completes"]) or len(words) < 3:
        return
    if words[2] == "by" and len(words) > 3:
        raise_event = shorthand.attempt([words[0], "bets", words[3]], context)
        if raise_event is not None:
            raise_total = context.state.round.bet_to_call + raise_event.added  # type: ignore[attr-defined] # it is a bet
            yield [words[0], words[1], "to", _write_amount(raise_total, context), *words[4:]]
    else:
        yield [*words[:2], "to", *words[2:]]


def suggest_move(words: Sequence[str], context: Context) -> Iterator[list[str]]:
    """Suggest a seat change for `2 moves to 7`, `Bo moves from 2 to 7`. The player or the old seat may be missing."""
    if context.state.dealt:  # during a hand, chips move
        return
    words = shorthand.replace_first_name(list(words), shorthand.index_seats_by_name(context)) or words
    lowered = [get_text(word).lower() for word in words]
    verb_index = next((index for index, word in enumerate(lowered) if word in _MOVE_VERBS), 0)
    seats = [word for word in words[verb_index + 1 :] if is_seat(word) and word != "?"]
    if not verb_index or "to" not in lowered[verb_index:] or not 0 < len(seats) < 3:
        return
    name_words, origin = list(words[:verb_index]), seats[0]
    if is_seat(name_words[-1]):
        origin = name_words[-1]
        name_words = [tableside.write_player(origin, context) or "PLAYER"] if origin.isdecimal() else ["PLAYER"]
    elif len(seats) < 2:
        return
    yield ["moved", *_join_name(name_words), "from", origin, "to", seats[-1]]


def _write_amount(chips: int, context: Context) -> str:
    return in_units(chips, context.scale)


def _suggest_post(words: list[str], context: Context) -> Iterator[list[str]]:
    """Suggest a post with the role before the amount for `1 posts 2`, `5 posts 5 big`."""
    if len(words) < 3 or words[1] != "posts":
        return
    if len(words) > 3:
        yield [*words[:2], words[3], words[2], *words[4:]]
    game = context.state.game
    blinds = game.blinds if game else ()
    for role, amount in zip(("small", "big"), blinds, strict=False):
        if words[2] == _write_amount(amount, context):
            yield [*words[:2], role, *words[2:]]


def _suggest_seat(words: list[str], context: Context) -> Iterator[list[str]]:
    """Suggest a seat's line for `3 Joe 400`, before the deal."""
    if len(words) > 2 and is_seat(words[0]) and not context.state.deal_completed:
        if words[1] in BOOK.verbs or words[1].rstrip(":") in BOOK.openers or not slots.AMOUNT.starts(words[-1]):
            return
        if _is_taken(words[0], context):
            return
        name = " ".join(map(get_text, words[1:-1]))
        if is_name(name) or len(words) == _SEAT_LINE:
            line = ["seat", words[0], '"' + name, words[-1]]
            yield line if context.state.opened is not None else write_sitting(line)


def _is_dealt(word: str, context: Context) -> bool:
    """Whether a word is a seat of the hand, or any seat between hands."""
    return is_seat(word) and (not context.state.dealt or (word.isdecimal() and int(word) in context.state.dealt))


def _is_taken(seat: str, context: Context) -> bool:
    """Whether a seat is taken, so that the word after it is an act, not a name."""
    return seat.isdecimal() and context.find_occupant(int(seat)) is not None


_SEAT_LINE: Final = 3
"""The words of `3 Joe 400`."""


def write_sitting(words: Sequence[str]) -> list[str]:
    """Return the line of a player who sits down between hands for `seat 2 "Bo Lee" 480`."""
    seat, *name, stack = words[1:]
    return [seat, "sits", *_join_name(name), "stack", stack]


def _join_name(words: Sequence[str]) -> list[str]:
    return list(words) if len(words) < 2 else ['"' + " ".join(map(get_text, words))]


def _suggest_sitting(words: list[str]) -> Iterator[list[str]]:
    """Suggest `3 sits Cy stack 300` for `3 sits Cy 300`."""
    if len(words) > 3 and words[1] == "sits" and "stack" not in words and slots.AMOUNT.starts(words[-1]):
        name = [word for word in words[2:-1] if word not in RESERVED_WORDS]
        if not name:
            return
        yield [*words[:2], *_join_name(words[2:-2]), words[-2], "stack", words[-1]]
        yield [*words[:2], *_join_name(name), "stack", words[-1]]


def _suggest_words(words: list[str]) -> Iterator[list[str]]:
    """Suggest the declaration and the words for `3 says I call`, `3 folds out of turn`."""
    lowered = [get_text(word).lower() for word in words]
    if lowered[1:2] == ["says"] and len(lowered) > 2:
        spoken_words = [part.strip(",.!?") for word in lowered[2:] for part in word.split()]
        declaration = next((verb for word in spoken_words if (verb := word.rstrip("s")) in _DECLARED_ACTS), "")
        declaration = "board" if "board" in spoken_words or "plays-board" in spoken_words else declaration
        if declaration:
            yield [words[0], "says", declaration, "as", '"' + " ".join(map(get_text, words[2:]))]
    if lowered[-3:] == ["out", "of", "turn"]:
        yield words[:-3]
    elif lowered[-1:] == ["out-of-turn"]:
        yield words[:-1]


_DECLARED_ACTS: Final = ("fold", "check", "call", "bet", "raise", "all-in")


def _suggest_floor(words: list[str], line: Sequence[str], context: Context) -> Iterator[list[str]]:
    """Suggest floor events for `6 clock`, `time called on seat 6`, `card exposed Ah 5`, `misdeal exposed card`."""
    lowered = [get_text(word).lower() for word in words]
    spoken_words = {get_text(word).lower().strip(",.:") for word in line}  # `dealer` also begins a line of the notation
    actor = next((role for role in ("dealer", "floor", "player") if role in spoken_words), "")
    actor_words = ["by", actor] if actor else []
    if {"clock", "time"} & set(lowered) and len(seats := _find_seats(words, line, context)) == 1:
        yield ["clock", *seats, *actor_words]
    if lowered[0] == "misdeal" and len(lowered) > 2:
        yield ["misdeal", "-".join(lowered[1:])]
    elif _EXPOSURE_WORDS & set(lowered):
        exposed_words = _write_exposed(words, lowered, line, context)
        if exposed_words:
            yield ["exposed", *exposed_words, *actor_words]


def _write_exposed(words: list[str], lowered: list[str], line: Sequence[str], context: Context) -> list[str]:
    """Return the exposed cards, and their seat if one is named; [] if several seats are named."""
    cards = [card for word in words if (card := normalize_cards(word))]
    is_exposer_first = bool({"a", "card", "the"} & set(lowered[1:])) or lowered[1:2] in (["exposes"], ["flashes"])
    seats = _find_seats(words, line, context, any_number=bool(cards), may_begin=is_exposer_first)
    if len(seats) > 1:
        return []
    return [*(cards or ["??"]), *(["seat", *seats] if seats else [])]


_EXPOSURE_WORDS: Final = frozenset(("exposed", "exposes", "flashes"))
_SEAT_WORDS: Final = frozenset(("seat", "player"))


def _find_seats(
    words: Sequence[str], line: Sequence[str], context: Context, *, any_number: bool = True, may_begin: bool = True
) -> list[str]:
    """Return the seats that a line names. A bare number counts if the seat is taken and it isn't a count.

    `any_number`: any such number may be a seat. `may_begin`: the first word may be one.
    """
    names = shorthand.index_seats_by_name(context)
    spoken_words = [get_text(word).lower().strip(",.:") for word in line]
    seats = [str(names[word]) for word in spoken_words if names.get(word)]
    is_word_first = spoken_words[0][:1].isalpha() and spoken_words[0] not in _SEAT_WORDS
    if is_word_first and is_seat(words[0]) and names.get(spoken_words[0]) is None:
        seats.append(words[0])  # a name of several words
    neighbours = zip(["", *spoken_words], spoken_words, [*spoken_words[1:], ""], strict=False)
    for position, (previous_word, word, next_word) in enumerate(neighbours):
        if not word.isdecimal() or _counts_noun(word, next_word):
            continue
        may_be_bare = any_number or (may_begin and position == 0)
        if previous_word in _SEAT_WORDS or (may_be_bare and _is_bare_seat(previous_word, word, context)):
            seats.append(word)
    return seats


def _counts_noun(number: str, next_word: str) -> bool:
    """Whether a number counts the noun after it: `2 cards`, `1 card`."""
    return next_word in _COUNTED_NOUNS or (number, next_word) == ("1", "card")


def _is_bare_seat(previous_word: str, word: str, context: Context) -> bool:
    """Whether a number without `seat` before it may be a taken seat, and isn't the number of something else."""
    return previous_word not in _NUMBERED_NOUNS and _is_taken(word, context)


_COUNTED_NOUNS: Final = frozenset(("cards", "hole", "times", "seconds", "minutes", "sec", "min", "players"))
_NUMBERED_NOUNS: Final = frozenset(("card", "cards", "deck"))


def _suggest_all_in(words: list[str], context: Context) -> Iterator[list[str]]:
    """Suggest a bet, raise or call of the full stack for `5 all-in`, `5 shoves`."""
    lowered = {word.lower() for word in words[1:]}
    if not is_seat(words[0]) or not words[0].isdigit() or _ALL_IN_WORDS.isdisjoint(lowered):
        return
    seat, state = int(words[0]), context.state
    remaining_stack = state.stack_left(seat) if seat in state.dealt else None
    amounts = [word for word in words[1:] if slots.AMOUNT.starts(word) and type(word) is not Counted]
    if not remaining_stack or len(amounts) > 1:
        return
    if amounts:
        yield [words[0], *(["raises", "to"] if state.round.bet_to_call else ["bets"]), amounts[0], "all-in"]
    elif {"call", "calls"} & lowered:
        yield [words[0], "calls", "all-in"]
    else:
        yield [words[0], *_write_whole_stack(seat, remaining_stack, context), "all-in"]


def _write_whole_stack(seat: Seat, remaining_stack: Chips, context: Context) -> list[str]:
    """Return the act of a seat that goes all-in, with the amount: a bet, a call or a raise."""
    all_in_total, bet_to_call = context.bet(seat) + remaining_stack, context.state.round.bet_to_call
    if not bet_to_call:
        return ["bets", _write_amount(remaining_stack, context)]
    if all_in_total <= bet_to_call:
        return ["calls", _write_amount(remaining_stack, context)]
    return ["raises", "to", _write_amount(all_in_total, context)]


_ALL_IN_WORDS: Final = frozenset(("all-in", "shoves", "jams", "shove", "jam"))


def _suggest_actor(words: list[str], context: Context) -> Iterator[list[str]]:
    """Suggest the seat whose turn it is for `folds`, `raises to 40`."""
    seat = actor(context.state) if context.state.dealt else None
    verb = shorthand.normalize_verb(words[0])
    if seat is None or is_seat(words[0]) or verb not in BOOK.verbs:
        return
    line = [str(seat), verb, *words[1:]]
    yield line
    yield from _suggest_raise(line, context)


def _are_stakes(word: str) -> bool:
    """Whether a word is amounts separated by slashes, such as 2/5."""
    parts = word.split("/")
    return len(parts) > 1 and all(part.strip("0123456789.") == "" != part for part in parts)


def _suggest_game(words: list[str], kinds: EventKinds) -> Iterator[list[str]]:
    """Suggest the game's line for `blinds 2/5`, `NLHE 2/5`, `game no limit holdem $2/$5`."""
    words = _normalize_game(words)
    stakes = next((word for word in words if _are_stakes(word)), "")
    if not _says_game(words, stakes):
        return
    variant = _find_variant(words)
    if not variant:
        return  # any game for it would be a guess
    betting = next((word for word in words if word in _BETTING_LIMITS), "no-limit")
    game_format = "tournament" if "tournament" in words else "cash"
    line = ["game", variant, betting, game_format]
    if stakes:
        line += ["bets" if betting == "limit" and words[0] == "limits" else "blinds", stakes]
    if StakesChanged in kinds:
        yield ["stakes", *line[4:]]
        return
    unit = words[words.index("unit") :][:3] if "unit" in words else ["unit", "USD", "2"]
    yield [word.upper() if index == len(line) + 1 else word for index, word in enumerate(line + unit)]


def _says_game(words: list[str], stakes: str) -> bool:
    return bool(words) and (words[0] == "game" or _are_game_words(words, stakes))


def _normalize_game(words: list[str]) -> list[str]:
    """Normalize the words of a game's line: `nlhe` becomes `holdem no-limit`."""
    text = " ".join(get_text(word).lower() for word in words).replace("no limit", "no-limit")
    text = text.replace("pot limit", "pot-limit").replace("fixed limit", "limit")
    return " ".join(_GAME_WORDS.get(word, word) for word in text.split()).split()


def _are_game_words(words: list[str], stakes: str) -> bool:
    """Whether words without `game` are about the game: named stakes, or stakes with a game's name."""
    is_named = any(word in VARIANTS or word in _BETTING_LIMITS for word in words)
    return bool(stakes) and (is_named or words[0] in ("blinds", "stakes", "limits"))


def _find_variant(words: list[str]) -> str:
    """Return the game in these words, hold'em if there is no name, or "" if the name is unknown."""
    variant = next((word for word in words if word in VARIANTS), "")
    name = words[1] if words[0] == "game" and not variant and words[1:] else ""
    if name and name not in _NON_GAME_WORDS and not _are_stakes(name):
        return games.find_variant(name, frozenset(slots.GAMES)) or ""
    return variant or "holdem"


def has_zone(previous_time: str) -> bool:
    """Whether a hand's time has an offset from UTC."""
    return len(previous_time) >= 25


def _suggest_time(words: list[str], previous_time: str) -> Iterator[list[str]]:
    """Suggest a time with a date and an offset from UTC for `hand 12 3:02am`."""
    if words[0] != "hand":
        return
    if any(TAIL in word for word in words):  # `hand 1 table T@7`: only a player has a room
        yield [f'"{word.removeprefix(_QUOTE).replace(TAIL, "@")}' if TAIL in word else word for word in words]
        return
    hand_words, time_text = ["hand", *(words[1:2] or ["1"])], " ".join(map(get_text, words[2:]))
    clock_match = _CLOCK.search(time_text)
    if clock_match is None:
        yield hand_words
        return
    date = DATE.search(time_text)
    day, zone = (previous_time[:10], previous_time[-6:]) if has_zone(previous_time) else EXAMPLE_TIME
    hour = int(clock_match[1]) % 12 + 12 * (clock_match[3].lower() == "pm") if clock_match[3] else int(clock_match[1])
    yield [*hand_words, f"{date[0] if date else day}T{hour:02}:{clock_match[2]}:00{zone}"]
