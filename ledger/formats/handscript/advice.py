"""How a line should be that cannot be read: its form, and the nearest line that is one.

What is said here is never taken for what was meant: whoever wrote the line chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias

from ledger.account import Problem
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import phrases, several, shorthand, slots, tableside
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.grammar import Value, Wording
from ledger.formats.handscript.hint_checks import is_faithful, is_name, new_player
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.tokens import Counted, LineError, column, said, shown
from ledger.hand.betting import Raised
from ledger.hand.opening import GameSet, HandOpened
from ledger.hand.order import actor
from ledger.hand.variants import VARIANTS
from ledger.readers import games
from ledger.vocabulary import in_units

Kinds: TypeAlias = frozenset[type[Event]]
"""Events that may stand in a place; none: any."""

_CLOCK: Final = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::[0-9]{2})?\s*([ap]m)?", re.IGNORECASE)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EXAMPLE: Final = "2026-11-22", "-05:00"
"""A day and a zone for a suggested time that nothing else tells."""
_NEAR: Final = 0.6
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


def advise(
    error: UnreadableHandError, line: Sequence[str], context: Context, before: str = "", kinds: Kinds = frozenset()
) -> tuple[UnreadableHandError, Sequence[Event]]:
    """Return the error with the nearest right line, and the events that this line tells, if one is found.

    `before` is the time of the hand before, as it was written. `kinds`: the events that may stand there.
    """
    if not isinstance(error, LineError) or error.write or not shorthand.short(line):
        return error, ()
    words = shorthand.cleaned(line, context)
    if error.kind == "place":
        moved = next(_meant_move(words, context), None)
        if moved is not None:  # `seat 2 moved to seat 7` begins as a line of a hand does
            error.write = " ".join(map(shown, moved))
        return error, ()
    error = _further(error, words, context)
    mark, started = context.people.mark(), context.started_text
    try:
        events = _advised(error, line, context) or _nearest(error, words, line, context, before, kinds)
    finally:
        context.people.unlearn(mark)
        context.started_text = started
    if not error.write:
        error.form = error.form or _form(words)
        error.write = _with_places(words)
        error.hint = _hint(error, words, line, context, kinds) or error.hint
    return error, events


def _advised(error: LineError, line: Sequence[str], context: Context) -> Sequence[Event]:
    """Answer a line with what a phrase of the table means; return its events."""
    text = shorthand.spoken(line, context)
    answers = [(one.hint_of(text), lines) for one, lines in phrases.meanings(phrases.ADVISED, text, context)]
    for hint, lines in [*answers, *several.answers(line, context)]:
        places = _PLACE.search(lines)  # to be filled in: such a line is not read yet
        events = () if places else shorthand.attempt_all(lines, context)
        if places or events:
            error.write, error.hint = lines, hint
            return events
    return ()


_QUOTE: Final = '"'
_PLACE: Final = re.compile(r"\b(?:CARDS|AMOUNT|PLAYER)\b")


def _nearest(
    error: LineError, words: list[str], line: Sequence[str], context: Context, before: str, kinds: Kinds
) -> Sequence[Event]:
    """Answer a line with the likeliest candidate that keeps what the line names; return its event."""
    known = context.people.mark()[0]
    for candidate in _candidates(error, words, line, context, before, kinds):
        event = shorthand.attempt(candidate, context)
        if event is None or (kinds and type(event) not in kinds):
            continue
        write = BOOK.line(event, context)
        if not is_faithful(event, line, write):
            continue
        hint = _other_raise(words, event, context) or _own_clock(words, event, before)
        if player := new_player(line, context, known):
            name = slots.PLAYER.write(player, context)
            hint = f"If a player is called {name.strip(_QUOTE)}, write: {write}"
            write = write.replace(name, "PLAYER", 1)
        error.write, error.hint = write, hint
        error.form = _form(candidate) or error.form
        return (event,)
    return ()


def _other_raise(words: list[str], event: Event, context: Context) -> str:
    """Return what `5 raises 40` may have meant as well: by so much, not to so much."""
    if not isinstance(event, Raised) or "to" in words:
        return ""
    if "by" in words or event.all_in or not context.state.level:
        return ""
    dealt, to = context.state.dealt.get(event.seat), context.state.level + event.to
    behind = context.state.behind(event.seat) if dealt else None
    if behind is not None and to > context.bet(event.seat) + behind:
        return ""
    total = _amount(to, context)
    return f"Or, if it was raised by so much: {event.seat} raises to {total}"


def _own_clock(words: list[str], event: Event, before: str) -> str:
    """Return what of a suggested time is an example: no hand before tells the room's zone, nor the line itself its day."""
    if not isinstance(event, HandOpened) or event.started is None or _tells_zone(before):
        return ""
    day = "" if _DAY.search(" ".join(map(said, words))) else f"the day, and in place of {_EXAMPLE[1]} "
    return f"In place of {_EXAMPLE[0] + ' write ' if day else _EXAMPLE[1] + ' write '}{day}how far the room's clock is from UTC."


