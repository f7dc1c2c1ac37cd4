"""Phrases for findings that a query accepts without quotes, and the words to search the findings for.

The order of a phrase's words doesn't matter: `wrong button`, `button wrong`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ledger.text.language import join_each_or, join_sentences, phrase
from projections.queries.fields import FIELDS, WORDS
from projections.queries.name_suggestions import suggest_name
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term, query_error

TEXT_FIELD: Final = "text"

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "out of turn": ("out of turn", "was first to act"),
    "wrong button": ("button moved", "button didn't move", "button in the wrong seat", "button still", "button given"),
    "wrong blind": ("blinds out of order", "blinds skip", "blind skipped", "big blind twice"),
    "wrong blinds": ("blinds out of order", "blinds skip", "blind skipped", "big blind twice"),
    "wrong flop": ("the flop had",),
    "wrong pot": ("by the cards",),
    "missing blind": ("nobody posted", "without a big blind", "without a small blind", "without any blind"),
    "no blind": ("nobody posted", "without a big blind", "without a small blind", "without any blind"),
    "missed blind": ("missed", "blind it owed"),
    "missed blinds": ("missed", "blind it owed"),
    "no burn": ("no card was burned",),
    "missing burn": ("no card was burned",),
    "burn": ("burned",),
    "misdeal": ("misdeal",),
    "extra card": ("extra card",),
    "exposed card": ("exposed",),
    "boxed card": ("boxed card",),
    "joker": ("joker",),
    "string raise": ("string raise",),
    "string bet": ("string raise",),
    "short raise": ("the minimum raise is", "raised to * facing a bet of"),
    "straddle": ("straddl",),
    "second straddle": ("second straddle",),
    "killed hand": ("hand was killed",),
    "dead hand": ("hand was killed",),
    "wrong stack": ("recorded end stack",),
    "wrong rake": ("recorded rake",),
    "no draw": ("nobody drew for the button", "without a draw"),
}
"""Phrase → texts, one of which must be in a finding. `*` matches any letters."""

_PATTERNS_BY_WORDS: Final = {frozenset(phrase.split()): patterns for phrase, patterns in PHRASES.items()}


def replace_phrases(query: Query, text: str) -> Query:
    """Replace each phrase in a query by a term about the findings' text; raise `QueryError` for an unknown phrase."""
    match query:
        case QueryWord() if query.word not in WORDS:
            return _build_phrase_term([query], text)
        case Not():
            return replace(query, operand=replace_phrases(query.operand, text))
        case Or():
            return replace(query, operands=tuple(replace_phrases(operand, text) for operand in query.operands))
        case And():
            operands = _replace_in_operands(query.operands, text)
            return operands[0] if len(operands) == 1 else And(tuple(operands))
    return query


def _replace_in_operands(operands: Sequence[Query], text: str) -> list[Query]:
    """Replace each run of unknown words, which is one phrase."""
    merged: list[Query] = []
    phrase_words: list[QueryWord] = []
    for operand in (*operands, None):  # None ends the last phrase
        if isinstance(operand, QueryWord) and operand.word not in WORDS:
            phrase_words.append(operand)
            continue
        if phrase_words:
            merged.append(_build_phrase_term(phrase_words, text))
            phrase_words = []
        if operand is not None:
            merged.append(replace_phrases(operand, text))
    return merged


def _build_phrase_term(words: Sequence[QueryWord], text: str) -> Term:
    offset = words[0].offset
    patterns = _PATTERNS_BY_WORDS.get(frozenset(word.word for word in words))
    if patterns is None:
        typed_words = " ".join(word.word for word in words)
        reason = phrase("there is no word {word}", word=repr(typed_words))
        raise query_error(text, offset, reason, _suggest_phrase(typed_words))
    return Term(TEXT_FIELD, ":", patterns, offset, (offset,) * len(patterns))


def _suggest_phrase(typed_words: str) -> str:
    """Return the nearest word or phrase, and how to search for the words themselves."""
    words = set(typed_words.split())

    def count_shared_words(candidate: str) -> int:
        return len(words & set(candidate.split()))

    nearest = sorted(PHRASES, key=lambda candidate: (-count_shared_words(candidate), candidate))[:2]
    suggestions = [candidate for candidate in nearest if count_shared_words(candidate)]
    if suggestions:
        nearest_words = phrase("Did you mean {names}?", names=join_each_or(suggestions))
        return join_sentences([nearest_words, _search_words_hint(typed_words)])
    if len(words) > 1:
        return _search_words_hint(typed_words)
    return suggest_name(typed_words, [*WORDS, *FIELDS, *PHRASES])


def _search_words_hint(typed_words: str) -> str:
    """Return the hint on how to search the findings for these words. Findings are stored in English."""
    return phrase('To search the findings\' words: text:"{words}".', words=typed_words)
