"""Lines as people write them: `Seat 3: Joe ($400)`, `joe bets $20`, `5 raise to 40`.

Only a line that no template reads comes here, so what is said in handscript keeps its meaning. It is
written anew, a step at a time, until a template takes it. What could be meant in two ways is not
understood: `advice` then says how the line should be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.grammar import Phrase, Value
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.tokens import LineError, Token
from ledger.hand.holdings import board
from ledger.vocabulary import Seat, split_cards

_AMOUNT: Final = re.compile(r"([$€£]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)")
_FOREIGN: Final = {"$": frozenset(("EUR", "GBP")), "€": frozenset(("USD", "GBP")), "£": frozenset(("USD", "EUR"))}
"""Units whose amounts do not carry that sign."""

_SUITS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc")

VERBS: Final[dict[str, str]] = {
    "fold": "folds",
    "folded": "folds",
    "check": "checks",
    "checked": "checks",
    "call": "calls",
    "called": "calls",
    "bet": "bets",
    "raise": "raises",
    "raised": "raises",
    "reraise": "raises",
    "reraises": "raises",
    "reraised": "raises",
    "re-raise": "raises",
    "re-raises": "raises",
    "post": "posts",
    "posted": "posts",
    "straddle": "straddles",
    "straddled": "straddles",
    "ante": "antes",
    "anted": "antes",
    "show": "shows",
    "showed": "shows",
    "shown": "shows",
    "muck": "mucks",
    "mucked": "mucks",
    "win": "wins",
    "won": "wins",
    "leave": "leaves",
    "left": "leaves",
    "sit": "sits",
    "sat": "sits",
    "discard": "discards",
    "draw": "draws",
    "drew": "draws",
    "complete": "completes",
    "completed": "completes",
    "bust": "busts",
    "busted": "busts",
    "get": "gets",
    "got": "gets",
    "move": "moves",
    "look": "looks",
    "looked": "looks",
    "owe": "owes",
    "owed": "owes",
    "returns": "back",
    "returned": "back",
    "wait": "waits",
}
"""Other forms of the words that follow a seat."""

OPENERS: Final[dict[str, str]] = {
    "dealer": "button",
    "btn": "button",
    "burns": "burn",
    "burned": "burn",
    "burnt": "burn",
    "shuffled": "shuffle",
    "shuffles": "shuffle",
    "cuts": "cut",
    "mis-deal": "misdeal",
    "deals": "deal",
    "dealt": "deal",
    "note": "remark",
    "comment": "remark",
}
"""Other words for those at the beginning of a line."""

_PHRASES: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (("all", "in"), ("all-in",)),
    (("allin",), ("all-in",)),
    (("small", "blind"), ("small",)),
    (("big", "blind"), ("big",)),
    (("sb",), ("small",)),
    (("bb",), ("big",)),
    (("makes", "it"), ("raises", "to")),
    (("make", "it"), ("raises", "to")),
    (("made", "it"), ("raises", "to")),
    (("raises", "it", "to"), ("raises", "to")),
    (("sits", "out"), ("away",)),
    (("sitting", "out"), ("away",)),
    (("away", "since"), ("away-since",)),
    (("out", "since"), ("away-since",)),
    (("stands", "pat"), ("stands-pat",)),
    (("brings", "in"), ("brings-in",)),
    (("cannot", "cover"), ("cannot-call",)),
    (("cannot", "call"), ("cannot-call",)),
    (("cannot-cover",), ("cannot-call",)),
)

_DEALT: Final = frozenset(("deal", "hole", "cards", "the", "are", "all"))

_FILLERS: Final = frozenset(
    [
        "the",
        "of",
        "a",
        "an",
        "and",
        "in",
        "on",
        "with",
        "has",
        "having",
        "is",
        "for",
        "chips",
        "chip",
        "dollars",
        "dollar",
        "bucks",
        "seat",
        "player",
        "blind",
        "blinds",
        "hand",
        "card",
        "cards",
        "pot",
    ]
)
"""Words that say nothing where a line is understood without them."""

_NO_NAME: Final = frozenset(("with", "has", "having", "in", "is", "for", "chips", "stack", "and", "all-in"))
"""Words that are hardly part of a name that stands without quotes."""

_NAME_WORDS: Final = 5
_WITHIN_NAMES: Final = frozenset(
    ["de", "da", "di", "del", "della", "der", "den", "van", "von", "la", "le", "el", "al", "bin", "ben"]
)

_BURN_BEFORE: Final = {0: "flop", 3: "turn", 4: "river"}


def understand(line: Sequence[Token], context: Context) -> Event | None:
    """Return the event that a line tells which no template reads; None if there is any doubt."""
    if not short(line):
        return None
    for words in readings(line, context):
        event = attempt(words, context)
        if event is not None:
            return event
        told = [found for one in joined(words) if (found := attempt(one, context)) is not None]
        if len(told) == 1:
            return told[0]
        if told:
            return None
    return None


def short(line: Sequence[Token]) -> bool:
    """Whether a line is one that somebody wrote by hand: only such a line is worth a second look."""
    return 0 < len(line) <= _WORDS_MOST and all(
        len(token.text) <= _LETTERS_MOST and len(token.group or ()) <= _WORDS_MOST for token in line
    )


_WORDS_MOST: Final = 40
_LETTERS_MOST: Final = 200


def attempt(line: Sequence[Token], context: Context) -> Event | None:
    """Return the event of a line if a template reads it; names that it does not use stay unknown."""
    mark, written = context.people.mark(), context.started_text
    try:
        return BOOK.parse(line, context)
    except UnreadableHandError:
        context.people.unlearn(mark)
        context.started_text = written
        return None


def readings(line: Sequence[Token], context: Context) -> Iterator[list[Token]]:
    """Yield the line as it stands, then with more and more of what people write put right."""
    yield list(line)
    words = cleaned(line, context)
    yield words
    yield [_card(token) for token in words]
    fewer = [t for at, t in enumerate(words) if not at or t.quoted or t.text.lower() not in _FILLERS]
    yield fewer
    yield [_card(token) for token in fewer]
    if len(words) > 1 and words[1].text == "raises" and _by_and_to(fewer):
        yield [*fewer[:2], *fewer[-2:]]
    seats = seated(context)
    if seats:
        yield [words[0], *_by_seat(fewer[1:], seats)]
    if [token.text for token in fewer] == ["burn"]:
        street = _BURN_BEFORE.get(_board_cards(context))
        if street:
            yield [words[0], Token(street)]
    said = {OPENERS.get(t.text.lower(), t.text.lower()) for t in words}
    if "deal" in said <= _DEALT:
        yield [Token("deal"), Token("done")]


def cleaned(line: Sequence[Token], context: Context) -> list[Token]:
    """Return a line without brackets, colons and currency signs, its seat and verb as they are read."""
    flat = [part for token in line for part in _flat(token)]
    words = [_plain(token, context.settings.unit, context.scale) for token in flat]
    words = [token for token in words if token.text or token.quoted or token.tail is not None]
    if not words:
        return list(line)
    words = _without_seat_word(words)
    first = words[0].text.lower()
    words = _named(words, seated(context))
    if not is_seat(words[0]):
        if not words[0].quoted:
            words[0] = words[0]._replace(text=OPENERS.get(first, first))
        return words
    return [words[0], *_verb(words[1:])]


def _flat(token: Token) -> list[Token]:
    """Return what stands within parentheses without them, and cards parted by commas one by one."""
    if token.group is not None:
        return [part for one in token.group for part in _flat(one)]
    parts = token.text.split(",")
    if len(parts) > 1 and not token.quoted and all(not part or _is_card(part) for part in parts):
        return [token._replace(text=part) for part in parts if part]
    return [token]


def _plain(token: Token, unit: str, scale: int) -> Token:
    """Return a word without the marks around it; an amount as digits and a point."""
    if token.quoted:
        return token
    text = token.text.strip("[]{}").rstrip(":,;.!").strip('“”„"')
    if not foreign(text, unit):
        parts = text.split("/")
        amounts = [_AMOUNT.fullmatch(part) for part in parts]
        if all(amounts) and not (scale > 2 and "," in text):
            text = "/".join(found[2].replace(",", "") for found in amounts if found)
    return token._replace(text=text)


def _is_card(text: str) -> bool:
    return bool(_written_card(text))


def _written_card(text: str) -> str:
    """Return a card, or several, as handscript writes them: `10h`, `ah` and `A♥` are cards too."""
    plain = text.translate(_SUITS).replace("10", "T")
    if len(plain) % 2 or not plain:
        return ""
    plain = "".join(c.lower() if at % 2 else c.upper() for at, c in enumerate(plain))
    try:
        split_cards(plain)
    except ValueError:
        return ""
    return plain


def _card(token: Token) -> Token:
    if token.quoted or token.tail is not None or token.text.isdigit():
        return token
    return token._replace(text=_written_card(token.text) or token.text)


# Seats and verbs


def seated(context: Context) -> dict[str, Seat | None]:
    """Return the seats of the hand by name, in small letters; None where two have the same name."""
    found: dict[str, Seat | None] = {}
    for seat, dealt in context.state.dealt.items():
        name = (context.people.name(dealt.player) or "").casefold()
        found[name] = None if name in found else seat
    return found


def _named(words: list[Token], seats: dict[str, Seat | None]) -> list[Token]:
    """Return a line that begins with a player's name with the seat instead."""
    return words if is_seat(words[0]) else _seat_first(words, seats) or words