def _further(error: LineError, words: list[str], context: Context) -> LineError:
    """Return what is wrong with a line once all is put right that people write otherwise."""
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


def _hint(error: LineError, words: list[str], line: Sequence[str], context: Context, kinds: Kinds) -> str:
    """Return what else there is to say of a line for which no right one was found."""
    sign = next((said(one)[0] for one in line if shorthand.foreign(said(one), context.settings.unit)), "")
    if sign:
        return f"The amounts of this table are in {context.settings.unit}, not in {sign}."
    if any("," in word and said(word)[:1].isdigit() for word in words):
        return "Amounts are written 1200 or 12.50."
    if error.kind != "verb":
        return ""
    if {"chop", "chops", "split", "splits", "chopped"} & {said(word).lower() for word in line}:
        return "What each of them is paid stands for itself: 6 wins 50; 8 wins 50."
    here = context.sitting() if context.state.opened is None else context.state.players
    if here and len(words) > 1 and (shorthand.verb(words[1]) in BOOK.verbs or words[1].lower() in _BLINDS):
        known = ", ".join(f"{seat} {context.people.name(player)}" for seat, player in here.items() if player)
        where = "is dealt in" if context.state.opened is not None else "sits here"
        return f"Nobody called {shown(line[0])} {where}; seats: {known}."
    near = get_close_matches(said(words[0]), _fitting(error.choices, kinds), 3, _NEAR)
    return f"Nearest: {', '.join(near)}." if near else ""


_BLINDS: Final = frozenset(("sb", "bb", "small", "big"))


def _fitting(choices: Sequence[str], kinds: Kinds) -> list[str]:
    """Return the words that begin a line which may stand there."""
    wordings = [(word, BOOK.openers.get(word) or BOOK.verbs.get(word)) for word in choices]
    return [word for word, wording in wordings if not kinds or wording is None or wording.kind in kinds]


def problem(error: UnreadableHandError, line: int) -> Problem:
    """Return an error as what is wrong in a line of the file."""
    if isinstance(error, LineError):
        return Problem(line, error.column, error.reason, error.write, error.form, error.hint)
    return Problem(line, 0, error.reason, hint=error.hint)


def hint(found: Problem) -> str:
    """Return in one sentence how the line should be."""
    parts = [f"Write: {found.write}" if found.write else "", found.hint]
    if found.form and found.form != found.write:
        parts.insert(1, f"The line reads: {found.form}")
    return "  ".join(part for part in parts if part)


def _form(words: Sequence[str]) -> str:
    try:
        return BOOK.wording(words).usage()
    except UnreadableHandError:
        return ""


def _with_places(words: list[str]) -> str:
    """Return a line as far as it is right, with words in capitals for what is missing; "" if nothing is."""
    if (
        len(words) > 1
        and words[1] == "calls"
        and is_seat(words[0])
        and any(type(word) is Counted for word in words[1:])
    ):
        return f"{words[0]} calls"  # whatever the number counts, it is no amount
    if shorthand.verb(words[0]) in BOOK.verbs and not is_seat(words[0]):
        words = ["SEAT", shorthand.verb(words[0]), *words[1:]]
        wording: Wording[Event] = BOOK.verbs[words[1]]
    else:
        try:
            wording = BOOK.wording(words)
        except UnreadableHandError:
            return ""
    parts = wording.usage().split(" [", 1)[0].split()
    counts = any(type(word) is Counted for word in words)
    if len(parts) != len(wording.head) or (len(words) > len(parts) and not counts):
        return ""
    for at, (part, word) in enumerate(zip(wording.head, words, strict=False)):
        if at == 0 and word == "SEAT":
            continue
        if (
            isinstance(part, Value)
            and part.slot.starts(word)
            and "," not in word
            and not (at and type(word) is Counted)
        ):
            parts[at] = shown(word)
        elif isinstance(part, Value) or word != part:
            break
    return " ".join(parts) if any(part.isupper() for part in parts) else ""


# What could have been meant, the likeliest first


