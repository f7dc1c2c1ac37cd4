"""Corrections within a line: `bets 20 (should be 25)`, `Js, sorry, Jc`, `~~folds~~ calls`. The corrected value counts."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.notes.cursor import TokenCursor, index_phrases
from ledger.formats.handscript.notes.headings import AMOUNT

_CARD: Final = r"(?:10|[2-9TJQKAtjqka])[shdc](?![A-Za-z0-9])"
_CARDS: Final = rf"{_CARD}(?:[ ,/-]{{0,2}}{_CARD}){{0,4}}"
_GLUED_CARDS: Final = r"(?:(?:10|[2-9TJQKAtjqka])[shdc]){1,5}(?![A-Za-z0-9])"
_VALUE: Final = rf"(?:{_CARDS}|{_GLUED_CARDS}|{AMOUNT}(?![\w.,]*[\w]))"
_MARK_WORDS: Final = (
    r"no,? wait|wait,? no|wait|sorry|scratch that|strike that|correction|should be|should have been|should read|make that|"
    r"i mean|i meant|actually|oops|rather|or rather|that's|it's|it was|that was|was|to|meant to be|make it|er|err|no"
)
_START: Final = (
    r"no,? wait|wait,? no|wait|sorry|scratch that|strike that|correction|should be|should have been|should read|make that|"
    r"i mean|i meant|actually|oops|or rather|meant to be|err?|no"
)
_VALUE_CORRECTION: Final = re.compile(
    rf"(?<![\w.$€£])(?P<old>{_VALUE})(?P<mark>\s?[,;.(\[*-]{{0,3}}\s?(?:(?:{_START})\b[\s,:;.-]{{0,3}})(?:(?:{_MARK_WORDS})\b[\s,:;-]{{0,3}}){{0,2}})"
    rf"(?P<new>{_VALUE})(?P<close>[)\]]?)(?P<after>\s-(?=\s))?",
    re.IGNORECASE,
)
_STRUCK: Final = re.compile(r"~~(?!\s)([^~]{1,80})~~")
_SIGN_OF_CORRECTION: Final = re.compile(
    r"~~|\b(?:wait|sorry|scratch|strike|correct|should|make that|mean|actually|oops|rather|err?|no)", re.IGNORECASE
)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[shdc]", re.IGNORECASE)
_CARD_AT_END: Final = re.compile(r"(?:10|[2-9TJQKA])[shdc]$", re.IGNORECASE)


def apply_corrections(text: str) -> tuple[str, list[str]]:
    """Return a line with the corrected values, and each correction as it is written."""
    if not _SIGN_OF_CORRECTION.search(text):
        return text, []
    kept_texts = [match[0] for match in _STRUCK.finditer(text)]
    text = _STRUCK.sub(" ", text)

    def correct(match: re.Match[str]) -> str:
        if _kind_of(match["old"]) != _kind_of(match["new"]) or (
            match["close"] and not re.search(r"[(\[]", match["mark"])
        ):
            return match[0]
        if _continues_cards(text, match.start()):
            return match[0]
        kept_texts.append(match[0].strip())
        return match["new"] + ("," if match["after"] else "")

    return _VALUE_CORRECTION.sub(correct, text), kept_texts


def _kind_of(value: str) -> tuple[str, int]:
    """Return whether a value is cards or an amount, and how many cards."""
    cards = _ONE_CARD.findall(value)
    return ("cards", len(cards)) if cards and not value[-1:].isdigit() else ("amount", 1)


def _continues_cards(text: str, start: int) -> bool:
    """Whether more cards come right before a value: then it isn't clear which card is corrected."""
    text_before = text[:start].rstrip(" ,/-")
    return bool(_CARD_AT_END.search(text_before)) if _ONE_CARD.match(text, start) else False


_MARKS: Final = index_phrases(
    (
        *(
            ("no", "wait"),
            ("no", ",", "wait"),
            ("wait", ",", "no"),
            ("wait", "no"),
            ("scratch", "that"),
            ("strike", "that"),
        ),
        *(
            ("or", "rather"),
            ("i", "mean"),
            ("i", "meant"),
            ("my", "mistake"),
            ("make", "that"),
            ("sorry",),
            ("correction",),
        ),
        *(("actually",), ("oops",), ("wait",), ("no", ",")),
    )
)


def take_mark(cursor: TokenCursor) -> bool:
    """Take words that announce a correction; return whether there were any."""
    start_index = cursor.position
    while cursor.take_phrase(_MARKS):
        cursor.skip(",", ":", "-", ";", ".", "...")
    return cursor.position > start_index
