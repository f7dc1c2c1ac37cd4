"""Lines as people write them: `Seat 3: Joe ($400)`, `joe bets $20`, `5 raise to 40`.

Only a line that no template reads comes here, so what is said in handscript keeps its meaning. It is
written anew, a step at a time, until a template takes it. What could be meant in two ways is not
understood: `advice` then says how the line should be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import counting, phrases, slots
from ledger.formats.handscript.cards import written_card
from ledger.formats.handscript.context import Context, SeatNames
from ledger.formats.handscript.grammar import Value, Wording
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.reserved import NO_NAMES
from ledger.formats.handscript.tokens import TAIL, Group, LineError, bare, counted, instead, placed, quoted, said
from ledger.hand.holdings import board
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Seat

_AMOUNT: Final = re.compile(r"([$€£]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)")
_FOREIGN: Final = {"$": frozenset(("EUR", "GBP")), "€": frozenset(("USD", "GBP")), "£": frozenset(("USD", "EUR"))}
"""Units whose amounts do not carry that sign."""


def forms(*rows: str) -> dict[str, str]:
    """Return a word of the notation by each of its other forms.

    >>> forms("folds: fold folded")
    {'fold': 'folds', 'folded': 'folds'}
    """
    return {form: word for word, _, others in (row.partition(": ") for row in rows) for form in others.split()}


VERBS: Final = forms(
    "folds: fold folded",
    "checks: check checked",
    "calls: call called",
    "bets: bet",
    "raises: raise raised reraise reraises reraised re-raise re-raises",
    "posts: post posted",
    "straddles: straddle straddled",
    "antes: ante anted",
    "shows: show showed shown",
    "mucks: muck mucked",
    "wins: win won",
    "leaves: leave left",
    "sits: sit sat",
    "discards: discard",
    "draws: draw drew",
    "completes: complete completed",
    "busts: bust busted",
    "gets: get got",
    "moves: move",
    "looks: look looked",
    "owes: owe owed",
    "back: returns returned",
    "waits: wait",
)
"""Other forms of the words that follow a seat."""

OPENERS: Final = forms(
    "button: dealer btn",
    "burn: burns burned burnt",
    "shuffle: shuffled shuffles",
    "cut: cuts",
    "misdeal: mis-deal",
    "deal: deals dealt",
    "remark: note comment",
)
"""Other words for those at the beginning of a line."""

_PHRASES: Final = tuple(
    (tuple(words.split()), tuple(meant.split()))
    for meant, others in (
        ("all-in", "all in, allin"),
        ("small", "small blind, sb"),
        ("big", "big blind, bb"),
        ("raises to", "makes it, make it, made it, raises it to"),
        ("away", "sits out, sitting out"),
        ("away-since", "away since, out since"),
        ("stands-pat", "stands pat"),
        ("brings-in", "brings in"),
        ("posts makeup-big", "posts missed big, posts the missed big, makes up big, makes up the big"),
        ("posts makeup-small", "posts missed small, posts the missed small, makes up small, makes up the small"),
        ("cannot-call", "cannot cover, cannot call, cannot-cover"),
    )
    for words in others.split(", ")
)
"""Words that stand together → how they are read."""

_DEALT: Final = frozenset(("deal", "hole", "cards", "the", "are", "all"))

_SMALL: Final = "the of a an and in on with has having is for"
_THINGS: Final = "chips chip dollars dollar bucks seat player blind blinds hand card cards pot"
_FILLERS: Final = frozenset((*_SMALL.split(), *_THINGS.split()))
"""Words that say nothing where a line is understood without them."""

_BEFORE_NO_NAME: Final = frozenset(("in", "on", "is", "for", "hand"))
"""Fillers that make no name of the word after them."""

_NO_NAME: Final = frozenset(("with", "has", "having", "in", "is", "for", "chips", "stack", "and", "all-in"))
"""Words that are hardly part of a name that stands without quotes."""

_NAME_WORDS: Final = 5
_WITHIN_NAMES: Final = frozenset(
    ["de", "da", "di", "del", "della", "der", "den", "van", "von", "la", "le", "el", "al", "bin", "ben"]
)

_BURN_BEFORE: Final = {0: "flop", 3: "turn", 4: "river"}


def one_event(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return the one event that a line tells."""
    for words in readings(line, context):
        event = attempt(words, context)
        if event is not None:
            return (event,)
        told = [found for one in joined(words) if (found := attempt(one, context)) is not None]
        if told:
            return told if len(told) == 1 else ()
    return ()


