"""Lines that a refused line may have been meant as, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.formats.handscript import shorthand, slots, tableside
from ledger.formats.handscript.cards import written_card
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.hint_checks import is_name
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.reserved import NO_NAMES
from ledger.formats.handscript.tokens import TAIL, Counted, LineError, column, said
from ledger.hand.order import actor
from ledger.hand.variants import VARIANTS
from ledger.readers import games
from ledger.table.events import StakesChanged
from ledger.vocabulary import in_units

Kinds: TypeAlias = frozenset[type[Event]]
"""Events that may stand in a place; none: any."""

_CLOCK: Final = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::[0-9]{2})?\s*([ap]m)?", re.IGNORECASE)
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EXAMPLE: Final = "2026-11-22", "-05:00"
"""A day and a zone for a suggested time that nothing else tells."""
_QUOTE: Final = '"'
NEAR: Final = 0.65
_VERY_NEAR: Final = 0.75

_GAMES: Final = shorthand.forms(
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
_MOVES: Final = ("moves", "moved", "move", "changes", "switches")
_BETTING: Final = ("no-limit", "pot-limit", "limit", "spread")
_NO_GAME: Final = (*_BETTING, "cash", "tournament", "blinds")


def fitting(choices: Sequence[str], kinds: Kinds) -> list[str]:
    """Return the words that begin a line which may stand there."""
    wordings = [(word, BOOK.openers.get(word) or BOOK.verbs.get(word)) for word in choices]
    return [word for word, wording in wordings if not kinds or wording is None or wording.kind in kinds]


def candidates(
    error: LineError, words: list[str], line: Sequence[str], context: Context, before: str, kinds: Kinds
) -> Iterator[list[str]]:
    """Yield the lines that a refused one may have been meant as, the likeliest first."""
    yield from meant_move(line, context)
    yield from _meant_sitting(words)
    yield from _meant_floor(words, line, context)
    yield from _meant_words(words)
    for make in (_meant_raise, _meant_post, _meant_seat, _meant_all_in, _meant_actor):
        yield from make(words, context)
    yield from _meant_game(words, kinds)
    yield from _meant_time(words, before)
    if len(words) > 1 and _is_dealt(words[1], context) and shorthand.verb(words[0]) in BOOK.verbs:
        yield (turned := [words[1], shorthand.verb(words[0]), *words[2:]])
        yield from _meant_raise(turned, context)
    if words[0] == "board":
        for street, cards in (("flop", 3), ("turn", 1), ("river", 1)):
            if len(words) == cards + 1:
                yield [street, *words[1:]]
    if shorthand.verb(words[0]) not in BOOK.verbs:
        yield from _near_words(error, words, kinds)
    for other in shorthand.readings(words, context):
        yield from shorthand.joined(other)
        if words[0] == "seat":  # its stack is not told
            yield from shorthand.joined([*other, "?"])
            yield [*other, "?"]


def _near_words(error: LineError, words: list[str], kinds: Kinds) -> Iterator[list[str]]:
    """Yield the line with the word that does not fit replaced by the nearest that would."""
    at = next((i for i, word in enumerate(words) if column(word) == error.column), None)
    if at is None and error.kind == "verb":
        at = min(len(words) - 1, int(is_seat(words[0])))
    if at is None or (at == 0 and len(words) > 1 and shorthand.verb(words[1]) in BOOK.verbs):
        return  # a word before a verb is somebody
    for word in _alike(said(words[at]).lower(), fitting(error.choices, kinds)):
        yield [*words[:at], word, *words[at + 1 :]]
        if get_close_matches(said(words[at]).lower(), [word], 1, _VERY_NEAR):
            yield [*words[:at], word, "to", *words[at + 1 :]]


def _alike(word: str, choices: Sequence[str]) -> list[str]:
    """Return the words that a word may be a slip of; one that begins otherwise must be very like it."""
    close = get_close_matches(word, choices, 3, NEAR)
    return [near for near in close if near[:1] == word[:1] or near in get_close_matches(word, close, 3, _VERY_NEAR)]


def _meant_raise(words: list[str], context: Context) -> Iterator[list[str]]:
    """`5 raises 40`: to 40 most likely; `5 raises by 40`: to 40 more than the bet."""
    if words[1:2] not in (["raises"], ["completes"]) or len(words) < 3:
        return
    if words[2] == "by" and len(words) > 3:
        more = shorthand.attempt([words[0], "bets", words[3]], context)
        if more is not None:
            level = context.state.round.bet_to_call + more.added  # type: ignore[attr-defined] # it is a bet
            yield [words[0], words[1], "to", _amount(level, context), *words[4:]]
    else:
        yield [*words[:2], "to", *words[2:]]


def meant_move(words: Sequence[str], context: Context) -> Iterator[list[str]]:
    """`2 moves to 7`, `Bo moves from 2 to 7`: somebody changed seats. Who, and from where, may be missing."""
    if context.state.dealt:  # within a hand it is chips that move
        return
    words = shorthand.seat_first(list(words), shorthand.seated(context)) or words
    small = [said(word).lower() for word in words]
    verb = next((at for at, word in enumerate(small) if word in _MOVES), 0)
    seats = [word for word in words[verb + 1 :] if is_seat(word) and word != "?"]
    if not verb or "to" not in small[verb:] or not 0 < len(seats) < 3:
        return
    who, start = list(words[:verb]), seats[0]
    if is_seat(who[-1]):
        start = who[-1]
        who = [tableside.name_of(start, context) or "PLAYER"] if start.isdecimal() else ["PLAYER"]
    elif len(seats) < 2:
        return
    yield ["moved", *_as_name(who), "from", start, "to", seats[-1]]


def _amount(chips: int, context: Context) -> str:
    return in_units(chips, context.scale)


def _meant_post(words: list[str], context: Context) -> Iterator[list[str]]:
    """`1 posts 2`, `5 posts 5 big`: the role stands before the amount."""
    if len(words) < 3 or words[1] != "posts":
        return
    if len(words) > 3:
        yield [*words[:2], words[3], words[2], *words[4:]]
    game = context.state.game
    blinds = game.blinds if game else ()
    for role, amount in zip(("small", "big"), blinds, strict=False):
        if words[2] == _amount(amount, context):
            yield [*words[:2], role, *words[2:]]


def _meant_seat(words: list[str], context: Context) -> Iterator[list[str]]:
    """`3 Joe 400`: somebody who sits, before the deal."""
    if len(words) > 2 and is_seat(words[0]) and not context.state.deal_completed:
        if words[1] in BOOK.verbs or words[1].rstrip(":") in BOOK.openers or not slots.AMOUNT.starts(words[-1]):
            return
        if _is_taken(words[0], context):
            return
        name = " ".join(map(said, words[1:-1]))
        if is_name(name) or len(words) == _SEAT_LINE:
            line = ["seat", words[0], '"' + name, words[-1]]
            yield line if context.state.opened is not None else sitting(line)


def _is_dealt(word: str, context: Context) -> bool:
    """Whether a word is a seat of the hand, or any seat where no hand runs."""
    return is_seat(word) and (not context.state.dealt or (word.isdecimal() and int(word) in context.state.dealt))


def _is_taken(seat: str, context: Context) -> bool:
    """Whether somebody sits in a seat: who is named behind it then is an act."""
    return seat.isdecimal() and context.occupant(int(seat)) is not None


_SEAT_LINE: Final = 3
"""The words of `3 Joe 400`."""


def sitting(words: Sequence[str]) -> list[str]:
    """Return `seat 2 "Bo Lee" 480` as the line of somebody who sits down between hands."""
    seat, *name, stack = words[1:]
    return [seat, "sits", *_as_name(name), "stack", stack]


def _as_name(words: Sequence[str]) -> list[str]:
    return list(words) if len(words) < 2 else ['"' + " ".join(map(said, words))]


def _meant_sitting(words: list[str]) -> Iterator[list[str]]:
    """`3 sits Cy 300`: a stack has its word before it."""
    if len(words) > 3 and words[1] == "sits" and "stack" not in words and slots.AMOUNT.starts(words[-1]):
        name = [word for word in words[2:-1] if word not in NO_NAMES]
        if not name:
            return
        yield [*words[:2], *_as_name(words[2:-2]), words[-2], "stack", words[-1]]
        yield [*words[:2], *_as_name(name), "stack", words[-1]]


def _meant_words(words: list[str]) -> Iterator[list[str]]:
    """`3 says I call`, `3 folds out of turn`: what was declared, and the words; whose turn it was the record knows."""
    small = [said(word).lower() for word in words]
    if small[1:2] == ["says"] and len(small) > 2:
        spoken = [part.strip(",.!?") for word in small[2:] for part in word.split()]
        what = next((verb for word in spoken if (verb := word.rstrip("s")) in _DECLARED), "")
        what = "board" if "board" in spoken or "plays-board" in spoken else what
        if what:
            yield [words[0], "says", what, "as", '"' + " ".join(map(said, words[2:]))]
    if small[-3:] == ["out", "of", "turn"]:
        yield words[:-3]
    elif small[-1:] == ["out-of-turn"]:
        yield words[:-1]


_DECLARED: Final = ("fold", "check", "call", "bet", "raise", "all-in")


def _meant_floor(words: list[str], line: Sequence[str], context: Context) -> Iterator[list[str]]:
    """`6 clock`, `time called on seat 6`, `card exposed Ah 5`, `misdeal exposed card`: what the floor is called for."""
    small = [said(word).lower() for word in words]
    spoken = [said(word).lower().strip(",.:") for word in line]  # `dealer` begins a line of the notation, too
    by = [part for who in ("dealer", "floor", "player") if who in spoken for part in ("by", who)][:2]
    cards = [card for word in words if (card := written_card(word))]
    if {"clock", "time"} & set(small) and len(seats := _seats_of(words, line, context)) == 1:
        yield ["clock", *seats, *by]
    if small[0] == "misdeal" and len(small) > 2:
        yield ["misdeal", "-".join(small[1:])]
    elif _EXPOSES & set(small):
        does = bool({"a", "card", "the"} & set(small[1:])) or small[1:2] in (["exposes"], ["flashes"])
        seats = _seats_of(words, line, context, alone=bool(cards), first=does)
        if len(seats) < 2:
            yield ["exposed", *(cards or ["??"]), *(part for seat in seats for part in ("seat", seat)), *by]


_EXPOSES: Final = frozenset(("exposed", "exposes", "flashes"))
_OF_SEATS: Final = frozenset(("seat", "player"))


def _seats_of(
    words: Sequence[str], line: Sequence[str], context: Context, *, alone: bool = True, first: bool = True
) -> list[str]:
    """Return the seats that a line names: a number alone is one where somebody sits, and it counts nothing.

    `alone`: any such number may be a seat; `first`: the first word may.
    """
    names = shorthand.seated(context)
    spoken = [said(word).lower().strip(",.:") for word in line]
    found = [str(names[word]) for word in spoken if names.get(word)]
    if is_seat(words[0]) and spoken[0][:1].isalpha() and spoken[0] not in _OF_SEATS and names.get(spoken[0]) is None:
        found.append(words[0])  # a name of several words
    for at, (before, word, behind) in enumerate(zip(["", *spoken], spoken, [*spoken[1:], ""], strict=False)):
        if not word.isdecimal() or behind in _COUNTS or (word, behind) == ("1", "card"):
            continue
        may_be = alone or (first and at == 0)
        if before in _OF_SEATS or (may_be and before not in _NUMBERED and _is_taken(word, context)):
            found.append(word)
    return found


_COUNTS: Final = frozenset(("cards", "hole", "times", "seconds", "minutes", "sec", "min", "players"))
_NUMBERED: Final = frozenset(("card", "cards", "deck"))


def _meant_all_in(words: list[str], context: Context) -> Iterator[list[str]]:
    """`5 all-in`, `5 shoves`: all that the seat has, as a bet, a raise or a call."""
    if not is_seat(words[0]) or not words[0].isdigit() or _SHOVES.isdisjoint(word.lower() for word in words[1:]):
        return
    seat, state = int(words[0]), context.state
    behind = state.stack_left(seat) if seat in state.dealt else None
    told = [word for word in words[1:] if slots.AMOUNT.starts(word) and type(word) is not Counted]
    if not behind or len(told) > 1:
        return
    to, level = context.bet(seat) + behind, state.round.bet_to_call
    if told:
        yield [words[0], *(["raises", "to"] if level else ["bets"]), told[0], "all-in"]
    elif {"call", "calls"} & {word.lower() for word in words[1:]}:
        yield [words[0], "calls", "all-in"]
    else:
        verb = ["calls"] if to <= level else ["raises", "to"] if level else ["bets"]
        yield [words[0], *verb, _amount(to if level < to and level else behind, context), "all-in"]


_SHOVES: Final = frozenset(("all-in", "shoves", "jams", "shove", "jam"))


def _meant_actor(words: list[str], context: Context) -> Iterator[list[str]]:
    """`folds`, `raises to 40`: the seat is missing; whose turn it is did so most likely."""
    seat = actor(context.state) if context.state.dealt else None
    verb = shorthand.verb(words[0])
    if seat is None or is_seat(words[0]) or verb not in BOOK.verbs:
        return
    line = [str(seat), verb, *words[1:]]
    yield line
    yield from _meant_raise(line, context)


def _are_stakes(word: str) -> bool:
    """Whether a word is amounts with strokes between them, such as 2/5."""
    parts = word.split("/")
    return len(parts) > 1 and all(part.strip("0123456789.") == "" != part for part in parts)


def _meant_game(words: list[str], kinds: Kinds) -> Iterator[list[str]]:
    """`blinds 2/5`, `NLHE 2/5`, `game no limit holdem $2/$5`: the line of the game."""
    texts = " ".join(said(word).lower() for word in words).replace("no limit", "no-limit")
    texts = texts.replace("pot limit", "pot-limit").replace("fixed limit", "limit")
    words = " ".join(_GAMES.get(word, word) for word in texts.split()).split()
    if not words:
        return
    named = any(word in VARIANTS or word in _BETTING for word in words)
    stakes = next((word for word in words if _are_stakes(word)), "")
    if words[0] != "game" and not (stakes and (named or words[0] in ("blinds", "stakes", "limits"))):
        return
    variant = next((word for word in words if word in VARIANTS), "holdem")
    other = words[1] if words[0] == "game" and variant not in words and words[1:] else ""
    if other and other not in _NO_GAME and not _are_stakes(other):
        if not (known := games.variant(other, frozenset(slots.GAMES))):
            return  # any game for it would be a guess
        variant = known
    betting = next((word for word in words if word in _BETTING), "no-limit")
    played = "tournament" if "tournament" in words else "cash"
    line = ["game", variant, betting, played]
    if stakes:
        line += ["bets" if betting == "limit" and words[0] == "limits" else "blinds", stakes]
    if StakesChanged in kinds:
        yield ["stakes", *line[4:]]
        return
    unit = words[words.index("unit") :][:3] if "unit" in words else ["unit", "USD", "2"]
    yield [word.upper() if at == len(line) + 1 else word for at, word in enumerate(line + unit)]


def tells_zone(before: str) -> bool:
    """Whether the time of a hand says how far its clock is from UTC."""
    return len(before) >= 25


def _meant_time(words: list[str], before: str) -> Iterator[list[str]]:
    """`hand 12 3:02am`: a time has its date, and how far it is from UTC."""
    if words[0] != "hand":
        return
    if any(TAIL in word for word in words):  # `hand 1 table T@7`: only a player has a room
        yield [f'"{word.removeprefix(_QUOTE).replace(TAIL, "@")}' if TAIL in word else word for word in words]
        return
    hand, rest = ["hand", *(words[1:2] or ["1"])], " ".join(map(said, words[2:]))
    found = _CLOCK.search(rest)
    if found is None:
        yield hand
        return
    date = DAY.search(rest)
    day, zone = (before[:10], before[-6:]) if tells_zone(before) else EXAMPLE
    hour = int(found[1]) % 12 + 12 * (found[3].lower() == "pm") if found[3] else int(found[1])
    yield [*hand, f"{date[0] if date else day}T{hour:02}:{found[2]}:00{zone}"]
