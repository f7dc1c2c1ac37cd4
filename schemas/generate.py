# ruff: noqa: INP001 - a script beside what it writes, no package
"""Write the published schemas: one file for each event version and each document.

`--check` writes nothing and fails if a file lacks, differs or is left over.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.documents.published import build_files

FOLDER = Path(__file__).resolve().parent


def build_schemas() -> dict[Path, str]:
    """Return every file that belongs here, with its text."""
    return {
        FOLDER / f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in build_files().items()
    }


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` say what is wrong; return the exit code."""
    schemas = build_schemas()
    differing_files = [path for path, text in schemas.items() if not path.exists() or path.read_text("utf-8") != text]
    stale_files = [
        path
        for path in sorted(FOLDER.rglob("*.json"))
        if path not in schemas and path.parent.name != "formats"  # written by hand: other people's formats
    ]
    if "--check" in arguments:
        for path in [*differing_files, *stale_files]:
            sys.stderr.write(f"schemas/{path.relative_to(FOLDER)} is not what the types say: run schemas/generate.py\n")
        return 1 if differing_files or stale_files else 0
    for path in differing_files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(schemas[path], "utf-8")
    for path in stale_files:
        path.unlink()
    sys.stdout.write(f"{len(schemas)} schemas, {len(differing_files)} written, {len(stale_files)} removed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