def short(line: Sequence[str]) -> bool:
    """Whether a line is one that somebody wrote by hand: only such a line is worth a second look."""
    return 0 < len(line) <= _WORDS_MOST and all(
        len(word) <= _LETTERS_MOST and (not isinstance(word, Group) or len(word.words) <= _WORDS_MOST) for word in line
    )


_WORDS_MOST: Final = 40
_LETTERS_MOST: Final = 200


def attempt(line: Sequence[str], context: Context) -> Event | None:
    """Return the event of a line if a template reads it; names that it does not use stay unknown."""
    mark, written = context.people.mark(), context.started_text
    try:
        event = BOOK.parse(line, context)
    except UnreadableHandError:
        event = None
    if event is None or (isinstance(event, PostReturned) and not _posted(event.seat, context)):
        context.people.unlearn(mark)
        context.started_text = written
        return None
    return event


def _posted(seat: Seat, context: Context) -> bool:
    """Whether a seat's post lies before it: what it takes back otherwise is no post."""
    state = context.state
    return not state.rounds and seat not in state.acted and any(post.seat == seat for post in state.posts)


def attempt_all(lines: str, context: Context) -> Sequence[Event]:
    """Return the events of lines that are parted by semicolons; none if one of them is not read."""
    mark = context.people.mark()
    try:
        events = [attempt(placed(line)[0], context) for line in phrases.parts(lines)]
    except UnreadableHandError:
        events = [None]
    if None in events:
        context.people.unlearn(mark)
        return ()
    return [event for event in events if event is not None]


def spoken(line: Sequence[str], context: Context) -> str:
    """Return a line as phrases are held against it: without marks, a seat for each name; "" for other lines."""
    words = _without_seat_word(plain_words(line, context))
    seats = seated(context)
    if not words:
        return ""
    words = [instead(word, word[:-2]) if _OWN.fullmatch(word) else word for word in words]
    words = words if is_seat(words[0]) else seat_first(words, seats) or words
    return phrases.phrase_text([words[0], *_by_seat(words[1:], seats, "seat")])


_OWN: Final = re.compile(r"[0-9]{1,2}'s")


def plain_words(line: Sequence[str], context: Context) -> list[str]:
    """Return the words of a line without brackets, colons and currency signs."""
    flat = _chips([part for word in line for part in _flat(word)])
    return [word for word in (_plain(one, context.settings.unit, context.scale) for one in flat) if word]


def readings(line: Sequence[str], context: Context) -> Iterator[list[str]]:
    """Yield the line as it stands, then with more and more of what people write put right."""
    yield list(line)
    words = cleaned(line, context)
    yield words
    yield [_card(word) for word in words]
    words = _hyphened(words)
    yield words
    fillers = _FILLERS if words[1:2] == ["wins"] else _FILLERS - {"pot"}
    if words[1:2] in (["sits"], ["leaves"]):
        fillers = fillers - _BEFORE_NO_NAME  # `2 leaves for dinner` names nobody
    fewer = [word for at, word in enumerate(words) if not at or word.lower() not in fillers]
    if not _binds_cards(words):
        yield fewer
        yield [_card(word) for word in fewer]
    if len(words) > 1 and words[1] == "raises" and _by_and_to(fewer):
        yield [*fewer[:2], *fewer[-2:]]
    seats = seated(context)
    if seats and not _binds_cards(words):
        yield [words[0], *_by_seat(fewer[1:], seats)]
    if fewer == ["burn"]:
        street = _BURN_BEFORE.get(len(board(context.state.dealing)))
        if street:
            yield [words[0], street]
    small = {OPENERS.get(word.lower(), word.lower()) for word in words}
    if "deal" in small <= _DEALT:
        yield ["deal", "done"]


def _binds_cards(words: Sequence[str]) -> bool:
    """Whether a small word between two cards says more than that there are two: `Ah for Ks` is an exchange."""
    inner = zip(words, words[1:], words[2:], strict=False)
    return any(word.lower() in _BINDING and written_card(left) and written_card(right) for left, word, right in inner)


_BINDING: Final = frozenset(("for", "on", "with", "in", "of", "is"))


