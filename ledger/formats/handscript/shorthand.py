"""Normalize lines as people write them: `Seat 3: Joe ($400)`, `joe bets $20`, `5 raise to 40`.

Only lines that fit no template come here, so handscript lines keep their meaning. A line is rewritten step by step until
a template fits. An ambiguous line isn't read: `advice` then suggests a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import counts, phrases, slots
from ledger.formats.handscript.cards import normalize_cards
from ledger.formats.handscript.context import Context, SeatNames
from ledger.formats.handscript.grammar import Value, Wording
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.reserved import RESERVED_WORDS
from ledger.formats.handscript.tokens import (
    TAIL,
    Group,
    LineError,
    get_text,
    is_plain,
    is_quoted,
    make_counted,
    replace_text,
    split_placed_words,
)
from ledger.hand.holdings import find_board
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Seat

_AMOUNT: Final = re.compile(r"([$€£]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)")
_PRICE_AND_FEE: Final = re.compile(rf"({_AMOUNT.pattern})\+({_AMOUNT.pattern})")
_FOREIGN: Final = {"$": frozenset(("EUR", "GBP")), "€": frozenset(("USD", "GBP")), "£": frozenset(("USD", "EUR"))}
"""A currency sign → the units that it can't mean."""


def parse_forms(*rows: str) -> dict[str, str]:
    """Map each other form of a word to the notation's word.

    >>> parse_forms("folds: fold folded")
    {'fold': 'folds', 'folded': 'folds'}
    """
    return {
        form: word for word, _, alternatives in (row.partition(": ") for row in rows) for form in alternatives.split()
    }