def _seat_first(words: list[Token], seats: dict[str, Seat | None]) -> list[Token] | None:
    """Return words that begin with a player's name with the seat instead; None if they do not."""
    for many in range(min(len(words), _NAME_WORDS), 0, -1):
        seat = seats.get(" ".join(token.text for token in words[:many]).casefold())
        if seat is not None:
            return [words[0]._replace(text=str(seat), quoted=False), *words[many:]]
    return None


def _by_seat(words: list[Token], seats: dict[str, Seat | None]) -> list[Token]:
    """Return words with the seat wherever a player's name stands."""
    found: list[Token] = []
    while words:
        words = _seat_first(words, seats) or words
        found.append(words[0])
        words = words[1:]
    return found


def verb(token: Token) -> str:
    """Return a word that follows a seat as handscript has it."""
    return "" if token.quoted else VERBS.get(token.text.lower(), token.text.lower())


def foreign(text: str, unit: str) -> bool:
    """Whether an amount carries the sign of another currency than the table's."""
    return unit in _FOREIGN.get(text[:1], ())


def _without_seat_word(words: list[Token]) -> list[Token]:
    """Return `seat 5 folds` without its first word: who sits is told by a name and a stack."""
    if len(words) < 3 or words[0].text.lower() not in ("seat", "player") or words[0].quoted:
        return words
    following = words[2].text.lower()
    known = following == "is" or following in BOOK.verbs or following in VERBS
    return words[1:] if known and is_seat(words[1]) and not words[2].quoted else words


