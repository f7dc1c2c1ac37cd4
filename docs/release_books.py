"""Release the editions of the rulebooks: `make release-books`.

Each book's text is kept under `projections/rulebooks/released/NAME@EDITION.toml`, with its SHA-256 in
`SHA256SUMS`, and is never changed again: an audit under an edition can be repeated for good. A book
that differs from its released edition has to be given another edition first.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from projections.books.book_file import BookFile
from projections.books.book_draft import read_header
from projections.books.rulebook import BUILT_IN, list_names, read

BOOKS = Path(__file__).resolve().parent.parent / "projections" / "rulebooks"


def release(folder: Path, books: list[str]) -> tuple[list[str], list[str]]:
    """Keep what is new; return what was kept, and what is wrong (then nothing was written)."""
    new: dict[str, bytes] = {}
    problems = []
    for name in books:
        data = (folder / f"{name}.toml").read_bytes()
        read(name, data)  # a book that cannot be loaded is not released
        edition = read_header(BookFile(f"{name}.toml", data))[0].edition
        released_file = folder / "released" / f"{name}@{edition}.toml"
        if not released_file.exists():
            new[released_file.name] = data
        elif released_file.read_bytes() != data:
            problems.append(f"{name}.toml differs from its edition {edition}, which is released: give it another edition")
    if problems:
        return [], problems
    (folder / "released").mkdir(exist_ok=True)
    for file, data in new.items():
        (folder / "released" / file).write_bytes(data)
    checksum_lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted((folder / "released").glob("*.toml"))]
    (folder / "released" / "SHA256SUMS").write_text("\n".join(checksum_lines) + "\n", "utf-8")
    return list(new), []


def main() -> int:
    """Release all books; return the exit code."""
    released, problems = release(BOOKS, [*list_names(), BUILT_IN])
    for line in problems:
        sys.stderr.write(f"{line}\n")
    sys.stdout.write("".join(f"released {name}\n" for name in released) or "nothing new\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