def cleaned(line: Sequence[str], context: Context) -> list[str]:
    """Return a line without brackets, colons and currency signs, its seat and verb as they are read."""
    words = plain_words(line, context)
    if not words:
        return list(line)
    words = _without_seat_word(counting.marked(words, context))
    first = words[0].lower()
    words = words if is_seat(words[0]) else seat_first(words, seated(context)) or words
    if not is_seat(words[0]):
        words[0] = instead(words[0], OPENERS.get(first, first)) if not quoted(words[0]) else words[0]
        return words
    return [words[0], *_verb(words[1:])]


def _flat(word: str) -> list[str]:
    """Return what stands within parentheses without them, and cards parted by commas one by one."""
    if isinstance(word, Group):
        return [part for one in word.words for part in _flat(one)]
    parts = word.split(",")
    if len(parts) > 1 and all(not part or written_card(part) for part in parts):
        return [instead(word, part) for part in parts if part]
    return [word]


def _chips(words: list[str]) -> list[str]:
    """Return a line whose chips are parted by `/`, where it parts them by commas and they come to the amount before."""
    at = words.index("chips") if "chips" in words[1:] else 0
    parts = [part for word in words[at + 1 :] for part in word.split(",") if part] if at else []
    if len(parts) < 2 or not all(part.isdecimal() for part in parts):
        return words
    return [*words[: at + 1], "/".join(parts)] if words[at - 1] == str(sum(map(int, parts))) else words


def _plain(word: str, unit: str, scale: int) -> str:
    """Return a word without the marks around it; an amount as digits and a point."""
    if quoted(word):
        return word
    text, tail, room = word.partition(TAIL)
    text = text.strip("[]{}").rstrip(":,;.!").strip('“”„"')
    if not foreign(text, unit):
        parts = text.split("/")
        amounts = [_AMOUNT.fullmatch(part) for part in parts]
        if all(amounts) and not (scale > 2 and "," in text):
            text = "/".join(found[2].replace(",", "") for found in amounts if found)
    return instead(word, text + tail + room)


def _card(word: str) -> str:
    card = "" if quoted(word) or word.isdigit() else written_card(word)
    return instead(word, card) if card else word


# Seats and verbs


def seated(context: Context) -> Mapping[str, Seat | None]:
    """Return the seats of the hand, or of the table between hands, by name in small letters; None for two of one name.

    A name with its room, `ana` TAIL `lakeside`, is there too. The names are built once for a table: every line asks.
    """
    state, people = context.state, context.people
    players = context.sitting() if state.opened is None else state.players
    full_names = tuple(map(people.names.get, players.values()))
    before = context.seat_names
    if before is not None and before.full_names == full_names and before.players == players:
        return before.seats
    seats: dict[str, Seat | None] = {}
    for seat, player in players.items():
        name = (people.name(player) or "").casefold()
        room = people.names[player][0].casefold() if player in people.names else ""
        for key in (name, name + TAIL + room):
            seats[key] = None if key in seats else seat
    if None not in full_names:  # a name that is missing may be known elsewhere, and change there
        context.seat_names = SeatNames(dict(players), full_names, seats)
    return seats


def seat_first(words: list[str], seats: Mapping[str, Seat | None]) -> list[str] | None:
    """Return words that begin with a player's name with the seat instead; None if they do not."""
    for many in range(min(len(words), _NAME_WORDS), 0, -1):
        seat = seats.get(" ".join(word.removeprefix('"') for word in words[:many]).casefold().removesuffix("'s"))
        if seat is not None:
            return [instead(words[0], str(seat)), *words[many:]]
    return None


def _by_seat(words: list[str], seats: Mapping[str, Seat | None], announced: str = "") -> list[str]:
    """Return words with the seat, behind a word that announces it, wherever a player's name stands."""
    found: list[str] = []
    while words:
        named = seat_first(words, seats)
        if named is not None:
            found += [announced, counted(named[0])] if announced and found[-1:] != [announced] else [counted(named[0])]
            words = named[1:]
        else:
            found.append(words[0])
            words = words[1:]
    return found


def verb(word: str) -> str:
    """Return a word that follows a seat as handscript has it."""
    return "" if quoted(word) else VERBS.get(word.lower(), word.lower())


