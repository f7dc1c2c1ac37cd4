"""Phrases that several modules use: names of blinds, sums, and lists of readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ledger.text.language import phrase, phrase_count, translatable, translatable_count

_BLINDS: Final = {
    "small": translatable("small blind"),
    "big": translatable("big blind"),
    "extra": translatable("third blind"),
}
_BUTTON: Final = translatable("button")
_MISSED_BLINDS: Final = {
    ("small",): translatable("small blind"),
    ("big",): translatable("big blind"),
    ("extra",): translatable("extra blind"),
    ("small", "big"): translatable("small and big blind"),
    ("small", "extra"): translatable("small and extra blind"),
    ("big", "extra"): translatable("big and extra blind"),
    ("small", "big", "extra"): translatable("small and big and extra blind"),
}
_UNITS: Final = {
    "hand": translatable_count("{count} hand", "{count} hands"),
    "blind": translatable_count("{count} blind", "{count} blinds"),
    "card": translatable_count("{count} card", "{count} cards"),
    "hole card": translatable_count("{count} hole card", "{count} hole cards"),
    "player": translatable_count("{count} player", "{count} players"),
    "position": translatable_count("{count} position", "{count} positions"),
}

_ERRORS: Final = {
    "exposed-card": translatable("exposed card"),
    "extra-card": translatable("extra card"),
    "wrong-count": translatable("wrong count"),
    "boxed-card": translatable("boxed card"),
    "joker": translatable("joker"),
    "no-burn": translatable("no burn"),
    "double-burn": translatable("double burn"),
    "oversize-flop": translatable("oversize flop"),
    "premature-flop": translatable("premature flop"),
    "premature-turn": translatable("premature turn"),
    "premature-river": translatable("premature river"),
    "out-of-turn": translatable("out of turn"),
    "missing-post": translatable("missing post"),
    "barred-straddle": translatable("barred straddle"),
    "wrong-button": translatable("wrong button"),
    "wrong-blinds": translatable("wrong blinds"),
    "short-pot": translatable("short pot"),
    "wrong-award": translatable("wrong award"),
    "looked-before-post": translatable("looked before post"),
    "other": translatable("other"),
}
_SEVERITIES: Final = {"error": translatable("error"), "warning": translatable("warning"), "info": translatable("info")}
_CERTAINTIES: Final = {
    "certain": translatable("certain"),
    "likely": translatable("likely"),
    "needs-video": translatable("needs-video"),
}


def blind_name(role: str) -> str:
    """Return what a blind is called at the table."""
    if role in _BLINDS:
        return phrase(_BLINDS[role])
    return phrase("{role} blind", role=role)


def position_name(position: Literal["button", "small blind", "big blind", "third blind"]) -> str:
    """Return the button or a blind by its English title."""
    return phrase(position)


def missed_blinds_name(missed_roles: Sequence[str]) -> str:
    """Return what one or more missed blinds are called together."""
    roles = tuple(role for role in _BLINDS if role in missed_roles)
    return phrase(_MISSED_BLINDS[roles])


def live_and_dead(live: str, dead: str) -> str:
    """Return a sum with its dead part; `dead` is empty if all of it is live."""
    return phrase("{live} live and {dead} dead", live=live, dead=dead) if dead else phrase("{live} live", live=live)


def alternatives(readings: Sequence[str], doubtful_readings: Sequence[str]) -> str:
    """Join what is right by each reading of a rule, with the doubtful readings last."""
    if not readings:
        return phrase("; or ").join(doubtful_readings)
    likely_readings = phrase("; or ").join(readings)
    return phrase("; or, on another reading of the rule, ").join([likely_readings, *doubtful_readings])


def error_name(error_kind: str) -> str:
    """Return what a noticed error is called at the table: "exposed card" for `exposed-card`."""
    return phrase(_ERRORS[error_kind])


def severity_name(severity: str) -> str:
    """Return what a finding's severity is called."""
    return phrase(_SEVERITIES[severity])


def certainty_name(certainty: str) -> str:
    """Return what a finding's certainty is called."""
    return phrase(_CERTAINTIES[certainty])


def count_of(count: int, unit: str) -> str:
    """Return a number with its noun."""
    return phrase_count(*_UNITS[unit], count)


# Questions that a rulebook leaves open. `find_open_point` recognises them in every language.

_OPEN_POINTS: Final = (
    translatable("{question}: the book doesn't say"),
    translatable("{question}: the book doesn't define it"),
)
_QUESTION_MARK: Final = "\0"


def silent_book(question: str) -> str:
    """Return a question with the remark that the book has no answer."""
    return phrase(_OPEN_POINTS[0], question=question)


def undefined_by_book(question: str) -> str:
    """Return a question with the remark that the book doesn't define a word in it."""
    return phrase(_OPEN_POINTS[1], question=question)


def find_open_point(question: str) -> str:
    """Return the question that the book leaves open, without the remark; "" if the text has no such remark.

    >>> question = silent_book("where the blinds go with two players")
    >>> question, find_open_point(question), find_open_point("who has the button")
    ("where the blinds go with two players: the book doesn't say", 'where the blinds go with two players', '')
    """
    for message in _OPEN_POINTS:
        head, _, tail = phrase(message, question=_QUESTION_MARK).partition(_QUESTION_MARK)
        if question.startswith(head) and question.endswith(tail):
            return question[len(head) : len(question) - len(tail)]
    return ""