VERBS: Final = parse_forms(
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

OPENERS: Final = parse_forms(
    "button: dealer btn",
    "burn: burns burned burnt",
    "shuffle: shuffled shuffles",
    "cut: cuts",
    "misdeal: mis-deal",
    "deal: deals dealt",
    "remark: note comment",
    "promotion-box: promo-box",
    "promotion-paid: promo-paid",
    "re-entry: reentry",
    "rebuy: re-buy",
    "add-on: addon",
)
"""Synonyms of first words of a line."""

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
"""Word groups → their normalized form."""

_DEAL_WORDS: Final = frozenset(("deal", "hole", "cards", "the", "are", "all"))

_FUNCTION_WORDS: Final = "the of a an and in on with has having is for"
_TABLE_NOUNS: Final = "chips chip dollars dollar bucks seat player blind blinds hand card cards pot"
_FILLERS: Final = frozenset((*_FUNCTION_WORDS.split(), *_TABLE_NOUNS.split()))
"""Words that may be dropped if a line can be read without them."""

_BEFORE_NO_NAME: Final = frozenset(("in", "on", "is", "for", "hand"))
"""Fillers after which a word isn't a name."""

_NO_NAME: Final = frozenset(("with", "has", "having", "in", "is", "for", "chips", "stack", "and", "all-in"))
"""Words that are unlikely in a name without quotes."""

_NAME_WORDS: Final = 5
_WITHIN_NAMES: Final = frozenset(
    ["de", "da", "di", "del", "della", "der", "den", "van", "von", "la", "le", "el", "al", "bin", "ben"]
)

_BURN_BEFORE: Final = {0: "flop", 3: "turn", 4: "river"}


def read_event(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return the event of a line, if it has exactly one."""
    for words in yield_readings(line, context):
        event = attempt(words, context)
        if event is not None:
            return (event,)
        events = [event_read for reading in join_names(words) if (event_read := attempt(reading, context)) is not None]
        if events:
            return events if len(events) == 1 else ()
    return ()


def is_short(line: Sequence[str]) -> bool:
    """Whether a line is short enough to be written by hand. Only such lines are normalized."""
    return 0 < len(line) <= _WORDS_MOST and all(
        len(word) <= _LETTERS_MOST and (not isinstance(word, Group) or len(word.words) <= _WORDS_MOST) for word in line
    )


_WORDS_MOST: Final = 40
_LETTERS_MOST: Final = 200


def attempt(line: Sequence[str], context: Context) -> Event | None:
    """Return the event of a line if a template fits. Unused names aren't added to the people."""
    people_mark, started_text = context.people.mark(), context.started_text
    try:
        event = BOOK.parse(line, context)
    except UnreadableHandError:
        event = None
    if event is None or (isinstance(event, PostReturned) and not _has_own_post(event.seat, context)):
        context.people.unlearn(people_mark)
        context.started_text = started_text
        return None
    return event


def _has_own_post(seat: Seat, context: Context) -> bool:
    """Whether a seat has posted chips that it can take back."""
    state = context.state
    return not state.rounds and seat not in state.acted and any(post.seat == seat for post in state.posts)


def attempt_lines(lines: str, context: Context) -> Sequence[Event]:
    """Return the events of lines separated by semicolons, or () if one of them can't be read."""
    mark = context.people.mark()
    try:
        events = [attempt(split_placed_words(line)[0], context) for line in phrases.split_lines(lines)]
    except UnreadableHandError:
        events = [None]
    if None in events:
        context.people.unlearn(mark)
        return ()
    return [event for event in events if event is not None]


def build_phrase_text(line: Sequence[str], context: Context) -> str:
    """Return a line's text for matching phrases: without marks, with seats for names; "" for other lines."""
    words = _drop_seat_word(list_plain_words(line, context))
    seats = index_seats_by_name(context)
    if not words:
        return ""
    words = [replace_text(word, word[:-2]) if _POSSESSIVE.fullmatch(word) else word for word in words]
    words = words if is_seat(words[0]) else replace_first_name(words, seats) or words
    return phrases.normalize_phrase_text([words[0], *_replace_names(words[1:], seats, "seat")])


_POSSESSIVE: Final = re.compile(r"[0-9]{1,2}'s")


def list_plain_words(line: Sequence[str], context: Context) -> list[str]:
    """Return the words of a line without brackets, colons and currency signs."""
    flat_words = _join_chips([part for word in line for part in _flatten(word)])
    return [
        word
        for word in (_strip_marks(flat_word, context.settings.unit, context.scale) for flat_word in flat_words)
        if word
    ]


def yield_readings(line: Sequence[str], context: Context) -> Iterator[list[str]]:
    """Yield the line as written, then in more and more normalized forms."""
    yield list(line)
    words = clean_line(line, context)
    yield words
    yield [_normalize_card(word) for word in words]
    words = _hyphenate(words)
    yield words
    shortened = _drop_fillers(words)
    if not _binds_cards(words):
        yield shortened
        yield [_normalize_card(word) for word in shortened]
    if len(words) > 1 and words[1] == "raises" and _raises_by_and_to(shortened):
        yield [*shortened[:2], *shortened[-2:]]
    seats = index_seats_by_name(context)
    if seats and not _binds_cards(words):
        yield [words[0], *_replace_names(shortened[1:], seats)]
    if shortened == ["burn"]:
        street = _BURN_BEFORE.get(len(find_board(context.state.dealing)))
        if street:
            yield [words[0], street]
    lowered = {OPENERS.get(word.lower(), word.lower()) for word in words}
    if "deal" in lowered <= _DEAL_WORDS:
        yield ["deal", "done"]


def _drop_fillers(words: list[str]) -> list[str]:
    """Return a line without fillers, except its first word."""
    fillers = _FILLERS if words[1:2] == ["wins"] else _FILLERS - {"pot"}
    if words[1:2] in (["sits"], ["leaves"]):
        fillers = fillers - _BEFORE_NO_NAME  # `2 leaves for dinner` names nobody
    return [word for index, word in enumerate(words) if not index or word.lower() not in fillers]


def _binds_cards(words: Sequence[str]) -> bool:
    """Whether a small word between two cards has a meaning: `Ah for Ks` is an exchange."""
    triples = zip(words, words[1:], words[2:], strict=False)
    return any(
        word.lower() in _BINDING_WORDS and normalize_cards(left_card) and normalize_cards(right_card)
        for left_card, word, right_card in triples
    )


_BINDING_WORDS: Final = frozenset(("for", "on", "with", "in", "of", "is"))


def clean_line(line: Sequence[str], context: Context) -> list[str]:
    """Return a line without brackets, colons and currency signs, with its seat and verb normalized."""
    words = list_plain_words(line, context)
    if not words:
        return list(line)
    words = _drop_seat_word(counts.mark_counts(words, context))
    first = words[0].lower()
    words = words if is_seat(words[0]) else replace_first_name(words, index_seats_by_name(context)) or words
    if not is_seat(words[0]):
        words[0] = replace_text(words[0], OPENERS.get(first, first)) if not is_quoted(words[0]) else words[0]
        return words
    return [words[0], *_normalize_verb(words[1:])]


def _flatten(word: str) -> list[str]:
    """Expand a word: the content of parentheses, single cards of a list with commas, and `100+10` as a fee."""
    if isinstance(word, Group):
        return [part for inner_word in word.words for part in _flatten(inner_word)]
    if not is_quoted(word) and (price_match := _PRICE_AND_FEE.fullmatch(word)):
        return [replace_text(word, price_match[1]), "fee", replace_text(word, price_match[4])]
    parts = word.split(",")
    if len(parts) > 1 and all(not part or normalize_cards(part) for part in parts):
        return [replace_text(word, part) for part in parts if part]
    return [word]


def _join_chips(words: list[str]) -> list[str]:
    """Join chips with `/` instead of commas, if they add up to the amount before them."""
    chips_index = words.index("chips") if "chips" in words[1:] else 0
    parts = [part for word in words[chips_index + 1 :] for part in word.split(",") if part] if chips_index else []
    if len(parts) < 2 or not all(part.isdecimal() for part in parts):
        return words
    return (
        [*words[: chips_index + 1], "/".join(parts)] if words[chips_index - 1] == str(sum(map(int, parts))) else words
    )


def _strip_marks(word: str, unit: str, scale: int) -> str:
    """Return a word without punctuation around it, and an amount as digits and a point."""
    if is_quoted(word):
        return word
    text, tail, room = word.partition(TAIL)
    text = text.strip("[]{}").rstrip(":,;.!").strip('“”„"')
    if not has_foreign_sign(text, unit):
        parts = text.split("/")
        amounts = [_AMOUNT.fullmatch(part) for part in parts]
        if all(amounts) and not (scale > 2 and "," in text):
            text = "/".join(match[2].replace(",", "") for match in amounts if match)
    return replace_text(word, text + tail + room)


def _normalize_card(word: str) -> str:
    card = "" if is_quoted(word) or word.isdigit() else normalize_cards(word)
    return replace_text(word, card) if card else word


# Seats and verbs


def index_seats_by_name(context: Context) -> Mapping[str, Seat | None]:
    """Return the seats of the hand, or of the table between hands, by name in lower case; None for a shared name.

    Names with their room, `ana` TAIL `lakeside`, are included. They are cached per table, because every line needs them.
    """
    state, people = context.state, context.people
    players = context.sitting() if state.opened is None else state.players
    full_names = tuple(map(people.names.get, players.values()))
    cached_names = context.seat_names
    if cached_names is not None and cached_names.full_names == full_names and cached_names.players == players:
        return cached_names.seats
    seats: dict[str, Seat | None] = {}
    for seat, player in players.items():
        name = (people.name(player) or "").casefold()
        room = people.names[player][0].casefold() if player in people.names else ""
        for key in (name, name + TAIL + room):
            seats[key] = None if key in seats else seat
    if None not in full_names:  # a missing name may become known later
        context.seat_names = SeatNames(dict(players), full_names, seats)
    return seats


def replace_first_name(words: list[str], seats: Mapping[str, Seat | None]) -> list[str] | None:
    """Replace a player's name at the beginning by the seat; return None if there is no name."""
    for word_count in range(min(len(words), _NAME_WORDS), 0, -1):
        seat = seats.get(" ".join(word.removeprefix('"') for word in words[:word_count]).casefold().removesuffix("'s"))
        if seat is not None:
            return [replace_text(words[0], str(seat)), *words[word_count:]]
    return None


def _replace_names(words: list[str], seats: Mapping[str, Seat | None], announced: str = "") -> list[str]:
    """Replace players' names by seats after a word that announces a player."""
    replaced: list[str] = []
    while words:
        renamed_words = replace_first_name(words, seats)
        if renamed_words is not None:
            replaced += (
                [announced, make_counted(renamed_words[0])]
                if announced and replaced[-1:] != [announced]
                else [make_counted(renamed_words[0])]
            )
            words = renamed_words[1:]
        else:
            replaced.append(words[0])
            words = words[1:]
    return replaced


def normalize_verb(word: str) -> str:
    """Return handscript's form of a word that follows a seat."""
    return "" if is_quoted(word) else VERBS.get(word.lower(), word.lower())


def has_foreign_sign(text: str, unit: str) -> bool:
    """Whether an amount has the sign of another currency than the table's."""
    return unit in _FOREIGN.get(text[:1], ())


def _drop_seat_word(words: list[str]) -> list[str]:
    """Return `seat 5 folds` without its first word. A seat's line has a name and a stack instead."""
    if len(words) < 3 or words[0].lower() not in ("seat", "player"):
        return words
    next_word = words[2].lower()
    is_act = next_word == "is" or next_word in BOOK.verbs or next_word in VERBS
    return words[1:] if is_act and is_seat(words[1]) else words


def _normalize_verb(tail_words: list[str]) -> list[str]:
    """Normalize the verb and the blinds in the words after a seat."""
    words = [
        replace_text(word, lowered)
        if (lowered := word.lower()) in _NOTATION_WORDS or lowered in BOOK.verbs
        else word  # a name keeps its own
        for word in tail_words
    ]
    if words:
        words[0] = replace_text(words[0], VERBS.get(words[0], words[0]))
        if words[0] == "is" and len(words) > 1:  # `Joe is away`
            words = words[1:]
        if words[0] == "new":  # a new player has sat down
            words[0] = replace_text(words[0], "sits")
    index = 0
    while index < len(words):
        for pattern, replacement in _PHRASES:
            part = words[index : index + len(pattern)]
            if tuple(part) == pattern:
                words[index : index + len(pattern)] = [replace_text(part[0], text) for text in replacement]
                break
        index += 1
    if words and words[0] in ("small", "big"):
        words.insert(0, replace_text(words[0], "posts"))
    return words


_NOTATION_WORDS: Final = frozenset(
    (*VERBS, *_FILLERS, *(word for pattern, _ in _PHRASES for word in pattern), "to", "from", "dead")
)


def _hyphenate(words: list[str]) -> list[str]:
    """Join words that the notation writes with a hyphen: `double burn`, `walk in`."""
    hyphenated = list(words)
    index = 0
    while index < len(hyphenated) - 1:
        for part_count in range(min(_PARTS_MOST, len(hyphenated) - index), 1, -1):
            part = hyphenated[index : index + part_count]
            word = BOOK.hyphened.get(tuple(part_word.lower() for part_word in part))
            if word and all(is_plain(part_word) for part_word in part):
                hyphenated[index : index + part_count] = [replace_text(part[0], word)]
                break
        index += 1
    return hyphenated


_PARTS_MOST: Final = 5  # asked-to-be-dealt-out


def _raises_by_and_to(words: list[str]) -> bool:
    """Whether a raise has two amounts, `raises 10 to 40` or `raises from 10 to 40`, of which the last is the total."""
    amounts = words[3:] if words[2:3] == ["from"] else words[2:]
    return len(amounts) == 3 and amounts[1] == "to" and get_text(amounts[0]).replace(".", "", 1).isdigit()


# Names and texts without quotes


def join_names(line: list[str]) -> Iterator[list[str]]:
    """Yield a line with several of its words joined to a name or text."""
    try:
        wording = BOOK.find_wording(line)
    except LineError:
        return
    for position, text in _find_text_places(wording, line):
        last = position >= len(wording.head) - 1
        for end in range(position + 2, len(line) + 1):
            name_words = line[position:end]
            if not all(is_plain(word) for word in name_words):
                break
            if text or _may_be_name(name_words, last=last):
                yield [*line[:position], replace_text(name_words[0], '"' + " ".join(name_words)), *line[end:]]


def _may_be_name(run: list[str], *, last: bool) -> bool:
    """Whether words look like a single name. `last`: no required word follows it."""
    if len(run) > _NAME_WORDS or any(word.lower() in _NO_NAME for word in run):
        return False
    if run[0] in RESERVED_WORDS or run[-1] in RESERVED_WORDS:
        return False
    return not last or all(word[:1].isupper() or word.lower() in _WITHIN_NAMES for word in run)


def _find_text_places(wording: Wording[Event], line: list[str]) -> list[tuple[int, bool]]:
    """Return the positions in a line of a name or text, each with whether it is a text."""
    values = [(index, part.slot.one) for index, part in enumerate(wording.head) if isinstance(part, Value)]
    places = [(index, slot is slots.FREE_TEXT) for index, slot in values if slot in _TEXT_SLOTS]
    for option in wording.options:
        if option.word and option.values[0].slot.one in _TEXT_SLOTS:
            places += [(index + 1, False) for index, word in enumerate(line) if word == option.word]
    return [text_place for text_place in places if text_place[0] < len(line)]


_TEXT_SLOTS: Final = (slots.PLAYER, slots.PERSON, slots.FREE_TEXT)
