"""Explain why words of notes can't be read: an invalid card, or a name that no player at the table has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from ledger.formats.handscript.cards import CARD_HINT
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.line_parser import parse
from ledger.formats.handscript.notes.money_lines import names_payout
from ledger.formats.handscript.notes.questions import NotesQuestion, describe_unread
from ledger.formats.handscript.notes.roster import Roster
from ledger.formats.handscript.notes.table_words import MUCKS, POSTS, RESERVED, SHOWS, VERBS, WINS

_CARD: Final = re.compile(r"(?<![\w?])(?:10|[2-9TJQKA])[shdc](?![\w?])", re.IGNORECASE)
_BAD_CARD: Final = re.compile(r"(?<![\w?])(?:(?:10|[2-9TJQKA])[a-z]|[01B-Z][shdc]|[01][a-z])(?![\w?])", re.IGNORECASE)
"""A rank with a letter that is no suit, or a suit with a sign that is no rank."""
_STREET: Final = re.compile(
    r"\s*(?:the\s+)?(?P<street>flop|turn|river|f|t)\b[\s:]*(?P<cards>(?:10|[2-9TJQKA])[shdc](?:[\s,]+(?:10|[2-9TJQKA])[shdc])*)(?!\w)",
    re.IGNORECASE,
)
_CARD_COUNTS: Final = {"flop": 3, "turn": 1, "river": 1}
_PAYOUT_HINT: Final = "Take the line out, and record the payout on the table's page."
_SEAT_NUMBER: Final = re.compile(r"\d+")
_SUITS: Final = "cdhs"
_RANKS: Final = "23456789TJQKA"
_NAME_WORDS: Final = 2
_ACT_WORDS: Final = frozenset((*VERBS, *WINS, *SHOWS, *MUCKS, *POSTS))
_MIN_LIKENESS: Final = 0.7
_UNREAD_KINDS: Final = frozenset(("unread", "gap", "remark"))


def explain_unread(note_line: ScriptLine, unread_text: str, roster: Roster) -> NotesQuestion:
    """Return the question about unreadable words, with the cause if it is clear."""
    question = describe_unread(note_line, unread_text)
    if names_payout(unread_text):
        return replace(question, reason=f"{question.reason}: notes can't record payouts", write="", hint=_PAYOUT_HINT)
    return (
        _explain_card(question, note_line, unread_text, roster)
        or _explain_street(question, note_line, unread_text, roster)
        or _explain_seat(question, note_line, unread_text, roster)
        or _explain_name(question, note_line, unread_text, roster)
    )


def _explain_card(question: NotesQuestion, note_line: ScriptLine, text: str, roster: Roster) -> NotesQuestion | None:
    """Name an invalid card, if the words can be read with a valid card in its place."""
    bad_cards = [match[0] for match in _BAD_CARD.finditer(text) if not _CARD.fullmatch(match[0])]
    if not bad_cards:
        return None
    unused = iter(_list_unused_cards(text))
    with_cards = _BAD_CARD.sub(lambda match: match[0] if _CARD.fullmatch(match[0]) else next(unused), text)
    if not _is_read(note_line, with_cards, roster):
        return None
    write = _BAD_CARD.sub(lambda match: match[0] if _CARD.fullmatch(match[0]) else "CARD", text)
    reason = f"{question.reason}: {bad_cards[0]} isn't a card"
    return replace(question, reason=reason, write=write.strip(), hint=CARD_HINT)


def _list_unused_cards(text: str) -> list[str]:
    """Return cards that a text doesn't name."""
    named = {match[0].upper().replace("10", "T") for match in _CARD.finditer(text)}
    return [rank + suit for rank in _RANKS for suit in _SUITS if (rank + suit).upper() not in named]


