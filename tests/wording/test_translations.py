"""Every message of a module listed in `translated.list` is translated, with its fields, in the manner of the English."""

from __future__ import annotations

import ast
import gettext
import importlib
import re
import string
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.text import language as languages
from ledger.text.language import LANGUAGES, use_language
from tests.wording.catalogues import (
    KEYWORDS,
    ROOT,
    TEMPLATE,
    TRANSLATIONS,
    extract_messages,
    list_sources,
    mo_path,
    po_path,
    po_text,
    read_catalogue,
    update_catalogue,
)
from tests.wording.rendering import render_module

TRANSLATED = (Path(__file__).parent / "translated.list").read_text("utf-8").split()
ENGLISH_WORDS = re.compile(r"\b(the|of|is|was|were|with|and|or|seat|hand|pot|player|blinds?|posted|doesn't|isn't)\b")
LOANWORDS = {"vi": {"blind", "pot"}}
"""English words that dealers use in a language."""

SAME_IN_OTHERS = {
    *("flop", "turn", "river", "preflop", "showdown", "straddle", "Straddle", "kill", "check"),
    *("ante", "bring-in", "sleeper", "mississippi", "restraddle", "blind", "error", "no", "No"),
    *("all-in", "all in", "all-in {amount}", "{seat} all in", "checks", "Check"),
    *("D", "SB", "BB", "OK", "auditor", "pot", "½ pot"),
}
SENTENCE_ENDS = (".", "。")


class Translation(NamedTuple):
    """A message of a done module with one of its translated forms."""

    language: str
    english: str
    text: str


def translations(language: str) -> Iterator[Translation]:
    """Yield each form of each message of the done modules; an untranslated one has no text."""
    for message in read_catalogue(language):
        if message.id and {file for file, _ in message.locations} & set(TRANSLATED):
            if isinstance(message.id, str):
                yield Translation(language, message.id, "" if message.fuzzy else message.string)
                continue
            for text in message.string:
                yield Translation(language, message.id[1], "" if message.fuzzy else text)


def may_be_same(english: str) -> bool:
    """Whether a translation may be the English: a loanword, or a message of fields and signs only."""
    words = re.sub(r"\{\w+\}", "", english).strip(" ()")
    return words in SAME_IN_OTHERS or not re.search("[A-Za-z]", words)


def field_names(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


def find_fault(row: Translation) -> str:
    """Return what is wrong with a translation, or nothing."""
    loanwords = LOANWORDS.get(row.language, set())
    if not row.text:
        return "isn't translated"
    if row.text == row.english and not may_be_same(row.english):
        return "is the English"
    if field_names(row.text) != field_names(row.english) and field_names(row.text) | {"count"} != field_names(
        row.english
    ):
        return "has other fields"
    if "  " in row.text:
        return "has two blanks in a row"
    if (
        left := set(ENGLISH_WORDS.findall(re.sub(r"\{\w+\}|--[a-z-]+|`[^`]*`", "", row.text))) - loanwords
    ) and row.language != "es":
        return f"has English words: {left}"
    if row.english[0].isupper() and row.text[0].islower():
        return "begins with a small letter"
    if row.english[0].islower() and row.text[0].isupper():
        return "begins with a capital letter"
    if row.english.endswith(".") != row.text.endswith(SENTENCE_ENDS):
        return "ends otherwise: both have a full stop, or neither"
    if row.language == "zh" and re.search(r"[一-鿿][,;:.]", row.text):
        return "has an English comma or full stop after a Chinese letter"
    return ""


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_message_of_a_done_module_is_translated(language: str) -> None:
    rows = list(translations(language))
    assert len(rows) > 50
    faults = [f"{row.english!r} {fault}: {row.text!r}" for row in rows if (fault := find_fault(row))]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "row",
    [
        Translation("es", "Seat {seat} folded.", ""),
        Translation("es", "Seat {seat} folded.", "Seat {seat} folded."),
        Translation("es", "Seat {seat} folded.", "El asiento se retiró."),
        Translation("es", "Seat {seat} folded.", "El asiento {seat}  se retiró."),
        Translation("es", "Seat {seat} folded.", "asiento {seat} se retiró."),
        Translation("es", "Seat {seat} folded.", "El asiento {seat} se retiró"),
        Translation("vi", "Seat {seat} folded.", "Ghế {seat} the bỏ bài."),
        Translation("zh", "Seat {seat} folded.", "{seat}号位弃牌."),
    ],
)
def test_faults_of_translations_are_found(row: Translation) -> None:
    assert find_fault(row)


