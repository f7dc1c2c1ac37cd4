"""The current language of sentences, and the translation of messages into it.

Messages are written in English, as whole sentences with named fields: `phrase("Seat {seat} folded", seat=3)`. In English
no catalogue is read. For the other languages, gettext finds the message in `locales/`. `make catalogues` collects the
messages and compiles the catalogues; docs/translating.md says how to translate.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce, wraps
from pathlib import Path
from typing import Final, NamedTuple, ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Returned = TypeVar("_Returned")

ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "English", "es": "Español", "vi": "Tiếng Việt", "zh": "简体中文"}
"""The name of each language in that language, by code."""

LOCALES: Final = Path(__file__).parent / "locales"
DOMAIN: Final = "handledger"


class Catalogue(NamedTuple):
    """The translated messages of a language."""

    language: str
    translations: gettext.NullTranslations


_CATALOGUE: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)
"""The catalogue of the language in force; None for English."""


@cache
def _load_catalogue(language: str) -> Catalogue | None:
    if language == ENGLISH:
        return None
    return Catalogue(language, gettext.translation(DOMAIN, LOCALES, [language]))


def language_in_force() -> str:
    """Return the code of the current language."""
    catalogue = _CATALOGUE.get()
    return ENGLISH if catalogue is None else catalogue.language


def is_english() -> bool:
    """Whether sentences are written in English, as all stored ones are."""
    return _CATALOGUE.get() is None


def set_language(language: str) -> None:
    """Write all further sentences of this thread or task in a language."""
    _CATALOGUE.set(_load_catalogue(language))


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Write sentences in a language within a `with` block.

    What is stored is always English: wrap the code that makes it in `with use_language(ENGLISH)`.
    """
    token = _CATALOGUE.set(_load_catalogue(language))
    try:
        yield
    finally:
        _CATALOGUE.reset(token)


