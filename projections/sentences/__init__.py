"""Sentences for people, one module per subject. Every sentence about a finding is written here as a whole.

A function is named after what it says, so that a detector reads `say.did_not_move(3, 4)`. Its parameters are the named
fields of the sentence. The docstring begins with the place of the text in a finding:

- Headline: what happened (`saw`), without a full stop: "Seat 6 acted out of turn on the flop; seat 2 was next"
- Correct: what should have happened (`should`), as it follows "Should be:": "button in seat 4"
- Because: the reason (`because`), in whole sentences with full stops; "Why it's only likely" lowers the certainty
- Note: a remark on another event that shows the finding
- Unknown: what can't be told, as it follows "Can't tell:"

Other functions return whole sentences ("Say …") or phrases ("Return …"). `tests/wording` renders every function with
sample values, so that all sentences can be read in one place.
"""

from __future__ import annotations

from typing import Final

from ledger.text.language import end_sentence, join_sentences, phrase, translatable


def as_sentence(text: str) -> str:
    """Return text that begins with a capital letter and ends with a full stop.

    >>> as_sentence("a line of hand 3 can't be read")
    "A line of hand 3 can't be read."
    """
    text = text.strip()
    return capitalize(end_sentence(text)) if text else ""


def capitalize(text: str) -> str:
    """Return text with a capital letter at its beginning.

    >>> capitalize("seat 5 (Mo)")
    'Seat 5 (Mo)'
    """
    return text[:1].upper() + text[1:]


def paragraph(*sentences: str) -> str:
    """Join whole sentences. Leave out empty ones and repetitions."""
    return join_sentences(list(dict.fromkeys(filter(None, map(as_sentence, sentences)))))


def on_street(street: str) -> str:
    """Return a street as people place it.

    >>> on_street("preflop"), on_street("turn"), on_street("fifth"), on_street("second-draw")
    ('before the flop', 'on the turn', 'on fifth street', 'after the second draw')
    """
    if street in _ON_STREETS:
        return phrase(_ON_STREETS[street])
    if street.endswith("-draw"):
        return phrase("after the {draw}", draw=street.replace("-", " "))
    return phrase("on {street} street", street=street)


def street_name(street: str) -> str:
    """Return what a street is called, in the middle of a sentence.

    >>> street_name("turn"), street_name("preflop")
    ('turn', 'preflop')
    """
    return phrase(_STREETS.get(street, street))


_ON_STREETS: Final = {
    "preflop": translatable("before the flop"),
    "flop": translatable("on the flop"),
    "turn": translatable("on the turn"),
    "river": translatable("on the river"),
    "third": translatable("on third street"),
    "fourth": translatable("on fourth street"),
    "fifth": translatable("on fifth street"),
    "sixth": translatable("on sixth street"),
    "seventh": translatable("on seventh street"),
    "first-draw": translatable("after the first draw"),
    "second-draw": translatable("after the second draw"),
    "third-draw": translatable("after the third draw"),
}
_STREETS: Final = {
    "preflop": translatable("preflop"),
    "flop": translatable("flop"),
    "turn": translatable("turn"),
    "river": translatable("river"),
    "third": translatable("third"),
    "fourth": translatable("fourth"),
    "fifth": translatable("fifth"),
    "sixth": translatable("sixth"),
    "seventh": translatable("seventh"),
    "first-draw": translatable("first-draw"),
    "second-draw": translatable("second-draw"),
    "third-draw": translatable("third-draw"),
    "showdown": translatable("showdown"),
}