def _verb(rest: list[Token]) -> list[Token]:
    """Return what follows a seat with the verb, and blinds, as handscript has them."""
    said = [t if t.quoted else t._replace(text=_small(t.text)) for t in rest]
    if said and not said[0].quoted:
        said[0] = said[0]._replace(text=VERBS.get(said[0].text, said[0].text))
        if said[0].text == "is" and len(said) > 1:  # `Joe is away`
            said = said[1:]
        if said[0].text == "new":  # whoever is new has sat down
            said[0] = said[0]._replace(text="sits")
    at = 0
    while at < len(said):
        for pattern, instead in _PHRASES:
            part = said[at : at + len(pattern)]
            if tuple(t.text for t in part if not t.quoted) == pattern:
                said[at : at + len(pattern)] = [part[0]._replace(text=text) for text in instead]
                break
        at += 1
    if said and said[0].text in ("small", "big") and not said[0].quoted:
        said.insert(0, said[0]._replace(text="posts"))
    return said


def _small(text: str) -> str:
    """Return a word in small letters if it is a word of the notation; a name keeps its own."""
    small = text.lower()
    return small if small in _KNOWN or small in BOOK.verbs else text


_KNOWN: Final = frozenset(
    (*VERBS, *_FILLERS, *(word for pattern, _ in _PHRASES for word in pattern), "to", "from", "dead")
)


def _by_and_to(words: list[Token]) -> bool:
    """Whether a raise is told as `raises 10 to 40` or `raises from 10 to 40`: it is to 40."""
    said = [token.text for token in words[2:]]
    said = said[1:] if said[:1] == ["from"] else said
    return len(said) == 3 and said[1] == "to" and said[0].replace(".", "", 1).isdigit()


def _board_cards(context: Context) -> int:
    """Return how many cards lie on the first board."""
    return len(board(context.state.dealing))


# Names and texts without quotes


def joined(line: list[Token]) -> Iterator[list[Token]]:
    """Yield a line with several of its words taken as one name, or text."""
    try:
        phrase = BOOK.phrase(line)
    except LineError:
        return
    for at in _places(phrase, line):
        for end in range(at + 2, len(line) + 1):
            run = line[at:end]
            if any(t.quoted or t.group is not None or t.tail is not None for t in run):
                break
            if not _takes_text(phrase, at) and not _may_be_name(run, last=_is_last(phrase, at)):
                continue
            name = " ".join(token.text for token in run)
            yield [*line[:at], run[0]._replace(text=name, quoted=True), *line[end:]]


def _may_be_name(run: list[Token], *, last: bool) -> bool:
    """Whether words look like one name; `last`: nothing that is always told ends it."""
    words = [token.text for token in run]
    if len(words) > _NAME_WORDS or any(word.lower() in _NO_NAME for word in words):
        return False
    return not last or all(w[:1].isupper() or w.lower() in _WITHIN_NAMES for w in words)


def _is_last(phrase: Phrase, at: int) -> bool:
    return at >= len(phrase.head) - 1


def _places(phrase: Phrase, line: list[Token]) -> list[int]:
    """Return where in a line a name, or a text, stands."""
    found = [at for at, part in enumerate(phrase.head) if isinstance(part, Value) and _wordy(part)]
    for option in phrase.options:
        if option.word and _wordy(option.values[0]):
            found += [at + 1 for at, token in enumerate(line) if token.text == option.word]
    return [at for at in found if at < len(line)]


def _wordy(value: Value) -> bool:
    return isinstance(_inner(value), slots.Player | slots.FreeText)


def _takes_text(phrase: Phrase, at: int) -> bool:
    part = phrase.head[at] if at < len(phrase.head) else None
    return isinstance(part, Value) and isinstance(_inner(part), slots.FreeText)


def _inner(value: Value) -> slots.Slot:
    return value.slot.one if isinstance(value.slot, slots.Nullable) else value.slot
