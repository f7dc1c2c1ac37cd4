"""Collect the messages of the program and compile the translations: `make catalogues`, after a change of a sentence.

The files never depend on the day, on line numbers, or on the order in which files are found. So two branches that change
different modules can be merged.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ledger.text.language import DOMAIN, ENGLISH, LANGUAGES, LOCALES

ROOT: Final = Path(__file__).resolve().parents[2]
TRANSLATIONS: Final = [language for language in LANGUAGES if language != ENGLISH]
TEMPLATE: Final = LOCALES / f"{DOMAIN}.pot"
KEYWORDS: Final = {
    "phrase": None,
    "phrase_count": (1, 2),
    "phrase_in_context": ((1, "c"), 2),
    "translatable": None,
    "translatable_count": (1, 2),
}
_SOURCES: Final = {
    "ledger": "*.py",
    "projections": "*.py",
    "cli": "*.py",
    "web": "*.py",
    "web/templates": "*.html",
    "handledger": "*.py",
}
_HEAD: Final = "# Messages of handledger. `make catalogues` writes this file; see docs/translating.md.\n"
_PLURALS: Final = {"es": (2, "(n != 1)")}
"""Plural forms where Babel knows one more than a number of hands or chips needs: Spanish has its own for millions."""


class StableCatalog(Catalog):
    """A catalogue whose head holds no day, no name and no version of a tool."""

    @property
    def num_plurals(self) -> int:
        """Return the number of plural forms."""
        return _PLURALS.get(str(self.locale), (super().num_plurals,))[0]

    @property
    def plural_expr(self) -> str:
        """Return the expression that chooses a plural form."""
        return _PLURALS[str(self.locale)][1] if str(self.locale) in _PLURALS else super().plural_expr

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """Return what gettext reads in the head."""
        language = [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)] if self.locale else []
        return [*language, ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "8bit")]


def po_path(language: str) -> Path:
    """Return the file that translators edit."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(language: str) -> Path:
    """Return the compiled catalogue that the program reads."""
    return po_path(language).with_suffix(".mo")


def extract_messages() -> Catalog:
    """Return the messages of all modules: module by module in the order of their names, as they come in each."""
    catalogue = StableCatalog(charset="utf-8")
    for file in list_sources():
        method = "python" if file.suffix == ".py" else "jinja2.ext:babel_extract"
        name = str(file.relative_to(ROOT))
        for _, message, _, context in extract_from_file(method, file, KEYWORDS):
            _add_message(catalogue, message, name, context)
    return catalogue


def list_sources() -> Iterator[Path]:
    """Yield the modules and templates with messages, in the order of their names."""
    for folder, pattern in _SOURCES.items():
        for file in sorted((ROOT / folder).rglob(pattern)):
            is_language = file == LOCALES.parent / "language.py"
            if file.suffix != ".py" or is_language or "ledger.text.language" in file.read_text("utf-8"):
                yield file


def _add_message(catalogue: Catalog, message: str | tuple[str, ...], file_name: str, context: str | None) -> None:
    known = catalogue.get(message[0] if isinstance(message, tuple) else message, context)
    if known is None:
        catalogue.add(message, locations=[(file_name, 0)], context=context)
    elif (file_name, 0) not in known.locations:
        known.locations.append((file_name, 0))


def read_catalogue(language: str) -> Catalog:
    """Return what is translated so far."""
    path = po_path(language)
    if not path.exists():
        return Catalog(locale=language)
    return read_po(BytesIO(path.read_bytes()), locale=language, abort_invalid=True)


def update_catalogue(language: str, messages: Catalog) -> Catalog:
    """Return the messages with their translations. A changed message has none: the old one would say the old thing."""
    translated = read_catalogue(language)
    catalogue = StableCatalog(locale=language, charset="utf-8")
    for message in messages:
        if not message.id:
            continue
        key = message.id[0] if isinstance(message.id, (tuple, list)) else message.id
        known = translated.get(key, message.context)
        string = known.string if known is not None and known.id == message.id else ""
        catalogue.add(message.id, string, locations=message.locations, context=message.context)
    return catalogue


def po_text(catalogue: Catalog) -> str:
    """Return the text of a catalogue for translators."""
    buffer = BytesIO()
    write_po(buffer, catalogue, width=120, include_lineno=False, sort_output=False, omit_header=False)
    head, _, messages = buffer.getvalue().decode("utf-8").partition("\n\n")
    fields = "\n".join(line for line in head.splitlines() if not line.startswith("#"))
    return f"{_HEAD}{fields}\n\n{messages.rstrip()}\n"


def mo_bytes(catalogue: Catalog) -> bytes:
    """Return the compiled catalogue."""
    buffer = BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def main() -> None:
    """Write all files, and print how much is translated."""
    messages = extract_messages()
    TEMPLATE.write_text(po_text(messages), "utf-8")
    for language in TRANSLATIONS:
        catalogue = update_catalogue(language, messages)
        po_path(language).parent.mkdir(parents=True, exist_ok=True)
        po_path(language).write_text(po_text(catalogue), "utf-8")
        mo_path(language).write_bytes(mo_bytes(catalogue))
        translated = sum(bool(message.id and any(_strings(message.string))) for message in catalogue)
        sys.stdout.write(f"{language}: {translated} of {len(catalogue)} messages translated\n")


def _strings(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)


if __name__ == "__main__":
    main()