def _candidates(
    error: LineError, words: list[str], line: Sequence[str], context: Context, before: str, kinds: Kinds
) -> Iterator[list[str]]:
    yield from _meant_move(line, context)
    yield from _meant_sitting(words)
    yield from _meant_floor(words, line, context)
    yield from _meant_words(words)
    for make in (_meant_raise, _meant_post, _meant_seat, _meant_all_in, _meant_actor):
        yield from make(words, context)
    yield from _meant_game(words, kinds)
    yield from _meant_time(words, before)
    if len(words) > 1 and is_seat(words[1]) and shorthand.verb(words[0]) in BOOK.verbs:
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
    for word in _alike(said(words[at]).lower(), _fitting(error.choices, kinds)):
        yield [*words[:at], word, *words[at + 1 :]]
        yield [*words[:at], word, "to", *words[at + 1 :]]


def _alike(word: str, choices: Sequence[str]) -> list[str]:
    """Return the words that a word may be a slip of; one that begins otherwise must be very like it."""
    close = get_close_matches(word, choices, 3, _NEAR)
    return [near for near in close if near[:1] == word[:1] or near in get_close_matches(word, close, 3, _VERY_NEAR)]


def _meant_raise(words: list[str], context: Context) -> Iterator[list[str]]:
    """`5 raises 40`: to 40 most likely; `5 raises by 40`: to 40 more than the bet."""
    if words[1:2] not in (["raises"], ["completes"]) or len(words) < 3:
        return
    if words[2] == "by" and len(words) > 3:
        more = shorthand.attempt([words[0], "bets", words[3]], context)
        if more is not None:
            level = context.state.level + more.added  # type: ignore[attr-defined] # it is a bet
            yield [words[0], words[1], "to", _amount(level, context), *words[4:]]
    else:
        yield [*words[:2], "to", *words[2:]]


def _meant_move(words: Sequence[str], context: Context) -> Iterator[list[str]]:
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
        if words[1] in BOOK.verbs or not slots.AMOUNT.starts(words[-1]) or _is_taken(words[0], context):
            return
        name = " ".join(map(said, words[1:-1]))
        if is_name(name) or len(words) == _SEAT_LINE:
            line = ["seat", words[0], '"' + name, words[-1]]
            yield line if context.state.opened is not None else sitting(line)


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
        name = [word for word in words[2:-1] if word.lower() not in ("with", "for", "has")]
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
    names = shorthand.seated(context)
    seats = [word if is_seat(word) else str(names.get(word)) for word in small if is_seat(word) or names.get(word)]
    by = [part for who in ("dealer", "floor", "player") if who in spoken for part in ("by", who)][:2]
    if {"clock", "time"} & set(small) and len(seats) == 1:
        yield ["clock", *seats, *by]
    if small[0] == "misdeal" and len(small) > 2:
        yield ["misdeal", "-".join(small[1:])]
    elif {"exposed", "exposes"} & set(small) and len(seats) < 2:
        cards = [card for word in words if (card := shorthand.written_card(word))]
        yield ["exposed", *(cards or ["??"]), *(part for seat in seats for part in ("seat", seat)), *by]


def _meant_all_in(words: list[str], context: Context) -> Iterator[list[str]]:
    """`5 all-in`, `5 shoves`: all that the seat has, as a bet, a raise or a call."""
    if not is_seat(words[0]) or not words[0].isdigit() or _SHOVES.isdisjoint(word.lower() for word in words[1:]):
        return
    seat, state = int(words[0]), context.state
    behind = state.behind(seat) if seat in state.dealt else None
    if behind:
        to, level = context.bet(seat) + behind, state.level
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
    if words[0] not in ("game", "blinds", "stakes", "limits") and not (named and stakes):
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
    if kinds and GameSet not in kinds:
        yield ["stakes", *line[4:]]
        return
    unit = words[words.index("unit") :][:3] if "unit" in words else ["unit", "USD", "2"]
    yield [word.upper() if at == len(line) + 1 else word for at, word in enumerate(line + unit)]


def _tells_zone(before: str) -> bool:
    return len(before) >= 25


def _meant_time(words: list[str], before: str) -> Iterator[list[str]]:
    """`hand 12 3:02am`: a time has its date, and how far it is from UTC."""
    if words[0] != "hand":
        return
    hand, rest = ["hand", *(words[1:2] or ["1"])], " ".join(map(said, words[2:]))
    found = _CLOCK.search(rest)
    if found is None:
        yield hand
        return
    date = _DAY.search(rest)
    day, zone = (before[:10], before[-6:]) if _tells_zone(before) else _EXAMPLE
    hour = int(found[1]) % 12 + 12 * (found[3].lower() == "pm") if found[3] else int(found[1])
    yield [*hand, f"{date[0] if date else day}T{hour:02}:{found[2]}:00{zone}"]