def foreign(text: str, unit: str) -> bool:
    """Whether an amount carries the sign of another currency than the table's."""
    return unit in _FOREIGN.get(text[:1], ())


def _without_seat_word(words: list[str]) -> list[str]:
    """Return `seat 5 folds` without its first word: who sits is told by a name and a stack."""
    if len(words) < 3 or words[0].lower() not in ("seat", "player"):
        return words
    following = words[2].lower()
    known = following == "is" or following in BOOK.verbs or following in VERBS
    return words[1:] if known and is_seat(words[1]) else words


def _verb(rest: list[str]) -> list[str]:
    """Return what follows a seat with the verb, and blinds, as handscript has them."""
    words = [
        instead(word, small)
        if (small := word.lower()) in _KNOWN or small in BOOK.verbs
        else word  # a name keeps its own
        for word in rest
    ]
    if words:
        words[0] = instead(words[0], VERBS.get(words[0], words[0]))
        if words[0] == "is" and len(words) > 1:  # `Joe is away`
            words = words[1:]
        if words[0] == "new":  # whoever is new has sat down
            words[0] = instead(words[0], "sits")
    at = 0
    while at < len(words):
        for pattern, meant in _PHRASES:
            part = words[at : at + len(pattern)]
            if tuple(part) == pattern:
                words[at : at + len(pattern)] = [instead(part[0], text) for text in meant]
                break
        at += 1
    if words and words[0] in ("small", "big"):
        words.insert(0, instead(words[0], "posts"))
    return words


_KNOWN: Final = frozenset(
    (*VERBS, *_FILLERS, *(word for pattern, _ in _PHRASES for word in pattern), "to", "from", "dead")
)


def _hyphened(words: list[str]) -> list[str]:
    """Return a line in which words that the notation writes with a hyphen stand as one: `double burn`, `walk in`."""
    found = list(words)
    at = 0
    while at < len(found) - 1:
        for many in range(min(_PARTS_MOST, len(found) - at), 1, -1):
            part = found[at : at + many]
            word = BOOK.hyphened.get(tuple(one.lower() for one in part))
            if word and all(bare(one) for one in part):
                found[at : at + many] = [instead(part[0], word)]
                break
        at += 1
    return found


_PARTS_MOST: Final = 5  # asked-to-be-dealt-out


def _by_and_to(words: list[str]) -> bool:
    """Whether a raise is told as `raises 10 to 40` or `raises from 10 to 40`: it is to 40."""
    amounts = words[3:] if words[2:3] == ["from"] else words[2:]
    return len(amounts) == 3 and amounts[1] == "to" and said(amounts[0]).replace(".", "", 1).isdigit()


# Names and texts without quotes


def joined(line: list[str]) -> Iterator[list[str]]:
    """Yield a line with several of its words taken as one name, or text."""
    try:
        wording = BOOK.wording(line)
    except LineError:
        return
    for at, text in _places(wording, line):
        last = at >= len(wording.head) - 1
        for end in range(at + 2, len(line) + 1):
            run = line[at:end]
            if not all(bare(word) for word in run):
                break
            if text or _may_be_name(run, last=last):
                yield [*line[:at], instead(run[0], '"' + " ".join(run)), *line[end:]]


def _may_be_name(run: list[str], *, last: bool) -> bool:
    """Whether words look like one name; `last`: nothing that is always told ends it."""
    if len(run) > _NAME_WORDS or any(word.lower() in _NO_NAME for word in run):
        return False
    if run[0] in NO_NAMES or run[-1] in NO_NAMES:
        return False
    return not last or all(word[:1].isupper() or word.lower() in _WITHIN_NAMES for word in run)


def _places(wording: Wording[Event], line: list[str]) -> list[tuple[int, bool]]:
    """Return where in a line a name stands, or something that is told; the truth says that it is a text."""
    values = [(at, part.slot.one) for at, part in enumerate(wording.head) if isinstance(part, Value)]
    found = [(at, slot is slots.FREE_TEXT) for at, slot in values if slot in _WORDY]
    for option in wording.options:
        if option.word and option.values[0].slot.one in _WORDY:
            found += [(at + 1, False) for at, word in enumerate(line) if word == option.word]
    return [one for one in found if one[0] < len(line)]


_WORDY: Final = (slots.PLAYER, slots.PERSON, slots.FREE_TEXT)