def _explain_street(question: NotesQuestion, note_line: ScriptLine, text: str, roster: Roster) -> NotesQuestion | None:
    """Count the cards of a street, if the words can be read with the right number of them."""
    match = _STREET.match(text)
    if match is None:
        return None
    street = {"f": "flop", "t": "turn"}.get(match["street"].lower(), match["street"].lower())
    cards, needed_count = _CARD.findall(match["cards"]), _CARD_COUNTS[street]
    unused_cards = _list_unused_cards(text)[: max(0, needed_count - len(cards))]
    opening, continuation = text[: match.start("cards")], text[match.end("cards") :]
    if len(cards) == needed_count or not _is_read(
        note_line, f"{opening}{' '.join(cards[:needed_count] + unused_cards)}{continuation}", roster
    ):
        return None
    cards_text = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    write = f"{opening}{' '.join(cards + ['CARD'] * len(unused_cards))}{continuation}" if unused_cards else ""
    return replace(question, reason=f"The {street} has {cards_text}; it needs {needed_count}", write=write, hint="")


def _explain_seat(question: NotesQuestion, note_line: ScriptLine, text: str, roster: Roster) -> NotesQuestion | None:
    """Name an empty seat, if the words can be read with a taken seat in its place."""
    seat, match = question.named_seat, _SEAT_NUMBER.search(text)
    if not (seat and roster.seats) or seat in roster.seats or match is None or int(match[0]) != seat:
        return None
    with_seat = f"{text[: match.start()]}{min(roster.seats)}{text[match.end() :]}"
    if not _is_read(note_line, with_seat, roster):
        return None
    seated = ", ".join(f"{number} {player.name}".strip() for number, player in sorted(roster.seats.items()))
    return replace(question, reason=f"Nobody sits in seat {seat}", hint=f"At the table: {seated}.")


def _explain_name(question: NotesQuestion, note_line: ScriptLine, text: str, roster: Roster) -> NotesQuestion:
    """Name an unknown player, if the words can be read with a known player in their place."""
    names = {player.name: seat for seat, player in roster.seats.items() if player.name}
    words = text.split()
    if not names or _ACT_WORDS.isdisjoint(word.lower().strip(",.:;!") for word in words[1:]):
        return question
    for count in range(1, min(_NAME_WORDS, len(words) - 1) + 1):
        name = " ".join(words[:count]).strip(",:")
        if words[count - 1].lower().strip(",.:") in RESERVED or any(sign.isdigit() for sign in name):
            break
        near_name = _find_near_name(name, names)
        mended = " ".join([near_name or next(iter(names)), *words[count:]])
        if (near_name or name[:1].isupper()) and _is_read(note_line, mended, roster):
            return _name_stranger(
                question, name, near_name, mended if near_name else " ".join(["SEAT", *words[count:]]), names
            )
    return question


def _name_stranger(
    question: NotesQuestion, name: str, near_name: str, write: str, names: dict[str, int]
) -> NotesQuestion:
    seated = ", ".join(f"{seat} {seated_name}" for seated_name, seat in names.items())
    is_meant = f"Did you mean {near_name}, seat {names[near_name]}? " if near_name else ""
    return replace(
        question, reason=f"Nobody at the table is called {name}", write=write, hint=f"{is_meant}At the table: {seated}."
    )


def _find_near_name(name: str, names: Sequence[str] | dict[str, int]) -> str:
    """Return the only name that is similar to another, or "" if there is no such name."""
    by_small_letters = {seated_name.casefold(): seated_name for seated_name in names}
    matches = get_close_matches(name.casefold(), by_small_letters, 2, _MIN_LIKENESS)
    return by_small_letters[matches[0]] if matches else ""


def _is_read(note_line: ScriptLine, text: str, roster: Roster) -> bool:
    """Whether all of a text is read in a hand."""
    seats = frozenset(roster.seats) or frozenset(range(1, 11))
    statements = parse(note_line, text, frozenset(roster.names()), seats, playing=True)
    return bool(statements) and all(statement.kind not in _UNREAD_KINDS for statement in statements)
