"""Write the documents that are made from the program. One line for each in `PAGES`, `FOLDERS` and `PARTS`.

`--check` writes nothing and fails if a page differs from what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

PAGES: dict[str, str] = {
    "vocabulary.md": "vocabulary_page",
    "cli.md": "cli_page",
    "handscript.md": "handscript_page",
    "formats/README.md": "formats_page",
    "formats/csv.md": "csv_page",
    "rule-tables.md": "rule_tables_page",
    "library.md": "library_page",
}
"""Page → the module beside this one whose `page()` returns its text."""

FOLDERS: dict[str, str] = {"rules": "rules_page"}
"""Folder → the module beside this one whose `pages()` returns the texts of its pages by name."""

PARTS: dict[str, str] = {"formats": "phrases"}
"""Folder → the module beside this one that writes a part of its pages: its `pages()` return the whole ones by name."""


def build_pages() -> dict[Path, str]:
    """Return every generated page with its text."""
    pages: dict[Path, str] = {}
    for name, module in PAGES.items():
        page: Callable[[], str] = import_module(module).page
        pages[FOLDER / name] = page()
    for folder, module in (FOLDERS | PARTS).items():
        folder_pages: Callable[[], dict[str, str]] = import_module(module).pages
        pages |= {FOLDER / folder / name: text for name, text in folder_pages().items()}
    return pages


def list_stale_pages() -> list[Path]:
    """Return pages in generated folders that nothing makes any more."""
    current_pages = build_pages()
    return [path for folder in FOLDERS for path in (FOLDER / folder).glob("*") if path not in current_pages]


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which differ; return the exit code."""
    pages = build_pages()
    differing_pages = [
        path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    stale_pages = list_stale_pages()
    if "--check" in arguments:
        for path in [*differing_pages, *stale_pages]:
            sys.stderr.write(
                f"docs/{path.relative_to(FOLDER)} is not what the program says: run docs/generate.py\n"
            )
        return 1 if differing_pages or stale_pages else 0
    for path in stale_pages:
        path.unlink()
    for path in differing_pages:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages[path], "utf-8")
    sys.stdout.write(f"{len(pages)} pages, {len(differing_pages)} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
