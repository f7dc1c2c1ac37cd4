"""Write the documents that are made from the program. One line for each in `PAGES`, `FOLDERS` and `PARTS`.

`--check` writes nothing and fails if a page differs from what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

PAGES: dict[str, str] = {
    "vocabulary.md": "vocabulary_page",
    "cli.md": "cli_page",
    "handscript.md": "handscript_page",
    "formats/README.md": "formats_page",
    "formats/csv.md": "csv_page",
    "rule-tables.md": "rule_tables_page",
}
"""Page → the module beside this one whose `page()` returns its text."""

FOLDERS: dict[str, str] = {"rules": "rules_page"}
"""Folder → the module beside this one whose `pages()` returns the texts of its pages by name."""

PARTS: dict[str, str] = {"formats": "phrases"}
"""Folder → the module beside this one that writes a part of its pages: its `pages()` return the whole ones by name."""


def wanted() -> dict[Path, str]:
    """Return every generated page with its text."""
    pages: dict[Path, str] = {}
    for name, module in PAGES.items():
        page: Callable[[], str] = import_module(module).page
        pages[HERE / name] = page()
    for folder, module in (FOLDERS | PARTS).items():
        made: Callable[[], dict[str, str]] = import_module(module).pages
        pages |= {HERE / folder / name: text for name, text in made().items()}
    return pages


def left_over() -> list[Path]:
    """Return pages in generated folders that nothing makes any more."""
    made = wanted()
    return [path for folder in FOLDERS for path in (HERE / folder).glob("*") if path not in made]


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which differ; return the exit code."""
    pages = wanted()
    wrong = [
        path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    left = left_over()
    if "--check" in arguments:
        for path in [*wrong, *left]:
            sys.stderr.write(
                f"docs/{path.relative_to(HERE)} is not what the program says: run docs/generate.py\n"
            )
        return 1 if wrong or left else 0
    for path in left:
        path.unlink()
    for path in wrong:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages[path], "utf-8")
    sys.stdout.write(f"{len(pages)} pages, {len(wrong)} written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
