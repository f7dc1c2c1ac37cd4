"""Splits a line that may list players into parts: seats, stacks, names and marks, whatever stands between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.formats.handscript.notes.headings import AMOUNT, parse_amount
from ledger.formats.handscript.notes.table_words import RESERVED, split_words

PartKind: TypeAlias = Literal[
    "seat",
    "chips",
    "number",  # a bare number: a seat or a stack
    "unknown",  # a stack that the notes mark as unknown
    "each",  # `300 each`: the stack of all
    "name",
    "button",
    "star",
    "writer",
    "place",
    "order",
    "mark",  # punctuation
    "filler",
    "stop",  # nothing that a list has
]


class ListPart(NamedTuple):
    """A part of a list. `number`: its seat or amount."""

    kind: PartKind
    text: str
    number: Decimal = Decimal(0)
    is_approximate: bool = False
    in_blinds: bool = False


SEAT_MOST: Final = 12
_STAKES_RATIO: Final = 10
"""`1/2` are blinds; `1 / 160` is a seat and a stack."""
_COUNT_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SEAT_NUMBER: Final = rf"(?:\d{{1,2}}(?![\d])|(?:{'|'.join(_COUNT_WORDS)})\b)"
_PART: Final = re.compile(
    rf"""(?P<text>"[^"]{{1,40}}")
    |(?P<stakes>[$€£]?(?P<less>\d{{1,6}}(?:\.\d{{1,2}})?)(?=\s?/\s?[$€£]?(?P<more>\d{{1,9}}(?:\.\d{{1,2}})?)))
    |(?P<order>(?:sitting\s|seated\s|sat\s)?(?:in\s(?:that|this|the|seat|seating|table)\s)?(?:seat\s|seating\s|dealing\s)?order\b|clockwise\b|(?:from\s)?left\sto\sright\b
      |(?:going\s)?(?:a)?round\sthe\stable\b|starting\s(?:from|with)\sseat\s(?:1|one)\b|going\sround(?:\slike\sthat)?\b|(?:from|starting\sat)\sthe\s(?:window|door|left)\b)
    |(?P<each>(?:all\s(?:with|have|had|on)\s)?(?:with\s|on\s|has\s|have\s)?(?P<share>{AMOUNT})\s(?:each|apiece|to\sstart)|all\s(?:with|have|had|on|at|start\swith|started\swith)\s(?P<same>{AMOUNT})(?!\w))
    |(?P<seat>(?:(?:in|at|on|from)\s)?(?:the\s)?(?:(?:seat|chair|spot)\s(?:{"|".join(_COUNT_WORDS)})\b|(?:seat|chair|spot|place|pos|position|s|p|st)\.?\s?(?:no\.?\s?|number\s|nr\.?\s?|\#\s?)?\d{{1,2}}(?!\d))
      |(?:(?:in|at|on)\s)?(?:the\s)?{_SEAT_NUMBER}(?:st|nd|rd|th)?[ -](?:seat|chair|spot|hole)\b
      |\#\s?\d{{1,2}}(?!\d)|in\s{_SEAT_NUMBER}(?![.,]\d|\s?[k%]))
    |(?P<unknown>\?+|\b(?:unknown|unclear|unsure|n/a)\b(?:\sstack)?|covers\b(?:\s(?:me|him|her|everyone|everybody|us|all|them|the\stable))?
      |(?:stack\s)?not\s(?:sure|noted|counted|visible|seen|known|recorded)\b|(?:didn't|did\snot|couldn't|can't|don't|never)\s(?:catch|see|note|count|get|know|remember)\b[^,;()\d]{{0,30}}
      |(?:no|stack)\s(?:stack|count|unknown)\b)
    |(?P<held>(?:with|has|had|have|stack|stacks|stack\sof|holding|behind|got|brought)\s(?:about\s|around\s|only\s)?[~≈]?(?P<heldsum>{AMOUNT})(?P<heldbb>bbs?)?(?![\w.]))
    |(?P<chips>(?P<circa>(?:[~≈]|about\s|around\s|roughly\s|approx\.?\s|circa\s|ca\.?\s)\s?)?(?P<sum>[$€£]\s?\d[\d,]{{0,12}}(?:\.\d{{1,2}})?k?|\d{{1,3}}(?:,\d{{3}}){{1,3}}(?:\.\d{{1,2}})?|\d{{1,9}}\.\d{{1,2}}k?|\d{{1,5}}k|\d{{2,9}})(?P<bb>bbs?)?(?![\w%])(?P<ish>-?ish\b|\s?\(?(?:est\.?|estimated|or\sso)\)?)?)
    |(?P<number>\d{{1,2}}(?P<numberbb>bbs?)?(?![\w%]))
    |(?P<star>\*+)
    |(?P<button>\(\s?D\s?\)|\bD\b(?![.'])|(?:has\s|had\s|on\s|with\s|is\s|was\s|=\s)?(?:the\s|first\s)?(?:dealer\sbutton|button|btn|bu|dealer|dlr)(?!\w)(?:\sfirst)?|(?:deals|is\sdealing|dealing|dealt)(?:\sfirst)?\b)
    |(?P<writer>(?:that's\s)?\b(?:me|myself|hero)\b)
    |(?P<place>\b(?:sb|bb|utg(?:\+\d)?|hj|lj|co|mp|ep|cutoff|hijack|lojack|small\sblind|big\sblind|under\sthe\sgun)(?!\w))
    |(?P<title>(?:mr|mrs|ms|dr|st|jr|sr)\.(?=\s?[^\W\d_])|(?:[A-Z]\.){{1,3}}(?=[\s,;:)(-]|$))
    |(?P<word>[^\W\d_]{{1,40}}(?:['.-][^\W\d_]{{1,40}}){{0,4}}(?:\d{{1,2}}(?!\w))?)
    |(?P<mark>[,;:/|=()\[\].<>•·+&!-])""",
    re.VERBOSE | re.IGNORECASE,
)
_LABELS: Final = split_words(
    "player players play lineup line-up line stacks stack seats seat seating name names chips starting start sitting tonight playing present here roster "
    "table order clockwise position pos amount sit sat"
)
_FILLERS: Final = split_words(
    "with has had have is was are were sits sat sit sitting seated in at on and then the stacks of chips behind starting started starts "
    "for plays playing having holding by next also who he she to dollars bucks euros start a brought bought seat seats got takes taken took next lastly it's there's its so going an even finally my on left right of me myself in front him her"
)
_STOPS: Final = RESERVED - _FILLERS | split_words(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october november december "
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday tues thurs nl nlh nlhe nlhe. fl pl plo lhe holdem hold'em hold omaha cash "
    "tourney tournament event am pm hrs hours hour min mins minutes buyin buy-in buyins rake total max maximum minimum date time page started handed "
    "players player table flop turn river hand hands night week game games home notes note version usd eur chips rebuys rebuy add-on day session stakes "
    "nobody nobody's us two three four five six seven eight nine ten some most here's not no each all everybody everyone we they our my his her but if when or never because so that this those these i'm"
)
_JOINERS: Final = split_words("the of de van von la di el")
_TITLES: Final = frozenset(("Big", "Little", "Small", "Old", "Young", "The"))
_MONTHS_AS_NAMES: Final = split_words("may april june jan max mark")
"""Words that are names as well; in a list with seats they count as names."""


def split_parts(text: str) -> list[ListPart]:
    """Return the parts of a line; what no list has becomes a stop."""
    parts: list[ListPart] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _PART.match(text, position)
        if match is None:
            parts.append(ListPart("stop", text[position]))
            return parts
        part = _make_part(match)
        parts.append(part)
        if part.kind == "stop":
            return parts
        position = match.end()
    return parts


def _make_part(match: re.Match[str]) -> ListPart:
    """Return the part that a match is; its kind is the pattern's group."""
    for kind, make_part in _MAKERS.items():
        if match[kind]:
            return make_part(match)
    for simple_kind in ("order", "unknown", "star", "button", "writer", "place", "mark"):
        if match[simple_kind]:
            is_letter = simple_kind == "button" and match[0] == "d"
            return ListPart("stop" if is_letter else simple_kind, match[0])
    return ListPart("stop", match[0])


def _make_quoted_name(match: re.Match[str]) -> ListPart:
    return ListPart("name", match[0].strip('"'))


def _make_slashed_number(match: re.Match[str]) -> ListPart:
    """Return the seat of `1 / 160`; `1/2` are blinds, and no list has them."""
    seat, stack = Decimal(match["less"]), Decimal(match["more"])
    is_row = seat <= SEAT_MOST and stack > _STAKES_RATIO * seat and match["less"].isdecimal()
    return ListPart("number" if is_row else "stop", match[0], seat)


def _make_stack_of_all(match: re.Match[str]) -> ListPart:
    return ListPart("each", match[0], parse_amount((match["share"] or match["same"]).strip()))


def _make_held_chips(match: re.Match[str]) -> ListPart:
    """Return the stack of `with about 300`."""
    return ListPart(
        "chips",
        match[0],
        parse_amount(match["heldsum"]),
        is_approximate="about" in match[0].lower() or "~" in match[0],
        in_blinds=bool(match["heldbb"]),
    )


def _make_number(match: re.Match[str]) -> ListPart:
    number = Decimal(match[0].lower().rstrip("bs"))
    return ListPart("chips" if match["numberbb"] else "number", match[0], number, in_blinds=bool(match["numberbb"]))


def _make_seat(match: re.Match[str]) -> ListPart:
    text = match[0]
    digits = re.search(r"\d{1,2}", text)
    if digits:
        number = int(digits[0])
    else:
        text_words = text.lower().replace("-", " ").split()
        number = next(index for index, word in enumerate(_COUNT_WORDS, 1) if word in text_words)
    return ListPart("seat" if 0 < number <= SEAT_MOST else "stop", text, Decimal(number))


def _make_chips(match: re.Match[str]) -> ListPart:
    amount = parse_amount(match["sum"].replace(" ", ""))
    is_small = match["sum"].isdecimal() and amount <= SEAT_MOST and not (match["bb"] or match["circa"])
    return ListPart(
        "number" if is_small else "chips", match[0], amount, bool(match["circa"] or match["ish"]), bool(match["bb"])
    )


def _make_word(match: re.Match[str]) -> ListPart:
    text = match[0]
    low = text.lower()
    if text in _TITLES:
        return ListPart("filler", text)
    if low in _FILLERS and not (
        text[:1].isupper() and low not in RESERVED and low not in ("and", "then", "next", "also")
    ):
        return ListPart("filler", text)
    if low in _LABELS:
        return ListPart("filler", text)
    if low in _STOPS and not (low in _MONTHS_AS_NAMES and text[:1].isupper()):
        return ListPart("stop", text)
    return ListPart("name", text.removesuffix("'s"))


_MAKERS: Final[Mapping[str, Callable[[re.Match[str]], ListPart]]] = {
    "text": _make_quoted_name,
    "stakes": _make_slashed_number,
    "each": _make_stack_of_all,
    "seat": _make_seat,
    "held": _make_held_chips,
    "chips": _make_chips,
    "number": _make_number,
    "title": _make_word,
    "word": _make_word,
}
"""How to make a part from the pattern's groups."""


def is_joiner(part: ListPart) -> bool:
    """Whether a word may stand within a name: Dan the Man."""
    return part.kind == "filler" and (part.text.lower() in _JOINERS or part.text in _TITLES)


def is_label(part: ListPart) -> bool:
    """Whether a word is of a label such as `Players` or `Seat`."""
    return part.text.lower().strip(".") in _LABELS