def test_the_catalogues_are_up_to_date() -> None:
    messages = extract_messages()
    files = {TEMPLATE: messages, **{po_path(code): update_catalogue(code, messages) for code in TRANSLATIONS}}
    stale = [path.name for path, catalogue in files.items() if path.read_text("utf-8") != po_text(catalogue)]
    for language in TRANSLATIONS:
        compiled = gettext.GNUTranslations(BytesIO(mo_path(language).read_bytes()))
        for message in read_catalogue(language):
            if isinstance(message.id, str) and message.id and message.string:
                stale += [language] * (_look_up(compiled, message.id, message.context) != message.string)
    assert not stale, f"{stale}: run `make catalogues`"


def test_no_message_is_in_an_f_string() -> None:
    """Babel finds it with Python 3.12 and newer only."""
    hidden_messages = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in list_sources()
        if path.suffix == ".py"
        for joined in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in KEYWORDS
        and any(isinstance(argument, ast.Constant) for argument in call.args)
    ]
    assert hidden_messages == []


def _look_up(catalogue: gettext.NullTranslations, message: str, context: str | None) -> str:
    return catalogue.gettext(message) if context is None else catalogue.pgettext(context, message)


class _StrictCatalogue(gettext.NullTranslations):
    """Notes messages that have no translation."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.compiled = gettext.translation("handledger", languages.LOCALES, [language])
        self.missing: list[str] = []

    def gettext(self, message: str) -> str:
        translated = self.compiled.gettext(message)
        if translated == message and not may_be_same(message):
            self.missing.append(message)
        return translated

    def pgettext(self, context: str, message: str) -> str:
        translated = self.compiled.pgettext(context, message)
        if translated == message and not may_be_same(message):
            self.missing.append(message)
        return translated

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        translated = self.compiled.ngettext(msgid1, msgid2, n)
        if translated in (msgid1, msgid2) and not may_be_same(msgid1):
            self.missing.append(msgid1)
        return translated


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("path", [path for path in TRANSLATED if path.startswith("projections/sentences/")])
def test_every_sentence_of_a_done_module_renders_in_every_language(path: str, language: str, monkeypatch) -> None:
    module = importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    strict = _StrictCatalogue(language)
    monkeypatch.setattr(languages, "_load_catalogue", lambda code: languages.Catalogue(code, strict))
    if path.endswith("__init__.py"):
        with use_language(language):
            texts = [module.on_street(street) for street in module._ON_STREETS] + [module.paragraph("a", "b")]
    else:
        with use_language(language):
            texts = render_module(module).splitlines()
    assert not strict.missing, (
        f"{path} is in translated.list: translate each new message in locales/{language}/LC_MESSAGES/handledger.po"
    )
    assert not [text for text in texts if "  " in text or "{" in text]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_one_english_word_has_a_translation_in_each_context(language: str) -> None:
    with use_language(language):
        assert languages.phrase_in_context("button or blind", "open") != languages.phrase("open")
    assert languages.phrase_in_context("button or blind", "open") == "open"


def test_texts_with_braces_are_not_read_as_fields() -> None:
    for language in LANGUAGES:
        with use_language(language):
            assert "{0} {seat}" in languages.phrase("Can't tell: {question}.", question="{0} {seat}")
            assert languages.phrase("") == ""
