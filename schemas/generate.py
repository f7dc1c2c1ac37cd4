# ruff: noqa: INP001 - a script beside what it writes, no package
"""Write the published schemas: one file for each event version and each document.

`--check` writes nothing and fails if a file lacks, differs or is left over.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.published import files

HERE = Path(__file__).resolve().parent


def wanted() -> dict[Path, str]:
    """Return every file that belongs here, with its text."""
    return {
        HERE / f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in files().items()
    }


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` say what is wrong; return the exit code."""
    found = wanted()
    wrong = [path for path, text in found.items() if not path.exists() or path.read_text("utf-8") != text]
    left = [
        path
        for path in sorted(HERE.rglob("*.json"))
        if path not in found and path.parent.name != "formats"  # written by hand: other people's formats
    ]
    if "--check" in arguments:
        for path in [*wrong, *left]:
            sys.stderr.write(f"schemas/{path.relative_to(HERE)} is not what the types say: run schemas/generate.py\n")
        return 1 if wrong or left else 0
    for path in wrong:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[path], "utf-8")
    for path in left:
        path.unlink()
    sys.stdout.write(f"{len(found)} schemas, {len(wrong)} written, {len(left)} removed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
