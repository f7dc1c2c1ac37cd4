"""Headings that start a hand: `1) I'm on the button`, `HAND ONE`, `H1 (Yuki BTN)`, `Third. Mike on the button`."""

from __future__ import annotations

import re
from typing import Final

_ORDINALS: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_BUTTON_FOLLOWS: Final = r"(?=.*\b(?:button|btn|dealer|deals|dealing)\b)"
_HAND_START: Final = re.compile(
    rf"^[\s>\[(-]{{0,6}}(?:[a-z0-9](?:\.\d{{1,2}})?[.)]{{1,2}}\s(?=[^.]{{0,20}}hand\b)(?:background, )?)?(?:hand\s+(?:no\.?\s*|number\s+|#\s*)?[#\w]|#\s?\d|h\s?#?\d+\b"
    rf"|(?:game|deal)\s(?:#\s?)?\d{{1,3}}\b(?!\s?[/$-])|(?:(?:in|on|for|then)\s)?(?:the\s|our\s|that\s)?(?:next|new|following|very next|{_ORDINALS}|last|\d{{1,2}}(?:st|nd|rd|th))\s+(?:hand|deal)\b"
    rf"|(?:{_ORDINALS})[.):]\s+{_BUTTON_FOLLOWS}|[A-Z][.)]\s+(?:the\s)?(?:button|btn|dealer)\b|(?:{_ORDINALS})[,:]\s+{_BUTTON_FOLLOWS}"
    rf"|\d{{1,3}}[.)]\s+{_BUTTON_FOLLOWS})",
    re.IGNORECASE,
)
_MARKER: Final = re.compile(
    rf"^(?P<before>[^\w\n]{{0,12}})(?:hand\s?)?(?:no\.?\s?)?(?:(?P<number>\d{{1,3}})|(?P<ordinal>{_ORDINALS})|(?P<nth>\d{{1,2}})(?:st|nd|rd|th))(?:\s(?:one|hand|deal))?(?P<after>[^\w\n]{{0,12}})$",
    re.IGNORECASE,
)
"""A line with only the count of a hand: `(1)`, `~~ 2 ~~`, `Third`."""
_BUTTON_FIRST: Final = re.compile(
    r"^\s*(?:the\s)?(?:dealer\s)?(?:button|btn|dealer)\b(?!\s(?:folds?|folded|calls?|called|raises?|raised|bets?|checks?|checked|wins?|won|shows?|opens?|limps?|pushes|says|goes all))",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    r"\s*(?:(?:(?:no|nr|nos)\.?\s?|spot\s|round\s)?(?:\(?(\d{1,3})[.):]{1,2}|\[(\d{1,3})\])|\(([A-H])\))\s",
    re.IGNORECASE,
)
_HAND_OVER: Final = re.compile(r"\s*hand\s+(?:over|ends|ended|is)\b", re.IGNORECASE)
_NUMBER_WORD: Final = re.compile(rf"^(\s*hand\s+)({'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_ORDINAL_ALONE: Final = re.compile(rf"^(\s*)({_ORDINALS})(?=[.,:])", re.IGNORECASE)
_LETTER: Final = re.compile(r"^(\s*)\(?([A-Z])[.)](?=\s)")
_BUTTON_IN_BRACKETS: Final = re.compile(r"\((?:so\s)?([^()]*\b(?:button|btn|dealer)\b[^()]*)\)", re.IGNORECASE)
_EQUALS: Final = re.compile(r"\b(?:D|BTN|button|dealer)\s?=\s?(?=\w)", re.IGNORECASE)
_BLIND_EQUALS: Final = re.compile(r"\b(sb|bb|small blind|big blind)\s?[=:]\s?(?=[^\W\d_])", re.IGNORECASE)
_COLUMNS: Final = re.compile(r"(?<=[^\s,;:|-])\s{2,8}(?=[^\s|-])")
_NAME_BEFORE_BUTTON: Final = re.compile(r"([^\W\d_][\w'. ]*?)\s(?:btn|button)\s*$", re.IGNORECASE)


_FIRST_WORDS: Final = re.compile(
    rf"^[\s>\[(-]{{0,6}}(?:[a-z0-9](?:\.\d{{1,2}})?[.)]{{1,2}}\s(?:background, )?)?(?:(?:in|on|for|then)\s)?(?:the\s|our\s|that\s)?((?:next|new|following|very next|{_ORDINALS}|last|\d{{1,2}}(?:st|nd|rd|th))\s+)(?:hand|deal)\b",
    re.IGNORECASE,
)
_GAME: Final = re.compile(r"^\s*(?:game|deal)\s(?=#?\s?\d)", re.IGNORECASE)


def begins_hand(text: str) -> bool:
    """Whether a line starts a hand."""
    return bool(_HAND_START.match(text)) and not _HAND_OVER.match(text)


def marks_hand(text: str) -> int:
    """Return the count of a line that only counts a hand; 0 for other lines."""
    match = _MARKER.match(text.strip())
    if match is None:
        return 0
    if match["ordinal"]:
        return _ORDINALS.split("|").index(match["ordinal"].lower()) + 1
    return int(match["number"] or match["nth"])


def counted_hand(text: str) -> int:
    """Return the count before the words of a hand: the 2 of `2) Ana raises`, `(B) Ana raises`; 0 if there is none."""
    match = _COUNT.match(text)
    if match is None:
        return 0
    return ord(match[3].upper()) - ord("A") + 1 if match[3] else int(match[1] or match[2])


def begins_with_button(text: str) -> bool:
    """Whether a line starts by saying who has the button: `Btn S1.`, `Button: Ana`."""
    return bool(_BUTTON_FIRST.match(text))


def is_framed(text: str) -> bool:
    """Whether marks on both sides set a count apart: `(1)`, `~~ 2 ~~`; `2.` may be a card."""
    match = _MARKER.match(text.strip())
    return bool(match and match["before"].strip(" #") and match["after"].strip(" .:)")) or bool(
        match and match["before"].strip()[:1] in ("(", "[") and match["before"]
    )


def normalize_heading(text: str) -> str:
    """Rewrite a heading in the form that the parser reads."""
    if (count := marks_hand(text)) and not begins_hand(text):
        return f"hand {count}"
    prefix = ""
    if (count := counted_hand(text)) and (match := _COUNT.match(text)) and not begins_hand(text):
        prefix, text = f"hand {match[3] or count}. ", text[match.end() :]
    text = _COLUMNS.sub(", ", _BLIND_EQUALS.sub(r"\1 ", text.rstrip()))
    text = _NUMBER_WORD.sub(lambda match: f"{match[1]}{_NUMBERS.index(match[2].lower()) + 1}", text)
    text = _GAME.sub(
        "hand ",
        _FIRST_WORDS.sub(
            lambda match: f"{match[1].lower().replace('following', 'next').replace('very ', '')}hand", text
        ),
    )
    text = _LETTER.sub(r"\1hand \2.", _ORDINAL_ALONE.sub(r"\1\2 hand", text))
    text = _BUTTON_IN_BRACKETS.sub(lambda match: f", {_put_button_first(match[1])},", text)
    return prefix + _EQUALS.sub("button ", text)


def _put_button_first(text: str) -> str:
    """Return `Yuki BTN` as `button Yuki`."""
    if text.strip().lower() == "dead button":
        return "dead"
    match = _NAME_BEFORE_BUTTON.fullmatch(text.strip())
    if match is None or re.search(r"\b(?:the|on|has|is)$", match[1], re.IGNORECASE):
        return text
    return f"button {match[1]}"