def in_english(function: Callable[_Parameters, _Returned]) -> Callable[_Parameters, _Returned]:
    """Wrap a function whose sentences are stored or compared with stored ones, so that they are in English."""

    @wraps(function)
    def call_in_english(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Returned:
        with use_language(ENGLISH):
            return function(*args, **kwargs)

    return call_in_english


def find_language(tag: str) -> str | None:
    """Return the code of a language tag or locale, or None if there's no catalogue for it.

    >>> find_language("es-MX"), find_language("vi_VN.UTF-8"), find_language("zh-Hans-CN"), find_language("de")
    ('es', 'vi', 'zh', None)
    """
    code = tag.strip().lower().replace("_", "-").partition(".")[0].partition("-")[0]
    return code if code in LANGUAGES else None


def preferred_language(accept_language: str) -> str:
    """Return the language that a browser's Accept-Language header prefers, or English if it names no known language.

    >>> preferred_language("de, vi;q=0.4, zh-CN;q=0.8"), preferred_language("de"), preferred_language("es;q=x, vi;q=0")
    ('zh', 'en', 'en')
    """
    weights: dict[str, float] = {}
    for entry in accept_language.split(",")[:20]:
        tag, _, parameters = entry.partition(";")
        language = find_language(tag)
        if language is not None:
            weights[language] = max(weights.get(language, 0.0), _parse_weight(parameters))
    best = max(weights, key=lambda language: weights[language], default=ENGLISH)
    return best if weights.get(best) else ENGLISH


def _parse_weight(parameters: str) -> float:
    """Return the weight in `q=0.8`: 1 without one, 0 if it can't be read."""
    text = parameters.strip().removeprefix("q=")
    if not text:
        return 1.0
    whole, _, decimals = text.partition(".")
    is_number = len(text) <= len("0.123") and f"{whole}{decimals}".isascii() and f"{whole}{decimals}".isdigit()
    return float(text) if is_number else 0.0


def phrase(message: str, /, **fields: object) -> str:
    """Return a message in the language in force, with its fields filled in. Fields are texts or whole numbers.

    >>> phrase("Seat {seat} folded", seat=3)
    'Seat 3 folded'
    """
    catalogue = _CATALOGUE.get()
    if catalogue is not None and message:  # gettext answers "" with the head of the catalogue
        message = catalogue.translations.gettext(message)
    return message.format_map(fields) if fields else message


def phrase_count(singular: str, plural: str, count: int, /, **fields: object) -> str:
    """Return the form of a message that fits a number, with its fields filled in; `{count}` is the number.

    >>> phrase_count("{count} hand", "{count} hands", 1), phrase_count("{count} hand", "{count} hands", 3)
    ('1 hand', '3 hands')
    """
    catalogue = _CATALOGUE.get()
    if catalogue is None:
        message = singular if count == 1 else plural
    else:
        message = catalogue.translations.ngettext(singular, plural, count)
    fields["count"] = count
    return message.format_map(fields)


def phrase_in_context(context: str, message: str, /, **fields: object) -> str:
    """Return a short message with several meanings. `context` is an English note that distinguishes them.

    Each context has its own translation: an open case isn't what an open button is.

    >>> phrase_in_context("case", "open"), phrase_in_context("position", "open")
    ('open', 'open')
    """
    catalogue = _CATALOGUE.get()
    if catalogue is not None:
        message = catalogue.translations.pgettext(context, message)
    return message.format_map(fields) if fields else message


def translatable(message: str) -> str:
    """Mark the text of a table as a message and return it; `phrase(message)` translates it later."""
    return message


def translatable_count(singular: str, plural: str) -> tuple[str, str]:
    """Mark a pair of texts in a table as a message with a number; `phrase_count(*pair, count)` translates it later."""
    return singular, plural


# Lists and numbers


def join_list(parts: Sequence[str]) -> str:
    """Join words with commas.

    >>> join_list(["7c", "8d", "9s"])
    '7c, 8d, 9s'
    """
    return phrase(", ").join(parts)


def join_and(parts: Sequence[str]) -> str:
    """Join words as people do.

    >>> join_and(["7c"]), join_and(["7c", "8d"]), join_and(["7c", "8d", "9s"])
    ('7c', '7c and 8d', '7c, 8d and 9s')
    """
    if len(parts) < 2:
        return "".join(parts)
    return phrase("{words} and {last_word}", words=join_list(parts[:-1]), last_word=parts[-1])


def join_or(parts: Sequence[str]) -> str:
    """Join alternatives as people do.

    >>> join_or(["7c"]), join_or(["7c", "8d", "9s"])
    ('7c', '7c, 8d or 9s')
    """
    if len(parts) < 2:
        return "".join(parts)
    return phrase("{words} or {last_word}", words=join_list(parts[:-1]), last_word=parts[-1])


def join_each_or(parts: Sequence[str]) -> str:
    """Join alternatives with the word between all of them.

    >>> join_each_or(["seat 1", "seat 4", "seat 6"])
    'seat 1 or seat 4 or seat 6'
    """
    return (
        reduce(lambda words, word: phrase("{words} or {last_word}", words=words, last_word=word), parts)
        if parts
        else ""
    )


def join_options(options: Sequence[str]) -> str:
    """Join alternatives of several words each.

    >>> join_options(["post $10", "wait for the big blind"])
    'post $10, or wait for the big blind'
    """
    return phrase(", or ").join(options)


def ordinal(number: int) -> str:
    """Return a number as an ordinal, for people. Addresses have their own: `addresses.address_grammar`.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(22)
    ('1st', '2nd', '3rd', '11th', '22nd')
    """
    if _CATALOGUE.get() is not None:
        return phrase("{number}th", number=number)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def join_each_and(parts: Sequence[str]) -> str:
    """Join statements with the word between all of them.

    >>> join_each_and(["seat 1 posts", "seat 4 waits", "seat 6 plays"])
    'seat 1 posts and seat 4 waits and seat 6 plays'
    """
    return reduce(_join_two, parts) if parts else ""


def _join_two(words: str, last_word: str) -> str:
    return phrase("{words} and {last_word}", words=words, last_word=last_word)


def join_statements(statements: Sequence[str]) -> str:
    """Join statements about one thing with commas; Chinese has another comma between statements than between words.

    >>> join_statements(["plays", "has the button"])
    'plays, has the button'
    """
    return (
        reduce(lambda text, statement: phrase("{text}, {statement}", text=text, statement=statement), statements)
        if statements
        else ""
    )


def join_clauses(clauses: Sequence[str]) -> str:
    """Join parts that have commas within.

    >>> join_clauses(["seat 1 posts $5, the small blind", "seat 2 posts $10, the big blind"])
    'seat 1 posts $5, the small blind; seat 2 posts $10, the big blind'
    """
    return phrase("; ").join(clauses)


def give_reasons(statement: str, reasons: str) -> str:
    """Return a statement with what follows it after a colon.

    >>> give_reasons("seat 3", "Seat 3 is next.")
    'seat 3: Seat 3 is next.'
    """
    return phrase("{statement}: {reasons}", statement=statement, reasons=reasons)


# Sentences

_FULL_STOPS: Final = (".", "。")


def end_sentence(text: str) -> str:
    """Return text with the full stop of the language in force, unless it has an end already.

    >>> end_sentence("Seat 3 folded"), end_sentence("Folded?")
    ('Seat 3 folded.', 'Folded?')
    """
    return (
        text if text.endswith((".", "!", "?", "…", "。", "\uff01", "\uff1f")) else phrase("{sentence}.", sentence=text)
    )


def is_whole_sentence(text: str) -> bool:
    """Whether text ends with a full stop, as all whole sentences do and questions after "Can't tell:" don't.

    >>> is_whole_sentence("Seat 3 folded."), is_whole_sentence("whether seat 3 folded")
    (True, False)
    """
    return text.endswith(_FULL_STOPS)


def without_full_stop(text: str) -> str:
    """Return a sentence without its full stop, to go on after it.

    >>> without_full_stop("Seat 3 folded.")
    'Seat 3 folded'
    """
    return text[:-1] if text.endswith(_FULL_STOPS) else text


def join_sentences(sentences: Sequence[str]) -> str:
    """Join whole sentences to a paragraph."""
    separator = "" if language_in_force() == "zh" else " "
    return separator.join(sentences)
